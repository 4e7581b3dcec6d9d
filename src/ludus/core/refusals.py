"""Rules that do not compile: which function, which line and why, in one sentence.

Numba tells it in pages, from the outside in, and says nothing but a name where a field is not there.
LUDUS_DEBUG=1 adds all that it said.
"""

from __future__ import annotations

import dis
import os
import re
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

from . import contract
from .binding import reachable
from .errors import LudusError

if TYPE_CHECKING:
    from .title import Title

_PLACE = re.compile(r'^File "([^"]+)", line (\d+):\n(?:def (\w+))?', re.M)
_CALLEE = re.compile(r"type\(CPUDispatcher\(<function (\w+) at")
_SIGNATURE = re.compile(r"^ *>>> (.+)$", re.M)
_LITERAL = re.compile(r"Literal\[(\w+)\]\([^)]*\)")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_VARIABLE = re.compile(r"'(\w+)\.\d+'")


class Uncompilable(LudusError):
    """Rules that the plain form may play and the compiler refuses."""


def refusal(title: Title[Any, Any], error: Exception) -> Uncompilable | None:
    """What is wrong with the rules of a title, told from what the compiler raised; None if it is not they."""
    from numba.core.errors import NumbaError

    if isinstance(error, NumbaError):
        text = _COLOUR.sub("", str(error))  # where colorama is installed, Numba writes in colours
        where, why = _place(title, text), _reason(text)
    elif isinstance(error, KeyError) and (where := _field_place(title, error.args[0])):
        text, why = repr(error), f"neither a position nor a box has a field {error.args[0]!r}"
    else:
        return None
    sentence = f"{title.name}: {where}: {why}"
    if os.environ.get("LUDUS_DEBUG") == "1":
        return Uncompilable(f"{sentence}\n{text}")
    return Uncompilable(f"{sentence} (LUDUS_DEBUG=1 tells all that the compiler says)")


def _place(title: Title[Any, Any], text: str) -> str:
    """The innermost place that is neither ours nor Numba's; else the innermost function that was called."""
    import numba

    others = {Path(__file__).parent, Path(numba.__file__).parent}
    places = [match.groups() for match in _PLACE.finditer(text)]
    for file, line, function in places:
        if not others & set(Path(file).resolve().parents):
            return _refused(function, file, line)
    for name in _CALLEE.findall(text):
        for f in _functions(title):
            if f.__name__ == name:
                return _refused(name, f.__code__.co_filename, f.__code__.co_firstlineno)
    where = f" ({Path(places[-1][0]).name}, line {places[-1][1]})" if places else ""
    return f"the loops that play the rules cannot use what these return{where}"


def _refused(function: str | None, file: str, line: str | int) -> str:
    return f"{function or 'a function'} does not compile ({Path(file).name}, line {line})"


def _reason(text: str) -> str:
    """The first thing that is said, with the types of what it is about."""
    lines = [line.strip() for line in text.splitlines()]
    said = [line for line in lines if line and not line.startswith("Failed in ")]
    first = said[0] if said else "Numba does not say why"
    signature = _SIGNATURE.search(text)
    if first.startswith("No implementation of function") and signature:
        first = f"there is no {signature[1]}"
    first = _VARIABLE.sub(r"'\1'", _LITERAL.sub(r"\1", first.partition(", defined at")[0]))
    return re.sub(r"\bnone\b", "None", first)


def _field_place(title: Title[Any, Any], name: object) -> str:
    """Where the rules name a field that there is not; "" where they do not."""
    if name in title.position.field or name in title.box.field:
        return ""
    for f in _functions(title):
        for step in dis.get_instructions(f):
            if step.argval == name and step.opname.endswith("_ATTR") and step.positions is not None:
                return _refused(f.__name__, f.__code__.co_filename, step.positions.lineno or 0)
    return ""


def _functions(title: Title[Any, Any]) -> Iterator[FunctionType]:
    """The functions of the rules, and what they call."""
    for stub in contract.FUNCTIONS:
        yield from reachable(getattr(title.rules, stub.__name__))
    if isinstance(title.value, FunctionType):
        yield from reachable(title.value)
