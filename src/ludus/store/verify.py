"""`ludus verify --all`: replay every running match, before an upgrade."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from . import records
from .opening import verify_match
from .store import Store


@dataclass
class Verified:
    """How many matches replay to the position that is stored, and what is wrong with the others."""

    good: int = 0
    problems: dict[str, str] = field(default_factory=dict)

    @property
    def passed(self) -> bool:
        return not self.problems


def verify_all(
    store: Store, finished: bool = False, progress: Callable[[int, int], None] | None = None
) -> Verified:
    """Replay every running match (and those that are over) from its first entry.

    Each match is read at one moment of its own, so this may run beside a server.
    """
    with store.read() as db:
        wanted = records.running_ids(db, ("running", "over") if finished else ("running",))
    found = Verified()
    for number, match_id in enumerate(wanted, 1):
        with store.snapshot() as db:
            row = records.match_row(db, match_id)
            problem = verify_match(db, row) if row is not None else ""
        if problem:
            found.problems[match_id] = problem
        else:
            found.good += 1
        if progress is not None:
            progress(number, len(wanted))
    return found
