"""IR to cubins: build.py TITLE:IR:CODE[:REGS] ...; CODE is inl, nu, nuT (nounroll; functions of T lines kept)."""
import json, os, pickle, sys
import forge, unroll

OUT = "/work/wt/cuda/.carry"
os.makedirs(OUT, exist_ok=True)
for each in sys.argv[1:]:
    name, ir, code, *regs = each.split(":")
    path = f"{OUT}/{name}.{ir}.{code}" + (f".r{regs[0]}" if regs else "")
    if os.path.exists(path + ".json"):
        continue
    mods, facts = pickle.load(open(f"/tmp/gpu/ir/{name}.{ir}.pkl", "rb"))
    kept = ()
    if code.startswith("nu") or code.startswith("ni"):
        if code[2:]:
            kept, _, _ = forge.choose(mods, int(code[2:]))
            mods = forge.keep(mods, kept)
        if code[1] == "u":
            mods = [unroll.nounroll(m) for m in mods]
    found = forge.build(mods, path, regs=regs[0] if regs else None, opts=("-opt=3",))
    import re
    entry = re.search(r"\.entry (\S+)\(", open(path + ".ptx").read())[1]
    os.rename(path + ".ptx", f"/tmp/gpu/{os.path.basename(path)}.ptx")
    facts = dict(facts, ir=ir, code=code, regs=regs, kept=len(kept), entry=entry, **found)
    json.dump(facts, open(path + ".json", "w"))
    print(os.path.basename(path), "kept", len(kept), found, flush=True)
