"""How many steps a second games make that are stepped from outside, ours and other people's.

A step is a call from Python that plays one action in each of many games and gives what the next to move
may know, and which actions are legal.  The choice between them is drawn outside the time.  Other games are
other work: the figures compare orders of magnitude.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np

from ludus.core.title import Title
from ludus.core.vector import Vector

from .figures import machine, markdown_table, ratio, short
from .peers import Peer, Sample

GAMES = 4096
WARM = 20  # steps before the first one that is timed: what compiles at the first call has done so


@dataclass(frozen=True)
class VectorFigures:
    """What was measured of one title; rates are steps a second of all games together."""

    title: str
    games: int
    threads: int
    numbers: int  # of an observation
    codes: int  # of a mask
    steps_per_second: float
    with_tensor: float  # the same when every step is told as real numbers, too


def measure(title: Title[Any, Any], seconds: float, games: int = GAMES) -> VectorFigures:
    """Random play of many games for about so many seconds."""
    seats, options = _setting(title)
    vector = title.vector(games, seed=1, seats=seats, form="compiled", **options)
    rate = _rate(vector, seconds, lambda: None)
    out = vector.tensor()
    slower = _rate(vector, seconds, lambda: vector.tensor(out))
    vector.close()
    return VectorFigures(
        title.name, games, vector.threads, vector.observer.size, vector.size, rate.rate, slower.rate
    )


def _setting(title: Title[Any, Any]) -> tuple[int | None, dict[str, Any]]:
    options = dict(title.bench)
    return options.pop("seats", None), options


def _rate(vector: Vector[Any, Any], seconds: float, more: Callable[[], object]) -> Sample:
    chooser = np.random.default_rng(1)
    now = vector.start()

    def step() -> float:
        nonlocal now
        codes = random_legal(now.mask, chooser)
        start = perf_counter()
        now = vector.step(codes)
        more()
        return perf_counter() - start

    return _timed(step, vector.n, seconds)


def _timed(step: Callable[[], float], games: int, seconds: float) -> Sample:
    """Steps for about so many seconds, each of which says how long it took; the first ones only warm up."""
    for _ in range(WARM):
        step()
    spent, done, begun = 0.0, 0, perf_counter()
    while not done or perf_counter() - begun < seconds:
        spent += step()
        done += 1
    return Sample(done * games, spent)


def random_legal(mask: Any, chooser: np.random.Generator) -> Any:
    """One legal code a row, all equally likely."""
    wanted = (chooser.random(len(mask)) * mask.sum(axis=1)).astype(np.int64)
    return (np.cumsum(mask, axis=1, dtype=np.int32) > wanted[:, None]).argmax(axis=1)


# -- other people's -----------------------------------------------------------------------------------------


def pgx_steps(name: str, seconds: float) -> Sample:
    """`vmap` of its step over as many games as ours, compiled by JAX for this processor."""
    import jax
    import jax.numpy as jnp
    import pgx

    env: Any = pgx.make(name)
    step, begin = jax.jit(jax.vmap(env.step)), jax.jit(jax.vmap(env.init))

    def choose(key: Any, mask: Any) -> Any:
        return jax.random.categorical(key, jnp.where(mask, 0.0, -1e9), axis=1)

    choose = jax.jit(choose)
    key = jax.random.PRNGKey(1)
    state = begin(jax.random.split(key, GAMES))

    def one() -> float:
        nonlocal key, state
        key, first, second = jax.random.split(key, 3)
        codes, keys = choose(first, state.legal_action_mask), jax.random.split(second, GAMES)
        jax.block_until_ready((codes, keys))
        start = perf_counter()
        state = step(state, codes, keys)
        jax.block_until_ready(state.observation)
        return perf_counter() - start

    return _timed(one, GAMES, seconds)


def spiel_steps(name: str, seconds: float) -> Sample:
    """Its vector environment: games one after the other, in Python over C++."""
    from open_spiel.python import rl_environment
    from open_spiel.python.rl_agent import StepOutput
    from open_spiel.python.vector_env import SyncVectorEnv

    games = 64  # more only take longer: they are stepped one by one
    env: Any = SyncVectorEnv([rl_environment.Environment(name) for _ in range(games)])
    chooser = random.Random(1)
    steps, spent, count, begun = env.reset(), 0.0, 0, perf_counter()
    while perf_counter() - begun < seconds:
        codes = []
        for step in steps:
            player = step.observations["current_player"]
            codes.append(StepOutput(chooser.choice(step.observations["legal_actions"][player]), None))
        start = perf_counter()
        steps, *_ = env.step(codes, reset_if_done=True)
        spent += perf_counter() - start
        count += games
    return Sample(count, spent)


def pettingzoo_steps(name: str, seconds: float) -> Sample:
    """One environment (AEC), as its users step it: `step`, then `last`."""
    from importlib import import_module

    env: Any = import_module(f"pettingzoo.classic.{name}").env()
    chooser = np.random.default_rng(1)
    spent, count, begun = 0.0, 0, perf_counter()
    while perf_counter() - begun < seconds:
        env.reset(seed=count)
        observation, _, ended, cut, _ = env.last()
        while not (ended or cut):
            code = int(chooser.choice(np.flatnonzero(observation["action_mask"])))
            start = perf_counter()
            env.step(code)
            observation, _, ended, cut, _ = env.last()
            spent += perf_counter() - start
            count += 1
    return Sample(count, spent)


def all_peers() -> list[Peer]:
    """Everybody that `ludus bench vector --peers` knows, installed or not."""
    jitted = f"{GAMES} games in one compiled step on all cores"
    peers = [
        Peer(f"pgx {name}", "pgx", "pgx", jitted, partial(partial, pgx_steps, name))
        for name in ("backgammon", "chess", "tic_tac_toe")
    ]
    peers.append(
        Peer(
            "open_spiel backgammon", "pyspiel", "open_spiel", "SyncVectorEnv of 64 games, one core",
            partial(partial, spiel_steps, "backgammon"),
        )
    )  # fmt: skip
    peers += [
        Peer(f"pettingzoo {name}", "pettingzoo", "pettingzoo", "one game, one core",
             partial(partial, pettingzoo_steps, name))
        for name in ("connect_four_v3", "chess_v6")
    ]  # fmt: skip
    return peers


@dataclass(frozen=True)
class PeerSteps:
    """What was measured of somebody else's games, or why not."""

    name: str
    how: str
    missing: str
    steps_per_second: float | None


def measure_peer(peer: Peer, seconds: float) -> PeerSteps:
    """A peer that is not installed or fails in its own way is told as such."""
    if reason := peer.missing():
        return PeerSteps(peer.name, peer.how(), reason, None)
    try:
        return PeerSteps(peer.name, peer.how(), "", peer.make()(seconds).rate)
    except Exception as error:  # foreign code fails in its own ways
        return PeerSteps(peer.name, peer.how(), f"failed: {error!r:.80}", None)


# -- tables -----------------------------------------------------------------------------------------------


def title_rows(found: Sequence[VectorFigures]) -> list[list[str]]:
    rows = [["title", "steps/s", "with tensors", "numbers", "codes"]]
    for f in found:
        rates = [short(f.steps_per_second), short(f.with_tensor)]
        rows.append([f.title, *rates, str(f.numbers), str(f.codes)])
    return rows


def peer_rows(peers: Sequence[PeerSteps], found: Sequence[VectorFigures]) -> list[list[str]]:
    """Ours / theirs for each title."""
    rows = [["peer", "steps/s", *(f.title for f in found)]]
    for p in peers:
        rates = [ratio(f.steps_per_second / p.steps_per_second) if p.steps_per_second else "" for f in found]
        rows.append([p.name, p.missing or short(p.steps_per_second), *rates])
    return rows


def markdown(found: Sequence[VectorFigures], peers: Sequence[PeerSteps], command: str) -> str:
    """Tables, notes, command and machine, as they stand in the docs."""
    parts = [markdown_table(title_rows(found))]
    if peers:
        notes = "\n".join(f"- {p.name}: {p.how}." for p in peers)
        parts += [markdown_table(peer_rows(peers, found)), f"N×: our steps/s by theirs.\n\n{notes}"]
    parts.append(f"By `{command}`, {found[0].games} games on {machine(found[0].threads)}.")
    return "\n\n".join(parts)
