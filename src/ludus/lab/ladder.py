"""The ladder: every bot of ours against the one below, in every setting that a title names for it; so the
levels for people.

`ludus arena ladder TITLE` plays it and writes `docs/ladder.md`: tables with intervals, the commands that play
the same games, and a picture a title.  A rung stands when its whole interval lies above the fair share.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus import titles as registry
from ludus.bots import find_bot, rungs
from ludus.bots.levels import LEVELS
from ludus.core.errors import FormatError
from ludus.core.title import Title

from . import arena, figures, scoring
from .arena import Plan, PlayedGame
from .scoring import Estimate

if TYPE_CHECKING:
    from .cluster import Cluster

PAGE = Path("docs/ladder.md")
COMMAND = "ludus arena ladder"
PAPER, INK, GREY, BEIGE, BROWN = "#fbf7ee", "#33291f", "#b9ad9a", "#e3d3b1", "#8a4b20"
QUICK = 1.0  # seconds: a game that takes less is played often
LEFT, SPAN = 370, 390  # where the bars of the picture begin, and how long the longest is


@dataclass(frozen=True)
class Step:
    """One rung against the one below, played."""

    plan: Plan
    games: Sequence[PlayedGame]

    @property
    def upper(self) -> str:
        return self.plan.bots[0]

    @property
    def lower(self) -> str:
        return self.plan.bots[1]

    @property
    def setting(self) -> str:
        """The setting in words.

        >>> Step(Plan("TITLE", ("miles", "tiro"), 1, 1, {"board": "small"}), ()).setting
        '2 seats, board small'
        """
        options = (f"{name} {value}" for name, value in self.plan.options.items())
        return ", ".join((f"{self.plan.seats} seats", *options))

    @cached_property
    def report(self) -> dict[str, Any]:
        return arena.report(self.plan, self.games)

    @cached_property
    def share(self) -> Estimate:
        return arena.score(self.plan, self.games, self.upper)

    @property
    def elo(self) -> Estimate:
        return scoring.elo_between(self.share, self.plan.fair)

    @property
    def stands(self) -> bool:
        """Whether the upper rung is shown to be the stronger one."""
        return (self.share.low or 0.0) > self.plan.fair

    @property
    def sentence(self) -> str:
        fair = f"{self.plan.fair:.0%} would be fair"
        score = f"{_percent(self.share)} of {len(self.games)} games, {fair}"
        verb = "is stronger than" if self.stands else "is not shown to be stronger than"
        return f"{self.plan.title}, {self.setting}: {self.upper} {verb} {self.lower} ({score})"

    def command(self) -> str:
        """What plays the same games."""
        plan = self.plan
        words = ["ludus arena", plan.title, "--bots", shlex.quote(",".join(plan.bots))]
        words += [f"--games {plan.games}", f"--seed {plan.seed}"]
        words += [f"--option {shlex.quote(f'{name}={value}')}" for name, value in plan.options.items()]
        words += [f"--budget {plan.budget:g}"] if plan.budget is not None else []
        return " ".join(words)


def plans(
    title: str,
    games: int,
    seed: int,
    budget: float | None = None,
    only: Sequence[str] = (),
    seats: int | None = None,
) -> list[Plan]:
    """All steps of a title's ladder, from the lowest; `only` names other rungs than ours, weakest first,
    `seats` the settings that are played."""
    found = registry.title(title)
    steps = list(pairwise(only)) if only else pairs(found)
    if not steps:
        raise FormatError(f"a ladder has two rungs at least, and {title} has fewer")
    made = []
    for setting in found.ladder:
        given, options = _split(setting)
        number, _ = found.read_setting(given, options)
        if seats not in (None, number):
            continue
        for lower, upper in steps:
            bots = [upper, *[lower] * (number - 1)]
            made.append(arena.make_plan(title, bots, games, seed, options, budget=budget))
    if not made:
        raise FormatError(f"the ladder of {title} has no setting for {seats} seats")
    return made


def pairs(title: Title[Any, Any]) -> list[tuple[str, str]]:
    """Who plays whom, the lower one first: along our rungs, then along the levels for people."""
    levels = [name for name in LEVELS if find_bot(name).can_play(title)]
    return list(dict.fromkeys((*pairwise(rungs(title)), *pairwise(levels))))


def _split(setting: Mapping[str, Any]) -> tuple[int | None, dict[str, Any]]:
    return setting.get("seats"), {name: value for name, value in setting.items() if name != "seats"}


def play(
    wanted: Sequence[Plan],
    folder: Path | None = None,
    begin: Callable[[Plan], Callable[[int], None]] = lambda plan: lambda games: None,
    workers: int | None = None,
    cluster: Cluster | None = None,
    slow: int = 0,
) -> Iterator[Step]:
    """Play steps, one after the other; with a folder, a file for each, so that a stopped ladder goes on.

    `begin` is told of each step before it is played, and gives what is told of its games.  With `slow`, so
    many games are played where the bots think longer than a second a game, and all of them elsewhere.
    """
    for plan in wanted:
        out = folder / f"{_file_name(plan)}.jsonl" if folder is not None else None

        def games_of(plan: Plan, out: Path | None = out) -> list[PlayedGame]:
            return arena.run(plan, out, begin(plan), workers, cluster=cluster)

        few = replace(plan, games=min(slow or plan.games, plan.games))
        games = games_of(few)
        if few != plan and _are_quick(games):
            few, games = plan, games_of(plan)
        yield Step(few, games)


def _are_quick(games: Sequence[PlayedGame]) -> bool:
    return sum(sum(game.seconds) for game in games) < QUICK * len(games)


def _file_name(plan: Plan) -> str:
    """A name that tells steps of all ladders apart."""
    options = (f"{name}-{value}" for name, value in plan.options.items())
    words = (plan.title, *plan.bots[:2], str(plan.seats), *options)
    return "_".join(re.sub(r"[^\w.-]+", "-", word) for word in words)


# -- the page -----------------------------------------------------------------------------------------------


def write(title: str, steps: Sequence[Step], command: str, workers: int | None = None) -> list[str]:
    """Fill the place of a title in the page, and draw its picture; the files that were written."""
    folder = figures.docs_folder()
    drawing = Path(f"docs/pictures/ladder-{title}.svg")
    (folder / drawing).write_text(picture(title, steps), encoding="utf-8")
    mark, path = f"{COMMAND} {title}", folder / PAGE
    text = path.read_text(encoding="utf-8") if path.exists() else "# The ladder\n"
    if f"<!-- {mark} -->" not in text:
        text = f"{text.rstrip()}\n\n## {_shown(title)}\n\n<!-- {mark} -->\n{figures.END}\n"
    body = markdown(title, steps, command, workers or os.cpu_count() or 1)
    path.write_text(figures.fill(text, mark, body), encoding="utf-8")
    return [str(PAGE), str(drawing)]


def markdown(title: str, steps: Sequence[Step], command: str, workers: int) -> str:
    """Picture, tables and commands, as they stand in the page."""
    head = ["rung", "over", "games", "score", "fair", "Elo", "CPU ms", "ms", "actions", "turns"]
    parts = [f"![The ladder of {_shown(title)}](pictures/ladder-{title}.svg)"]
    for setting in dict.fromkeys(step.setting for step in steps):
        rows = [_row(step) for step in steps if step.setting == setting]
        parts += [f"**{setting}**", figures.markdown_table([head, *rows])]
    parts.append("The same games:\n\n```sh\n" + "\n".join(step.command() for step in steps) + "\n```")
    parts.append(f"By `{command}`, on {figures.machine(workers)}.")
    return "\n\n".join(["", *parts, ""])


def _row(step: Step) -> list[str]:
    bot, elo = step.report["bots"][step.upper], step.elo
    cpu = bot["cpu_ms_per_move"]
    without = "∞" if step.share.value else "-∞"
    return [
        step.upper,
        step.lower if step.plan.seats == 2 else f"{step.plan.seats - 1} {step.lower}",
        str(len(step.games)),
        _percent(step.share),
        f"{100 * step.plan.fair:.0f} %",
        f"{_signed(elo.value, without)} ({_signed(elo.low, '-∞')} to {_signed(elo.high, '∞')})",
        figures.NOTHING if cpu is None else f"{cpu:.2f}",
        f"{bot['ms_per_move']:.2f}",
        _spread(step.report["length"]),
        _spread(step.report["turns"]),
    ]


def _percent(share: Estimate) -> str:
    value, low, high = (100 * (end or 0.0) for end in share)
    return f"{value:.1f} % ({low:.1f} to {high:.1f})"


def _signed(number: float | None, without: str) -> str:
    return without if number is None else f"{number:+.0f}"


def _spread(found: Mapping[str, float] | None) -> str:
    return figures.NOTHING if found is None else f"{found['median']:g} (at most {found['worst']:g})"


def _shown(title: str) -> str:
    return registry.title(title).words.say("en", "name")


# -- the picture --------------------------------------------------------------------------------------------


def picture(title: str, steps: Sequence[Step]) -> str:
    """Elo over the rung below with its interval, a row for each step; what has no end goes to the edge."""
    height = 74 + 34 * len(steps)
    ends = [end for step in steps for end in step.elo]
    most = max(200.0, *(end for end in ends if end is not None and end < 1000)) * (1.1 if None in ends else 1)
    lowest = min(0.0, *(max(-most, step.elo.low or 0.0) for step in steps))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 {height}" font-family="Georgia, serif">',
        f"<title>The ladder of {_shown(title)}: Elo over the rung below</title>",
        f'<rect width="800" height="{height}" fill="{PAPER}"/>',
        _text(20, 28, f"The ladder of {_shown(title)}: Elo over the rung below", 17),
    ]

    def place(elo: float) -> float:
        return LEFT + SPAN * (min(max(elo, lowest), most) - lowest) / (most - lowest)

    for elo in range(int(lowest // 100) * 100, int(most) + 1, 100 if most - lowest < 900 else 200):
        if elo >= lowest:
            parts.append(
                f'<path d="M {place(elo):.0f} 56 V {height - 12}" stroke="{GREY}" stroke-width="0.5"/>'
            )
            parts.append(_text(place(elo) - 8, 50, f"{elo:+d}" if elo else "0", 12))
    for n, step in enumerate(steps):
        parts += _bar(step, 64 + 34 * n, place, lowest, most)
    return "\n".join([*parts, "</svg>", ""])


def _bar(step: Step, y: int, place: Callable[[float], float], lowest: float, most: float) -> Iterator[str]:
    low, high = step.elo.low, step.elo.high
    left, right = place(lowest if low is None else low), place(most if high is None else high)
    yield _text(20, y + 14, f"{step.upper} over {step.lower}")
    yield _text(195, y + 14, step.setting, 11)
    yield f'<rect x="{left:.0f}" y="{y}" width="{max(2, right - left):.0f}" height="18" fill="{BEIGE}"/>'
    value = step.elo.value
    if value is None:
        yield _text(right + 5, y + 14, "-∞" if low is None else "∞")
    else:
        yield f'<circle cx="{place(value):.0f}" cy="{y + 9}" r="5" fill="{BROWN if step.stands else GREY}"/>'


def _text(x: float, y: float, words: str, size: int = 14) -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" fill="{INK}" font-size="{size}">{escape(words)}</text>'
