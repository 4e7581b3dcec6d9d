"""The arena: bots against each other, with paired seeds and swapped seats.

Every seed is played once in each rotation of the seats, so that each bot has had each seat with the same
chance.  Results are kept a line a seed, so that a run can be taken up where it was left.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from traceback import extract_tb
from typing import TYPE_CHECKING, Any

from ludus import titles as registry
from ludus.bots import Bot, Chair, make_bot
from ludus.core import compilation
from ludus.core.binding import Program
from ludus.core.contract import DRAW, WIN
from ludus.core.engine import ENGINE
from ludus.core.errors import FormatError, LudusError
from ludus.core.game import Game
from ludus.core.own import sha256
from ludus.core.title import Title

from . import scoring
from .scoring import Estimate, Sequential, Watch
from .workers import spread

if TYPE_CHECKING:
    from .cluster import Cluster

FORMAT = 1
Note = Callable[[Game[Any, Any], Chair, int], None]  # told of every choice, before it is played


@dataclass(frozen=True)
class Plan:
    """What is played: the bots sit in this order in the first game of each seed."""

    title: str
    bots: tuple[str, ...]
    games: int
    seed: int
    options: Mapping[str, Any]
    data: str = ""  # the text of own data
    budget: float | None = None  # seconds a decision; None: what each bot is used to

    @property
    def seats(self) -> int:
        return len(self.bots)

    @property
    def rounds(self) -> int:
        """How many seeds are needed: each is played once in every rotation."""
        return -(-self.games // self.seats)

    def seed_of(self, number: int) -> int:
        """The seed itself, by its number."""
        return self.seed * 1_000_003 + number

    def seated(self, rotation: int) -> tuple[str, ...]:
        """Who sits where in a rotation."""
        return self.bots[rotation:] + self.bots[:rotation]

    @property
    def fair(self) -> float:
        """The share of wins of one seat among equals."""
        return 1 / self.seats

    @property
    def challenger(self) -> str:
        """The one bot that plays against copies of another; "" where there is none, or several."""
        others = {name: {*self.bots} - {name} for name in self.bots if self.bots.count(name) == 1}
        return next((name for name, rest in others.items() if len(rest) == 1), "")


@dataclass(frozen=True)
class PlayedGame:
    """One game: which bot sat where, what came out, how long it was, and how long each bot thought."""

    bots: tuple[str, ...]
    returns: tuple[int, ...]
    length: int
    moves: tuple[int, ...]
    seconds: tuple[float, ...]  # by the clock on the wall
    cpu: tuple[float | None, ...]  # of the bot's own work; None where nobody can know
    turns: int | None  # or rounds, where the title counts any

    def credit(self, bot: str) -> float:
        """What the seats of a bot have of the game together."""
        credits = scoring.credits_of(self.returns)
        return sum(credits[p] for p, name in enumerate(self.bots) if name == bot)


def make_plan(
    title: str,
    bots: list[str],
    games: int,
    seed: int,
    options: Mapping[str, Any],
    data: str = "",
    budget: float | None = None,
) -> Plan:
    """Check what somebody asked for; one bot plays itself, a few are repeated to fill the seats."""
    found = registry.title(title)
    seats = max(min(found.seats), len(bots))
    filled = tuple(bots[p % len(bots)] for p in range(seats))
    wanted = {**found.simulation, **options}
    typed = found.read_setting(seats, wanted)[1]  # what is typed in is text; a file holds what it means
    options = {name: typed[name] for name in wanted}
    found.box_for(seats, data, **options)
    for name in filled:
        make_bot(name, found)
    if games < 1:
        raise FormatError(f"at least one game must be played, not {games}")
    if budget is not None and budget <= 0:
        raise FormatError(f"a bot needs some time to think: --budget {budget:g} is none")
    return Plan(title, filled, games, seed, options, data, budget)


def play_seed(plan: Plan, number: int) -> list[PlayedGame]:
    """All rotations of one seed."""
    title = registry.title(plan.title)
    bots = {name: make_bot(name, title) for name in plan.bots}
    rotations = range(min(plan.seats, plan.games - number * plan.seats))
    try:
        return [play_game(title, plan, bots, plan.seated(r), plan.seed_of(number)) for r in rotations]
    finally:
        for bot in bots.values():
            bot.close()


def play_game(
    title: Title[Any, Any],
    plan: Plan,
    bots: Mapping[str, Bot],
    names: tuple[str, ...],
    seed: int,
    note: Note = lambda game, chair, code: None,
) -> PlayedGame:
    _, options = title.read_setting(plan.seats, plan.options)
    game = title.new(seed=seed, seats=plan.seats, form=_form(), data=plan.data, **plan.options)
    for program in _programs(bots.values()):
        game.form.bind(program)  # before the first decision, which is not to blame for it
    moves, spent = [0] * plan.seats, [_Spent() for _ in names]
    memories: list[dict[str, Any]] = [{} for _ in names]
    while not game.over:
        seat = game.to_move
        bot = bots[names[seat]]
        budget = bot.budget if plan.budget is None else plan.budget
        chair = Chair(game, seat, seed * 8 + seat, budget, memories[seat], options=options)
        with spent[seat].counted(bot):
            code = _choice(bot, names[seat], chair)
        _require_legal(code, names[seat], chair)
        moves[seat] += 1
        note(game, chair, code)
        game.apply(code)
    assert game.outcome is not None
    return PlayedGame(
        names,
        game.outcome.returns,
        len(game.line),
        tuple(moves),
        tuple(round(s.seconds, 6) for s in spent),
        tuple(None if s.cpu is None else round(s.cpu, 6) for s in spent),
        _turns(game),
    )


class _Spent:
    """How long the bot on one seat has thought."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.cpu: float | None = 0.0

    @contextmanager
    def counted(self, bot: Bot) -> Iterator[None]:
        begun, before = perf_counter(), bot.cpu_seconds()
        yield
        self.seconds += perf_counter() - begun
        after = bot.cpu_seconds()
        if self.cpu is None or before is None or after is None:
            self.cpu = None
        else:
            self.cpu += after - before


def _form() -> str:
    return "compiled" if compilation.has_numba() else "plain"


def _programs(bots: Iterable[Bot]) -> list[Program]:
    return list({program.name: program for bot in bots for program in bot.programs}.values())


def _turns(game: Game[Any, Any]) -> int | None:
    """How many turns or rounds the position counts, by the name of a field that does not hold a seat."""
    fields = {f.name: f for f in game.title.position.fields if not f.shape and f.holds != "seat"}
    name = next((name for name in ("turns", "turn", "round") if name in fields), None)
    return None if name is None else int(getattr(game.position, name))


def _choice(bot: Bot, name: str, chair: Chair) -> int:
    """What a bot plays; LudusError says which bot failed, and where."""
    try:
        return bot.choose(chair).code
    except LudusError as error:  # it knows itself what to say
        raise LudusError(f"the bot {name} failed: {error}") from error
    except Exception as error:  # a bot of somebody's own may do anything
        frame = extract_tb(error.__traceback__)[-1]
        where = f"{Path(frame.filename).name}, line {frame.lineno}"
        told = f"{type(error).__name__}: {error}".rstrip(": ")
        raise LudusError(f"the bot {name} failed: {told} ({where})") from error


def _require_legal(code: int, name: str, chair: Chair) -> None:
    if code not in (action.code for action in chair.legal()):
        raise LudusError(
            f"the bot {name} chose action {code}, which is not legal; it must be of chair.legal()"
        )


# -- all cores, resumable -----------------------------------------------------------------------------


def run(
    plan: Plan,
    out: Path | None = None,
    progress: Callable[[int], None] = lambda games: None,
    workers: int | None = None,
    test: Sequential | None = None,
    cluster: Cluster | None = None,
) -> list[PlayedGame]:
    """Play a plan on all cores, or on a cluster.  With `out`, finished seeds are kept there and not played
    again.

    With `test`, no more games are played, and none later than that are counted, once it is decided.
    """
    done = _read(plan, out) if out is not None and out.exists() else {}
    progress(sum(len(games) for games in done.values()))
    watch = watching(plan, test) if test is not None else None
    enough = watch is not None and _look(plan, watch, done)
    left = [n for n in range(plan.rounds) if n not in done] if not enough else []
    with _keeper(plan, out) as keep:
        for number, games in _play_all(plan, left, workers or os.cpu_count() or 1, cluster):
            done[number] = games
            keep(number, games)
            progress(len(games))
            if watch is not None and _look(plan, watch, done):
                break
    counted = watch.seeds if watch is not None and watch.verdict else plan.rounds
    return [game for number in sorted(done) if number < counted for game in done[number]]


def watching(plan: Plan, test: Sequential) -> Watch:
    """Who looks at the seeds of a plan for a sequential test."""
    if not plan.challenger:
        raise FormatError("--sprt compares two bots: one against another, or against copies of another")
    return Watch(test, plan.fair)


def _look(plan: Plan, watch: Watch, done: Mapping[int, list[PlayedGame]]) -> bool:
    """Whether the test is decided by the seeds up to the first that is not finished in all rotations."""
    while not watch.verdict and len(done.get(watch.seeds, ())) == plan.seats:
        watch.add([game.credit(plan.challenger) for game in done[watch.seeds]])
    return bool(watch.verdict)


def _play_all(
    plan: Plan, numbers: list[int], workers: int, cluster: Cluster | None
) -> Iterator[tuple[int, list[PlayedGame]]]:
    """Seeds in whatever order they finish."""
    if cluster is not None:
        cluster.prepare(plan.title, partial(compile_for, plan.title, plan.bots))
        return cluster.spread(partial(play_seed, plan), numbers)
    if workers > 1 and len(numbers) > 1:
        compile_for(plan.title, plan.bots)
    return spread(partial(play_seed, plan), numbers, workers)


def compile_for(name: str, bots: Iterable[str]) -> None:
    """What is not compiled yet is compiled once, before the workers start."""
    title = registry.title(name)
    for program in (ENGINE, *_programs(make_bot(bot, title) for bot in dict.fromkeys(bots))):
        if compilation.has_numba() and not compilation.is_ready(title, program):
            compilation.bind_compiled(title, program)


def _head(plan: Plan) -> dict[str, Any]:
    version = registry.title(plan.title).version
    facts = {"title": plan.title, "rules": version, "bots": list(plan.bots), "seed": plan.seed}
    own = {"data": sha256(plan.data)} if plan.data else {}
    time = {"budget": plan.budget} if plan.budget is not None else {}
    return {"arena": FORMAT, **facts, "options": dict(plan.options), **own, **time}


def _game(facts: dict[str, Any]) -> PlayedGame:
    lists = (tuple(facts[key]) for key in ("bots", "returns", "moves", "seconds"))
    bots, returns, moves, seconds = lists
    cpu = tuple(facts.get("cpu") or [None] * len(bots))  # files of the first release have neither of these
    return PlayedGame(bots, returns, int(facts["length"]), moves, seconds, cpu, facts.get("turns"))


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


def report(plan: Plan, games: Sequence[PlayedGame], test: Sequential | None = None) -> dict[str, Any]:
    """The JSON of `ludus arena`.

    Win rates are of a seat of that bot, and a draw is no win; scores are of all seats of it together, a draw
    shared.  Times are of a decision.
    """
    found = {name: _bot_report(plan, games, name) for name in dict.fromkeys(plan.bots)}
    return {
        "title": plan.title,
        "games": len(games),
        "seed": plan.seed,
        "budget": plan.budget,
        "bots": found,
        "elo": _elo_report(plan, games),
        "sprt": _sprt_report(plan, games, test) if test is not None else None,
        "mean_length": round(sum(g.length for g in games) / max(1, len(games)), 1),
        "length": _spread([g.length for g in games]),
        "turns": _spread([g.turns for g in games if g.turns is not None]),
    }


def score(plan: Plan, games: Sequence[PlayedGame], bot: str) -> Estimate:
    """The share of a bot in the games, all its seats together."""
    return scoring.share_of([[g.credit(bot) for g in seed] for seed in _by_seed(plan, games)])


def _by_seed(plan: Plan, games: Sequence[PlayedGame]) -> list[Sequence[PlayedGame]]:
    return [games[k : k + plan.seats] for k in range(0, len(games), plan.seats)]


def _bot_report(plan: Plan, games: Sequence[PlayedGame], name: str) -> dict[str, Any]:
    seats = [(g, p) for g in games for p in range(plan.seats) if g.bots[p] == name]
    wins = sum(g.returns[p] == WIN for g, p in seats)
    low, high = scoring.wilson(wins, len(seats))
    moves = sum(g.moves[p] for g, p in seats)
    cpu = [g.cpu[p] for g, p in seats]
    known = [seconds for seconds in cpu if seconds is not None]
    return {
        "win_rate": round(wins / max(1, len(seats)), 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "draws": round(sum(g.returns[p] == DRAW for g, p in seats) / max(1, len(seats)), 4),
        **_rounded("score", score(plan, games, name), 4),
        "fair": round(plan.bots.count(name) * plan.fair, 4),
        "ms_per_move": round(1000 * sum(g.seconds[p] for g, p in seats) / max(1, moves), 3),
        "cpu_ms_per_move": round(1000 * sum(known) / max(1, moves), 3) if len(known) == len(cpu) else None,
    }


def _elo_report(plan: Plan, games: Sequence[PlayedGame]) -> dict[str, Any] | None:
    bot = plan.challenger
    if not bot:
        return None
    other = next(name for name in plan.bots if name != bot)
    found = scoring.elo_between(score(plan, games, bot), plan.fair)
    return {"bot": bot, "over": other, **_rounded("elo", found, 1)}


def _sprt_report(plan: Plan, games: Sequence[PlayedGame], test: Sequential) -> dict[str, Any]:
    watch = watching(plan, test)
    _look(plan, watch, dict(enumerate(list(seed) for seed in _by_seed(plan, games))))
    facts = {"elo0": test.elo0, "elo1": test.elo1, "seeds": watch.seeds}
    return {**facts, "llr": round(watch.ratio, 3), "verdict": watch.verdict or None}


def _rounded(name: str, found: Estimate, places: int) -> dict[str, float | None]:
    values = (None if end is None else round(end, places) for end in found)
    return dict(zip((name, f"{name}_low", f"{name}_high"), values, strict=True))


def _spread(numbers: Sequence[int]) -> dict[str, float] | None:
    """The median and the worst; None where nothing was counted."""
    return {"median": median(numbers), "worst": max(numbers)} if numbers else None
