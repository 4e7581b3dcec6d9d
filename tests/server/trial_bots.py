"""Bots that crash, sleep, never stop, cheat or babble, and one that remembers: no match may stand still."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from ludus.bots import Bot, Chair
from ludus.core.game import Action

NAMES = ["Crash", "Sleep", "Spin", "Illegal", "Garbage", "Diary"]
PROGRAM = f"trial-program=exec:{sys.executable} {Path(__file__).with_name('trial_program.py')}"
ENVIRONMENT = ",".join([*(f"trial-{name.lower()}=trial_bots:{name}" for name in NAMES), PROGRAM])


class Crash(Bot):
    def choose(self, chair: Chair) -> Action:
        os._exit(3)


class Sleep(Bot):
    def choose(self, chair: Chair) -> Action:
        time.sleep(3600)
        raise AssertionError


class Spin(Bot):
    def choose(self, chair: Chair) -> Action:
        while True:
            pass


class Illegal(Bot):
    def choose(self, chair: Chair) -> Action:
        legal = {action.code for action in chair.legal()}
        code = next(code for code in range(chair.title.codes.size) if code not in legal)
        return Action(code, chair.title.codes, chair.title.labels(chair.box))


class Garbage(Bot):
    def choose(self, chair: Chair) -> Action:
        os.write(1, b"not json\n")  # past Python: the pipe that carries the answers
        time.sleep(3600)
        raise AssertionError


class Diary(Bot):
    """Plays the first action when it is asked first, the second when it is asked again, and so on."""

    def choose(self, chair: Chair) -> Action:
        asked: int = chair.memory.get("asked", 0)
        chair.memory["asked"] = asked + 1
        return chair.legal()[asked]
