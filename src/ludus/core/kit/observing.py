"""Observations miss nothing that a seat may see (what they hide: `secrets`), and a vector has the same."""

from __future__ import annotations

from typing import Any

from ..chance import CHANCE, SPECTATOR, below, next_u32, seed_rng
from ..game import Game
from ..layout import COUNTED, SECRET, flatten, nest
from ..title import Title
from .findings import Broken

GAMES, STEPS = 3, 60


def check_observation(game: Game[Any, Any]) -> None:
    """Whatever a seat may see changes its observation and its tensor; tried with one number of all."""
    rng = [0, 0, 0, 0]
    seed_rng(rng, game.seed, len(game.line))
    seat = below(rng, game.seats)
    found = _visible(game, seat, rng)
    if found is None:
        return
    name, place = found
    layout, observer = game.title.position, game.observer
    row = game.observation(seat)
    if not len(row) == observer.size == len(observer.names):
        raise Broken("observations have one size", f"{len(row)} numbers, {observer.size} were declared")
    other = layout.copy(game.position)
    f = layout.field[name]
    numbers = list(flatten(getattr(other, name)))
    numbers[place] += 1 if numbers[place] < f.high else -1
    setattr(other, name, nest(numbers, f.shape))
    changed = observer.observe(layout.pack(other), game.to_move, seat)
    if changed == row or observer.encode(changed) == observer.encode(row):
        raise Broken(
            "observations miss nothing", f"seat {seat} sees {name}[{place}], its observation does not"
        )


def _visible(game: Game[Any, Any], seat: int, rng: list[int]) -> tuple[str, int] | None:
    """A random number that the seat may see, or of which it sees the sum; None where the try met another."""
    layout = game.title.position
    f = layout.fields[below(rng, len(layout.fields))]
    place = below(rng, f.size)
    at = place
    for axis, size in zip(reversed(f.axes), reversed(f.shape), strict=True):
        at, k = divmod(at, size)
        if axis == "seat" and k >= game.seats:  # a seat that nobody has
            return None
    hidden = any(g is f and first <= place < end for g, first, end in layout.hidden(seat, game.seats))
    if f.who is SECRET or (hidden and f.who is not COUNTED):
        return None
    return f.name, place


def vector_differs(title: Title[Any, Any], seed: int, compiled: bool) -> list[str]:
    """A vector shows what the same games show one by one, in either form."""
    box = title.box_for(**title.simulation)
    vectors = [title.vector(GAMES, seed, form=form) for form in ("plain", "compiled")[: 1 + compiled]]
    steps = [vector.start() for vector in vectors]
    singles = [_Single(title, box, seed, i) for i in range(GAMES)]
    rng = [0, 0, 0, 0]
    seed_rng(rng, seed, 77)
    for number in range(STEPS):
        codes = []
        for i, single in enumerate(singles):
            if any(step.ended[i] for step in steps):
                return []
            for vector, step in zip(vectors, steps, strict=True):
                form = "compiled" if vector.compiled else "plain"
                if wrong := single.differs(step, i):
                    return [
                        f"game {i} of a vector ({form}) after {number} steps: {wrong} differs from a game"
                    ]
            legal = single.game.legal_codes()
            codes.append(legal[below(rng, len(legal))])
        for code, single in zip(codes, singles, strict=True):
            single.play(code)
            if single.game.over:
                return []
        steps = [vector.step(codes) for vector in vectors]
    return []


class _Single:
    """The game that a vector has in one of its places, by itself."""

    def __init__(self, title: Title[Any, Any], box: Any, seed: int, stream: int) -> None:
        self.game = Game(title, box, seed=seed, chance="manual")
        self._rng = [0, 0, 0, 0]
        seed_rng(self._rng, seed, stream)
        self._chance()

    def _chance(self) -> None:
        while self.game.to_move == CHANCE:
            self.game.apply(self.game.form.draw(self.game.s, next_u32(self._rng)))

    def play(self, code: int) -> None:
        self.game.apply(code)
        self._chance()

    def differs(self, step: Any, i: int) -> str:
        game = self.game
        if step.seat[i] != game.to_move:
            return "who is to move"
        if step.mask[i].tolist() != game.legal_mask():
            return "the mask"
        return "" if step.observation[i].tolist() == game.observation(game.to_move) else "the observation"


def observed(game: Game[Any, Any], s: Any, mover: int, seat: int) -> list[int]:
    """The observation of a plain position; none for spectators."""
    return [] if seat == SPECTATOR else game.observer.observe(game.title.position.pack(s), mover, seat)
