"""Bots think in processes of their own: a deadline, a fallback, and no way to slow people down.

A bot is told a re-dealt position: what its seat knows, the rest made up, and what it wrote down for itself
earlier in the match.  For a bot that fails, one of ours that is quick plays on; a worker that dies or does
not answer in time is killed and replaced, and a legal move at random is played instead.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ludus import bots
from ludus import titles as registry
from ludus.core.chance import seed_rng
from ludus.core.contract import MAX_SEATS
from ludus.match.match import Match

from . import logs
from .bot_worker import MAX_LINE

OUTCOMES = ("played", "late", "crashed", "refused")
START_SECONDS = 30.0  # a worker may take this long to start: imports, compiled rules
MAX_MEMORY = 16_000  # characters that a bot may write down for itself at a table; more is forgotten


def bot_names(title: str) -> list[str]:
    """The bots that can sit down at a title, weakest first."""
    return bots.bots_for(registry.title(title))


def default_bot(title: str) -> str:
    """Who sits down when nobody in particular was asked for."""
    return bots.default_bot(registry.title(title))


def level_names(title: str) -> list[str]:
    """Whom people choose from, weakest first."""
    return bots.levels_for(registry.title(title))


def substitute(title: str) -> str:
    """Who plays on for somebody who has left."""
    return bots.substitute(registry.title(title))


def name_at_table(bot: str, names: Sequence[str]) -> str:
    """What a bot is called at a seat; the others are called `names`.

    >>> name_at_table("miles", ["Anna", "miles (bot)"])
    'miles II (bot)'
    """
    every = (f"{bots.told_apart(bot, before)} (bot)" for before in range(MAX_SEATS))
    return next(name for name in every if name not in names)


@dataclass(frozen=True)
class Thought:
    """What came out: the action to play, whether it is the bot's own, and what the bot wrote down."""

    action: str
    outcome: str  # one of OUTCOMES
    stand_in: str = ""  # the bot that played in its place; "" for chance
    memory: dict[str, Any] = field(default_factory=dict)


class Memories:
    """What the bots of a table wrote down for themselves: kept here alone, never stored and never told."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[str, int, dict[str, Any]]] = {}

    def of(self, match: Match, seat: int, bot: str) -> dict[str, Any]:
        """What the bot of a seat noted at its last decision, if that was played and nothing since: another
        process may play for it, too, and a move that was not taken changes nothing."""
        owner, played, memory = self._kept.get(seat, ("", 0, {}))
        return memory if (owner, played) == (bot, _played(match, seat)) else {}

    def keep(self, match: Match, seat: int, bot: str, memory: dict[str, Any]) -> None:
        """What it noted at a decision that is about to be played."""
        self._kept.pop(seat, None)
        if len(json.dumps(memory)) <= MAX_MEMORY:
            self._kept[seat] = (bot, _played(match, seat) + 1, memory)


def _played(match: Match, seat: int) -> int:
    """How often a seat has acted, taken back or not."""
    return sum(entry.who == seat for entry in match.entries)


def make_job(match: Match, seat: int, bot: str, memory: dict[str, Any] | None = None) -> dict[str, Any]:
    """All that a bot is told.  Holds nothing that its seat may not know."""
    game, setting = match.game, match.setting
    rng = [0, 0, 0, 0]
    seed_rng(rng, secrets.randbits(64), secrets.randbits(32))
    imagined = game.form.copy(game.s)
    game.form.redeal(imagined, seat, rng)
    return {
        "bot": bot,
        "title": setting.title.name,
        "seats": setting.seats,
        "options": dict(setting.options),
        "data": setting.data,
        "seat": seat,
        "position": game.form.pack(imagined).hex(),
        "legal": [action.text for action in game.legal()],
        "seed": secrets.randbits(62),
        "memory": memory or {},
        # All that the seat did not do itself, undone or not: a plan of before an undo is none after it.
        "others": sum(entry.who != seat for entry in match.entries),
    }


class BotPool:
    """So many workers; jobs wait in line for the next idle one."""

    def __init__(self, workers: int, seconds: float, think: float) -> None:
        self.size = workers or max(1, (os.cpu_count() or 2) - 1)
        self.seconds, self.budget = seconds, think
        self.waiting = 0
        self._idle: asyncio.Queue[_Worker] = asyncio.Queue()
        self._all: set[_Worker] = set()

    def start(self) -> None:
        """Workers start when they are first needed."""
        for number in range(self.size):
            worker = _Worker(number)
            self._all.add(worker)
            self._idle.put_nowait(worker)

    async def think(self, job: dict[str, Any]) -> Thought:
        """The bot's move; never raises, never takes longer than its turn in line and the deadline."""
        self.waiting += 1
        try:
            worker = await self._idle.get()
        finally:
            self.waiting -= 1
        # Many bots share the time: a line that never moves helps nobody.
        wanted = min(self.budget, bots.find_bot(job["bot"]).budget)
        budget = max(0.05, wanted / (1 + self.waiting / self.size))
        try:
            # A bot outside is cut off early enough for another one to play in its place.
            given = {"seconds": min(budget, self.seconds * 0.8), "limit": self.seconds * 0.85}
            given["cores"] = 1 + self._idle.qsize()
            return await self._ask(worker, {**job, **given}, self.seconds)
        finally:
            self._idle.put_nowait(worker)

    async def _ask(self, worker: _Worker, job: dict[str, Any], seconds: float) -> Thought:
        outcome, thought = "crashed", None
        try:
            await worker.ensure_running()
            answer = await asyncio.wait_for(worker.ask(job), seconds)
            outcome = answer.get("outcome", "played")
            if outcome not in OUTCOMES:  # what a bot has written past our worker
                raise ValueError("no answer")
            if answer.get("action") in job["legal"]:
                memory = answer.get("memory")
                notes = memory if isinstance(memory, dict) else {}
                thought = Thought(answer["action"], outcome, answer.get("stand_in", ""), notes)
            elif outcome == "played":
                outcome = "refused"
        except TimeoutError:
            outcome = "late"
            await worker.kill()
        except (OSError, EOFError, ValueError):
            outcome = "crashed"
            await worker.kill()
        except asyncio.CancelledError:
            await worker.kill()
            raise
        if outcome != "played":
            logs.line("bot", warning=True, bot=job["bot"], title=job["title"], reason=outcome)
        return thought or Thought(secrets.choice(job["legal"]), outcome)

    async def close(self) -> None:
        for worker in self._all:
            await worker.kill()


class _Worker:
    """One process: a line of JSON in, a line of JSON out."""

    def __init__(self, number: int) -> None:
        self.number = number
        self._process: asyncio.subprocess.Process | None = None

    async def ensure_running(self) -> None:
        if self._process is not None and self._process.returncode is None:
            return
        began = time.monotonic()
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",  # modules come from where ours come from, not from the folder we were started in
            "-m",
            "ludus.server.bot_worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=MAX_LINE,
            env=worker_environment(),
        )
        await asyncio.wait_for(self._read(), START_SECONDS)  # it says when it is ready
        logs.line("bot worker", worker=self.number, seconds=round(time.monotonic() - began, 2))

    async def ask(self, job: dict[str, Any]) -> dict[str, Any]:
        assert self._process is not None and self._process.stdin is not None
        self._process.stdin.write(json.dumps(job).encode() + b"\n")
        await self._process.stdin.drain()
        return await self._read()

    async def _read(self) -> dict[str, Any]:
        assert self._process is not None and self._process.stdout is not None
        line = await self._process.stdout.readline()
        if not line:
            raise EOFError("the worker is gone")
        answer = json.loads(line)
        if not isinstance(answer, dict):
            raise ValueError("no answer")
        return answer

    async def kill(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(process.wait(), 5.0)


def worker_environment() -> dict[str, str]:
    """The worker finds the same packages, and not the address of the database."""
    kept = {k: v for k, v in os.environ.items() if k not in ("LUDUS_DB", "LUDUS_SECRET")}
    here = str(Path(__file__).parents[2])
    kept["PYTHONPATH"] = os.pathsep.join(p for p in (here, kept.get("PYTHONPATH", "")) if p)
    kept["OMP_NUM_THREADS"] = kept["NUMBA_NUM_THREADS"] = "1"
    return kept
