"""The smallest title that can be taught, and bots, in whose middle a worker of a cluster dies: once, where
the file that MORTAL names is not there yet.  In plain form only."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import taught
from ludus.bots import Bot, Chair
from ludus.core.game import Action


def die_once() -> None:
    """End this process, if it is one of Ray's and none has died yet."""
    if "RAY_JOB_ID" not in os.environ:
        return
    try:
        Path(os.environ["MORTAL"]).touch(exist_ok=False)
    except FileExistsError:
        return
    os.kill(os.getpid(), signal.SIGKILL)


class Mortal(Bot):
    """Plays the last action that it may; in the middle of a game its worker dies."""

    def choose(self, chair: Chair) -> Action:
        if len(chair._game.line) > 8:
            die_once()
        return chair.legal()[-1]


class Doomed(Bot):
    """Every worker dies of it."""

    def choose(self, chair: Chair) -> Action:
        if "RAY_JOB_ID" in os.environ:
            os.kill(os.getpid(), signal.SIGKILL)
        return chair.legal()[-1]


def features(s: Any, box: Any, seat: int, idx: Any, val: Any) -> int:
    if s.marks == 5:
        die_once()
    return taught.features(s, box, seat, idx, val)


TITLE = replace(taught.TITLE, name="mortal", inputs=replace(taught.INPUTS, features=features))
