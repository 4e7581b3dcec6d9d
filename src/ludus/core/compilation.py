"""Compilation: the rules of a title, untouched, bound to the loops of core and passed through Numba.

The functions are copied into namespaces of their own, one a module, where every function they call
is the compiled copy; the title's modules stay as they are and remain the plain form.

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
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, FunctionType, SimpleNamespace
from typing import TYPE_CHECKING, Any

from . import contract, loops
from .process import child_environment

if TYPE_CHECKING:
    from .title import Title

OPTIONS = {"nogil": True, "boundscheck": True}
MODULES_OF_CORE = ("chance", "contract", "loops", "layout", "codes", "compilation")
READY = "ready"


def has_numba() -> bool:
    """Whether Numba can be had, without importing it."""
    return os.environ.get("LUDUS_PLAIN") != "1" and find_spec("numba") is not None


def say(line: str) -> None:
    """The one clear line: why something is slower than it could be."""
    print(f"ludus: {line}", file=sys.stderr)


# -- binding: functions into namespaces of their own ----------------------------------------------


def _names(code: CodeType) -> set[str]:
    found = set(code.co_names)
    for const in code.co_consts:
        if isinstance(const, CodeType):
            found |= _names(const)
    return found


class Binder:
    """Copies functions so that they call each other's decorated copies, across modules too."""

    def __init__(
        self,
        decorate: Callable[[FunctionType], Any],
        replace: dict[FunctionType, FunctionType],
        inner: Callable[[FunctionType], Any] | None = None,
    ) -> None:
        self._decorate, self._inner = decorate, inner or decorate
        self._replace = replace
        self._spaces: dict[str, dict[str, Any]] = {}
        self._done: dict[FunctionType, Any] = {}

    def entry(self, f: FunctionType) -> Any:
        """A function that Python calls."""
        return self._bind(f, self._decorate)

    def _bind(self, f: FunctionType, decorate: Callable[[FunctionType], Any]) -> Any:
        f = self._replace.get(f, f)
        if f in self._done:
            return self._done[f]
        space = self._spaces.setdefault(f.__module__, dict(f.__globals__))
        copied = FunctionType(f.__code__, space, f.__name__, f.__defaults__, f.__closure__)
        copied.__module__, copied.__qualname__ = f.__module__, f.__qualname__
        self._done[f] = result = decorate(copied)
        for name in sorted(_names(f.__code__)):
            used = f.__globals__.get(name)
            if isinstance(used, FunctionType):
                space[name] = self._bind(used, self._inner)
        return result


def _functions(title: Title[Any, Any], choose: Any) -> dict[FunctionType, FunctionType]:
    stubs: dict[FunctionType, FunctionType] = {}
    for stub in contract.FUNCTIONS:
        if isinstance(stub, FunctionType):
            stubs[stub] = getattr(title.rules, stub.__name__)
    if isinstance(contract.choose, FunctionType):
        stubs[contract.choose] = choose
    return stubs


def bind_plain(title: Title[Any, Any], choose: Any = loops.uniform) -> SimpleNamespace:
    """The loops of core over the plain rules of a title."""
    binder = Binder(lambda f: f, _functions(title, choose))
    return SimpleNamespace(
        **{f.__name__: binder.entry(f) for f in loops.ENTRY if isinstance(f, FunctionType)}
    )


# -- the cache folder -----------------------------------------------------------------------------


def _sources(title: Title[Any, Any]) -> Iterable[Path]:
    here = Path(__file__).parent
    yield from (here / f"{name}.py" for name in MODULES_OF_CORE)
    yield title.folder / "layout.py"
    rules = title.folder / "rules"
    yield from sorted(rules.rglob("*.py")) if rules.is_dir() else [title.folder / "rules.py"]


def digest(title: Title[Any, Any]) -> str:
    """Names everything that the machine code of a title depends on."""
    from importlib.metadata import version

    h = hashlib.sha256()
    facts = [title.name, version("numba"), version("numpy"), version("llvmlite")]
    facts += [sys.version, platform.machine(), _processor(), repr(sorted(OPTIONS.items()))]
    h.update(repr(facts).encode())
    for path in _sources(title):
        h.update(path.read_bytes())
    return h.hexdigest()[:20]


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


def cache_folder(title: Title[Any, Any]) -> Path | None:
    """The folder of this title's present sources, made if need be; None when it cannot be."""
    try:
        path = cache_root() / f"{title.name}-{digest(title)}"
        path.mkdir(parents=True, exist_ok=True)
        probe = path / f".probe-{os.getpid()}"
        probe.write_bytes(b"")
        probe.unlink()
    except (OSError, RuntimeError):
        return None
    return path


def is_ready(title: Title[Any, Any]) -> bool:
    """Whether compiled code lies ready, so that loading it takes a moment only."""
    if not has_numba():
        return False
    try:
        return (cache_root() / f"{title.name}-{digest(title)}" / READY).exists()
    except (OSError, RuntimeError):
        return False


# -- compiled form ----------------------------------------------------------------------------------

_compiled: dict[tuple[str, Any], SimpleNamespace] = {}


def bind_compiled(title: Title[Any, Any], choose: Any = loops.uniform) -> SimpleNamespace:
    """The loops of core over the compiled rules of a title, made at most once a process.

    Raises ImportError when Numba is not installed.
    """
    key = (title.name, choose)
    if key not in _compiled:
        _compiled[key] = _compile(title, choose)
    return _compiled[key]


def _compile(title: Title[Any, Any], choose: Any) -> SimpleNamespace:
    import numba

    # The key of a cache folder does not know other people's policies: those are not cached.
    folder = cache_folder(title) if choose is loops.uniform else None
    if folder is None and choose is loops.uniform:
        say("no cache folder can be written, so rules are compiled anew at every start")
    try:
        space = _bind_with_numba(title, choose, folder, numba)
    except Exception as error:  # a damaged cache entry may fail in any way
        if folder is None:
            raise
        say(f"the compiled rules of {title.name} could not be loaded ({error!r:.80}); compiling anew")
        shutil.rmtree(folder, ignore_errors=True)
        space = _bind_with_numba(title, choose, None, numba)
    return space


def _bind_with_numba(title: Title[Any, Any], choose: Any, folder: Path | None, numba: Any) -> SimpleNamespace:
    inner = numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **OPTIONS)
    outer = numba.njit(cache=folder is not None, **OPTIONS)
    before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(folder or numba.config.CACHE_DIR)
    try:
        binder = Binder(outer, _functions(title, choose), inner)
        space = SimpleNamespace(
            **{f.__name__: binder.entry(f) for f in loops.ENTRY if isinstance(f, FunctionType)}
        )
        _touch(title, space)
    finally:
        numba.config.CACHE_DIR = before
    if folder is not None:
        (folder / READY).write_text(title.name, encoding="utf-8")
    return space


def _touch(title: Title[Any, Any], space: SimpleNamespace) -> None:
    """Compile every entry point now, or load it from the cache, without running it."""
    import numba
    import numpy as np

    S = np.zeros(1, title.position.dtype)
    B = np.zeros(1, title.box.dtype)
    out = weight = stopped = np.zeros(1, np.int32)
    rng = tally = np.zeros(1, np.int64)
    results = np.zeros((1, 1), np.int32)
    calls: dict[str, tuple[Any, ...]] = {
        "new_at": (S, 0, B),
        "to_move_at": (S, 0, B),
        "legal_at": (S, 0, B, out),
        "odds_at": (S, 0, B, out, weight),
        "apply_at": (S, 0, B, 0),
        "seen_at": (S, 0, B, 0),
        "redeal_at": (S, 0, B, 0, rng),
        "returns_at": (S, 0, B, out),
        "check_at": (S, 0, B),
        "playouts": (S, 0, 0, B, out, weight, rng, 0, 0, tally, results, stopped),
        "random_games": (S, B, out, weight, rng, 0, 0, 0, tally),
        "copies": (S, S, 0),
    }
    for name, arguments in calls.items():
        getattr(space, name).compile(tuple(numba.typeof(a) for a in arguments))


# -- in the background --------------------------------------------------------------------------------


def compile_in_background(title: Title[Any, Any]) -> subprocess.Popen[bytes] | None:
    """Start a process that fills the cache, unless it is full, being filled or of no use.

    The process, when one was started.  Never waits and never raises.
    """
    if not has_numba() or is_ready(title):
        return None
    folder = cache_folder(title)
    if folder is None or _being_compiled(folder):
        return None
    try:
        worker = subprocess.Popen(
            [sys.executable, "-m", "ludus", "compile", title.name],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env=child_environment(),
        )
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
