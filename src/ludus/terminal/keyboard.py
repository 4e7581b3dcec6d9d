"""Keys: single presses of a raw terminal, or lines where there is none (pipes, dumb terminals).

A key is a character, or one of the names below.  A resize and the end of the input come as keys too, so
that whoever reads sees everything in one stream.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import select
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, Protocol, TextIO

try:
    import termios
    import tty
except ImportError:  # no such terminals here: lines it is
    termios = tty = None  # type: ignore[assignment]

ENTER, ESC, BACKSPACE, TAB = "enter", "esc", "backspace", "tab"
UP, DOWN, LEFT, RIGHT, PAGE_UP, PAGE_DOWN, HOME, END = (
    "up", "down", "left", "right", "page up", "page down", "home", "end",
)  # fmt: skip
RESIZE, EOF, INTERRUPT, OTHER = "resize", "end of input", "interrupt", "other"

ESCAPE_WAIT = 0.05  # how long the rest of an escape sequence may take
_CONTROLS = {
    "\r": ENTER, "\n": ENTER, "\t": TAB, "\x7f": BACKSPACE, "\x08": BACKSPACE, "\x03": INTERRUPT, "\x04": EOF,
}  # fmt: skip
_SEQUENCES = {
    "A": UP, "B": DOWN, "C": RIGHT, "D": LEFT, "H": HOME, "F": END,
    "1~": HOME, "4~": END, "5~": PAGE_UP, "6~": PAGE_DOWN, "7~": HOME, "8~": END, "3~": BACKSPACE,
}  # fmt: skip
_WORDS = {"<": ESC, "": ENTER}  # what a line may hold instead of keys that have no letter


class Interruption:
    """Ctrl-C as a wish that is looked at between two actions, never in the middle of one.

    A second Ctrl-C before anybody looked breaks off wherever the program is.
    """

    def __init__(self) -> None:
        self.wanted = False
        self._waiting = False

    def signalled(self, *_: object) -> None:
        if self._waiting or self.wanted:
            raise KeyboardInterrupt
        self.wanted = True

    @contextlib.contextmanager
    def waiting(self) -> Iterator[None]:
        """While somebody waits for a key nothing can be half done, so the wish is granted at once."""
        self._waiting = True
        try:
            if self.wanted:
                raise KeyboardInterrupt
            yield
        finally:
            self._waiting = False
            self.wanted = False


class Keyboard(Protocol):
    """Where keys come from.  `by_line` says which of the two ways there is."""

    by_line: bool
    interruption: Interruption

    def read(self) -> str:
        """The next key."""

    def line(self) -> str | None:
        """The next line without its end; None when there is no more."""

    def discard(self) -> None:
        """Forget what was typed and not read yet."""


def has_raw_keys(stdin: TextIO) -> bool:
    """Whether single keys can be read."""
    try:
        return termios is not None and stdin.isatty()
    except ValueError:
        return False


class RawKeys:
    """Single keys of a terminal.  Between `__enter__` and `__exit__` it neither echoes nor waits for Enter.

    `leave` and `come_back` are called around a stop by Ctrl-Z.
    """

    by_line = False

    def __init__(self, stdin: TextIO, leave: Callable[[], None], come_back: Callable[[], None]) -> None:
        self._fd = stdin.fileno()
        self._leave, self._come_back = leave, come_back
        self.interruption = Interruption()
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="ignore")
        self._pending = ""
        self._before: dict[int, Any] = {}
        self._old: list[Any] = []
        self._wake, self._woken, self._wake_before = -1, -1, -1

    def __enter__(self) -> RawKeys:
        self._old = termios.tcgetattr(self._fd)
        self._woken, self._wake = os.pipe()
        os.set_blocking(self._wake, False)
        tty.setcbreak(self._fd)
        if threading.current_thread() is threading.main_thread():
            # A signal that comes just before `select`, or to another thread, would wait for the next key:
            # the interpreter writes every signal to the pipe, so that `select` never sleeps over one.
            self._wake_before = signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)
            self._handle(signal.SIGWINCH, _seen)
            self._handle(signal.SIGTSTP, self._stopped)
            self._handle(signal.SIGINT, self.interruption.signalled)
            self._handle(signal.SIGTERM, _end)
            self._handle(signal.SIGHUP, _end)
        return self

    def _handle(self, number: int, handler: Callable[[int, FrameType | None], None]) -> None:
        self._before[number] = signal.signal(number, handler)

    def __exit__(self, *_: object) -> None:
        if self._before:
            signal.set_wakeup_fd(self._wake_before)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._before.clear()
        with contextlib.suppress(termios.error):
            termios.tcsetattr(self._fd, termios.TCSADRAIN, self._old)
        os.close(self._wake)
        os.close(self._woken)

    def _stopped(self, *_: object) -> None:
        self._leave()
        termios.tcsetattr(self._fd, termios.TCSADRAIN, self._old)
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        # Here the shell has taken over; what follows happens when it lets us go on.
        signal.signal(signal.SIGTSTP, self._stopped)
        tty.setcbreak(self._fd)
        self._come_back()
        with contextlib.suppress(OSError):
            os.write(self._wake, bytes([signal.SIGWINCH]))  # the window may have another size by now

    def read(self) -> str:
        """The next key."""
        with self.interruption.waiting():
            return self._next()

    def line(self) -> str | None:
        return None

    def discard(self) -> None:
        self._pending = ""
        with contextlib.suppress(termios.error):
            termios.tcflush(self._fd, termios.TCIFLUSH)

    def _next(self) -> str:
        if not self._pending:
            ready, _, _ = select.select([self._fd, self._woken], [], [])
            if self._woken in ready:
                return RESIZE if signal.SIGWINCH in os.read(self._woken, 1024) else self._next()
            if not self._more():
                return EOF
            if not self._pending:
                return self._next()
        char, self._pending = self._pending[0], self._pending[1:]
        if char == "\x1b":
            return self._escape()
        if char in _CONTROLS:
            return _CONTROLS[char]
        return char if char.isprintable() else OTHER

    def _more(self) -> bool:
        try:
            data = os.read(self._fd, 1024)
        except OSError:
            return False
        self._pending += self._decoder.decode(data)
        return bool(data)

    def _escape(self) -> str:
        """Esc alone, or the key that a sequence stands for."""
        if not self._pending:
            ready, _, _ = select.select([self._fd], [], [], ESCAPE_WAIT)
            if not ready or not self._more():
                return ESC
        if self._pending[:1] not in ("[", "O"):
            return ESC
        end = 1
        while end < len(self._pending) and not ("@" <= self._pending[end] <= "~"):
            end += 1
        sequence, self._pending = self._pending[1 : end + 1], self._pending[end + 1 :]
        return _SEQUENCES.get(sequence, OTHER)


def _seen(*_: object) -> None:
    """The byte in the pipe says all there is to say."""


def _end(*_: object) -> None:
    raise SystemExit(143)


class LineKeys:
    """Lines of a pipe or a dumb terminal: what is typed is sent with Enter."""

    by_line = True

    def __init__(self, stdin: TextIO) -> None:
        self._stdin = stdin
        self.interruption = Interruption()
        self._before: Any = None

    def __enter__(self) -> LineKeys:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self.interruption.signalled)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def read(self) -> str:
        return EOF

    def discard(self) -> None:
        """Lines may come from a file: none is lost."""

    def line(self) -> str | None:
        """The next line without its end; None when there is no more."""
        with self.interruption.waiting():
            try:
                text = self._stdin.readline()
            except (OSError, ValueError):
                return None
        return text.rstrip("\r\n") if text else None


def keys_of(line: str) -> list[str]:
    """The keys that a line stands for: words one after the other, `<` for Esc, nothing for Enter.

    >>> keys_of("4 m"), keys_of("<"), keys_of("")
    (['4', 'm'], ['esc'], ['enter'])
    """
    return [_WORDS.get(word, word) for word in line.split()] or [ENTER]
