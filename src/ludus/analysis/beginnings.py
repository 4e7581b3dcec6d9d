"""Beginnings: what is played first, how often, and how it scores.

What the beginning of a game is, its title says (`BEGINNING` in `view.py`): which kind of action, and how many
of them a seat.  Where it says nothing, the first choice of each seat is its beginning.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ludus.core.game import Game
from ludus.core.telling import say_choice
from ludus.core.title import Title

Said = tuple[int, str]  # who played, and what, as the record writes it
SHOWN = 40  # beginnings of a title, the most played first


def beginnings_of(title: Title[Any, Any], seats: int, said: Iterable[Said]) -> list[tuple[str, ...]]:
    """The beginning of each seat; empty where the game was over before."""
    known = title.talk.beginning
    count = known.count if known else 1
    found: list[list[str]] = [[] for _ in range(seats)]
    for seat, text in said:
        wanted = known is None or text.partition(" ")[0] == known.kind
        if wanted and 0 <= seat < seats and len(found[seat]) < count:
            found[seat].append(text)
            if all(len(one) == count for one in found):
                break
    return [tuple(one) if len(one) == count else () for one in found]


@dataclass
class Explored:
    """Beginnings by seat, each with its games and what came of them."""

    games: int = 0
    rows: dict[tuple[int, tuple[str, ...]], list[float]] = field(default_factory=dict)

    def add(self, title: Title[Any, Any], said: Sequence[Said], shares: Sequence[float]) -> None:
        """One finished game: what was played, and what each seat had of it."""
        begun = beginnings_of(title, len(shares), said)
        apart = title.talk.beginning is not None and title.talk.beginning.apart
        self.games += 1
        for seat, beginning in enumerate(begun):
            for one in [(text,) for text in beginning] if apart else [beginning] if beginning else []:
                row = self.rows.setdefault((seat, one), [0, 0.0])
                row[0] += 1
                row[1] += shares[seat]

    def to_json(self) -> dict[str, Any]:
        """The most played ones, as they are kept and sent."""
        order = sorted(self.rows.items(), key=lambda one: (-one[1][0], one[0]))
        rows = [
            {"seat": seat, "texts": list(texts), "games": int(n), "score": round(100 * sum_ / n, 1)}
            for (seat, texts), (n, sum_) in order[:SHOWN]
        ]
        return {"games": self.games, "rows": rows}


def shares_of(result: Sequence[float]) -> list[float]:
    """What each seat has of a game by its returns: all of it, or its part of a shared first place.

    >>> shares_of((2, 0)), shares_of((1, 1))
    ([1.0, 0.0], [0.5, 0.5])
    """
    most = max(result)
    first = sum(r == most for r in result)
    return [1 / first if r == most else 0.0 for r in result]


def in_words(title: Title[Any, Any], found: dict[str, Any], lang: str) -> dict[str, Any]:
    """The same with what each beginning is called; one that the present rules do not know is left out."""
    game: Game[Any, Any] = title.new(seed=1, form="plain")
    sight = game.sight(0)
    rows = []
    for row in found["rows"]:
        try:
            codes = [title.codes.read(text, game.labels) for text in row["texts"]]
            rows.append({**row, "told": [say_choice(game, lang, code, sight) for code in codes]})
        except Exception:  # of another edition, or of other rules
            continue
    return {**found, "rows": rows}
