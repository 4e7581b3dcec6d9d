"""The contract of a title: its fast half, function by function.

`core.binding` binds the names to the functions of a title, in plain or in compiled form, so that the
loops in `core.loops` are written once for every title.  Some functions may be left out: then the body
here is what happens.  The bodies of the others are never run.
"""

from __future__ import annotations

from typing import Any, NoReturn, Protocol

SPECTATORS = 1 << 6  # the bit of everybody without a seat, in the mask of `seen`
EVERYONE = (1 << 7) - 1
MAX_SEATS = 6

LOSS, DRAW, WIN = 0, 1, 2  # what `returns` writes for a seat; DRAW is a shared first place


def _unbound() -> NoReturn:
    raise AssertionError("a function of the contract was called before a title was bound to it")


def new(s: Any, box: Any) -> None:
    """Write the first position into `s`, which holds zeros.  Nothing is dealt yet.

    Left out: the game begins with zeros.
    """


def to_move(s: Any, box: Any) -> int:
    """The seat to move, or CHANCE, or OVER."""
    _unbound()


def legal(s: Any, box: Any, out: Any) -> int:
    """Write the codes of all legal actions of the seat to move; how many there are."""
    _unbound()


def odds(s: Any, box: Any, out: Any, weight: Any) -> int:
    """While CHANCE is to move: write all outcomes and their weights; how many there are.

    Left out where CHANCE is never to move.
    """
    return 0


def apply(s: Any, box: Any, code: int) -> None:
    """Play one action, in place.  Does not check that it is legal."""
    _unbound()


def seen(s: Any, box: Any, code: int) -> int:
    """Which seats will learn this code (a mask of bits), asked before `apply`.

    Left out: everybody does.
    """
    return EVERYONE


def redeal(s: Any, box: Any, seat: int, rng: Any) -> None:
    """Overwrite what `seat` cannot know by something it could believe.

    Left out where the layout hides nothing.
    """


def returns(s: Any, box: Any, out: Any) -> None:
    """Write the result of each seat: LOSS, DRAW or WIN.  Only asked when the game is over."""
    _unbound()


def check(s: Any, box: Any) -> int:
    """0, or the number of the invariant that is broken.  Left out: there is none."""
    return 0


def choose(s: Any, box: Any, out: Any, n: int, rng: Any, weights: Any) -> int:
    """A policy: the place in out[:n] of the action to play.  Not part of a title."""
    _unbound()


def choose_without(s: Any, box: Any, out: Any, n: int, rng: Any) -> int:
    """The same for a policy that takes no weights."""
    _unbound()


def value(s: Any, box: Any, seat: int) -> int:
    """A title's hand-made value of a position for a seat (`value.py`): higher is better."""
    _unbound()


def features(s: Any, box: Any, seat: int, idx: Any, val: Any) -> int:
    """What a seat may know of a position as inputs of a net (`features.py`): which are not 0, and how much
    they are; their number.  The first is the title's value, if it is one of them."""
    _unbound()


def aims(s: Any, box: Any, seat: int, out: Any) -> int:
    """Write what a turn of a seat could be after (`aims.py`), the most promising first; how many there are.

    Left out: nothing in particular.
    """
    return 0


def urge(s: Any, box: Any, seat: int, aim: int) -> int:
    """What a position is worth beyond its value to a seat that is after an aim (`aims.py`)."""
    return 0


def turn(s: Any, box: Any) -> int:
    """A number that changes when another turn begins (`features.py`)."""
    _unbound()


def assign(S: Any, j: int, T: Any, k: int) -> None:
    """Copy position k of T over position j of S.  Bound to a deep copy in plain form."""
    S[j] = T[k]


class Rules(Protocol):
    """What the rules module (or package) of a title offers, with the defaults filled in."""

    def new(self, s: Any, box: Any) -> None: ...
    def to_move(self, s: Any, box: Any) -> int: ...
    def legal(self, s: Any, box: Any, out: Any) -> int: ...
    def odds(self, s: Any, box: Any, out: Any, weight: Any) -> int: ...
    def apply(self, s: Any, box: Any, code: int) -> None: ...
    def seen(self, s: Any, box: Any, code: int) -> int: ...
    def redeal(self, s: Any, box: Any, seat: int, rng: Any) -> None: ...
    def returns(self, s: Any, box: Any, out: Any) -> None: ...
    def check(self, s: Any, box: Any) -> int: ...


FUNCTIONS = (new, to_move, legal, odds, apply, seen, redeal, returns, check)
NEEDED = (to_move, legal, apply, returns)
