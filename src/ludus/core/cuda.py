"""The rules on a GPU, as they stand: bound like the compiled form, with device functions of Numba's CUDA.

No figure of it stands in the docs that was not measured on a GPU.  Without one, the kernels of every title
are compiled to PTX by the tests, and Numba's simulator (NUMBA_ENABLE_CUDASIM=1) plays the same games as the
processor.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from . import compilation
from .binding import Binder, Program, fingerprint
from .cuda_loops import keep_loops, marking
from .engine import ENGINE
from .errors import LudusError
from .layout import Layout

if TYPE_CHECKING:
    from .title import Title

if not hasattr(np, "row_stack"):  # Numba's CUDA (0.30) asks for it; NumPy calls it vstack alone since 2.5
    np.row_stack = np.vstack

P = TypeVar("P")

BLOCK = 64  # threads of a block
# Registers of a thread: with fewer of them more games are in flight, which hide each other's waiting.  On an
# H200 that made titles with small positions 10 % faster and those with large ones up to 20 % slower (with
# loops as they are these need 63 and 96 by themselves; 64 of them were not tried there).
REGISTERS, LARGE = 64, 600  # LARGE: bytes of a position
# Bytes of a position from which on loops stay loops (`cuda_loops`).  The kernels of smaller titles are short
# as they are, and only an unrolled loop can have its array in registers: one of them has 280 bytes of local
# memory instead of 528.
SMALL = 100
INSTALL = 'pip install "ludus-antiquus[cuda]"'


def driver() -> Any:
    """Numba's CUDA with a GPU behind it; LudusError says what is missing."""
    try:
        from numba import config, cuda
    except ImportError:
        raise LudusError(f"the cuda form needs Numba's CUDA: {INSTALL}") from None
    if not cuda.is_available():
        raise LudusError(
            "the cuda form needs an NVIDIA GPU with its driver, and none is found here; form='compiled' runs "
            f"on all cores of the processor ({INSTALL} where there is a GPU)"
        )
    config.CUDA_LOW_OCCUPANCY_WARNINGS = False  # whoever plays a few games knows it
    return cuda


def blocks(threads: int) -> int:
    return -(-threads // BLOCK)


# -- binding ------------------------------------------------------------------------------------------------


_kernels: dict[tuple[Any, ...], SimpleNamespace] = {}


def bind(title: Title[Any, Any], program: Program = ENGINE) -> SimpleNamespace:
    """The kernels of a title, which are compiled when they are first called, and kept in the cache folder."""
    key = (title.name, title.folder, program.name, tuple(f(title) for f in program.stubs.values()))
    if key not in _kernels:
        folder = compilation.cache_folder(title, _cached(program))
        _kernels[key] = _bound(title, program, _keeping(_jit(title), folder))
    return _kernels[key]


@cache
def compiled_by() -> tuple[str, ...]:
    """What makes machine code of kernels, beside Numba itself: another version makes other code."""
    names = ("numba-cuda", "nvidia-nvvm", "nvidia-cuda-nvrtc")
    return tuple(f"{name} {_version(name)}" for name in names)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


def _cached(program: Program) -> Program:
    """The program under whose name the kernels are kept: they depend on their own sources, too."""
    from . import cuda_kernels, cuda_loops, observation

    own = (cuda_kernels, cuda_loops, observation)
    sources = (*program.sources, *(Path(str(module.__file__)) for module in own))
    limits = f"{REGISTERS} registers below {LARGE}, loops from {SMALL}"
    facts = (*program.facts, limits, *compiled_by())
    return Program(f"cuda-{program.name}", program.entries, program.arguments, sources, program.stubs, facts)


def _jit(title: Title[Any, Any]) -> Callable[..., Any]:
    """The decorator of kernels that call the rules of a title; the simulator compiles nothing."""
    from numba import config, cuda

    if config.ENABLE_CUDASIM:
        return cast(Callable[..., Any], cuda.jit)
    limited = partial(cuda.jit, max_registers=REGISTERS) if title.position.bytes < LARGE else cuda.jit
    return limited if _is_small(title) else lambda f, **options: keep_loops(limited(f, **options))


def _is_small(title: Title[Any, Any]) -> bool:
    return title.position.bytes < SMALL


def _keeping(jit: Callable[..., Any], folder: Path | None) -> Callable[[FunctionType], Any]:
    """A decorator for kernels whose machine code is kept in a folder."""
    from numba import config

    if folder is None or config.ENABLE_CUDASIM:  # the simulator keeps nothing
        return lambda f: jit(f)

    def decorate(f: FunctionType) -> Any:
        before, config.CACHE_DIR = config.CACHE_DIR, str(folder)
        try:
            return jit(f, cache=True)
        finally:
            config.CACHE_DIR = before

    return decorate


def _bound(
    title: Title[Any, Any], program: Program, kernel: Callable[[FunctionType], Any]
) -> SimpleNamespace:
    """The kernels of a title, with everything that they call as device functions."""
    from numba import cuda

    from . import cuda_kernels

    constants, others = dress(title)
    binder = Binder(kernel, {**program.replacements(title), **others}, lambda f: cuda.jit(f, device=True))
    binder.define(cuda_kernels, **constants)
    return binder.entries(cuda_kernels.RULED if program is ENGINE else cuda_kernels.RULED[:1])


def dress(title: Title[Any, Any]) -> tuple[dict[str, Any], dict[Any, Any]]:
    """What kernels of a title are told beside its rules: constants of theirs, other functions for some."""
    from numba import from_dtype

    return {"POSITION": from_dtype(title.position.dtype), "SIZE": title.codes.size}, {}


def records(layout: Layout[P], one: P) -> Any:
    """One position or box as an array of one record."""
    return np.frombuffer(layout.pack(one), layout.dtype).copy()


@cache
def bind_common() -> SimpleNamespace:
    """The kernels that know no title."""
    from numba import cuda

    from . import cuda_kernels

    functions: tuple[Any, ...] = cuda_kernels.COMMON
    facts = (*compiled_by(), *(fingerprint(f) for f in functions))
    h = hashlib.sha256("".join(facts).encode()).hexdigest()[:20]
    folder = compilation.writable(compilation.cache_root() / f"cuda-loops-{h}")
    kernel = _keeping(cuda.jit, folder)
    return Binder(kernel, {}, lambda f: cuda.jit(f, device=True)).entries(cuda_kernels.COMMON)


# -- without a GPU ------------------------------------------------------------------------------------------


def ptx_of(
    title: Title[Any, Any],
    cc: tuple[int, int] = (9, 0),
    quick: bool = False,
    names: Collection[str] = ("play_out", "advance_all"),
) -> dict[str, str]:
    """The kernels of a title as PTX for GPUs of that compute capability, by name; `quick`: not optimized.
    Needs no GPU, only the compiler (libNVVM)."""
    from numba import cuda, typeof, types

    found, bodies = {}, _bound(title, ENGINE, lambda f: f)
    for name, arguments in samples(title).items():
        if name not in names:
            continue
        signature = types.void(*(typeof(a) for a in arguments))
        loops: AbstractContextManager[None] = nullcontext() if _is_small(title) else marking()
        with _as_if_on(cc), loops:
            found[name] = str(cuda.compile_ptx(getattr(bodies, name), signature, cc=cc, opt=not quick)[0])
    return found


def samples(title: Title[Any, Any]) -> dict[str, tuple[Any, ...]]:
    """An example call of each kernel of a title."""
    S, B = np.zeros(1, title.position.dtype), np.zeros(1, title.box.dtype)
    ints, table, words = np.zeros(1, np.int32), np.zeros((1, 1), np.int32), np.zeros(1, np.int64)
    wide, flags, masks = np.zeros((1, 1), np.int64), np.zeros(1, np.int8), np.zeros((1, 1), np.int8)
    return {
        "play_out": (S, B, 0, 0, 0, 0, words, words, table, np.zeros(1)),
        "advance_all": (S, S, B, ints, wide, 0, 0, words, words, flags, table, flags, masks),
    }


def ptx_of_common(cc: tuple[int, int] = (9, 0)) -> dict[str, str]:
    """The same of the kernels that know no title."""
    from numba import cuda, typeof, types

    from . import cuda_kernels

    table, ints, flags = np.zeros((1, 1), np.int32), np.zeros(1, np.int32), np.zeros(1, np.int8)
    masks, real = np.zeros((1, 1), np.int8), np.zeros((1, 1), np.float32)
    arguments = {
        "take_codes": (np.zeros(1, np.int64), 0, ints),
        "find_wrong": (ints, masks, ints),
        "choose_all": (masks, 0, np.zeros(1, np.int64)),
        "gather_all": (masks, flags, table, ints, table),
        "add_up_all": (masks, flags, table, ints, ints, table),
        "turn_all": (flags, 0, ints, table),
        "encode_all": (table, ints, ints, real),
    }
    device = Binder(lambda f: f, {}, lambda f: cuda.jit(f, device=True)).entries(cuda_kernels.COMMON)
    found = {}
    for name, given in arguments.items():
        with _as_if_on(cc):
            signature = types.void(*(typeof(a) for a in given))
            found[name] = str(cuda.compile_ptx(getattr(device, name), signature, cc=cc)[0])
    return found


@contextmanager
def _as_if_on(cc: tuple[int, int]) -> Iterator[None]:
    """Numba asks the present GPU what device functions are compiled for, whatever it was told."""
    from numba.cuda import dispatcher

    before = dispatcher.get_current_device
    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=cc)
    try:
        yield
    finally:
        dispatcher.get_current_device = before
