"""Whoever writes to the store: transactions outside the event loop, many pieces of work in each.

A commit waits for the disk, and that wait serves everybody who came meanwhile: whatever is in line goes into
one transaction together.  If any piece of it fails, all are rolled back and each is done again alone, so one
may be refused without harm to the others.  Changes of matches (`Write`) share their statements, too.
"""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, IntegrityError

from ludus.store import Store, StoreDown
from ludus.store.writes import Write, write_all

T = TypeVar("T")
TOGETHER = 64
SPACING = 0.005  # seconds from one transaction to the next: one costs more than the moves in it


class _Job(Generic[T]):
    def __init__(self, work: Callable[[Connection], T] | Write, order: str) -> None:
        self.work, self.order = work, order
        self.loop = asyncio.get_running_loop()
        self.future: asyncio.Future[T] = self.loop.create_future()
        self.value: T | None = None
        self.error: BaseException | None = None

    def settle(self) -> None:
        if self.future.cancelled():
            return
        if self.error is not None:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.value)  # type: ignore[arg-type]


class Writer:
    """Threads that take work from one line."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._line: queue.SimpleQueue[_Job[Any] | None] = queue.SimpleQueue()
        self._threads = [
            threading.Thread(target=self._serve, name=f"write {k}", daemon=True) for k in range(store.writers)
        ]
        self._taking = threading.Lock()
        self._taken = 0.0  # when somebody last took work from the line
        for thread in self._threads:
            thread.start()

    async def run(self, work: Callable[[Connection], T], order: str = "") -> T:
        """Run work in a transaction; its value when the transaction has been committed.

        Work may be called, and rolled back, for nothing: it changes nothing but the database.  `order` names
        what it locks: pieces of work in one transaction come in that order, so no two wait for each other.
        """
        job = _Job(work, order)
        self._line.put(job)
        return await job.future

    async def write(self, change: Write) -> None:
        """Write a change of a match; returns when it has been committed, `Moved` when it was not."""
        job: _Job[None] = _Job(change, change.match_id)
        self._line.put(job)
        await job.future

    def close(self) -> None:
        for _ in self._threads:
            self._line.put(None)
        for thread in self._threads:
            thread.join(10.0)

    def _serve(self) -> None:
        while jobs := self._take():
            self._commit(jobs)
            jobs[0].loop.call_soon_threadsafe(_settle, jobs)

    def _take(self) -> list[_Job[Any]]:
        """Whoever waits; nobody when the line ends.  Under load it is worth while to wait for some more."""
        with self._taking:
            first = self._line.get()
            if first is None:
                return []
            if (early := self._taken + SPACING - time.monotonic()) > 0:
                time.sleep(early)
            self._taken = time.monotonic()
            return sorted([first, *self._more()], key=lambda job: job.order)

    def _more(self) -> list[_Job[Any]]:
        jobs: list[_Job[Any]] = []
        while len(jobs) + 1 < TOGETHER:
            try:
                job = self._line.get_nowait()
            except queue.Empty:
                break
            if job is None:  # the end, for whoever comes next
                self._line.put(None)
                break
            jobs.append(job)
        return jobs

    def _commit(self, jobs: list[_Job[Any]]) -> None:
        if len(jobs) > 1:
            try:
                with self.store.write() as db:
                    values = _work(db, jobs)
            except BaseException:  # nobody's work happened: each is tried alone, and hears its own error
                pass
            else:
                for job, value in zip(jobs, values, strict=True):
                    job.value = value
                return
        for job in jobs:
            self._alone(job)

    def _alone(self, job: _Job[Any], again: bool = False) -> None:
        try:
            with self.store.write() as db:
                [value] = _work(db, [job])
        except BaseException as error:
            if not again and _was_in_the_way(error):
                self._alone(job, again=True)
            else:
                job.error = error
        else:
            job.value = value


def _work(db: Connection, jobs: Sequence[_Job[Any]]) -> list[Any]:
    """Do pieces of work in their order, changes next to each other at once; what comes of each."""
    values: list[Any] = []
    changes: list[Write] = []
    for job in jobs:
        if isinstance(job.work, Write):
            changes.append(job.work)
            values.append(None)
        else:
            write_all(db, changes)
            changes = []
            values.append(job.work(db))
    write_all(db, changes)
    return values


def only_refused(error: StoreDown) -> bool:
    """Whether a statement was refused for what it says, not because the database is in trouble."""
    kinds = [kind.__name__ for kind in type(_driver_error(error)).__mro__]  # those of every driver (PEP 249)
    return "IntegrityError" in kinds or "DataError" in kinds


def _driver_error(error: BaseException) -> BaseException | None:
    cause = error.__context__
    return cause.orig if isinstance(cause, DBAPIError) else cause


def _was_in_the_way(error: BaseException) -> bool:
    """Whether somebody else was quicker, or two waited for each other: the next try sees what they did."""
    if not isinstance(error, StoreDown):
        return False
    return isinstance(error.__context__, IntegrityError) or getattr(_driver_error(error), "sqlstate", "") in (
        "40001",
        "40P01",
    )


def _settle(jobs: list[_Job[Any]]) -> None:
    for job in jobs:
        job.settle()
