"""IR of a title -> variants of inlining -> PTX -> cubin, with figures."""
import sys,pickle,time,re,subprocess,resource,os
import nv
from numba.cuda.cudadrv.nvvm import llvm_replace
DEF=re.compile(r'^define (linkonce_odr )?(\S+) @"([^"]+)"\(',re.M)
CALL=re.compile(r'call [^@\n]*@"([^"]+)"\(')
def graph(mods):
    own,calls,mod={}, {}, {}
    for k,m in enumerate(mods):
        for part in re.split(r'(?=^define )',m,flags=re.M)[1:]:
            name=DEF.match(part)[3]
            body=part[:part.index("\n}")]
            own[name]=sum(1 for l in body.splitlines() if l.startswith("  ") and "alloca" not in l and "zeroinit" not in l)
            calls[name]=CALL.findall(body)
            mod[name]=k
    return own,calls,mod
def choose(mods,T,least=2):
    """Names of functions to be kept as calls."""
    own,calls,mod=graph(mods)
    sites={}
    for f,c in calls.items():
        for g in c: sites[g]=sites.get(g,0)+1
    kept,size=set(),{}
    def walk(f):
        if f in size: return size[f]
        size[f]=0
        n=own[f]
        for g in calls[f]:
            if g in own: 
                w=walk(g)
                n+= 10 if g in kept else w
        size[f]=n
        if n>=T and sites.get(f,0)>=least and mod[f]!=0: kept.add(f)
        return n
    for f in own: walk(f)
    return kept,size,sites
def keep(mods,kept):
    out=[]
    for m in mods:
        def sub(x):
            return x[0]
        lines=m.split("\n")
        for i,l in enumerate(lines):
            if l.startswith("define "):
                n=DEF.match(l)[3]
                if n in kept: lines[i]=re.sub(r'\)( alwaysinline)?\s*$',') noinline',l)
        out.append("\n".join(lines))
    return out
def build(mods,path,regs=None,opts=(),pt=()):
    t=time.process_time()
    ptx=nv.compile([llvm_replace(m) for m in mods],"-arch=compute_90",*opts)
    t1=time.process_time()
    open(path+".ptx","w").write(ptx)
    r0=resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    cmd=["ptxas","-v","-arch=sm_90",path+".ptx","-o",path+".cubin",*pt]+([f"-maxrregcount={regs}"] if regs else [])
    done=subprocess.run(cmd,capture_output=True,text=True)
    if done.returncode: raise RuntimeError(done.stderr[:2000])
    r1=resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    s=subprocess.run(["readelf","-SW",path+".cubin"],capture_output=True,text=True).stdout
    text=sum(int(m,16) for m in re.findall(r"\.text\S*\s+PROGBITS\s+\S+\s+\S+\s+(\S+)",s))
    used=re.findall(r"Used (\d+) registers.*?(?:(\d+) bytes cumulative|$)",done.stderr)
    return dict(nvvm=round(t1-t,1),ptxas=round(r1-r0,1),ptx=len(ptx),funcs=len(re.findall(r"^\.func|^\.visible \.func|^\.weak \.func",ptx,re.M)),text=text,used=used[-1:],size=os.path.getsize(path+".cubin"))
if __name__=="__main__":
    name=sys.argv[1]
    irs,o=pickle.load(open(f"/tmp/gpu/{name}.base.pkl","rb"))
    mods=list(dict.fromkeys(irs))
    for T in map(int,sys.argv[2:]):
        kept,size,sites=choose(mods,T)
        print(name,"T",T,"kept",len(kept),build(keep(mods,kept),f"/tmp/gpu/{name}.n{T}",opts=("-opt=3",)),flush=True)
