"""The record of a match: numbered entries, only ever appended."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ludus.core.chance import CHANCE
from ludus.core.codes import HIDDEN
from ludus.core.errors import FormatError

HOUSE = -4  # who makes the entries that are no actions

WHO = {CHANCE: "chance", HOUSE: "house"}  # what is written for those who are no seats
_NAMES = {name: who for who, name in WHO.items()}

# House entries: kind -> what its arguments are.
HOUSE_KINDS = {
    "undo": ("seat", "entry"),  # back to that entry
    "propose_undo": ("seat", "entry"),
    "propose_draw": ("seat",),
    "vote": ("seat", "answer", "entry"),  # yes or no to the proposal of that entry
    "draw": (),  # all have agreed
    "resign": ("seat",),
    "leave": ("seat",),
    "time_out": ("seat",),
    "forfeit": ("seat",),  # after time_out: the seat has lost; records of before have none
    "claim": ("seat", "name"),  # a person takes a seat that is free
    "take_over": ("seat", "name"),  # a bot does
}
OLDER = {"vote": 2}  # records of before have so many arguments: a vote on what was proposed last


@dataclass(frozen=True)
class Entry:
    """One entry: its number from 1 on, who made it (a seat, CHANCE or HOUSE), and its text."""

    number: int
    who: int
    text: str

    def line(self) -> str:
        """The entry as a line of a match file."""
        return f"{self.number} {WHO.get(self.who, self.who)} {self.text}"


def kind_alone(entry: Entry) -> Entry:
    """What everybody may know of an action, even where no rules can be asked: its kind."""
    kind, space, _ = entry.text.partition(" ")
    return Entry(entry.number, entry.who, f"{kind} {HIDDEN}" if space else kind)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 8


def read_entry(line: str, number: int) -> Entry:
    """The entry of a line; FormatError when it is none, or not the one that must come next."""
    parts = line.split(" ", 2)
    if len(parts) < 3 or not _is_number(parts[0]):
        raise FormatError(f"expected 'NUMBER WHO ACTION', not {line!r:.60}")
    if int(parts[0]) != number:
        raise FormatError(f"entry {parts[0]} stands where entry {number} must come")
    if parts[1] in _NAMES:
        return Entry(number, _NAMES[parts[1]], parts[2])
    if not _is_number(parts[1]):
        raise FormatError(f"{parts[1]!r} is no seat, and neither chance nor house")
    return Entry(number, int(parts[1]), parts[2])


def house_text(kind: str, *arguments: object) -> str:
    return " ".join([kind, *(str(a) for a in arguments)])


def read_house(text: str) -> tuple[str, list[str]]:
    """The kind and arguments of a house entry; a name, always last, may have spaces."""
    kind, *rest = text.split(" ")
    if kind not in HOUSE_KINDS:
        raise FormatError(f"the house knows no {kind!r:.30}; it knows: {', '.join(HOUSE_KINDS)}")
    wanted = HOUSE_KINDS[kind]
    arguments = text.split(" ", len(wanted))[1:] if wanted else rest
    if len(arguments) not in (len(wanted), OLDER.get(kind)):
        raise FormatError(f"{kind} needs {len(wanted)} arguments: {' '.join(wanted)}")
    for name, value in zip(wanted, arguments, strict=False):
        if name in ("seat", "entry") and not _is_number(value):
            raise FormatError(f"{kind}: {name} must be a number, not {value!r:.30}")
        if name == "answer" and value not in ("yes", "no"):
            raise FormatError(f"{kind}: the answer is yes or no, not {value!r:.30}")
    return kind, arguments


def back_to(entry: Entry) -> int | None:
    """The entry after which this one takes everything back; None where it takes nothing back."""
    if entry.who != HOUSE or not entry.text.startswith("undo "):
        return None
    return int(read_house(entry.text)[1][1])


def stand_with(standing: list[int], entry: Entry) -> None:
    """Bring the numbers of the actions that stand up to date with one more entry."""
    to = back_to(entry)
    if entry.who != HOUSE:
        standing.append(entry.number)
    elif to is not None:
        del standing[bisect_right(standing, to) :]


def standing_after(entries: Iterable[Entry]) -> list[int]:
    """The numbers of the actions that stand after these entries."""
    standing: list[int] = []
    for entry in entries:
        stand_with(standing, entry)
    return standing


def sits_down(entry: Entry) -> tuple[int, str] | None:
    """The seat that changes hands with this entry, and how it is called from then on."""
    if entry.who != HOUSE or not entry.text.startswith(("claim ", "take_over ")):
        return None
    seat, name = read_house(entry.text)[1]
    return int(seat), name


def names_after(entries: Iterable[Entry], begun: Sequence[str]) -> list[str]:
    """How the seats were called after these entries: who came later has done nothing of what was before."""
    names = list(begun)
    for seat, name in filter(None, map(sits_down, entries)):
        names[seat] = name
    return names


def seat_told_of(entry: Entry) -> int | None:
    """The seat about which a house entry speaks; None where it speaks of none."""
    kind, arguments = read_house(entry.text)
    return int(arguments[0]) if HOUSE_KINDS[kind][:1] == ("seat",) else None
