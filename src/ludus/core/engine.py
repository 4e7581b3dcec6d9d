"""The engine: the loops of core as a program, with a policy for playouts."""

from __future__ import annotations

import inspect
from pathlib import Path
from types import FunctionType
from typing import Any

from . import contract, loops
from .binding import Program, Samples, fingerprint


def _arguments(a: Samples) -> dict[str, tuple[Any, ...]]:
    S, B, out, rng, tally = a.positions, a.box, a.ints, a.words, a.words
    small = a.flags[0]
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
        "playouts": (S, S, 0, 0, B, out, out, rng, 0, 0, tally, a.table, out, a.values),
        "copies": (S, S, 0),
        "advance": (
            S,
            S,
            0,
            0,
            B,
            out,
            out,
            out,
            a.generators,
            0,
            0,
            rng,
            rng,
            small,
            a.table,
            small,
            a.flags,
        ),
    }


ENGINE = Program(
    name="engine",
    entries=loops.ENTRY,
    arguments=_arguments,
    sources=(Path(loops.__file__), Path(__file__)),
    stubs={contract.choose: lambda title: loops.uniform},
)


def with_policy(policy: FunctionType) -> Program:
    """The loop that plays games out, by a policy of five arguments or, with weights, of six.

    Its machine code is kept under the fingerprint of the policy, like that of the rules under theirs.
    """
    if takes_weights(policy):
        stubs: dict[Any, Any] = {contract.choose: lambda title: policy}
    else:
        stubs = {
            contract.choose: lambda title: loops.unweighted,
            contract.choose_without: lambda title: policy,
        }
    return Program(
        name="policy",
        entries=(loops.playouts,),
        arguments=lambda a: {"playouts": _arguments(a)["playouts"]},
        sources=ENGINE.sources,
        stubs=stubs,
        facts=(fingerprint(policy),),
    )


def takes_weights(policy: FunctionType) -> bool:
    return policy.__code__.co_argcount == len(inspect.signature(contract.choose).parameters)
