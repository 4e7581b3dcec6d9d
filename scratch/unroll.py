import re
def nounroll(m):
    """!llvm.loop with unroll.disable on every branch back."""
    if re.search(r'^; ModuleID = "assign', m): return m  # copies may be unrolled
    out=[];seen=set();n=0
    for l in m.split("\n"):
        if l.startswith("define "): seen=set()
        k=re.match(r'^(?:"([^"]+)"|([\w.$]+)):',l)
        if k: seen.add(k[1] or k[2])
        elif l.startswith("  br "):
            to=re.findall(r'label %"([^"]+)"',l)
            if any(x in seen for x in to):
                l+=f", !llvm.loop !{90000+n}"; n+=1
        out.append(l)
    if n:
        out+= [f"!{90000+i} = distinct !{{ !{90000+i}, !89999 }}" for i in range(n)]+['!89999 = !{ !"llvm.loop.unroll.disable" }']
    return "\n".join(out)
def attr(m,a):
    return re.sub(r'^(define .*\))( noinline)?[ ]*$',lambda x:x[1]+(x[2] or "")+" "+a,m,flags=re.M)
