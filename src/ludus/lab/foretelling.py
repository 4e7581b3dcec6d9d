"""Games between rungs for a calibration: what the judge of the analysis foretold, and what came of it.

Games are what takes the time.  So they are kept as lines of JSON, raw: what every seat's estimate was before
anything is calibrated, and what became of the seat.  A run that was stopped goes on where it was, and another
way to read the estimates needs no new games.  A line holds one game and is written when that is over.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from ludus import titles as registry
from ludus.analysis import calibration
from ludus.analysis.depth import DEPTHS, USUAL
from ludus.analysis.evaluation import judge_for
from ludus.analysis.judges import Bound, Judge, Judged, make_judge, number, result_of
from ludus.analysis.walk import CHOICE, Ply, Stretch, Walk
from ludus.bots import Chair, make_bot
from ludus.core.chance import below, seed_rng
from ludus.core.compilation import has_numba
from ludus.core.errors import FormatError, LudusError
from ludus.core.game import Game

from .workers import spread

A_GAME = 24  # decisions of a game that are kept: more would say the same again
OPENING = 2  # actions by lot at the beginning of a game in which nothing else is
MEASURED = 300  # decisions of a rung whose cost is measured, about
DECIDED = 0.02  # what lies nearer to 0 or 1 is no estimate
LATER = 4  # decisions of the same seat after which one looks what became of a plan
FORMAT = 1

FORETOLD, COSTS, BECAME = "foretold", "costs", "became"  # what is wanted of a game


@dataclass(frozen=True)
class Sampling:
    """What is played."""

    title: str
    seats: int
    options: tuple[tuple[str, Any], ...]

    @property
    def name(self) -> str:
        """Which calibration it is for."""
        title = registry.title(self.title)
        return calibration.calibration_name(title, title.box_for(self.seats, **dict(self.options)))

    def judge(self) -> Judge:
        form: Any = self.new_game(0).form
        return judge_for(form, DEPTHS[USUAL])

    def new_game(self, seed: int) -> Game[Any, Any]:
        form = "compiled" if has_numba() else "plain"
        title = registry.title(self.title)
        return title.new(seed=seed, seats=self.seats, form=form, **dict(self.options))

    def head(self) -> dict[str, Any]:
        """What the lines of a file depend on."""
        title = registry.title(self.title)
        facts = {"foretold": FORMAT, "title": title.name, "rules": title.version, "seats": self.seats}
        return {**facts, "options": dict(self.options), "judge": self.judge().digest, "a_game": A_GAME}


class Encounter(NamedTuple):
    """A game: who plays, with which dice, and what is wanted of it."""

    bots: tuple[str, ...]
    seed: int
    wanted: str = FORETOLD
    most: int = MEASURED  # of all but `FORETOLD`: how many decisions are measured
    read: str = ""  # and how estimates are read then

    @property
    def key(self) -> str:
        if self.wanted == FORETOLD:
            return f"{','.join(self.bots)} {self.seed}"
        return f"{','.join(self.bots)} {self.seed} {self.wanted} {self.most} {self.read}"


class Became(NamedTuple):
    """A plan that was played: the seat's chance before, by how much the plan was said to be better than the
    mean of all, that mean, and the chance of the seat some of its decisions later."""

    now: float
    gap: float
    mean: float
    later: float


class Said(NamedTuple):
    """A decision: who made it, the estimates of all seats with each luck, and what each had in the end."""

    seat: int
    estimates: list[list[float]]
    came: list[float]


def pairs_of(bots: Sequence[str]) -> list[tuple[str, str]]:
    """Each rung against itself and against the one below."""
    return [*((name, name) for name in bots), *((upper, lower) for lower, upper in pairwise(bots))]


def jobs_of(setting: Sampling, bots: Sequence[str], games: int, seed: int) -> list[Encounter]:
    """Games of all pairs, seats in turn, the pairs mixed: half of them are as good as the other half."""
    made = []
    for k in range(games):
        for upper, lower in pairs_of(bots):
            table = [upper, *[lower] * (setting.seats - 1)]
            turned = table[k % setting.seats :] + table[: k % setting.seats]
            again = k if upper == lower else k // setting.seats  # equals need no other seats
            made.append(Encounter(tuple(turned), seed * 1_000_003 + again))
    return made


def jobs_of_rung(
    setting: Sampling, name: str, games: int, seed: int, decisions: int = MEASURED, wanted: str = COSTS
) -> list[Encounter]:
    """Games of a rung against itself, some decisions of each to be measured."""
    most, known = max(1, decisions // games), setting.judge().known
    read = f"{known.slope} {known.shifts} {known.lapse}{f' {known.trust}' if wanted == COSTS else ''}"
    bots, first = (name,) * setting.seats, seed * 1_000_003 + 500_000
    return [Encounter(bots, first + k, wanted, most, read) for k in range(games)]


# -- a game -------------------------------------------------------------------------------------------------


def play_one(setting: Sampling, job: Encounter) -> list[Any]:
    """One game, and what is wanted of it, as JSON."""
    title = registry.title(setting.title)
    game = setting.new_game(job.seed)
    if not title.has_chance:
        _open_by_lot(game, job.seed)
    opened = len(game.line)
    players = [make_bot(name, title) for name in job.bots]
    memories: list[dict[str, Any]] = [{} for _ in job.bots]
    while not game.over:
        seat = game.to_move
        chair = Chair(game, seat, job.seed * 8 + seat, players[seat].budget, memories[seat])
        game.apply(players[seat].choose(chair).code)
    form: Any = game.form
    judge = judge_for(form, DEPTHS[USUAL])
    plies = [Ply(k + 1, played.seat, played.code) for k, played in enumerate(game.line)]
    walk = Walk(title, form, game.start(), plies, 0)
    steps = [step for step in walk.steps if step.kind == CHOICE]
    if job.wanted != FORETOLD:
        measure = _costs if job.wanted == COSTS else _became
        return measure(judge, walk, [step for step in steps if step.first >= opened], job)
    return _foretold(judge, form, walk, steps, job)


def _open_by_lot(game: Game[Any, Any], seed: int) -> None:
    """Bots that draw no lots would play one and the same game, however often; so its beginning is drawn."""
    rng = [0, 0, 0, 0]
    seed_rng(rng, seed, 8)
    while not game.over and len(game.line) < OPENING:
        codes = game.legal_codes()
        game.apply(codes[below(rng, len(codes))])


def _foretold(judge: Judge, form: Bound, walk: Walk, steps: list[Stretch], job: Encounter) -> list[Any]:
    came = result_of(form, walk.position(len(walk.plies)))
    rng = [0, 0, 0, 0]
    seed_rng(rng, job.seed, 9)
    for k in range(min(A_GAME, len(steps))):  # draw some of them
        j = k + below(rng, len(steps) - k)
        steps[k], steps[j] = steps[j], steps[k]
    found: list[Any] = []
    for k, step in enumerate(steps[:A_GAME]):
        rows = judge.estimates(walk.position(step.first), number(job.seed, k), step.mid_turn)
        found.append(Said(step.seat, [[round(x, 6) for x in row] for row in rows], came))
    return found


def _costs(judge: Judge, walk: Walk, steps: list[Stretch], job: Encounter) -> list[Any]:
    """What some decisions cost, in points of a hundred, spread evenly over the game."""
    return [round(100 * _judged(judge, walk, step, job).outcome.cost, 4) for step in _some(steps, job.most)]


def _became(judge: Judge, walk: Walk, steps: list[Stretch], job: Encounter) -> list[Any]:
    """What was said of some plans, as if all of it came true, and what did; plans after which the game was
    over say nothing of that."""
    fully = make_judge(walk.title, walk.form, DEPTHS[USUAL], trust=1.0)
    own = {
        p: [step for step in steps if step.seat == p and not step.mid_turn] for p in range(walk.form.seats)
    }
    came = result_of(walk.form, walk.position(len(walk.plies)))
    found: list[Any] = []
    for step in _some([step for step in steps if not step.mid_turn], job.most):
        judged = _judged(fully, walk, step, job)
        chances = [x for x in judged.outcome.chances if DECIDED < x < 1 - DECIDED]
        chance, mine = judged.outcome.chances[judged.played], own[step.seat]
        if chance not in chances:
            continue
        after = mine[mine.index(step) + 1 :][LATER - 1 : LATER]
        later = _now(judge, walk, after[0], job) if after else came[step.seat]
        now, mean = _now(judge, walk, step, job), fmean(chances)
        found.append(Became(*(round(x, 6) for x in (now, chance - mean, mean, later))))
    return found


def _some(steps: list[Stretch], most: int) -> list[Stretch]:
    """So many, spread evenly over the game."""
    count = min(most, len(steps))
    return [steps[k * len(steps) // count] for k in range(count)]


def _now(judge: Judge, walk: Walk, step: Stretch, job: Encounter) -> float:
    """The chance of who decides, before that."""
    return judge.chances([walk.position(step.first)], number(job.seed), step.mid_turn)[0][step.seat]


def _judged(judge: Judge, walk: Walk, step: Stretch, job: Encounter) -> Judged:
    seed, now = number(job.seed, step.first), _now(judge, walk, step, job)
    return judge.choices(walk.position(step.first), step.seat, step.plan, seed, now)


# -- many of them, and what is kept of them -----------------------------------------------------------------


def play_all(
    setting: Sampling,
    jobs: Sequence[Encounter],
    cores: int,
    progress: Callable[[int], None],
    kept: Path | None,
) -> list[list[Any]]:
    """What is wanted of all games, on some cores, in the order of the jobs; games that lie in the file `kept`
    are not played again, and others are written there as they end."""
    found = read_kept(setting, kept) if kept is not None else {}
    progress(sum(job.key in found for job in jobs))
    left = [job for job in jobs if job.key not in found]
    if left:
        played = spread(partial(play_one, setting), left, cores)
        try:
            with _opened(setting, kept) as file:
                for job, rows in played:
                    found[job.key] = rows
                    if file is not None:
                        file.write(json.dumps({"game": job.key, "rows": rows}) + "\n")
                        file.flush()
                    progress(1)
        except OSError as error:
            raise LudusError(f"{kept}: {error.strerror}") from None
    return [found[job.key] for job in jobs]


def read_kept(setting: Sampling, path: Path) -> dict[str, list[Any]]:
    """The games of a file by their keys; a line that was cut off is left out."""
    try:
        head, *lines = path.read_text(encoding="utf-8").splitlines() or [""]
    except OSError:
        return {}
    try:
        same = json.loads(head) == setting.head()
    except ValueError:
        same = False
    if not same:
        raise FormatError(
            "these games were played or judged otherwise than they would be now: name another file",
            source=str(path),
        )
    found: dict[str, list[Any]] = {}
    for line in lines:
        try:
            one = json.loads(line)
        except ValueError:
            continue
        found[one["game"]] = one["rows"]
    return found


class _Nowhere:
    """Nothing is kept."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        return None


def _opened(setting: Sampling, path: Path | None) -> Any:
    if path is None:
        return _Nowhere()
    path.parent.mkdir(parents=True, exist_ok=True)
    new = not path.exists()
    file = path.open("a", encoding="utf-8")
    if new:
        file.write(json.dumps(setting.head()) + "\n")
    else:
        file.write("\n" if not path.read_text(encoding="utf-8").endswith("\n") else "")
    return file
