"""What a title need not write: each part that it leaves out is made here, from the parts that it has.

`gather` finds the parts of a title by the names of its files; the rest fills in one part each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated, Any

from . import contract
from .chance import OVER
from .codes import Kind, Labels, label
from .errors import LudusError
from .layout import PUBLIC, F, Layout
from .option import Option, Value
from .sight import Sight, everything_visible

if TYPE_CHECKING:
    from .title import Title

# What stands in which file of a title's folder, under which name.
_NAMES = {
    "box": ("OPTIONS", "SEATS", "make_box", "labels", "settle", "small_boxes", "seats_of", "printed"),
    "value": ("value", "PRECIOUS"),
    "features": ("INPUTS",),
    "advice": ("advise",),
    "why_not": ("meant",),
    "peace": ("round_of", "hostile", "bargained", "would_agree", "keep_word"),
}
_TALK = {
    "view": (
        "view",
        "own_view",
        "prompt",
        "touches",
        "places",
        "reveals",
        "turn",
        "score",
        "out",
        "BEGINNING",
    ),
    "why_not": ("why_not", "because"),
    "log": ("log", "choice_line", "NEWS"),
    "tally": ("tally",),
}


def gather(package: str) -> dict[str, Any]:
    """The parts of a title that its package has, by the names that `Title` gives them."""
    layout = _module(package, "layout")
    parts: dict[str, Any] = {
        "name": package.rpartition(".")[2],
        "folder": Path(str(layout.__file__)).parent,
        "position": getattr(layout, "POSITION", None) or Layout(_needed(layout, "Position")),
        "codes": _needed(layout, "CODES"),
        "rules": _module(package, "rules"),
    }
    if hasattr(layout, "Box"):
        parts["box"] = getattr(layout, "BOX", None) or Layout(layout.Box)
    if hasattr(layout, "LABELS"):
        parts["labels"] = lambda box: layout.LABELS
    parts |= _found(package, _NAMES)
    parts["talk"] = SimpleNamespace(**_found(package, _TALK))
    if _has(package, "gestures"):
        parts["gestures"] = _module(package, "gestures")
    if _has(package, "own"):
        parts["own"] = _module(package, "own")
    return parts


def _found(package: str, names: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """What the files of a package have of these names."""
    found: dict[str, Any] = {}
    for file, wanted in names.items():
        module = _module(package, file) if _has(package, file) else None
        found |= {name.lower(): getattr(module, name) for name in wanted if hasattr(module, name)}
    return found


def _has(package: str, file: str) -> bool:
    return find_spec(f"{package}.{file}") is not None


def _module(package: str, name: str) -> Any:
    if not _has(package, name):
        raise LudusError(f"{package} needs a file {name}.py (docs/new-title.md says what stands in it)")
    return import_module(f"{package}.{name}")


def _needed(module: Any, name: str) -> Any:
    if not hasattr(module, name):
        package, _, file = module.__name__.rpartition(".")
        raise LudusError(f"{package}: {file}.py needs {name} (docs/new-title.md says what it is)")
    return getattr(module, name)


class Filled:
    """A module, with defaults for the functions that it does not have."""

    def __init__(self, given: Any, defaults: Mapping[str, Any]) -> None:
        self._given = given
        self.__dict__.update({name: getattr(given, name, default) for name, default in defaults.items()})

    def __getattr__(self, name: str) -> Any:
        return getattr(self._given, name)


# -- the fast half ----------------------------------------------------------------------------------


def fill_rules(name: str, position: Layout[Any], given: Any) -> Any:
    """The rules with the bodies of `core.contract` for what may be left out; says what may not."""
    missing = [f.__name__ for f in contract.NEEDED if not hasattr(given, f.__name__)]
    hidden = [f.name for f in position.fields if f.who is not PUBLIC]
    reason = ""
    if hidden and (unsaid := [n for n in ("seen", "redeal") if not hasattr(given, n)]):
        missing, reason = [*missing, *unsaid], f", since {listed(hidden)} can be hidden from somebody"
    if not missing and "CHANCE" in given.to_move.__code__.co_names and not hasattr(given, "odds"):
        missing, reason = ["odds"], ", since CHANCE moves"
    if missing:
        kind = "a function" if len(missing) == 1 else "the functions"
        raise LudusError(f"the rules of {name} need {kind} {listed(missing)}{reason}")
    return Filled(given, {f.__name__: f for f in contract.FUNCTIONS})


def listed(names: Sequence[str]) -> str:
    """Names in a sentence: `a, b and c`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


# -- the talking half -------------------------------------------------------------------------------


class PlainTalk:
    """What a title says and shows when it writes no `view.py`: everything that a seat may see, a prompt
    by the phase, touches by the arguments of a code, and a log by the words."""

    own_view = None
    news: frozenset[str] = frozenset()
    beginning = None

    def __init__(self, title: Title[Any, Any]) -> None:
        self._title = title
        self._shapes = {k.name: _shape(k, title.position) for k in title.codes.kinds.values()}
        self._legal: tuple[Any, frozenset[str]] = (None, frozenset())

    def view(self, sight: Sight[Any, Any]) -> dict[str, Any]:
        return everything_visible(self._title.position, sight)

    def prompt(self, sight: Sight[Any, Any]) -> str:
        phase = self._title.position.field.get("phase")
        if phase is not None and phase.holds:
            return label(phase.holds, sight.s.phase, sight.labels)
        return "ended" if sight.to_move == OVER else "play"

    def touches(self, sight: Sight[Any, Any], code: int) -> tuple[str, ...]:
        """A place of a board or a named thing is touched itself, a number is an amount; the button of
        the kind comes first where the rest does not tell which kind is meant."""
        kind, values = self._title.codes.split(code)
        args = self._title.codes.kinds[kind].args
        names = [label(a.labels, v, sight.labels) for a, v in zip(args, values, strict=True)]
        path, at = [f"button:{kind}"] if self._needs_button(sight, kind) else [], 0
        for group, size in self._shapes[kind]:
            path.append(f"{group}:{'-'.join(names[at : at + size])}")
            at += size
        return tuple(path)

    def places(self, sight: Sight[Any, Any], code: int) -> tuple[str, ...]:
        touches = self._title.talk.touches(sight, code)
        return tuple(one for one in touches if not one.startswith(("amount:", "button:")))[-1:]

    def why_not(self, sight: Sight[Any, Any], code: int) -> str:
        return ""

    def because(self, sight: Sight[Any, Any], code: int) -> None:
        return None

    def reveals(self, s: Any, box: Any, code: int) -> bool:
        return False

    def turn(self, sight: Sight[Any, Any]) -> tuple[int, int]:
        return sight.to_move, 0

    def score(self, sight: Sight[Any, Any]) -> Sequence[int]:
        return ()

    def out(self, sight: Sight[Any, Any]) -> Sequence[int]:
        return ()

    def tally(self, sight: Sight[Any, Any]) -> Mapping[str, Sequence[int]]:
        return {}

    def log(
        self, before: Sight[Any, Any], seat: int, kind: str, args: tuple[int, ...] | None, after: Any
    ) -> list[Any]:
        from .telling import plain_line

        return [plain_line(self._title.codes, before, seat, kind, args)]

    def choice_line(self, sight: Sight[Any, Any], code: int) -> Any:
        return None

    def _needs_button(self, sight: Sight[Any, Any], kind: str) -> bool:
        own = self._things(kind)
        others = (self._things(other) for other in self._legal_kinds(sight) if other != kind)
        return not own or any(it[: len(own)] == own[: len(it)] for it in others if it)

    def _things(self, kind: str) -> tuple[str, ...]:
        """What is touched for a kind, if it begins with a thing: a number alone would say nothing."""
        groups = tuple(group for group, _ in self._shapes[kind])
        return groups if groups[:1] != ("amount",) else ()

    def _legal_kinds(self, sight: Sight[Any, Any]) -> frozenset[str]:
        """The kinds that can be played now; worked out once for all actions of a moment."""
        known, kinds = self._legal
        if known is not sight:
            codes = self._title.codes
            out = [0] * codes.size
            n = self._title.rules.legal(sight.s, sight.box, out)
            kinds = frozenset(codes.kind(code) for code in out[:n])
            self._legal = (sight, kinds)
        return kinds


def _shape(kind: Kind, position: Layout[Any]) -> list[tuple[str, int]]:
    """The touches of a kind: (what is touched, how many arguments it stands for).  Two arguments that
    are the axes of a board are one place of it."""
    boards = {f.axes: f.name for f in position.fields if f.is_board}
    groups = [arg.labels for arg in kind.args]
    shape, at = [], 0
    while at < len(groups):
        board = boards.get(tuple(groups[at : at + 2]))
        shape.append((board, 2) if board else (groups[at] or "amount", 1))
        at += shape[-1][1]
    return shape


def fill_talk(title: Title[Any, Any], given: Any) -> Any:
    plain = PlainTalk(title)
    names = [name.lower() for names in _TALK.values() for name in names]
    return Filled(given, {name: getattr(plain, name) for name in names})


def fill_gestures(given: Any) -> Any:
    from .gestures import PlainGestures

    names = [name for name in vars(PlainGestures) if not name.startswith("_")]
    return Filled(given, {name: getattr(PlainGestures(), name) for name in names})


# -- the box ------------------------------------------------------------------------------------------


def box_of(options: Sequence[Option]) -> Layout[Any]:
    """The layout of a box that holds the number of seats and every option."""
    fields = {"seats": Annotated[int, F("i1")]}
    fields |= {option.name: Annotated[int, F("i2")] for option in options}
    return Layout(type("Box", (), {"__annotations__": fields}))


def box_maker(title: Title[Any, Any]) -> Callable[[Mapping[str, Value], int], Any]:
    """Writes seats and options into the fields of their names: a number as it is, a word as its place
    among the values of its option."""
    for option in title.options:
        if option.name not in title.box.field:
            raise LudusError(f"the box of {title.name} has no field for the option {option.name}")

    def make_box(options: Mapping[str, Value], seats: int) -> Any:
        box = title.box.plain()
        if "seats" in title.box.field:
            box.seats = seats
        for option in title.options:
            value = options[option.name]
            setattr(box, option.name, value if isinstance(value, int) else option.values.index(value))
        return box

    return make_box


def seats_counter(title: Title[Any, Any]) -> Callable[[Any], int]:
    """How many seats a box is for: what it says, or the only number there is."""
    if "seats" in title.box.field:
        return lambda box: int(box.seats)
    if len(title.seats) > 1:
        raise LudusError(f"the box of {title.name} needs a field `seats`, since there are several numbers")
    return lambda box: title.seats[0]


def no_labels(box: Any) -> Labels:
    return {}


def nothing_to_settle(s: Any, box: Any, given: frozenset[str]) -> None:
    """A scene says everything that is not 0."""


def no_small_boxes() -> Mapping[str, Any]:
    return {}


def nothing_printed() -> Mapping[str, Any]:
    return {}
