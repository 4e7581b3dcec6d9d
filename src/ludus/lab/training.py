"""Teaching nets: rounds of self-play on all cores, checkpoints, a learning curve.

In a round every core plays games of its own with the same net and learns from them; then what they learnt
is put together: more than their mean, which would go no faster than one alone, and less than their sum,
which would go too far.  So the result depends on title, settings, seed, cores and the number of games, and
on nothing else.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol
from zipfile import BadZipFile

from ludus import titles as registry
from ludus.bots import make_bot
from ludus.bots.centurio import Centurio
from ludus.bots.net import Net, Weights, new_net
from ludus.bots.planner import make_room
from ludus.bots.planning import ROWS
from ludus.core import compilation
from ludus.core.compilation import cache_root
from ludus.core.contract import DRAW, WIN
from ludus.core.errors import FormatError, LudusError
from ludus.core.forms import make_form
from ludus.core.title import Title

from . import selfplay
from .arena import Plan, play_game
from .selfplay import SELFPLAY, Past, Recipe, Trace
from .variations import drawn_data

if TYPE_CHECKING:
    from .cluster import Cluster

USUAL: Mapping[str, float] = {
    "rate": 0.01, "rate_end": 0.0003, "policy_rate": 0.003, "inside": 1.0, "keep": 0.7, "keep_turn": 0.7,
    "haste": 1.0, "never": 0.5, "again": 0,
    "stray": 0.02, "heat": 0.0, "wide": 0, "led": 0, "more": 0, "soldier": 0, "aimed": 0, "lucks": 1,
    "limit": 6000, "by_value": 0.0, "hidden": 64, "policy": 32, "round": 200, "vary": 0.0,
}  # fmt: skip
PAST, LONGEST = 150_000, 200  # lessons of earlier games that a core keeps, and inputs of each, at most
CHECKED = 7_000_000  # the first seed of the games that a net is measured by
SHOWN = 0.03  # the part of the time after which the number of games is settled


@dataclass(frozen=True)
class Lesson:
    """What is to be taught."""

    title: str
    seats: int
    options: Mapping[str, Any]
    seed: int
    cores: int
    recipe: Mapping[str, float]  # see `USUAL`


@dataclass
class Progress:
    """How far a training is; kept in its checkpoint, so that it can go on, and beside the net."""

    games: int = 0
    total: int = 0  # 0: not settled yet
    curve: list[dict[str, float]] = field(default_factory=list)


def make_lesson(
    title: str,
    seats: int | None,
    options: Mapping[str, Any],
    seed: int,
    cores: int,
    given: Mapping[str, float],
) -> Lesson:
    """Check what somebody asked for."""
    found = registry.title(title)
    if found.inputs is None:
        raise LudusError(f"{title} has no features.py, so no net can be taught to play it")
    recipe = {**USUAL, **found.inputs.recipe}
    for name in given:
        if name not in recipe:
            raise FormatError(f"there is no setting {name!r:.40}; there are: {', '.join(recipe)}")
    number, values = found.read_setting(seats, {**found.simulation, **options})
    return Lesson(title, number, values, seed, cores, {**recipe, **given})


class Training:
    """A net that is being taught."""

    def __init__(
        self,
        lesson: Lesson,
        start: Net | None = None,
        progress: Progress | None = None,
        cluster: Cluster | None = None,
    ) -> None:
        self.lesson, self.progress = lesson, progress or Progress()
        self.title: Title[Any, Any] = registry.title(lesson.title)
        r, inputs = lesson.recipe, self.title.inputs
        assert inputs is not None
        self.net = start or new_net(
            self.title, int(r["hidden"]), int(r["policy"]), lesson.seed, inputs.from_value
        )  # fmt: skip
        if self.net.inputs != inputs.size:
            raise FormatError(f"this net has {self.net.inputs} inputs, {lesson.title} has {inputs.size} now")
        self.school: School = Threads(lesson, self.net) if cluster is None else Apart(lesson, cluster)

    def round(self, part: float) -> dict[str, float]:
        """One round of games, after `part` of the training; what it came to."""
        each, first = int(self.lesson.recipe["round"]), self.progress.games
        firsts = [first + number * each for number in range(self.lesson.cores)]
        found = self.school.play(self.net.parts, firsts, each, part)
        stats = sum(came_to for _, came_to in found)
        for name, weights in self.net.parts.items():
            learnt = sum(parts[name] - weights for parts, _ in found)
            weights += learnt / len(found) ** 0.5
        self.progress.games += each * len(found)
        games = stats[selfplay.GAMES]
        return {
            "decisions": float(stats[selfplay.DECISIONS] / games),
            "turns": float(stats[selfplay.TURNS] / games),
            "error": float((stats[selfplay.ERROR] / max(1, stats[selfplay.LESSONS])) ** 0.5),
            "capped": float(stats[selfplay.CAPPED] / games),
        }


Learnt = tuple[Mapping[str, Any], Any]  # the weights of a pupil after its games, and what these came to


class School(Protocol):
    """Where pupils play: one for every core of a lesson, each with its own games."""

    def play(self, parts: Mapping[str, Any], firsts: list[int], games: int, part: float) -> list[Learnt]: ...


class Threads:
    """In this process."""

    def __init__(self, lesson: Lesson, net: Net) -> None:
        self.pupils = [Pupil(lesson, net) for _ in range(lesson.cores)]
        self.pool = ThreadPoolExecutor(lesson.cores)

    def play(self, parts: Mapping[str, Any], firsts: list[int], games: int, part: float) -> list[Learnt]:
        jobs = [
            self.pool.submit(pupil.play, parts, first, games, part)
            for pupil, first in zip(self.pupils, firsts, strict=True)
        ]
        return [job.result() for job in jobs]


class Apart:
    """On a cluster.  A worker may be another one in every round, and may die: what a pupil has kept of
    earlier games goes with it from round to round."""

    def __init__(self, lesson: Lesson, cluster: Cluster) -> None:
        self.lesson, self.cluster = lesson, cluster
        cluster.prepare(lesson.title, partial(compile_school, lesson.title))
        self.pasts: list[Any] = [None] * lesson.cores

    def play(self, parts: Mapping[str, Any], firsts: list[int], games: int, part: float) -> list[Learnt]:
        pieces = [
            self.cluster.begin(play_apart, self.lesson, dict(parts), past, first, games, part, parts=2)
            for past, first in zip(self.pasts, firsts, strict=True)
        ]
        found = [self.cluster.result(piece) for piece, _ in pieces]
        self.pasts = [past for _, past in pieces]
        return found


_pupils: dict[str, Pupil] = {}  # of this worker, by their lessons


def play_apart(
    lesson: Lesson, parts: Mapping[str, Any], past: Past | None, first: int, games: int, part: float
) -> tuple[Learnt, Past | None]:
    """The games of a pupil in a worker of a cluster; with what it keeps of them, if it keeps any."""
    key = repr(lesson)
    if key not in _pupils:
        _pupils.clear()
        _pupils[key] = Pupil(lesson, Net({name: weights.copy() for name, weights in parts.items()}))
    pupil = _pupils[key]
    pupil.past.filled[:] = 0
    for kept, given in zip(pupil.past, past or (), strict=past is not None):
        kept[: len(given)] = given
    learnt = pupil.play(parts, first, games, part)
    if not lesson.recipe["again"]:
        return learnt, None
    idx, val, n, target, filled = pupil.past
    end = filled[0]
    return learnt, Past(idx[:end], val[:end], n[:end], target[:end], filled)


def compile_school(name: str) -> None:
    """What is not compiled yet is compiled once, before the pupils of a machine begin."""
    title = registry.title(name)
    if compilation.has_numba() and not compilation.is_ready(title, SELFPLAY):
        compilation.bind_compiled(title, SELFPLAY)


class Pupil:
    """One core: a net of its own and everything that the loops write into."""

    def __init__(self, lesson: Lesson, net: Net) -> None:
        import numpy as np

        title = registry.title(lesson.title)
        assert title.inputs is not None
        box = title.box_for(lesson.seats, **lesson.options)
        self.lesson, self.form = lesson, make_form(title, box, "auto")
        self.loops = self.form.bind(SELFPLAY)
        self.net = net.copy()
        r = lesson.recipe
        plans = int(r["wide"] + r["led"] + r["more"] + r["soldier"] + r["aimed"]) + 2
        limit, most, seats = int(min(r["limit"], 6000)), title.inputs.most, lesson.seats
        self.trace = Trace(
            idx=np.zeros((limit, seats, most), np.int32),
            val=np.zeros((limit, seats, most), np.float32),
            n=np.zeros((limit, seats), np.int32),
            said=np.zeros((limit, seats)),
            strayed=np.zeros((limit, seats)),
            target=np.zeros((limit, seats)),
            boundary=np.zeros(limit, np.int32),
        )
        kept = PAST if r["again"] else 1
        self.past = Past(
            np.zeros((kept, LONGEST), np.int32),
            np.zeros((kept, LONGEST), np.float32),
            np.zeros(kept, np.int32),
            np.zeros(kept),
            np.zeros(2, np.int64),
        )
        self.boxes = self.form.boxes
        form = self.form
        self.rest = (
            make_room(form, title, self.net, plans), form.ints(plans), form.floats(title.codes.size),
            form.words([0, 0, 0, 0]), form.words([0, 0, 0, 0]),
        )  # fmt: skip
        self.S = form.rows(ROWS + 1)

    def play(self, parts: Mapping[str, Any], first: int, games: int, part: float) -> Learnt:
        """Games of this core, learnt from, beginning with these weights."""
        import numpy as np

        lesson = self.lesson
        for name, weights in parts.items():
            self.net.parts[name][...] = weights
        if lesson.recipe["vary"] > 0:
            self.boxes = varied_boxes(lesson, first)
        stats = np.zeros(8)
        self.loops.play_and_learn(
            self.S, self.boxes, lesson.seats, lesson.seed, first, games, _recipe(lesson.recipe, part),
            self.net.arrays, *self.rest, self.trace, self.past, stats,
        )  # fmt: skip
        return self.net.parts, stats


def varied_boxes(lesson: Lesson, seed: int) -> Any:
    """The box of a lesson with some of what is ours drawn otherwise, as `ludus lab balance --screen` does: a
    net that has seen many such boards judges all of them.  Every third one is as it is."""
    title, data = registry.title(lesson.title), ""
    if seed % 3:
        data = drawn_data(lesson.title, lesson.options, lesson.seed * 1_000_003 + seed, lesson.recipe["vary"])
    return make_form(title, title.box_for(lesson.seats, data, **lesson.options), "auto").boxes


def _recipe(r: Mapping[str, float], part: float) -> Recipe:
    """The recipe after a part of the training: the rates fall, all else stays."""
    down = (r["rate_end"] / r["rate"]) ** part
    whole = ("again", "wide", "led", "more", "soldier", "aimed", "lucks", "limit")
    facts: dict[str, Any] = {
        name: int(r[name]) if name in whole else float(r[name]) for name in Recipe._fields
    }  # fmt: skip
    facts["rate"] = r["rate"] * down
    facts["policy_rate"] = r["policy_rate"] * down
    return Recipe(**facts)


# -- a whole training ---------------------------------------------------------------------------------------


def train(
    lesson: Lesson,
    out: Path,
    minutes: float = 0.0,
    games: int = 0,
    check: float = 60.0,
    rival: str = "miles",
    check_games: int = 100,
    resume: bool = False,
    start: Net | None = None,
    facts: Mapping[str, Any] | None = None,
    tell: Callable[[dict[str, float], float], None] = lambda row, part: None,
    cluster: Cluster | None = None,
) -> Net:
    """Teach for so many minutes (of this and earlier runs), or so many games.  The net is kept in `out`, with
    the learning curve beside it; a checkpoint in the user's cache folder."""
    _make_folder(checkpoint_of(out).parent)
    progress, spent = Progress(total=games), 0.0
    if resume:
        start, progress, spent = _read(out)
    training = Training(lesson, start.copy() if start else None, progress, cluster)
    begun = monotonic() - spent
    next_check, rounds = monotonic() - begun + check, 0
    sums: dict[str, float] = {}
    while not progress.total or progress.games < progress.total:
        part = progress.games / progress.total if progress.total else 0.0
        row = training.round(max(0.0, part - SHOWN) / (1 - SHOWN))
        rounds += 1
        sums = {key: sums.get(key, 0.0) + value for key, value in row.items()}
        used = monotonic() - begun
        if not progress.total and used > 60 * minutes * SHOWN:
            progress.total = int(progress.games * 60 * minutes / used)
        done = progress.total > 0 and progress.games >= progress.total
        if used >= next_check or done:
            next_check = used + check
            shown = {key: round(value / rounds, 4) for key, value in sums.items()}
            score = {"score": against(training, rival, check_games)} if check_games else {}
            shown = {"seconds": round(used), "games": progress.games, **shown, **score}
            progress.curve.append(shown)
            sums, rounds = {}, 0
            tell(shown, used / (60 * minutes) if minutes else progress.games / progress.total)
            _keep(training, out, used, facts or {})
            begun += monotonic() - begun - used  # measuring is no learning
    return training.net


def _keep(training: Training, out: Path, used: float, facts: Mapping[str, Any]) -> None:
    lesson, progress = training.lesson, training.progress
    training.net.facts = {
        **asdict(lesson), "options": dict(lesson.options), "recipe": dict(lesson.recipe),
        "games": progress.games, "total": progress.total, "rules": training.title.version,
        "inputs": training.net.inputs, **facts,
    }  # fmt: skip
    training.net.save(out)
    state = {"seconds": used, **asdict(progress)}
    partial = out.with_suffix(".json.part")
    partial.write_text(json.dumps(state), encoding="utf-8")
    partial.replace(out.with_suffix(".json"))
    _keep_checkpoint(training.net, state, checkpoint_of(out))


def checkpoint_of(out: Path) -> Path:
    """Where a training that writes the net `out` is kept with all digits: a net has half of them, and a
    checkpoint is no part of a title."""
    place = hashlib.sha256(str(out.resolve()).encode()).hexdigest()[:12]
    return cache_root() / "training" / f"{out.stem}-{place}.npz"


def _make_folder(folder: Path) -> None:
    """Before the long work, not after it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LudusError(
            f"the checkpoint of the training cannot be kept in {folder} ({error.strerror}); "
            "LUDUS_CACHE_DIR names another folder"
        ) from None


def _keep_checkpoint(net: Net, state: Mapping[str, Any], path: Path) -> None:
    import numpy as np

    partial = path.with_suffix(".part.npz")
    np.savez(partial, state=np.frombuffer(json.dumps(state).encode(), np.uint8), **net.parts)
    partial.replace(path)


def _read(out: Path) -> tuple[Net, Progress, float]:
    """Where an earlier run was."""
    import numpy as np

    path = checkpoint_of(out)
    if not path.exists():
        raise LudusError(f"there is no training of {out.name} to take up: leave out --resume to begin one")
    try:
        with np.load(path, allow_pickle=False) as kept:
            state = json.loads(kept["state"].tobytes())
            parts = {name: kept[name].copy() for name in Weights._fields}
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        raise FormatError(f"this is no checkpoint of a training ({error!r:.60})", source=str(path)) from None
    return Net(parts), Progress(state["games"], state["total"], state["curve"]), state["seconds"]


def against(training: Training, rival: str, games: int) -> float:
    """The score of the net, looking one action or turn ahead, against another bot."""
    title, lesson = training.title, training.lesson
    pupil, other = Centurio(title, net=training.net.copy()), make_bot(rival, title)
    names = ("the pupil", *[rival] * (lesson.seats - 1))
    plan = Plan(lesson.title, names, games, CHECKED, lesson.options)

    def play(number: int) -> float:
        seat = number % lesson.seats
        seated = names[-seat:] + names[:-seat] if seat else names
        bots = {names[0]: pupil, rival: other}
        found = play_game(title, plan, bots, seated, CHECKED + number // lesson.seats).returns[seat]
        return 1.0 if found == WIN else 0.5 if found == DRAW else 0.0

    return sum(play(number) for number in range(games)) / games
