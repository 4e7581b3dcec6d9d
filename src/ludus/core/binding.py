"""Binding: functions copied into namespaces of their own, where they call each other's copies.

A *program* is a set of loops written against the contract (`core.loops`, a bot).  Bound to a title, its
stubs stand for the title's functions, in plain or in compiled form; the modules stay untouched.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FunctionType, ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

from . import contract

if TYPE_CHECKING:
    from .title import Title


@dataclass(frozen=True)
class Program:
    """Loops that Python calls, and what they need.

    `arguments` gives an example call of each entry point, made of the arrays of `Samples`; `stubs` says
    which function of a title stands for a name beyond the nine of the contract; `sources` are the
    files that the machine code depends on beside the title's own, `facts` whatever else it depends on.
    `checked` keeps the bounds of arrays watched: a search that runs over rules which the kit has
    tried goes without, and twice as fast.
    """

    name: str
    entries: tuple[Any, ...]
    arguments: Callable[[Samples], dict[str, tuple[Any, ...]]]
    sources: tuple[Path, ...]
    stubs: Mapping[Any, Callable[[Title[Any, Any]], Any]] = field(default_factory=dict)
    facts: tuple[str, ...] = ()
    checked: bool = True

    def replacements(self, title: Title[Any, Any]) -> dict[Any, Any]:
        """Which function each stub stands for."""
        found: dict[Any, Any] = {stub: getattr(title.rules, stub.__name__) for stub in contract.FUNCTIONS}
        found.update({stub: choose(title) for stub, choose in self.stubs.items()})
        return found


@dataclass(frozen=True)
class Samples:
    """Arrays of the kinds that loops take, for compiling without running."""

    positions: Any
    box: Any
    ints: Any  # int32: codes, weights, results of one game
    words: Any  # int64: a generator, a tally
    table: Any  # int32, two axes
    values: Any  # float64
    flags: Any  # int8, two axes: a mask a game
    generators: Any  # int64, two axes: a generator a game


def _names(code: CodeType) -> set[str]:
    found = set(code.co_names)
    for const in code.co_consts:
        if isinstance(const, CodeType):
            found |= _names(const)
    return found


def fingerprint(f: FunctionType) -> str:
    """Names a function with everything it calls and every constant it reads, wherever they come from.

    Functions of a title's contract stand for themselves: they are known by the title's own sources.
    """
    h = hashlib.sha256()
    for found in reachable(f):
        h.update(repr((found.__qualname__, _said(found.__code__))).encode())
        for name in sorted(_names(found.__code__)):
            value = found.__globals__.get(name)
            if not isinstance(value, FunctionType):
                h.update(f"{name} {_shown(value)}".encode())
    return h.hexdigest()


def reachable(f: FunctionType) -> list[FunctionType]:
    """A function and everything that it calls, directly or not."""
    found = [f]
    for each in found:  # grows as it goes
        used = (each.__globals__.get(name) for name in sorted(_names(each.__code__)))
        found += [g for g in used if isinstance(g, FunctionType) and g not in found]
    return found


def _said(code: CodeType) -> tuple[Any, ...]:
    consts = tuple(_said(c) if isinstance(c, CodeType) else repr(c) for c in code.co_consts)
    return (code.co_code, consts, code.co_names, code.co_varnames, code.co_argcount)


def _shown(value: Any) -> str:
    """A constant by what it holds; a module or a class by its name alone."""
    data = getattr(value, "tobytes", None)  # a NumPy array prints itself shortened
    if callable(data):
        return f"{getattr(value, 'dtype', '')} {getattr(value, 'shape', '')} {data().hex()}"
    if isinstance(value, int | float | str | tuple | list | dict | None):
        return repr(value)
    return str(getattr(value, "__name__", type(value).__name__))


class Binder:
    """Copies functions so that they call each other's decorated copies, across modules too."""

    def __init__(
        self,
        decorate: Callable[[FunctionType], Any],
        replace: dict[Any, Any],
        inner: Callable[[FunctionType], Any] | None = None,
    ) -> None:
        self._decorate, self._inner = decorate, inner or decorate
        self._replace = replace
        self._spaces: dict[str, dict[str, Any]] = {}
        self._done: dict[FunctionType, Any] = {}

    def define(self, module: ModuleType, **constants: Any) -> None:
        """Other constants for the functions of a module, here alone."""
        self._spaces.setdefault(module.__name__, dict(vars(module))).update(constants)

    def entries(self, functions: tuple[Any, ...]) -> SimpleNamespace:
        """The functions that Python calls, by name."""
        return SimpleNamespace(**{f.__name__: self._bind(f, self._decorate) for f in functions})

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


def bind_plain(title: Title[Any, Any], program: Program) -> SimpleNamespace:
    """A program over the plain rules of a title."""

    def assign(S: Any, j: int, T: Any, k: int) -> None:
        S[j] = title.position.copy(T[k])

    replace = {**program.replacements(title), contract.assign: assign}
    return Binder(lambda f: f, replace).entries(program.entries)
