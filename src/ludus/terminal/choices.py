"""Choices: what can be touched next, each with a short key.

Digits where the element is a number (a die, a disc, an amount), else a letter of its name.  An element
keeps the key it was first given in a match, as long as nothing else there needs it.
"""

from __future__ import annotations

import string
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ludus.core.game import Action
from ludus.core.touches import Node

from .speech import Speech

COMMANDS = "ulhsq"  # undo, log, help, save, quit
CAPITAL_COMMANDS = "MR"  # map, resign: not to be pressed by mistake
AMOUNT = "amount"
DEFAULT = "button:default"
SayTouch = Callable[[str, Sequence[Action]], str]  # a touch, by the actions that it leaves open
_LETTERS = [c for c in string.ascii_lowercase if c not in COMMANDS]
_CAPITALS = [c for c in string.ascii_uppercase if c not in CAPITAL_COMMANDS]


@dataclass(frozen=True)
class Choice:
    """Something that can be chosen now: the key to type, what it is called, what it stands for."""

    key: str
    label: str
    value: Any
    group: str = ""  # AMOUNT: shown together with its neighbours as one line
    id: str = ""
    note: str = ""  # what else there is to say, where there is room


@dataclass(frozen=True)
class Menu:
    """All choices of one moment."""

    choices: tuple[Choice, ...]
    default: Choice | None = None  # what Enter takes

    def find(self, typed: str) -> tuple[Choice | None, bool]:
        """The choice of a key, and whether a longer key begins like it."""
        exact = next((c for c in self.choices if c.key == typed), None)
        longer = any(len(c.key) > len(typed) and c.key.startswith(typed) for c in self.choices)
        return exact, longer

    @property
    def amounts(self) -> list[Choice]:
        return [c for c in self.choices if c.group == AMOUNT]

    def span(self) -> str:
        """The amounts in short: `1-5`, or `1, 2, 5` where some are missing."""
        numbers = sorted(int(c.key) for c in self.amounts)
        if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
            return f"{numbers[0]}-{numbers[-1]}"
        return ", ".join(str(n) for n in numbers)


@dataclass
class Keys:
    """Gives keys to elements, and remembers them for as long as it lives."""

    known: dict[str, str] = field(default_factory=dict)

    def give(self, wanted: Sequence[tuple[str, Sequence[str]]]) -> list[str]:
        """A key for each (id, names to take letters from), all different, none the beginning of another
        unless both are numbers."""
        keys: dict[int, str] = {}
        taken: set[str] = set()
        for place, (id_, _) in enumerate(wanted):  # numbers first: they cannot be anything else
            number = id_.partition(":")[2]
            if number.isascii() and number.isdigit() and number not in taken:
                keys[place] = number
                taken.add(number)
        for place, key in _places_of_a_board(wanted).items():
            if place not in keys and key[0] not in taken:
                keys[place] = key
        taken |= {key[0] for key in keys.values() if not key.isdigit()}
        left = [place for place in range(len(wanted)) if place not in keys]
        if len(left) > len(_LETTERS) + len(_CAPITALS):
            pairs = [a + b for a in _LETTERS for b in _LETTERS]
            return [keys.get(place) or pairs[left.index(place)] for place in range(len(wanted))]
        for place in left:  # then what has a key already
            known = self.known.get(wanted[place][0])
            if known and known not in taken:
                keys[place] = known
                taken.add(known)
        for place in left:
            if place not in keys:
                id_, names = wanted[place]
                keys[place] = next(c for c in _candidates(names) if c not in taken)
                taken.add(keys[place])
                self.known.setdefault(id_, keys[place])
        return [keys[place] for place in range(len(wanted))]


def _places_of_a_board(wanted: Sequence[tuple[str, Sequence[str]]]) -> dict[int, str]:
    """Places with a letter and a number are typed as they are called: `board:b-2` is b2."""
    found = {}
    for place, (id_, _) in enumerate(wanted):
        row, _, column = id_.partition(":")[2].partition("-")
        if row in _LETTERS and column in string.digits[1:]:
            found[place] = f"{row}{column}"
    return found if len(set(found.values())) == len(found) else {}


def _candidates(names: Sequence[str]) -> Iterable[str]:
    """Letters in the order in which they should be tried: of the first name the initials, then the other
    letters; so for the next names; then capitals; then any."""
    letters: list[str] = []
    for name in names:
        words = _letters_only(name).split()
        letters += [word[0] for word in words]
        letters += [c for word in words for c in word[1:]]
    yield from (c for c in letters if c in _LETTERS)
    yield from (c.upper() for c in letters if c.upper() in _CAPITALS)
    yield from _LETTERS
    yield from _CAPITALS


def _letters_only(name: str) -> str:
    flat = unicodedata.normalize("NFKD", name).lower()
    return "".join(c if "a" <= c <= "z" else " " if not unicodedata.combining(c) else "" for c in flat)


# -- the trie of touches --------------------------------------------------------------------------------


def leaves(node: Node) -> list[Node]:
    """All places below (or at) a node that stand for an action."""
    if node.action is not None:
        return [node]
    return [leaf for child in node.next.values() for leaf in leaves(child)]


def forced(node: Node) -> list[str]:
    """The touches below a node that are no choice, up to the first that is one.

    Never the last one of a path: an action is always somebody's own.
    """
    path: list[str] = []
    while len(node.next) == 1:
        (touch, below), *_ = node.next.items()
        if below.action is not None:
            break
        path.append(touch)
        node = below
    return path


def node_at(root: Node, path: Sequence[str]) -> Node:
    for touch in path:
        root = root.next[touch]
    return root


def menu_of(
    node: Node, speech: Speech, say_action: Callable[[Action], str], say_touch: SayTouch, keys: Keys
) -> Menu:
    """What can be touched next.  Where a touch leaves one action only, the action itself is named."""
    wanted: list[tuple[str, Sequence[str]]] = []
    labels: list[str] = []
    order = sorted(node.next.items(), key=lambda pair: pair[0].startswith("button:"))  # those come last
    for touch, below in order:
        kind, _, name = touch.partition(":")
        found = [leaf.action for leaf in leaves(below) if leaf.action is not None]
        label = say_action(found[0]) if len(found) == 1 else _label(touch, found, speech, say_touch)
        labels.append(label)
        own = [speech.thing(name, kind)] if speech.is_named(name, kind) else []
        wanted.append((touch, [*own, label]))
    given = keys.give(wanted)
    choices = tuple(
        Choice(key, label, touch, AMOUNT if touch.startswith("amount:") else "", touch)
        for key, label, (touch, _) in zip(given, labels, order, strict=True)
    )
    return Menu(choices, _default(choices))


def _label(touch: str, found: list[Action], speech: Speech, say_touch: SayTouch) -> str:
    """What a touch is called that leaves several actions."""
    kind, _, name = touch.partition(":")
    if kind == "button" and speech.own(f"touch.button.{name}") is None:
        kinds = {action.kind for action in found}
        if len(kinds) == 1 and not speech.is_named(name, kind):
            return speech.kind(kinds.pop())
    return say_touch(touch, found)


def _default(choices: Sequence[Choice]) -> Choice | None:
    """Enter takes the sensible rest, else the first amount, else the only choice."""
    for choice in choices:
        if choice.id == DEFAULT:
            return choice
    for choice in choices:
        if choice.group == AMOUNT:
            return choice
    return choices[0] if len(choices) == 1 else None
