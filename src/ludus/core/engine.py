"""The engine: the loops of core as a program, with a policy for playouts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from . import contract, loops
from .binding import Program, Samples


def _arguments(a: Samples) -> dict[str, tuple[Any, ...]]:
    S, B, out, rng, tally = a.positions, a.box, a.ints, a.words, a.words
    return {
        "new_at": (S, 0, B),
        "to_move_at": (S, 0, B),
        "legal_at": (S, 0, B, out),
        "odds_at": (S, 0, B, out, out),
        "apply_at": (S, 0, B, 0),
        "draw_at": (S, 0, B, out, out, 0),
        "step_at": (S, 0, B, 0),
        "seen_at": (S, 0, B, 0),
        "redeal_at": (S, 0, B, 0, rng),
        "returns_at": (S, 0, B, out),
        "check_at": (S, 0, B),
        "playouts": (S, S, 0, 0, B, out, out, rng, 0, 0, tally, a.table, out),
        "copies": (S, S, 0),
    }


def engine(choose: Any = loops.uniform) -> Program:
    """The engine with a policy.  The key of a cache folder knows no policies but our own."""
    return Program(
        name="engine",
        entries=loops.ENTRY,
        arguments=_arguments,
        sources=(Path(loops.__file__), Path(__file__)),
        stubs={contract.choose: lambda title: choose},
        cached=choose is loops.uniform,
    )


ENGINE = engine()
