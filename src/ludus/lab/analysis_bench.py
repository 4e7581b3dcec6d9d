"""How long the analysis of a whole match takes, against the goal of its title.

What is played stands with the title (`analysis/bench.json`): options, who plays, after how many turns the
match is given up, and in how many seconds it should be analysed.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ludus import titles as registry
from ludus.analysis.analysis import Task, put_together, weigh_all
from ludus.analysis.calibration import FOLDER
from ludus.analysis.judges import make_judge, turn_of
from ludus.analysis.keeping import make_task
from ludus.analysis.rungs import Rungs
from ludus.analysis.walk import CHOICE
from ludus.bots import Chair, make_bot
from ludus.core.chance import Seeded
from ludus.core.compilation import has_numba
from ludus.core.errors import FormatError, LudusError
from ludus.core.title import Title
from ludus.match.match import Match, read_setting

from . import calibrating, figures

PLAN = "bench.json"
PAGE = Path("docs/analysis.md")
COMMAND = "ludus bench analysis"


@dataclass(frozen=True)
class Specimen:
    """What is played, and in how many seconds its analysis should be made (0: nobody has said)."""

    title: str
    bot: str
    goal: float = 0.0
    turns: int = 0  # then it is given up; 0: it is played to its end
    seats: int = 2
    options: dict[str, Any] = field(default_factory=dict)


def specimen_of(title: Title[Any, Any]) -> Specimen:
    """The match of a title; one without is played by its strongest quick bot."""
    bot, path = (calibrating.bots_of(title.name, []) or ["random"])[-1], title.folder / FOLDER / PLAN
    if not path.exists():
        return Specimen(title.name, bot, seats=min(title.seats), options=dict(title.simulation))
    try:
        return Specimen(title.name, **{"bot": bot, **json.loads(path.read_text(encoding="utf-8"))})
    except (ValueError, TypeError) as error:
        raise FormatError(f"this says not what is played ({error!r:.60})", source=str(path)) from None


def planned() -> list[str]:
    """The titles that have a goal."""
    return [name for name in registry.title_names() if specimen_of(registry.title(name)).goal]


@dataclass(frozen=True)
class Analysed:
    """One match, analysed."""

    plan: Specimen
    by: str
    depth: str
    cores: int
    seconds: float
    entries: int
    decisions: int
    throws: int
    cpu: float = 0.0  # seconds of all cores together: what it takes, whatever else the machine does
    load: float = 0.0  # of the machine when it began: how much else it had to do

    @property
    def good(self) -> bool:
        return not self.plan.goal or self.seconds <= self.plan.goal

    def json(self) -> dict[str, Any]:
        return {**asdict(self), "good": self.good}


def give_up(match: Match) -> None:
    """All resign, until the match is over with one of them left."""
    for seat in range(match.game.seats):
        if not match.over:
            match.resign(seat)


def play(plan: Specimen, seed: int) -> Match:
    """The match of a plan, by bots."""
    title = registry.title(plan.title)
    form = "compiled" if has_numba() else "plain"
    names = [plan.bot] * plan.seats
    setting = read_setting(title, plan.seats, plan.options, names)
    match = Match(setting, Seeded(seed), seed=seed, form=form)
    bots: list[Any] = [make_bot(plan.bot, title) for _ in names]
    memories: list[dict[str, Any]] = [{} for _ in bots]
    turn, turns = None, 0
    while not match.over:
        game, seat = match.game, match.game.to_move
        bound: Any = game.form
        now = turn_of(title, bound, game.s)
        turn, turns = now, turns + (now != turn)
        if plan.turns and turns > plan.turns:
            give_up(match)
            break
        chair = Chair(game, seat, seed * 8 + seat, bots[seat].budget, memories[seat])
        match.play(seat, [bots[seat].choose(chair).text])
    return match


def measure(
    plan: Specimen,
    depth: str,
    seed: int,
    cores: int,
    tell: Callable[[int, int], None] = lambda done, all_: None,
) -> Analysed:
    """Play a match and analyse it; that machine code is made and loaded is not counted."""
    task = make_task(play(plan, seed), depth, seed)
    steps = task.walk.steps
    _warm(task)
    load = os.getloadavg()[0]
    began, cpu, done = time.perf_counter(), time.process_time(), 0

    def one_more(n: int, row: Any) -> None:
        nonlocal done
        done += 1
        tell(done, len(steps))

    rows = weigh_all(task, {}, one_more, cores)
    judge = make_judge(task.title, task.bound(), task.depth)
    put_together(task, judge, rows)
    seconds, spent = time.perf_counter() - began, time.process_time() - cpu
    decisions = sum(step.kind == CHOICE for step in steps)
    used = cores if task.form == "compiled" else 1
    return Analysed(
        plan, judge.by, depth, used, round(seconds, 1), len(task.match.entries), decisions,
        len(steps) - decisions, round(spent, 1), round(load, 1),
    )  # fmt: skip


def _warm(task: Task) -> None:
    """Whatever thinks has thought once."""
    step = next((step for step in task.walk.steps if step.kind == CHOICE), None)
    if step is None:
        raise LudusError("nothing was decided in this match")
    form, s = task.bound(), task.walk.position(step.first)
    Rungs(task.title, form).plans(form.pack(s), step.seat, False, 1)
    make_judge(task.title, form, task.depth).chances([s], 1)


# -- what is said of it -------------------------------------------------------------------------------------


def rows(found: Sequence[Analysed]) -> list[list[str]]:
    """A heading row, then a match a row."""
    heading = ["match", "judged by", "entries", "decisions", "throws", "cores", "CPU s", "seconds", "goal"]
    made = [heading]
    for one in found:
        plan = one.plan
        ends = f", {plan.turns} turns" if plan.turns else ""
        goal = f"{plan.goal:g} s" if plan.goal else figures.NOTHING
        numbers = [str(n) for n in (one.entries, one.decisions, one.throws, one.cores)]
        called = f"{plan.title}: {plan.seats} × {plan.bot}{ends}"
        made.append([called, one.by, *numbers, f"{one.cpu:.1f}", f"{one.seconds:.1f}", goal])
    return made


def write(found: Analysed, command: str) -> str:
    """Fill the place of a title in the page; the file that was written."""
    path = figures.docs_folder() / PAGE
    said = f"By `{command}`, on {figures.machine(found.cores)}; its load when that began: {found.load:.1f}."
    body = "\n\n".join(["", figures.markdown_table(rows([found])), said, ""])
    place = f"{COMMAND} {found.plan.title}"
    path.write_text(figures.fill(path.read_text(encoding="utf-8"), place, body), encoding="utf-8")
    return str(PAGE)
