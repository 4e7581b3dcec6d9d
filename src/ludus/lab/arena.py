"""The arena: bots against each other, with paired seeds and swapped seats.

Every seed is played once in each rotation of the seats, so that each bot has had each seat with the same
chance.  Results are kept a line a seed, so that a run can be taken up where it was left.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from math import sqrt
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter
from traceback import extract_tb
from typing import Any

from ludus import titles as registry
from ludus.bots import Bot, Chair, make_bot
from ludus.core import compilation
from ludus.core.contract import DRAW, WIN
from ludus.core.errors import FormatError, LudusError
from ludus.core.own import sha256
from ludus.core.title import Title

FORMAT = 1


@dataclass(frozen=True)
class Plan:
    """What is played: the bots sit in this order in the first game of each seed."""

    title: str
    bots: tuple[str, ...]
    games: int
    seed: int
    options: Mapping[str, Any]
    data: str = ""  # the text of own data

    @property
    def seats(self) -> int:
        return len(self.bots)

    @property
    def rounds(self) -> int:
        """How many seeds are needed: each is played once in every rotation."""
        return -(-self.games // self.seats)


@dataclass(frozen=True)
class PlayedGame:
    """One game: which bot sat where, what came out, and how long each bot thought."""

    bots: tuple[str, ...]
    returns: tuple[int, ...]
    length: int
    moves: tuple[int, ...]
    seconds: tuple[float, ...]


def make_plan(
    title: str, bots: list[str], games: int, seed: int, options: Mapping[str, Any], data: str = ""
) -> Plan:
    """Check what somebody asked for; one bot plays itself, a few are repeated to fill the seats."""
    found = registry.title(title)
    seats = max(min(found.seats), len(bots))
    filled = tuple(bots[p % len(bots)] for p in range(seats))
    found.box_for(seats, data, **options)
    for name in filled:
        make_bot(name, found)
    if games < 1:
        raise FormatError(f"at least one game must be played, not {games}")
    return Plan(title, filled, games, seed, options, data)


def play_seed(plan: Plan, number: int) -> list[PlayedGame]:
    """All rotations of one seed."""
    title = registry.title(plan.title)
    bots = {name: make_bot(name, title) for name in plan.bots}
    rotations = range(min(plan.seats, plan.games - number * plan.seats))
    return [
        _play(title, plan, bots, plan.bots[r:] + plan.bots[:r], plan.seed * 1_000_003 + number)
        for r in rotations
    ]


def _play(
    title: Title[Any, Any], plan: Plan, bots: Mapping[str, Bot], names: tuple[str, ...], seed: int
) -> PlayedGame:
    form = "compiled" if compilation.has_numba() else "plain"
    game = title.new(seed=seed, seats=plan.seats, form=form, data=plan.data, **plan.options)
    moves, seconds = [0] * plan.seats, [0.0] * plan.seats
    while not game.over:
        seat = game.to_move
        chair = Chair(game, seat, seed=seed * 8 + seat)
        begun = perf_counter()
        code = _choice(bots[names[seat]], names[seat], chair)
        seconds[seat] += perf_counter() - begun
        moves[seat] += 1
        game.apply(code)
    assert game.outcome is not None
    rounded = tuple(round(s, 6) for s in seconds)
    return PlayedGame(names, game.outcome.returns, len(game.line), tuple(moves), rounded)


def _choice(bot: Bot, name: str, chair: Chair) -> int:
    """What a bot plays; LudusError says which bot failed, and where."""
    try:
        code = bot.choose(chair).code
    except Exception as error:  # a bot of somebody's own may do anything
        frame = extract_tb(error.__traceback__)[-1]
        where = f"{Path(frame.filename).name}, line {frame.lineno}"
        told = f"{type(error).__name__}: {error}".rstrip(": ")
        raise LudusError(f"the bot {name} failed: {told} ({where})") from error
    if code not in (action.code for action in chair.legal()):
        raise LudusError(
            f"the bot {name} chose action {code}, which is not legal; it must be of chair.legal()"
        )
    return code


# -- all cores, resumable -----------------------------------------------------------------------------


def run(
    plan: Plan,
    out: Path | None = None,
    progress: Callable[[int], None] = lambda games: None,
    workers: int | None = None,
) -> list[PlayedGame]:
    """Play a plan on all cores.  With `out`, finished seeds are kept there and not played again."""
    done = _read(plan, out) if out is not None and out.exists() else {}
    progress(sum(len(games) for games in done.values()))
    left = [n for n in range(plan.rounds) if n not in done]
    with _keeper(plan, out) as keep:
        for number, games in _play_all(plan, left, workers or os.cpu_count() or 1):
            done[number] = games
            keep(number, games)
            progress(len(games))
    return [game for number in sorted(done) for game in done[number]]


def _play_all(plan: Plan, numbers: list[int], workers: int) -> Iterator[tuple[int, list[PlayedGame]]]:
    """Seeds in whatever order they finish; at most a few wait, so that Ctrl-C is heard at once."""
    if workers == 1 or len(numbers) == 1:
        yield from ((n, play_seed(plan, n)) for n in numbers)
        return
    waiting = iter(numbers)
    running: dict[Future[list[PlayedGame]], int] = {}
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
    try:
        while True:
            while len(running) < 2 * workers and (n := next(waiting, None)) is not None:
                running[pool.submit(play_seed, plan, n)] = n
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _head(plan: Plan) -> dict[str, Any]:
    version = registry.title(plan.title).version
    facts = {"title": plan.title, "rules": version, "bots": list(plan.bots), "seed": plan.seed}
    own = {"data": sha256(plan.data)} if plan.data else {}
    return {"arena": FORMAT, **facts, "options": dict(plan.options), **own}


def _game(facts: dict[str, Any]) -> PlayedGame:
    lists = (tuple(facts[key]) for key in ("bots", "returns", "moves", "seconds"))
    bots, returns, moves, seconds = lists
    return PlayedGame(bots, returns, int(facts["length"]), moves, seconds)


def _read(plan: Plan, path: Path) -> dict[int, list[PlayedGame]]:
    """What an earlier run has finished; a half-written last line is ignored."""
    lines = path.read_text(encoding="utf-8").splitlines()
    done: dict[int, list[PlayedGame]] = {}
    try:
        head = json.loads(lines[0]) if lines else None
    except ValueError:
        head = None
    if head != _head(plan):
        raise FormatError("this file holds another tournament; choose another name", source=str(path))
    for line in lines[1:]:
        try:
            row = json.loads(line)
            games = [_game(facts) for facts in row["games"]]
        except (ValueError, KeyError, TypeError):
            continue
        if row["seed"] < plan.rounds and len(games) == min(plan.seats, plan.games - row["seed"] * plan.seats):
            done[row["seed"]] = games
    return done


@contextmanager
def _keeper(plan: Plan, path: Path | None) -> Iterator[Callable[[int, list[PlayedGame]], None]]:
    """Appends finished seeds to a file, a line each."""
    if path is None:
        yield lambda number, games: None
        return
    try:
        begun = path.exists()
        file = path.open("a", encoding="utf-8")
    except OSError as error:
        raise LudusError(f"{path}: {error.strerror}") from None
    with file:
        if begun and not path.read_text(encoding="utf-8").endswith("\n"):
            file.write("\n")  # the last line was cut off
        if not begun:
            file.write(json.dumps(_head(plan)) + "\n")

        def keep(number: int, games: list[PlayedGame]) -> None:
            file.write(json.dumps({"seed": number, "games": [asdict(g) for g in games]}) + "\n")
            file.flush()

        yield keep


# -- what it says ---------------------------------------------------------------------------------------


def wilson(wins: float, games: int, z: float = 1.96) -> tuple[float, float]:
    """The 95 % interval of a share.

    >>> [round(x, 3) for x in wilson(90, 100)]
    [0.826, 0.945]
    """
    if games == 0:
        return 0.0, 1.0
    share, spread = wins / games, z * z / games
    centre = share + spread / 2
    margin = z * sqrt((share * (1 - share) + spread / 4) / games)
    return (centre - margin) / (1 + spread), (centre + margin) / (1 + spread)


def report(plan: Plan, games: list[PlayedGame]) -> dict[str, Any]:
    """The JSON of `ludus arena`.  Win rates are of a seat of that bot; a draw is no win."""
    bots: dict[str, Any] = {}
    for name in dict.fromkeys(plan.bots):
        seats = [(g, p) for g in games for p in range(plan.seats) if g.bots[p] == name]
        wins = sum(g.returns[p] == WIN for g, p in seats)
        low, high = wilson(wins, len(seats))
        moves = sum(g.moves[p] for g, p in seats)
        bots[name] = {
            "win_rate": round(wins / max(1, len(seats)), 4),
            "low": round(low, 4),
            "high": round(high, 4),
            "draws": round(sum(g.returns[p] == DRAW for g, p in seats) / max(1, len(seats)), 4),
            "ms_per_move": round(1000 * sum(g.seconds[p] for g, p in seats) / max(1, moves), 3),
        }
    length = sum(g.length for g in games) / max(1, len(games))
    facts = {"title": plan.title, "games": len(games), "seed": plan.seed}
    return {**facts, "bots": bots, "mean_length": round(length, 1)}
