"""NVVM IR of one kernel of one title, with switches of typing; kept as a pickle.

gen.py TITLE KERNEL(play_out|pool_out|pool_here) FLAGS(comma: i32 one nowrap pN) OUT
"""

import operator
import os
import pickle
import sys
import time
from types import SimpleNamespace

import numpy as np

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack
from numba import cuda
from numba.cuda import types
from numba.cuda.np.numpy_support import from_dtype
from numba.cuda.typing.typeof import typeof
from numba.cuda.typing import builtins as B, typeof as typeof_module

import ludus
from ludus.core import contract, cuda as lc, cuda_kernels
from ludus.core.binding import Binder
from ludus.core.engine import ENGINE

import pool


def use_int32():
    """Whole numbers that are written in the source, and what is reckoned of narrow ones, have 32 bits."""
    from numba.cuda.typing.templates import Signature, signature

    def of_int(val, c):
        n = int(val).bit_length()
        return types.int32 if n < 32 else types.int64 if n < 64 else types.uint64

    typeof_module.typeof_impl.register(int)(of_int)
    from numba.core.typing import typeof as core_typeof

    core_typeof.typeof_impl.register(int)(of_int)  # literals ask there
    i32 = types.int32
    binary = (B.BinOp, B.BinOpAdd, B.BinOpSub, B.BinOpMul, B.BinOpMod, B.BinOpFloorDiv,
              B.BitwiseAnd, B.BitwiseOr, B.BitwiseXor, B.BitwiseLogicOperation)
    for t in binary:
        t.cases = [signature(i32, i32, i32), *t.cases]
    for t in (B.UnaryOp, B.UnaryNegate, B.UnaryPositive, B.BitwiseInvert):
        t.cases = [signature(i32, i32), *(c for c in t.cases if c.args != (i32,))]
        small = [c for c in t.cases if c.args and c.args[0] in (types.int8, types.int16)]
        t.cases = [c if c not in small else signature(i32, c.args[0]) for c in t.cases]


def one_size(dispatcher, i32):
    ask = dispatcher.get_call_template

    def widest(t):
        t = types.unliteral(t)
        if isinstance(t, types.Boolean):
            return t
        if isinstance(t, types.Integer) and t.signed:
            return types.int32 if i32 and t.bitwidth <= 32 else types.int64
        return t

    dispatcher.get_call_template = lambda args, kws: ask(
        tuple(widest(t) for t in args), {k: widest(t) for k, t in kws.items()}
    )
    return dispatcher


def nowrap():
    from numba.cuda.np import arrayobj

    def fix(context, builder, idxty, idx, size):
        return context.cast(builder, idx, idxty, types.intp if idxty.signed else types.uintp)

    arrayobj.fix_integer_index = fix


def padded(dtype):
    """The same record with room up to a multiple of 64 bytes."""
    return np.dtype({
        "names": list(dtype.names), "formats": [dtype.fields[k][0] for k in dtype.names],
        "offsets": [dtype.fields[k][1] for k in dtype.names], "itemsize": -(-dtype.itemsize // 64) * 64,
    }, align=True)  # fmt: skip


def copier():
    """S[i] = T[k] of padded records, sixteen bytes at a time."""
    from llvmlite import ir
    from numba.cuda.extending import intrinsic
    from numba.cuda.np.arrayobj import make_array

    @intrinsic
    def move(typingctx, S, i, T, k, part):
        def codegen(context, builder, sig, args):
            vec = ir.VectorType(ir.IntType(32), 4).as_pointer()
            found = []
            for kind, arr, index in ((sig.args[0], args[0], args[1]), (sig.args[2], args[2], args[3])):
                array = make_array(kind)(context, builder, arr)
                data = builder.bitcast(array.data, ir.IntType(8).as_pointer())
                size = ir.Constant(ir.IntType(64), kind.dtype.size)
                at = builder.mul(index, size)
                at = builder.add(at, builder.shl(args[4], ir.Constant(ir.IntType(64), 6)))
                found.append(builder.bitcast(builder.gep(data, [at]), vec))
            to, source = found
            values = []
            for q in range(4):
                values.append(builder.load(builder.gep(source, [ir.Constant(ir.IntType(32), q)]), align=16))
            for q in range(4):
                builder.store(values[q], builder.gep(to, [ir.Constant(ir.IntType(32), q)]), align=16)
            return context.get_dummy_value()

        return types.void(S, types.int64, T, types.int64, types.int64), codegen

    return move


def main(name, kernel, flags, out):
    i32, one = "i32" in flags, "one" in flags
    title = ludus.title(name)
    if i32:
        use_int32()
    if "nowrap" in flags:
        nowrap()
    device = lambda f: one_size(cuda.jit(f, device=True), i32) if one else cuda.jit(f, device=True)
    dtype = title.position.dtype if kernel == "play_out" else padded(title.position.dtype)
    replace = ENGINE.replacements(title)
    if kernel != "play_out":
        move, parts = copier(), dtype.itemsize // 64

        def assign(S, j, T, k):
            for part in range(parts):
                move(S, j, T, k, part)

        replace[contract.assign] = assign
    binder = Binder(lambda f: f, replace, device)
    pools = next((int(f[1:]) for f in flags if f[0] == "p" and f[1:].isdigit()), 256)
    where = cuda_kernels if kernel == "play_out" else pool
    more = {"HASH": np.int64(0x7FFFFFFF)}  # 64 bits: what is masked must not overflow
    if kernel != "play_out":
        more.update(POOL=pools, LANES=1 if "l1" in flags else 32)
    binder.define(where, POSITION=from_dtype(dtype), SIZE=title.codes.size, **more)
    f = getattr(binder.entries((getattr(where, kernel),)), kernel)
    S, box = np.zeros(1, dtype), np.zeros(1, title.box.dtype)
    table, words, wide = np.zeros((1, 1), np.int32), np.zeros(1, np.int64), np.zeros((1, 1), np.int64)
    arguments = [S, box, 0, 0, 0, 0, words, words, table, np.zeros(1)]
    if kernel != "play_out":
        arguments += [S, wide, wide, np.zeros(1, np.int8), 0, 0]
    kinds = [types.int64 if isinstance(a, int) else typeof(a) for a in arguments]
    got = []
    from numba.cuda.cudadrv import nvvm

    nvvm.compile_ir = lambda ir, **o: got.append(ir) or b"x"
    t = time.process_time()
    with lc._as_if_on((9, 0)):
        cuda.compile_ptx(f, types.void(*kinds), cc=(9, 0))
    spent = time.process_time() - t
    mods = list(dict.fromkeys(got[-1]))
    facts = dict(title=name, kernel=kernel, flags=sorted(flags), numba_s=round(spent, 1), modules=len(got[-1]),
                 unique=len(mods), ir_bytes=sum(map(len, mods)), itemsize=dtype.itemsize, pool=pools,
                 box=title.box.dtype.itemsize, size=title.codes.size)
    pickle.dump((mods, facts), open(out, "wb"))
    print(facts, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], set(sys.argv[3].split(",")) - {""}, sys.argv[4])
