"""The process in which bots think: reads jobs as lines of JSON, answers each with a line.

It thinks at low priority and is the first to go when memory is short.  What it is told is what its seat
may know (`bots.make_job`).
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
import time
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus.core.game import Game
from ludus.core.title import Title

if TYPE_CHECKING:
    from ludus.bots import Bot

MAX_LINE = 4_000_000


def think(job: dict[str, Any]) -> str:
    """The text of the action that a bot plays."""
    from ludus.bots import Chair

    title, bot, form = _bot(job["bot"], job["title"])
    box = title.box_for(job["seats"], job["data"], **job["options"])
    start = bytes.fromhex(job["position"])
    game: Game[Any, Any] = Game(title, box, seed=job["seed"], chance="manual", start=start, form=form)
    _step_back()  # only now: on a busy machine a patient worker would not have loaded its rules in time
    chair = Chair(game, job["seat"], seed=job["seed"], budget=job["seconds"])
    return bot.choose(chair).text


@cache
def _bot(name: str, title_name: str) -> tuple[Title[Any, Any], Bot, str]:
    from ludus import titles as registry
    from ludus.bots import make_bot

    title = registry.title(title_name)
    bot = make_bot(name, title)
    return title, bot, bot.form()


@cache
def _step_back() -> None:
    """People first: less of the processor, and first to go when memory is short."""
    with contextlib.suppress(OSError):
        os.nice(10)
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("800", encoding="ascii")


def _end_with(parent: int) -> None:
    """A server that was killed leaves nobody behind, not even a bot that never stops thinking."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1.0)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def main() -> None:
    _end_with(os.getppid())
    out = sys.stdout
    sys.stdout = sys.stderr  # what a bot prints is no answer
    out.write('{"ready": true}\n')
    out.flush()
    for line in sys.stdin:
        job = json.loads(line)
        try:
            answer = {"action": think(job)}
        except Exception as error:  # whatever a bot does wrong, the next job is another one
            answer = {"error": type(error).__name__}
        out.write(json.dumps(answer) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
