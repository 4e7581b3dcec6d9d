"""Secrets: nothing that a seat may not know changes a byte of what it gets.

Hidden numbers are overwritten twice, once at random straight from the declaration of the layout and
once by the title's own `redeal`; everything that reaches the seat must stay the same.
"""

from __future__ import annotations

import json
from typing import Any

from ..chance import SPECTATOR, below, next_u32
from ..game import Game, view_of
from ..layout import COUNTED, flatten, nest
from ..sight import look, sees
from .findings import Broken
from .observing import observed


def view_bytes(game: Game[Any, Any], s: Any, seat: int) -> bytes:
    """Everything that `seat` is sent about a plain position, as bytes."""
    mover = game.title.rules.to_move(s, game.box)
    sight = look(game.title.position, s, game.box, seat, game.seats, mover, game.labels)
    return json.dumps(view_of(game.title, sight, None), sort_keys=False).encode()


def is_open(game: Game[Any, Any]) -> bool:
    """Whether nothing at all is hidden in this title."""
    return not game.title.position.hidden(SPECTATOR, game.seats)


def overwrite(game: Game[Any, Any], seat: int, rng: list[int]) -> Any:
    """A copy of the position in which all that is hidden from `seat` is random.

    Taken from the declaration alone.  Rows of which the seat sees the sum keep their sum.
    """
    layout = game.title.position
    s = layout.copy(game.position)
    for f, first, end in layout.hidden(seat, game.seats):
        numbers = list(flatten(getattr(s, f.name)))
        if f.who is COUNTED:
            numbers[first:end] = _same_sum(numbers[first:end], rng)
        else:
            # Small numbers only: values of the full width would break any table look-up.
            span = max(2, max(numbers[first:end], default=0) + 1)
            numbers[first:end] = [below(rng, span) for _ in range(first, end)]
        setattr(s, f.name, nest(numbers, f.shape))
    return s


def _same_sum(row: list[int], rng: list[int]) -> list[int]:
    total, out = sum(row), [0] * len(row)
    for _ in range(total):
        out[below(rng, len(row))] += 1
    return out


class Secrets:
    """Checks of one run; remembers which hidden numbers some redeal has changed."""

    def __init__(self) -> None:
        self._values: dict[tuple[str, int], set[int]] = {}  # values that hidden numbers really had
        self._changed: set[tuple[str, int]] = set()

    def check(self, game: Game[Any, Any], listed: list[int], rng: list[int]) -> None:
        if is_open(game):
            self._check_open(game, rng)
            return
        for seat in [*range(game.seats), SPECTATOR]:
            told = self._told(game, game.position, seat, listed)
            other = overwrite(game, seat, rng)
            if self._told(game, other, seat, listed) != told:
                raise Broken("secrets stay hidden", self._leak(game, other, seat, listed))
            if seat != SPECTATOR:
                self._check_own(game, seat)
                self._check_redeal(game, seat, told, listed, rng)

    def _check_open(self, game: Game[Any, Any], rng: list[int]) -> None:
        """Where nothing is hidden, all see the same, every view can be sent and a redeal changes nothing."""
        boards = {self._board_bytes(game, seat) for seat in [*range(game.seats), SPECTATOR]}
        if len(boards) > 1:
            raise Broken("what lies open looks the same to all", "the views of two seats differ")
        for seat in [*range(game.seats), SPECTATOR]:
            view_bytes(game, game.position, seat)
            if seat != SPECTATOR:
                other = game.title.position.copy(game.position)
                game.title.rules.redeal(other, game.box, seat, [next_u32(rng) for _ in range(4)])
                if not game.title.position.equal(other, game.position):
                    raise Broken("redeal keeps the view", f"seat {seat}: nothing is hidden, and it changed")

    @staticmethod
    def _check_own(game: Game[Any, Any], seat: int) -> None:
        """What a spectator sees, with what is a seat's own, is what that seat sees."""
        talk, sight = game.title.talk, game.sight(seat)
        if talk.own_view is None:
            return
        joined = {**talk.view(game.sight(SPECTATOR)), **talk.own_view(sight)}
        whole = talk.view(sight)
        if joined != whole:
            wrong = [key for key in whole if joined.get(key) != whole[key]]
            raise Broken("what is one's own is told apart", f"seat {seat}: {', '.join(wrong)}")

    @staticmethod
    def _board_bytes(game: Game[Any, Any], seat: int) -> bytes:
        return json.dumps(game.title.talk.view(game.sight(seat))).encode()

    def _told(self, game: Game[Any, Any], s: Any, seat: int, listed: list[int]) -> list[Any]:
        """Who is to move, the view, the legal list when it is this seat's turn, and which actions
        this seat will see, and its observation."""
        rules, box = game.title.rules, game.box
        mover = rules.to_move(s, box)
        own: list[int] = []
        if mover == seat:
            out = [0] * game.title.codes.size
            own = out[: rules.legal(s, box, out)]
        masks = [sees(rules.seen(s, box, code), seat) for code in listed]
        return [mover, view_bytes(game, s, seat), own, masks, observed(game, s, mover, seat)]

    def _leak(self, game: Game[Any, Any], other: Any, seat: int, listed: list[int]) -> str:
        parts = ("who is to move", "the view", "the legal list", "who sees an action", "the observation")
        pairs = zip(
            parts,
            self._told(game, game.position, seat, listed),
            self._told(game, other, seat, listed),
            strict=True,
        )
        wrong = [part for part, a, b in pairs if a != b]
        return f"seat {seat}: {', '.join(wrong)} changes with what is hidden from it"

    def _check_redeal(
        self, game: Game[Any, Any], seat: int, told: list[Any], listed: list[int], rng: list[int]
    ) -> None:
        title, layout = game.title, game.title.position
        first, second = layout.copy(game.position), layout.copy(game.position)
        r1 = [next_u32(rng) for _ in range(4)]
        r2 = [next_u32(rng) for _ in range(4)]
        title.rules.redeal(first, game.box, seat, r1)
        if self._told(game, first, seat, listed) != told:
            raise Broken("redeal keeps the view", self._leak(game, first, seat, listed))
        broken = title.rules.check(first, game.box)
        if broken:
            reason = title.words.say("en", f"invariant.{broken}")
            raise Broken("redeal gives a possible position", f"seat {seat}: {reason}")
        self._note(game, first, seat)
        title.rules.redeal(first, game.box, seat, r2[:])
        title.rules.redeal(second, game.box, seat, r2[:])
        if not layout.equal(first, second):
            raise Broken("redeal forgets what was there", f"seat {seat}: two redeals differ from one")

    def _note(self, game: Game[Any, Any], redealt: Any, seat: int) -> None:
        for f, first, end in game.title.position.hidden(seat, game.seats):
            true = list(flatten(getattr(game.position, f.name)))
            new = list(flatten(getattr(redealt, f.name)))
            for i in range(first, end):
                self._values.setdefault((f.name, i), set()).add(true[i])
                if new[i] != true[i]:
                    self._changed.add((f.name, i))

    def check_reveals(self, game: Game[Any, Any], code: int, rng: list[int]) -> None:
        """An action that shows its seat something hidden must say so, or undo would be a spy."""
        title, seat = game.title, game.to_move
        if seat < 0 or is_open(game) or title.talk.reveals(game.position, game.box, code):
            return
        true = title.position.copy(game.position)
        other = title.position.copy(game.position)
        title.rules.redeal(other, game.box, seat, [next_u32(rng) for _ in range(4)])
        for s in (true, other):
            title.rules.apply(s, game.box, code)
        if view_bytes(game, true, seat) != view_bytes(game, other, seat):
            text = title.codes.text(code, game.labels)
            raise Broken("reveals are declared", f"{text!r} shows seat {seat} something hidden")

    def unmoved(self) -> list[str]:
        """Hidden numbers that really varied in the run and that no redeal ever changed."""
        return sorted(
            f"{name}[{i}]"
            for (name, i), values in self._values.items()
            if len(values) > 1 and (name, i) not in self._changed
        )
