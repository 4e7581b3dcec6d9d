"""Loops of kernels stay loops: NVIDIA's compiler is told not to unroll them.

It copies all rules of a title into one kernel, and the body of a loop of known or guessed length several
times over.  Then a GPU waits for instructions: the kernel is longer than the instruction cache, and every
warp is elsewhere in it.  On an H200, loops left as they are made the kernels of three titles 1.8, 2.2 and 3.3
times as fast, with half the machine code, and compiled in a third to a half less time (docs/speed.md).

Numba has no option for it.  So the text that it hands to the compiler is marked on the way, and only while a
kernel of ours is being compiled.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

MARK = "llvm.loop.unroll.disable"
_LABEL = re.compile(r'(?:"([^"]+)"|([\w.$]+)):')
_TARGET = re.compile(r'label %"([^"]+)"')
_NODE = re.compile(r"!(\d+) = ")


def marked(module: str) -> str:
    """A module of LLVM's language with the mark on every branch that leads back."""
    lines, passed = module.splitlines(), set[str]()
    first = 1 + max((int(node[1]) for line in lines if (node := _NODE.match(line))), default=-1)
    n = 0
    for k, line in enumerate(lines):
        if line.startswith("define "):
            passed.clear()
        elif label := _LABEL.match(line):
            passed.add(label[1] or label[2])
        elif line.startswith("  br ") and not passed.isdisjoint(_TARGET.findall(line)):
            n += 1  # a loop is known by a node of its own, which names itself
            lines[k] = f"{line}, !llvm.loop !{first + n}"
    nodes = [f"!{first + k} = distinct !{{ !{first + k}, !{first} }}" for k in range(1, n + 1)]
    return "\n".join([*lines, f'!{first} = !{{ !"{MARK}" }}', *nodes] if n else lines)


@contextmanager
def marking() -> Iterator[None]:
    """What is compiled meanwhile has its modules marked, each of them given once: Numba gives what two
    functions call twice.  Numba's lock is held, so that this is no other thread's kernel."""
    from numba.cuda.core.compiler_lock import global_compiler_lock
    from numba.cuda.cudadrv import nvvm

    with global_compiler_lock:
        before = nvvm.compile_ir

        def compile_ir(modules: Any, **options: Any) -> Any:
            given = [modules] if isinstance(modules, str) else dict.fromkeys(modules)
            return before([marked(module) for module in given], **options)

        nvvm.compile_ir = compile_ir
        try:
            yield
        finally:
            nvvm.compile_ir = before


def keep_loops(kernel: Any) -> Any:
    """A kernel of Numba's, which is now compiled with its loops as they are."""
    compile_: Callable[..., Any] = kernel.compile

    def compile_marked(*given: Any) -> Any:
        with marking():
            return compile_(*given)

    kernel.compile = compile_marked
    return kernel
