"""Calibrating the judges of the analysis: do chances come true as often as they say?

Games between rungs are played; at some decisions of each the judge says what the seat's chance is, and the
end of the game says what came of it.  To that a few numbers are fitted (`analysis.calibration`); how well
they do is told of each part of the games by what was fitted to the others.  Then each rung plays a few games
against itself which are analysed: what a decision costs it on average is how a person's error rate is read
on the ladder's scale.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from ludus import titles as registry
from ludus.analysis import calibration
from ludus.analysis.calibration import Bin, Calibration, Rung
from ludus.analysis.evaluation import judge_for
from ludus.analysis.judges import Judge, balanced, mean_of
from ludus.bots import rungs
from ludus.core.errors import FormatError

from . import arena, figures, ladder
from .foretelling import (
    BECAME,
    MEASURED,
    Became,
    Encounter,
    Said,
    Sampling,
    jobs_of,
    jobs_of_rung,
    pairs_of,
    play_all,
)

LEAST_TRUST = 0.05  # a difference is never worth nothing
FOLDS = 4  # of each part of the games something is said by what was fitted to the others
QUICKEST = ("tiro", "miles", "centurio")  # whose games are many and soon played
PAGE = Path("docs/analysis.md")
COMMAND = "ludus lab calibrate"
LADDER = f"{ladder.COMMAND} TITLE --write-docs"
COMMANDS = ("command", "trusted", "measured", "scaled")  # what fitted it, followed plans, measured rungs, ...


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
        named = {**found.simulation, **values}
        count, settled = found.read_setting(given, named)  # what was typed in is text
        setting = Sampling(title, count, tuple((key, settled[key]) for key in named))
        made.setdefault(setting.name, setting)
    return list(made.values())


def bots_of(title: str, given: Sequence[str]) -> list[str]:
    """The rungs that play, the weakest first."""
    able = rungs(registry.title(title))
    if given and (wrong := [name for name in given if name not in able]):
        raise FormatError(f"{wrong[0]!r:.40} is no rung of {title}; there are: {', '.join(able)}")
    return [name for name in able if name in (given or QUICKEST)]


# -- what comes out of it -----------------------------------------------------------------------------------


def fitted(games: Sequence[Sequence[Said]], rounds: int) -> tuple[Calibration, list[Bin], int]:
    """What fits all games, the bins of what was said of games that had no say in it, and how many decisions.
    `rounds`: so many games of the same seeds lie together, and stay together."""
    folds = min(FOLDS, len(games) // rounds)
    if folds < 2:
        raise FormatError("there are too few games to fit anything to: --games")
    parts = [
        [row for k, game in enumerate(games) if k // rounds % folds == n for row in game]
        for n in range(folds)
    ]
    said: list[float] = []
    for part in parts:
        read = read_best([row for other in parts if other is not part for row in other])
        said += [chance_of(read, row) for row in part]
    rows = [row for part in parts for row in part]
    return read_best(rows), calibration.bins(said, [row.came[row.seat] for row in rows]), len(rows)


def read_best(rows: Sequence[Said]) -> Calibration:
    """How estimates are best read: those of all seats, with each luck."""
    said = [
        (x, row.came[p], p if len(row.came) == 2 else 0)
        for row in rows
        for luck in row.estimates
        for p, x in enumerate(luck)
    ]
    return calibration.fit(*zip(*said, strict=True))


def chance_of(read: Calibration, row: Said) -> float:
    """What the analysis says of the seat that decides, as the judge makes it out of estimates."""
    own = mean_of([[read.read(x, p) for p, x in enumerate(luck)] for luck in row.estimates])
    return balanced(own)[row.seat]


def elos(setting: Sampling, page: str) -> dict[str, tuple[float, bool]]:
    """Each rung's Elo over the lowest, by the table of the ladder; True where that is a lower bound."""
    plan = arena.Plan(setting.title, ("",) * setting.seats, 1, 1, dict(setting.options))
    heading = f"**{ladder.Step(plan, ()).setting}**"
    _, found, rest = page.partition(f"<!-- {ladder.COMMAND} {setting.title} -->")
    rest = rest.partition(figures.END)[0].partition(heading)[2].partition("**")[0] if found else ""
    known: dict[str, tuple[float, bool]] = {}
    elo = r"[+-]\d+|-?∞"
    row = re.compile(rf"\| (\w+) \| (?:\d+ )?(\w+) \|.*?\|.*?\|.*?\| ({elo}) \(({elo}) to ({elo})\)")
    for upper, lower, value, low, high in row.findall(rest):
        base, bound = known.setdefault(lower, (0.0, False))
        step = {"∞": low, "-∞": high}.get(value, value)
        known[upper] = base + float(step), bound or step != value
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
    kept: Path | None = None,
    measure: int = MEASURED,
    followed: int = 0,
) -> Calibrated:
    """Play, fit, measure, and keep what came out with the title.  Without games what was fitted before stays,
    without any that are analysed what decisions cost.  `kept`: the folder of the games; `measure`: so many
    decisions of each rung; `followed`: so many games of each, to see what became of what was played."""
    title = registry.title(setting.title)
    arena.compile_for(setting.title, bots)
    judge = setting.judge()  # what it runs is compiled before the workers start
    path = None if kept is None else kept / f"{setting.title}-{setting.name}.jsonl"

    def play(jobs: Sequence[Encounter]) -> list[list[Any]]:
        return play_all(setting, jobs, cores, progress, path)

    jobs = jobs_of(setting, bots, games, seed)
    if jobs:
        played = [[Said(*row) for row in rows] for rows in play(jobs)]
        best, bins, decisions = fitted(played, setting.seats * len(pairs_of(bots)))
        rows = {**facts, "decisions": decisions, "games": len(jobs), "seats": setting.seats}
        rows |= {"bots": list(bots), "by": judge.by}
        rows["bins"] = [asdict(one) for one in bins]
        ece = round(calibration.expected_error(bins), 2)
        shifts = tuple(round(shift, 4) for shift in best.shifts)
        found = Calibration(round(best.slope, 4), shifts, best.lapse, judge.digest, ece, rows)
        calibration.save(title, setting.name, found)
        judge_for.cache_clear()  # what it reads has changed
    else:
        found = fitted_before(setting, judge)
        bins = [Bin(**one) for one in found.facts["bins"]]
    if followed:
        found = trusted(setting, found, jobs_of_plans(setting, bots, followed, seed, measure), play, facts)
        calibration.save(title, setting.name, found)
        judge_for.cache_clear()
    if analysed:
        more = {} if jobs else {"measured": facts["command"]}
        rungs = measured(setting, analysed, seed, play, measure)
        if not jobs and not rungs:
            raise FormatError(f"the ladder of {setting.title} has no rungs in this setting: {LADDER}")
        found = replace(found, rungs=rungs, facts={**found.facts, **more})
    elif not jobs and not followed:
        found = rescaled(setting, found, facts)
    calibration.save(title, setting.name, found)
    judge_for.cache_clear()
    return Calibrated(setting, found, bins)


def fitted_before(setting: Sampling, judge: Judge) -> Calibration:
    """The calibration that there is, if it still is one of this judge."""
    known = judge.known
    if not known.fits(judge.digest, setting.seats):
        raise FormatError(f"{setting.title} ({setting.name}) is not calibrated as it is: --games")
    return known


def rescaled(setting: Sampling, found: Calibration, facts: Mapping[str, Any]) -> Calibration:
    """The same with the Elo that the ladder has now; what decisions cost stays."""
    known = elos(setting, ladder_page())
    missing = [rung.name for rung in found.rungs if rung.name not in known]
    if missing or not found.rungs:
        raise FormatError(f"the ladder of {setting.title} has no {', '.join(missing) or 'rungs'}: --analysed")
    rungs = tuple(replace(one, elo=known[one.name][0], at_least=known[one.name][1]) for one in found.rungs)
    return replace(found, rungs=rungs, facts={**found.facts, "scaled": facts["command"]})


def jobs_of_plans(
    setting: Sampling, bots: Sequence[str], games: int, seed: int, decisions: int
) -> list[Encounter]:
    """Games of each rung against itself in which plans are followed."""
    inputs = registry.title(setting.title).inputs
    if inputs is None or not inputs.replies:
        raise FormatError(f"no plans of {setting.title} are compared after replies: leave --followed out")
    return [
        job for name in bots for job in jobs_of_rung(setting, name, games, seed, decisions, BECAME)
    ]  # fmt: skip


def trusted(
    setting: Sampling,
    found: Calibration,
    jobs: Sequence[Encounter],
    play: Callable[[Sequence[Encounter]], list[list[Any]]],
    facts: Mapping[str, Any],
) -> Calibration:
    """The same with how much of a difference between plans comes true, by what became of some."""
    rows = [Became(*row) for game in play(jobs) for row in game]
    trust, doubt = trust_of(rows)
    said = {"trusted": facts["command"], "turns": len(rows), "trust_doubt": round(doubt, 3)}
    return replace(found, trust=round(trust, 3), facts={**found.facts, **said})


def trust_of(rows: Sequence[Became]) -> tuple[float, float]:
    """By how much the chance later on is higher where a plan was said to be better than the others, all else
    being equal, and one standard error of that.

    >>> rows = [Became(now, gap, 0.5, now + 0.25 * gap) for now in (0.3, 0.5, 0.6) for gap in (-0.2, 0.1)]
    >>> round(trust_of(rows)[0], 6)
    0.25
    """
    import numpy as np

    x = np.array([[1.0, row.now, row.gap, row.mean] for row in rows])
    y = np.array([row.later for row in rows])
    inverse = np.linalg.pinv(x.T @ x)
    found = inverse @ x.T @ y
    spread = float(((y - x @ found) ** 2).sum()) / max(1, len(y) - x.shape[1])
    return min(1.0, max(LEAST_TRUST, float(found[2]))), float((spread * inverse[2, 2]) ** 0.5)


def measured(
    setting: Sampling,
    games: int,
    seed: int,
    play: Callable[[Sequence[Encounter]], list[list[Any]]],
    decisions: int = MEASURED,
) -> tuple[Rung, ...]:
    """What a decision costs each rung of the ladder, in games against itself; of so many, about."""
    found = []
    for name, (elo, bound) in elos(setting, ladder_page()).items():
        jobs = jobs_of_rung(setting, name, games, seed, decisions)
        costs = [cost for rows in play(jobs) for cost in rows]
        found.append(Rung(name, elo, round(fmean(costs), 3) if costs else 0.0, len(costs), bound))
    return tuple(found)


def ladder_page() -> str:
    return (figures.docs_folder() / ladder.PAGE).read_text(encoding="utf-8")


def rungs_played(setting: Sampling) -> int:
    """How many rungs the ladder's table of a setting has."""
    try:
        return len(elos(setting, ladder_page()))
    except (OSError, FormatError):
        return 0


# -- the page -----------------------------------------------------------------------------------------------


def kept(title: str) -> list[Calibrated]:
    """Every calibration of a title that is kept: in the settings of its ladder, of all numbers of seats."""
    found: dict[str, Calibrated] = {}
    for seats in (None, *registry.title(title).seats):
        for setting in settings_of(title, seats, {}):
            known = calibration.load(registry.title(title), setting.name)
            if known.judge and setting.name not in found:
                bins = [Bin(**one) for one in known.facts["bins"]]
                found[setting.name] = Calibrated(setting, known, bins)
    return list(found.values())


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
    head = ["setting", "judged by", "games", "decisions", "slope", "shifts", "lapse", "error, points"]
    rows = []
    for one in found:
        c = one.calibration
        options = ", ".join(f"{k} {v}" for k, v in one.setting.options)
        named = f"{one.setting.name}: {one.setting.seats} seats{', ' if options else ''}{options}"
        rows.append(
            [named, c.facts["by"], str(c.facts["games"]), str(c.facts["decisions"]), f"{c.slope:.2f}",
             ", ".join(f"{shift:+.2f}" for shift in c.shifts), f"{100 * c.lapse:.1f} %", f"{c.ece:.1f}"]
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
    parts += [trust_said(one) for one in found if one.calibration.trust is not None]
    for one in found:
        drawing = f"pictures/calibration-{title}-{one.setting.name}.svg"
        parts.append(f"![Chances and results of {title}, {one.setting.name}]({drawing})")
    facts = [one.calibration.facts for one in found]
    commands = dict.fromkeys(f"`{one[by]}`" for by in COMMANDS for one in facts if by in one)
    parts.append(f"By {' and '.join(commands)}, on {figures.machine(cores)}.")
    return "\n\n".join(["", *parts, ""])


def trust_said(one: Calibrated) -> str:
    """How much of a difference comes true, as a sentence."""
    facts = one.calibration.facts
    return (
        f"Of what one turn is said to be better than another, {one.calibration.trust:.2f} comes true "
        f"({one.setting.name}; standard error {facts['trust_doubt']:.2f}, "
        f"{facts['turns']} turns that were played)."
    )


def cores_or_all(given: int) -> int:
    return given or os.cpu_count() or 1
