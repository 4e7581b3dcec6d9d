"""Compilation: the rules of a title, untouched, bound to the loops of a program and passed through Numba.

Numba's own cache key misses callees, tables in other files and options, so each combination of
sources, options and versions has a folder of its own; a file `ready` in it says that everything is
there.  Nothing here is needed for play: without Numba, or without a folder to write to, the plain
form goes on and one line says so.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from .binding import Binder, Program, Samples, fingerprint
from .engine import ENGINE
from .process import child_environment, say
from .refusals import refusal

if TYPE_CHECKING:
    from .title import Title

OPTIONS = {"nogil": True, "boundscheck": True}
UNCHECKED = {"nogil": True, "boundscheck": False, "error_model": "numpy"}
MODULES_OF_CORE = ("chance", "contract", "layout", "codes", "binding", "compilation", "keeping")
READY = "ready"
LOCATOR = "ludus.core.keeping.FolderLocator"


def has_numba() -> bool:
    """Whether Numba can be had, without importing it."""
    return os.environ.get("LUDUS_PLAIN") != "1" and find_spec("numba") is not None


# -- the cache folder -----------------------------------------------------------------------------


def _sources(title: Title[Any, Any], program: Program) -> Iterable[Path]:
    here = Path(__file__).parent
    yield from (here / f"{name}.py" for name in MODULES_OF_CORE)
    yield from program.sources
    yield title.folder / "layout.py"
    if program.stubs:  # bots judge by the title's own value, the engine does not know it
        yield from (
            path for name in ("value.py", "features.py", "aims.py") for path in title.folder.glob(name)
        )
    rules = title.folder / "rules"
    yield from sorted(rules.rglob("*.py")) if rules.is_dir() else [title.folder / "rules.py"]


def digest(title: Title[Any, Any], program: Program = ENGINE) -> str:
    """Names everything that the machine code of a title and a program depends on."""
    from importlib.metadata import version

    h = hashlib.sha256()
    facts = [title.name, program.name, version("numba"), version("numpy"), version("llvmlite")]
    facts += [
        sys.version,
        platform.machine(),
        _processor(),
        repr(sorted(_options(program).items())),
        *program.facts,
    ]
    h.update(repr(facts).encode())
    for path in _sources(title, program):
        h.update(path.read_bytes())
    return h.hexdigest()[:20]


def _options(program: Program) -> dict[str, Any]:
    return OPTIONS if program.checked else UNCHECKED


def _processor() -> str:
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8") as file:
            return next((line for line in file if line.startswith("model name")), "")
    except OSError:
        return platform.processor()


def cache_root() -> Path:
    """Where compiled code is kept: LUDUS_CACHE_DIR, or the user's cache folder."""
    if given := os.environ.get("LUDUS_CACHE_DIR"):
        return Path(given)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ludus"


def _folder(title: Title[Any, Any], program: Program) -> Path:
    return cache_root() / f"{title.name}-{program.name}-{digest(title, program)}"


def cache_folder(title: Title[Any, Any], program: Program = ENGINE) -> Path | None:
    """The folder of these present sources, made if need be; None when it cannot be."""
    try:
        return writable(_folder(title, program))
    except RuntimeError:
        return None


def writable(path: Path) -> Path | None:
    try:
        path.mkdir(parents=True, exist_ok=True)
        probe = path / f".probe-{os.getpid()}"
        probe.write_bytes(b"")
        probe.unlink()
    except OSError:
        return None
    return path


def is_ready(title: Title[Any, Any], program: Program = ENGINE) -> bool:
    """Whether compiled code lies ready, so that loading it takes a moment only."""
    if not has_numba():
        return False
    try:
        return (_folder(title, program) / READY).exists()
    except (OSError, RuntimeError):
        return False


# -- compiled form ----------------------------------------------------------------------------------

_compiled: dict[tuple[Any, ...], SimpleNamespace] = {}


def bind_compiled(title: Title[Any, Any], program: Program = ENGINE) -> SimpleNamespace:
    """A program over the compiled rules of a title, made at most once a process.

    Raises ImportError when Numba is not installed, and Uncompilable when the rules do not compile.
    """
    key = (title.name, title.folder, program.name, tuple(f(title) for f in program.stubs.values()))
    if key not in _compiled:
        _compiled[key] = _compile(title, program)
    return _compiled[key]


def _compile(title: Title[Any, Any], program: Program) -> SimpleNamespace:
    folder = cache_folder(title, program)
    if folder is None:
        say("no cache folder can be written, so rules are compiled anew at every start")
    try:
        return _bind_with_numba(title, program, folder)
    except Exception as error:  # a damaged cache entry may fail in any way
        if refused := refusal(title, error):
            raise refused from None
        if folder is None:
            raise
        say(f"the compiled rules of {title.name} could not be loaded ({error!r:.80}); compiling anew")
        shutil.rmtree(folder, ignore_errors=True)
        return _bind_with_numba(title, program, None)


def _bind_with_numba(title: Title[Any, Any], program: Program, folder: Path | None) -> SimpleNamespace:
    import numba

    options = _options(program)
    inner = numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **options)
    outer = numba.njit(cache=folder is not None, **options)
    with _kept_in(folder):
        replace = program.replacements(title)
        space = Binder(outer, replace, lambda f: one_size(inner(f))).entries(program.entries)
        # Compiled now, or loaded from the cache, without running anything.
        for name, arguments in program.arguments(_samples(title)).items():
            getattr(space, name).compile(tuple(numba.typeof(a) for a in arguments))
    if folder is not None:
        (folder / READY).touch()
    return space


def one_size(dispatcher: Any) -> Any:
    """Numba's function, compiled once for whole numbers of all sizes.

    By itself Numba compiles a function anew for each size of whole number that it is called with, and for
    each that is written in the source: of our largest rules 420 versions of 287 functions.
    """
    ask = dispatcher.get_call_template

    def get_call_template(args: Iterable[Any], kws: dict[str, Any]) -> Any:
        return ask(tuple(_widest(t) for t in args), {name: _widest(t) for name, t in kws.items()})

    dispatcher.get_call_template = get_call_template
    return dispatcher


def _widest(kind: Any) -> Any:
    """The type of an argument, a signed whole number as the largest one; hashes need theirs unsigned."""
    from numba import types

    kind = types.unliteral(kind)
    return types.int64 if isinstance(kind, types.Integer) and kind.signed else kind


@cache
def compile_loops(functions: tuple[Any, ...]) -> SimpleNamespace:
    """Loops over plain arrays, which know no title, by name; compiled for the types they are called with."""
    import numba

    h = hashlib.sha256(repr((numba.__version__, sys.version, _processor())).encode())
    for f in functions:
        h.update(fingerprint(f).encode())
    folder = writable(cache_root() / f"loops-{h.hexdigest()[:20]}")
    with _kept_in(folder):
        return Binder(numba.njit(cache=folder is not None, **UNCHECKED), {}).entries(functions)


@contextmanager
def _kept_in(folder: Path | None) -> Iterator[None]:
    """What is bound now keeps its machine code in this folder; `core.keeping` says why."""
    import numba

    before = numba.config.CACHE_DIR, numba.config.CACHE_LOCATOR_CLASSES
    if folder is not None:
        numba.config.CACHE_DIR, numba.config.CACHE_LOCATOR_CLASSES = str(folder), LOCATOR
    try:
        yield
    finally:
        numba.config.CACHE_DIR, numba.config.CACHE_LOCATOR_CLASSES = before


def _samples(title: Title[Any, Any]) -> Samples:
    import numpy as np

    return Samples(
        positions=np.zeros(1, title.position.dtype),
        box=np.zeros(1, title.box.dtype),
        ints=np.zeros(1, np.int32),
        words=np.zeros(1, np.int64),
        table=np.zeros((1, 1), np.int32),
        values=np.zeros(1, np.float64),
        flags=np.zeros((1, 1), np.int8),
        generators=np.zeros((1, 1), np.int64),
    )


# -- in the background --------------------------------------------------------------------------------


def compile_in_background(
    title: Title[Any, Any], programs: Iterable[Program] = (ENGINE,)
) -> subprocess.Popen[bytes] | None:
    """Start a process that fills the cache, unless it is full, being filled or of no use.

    The process, when one was started.  Never waits and never raises.
    """
    wanted = [program for program in programs if has_numba() and not is_ready(title, program)]
    missing = {program.name: cache_folder(title, program) for program in wanted}
    folders = {name: at for name, at in missing.items() if at is not None and not _being_compiled(at)}
    if not folders:
        return None
    try:
        worker = subprocess.Popen(
            [sys.executable, "-m", "ludus", "compile", title.name, *(f"--program={n}" for n in folders)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env=child_environment(),
        )
        for folder in folders.values():
            (folder / "compiling").write_text(str(worker.pid), encoding="utf-8")
    except OSError:
        return None
    return worker


def _being_compiled(folder: Path) -> bool:
    try:
        os.kill(int((folder / "compiling").read_text(encoding="utf-8")), 0)
    except (OSError, ValueError):
        return False
    return True
