"""The analysis of a match: every decision with what it cost, every throw with its luck, and the sum.

    result = start + skill of each seat + luck

for every seat, exactly.  Luck is what throws moved, by the truth, against the mean over all that they could
have come to.  Skill is what the decisions of a seat moved, by the truth too.  What a decision *cost* is
judged by what its seat knew, against the best that it could have done; the rest of what it moved (`unseen`)
are hidden cards that made it better or worse than it deserved, and that chances expect ordinary play of
everybody.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from queue import SimpleQueue
from typing import Any, cast

from ludus.bots import levels_for
from ludus.core.chance import CHANCE
from ludus.core.errors import LudusError
from ludus.core.forms import make_form
from ludus.core.sight import look_into
from ludus.core.title import Title
from ludus.core.words import Words
from ludus.match.file import MatchFile
from ludus.match.match import Match

from .depth import SHOWN, Depth
from .judges import Bound, Judge, make_judge, number, result_of, turn_of
from .rungs import Rungs
from .strength import strength_of
from .verdicts import BOUNDS, WHOLE, millionths, points, spread, verdict
from .walk import CHOICE, THROW, Leaf, Ply, Stretch, Walk, outcomes

FORMAT = 5
WORDS = Words(Path(__file__).parent / "words")
DECIDES = WHOLE // 100  # what moved less did not decide a match
ENDING = "ending"  # the step with which a match ends that was not played to its end
Row = dict[str, Any]  # one step, as JSON


class NotAnalysed(LudusError):
    """A match that cannot be analysed: why, and what is possible instead, in any language."""

    def __init__(self, key: str, more: str = "") -> None:
        self.key, self.more = key, more
        super().__init__(self.said("en"))

    def said(self, lang: str) -> str:
        return " ".join(part for part in (WORDS.say(lang, f"cannot.{self.key}"), self.more) if part)


def match_of(file: MatchFile) -> Match:
    """The match of a file; NotAnalysed where it cannot be analysed."""
    if file.changed:
        raise NotAnalysed("changed", f"({file.changed})")
    if file.match is None:
        raise NotAnalysed("part")
    check_over(file.match)
    return file.match


def check_over(match: Match) -> None:
    """NotAnalysed while a match goes on."""
    if not match.over:
        raise NotAnalysed("unfinished")


@dataclass(frozen=True)
class Task:
    """What is to be analysed, and how: names the result.  `most`: ends of a throw that are weighed."""

    match: Match
    depth: Depth
    seed: int
    form: str

    @property
    def title(self) -> Title[Any, Any]:
        return self.match.setting.title

    @property
    def whole_turns(self) -> bool:
        """Whether a decision is a whole turn, not one action."""
        return self.title.inputs is not None and self.title.inputs.whole_turns

    def bound(self) -> Bound:
        return cast("Bound", make_form(self.title, self.match.setting.box(), self.form))

    @cached_property
    def walk(self) -> Walk:
        """Throws in turns that are planned as a whole go outcome by outcome: each end is played on."""
        form, match = self.bound(), self.match
        plies = [
            Ply(entry, played.seat, played.code)
            for entry, played in zip(match.standing, match.game.line, strict=True)
        ]
        most = 0 if self.whole_turns else self.depth.outcomes
        return Walk(self.title, form, match.game.start(), plies, most)

    def head(self, judge: Judge) -> Row:
        """What the rows of a result depend on."""
        match = self.match
        lines = "\n".join(entry.line() for entry in match.entries)
        return {
            "analysis": FORMAT,
            "title": self.title.name,
            "rules": self.title.version,
            "box": match.setting.box_hash(),
            "match": hashlib.sha256(lines.encode()).hexdigest(),
            "depth": self.depth.name,
            "seed": self.seed,
            "by": judge.by,
            "judge": judge.digest,
            "slope": judge.known.slope,
            "shifts": list(judge.known.shifts),
            "lapse": judge.known.lapse,
            "trust": judge.known.trust,
            "rough": judge.rough,
            "unit": "turn" if self.whole_turns else "action",
            "steps": len(self.walk.steps),
        }


# -- one step after the other -------------------------------------------------------------------------------


def weigh_step(task: Task, judge: Judge, rungs: Rungs, step: Stretch) -> Row:
    """What is said of one step by itself; `put_together` makes a whole of them."""
    walk, seed = task.walk, task.seed
    s = walk.position(step.first)
    if step.kind == CHOICE:
        before = judge.chances([s], seed, step.mid_turn)[0]
        return {"before": millionths(before), **_choice_row(task, judge, rungs, step, s, before[step.seat])}
    _, leaves = outcomes(walk.form, s, walk.most, step.levels)
    played = Leaf(0.0, walk.position(step.last))
    rows = _weighed(task, judge, s, [*leaves, played])
    mean = [
        sum(leaf.share * row[p] for leaf, row in zip(leaves, rows, strict=False)) for p in range(len(rows[0]))
    ]
    return {"before": millionths(mean), "landed": millionths(rows[-1]), "ends": len(leaves)}


def _weighed(task: Task, judge: Judge, s: Any, leaves: Sequence[Leaf]) -> list[list[float]]:
    """The chances at the ends of a throw; where the turn goes on they are weighed when it is over."""
    now = turn_of(task.title, task.walk.form, s)
    going = [turn_of(task.title, task.walk.form, leaf.s) == now for leaf in leaves]
    found: dict[int, list[float]] = {}
    for mid in (True, False):
        which = [k for k, goes in enumerate(going) if goes == mid]
        rows = judge.chances([leaves[k].s for k in which], task.seed, mid)
        found.update(zip(which, rows, strict=True))
    return [found[k] for k in range(len(leaves))]


def _choice_row(task: Task, judge: Judge, rungs: Rungs, step: Stretch, s: Any, now: float) -> Row:
    seed = number(task.seed, step.first)
    others = rungs.plans(task.walk.form.pack(s), step.seat, task.whole_turns, seed)
    judged = judge.choices(s, step.seat, step.plan, seed, now, also=list(others.values()))
    out = judged.outcome
    order = sorted(
        range(len(judged.plans)), key=lambda i: (i != out.best, -out.chances[i], i != judged.played)
    )
    named = {judged.played, *judged.also}
    kept = [i for rank, i in enumerate(order) if rank < SHOWN or i in named]
    shown = {judged.plans[i][0] for i in kept}
    rest: dict[int, int] = {}  # the best plan of each first action that is not among them
    for i in order:
        if (code := judged.plans[i][0]) not in shown:
            rest.setdefault(code, round(out.chances[i] * WHOLE))
    return {
        "asked": asked_of(task, step.seat, s),
        "cost": round(out.cost * WHOLE),
        "doubt": round(out.doubt * WHOLE),
        "played": kept.index(judged.played),
        "tried": len(judged.plans),
        "options": [
            {"plan": [*judged.plans[i]], "chance": round(out.chances[i] * WHOLE)} for i in kept
        ],
        "others": [[code, chance] for code, chance in rest.items()],
        "rungs": {name: kept.index(i) for name, i in zip(others, judged.also, strict=True)},
    }  # fmt: skip


def asked_of(task: Task, seat: int, s: Any) -> str:
    """What kind of decision it was: what the seat was asked (`prompt.KEY` of the title's words)."""
    title, form = task.title, task.walk.form
    box: Any = form.box
    sight = look_into(
        title.position, form.plain(s), box, seat, title.seats_of(box), seat, title.labels(box)
    )  # fmt: skip
    return title.talk.prompt(sight)


def weigh_all(
    task: Task,
    known: dict[int, Row],
    tell: Callable[[int, Row], None] = lambda n, row: None,
    cores: int = 1,
    stop: Callable[[], bool] = lambda: False,
) -> dict[int, Row]:
    """All rows, those that are known already left out; `tell` is told of each in the order of the steps.

    Several think beside each other in compiled form, each with a judge of its own.
    """
    left = [n for n in range(len(task.walk.steps)) if n not in known]
    judges: SimpleQueue[tuple[Judge, Rungs]] = SimpleQueue()
    count = max(1, cores if task.form == "compiled" else 1)
    for _ in range(min(count, max(1, len(left)))):
        form = task.bound()
        judges.put((make_judge(task.title, form, task.depth), Rungs(task.title, form)))

    def one(n: int) -> Row | None:
        if stop():
            return None
        judge = judges.get()
        try:
            return weigh_step(task, *judge, task.walk.steps[n])
        finally:
            judges.put(judge)

    rows = dict(known)
    with ThreadPoolExecutor(count) as pool:
        for n, row in zip(left, pool.map(one, left), strict=True):
            if row is None:
                break
            rows[n] = row
            tell(n, row)
    return rows


# -- the whole ----------------------------------------------------------------------------------------------


def put_together(task: Task, judge: Judge, rows: dict[int, Row]) -> Row:
    """The result of an analysis: the steps in their order with what each brought to whom, and the sums."""
    walk, match = task.walk, task.match
    seats = match.setting.seats
    assert match.result is not None
    result = millionths(_shares(match))
    last = millionths(result_of(walk.form, walk.position(len(walk.plies)))) if walk.over else None
    befores = [rows[n]["before"] for n in range(len(walk.steps))]
    end = last or (_present(task, judge) if walk.steps else millionths([1.0] * seats))
    afters = [*befores[1:], end]
    steps = [
        _whole_step(task, step, rows[n], after)
        for n, (step, after) in enumerate(zip(walk.steps, afters, strict=True))
    ]
    if end != result:
        steps.append(_ending(match, end, result))
    start = befores[0] if befores else end
    return {
        **task.head(judge),
        "names": list(match.names),
        "options": dict(match.setting.options),
        "start": start,
        "result": result,
        "ending": match.ending,
        "seats": [_seat_row(judge, levels_for(task.title), steps, p) for p in range(seats)],
        "dice": dice_of(task),
        "decisive": decisive(steps),
        "rows": steps,
    }


def _present(task: Task, judge: Judge) -> list[int]:
    """The chances where a match stands that was not played to its end."""
    return millionths(judge.chances([task.walk.position(len(task.walk.plies))], task.seed)[0])


def _shares(match: Match) -> list[float]:
    assert match.result is not None
    most = max(match.result)
    first = sum(r == most for r in match.result)
    return [1 / first if r == most else 0.0 for r in match.result]


def _whole_step(task: Task, step: Stretch, row: Row, after: list[int]) -> Row:
    """A step with what it brought: cost or luck, and what nobody could foresee."""
    plies = task.walk.plies
    before = row["before"]
    if step.kind == CHOICE:
        brought = spread(row["cost"], step.seat, before)
    else:
        brought = [a - b for a, b in zip(row["landed"], before, strict=True)]
    unseen = [a - b - c for a, b, c in zip(after, before, brought, strict=True)]
    facts = {"kind": step.kind, "seat": step.seat, "entry": plies[step.first].entry}
    facts |= {"until": plies[step.last - 1].entry, "after": after, "brought": brought, "unseen": unseen}
    if step.kind == CHOICE:
        facts["class"] = verdict(row["cost"], row["doubt"])
    return {**facts, **row}


def _ending(match: Match, end: list[int], result: list[int]) -> Row:
    """How a match ended that was not played to its end: whoever gave up pays for it; a draw was agreed."""
    gone = [p for p, status in enumerate(match.status) if status != "playing"]
    brought = [r - e for r, e in zip(result, end, strict=True)]
    seat = gone[-1] if match.ending != "agreed" and gone else CHANCE
    found = {"kind": ENDING, "seat": seat, "entry": len(match.entries), "until": len(match.entries)}
    cost = max(0, -brought[seat]) if seat >= 0 else 0
    found |= {"before": end, "after": result, "brought": brought, "unseen": [0] * len(end), "cost": cost}
    return found | {"class": verdict(cost)}


def _seat_row(judge: Judge, levels: Sequence[str], steps: Sequence[Row], p: int) -> Row:
    """What one seat has of it all: its chance at the start, and what came to it through whom."""
    own = [row for row in steps if row["kind"] == CHOICE and row["seat"] == p]
    seats = len(steps[0]["before"]) if steps else 0
    chosen = [row for row in steps if row["kind"] != THROW]
    error = points(sum(row["cost"] for row in own)) / len(own) if own else None
    rungs = () if judge.rough else judge.known.rungs  # measured with this judge
    strength = strength_of([points(row["cost"]) for row in own], rungs, levels)
    classes: dict[str, int] = {}
    for row in own:
        classes[row["class"]] = classes.get(row["class"], 0) + 1
    return {
        "decisions": len(own),
        "error": None if error is None else round(error, 3),
        "elo": None if strength is None else strength.elo,
        "between": None if strength is None else [strength.low, strength.high],
        "near": "" if strength is None else strength.near,
        "classes": classes,
        "skill": [sum(_moved(row, p) for row in chosen if row["seat"] == q) for q in range(seats)],
        "agreed": sum(_moved(row, p) for row in chosen if row["seat"] == CHANCE),
        "luck": sum(_moved(row, p) for row in steps if row["kind"] == THROW),
        "cost": sum(row["cost"] for row in own),
        "rungs": _as_rungs(own),
    }


def _as_rungs(own: Sequence[Row]) -> dict[str, int]:
    """How often a seat chose what each rung would have chosen."""
    found: dict[str, int] = {}
    for row in own:
        for name, place in row["rungs"].items():
            found[name] = found.get(name, 0) + (place == row["played"])
    return found


def _moved(row: Row, p: int) -> int:
    """By how much a step moved the chance of a seat."""
    return int(row["brought"][p] + row["unseen"][p])


def decisive(steps: Sequence[Row], most: int = 3) -> dict[str, list[int]]:
    """The decisions that cost most, and the throws that moved most, by their places among the steps; what
    moved next to nothing decided nothing, and of throws that are told together there is one."""

    def moved(n: int) -> int:
        row = steps[n]
        return int(row["cost"]) if row["kind"] != THROW else max(abs(x) for x in row["brought"])

    found = {}
    for name, throw in (("choices", False), ("throws", True)):
        places = [n for n, row in enumerate(steps) if (row["kind"] == THROW) == throw and moved(n) >= DECIDES]
        places = [n for n in places if steps[n].get("class") != BOUNDS[0][0]]
        runs: dict[int, int] = {}
        for n in sorted(places, key=lambda n: -moved(n)):
            runs.setdefault(_run(steps, n) if throw else n, n)
        found[name] = sorted([*runs.values()][:most])
    return found


def _run(steps: Sequence[Row], n: int) -> int:
    """Where the throws begin that follow each other up to this one."""
    while n and steps[n - 1]["kind"] == THROW:
        n -= 1
    return n


def dice_of(task: Task) -> list[Row]:
    """How often each outcome of a kind came in whose turn, and how often it was to be expected."""
    walk, codes = task.walk, task.title.codes
    labels = task.match.game.labels
    tally: dict[tuple[str, int], dict[str, list[float]]] = {}
    for step in walk.steps:
        if step.kind == CHOICE:
            continue
        for k in range(step.first, step.last):
            odds = walk.form.odds(walk.position(k))
            mass = sum(weight for _, weight in odds)
            kind = codes.split(walk.plies[k].code)[0]
            counts = tally.setdefault((kind, step.seat), {})
            for code, weight in odds:
                count = counts.setdefault(codes.text(code, labels), [0, 0.0])
                count[0] += code == walk.plies[k].code
                count[1] += weight / mass
    return [
        {"kind": kind, "seat": seat, "outcomes": [[t, n, round(x, 2)] for t, (n, x) in counts.items()]}
        for (kind, seat), counts in tally.items()
        if len(counts) <= 12
    ]


def to_json(found: Row) -> str:
    """A result as text, the same bytes for the same numbers."""
    return json.dumps(found, ensure_ascii=False, separators=(",", ":"), sort_keys=True) + "\n"
