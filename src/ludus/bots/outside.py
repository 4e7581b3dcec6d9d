"""Bots from outside: a program that is asked by lines of JSON, or a server that is asked over HTTP.

`docs/bot-protocol.md` is the protocol.  A question holds what a seat may know and nothing else; whoever does
not answer in time is cut off, and what is no legal action is no answer.
"""

from __future__ import annotations

import json
import os
import shlex
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from threading import Event, Timer
from typing import IO, Any, ClassVar
from urllib.parse import SplitResult, urlsplit

from ludus.core.chance import next_u32
from ludus.core.errors import LudusError
from ludus.core.game import Action

from .bot import Bot
from .chair import Chair

PROTOCOL = 1
PROGRAM, HTTP = "exec:", ("http://", "https://")
MOST = 65_536  # bytes of an answer, and of what a program may complain about
START = 5.0  # seconds in which a program is ready
END = 1.0  # seconds in which it ends when nobody asks it any more


class BotFailed(LudusError):
    """What a bot from outside did wrong: it was `late`, it `crashed`, or its answer was `refused`."""

    def __init__(self, what: str, outcome: str) -> None:
        self.outcome = outcome
        super().__init__(what)


def is_outside(path: str) -> bool:
    """Whether this is the address of a bot outside, and no `module:Class`."""
    return path.startswith((PROGRAM, *HTTP))


@lru_cache(64)
def outside_bot(path: str) -> type[Bot]:
    """The bot at an address; LudusError when it is none.  Nothing is started or asked yet."""
    if path.startswith(PROGRAM):
        words = _words(path)

        class Named(ProgramBot):
            command = words

        return Named
    where = urlsplit(path)
    if not where.hostname:
        raise LudusError(f"{path} is no address of a bot: it must be http://HOST or https://HOST/PATH")

    class Addressed(HttpBot):
        url = where

    return Addressed


def _words(path: str) -> tuple[str, ...]:
    try:
        words = tuple(shlex.split(path.removeprefix(PROGRAM)))
    except ValueError as error:
        raise LudusError(f"{path} cannot be read as a command: {error}") from None
    if not words:
        raise LudusError("exec: needs a program, for instance exec:node mybot.js")
    return words


def outside_name(path: str) -> str:
    """How it is called at a table: the file of a program, the host of a server.

    >>> outside_name("exec:node bots/caesar.js --deep"), outside_name("exec:./brutus"), outside_name("http://h:1/x")
    ('Caesar', 'Brutus', 'h')
    """
    if not path.startswith(PROGRAM):
        return urlsplit(path).hostname or path
    first, *rest = _words(path)
    file = rest[0] if rest and not rest[0].startswith("-") else first
    return Path(file).stem.capitalize()


# -- questions and answers ----------------------------------------------------------------------------------


def question(chair: Chair) -> dict[str, Any]:
    """All that a bot outside is told: what the seat sees, what it may do, how long it may think."""
    return {
        "ludus": PROTOCOL,
        "title": chair.title.name,
        "rules": chair.title.version,
        "options": chair.options,
        "seat": chair.seat,
        "view": chair.view(),
        "legal": chair.choices(),
        "budget": chair.budget,
        "limit": chair.limit,
        "random": next_u32(chair.rng),
    }


def _as_python(number: Any) -> Any:
    """Numbers and lists of compiled rules as what they are."""
    return number.tolist()


def read_answer(text: bytes, legal: list[Action]) -> Action:
    """The action of an answer; BotFailed when it is none of the legal ones."""
    try:
        answer = json.loads(text)
        code = answer["code"]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise BotFailed(f'it must answer {{"code": NUMBER}}, not {_shown(text)}', "refused") from None
    for action in legal:
        if type(code) is int and action.code == code:
            return action
    codes = ", ".join(str(action.code) for action in legal[:12]) + (", ..." if len(legal) > 12 else "")
    raise BotFailed(f"it answered with the code {code!r:.40}, and legal are {codes}", "refused")


def _shown(text: bytes) -> str:
    return repr(text[:60].decode(errors="replace").strip())


class Outside(Bot):
    """A bot that is asked: what its two kinds have in common."""

    def choose(self, chair: Chair) -> Action:
        legal = chair.legal()
        if len(legal) == 1:
            return legal[0]
        try:
            text = json.dumps(question(chair), default=_as_python)
            return read_answer(self.ask(text.encode(), chair.limit), legal)
        except BotFailed:
            self.close()  # it begins anew: no answer of yesterday is taken for one of today
            raise

    def ask(self, text: bytes, limit: float) -> bytes:
        """The answer to a question; BotFailed when there is none in time."""
        raise NotImplementedError


@contextmanager
def _cut_off(seconds: float, cut: Callable[[], None]) -> Iterator[Event]:
    """What happens inside is cut off after so many seconds; the event says whether it was."""
    late = Event()

    def end() -> None:
        late.set()
        cut()

    timer = Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield late
    finally:
        timer.cancel()


# -- a program ----------------------------------------------------------------------------------------------


class ProgramBot(Outside):
    """A program that answers on its standard output, a line for each line of its standard input."""

    command: ClassVar[tuple[str, ...]]

    def __init__(self, title: Any) -> None:
        super().__init__(title)
        self._process: subprocess.Popen[bytes] | None = None
        self._complaints: IO[bytes] | None = None
        self._cpu = 0.0  # of earlier processes, less what starting took

    def ask(self, text: bytes, limit: float) -> bytes:
        process = self._process or self._start(limit)
        assert self._complaints is not None
        if self._complaints.seek(0, os.SEEK_END) > MOST:  # the program writes on from here
            self._complaints.truncate(self._complaints.seek(0))
        return self._line(process, limit, text + b"\n")

    def _start(self, limit: float) -> subprocess.Popen[bytes]:
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 it lives as long as the program
        try:
            self._process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._complaints,
                start_new_session=True,  # whatever it starts ends with it
            )
        except OSError as error:
            raise BotFailed(f"it cannot be started: {error.strerror or error}", "crashed") from None
        said = self._line(self._process, max(START, limit))
        try:
            ready = json.loads(said)["ready"] is True
        except (ValueError, TypeError, KeyError):
            ready = False
        if not ready:
            raise BotFailed(f'it must begin with {{"ready": true}}, not {_shown(said)}', "refused")
        self._cpu -= _cpu_of(self._process.pid) or 0.0
        return self._process

    def _line(self, process: subprocess.Popen[bytes], limit: float, question: bytes = b"") -> bytes:
        assert process.stdin is not None and process.stdout is not None
        with _cut_off(limit, lambda: _kill(process)) as late:
            line = b""
            with suppress(OSError):  # it has ended, which its answer tells better
                process.stdin.write(question)
                process.stdin.flush()
                line = process.stdout.readline(MOST)
        if late.is_set():
            raise BotFailed(f"it did not answer within {limit:.3g} s and was stopped", "late")
        if len(line) == MOST:
            raise BotFailed(f"its answer is longer than {MOST} bytes", "refused")
        if not line.endswith(b"\n"):
            _kill(process)
            raise BotFailed(f"it ended with status {process.wait()}{self._last_words()}", "crashed")
        return line

    def _last_words(self) -> str:
        """The last line of what the program complained, as some further words of ours."""
        if self._complaints is None:
            return ""
        size = self._complaints.seek(0, os.SEEK_END)
        self._complaints.seek(max(0, size - 2000))
        lines = self._complaints.read().decode(errors="replace").split("\n")
        said = [line.strip() for line in lines if line.strip()]
        return f": {said[-1]:.200}" if said else ""

    def cpu_seconds(self) -> float | None:
        if self._process is None:
            return self._cpu
        now = _cpu_of(self._process.pid)
        return None if now is None else self._cpu + now

    def close(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            self._cpu += _cpu_of(process.pid) or 0.0
            with suppress(OSError):
                process.stdin.close()  # type: ignore[union-attr]  # it is a pipe
            with suppress(subprocess.TimeoutExpired):
                process.wait(END)
            _kill(process)
            process.wait()
            process.stdout.close()  # type: ignore[union-attr]  # the same
        if self._complaints is not None:
            self._complaints.close()
            self._complaints = None


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a program and what it has started."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def _cpu_of(pid: int) -> float | None:
    """The CPU seconds of another process; None where the system does not tell them.

    The number of its clock is made as clock_getcpuclockid(3) of Linux makes it.
    """
    try:
        return time.clock_gettime((~pid << 3) | 2)
    except (OSError, AttributeError, OverflowError):
        return None


# -- a server -----------------------------------------------------------------------------------------------


class HttpBot(Outside):
    """A server that answers a POST; how long it works is its own affair."""

    url: ClassVar[SplitResult]

    def __init__(self, title: Any) -> None:
        super().__init__(title)
        self._connection: HTTPConnection | None = None

    def ask(self, text: bytes, limit: float) -> bytes:
        known = self._connection is not None
        with _cut_off(limit, self._cut) as late:
            try:
                try:
                    return self._post(text, limit)
                except (ConnectionError, HTTPException):
                    if not known or late.is_set():
                        raise
                    self.close()  # it had grown tired of the old connection
                    return self._post(text, limit)
            except (OSError, HTTPException) as error:
                if late.is_set() or isinstance(error, TimeoutError):
                    raise BotFailed(f"it did not answer within {limit:.3g} s", "late") from None
                told = f"{type(error).__name__}: {error}".rstrip(": ")
                raise BotFailed(f"it cannot be asked: {told}", "crashed") from None

    def _post(self, text: bytes, limit: float) -> bytes:
        if self._connection is None:
            kind = HTTPSConnection if self.url.scheme == "https" else HTTPConnection
            self._connection = kind(self.url.netloc.rpartition("@")[2], timeout=limit)
        path = f"{self.url.path or '/'}{'?' if self.url.query else ''}{self.url.query}"
        self._connection.request("POST", path, text, {"Content-Type": "application/json"})
        answer = self._connection.getresponse()
        body = answer.read(MOST)
        if answer.status != 200:
            raise BotFailed(f"it answered with the HTTP status {answer.status}", "refused")
        if not answer.isclosed():
            raise BotFailed(f"its answer is longer than {MOST} bytes", "refused")
        return body

    def _cut(self) -> None:
        connection = self._connection
        with suppress(OSError):
            if connection is not None and connection.sock is not None:
                connection.sock.shutdown(socket.SHUT_RDWR)

    def cpu_seconds(self) -> None:
        return None

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
