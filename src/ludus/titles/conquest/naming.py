"""What sentences name: places with their prepositions, numbers with their nouns, galleys by their place."""

from __future__ import annotations

from typing import Any

from ludus.core.codes import label
from ludus.core.sight import Sight

from . import layout as at
from .layout import CODES, NOBODY, Box, Position

Seen = Sight[Position, Box]
Fields = dict[str, Any]
FIVE = 5  # talents are counted in fives


def place(name: str) -> Fields:
    """An area as the sentences need it: `{in}`, `{to}`, `{the}`."""
    return {form: (form, name) for form in ("in", "to", "the")}


def fields_of(sight: Seen, kind: str, args: tuple[int, ...]) -> Fields:
    """What fills the fields of an action's sentences, besides its arguments."""
    fields: Fields = {}
    named = {arg.name: (arg.labels, value) for arg, value in zip(CODES.kinds[kind].args, args, strict=True)}
    for name, (group, value) in named.items():
        if group in ("area", "home"):
            fields |= place(label(group, value, sight.labels))
        elif group in ("unit", "piece", "cargo"):
            fields["units"] = ("count", label(group, value, sight.labels), named["number"][1])
        elif group == "who":
            fields["leader"] = ("led", label(group, value, sight.labels))
        elif group == "edge":
            one, other = label(group, value, sight.labels).split("-")
            fields |= {"one": ("area", one), "other": ("area", other)}
        elif name == "fives":
            fields["talents"] = FIVE * value
        elif name == "ship":
            fields |= place(sight.labels["area"][sight.s.ship_area[value]])
    return fields


def along(sight: Seen) -> list[tuple[str, str, int]]:
    """What goes along with a leader, kind by kind; the tired among their own."""
    s, number = sight.s, dict[str, int]()
    for name, walk, ride in zip(sight.labels["piece"], s.hand, s.riders, strict=True):
        kind = name.removeprefix("tired_")
        number[kind] = number.get(kind, 0) + walk + ride
    return [("count", kind, n) for kind, n in number.items() if n]


def cargo(sight: Seen, ship: int) -> list[tuple[Any, ...]]:
    """What a galley carries, piece by piece."""
    s = sight.s
    held: list[tuple[Any, ...]] = []
    if s.ship_owner[ship] != NOBODY and s.emperor[s.ship_owner[ship]] == at.ABOARD + ship:
        held.append(("cargo", "emperor"))
    if s.ship_generals[ship]:
        held.append(("count", "general", s.ship_generals[ship]))
    units = zip(sight.labels["unit"], s.cargo[ship], strict=True)
    return held + [("count", unit, number) for unit, number in units if number]


def stretch(sight: Seen, p: int, coast: int) -> list[tuple[str, str]]:
    """The seas along one stretch of a broken coast (3.9)."""
    box, names = sight.box, sight.labels["area"]
    return [("area", names[box.shore[p][i]]) for i in range(box.shore_count[p]) if box.stretch[p][i] == coast]
