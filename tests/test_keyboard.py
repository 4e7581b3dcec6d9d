"""Signals and keys come in one stream, whichever thread a signal reaches."""

from __future__ import annotations

import os
import pty
import signal
import threading
import time
from collections.abc import Iterator

import pytest

from ludus.terminal.keyboard import RESIZE, RawKeys


@pytest.fixture
def keys() -> Iterator[tuple[RawKeys, int]]:
    """Keys of a pseudo-terminal, and where to type them."""
    master, slave = pty.openpty()
    with os.fdopen(slave, "r") as stdin:
        try:
            with RawKeys(stdin, lambda: None, lambda: None) as raw:
                yield raw, master
        finally:
            os.close(master)


class Beside(threading.Thread):
    """Another thread gets the signal while the first one waits for a key.

    The key "x" follows when the signal was `seen`, or when the first thread has slept over it.
    """

    def __init__(self, number: int, master: int) -> None:
        super().__init__()
        self._number, self._master = number, master
        self.seen = threading.Event()
        self.slept_over = False
        self.start()

    def run(self) -> None:
        time.sleep(0.2)  # until the first thread waits
        signal.pthread_kill(threading.get_ident(), self._number)
        self.slept_over = not self.seen.wait(5)
        os.write(self._master, b"x")


def test_a_resize_is_not_slept_over(keys: tuple[RawKeys, int]) -> None:
    raw, master = keys
    beside = Beside(signal.SIGWINCH, master)
    assert raw.read() == RESIZE
    beside.seen.set()
    assert raw.read() == "x"
    assert not beside.slept_over


def test_ctrl_c_is_not_slept_over(keys: tuple[RawKeys, int]) -> None:
    raw, master = keys
    beside = Beside(signal.SIGINT, master)
    with pytest.raises(KeyboardInterrupt):
        raw.read()
    beside.seen.set()
    assert raw.read() == "x"
    assert not beside.slept_over


def test_signals_are_as_before_afterwards() -> None:
    before = signal.getsignal(signal.SIGWINCH), signal.getsignal(signal.SIGINT)
    master, slave = pty.openpty()
    with os.fdopen(slave, "r") as stdin, RawKeys(stdin, lambda: None, lambda: None):
        assert signal.getsignal(signal.SIGINT) != before[1]
    os.close(master)
    assert (signal.getsignal(signal.SIGWINCH), signal.getsignal(signal.SIGINT)) == before
    assert signal.set_wakeup_fd(-1) == -1
