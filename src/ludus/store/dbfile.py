"""The file of a SQLite database: for its owner only, and still the one that was opened.

It holds hands, keys of dice and hashes of passwords.  SQLite gives the files beside it (-wal, -shm) the
mode of the database, so it is enough to make that one well and to tighten what an older release has left.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

from ludus.core.errors import LudusError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

OWNER_ONLY, OWNER_FOLDER = 0o600, 0o700
BESIDE = ("", "-wal", "-shm", "-journal", "-turn")
NAP = 0.0005  # seconds between looks whether it is one's turn


class StoreDown(LudusError):
    """The database did not answer, or could not write: nothing was changed, it may be tried again."""


def open_for_owner(path: str, flags: int) -> int:
    """An `opener` for `open`: whoever else is on this machine cannot read the file, not even at first."""
    descriptor = os.open(path, flags, OWNER_ONLY)
    os.fchmod(descriptor, OWNER_ONLY)  # also if it was there before
    return descriptor


class DatabaseFile:
    """The files of one database, as they were when it was opened."""

    def __init__(self, path: Path) -> None:
        """Make the file, and its folder, where there is none; OSError when that cannot be done."""
        self.path = path
        self.log = Path(f"{path}-wal")
        if not path.parent.is_dir():
            path.parent.mkdir(mode=OWNER_FOLDER, parents=True, exist_ok=True)
        # A file that is there is not opened: to close it again would drop the locks that SQLite may hold on
        # it in this process.
        with contextlib.suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, OWNER_ONLY))
        self._id = _identity(path.stat())
        self._log_id: tuple[int, int] | None = None
        self._tighten()

    def _tighten(self) -> None:
        for end in BESIDE:
            path = Path(f"{self.path}{end}")
            with contextlib.suppress(OSError):  # not there, or another's: then it is for them to decide
                if path.stat().st_mode & 0o077:
                    path.chmod(OWNER_ONLY)

    def note_log(self) -> None:
        """Remember the write-ahead log; when the connection that writes has opened it."""
        with contextlib.suppress(OSError):
            self._log_id = _identity(self.log.stat())

    def check(self) -> None:
        """StoreDown when the file, or its log, was removed or replaced: what is written there is lost.

        Two questions to the system, some microseconds: around every commit.
        """
        try:
            ours = _identity(self.path.stat()) == self._id
            if ours and self._log_id is not None:
                ours = _identity(self.log.stat()) == self._log_id
        except OSError:
            ours = False
        if not ours:
            raise StoreDown("the file of the database was removed or replaced: put it back, or start again")


class Turns:
    """Processes that write to one SQLite file take turns.

    SQLite alone lets one look, sleep longer each time, and look again: under load one of two processes waits
    for tenths of a second.  This is for order only: who gets no turn in time tries all the same, and SQLite
    decides.
    """

    def __init__(self, path: Path, patience: float) -> None:
        self._patience = patience
        self._file = os.open(f"{path}-turn", os.O_CREAT | os.O_RDWR, OWNER_ONLY)

    @contextlib.contextmanager
    def mine(self) -> Iterator[None]:
        until = time.monotonic() + self._patience
        while not _locked(self._file) and time.monotonic() < until:
            time.sleep(NAP)
        try:
            yield
        finally:
            _unlock(self._file)

    def close(self) -> None:
        os.close(self._file)


def _locked(descriptor: int) -> bool:
    if fcntl is None:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _unlock(descriptor: int) -> None:
    if fcntl is not None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino
