"""What the tests of `ludus play` share: a real pseudo-terminal, and a small window that reads its bytes."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

from ludus.core.process import child_environment

PATIENCE = 40.0  # seconds until a test gives up; no test asks how long something took
FRAME_END = b"\x1b[?2026l"
ENTER, ESC, CTRL_C, UP, DOWN, PAGE_DOWN = "\r", "\x1b", "\x03", "\x1b[A", "\x1b[B", "\x1b[6~"
_THINKING = ("is thinking …", "réfléchit …", "sta pensando …", "überlegt …")
_TOKEN = re.compile(r"\x1b\[([?0-9;]*)([A-Za-z])|\x1b.|[\r\n]|[^\x1b\r\n]+")
_CHOICE = re.compile(r"\x1b\[7m (\S{1,2}|\d+-\d+|\d+(?:, \d+)+) \x1b\[0m ([^\x1b]*)")


def command() -> list[str]:
    return [sys.executable, "-m", "ludus", "play"]


class Window:
    """What a terminal would show: rows of characters.  Wraps nothing, scrolls nothing."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.cells = [[" "] * columns for _ in range(rows)]
        self.row = self.column = 0
        self.widest = 0  # how far to the right anything was ever written

    def feed(self, text: str) -> None:
        for match in _TOKEN.finditer(text):
            arguments, letter = match.group(1), match.group(2)
            if letter is not None:
                self._command(arguments, letter)
            elif match.group() == "\r":
                self.column = 0
            elif match.group() == "\n":
                self.row = min(self.rows - 1, self.row + 1)
                self.column = 0
            elif not match.group().startswith("\x1b"):
                self._write(match.group())

    def _command(self, arguments: str, letter: str) -> None:
        if letter == "H":
            row, _, column = arguments.partition(";")
            self.row, self.column = int(row or 1) - 1, int(column or 1) - 1
        elif letter == "K":
            self.cells[self.row][self.column :] = [" "] * (self.columns - self.column)
        elif letter == "J" and arguments == "2":
            self.cells = [[" "] * self.columns for _ in range(self.rows)]

    def _write(self, text: str) -> None:
        for char in text:
            self.widest = max(self.widest, self.column + 1)
            if self.row < self.rows and self.column < self.columns:
                self.cells[self.row][self.column] = char
            self.column += 1

    def text(self) -> str:
        return "\n".join("".join(row).rstrip() for row in self.cells)


class Terminal:
    """`ludus play` on a pseudo-terminal of its own."""

    def __init__(
        self, data: Path, *words: str, columns: int = 80, rows: int = 24, **environment: str
    ) -> None:
        self.window = Window(columns, rows)
        self.output = b""
        self._fed = 0
        master, slave = pty.openpty()
        self.master = master
        self._size(columns, rows)
        settings = {
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "LUDUS_DATA_DIR": str(data),
            "LUDUS_PLAIN": "1",
            **environment,
        }
        env = child_environment(**settings)
        for name in ("NO_COLOR", "COLUMNS", "LINES", "LC_ALL", "COLORTERM"):
            if name not in environment:
                env.pop(name, None)
        self.process = subprocess.Popen(
            [*command(), *words],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=env,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(slave)

    def _size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, columns: int, rows: int) -> None:
        self._read_all()
        self.window = Window(columns, rows)
        frames = self.frames
        self._size(columns, rows)
        self.wait(lambda: self.frames > frames)

    # -- reading ----------------------------------------------------------------------------------------

    @property
    def frames(self) -> int:
        """How many times the window was painted to its end."""
        return self.output.count(FRAME_END)

    @property
    def screen(self) -> str:
        return self.window.text()

    @property
    def frame(self) -> str:
        """The bytes of the last frame, as text."""
        return self.output.split(FRAME_END)[-2].decode() if FRAME_END in self.output else ""

    @property
    def choices(self) -> dict[str, str]:
        """The choices on the screen by what they are called: the keys, shown in reverse."""
        return {label.strip(): key for key, label in _CHOICE.findall(self.frame)}

    def _read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self.master], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self.master, 65536)
        except OSError:
            return False
        self.output += data
        end = self.output.rfind(FRAME_END) + len(FRAME_END)  # a frame is looked at when it is whole
        if end > self._fed and FRAME_END in self.output:
            self.window.feed(self.output[self._fed : end].decode(errors="replace"))
            self._fed = end
        return bool(data)

    def _read_all(self) -> None:
        while self._read(0):
            pass

    @property
    def farewell(self) -> str:
        """What was said after the last frame; all of it where no window is painted."""
        return self.output.rpartition(FRAME_END)[2].decode(errors="replace").replace("\r\n", "\n")

    def wait(self, until: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not until():
            if time.monotonic() > deadline:
                raise AssertionError(f"waited in vain; the screen shows:\n{self.screen}")
            if not self._read(0.2) and self.process.poll() is not None and not until():
                self._read_all()
                if until():
                    return
                raise AssertionError(f"it ended; the screen shows:\n{self.screen}")

    def expect(self, text: str) -> None:
        """Wait until this is on the screen."""
        self.wait(lambda: text in " ".join(self.screen.split()))

    def expect_said(self, text: str) -> None:
        """Wait until this was printed, where lines are printed."""
        self.wait(lambda: text in self.farewell)

    # -- typing -----------------------------------------------------------------------------------------

    def send(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def press(self, *keys: str) -> None:
        """Press keys one after the other, each after the answer to the one before."""
        for key in keys:
            frames = self.frames
            self.send(key)
            self.wait(lambda frames=frames: self.frames > frames and not self.thinking)  # type: ignore[misc]

    @property
    def thinking(self) -> bool:
        """Whether a bot is to move: the frame after its move comes without a key."""
        return any(sign in self.screen for sign in _THINKING)

    def end(self) -> int:
        """Wait until the program has ended; its exit status."""
        deadline = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < deadline:
            self._read(0.05)
        self._read_all()
        return self.process.wait(1)

    def kill(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        os.close(self.master)


def test_the_window_reads_what_a_terminal_reads() -> None:
    window = Window(6, 2)
    window.feed("\x1b[2J\x1b[1;1H\x1b[7m ab \x1b[0m\x1b[2;3Hxyz\x1b[1;2H\x1b[K")
    assert window.text() == "\n  xyz"
    assert window.widest == 5
