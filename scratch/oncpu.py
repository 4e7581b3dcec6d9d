"""A kernel's IR run by one thread on the processor (llvmlite 0.43, which still knows typed pointers).

oncpu.py PICKLE GAMES [split]: digest and tally beside those of the compiled form.
The pool's kernel runs with one lane a warp: LANES=1 must have been given to gen.py (flag l1).
"""
import ctypes, json, pickle, re, sys, time
sys.path.insert(0, "/tmp/gpu/old")
import llvmlite.binding as b
import numpy as np
b.initialize(); b.initialize_native_target(); b.initialize_native_asmprinter()

def native(m):
    m = re.sub(r'^target (triple|datalayout).*$', '', m, flags=re.M)
    m = re.sub(r'^@"_ZN08NumbaEnv.*$', '', m, flags=re.M)
    m = re.sub(r'^@"llvm.used".*$', '', m, flags=re.M)
    m = re.sub(r'^!nvvm.*$', '', m, flags=re.M); m = re.sub(r'^!\d+ = !\{ (void|i32 2).*$', '', m, flags=re.M)
    m = m.replace("addrspacecast", "bitcast").replace(" addrspace(3)", "")
    m = re.sub(r'^declare i32 @"(llvm.nvvm.read[^"]*)"\(\)', lambda x: f'define linkonce_odr i32 @"{x[1].replace("llvm.","l_")}"() {{\n ret i32 0\n}}', m, flags=re.M)
    m = re.sub(r'^declare void @"llvm.nvvm.barrier0"\(\)', 'define linkonce_odr void @"l_nvvm.barrier0"() {\n ret void\n}', m, flags=re.M)
    m = m.replace('@"llvm.nvvm', '@"l_nvvm')
    return m

def load(mods):
    top = b.parse_assembly(native(mods[0]))
    name = re.search(r'^define void @"([^"]+)"', mods[0], re.M)[1]
    for m in mods[1:]:
        top.link_in(b.parse_assembly(native(m)))
    top.verify()
    tm = b.Target.from_default_triple().create_target_machine(opt=1)
    pmb = b.create_pass_manager_builder(); pmb.opt_level = 1
    pm = b.create_module_pass_manager(); pmb.populate(pm); pm.run(top)
    eng = b.create_mcjit_compiler(top, tm); eng.finalize_object()
    return eng, eng.get_function_address(name)

def flat(args):
    kinds, values = [], []
    for a in args:
        if isinstance(a, np.ndarray):
            row = [0, 0, a.size, a.itemsize, a.ctypes.data, *a.shape, *a.strides]
        else:
            row = [a]
        kinds += [ctypes.c_int64] * len(row); values += row
    return kinds, values

def main(path, games, split=0):
    mods, facts = pickle.load(open(path, "rb"))
    z = np.load(f"/tmp/gpu/data/{facts['title']}.npz")
    known = json.load(open(f"/tmp/gpu/data/{facts['title']}.json"))
    want = known["expected"][str(games)]
    B, size, pool = z["box"].copy(), facts["itemsize"], facts["pool"]
    F = np.zeros(size, np.uint8); F[: len(z["first"])] = z["first"]; F = F.view(f"V{size}")
    total, begun = np.zeros(7, np.int64), np.zeros(1, np.int64)
    results = np.zeros((games, known["seats"]), np.int32)
    B = B.view(f"V{len(B)}")
    args = [F, B, 0, games, 1, known["length"], begun, total, results, np.zeros(1)]
    if facts["kernel"] != "play_out":
        raw = np.zeros(pool * size + 64, np.uint8); off = -raw.ctypes.data % 64
        args += [raw[off: off + pool * size].view(f"V{size}"), np.zeros((pool, 4), np.int64), np.zeros((pool, 4), np.int64), z["groups"], split, pool]
    t = time.time(); eng, at = load(mods); t1 = time.time()
    kinds, values = flat(args)
    ctypes.CFUNCTYPE(None, *kinds)(at)(*values)
    t2 = time.time()
    import hashlib
    x = total.tolist()
    found = [x[0], x[1], x[4], x[5], x[6], hashlib.sha256(results.tobytes()).hexdigest()[:16]]
    print(path.split("/")[-1], facts["flags"], "split", split, "load %.0f run %.1f" % (t1 - t, t2 - t1), found,
          "SAME" if found == want else f"DIFFERENT {want}", flush=True)


main(sys.argv[1], int(sys.argv[2]), *(map(int, sys.argv[3:])))
