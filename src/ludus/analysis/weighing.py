"""Weighing positions with a net, many at once: a small loop of its own, soon compiled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ludus.bots import net as nets
from ludus.bots import planning
from ludus.bots.planning import inputs_of, sample_room, sample_weights, worth
from ludus.core import contract
from ludus.core.binding import Program, Samples


def weigh(S: Any, n: int, B: Any, seats: int, net: Any, room: Any, out: Any) -> None:
    """out[k * seats + p]: the chance that the net gives seat p in position k."""
    for k in range(n):
        for p in range(seats):
            out[k * seats + p] = worth(S, k, B, p, net, room)


def _arguments(a: Samples) -> dict[str, tuple[Any, ...]]:
    return {"weigh": (a.positions, 0, a.box, 0, sample_weights(), sample_room(a), a.values)}


WEIGH = Program(
    name="weigh",
    entries=(weigh,),
    arguments=_arguments,
    sources=(Path(__file__), Path(planning.__file__), Path(nets.__file__)),
    stubs={contract.features: lambda title: inputs_of(title).features},
    checked=False,
)
