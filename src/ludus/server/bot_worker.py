"""The process in which bots think: reads jobs as lines of JSON, answers each with a line.

It thinks at low priority and is the first to go when memory is short.  What it is told is what its seat
may know (`bots.make_job`).
"""

from __future__ import annotations

import contextlib
import json
import math
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
LOOK_AGAIN = 10.0  # seconds between looks whether machine code lies ready
STAND_IN_SECONDS = 0.3  # for whoever plays in the place of a bot that has used up its time


def answer(job: dict[str, Any]) -> dict[str, Any]:
    """What is played, and by whom if the bot has failed."""
    from ludus import titles as registry
    from ludus.bots import BotFailed, stand_in

    try:
        thought = think(job)
        if thought["action"] in job["legal"]:
            return thought
        outcome = "refused"
    except BotFailed as error:
        outcome = error.outcome
    except Exception:  # whatever a bot does wrong, the match goes on
        outcome = "crashed"
    other = stand_in(registry.title(job["title"]))
    try:
        seconds = min(job["seconds"], STAND_IN_SECONDS)
        thought = think({**job, "bot": other, "seconds": seconds, "memory": {}})
    except Exception:
        return {"outcome": outcome}  # nobody can play here: chance will
    return {"action": thought["action"], "outcome": outcome, "stand_in": other}


def think(job: dict[str, Any]) -> dict[str, Any]:
    """What a bot answers: the text of the action that it plays, and what it writes down for itself."""
    from ludus.bots import Chair

    place = _place(job["bot"], job["title"])
    bot, form = place.player()
    box = place.title.box_for(job["seats"], job["data"], **job["options"])
    start = bytes.fromhex(job["position"])
    game: Game[Any, Any] = Game(place.title, box, seed=job["seed"], chance="manual", start=start, form=form)
    _step_back()  # only now: on a busy machine a patient worker would not have loaded its rules in time
    chair = Chair(
        game,
        job["seat"],
        job["seed"],
        job["seconds"],
        job["memory"],
        job["others"],
        job["cores"],
        limit=job["limit"],
        options=job["options"],
    )
    action = bot.choose(chair).text
    return {"action": action, "memory": chair.memory}


class _Place:
    """A bot at a title; while its machine code is being made, another one plays for it."""

    def __init__(self, name: str, title_name: str) -> None:
        from ludus import titles as registry
        from ludus.bots import make_bot

        self.title: Title[Any, Any] = registry.title(title_name)
        self._bot = make_bot(name, self.title)
        self._playing: tuple[Bot, str] | None = None
        self._again = 0.0

    def player(self) -> tuple[Bot, str]:
        """Who plays now, and in which form of the rules."""
        from ludus.bots import who_plays

        if self._playing is None or time.monotonic() > self._again:
            player = who_plays(self._bot)
            self._playing = player, player.form()
            settled = self._playing == (self._bot, "compiled")
            self._again = math.inf if settled else time.monotonic() + LOOK_AGAIN
        return self._playing


@cache
def _place(name: str, title_name: str) -> _Place:
    return _Place(name, title_name)


@cache
def _step_back() -> None:
    """People first: less of the processor, and first to go when memory is short."""
    with contextlib.suppress(OSError):
        os.nice(10)
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("800", encoding="ascii")


def end_with(parent: int) -> None:
    """A server that was killed leaves nobody behind, not even a bot that never stops thinking."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1.0)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def main() -> None:
    end_with(os.getppid())
    out = sys.stdout
    sys.stdout = sys.stderr  # what a bot prints is no answer
    out.write('{"ready": true}\n')
    out.flush()
    for line in sys.stdin:
        out.write(json.dumps(answer(json.loads(line))) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
