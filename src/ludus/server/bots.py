"""Bots think in processes of their own: a deadline, a fallback, and no way to slow people down.

A bot is told a re-dealt position: what its seat knows, the rest made up.  A worker that dies or does
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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludus import bots
from ludus import titles as registry
from ludus.core.chance import seed_rng
from ludus.match.match import Match

from . import logs
from .bot_worker import MAX_LINE

START_SECONDS = 30.0  # a worker may take this long to start: imports, compiled rules


def bot_names(title: str) -> list[str]:
    """The bots that can sit down at a title, weakest first."""
    return bots.bots_for(registry.title(title))


def default_bot(title: str) -> str:
    """Who sits down when nobody in particular was asked for."""
    return bots.default_bot(registry.title(title))


@dataclass(frozen=True)
class Thought:
    """What came out: the action to play, and whether it is the bot's own or a fallback."""

    action: str
    outcome: str  # played, late, crashed, refused


def make_job(match: Match, seat: int, bot: str) -> dict[str, Any]:
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
        budget = max(0.05, self.budget / (1 + self.waiting / self.size))
        try:
            return await self._ask(worker, {**job, "seconds": min(budget, self.seconds * 0.8)}, self.seconds)
        finally:
            self._idle.put_nowait(worker)

    async def _ask(self, worker: _Worker, job: dict[str, Any], seconds: float) -> Thought:
        outcome = "crashed"
        try:
            await worker.ensure_running()
            answer = await asyncio.wait_for(worker.ask(job), seconds)
            if answer.get("action") in job["legal"]:
                return Thought(answer["action"], "played")
            outcome = "refused"
        except TimeoutError:
            outcome = "late"
            await worker.kill()
        except (OSError, EOFError, ValueError):
            await worker.kill()
        except asyncio.CancelledError:
            await worker.kill()
            raise
        logs.line("bot", warning=True, bot=job["bot"], title=job["title"], reason=outcome)
        return Thought(secrets.choice(job["legal"]), outcome)

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
            env=_environment(),
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


def _environment() -> dict[str, str]:
    """The worker finds the same packages, and not the address of the database."""
    kept = {k: v for k, v in os.environ.items() if k not in ("LUDUS_DB", "LUDUS_SECRET")}
    here = str(Path(__file__).parents[2])
    kept["PYTHONPATH"] = os.pathsep.join(p for p in (here, kept.get("PYTHONPATH", "")) if p)
    kept["OMP_NUM_THREADS"] = kept["NUMBA_NUM_THREADS"] = "1"
    return kept
