"""Saved games: match files in the user's data folder, written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from ludus import titles as registry
from ludus.core.errors import FormatError, LudusError
from ludus.match.file import MatchFile, read_match, save_match
from ludus.match.match import Match

from .speech import TABLE_WORDS

try:
    import fcntl
except ImportError:  # two windows on one game are noticed only where files can be locked
    fcntl = None  # type: ignore[assignment]

NEWEST = 20  # how many files are looked at for a game to go on with
_TAIL = 2048


class Damaged(LudusError):
    """A file that cannot be gone on with: which, and why.  It is left as it is."""

    def __init__(self, path: Path, reason: str, line: int = 0, key: str = "") -> None:
        self.path, self.reason, self.line, self.key = path, reason, line, key
        super().__init__(f"{path}: {reason}")

    def told(self, lang: str) -> str:
        """Why, in a language: exactly in English; else a usual reason, or the line that does not fit."""
        key = f"damaged.{self.key or ('line' if self.line else '')}"
        if lang == "en" or not TABLE_WORDS.has(key):
            return self.reason
        return TABLE_WORDS.say(lang, key, line=self.line)


class InUse(LudusError):
    """A game that is being played in another window."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(str(path))


def data_folder() -> Path:
    """LUDUS_DATA_DIR, or the folder `ludus` of the user's data folder."""
    if given := os.environ.get("LUDUS_DATA_DIR"):
        return Path(given)
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "ludus"


def matches_folder() -> Path:
    return data_folder() / "matches"


def new_path(title: str, mark: str) -> Path:
    """Where a new match is written: its title and the moment, readable in a list of files."""
    return matches_folder() / f"{title}-{time.strftime('%Y-%m-%d-%H%M%S')}-{mark[:6]}.match"


class Save:
    """The file of one match, ours alone while we play."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problem = ""  # why the last attempt to write failed
        self._lock: TextIO | None = None

    def claim(self) -> None:
        """Keep other windows away from this file; InUse when one has it."""
        if fcntl is None or self._lock is not None:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lock = self._lock_path.open("w", encoding="utf-8")
        except OSError:
            return  # where nothing can be written there is nothing to guard
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            raise InUse(self.path) from None
        self._lock = lock

    @property
    def _lock_path(self) -> Path:
        return self.path.with_name(f".{self.path.name}.lock")

    def release(self) -> None:
        if self._lock is not None:
            with contextlib.suppress(OSError):
                self._lock_path.unlink()
            self._lock.close()
            self._lock = None

    def write(self, match: Match, comments: dict[int, list[str]]) -> bool:
        """Write the match; whether it worked.  The old file stands until the new one is complete."""
        try:
            write_whole(self.path, save_match(match, comments))
        except OSError as error:
            self.problem = error.strerror or str(error)
            return False
        self.problem = ""
        return True


def write_whole(path: Path, text: str) -> None:
    """Replace a file by a new text in one step."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with draft.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise


# -- going on -------------------------------------------------------------------------------------------


def load(path: Path) -> MatchFile:
    """A match that can be gone on with; Damaged says why it cannot."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise Damaged(path, "this is no text file", key="no_text") from None
    except OSError as error:
        raise Damaged(path, error.strerror or "it cannot be read") from None
    try:
        file = read_match(text, registry.title)
    except FormatError as error:
        raise Damaged(path, str(error), error.line, error.key) from None
    if file.changed:
        raise Damaged(path, file.changed, key="older")
    return file


@dataclass(frozen=True)
class Unfinished:
    """A game to go on with."""

    path: Path
    file: MatchFile


def last_unfinished(title: str = "") -> tuple[Unfinished | None, list[Damaged]]:
    """The latest game that is not over (of a title), and what was found damaged on the way to it."""
    damaged: list[Damaged] = []
    for path in _newest():
        if not _may_go_on(path, title):
            continue
        try:
            file = load(path)
        except Damaged as error:
            damaged.append(error)
            continue
        if file.match is not None and not file.match.over and not _is_held(path):
            return Unfinished(path, file), damaged
    return None, damaged


def _newest() -> list[Path]:
    def age(path: Path) -> float:
        try:
            return path.stat().st_mtime
        except OSError:
            return 0.0

    try:
        found = [p for p in matches_folder().iterdir() if p.suffix == ".match" and not p.name.startswith(".")]
    except OSError:
        return []
    return sorted(found, key=age, reverse=True)[:NEWEST]


def _may_go_on(path: Path, title: str) -> bool:
    """Seen from its first and last lines alone: of this title, and without a result."""
    if title and not path.name.startswith(f"{title}-"):
        return False
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - _TAIL))
            tail = file.read()
    except OSError:
        return False
    return b"\nresult: " not in tail


def _is_held(path: Path) -> bool:
    save = Save(path)
    try:
        save.claim()
    except InUse:
        return True
    save.release()
    return False


@contextlib.contextmanager
def claimed(save: Save) -> Iterator[Save]:
    """A save that is ours inside the block."""
    save.claim()
    try:
        yield save
    finally:
        save.release()
