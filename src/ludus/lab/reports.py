"""Balance reports: `ludus TITLE report` lets a bot play itself in many settings, and tells of it.

A title has a report when its folder has a `report.py` with SETTINGS, `play`, `markdown`, `picture`.  What is
common stands in this module, and it is all of the platform that a report may import: a game and a player,
many games on all cores, taken up where they were left, the page `docs/TITLE-report.md` and the picture
beside it.  Everything the page says is made from the games.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from ludus import titles as registry
from ludus.bots import Chair, make_bot
from ludus.core import compilation
from ludus.core.errors import FormatError, LudusError
from ludus.core.game import Action, Game
from ludus.core.title import Title

from .figures import END, docs_folder, fill
from .scoring import wilson
from .workers import spread

__all__ = [
    "Facts", "Found", "Report", "Variation", "new_game", "player_of", "report_of", "rows_of", "run", "share",
    "wilson", "write",
]  # fmt: skip

FORMAT = 1
Facts = Mapping[str, Any]  # what one game showed, as JSON
Found = Mapping[str, Sequence[Facts]]  # by the name of its setting


@dataclass(frozen=True)
class Variation:
    """One row of a report: what is played, by which name the row is known."""

    name: str
    options: tuple[tuple[str, Any], ...] = ()
    seats: int | None = None
    data: str = ""  # own data, where no option says it


class Report(Protocol):
    """What the module `report.py` of a title offers."""

    SETTINGS: Sequence[Variation]

    def play(self, setting: Variation, bot: str, seed: int) -> dict[str, Any]:
        """One game of the bot against itself."""

    def markdown(self, found: Found, bot: str) -> str:
        """Tables, and sentences made from them."""

    def picture(self, found: Found, bot: str) -> str:
        """The same as SVG."""


def report_of(title: str) -> Report:
    """The report of a title; FormatError when it has none, LudusError when there is no such title."""
    registry.title(title)
    found: Report | None = registry.part(title, "report")
    if found is None:
        raise FormatError(f"there is no balance report for {title}")
    return found


# -- one game -----------------------------------------------------------------------------------------------


def new_game(title: Title[Any, Any], setting: Variation, seed: int) -> Game[Any, Any]:
    """A game of a setting, compiled where that is possible."""
    form = "compiled" if compilation.has_numba() else "plain"
    options = {**title.simulation, **dict(setting.options)}
    return title.new(seed=seed, seats=setting.seats, form=form, data=setting.data, **options)


def player_of(title: Title[Any, Any], bot: str) -> Callable[[Game[Any, Any], int], Action]:
    """What a bot plays for whoever is to move, by a game and the seed of its thoughts."""
    player = make_bot(bot, title)
    return lambda game, seed: player.choose(Chair(game, game.to_move, seed=seed))


# -- many games ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Job:
    title: str
    bot: str
    setting: int
    seed: int


def play_job(job: Job) -> dict[str, Any]:
    report = report_of(job.title)
    return report.play(report.SETTINGS[job.setting], job.bot, job.seed)


def run(
    title: str,
    bot: str,
    games: int,
    seed: int,
    out: Path | None = None,
    progress: Callable[[int], None] = lambda games: None,
    workers: int | None = None,
) -> Found:
    """So many games of every setting, with the same seeds; those that lie in `out` are not played again."""
    settings = report_of(title).SETTINGS
    jobs = [Job(title, bot, k, seed * 100_003 + n) for n in range(games) for k in range(len(settings))]
    done = _read(out, title, bot)
    progress(sum(_key(job) in done for job in jobs))
    left = [job for job in jobs if _key(job) not in done]
    for job, facts in _play_all(left, workers or os.cpu_count() or 1):
        done[_key(job)] = facts
        _keep(out, job, facts)
        progress(1)
    return {
        setting.name: [done[_key(job)] for job in jobs if job.setting == k]
        for k, setting in enumerate(settings)
    }


def _play_all(jobs: list[Job], workers: int) -> Iterator[tuple[Job, dict[str, Any]]]:
    if workers == 1 or len(jobs) < 2:
        yield from ((job, play_job(job)) for job in jobs)
        return
    if compilation.has_numba():
        yield jobs[0], play_job(jobs[0])  # compiled once, before the workers start
        jobs = jobs[1:]
    yield from spread(play_job, jobs, workers)


def _key(job: Job) -> tuple[int, int]:
    return job.setting, job.seed


def _head(title: str, bot: str) -> dict[str, Any]:
    settings = [setting.name for setting in report_of(title).SETTINGS]
    version = registry.title(title).version
    return {"report": FORMAT, "title": title, "rules": version, "bot": bot, "settings": settings}


def _read(out: Path | None, title: str, bot: str) -> dict[tuple[int, int], Facts]:
    """What an earlier run has finished; a half-written last line is ignored."""
    if out is None:
        return {}
    try:
        if not out.exists():
            out.write_text(json.dumps(_head(title, bot)) + "\n", encoding="utf-8")
        head, *lines = out.read_text(encoding="utf-8", errors="replace").splitlines() or [""]
    except OSError as error:
        raise LudusError(f"{out}: {error.strerror}") from None
    done: dict[tuple[int, int], Facts] = {}
    if head != json.dumps(_head(title, bot)):
        raise FormatError("this file holds games of another report; choose another name", source=str(out))
    for line in lines:
        try:
            row = json.loads(line)
            done[int(row["setting"]), int(row["seed"])] = dict(row["game"])
        except (ValueError, KeyError, TypeError):
            continue
    return done


def _keep(out: Path | None, job: Job, facts: Facts) -> None:
    if out is not None:
        row = json.dumps({"setting": job.setting, "seed": job.seed, "game": facts})
        with out.open("a", encoding="utf-8") as file:
            file.write(f"{row}\n")


# -- words and pages ----------------------------------------------------------------------------------------


def share(hits: int, of: int) -> str:
    """A share with its 95 % interval.

    >>> share(3, 4)
    '75 % (30 to 95)'
    """
    low, high = wilson(hits, of)
    return f"{100 * hits / max(1, of):.0f} % ({100 * low:.0f} to {100 * high:.0f})"


def rows_of(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows))


def write(title: str, found: Found, bot: str, command: str) -> list[str]:
    """Fill the page of a title between its marks, and draw the picture; the files that were written."""
    report, folder = report_of(title), docs_folder()
    page, drawing = Path(f"docs/{title}-report.md"), Path(f"docs/pictures/{title}-report.svg")
    mark = f"ludus {title} report"
    path = folder / page
    text = path.read_text(encoding="utf-8") if path.exists() else f"<!-- {mark} -->\n{END}\n"
    body = f"\nWritten by `{command}`.\n\n{report.markdown(found, bot)}\n"
    path.write_text(fill(text, mark, body), encoding="utf-8")
    (folder / drawing).write_text(report.picture(found, bot), encoding="utf-8")
    return [str(page), str(drawing)]
