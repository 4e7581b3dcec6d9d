"""Calibrating the judges of the analysis: do chances come true as often as they say?

Games between rungs are played; at some decisions of each the judge says what the seat's chance is, and the
end of the game says what came of it.  Half of the games fit two numbers (`analysis.calibration`), the other
half tells how well.  Then each rung plays a few games against itself which are analysed: what a decision
costs it on average is how a person's error rate is read on the ladder's scale.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from ludus import titles as registry
from ludus.analysis import calibration
from ludus.analysis.calibration import Bin, Calibration, Rung
from ludus.analysis.depth import DEPTHS, USUAL
from ludus.analysis.evaluation import judge_for
from ludus.analysis.judges import number, result_of
from ludus.analysis.walk import CHOICE, Ply, Walk
from ludus.bots import Chair, make_bot, rungs
from ludus.core.chance import below, seed_rng
from ludus.core.compilation import has_numba
from ludus.core.errors import FormatError
from ludus.core.game import Game

from . import arena, figures, ladder
from .workers import spread

A_GAME = 24  # decisions of a game that are kept: more would say the same again
MEASURED = 300  # decisions of a rung that are judged, about
QUICKEST = ("tiro", "miles", "centurio")  # whose games are many and soon played
PAGE = Path("docs/analysis.md")
COMMAND = "ludus lab calibrate"


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


class Sampled(NamedTuple):
    """What was said of some decisions of a game and what came of it; where it is wanted, all of it."""

    said: list[tuple[float, float]]
    plies: list[Ply]
    start: bytes


def settings_of(
    title: str, seats: int | None, options: Mapping[str, Any]
) -> list[Sampling]:  # fmt: skip
    """One for each calibration that a title has, in the settings of its ladder; or the one that is named."""
    found = registry.title(title)
    wanted: list[tuple[int | None, dict[str, Any]]] = [(seats, dict(options))]
    if seats is None and not options:
        wanted = [(one.get("seats"), {k: v for k, v in one.items() if k != "seats"}) for one in found.ladder]
    made: dict[str, Sampling] = {}
    for given, values in wanted:
        count, _ = found.read_setting(given, values)
        setting = Sampling(title, count, tuple({**found.simulation, **values}.items()))
        made.setdefault(setting.name, setting)
    return list(made.values())


def pairs_of(bots: Sequence[str]) -> list[tuple[str, str]]:
    """Each rung against itself and against the one below."""
    return [*((name, name) for name in bots), *((upper, lower) for lower, upper in pairwise(bots))]


def bots_of(title: str, given: Sequence[str]) -> list[str]:
    """The rungs that play, the weakest first."""
    able = rungs(registry.title(title))
    if given and (wrong := [name for name in given if name not in able]):
        raise FormatError(f"{wrong[0]!r:.40} is no rung of {title}; there are: {', '.join(able)}")
    return [name for name in able if name in (given or QUICKEST)]


def play_one(setting: Sampling, bots: tuple[str, ...], seed: int, whole: bool) -> Sampled:
    """One game; `whole`: all of it is wanted, and nothing is said of it."""
    title = registry.title(setting.title)
    form = "compiled" if has_numba() else "plain"
    game = title.new(seed=seed, seats=setting.seats, form=form, **dict(setting.options))
    players = [make_bot(name, title) for name in bots]
    memories: list[dict[str, Any]] = [{} for _ in bots]
    seen: list[tuple[int, Any]] = []
    while not game.over:
        seat = game.to_move
        if not whole and len(game.legal_codes()) > 1:
            seen.append((seat, game.packed()))
        chair = Chair(game, seat, seed * 8 + seat, players[seat].budget, memories[seat])
        game.apply(players[seat].choose(chair).code)
    if whole:
        plies = [Ply(k + 1, played.seat, played.code) for k, played in enumerate(game.line)]
        return Sampled([], plies, game.start())
    return Sampled(_said(game, seen, seed), [], b"")


def _said(game: Game[Any, Any], seen: list[tuple[int, Any]], seed: int) -> list[tuple[float, float]]:
    form: Any = game.form
    judge = judge_for(form, DEPTHS[USUAL])
    came = result_of(form, game.s)
    rng = [0, 0, 0, 0]
    seed_rng(rng, seed, 9)
    for k in range(min(A_GAME, len(seen))):  # draw some of them
        j = k + below(rng, len(seen) - k)
        seen[k], seen[j] = seen[j], seen[k]
    return [
        (judge.own(form.unpack(packed), seat, number(seed, k)), came[seat])
        for k, (seat, packed) in enumerate(seen[:A_GAME])
    ]


Job = tuple[tuple[str, ...], int, bool]
Jobs = list[Job]


def jobs_of(setting: Sampling, bots: Sequence[str], games: int, seed: int) -> Jobs:
    """Games of all pairs, seats in turn, the pairs mixed: half of them are as good as the other half."""
    made: Jobs = []
    for k in range(games):
        for upper, lower in pairs_of(bots):
            table = [upper, *[lower] * (setting.seats - 1)]
            turned = table[k % setting.seats :] + table[: k % setting.seats]
            again = k if upper == lower else k // setting.seats  # equals need no other seats
            made.append((tuple(turned), seed * 1_000_003 + again, False))
    return made


def play_all(setting: Sampling, jobs: Jobs, cores: int, progress: Callable[[int], None]) -> list[Sampled]:
    """All games, on some cores; in the order of the jobs, whatever order they end in."""
    kept: dict[int, Sampled] = {}
    for (k, _), one in spread(partial(_play_job, setting), list(enumerate(jobs)), cores):
        kept[k] = one
        progress(1)
    return [kept[k] for k in range(len(jobs))]


def _play_job(setting: Sampling, numbered: tuple[int, Job]) -> Sampled:
    return play_one(setting, *numbered[1])


# -- what comes out of it -----------------------------------------------------------------------------------


def fitted(played: Sequence[Sampled], rounds: int) -> tuple[float, float, list[Bin], int]:
    """Slope and shift by half of the games, and the bins of the others; how many decisions.  `rounds`: so
    many games of the same seeds lie together."""
    fits = [row for k, one in enumerate(played) if k // rounds % 2 == 0 for row in one.said]
    checks = [row for k, one in enumerate(played) if k // rounds % 2 == 1 for row in one.said]
    if not fits or not checks:
        raise FormatError("there are too few games to fit anything to: --games")
    slope, shift = calibration.fit(*zip(*fits, strict=True))
    read = Calibration(slope, shift)
    bins = calibration.bins([read.read(p) for p, _ in checks], [y for _, y in checks])
    return slope, shift, bins, len(fits) + len(checks)


def errors_of(setting: Sampling, games: Sequence[Sampled]) -> list[float]:
    """What decisions of whole games cost, in points of a hundred."""
    title = registry.title(setting.title)
    form = "compiled" if has_numba() else "plain"
    game = title.new(seed=0, seats=setting.seats, form=form, **dict(setting.options))
    rules: Any = game.form
    judge = judge_for(rules, DEPTHS[USUAL])
    walks = [Walk(title, rules, one.start, one.plies, 0) for one in games]
    steps = [(walk, step) for walk in walks for step in walk.steps if step.kind == CHOICE]
    costs = []
    for k in range(0, len(steps), max(1, len(steps) // MEASURED)):
        walk, step = steps[k]
        found = judge.choices(walk.position(step.first), step.seat, step.plan, number(k, step.first))
        costs.append(100 * found.outcome.cost)
    return costs


def elos(setting: Sampling, page: str) -> dict[str, tuple[float, bool]]:
    """Each rung's Elo over the lowest, by the table of the ladder; True where that is a lower bound."""
    plan = arena.Plan(setting.title, ("",) * setting.seats, 1, 1, dict(setting.options))
    heading = f"**{ladder.Step(plan, ()).setting}**"
    _, found, rest = page.partition(f"<!-- {ladder.COMMAND} {setting.title} -->")
    rest = rest.partition(figures.END)[0].partition(heading)[2].partition("**")[0] if found else ""
    known: dict[str, tuple[float, bool]] = {}
    row = re.compile(r"\| (\w+) \| (?:\d+ )?(\w+) \|.*?\|.*?\|.*?\| ([+-]\d+|∞) \(([+-]\d+)")
    for upper, lower, value, low in row.findall(rest):
        base, bound = known.setdefault(lower, (0.0, False))
        known[upper] = base + float(low if value == "∞" else value), bound or value == "∞"
    return known


def picture(title: str, name: str, bins: Sequence[Bin], ece: float) -> str:
    """What was said against what came, as an SVG; on the line both are the same."""
    shown = registry.title(title).words.say("en", "name")
    size, left, top = 360, 60, 44

    def at(said: float, came: float) -> tuple[float, float]:
        return left + size * said, top + size * (1 - came)

    head = f"{shown} ({name}): expected calibration error {ece:.1f} points"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size + 90} {size + 100}" '
        'font-family="Georgia, serif">',
        f"<title>{head}</title>",
        f'<rect width="{size + 90}" height="{size + 100}" fill="{ladder.PAPER}"/>',
        ladder._text(16, 26, head, 15),
    ]
    for tenth in range(0, 11, 2):
        x, y = at(tenth / 10, tenth / 10)
        parts += [
            f'<path d="M {x:.0f} {top} V {top + size}" stroke="{ladder.GREY}" stroke-width="0.5"/>',
            f'<path d="M {left} {y:.0f} H {left + size}" stroke="{ladder.GREY}" stroke-width="0.5"/>',
            ladder._text(x - 10, top + size + 18, f"{10 * tenth} %", 12),
            ladder._text(left - 42, y + 4, f"{10 * tenth} %", 12),
        ]
    parts.append(f'<path d="M {left} {top + size} L {left + size} {top}" stroke="{ladder.GREY}"/>')
    most = max(one.count for one in bins)
    for one in bins:
        x, y = at(one.said, one.came)
        radius = 3 + 7 * (one.count / most) ** 0.5
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{ladder.BROWN}"/>')
    parts.append(ladder._text(left, top + size + 40, "said, against what came; a point is a tenth", 12))
    return "\n".join([*parts, "</svg>", ""])


@dataclass(frozen=True)
class Calibrated:
    """One calibration, made."""

    setting: Sampling
    calibration: Calibration
    bins: list[Bin]


def calibrate(
    setting: Sampling,
    bots: Sequence[str],
    games: int,
    analysed: int,
    seed: int,
    cores: int,
    facts: Mapping[str, Any],
    progress: Callable[[int], None] = lambda games: None,
) -> Calibrated:
    """Play, fit, measure, and keep what came out with the title."""
    title = registry.title(setting.title)
    arena.compile_for(setting.title, bots)
    jobs = jobs_of(setting, bots, games, seed)
    played = play_all(setting, jobs, cores, progress)
    slope, shift, bins, decisions = fitted(played, setting.seats * len(pairs_of(bots)))
    game = title.new(seed=0, seats=setting.seats, form="auto", **dict(setting.options))
    form: Any = game.form
    judge = judge_for(form, DEPTHS[USUAL])
    rows = {**facts, "decisions": decisions, "games": len(jobs), "bots": list(bots), "by": judge.by}
    rows["bins"] = [asdict(one) for one in bins]
    ece = round(calibration.expected_error(bins), 2)
    found = Calibration(round(slope, 4), round(shift, 4), judge.digest, ece, rows)
    calibration.save(title, setting.name, found)
    judge_for.cache_clear()  # what it reads has changed
    if analysed:
        found = _with_rungs(setting, found, analysed, seed, cores, progress)
        calibration.save(title, setting.name, found)
        judge_for.cache_clear()
    return Calibrated(setting, found, bins)


def _with_rungs(
    setting: Sampling, found: Calibration, games: int, seed: int, cores: int, progress: Callable[[int], None]
) -> Calibration:
    folder = figures.docs_folder()
    known = elos(setting, (folder / ladder.PAGE).read_text(encoding="utf-8"))
    measured = []
    for name, (elo, bound) in known.items():
        bots = (name,) * setting.seats
        jobs = [(bots, seed * 1_000_003 + 500_000 + k, True) for k in range(games)]
        costs = errors_of(setting, play_all(setting, jobs, cores, progress))
        measured.append(Rung(name, elo, round(fmean(costs), 3) if costs else 0.0, len(costs), bound))
    return Calibration(found.slope, found.shift, found.judge, found.ece, found.facts, tuple(measured))


def rungs_played(setting: Sampling) -> int:
    """How many rungs the ladder's table of a setting has."""
    try:
        page = (figures.docs_folder() / ladder.PAGE).read_text(encoding="utf-8")
    except (OSError, FormatError):
        return 0
    return len(elos(setting, page))


# -- the page -----------------------------------------------------------------------------------------------


def kept(title: str) -> list[Calibrated]:
    """Every calibration of a title that is kept, in the settings of its ladder."""
    found = []
    for setting in settings_of(title, None, {}):
        known = calibration.load(registry.title(title), setting.name)
        if known.judge:
            bins = [Bin(**one) for one in known.facts["bins"]]
            found.append(Calibrated(setting, known, bins))
    return found


def write(title: str, found: Sequence[Calibrated], cores: int) -> list[str]:
    """Fill the place of a title in the page, and draw the pictures; the files that were written."""
    folder = figures.docs_folder()
    written = [str(PAGE)]
    for one in found:
        drawing = Path(f"docs/pictures/calibration-{title}-{one.setting.name}.svg")
        ece = one.calibration.ece or 0.0
        (folder / drawing).write_text(picture(title, one.setting.name, one.bins, ece), encoding="utf-8")
        written.append(str(drawing))
    path = folder / PAGE
    body = markdown(title, found, cores)
    path.write_text(
        figures.fill(path.read_text(encoding="utf-8"), f"{COMMAND} {title}", body), encoding="utf-8"
    )
    return written


def markdown(title: str, found: Sequence[Calibrated], cores: int) -> str:
    """Tables and pictures, as they stand in the page."""
    head = ["setting", "judged by", "games", "decisions", "slope", "shift", "error, points"]
    rows = []
    for one in found:
        c = one.calibration
        options = ", ".join(f"{k} {v}" for k, v in one.setting.options)
        named = f"{one.setting.name}: {one.setting.seats} seats{', ' if options else ''}{options}"
        rows.append(
            [named, c.facts["by"], str(c.facts["games"]), str(c.facts["decisions"]), f"{c.slope:.2f}",
             f"{c.shift:+.2f}", f"{c.ece:.1f}"]
        )  # fmt: skip
    parts = [figures.markdown_table([head, *rows])]
    steps = [
        [one.setting.name, rung.name, f"{'at least ' if rung.at_least else ''}{rung.elo:+.0f}",
         str(rung.decisions), f"{rung.error:.2f}"]
        for one in found
        for rung in one.calibration.rungs
    ]  # fmt: skip
    if steps:
        parts.append(
            figures.markdown_table([["net", "rung", "Elo", "decisions", "points a decision"], *steps])
        )
    for one in found:
        drawing = f"pictures/calibration-{title}-{one.setting.name}.svg"
        parts.append(f"![Chances and results of {title}, {one.setting.name}]({drawing})")
    commands = dict.fromkeys(f"`{one.calibration.facts['command']}`" for one in found)
    parts.append(f"By {' and '.join(commands)}, on {figures.machine(cores)}.")
    return "\n\n".join(["", *parts, ""])


def cores_or_all(given: int) -> int:
    return given or os.cpu_count() or 1
