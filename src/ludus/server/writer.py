"""Whoever writes to the store: transactions outside the event loop, many pieces of work in each.

A commit waits for the disk, and that wait serves everybody who came meanwhile: whatever is in line goes into
one transaction together.  If any piece of it fails, all are rolled back and each is done again alone, so one
may be refused without harm to the others.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, IntegrityError

from ludus.store import Store, StoreDown

T = TypeVar("T")
TOGETHER = 64


class _Job(Generic[T]):
    def __init__(self, work: Callable[[Connection], T], order: str) -> None:
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

    def close(self) -> None:
        for _ in self._threads:
            self._line.put(None)
        for thread in self._threads:
            thread.join(10.0)

    def _serve(self) -> None:
        while (job := self._line.get()) is not None:
            jobs, ended = self._more(job)
            self._commit(jobs)
            jobs[0].loop.call_soon_threadsafe(_settle, jobs)
            if ended:
                return

    def _more(self, first: _Job[Any]) -> tuple[list[_Job[Any]], bool]:
        """Whoever else waits, and whether the line ends there."""
        jobs = [first]
        while len(jobs) < TOGETHER:
            try:
                more = self._line.get_nowait()
            except queue.Empty:
                break
            if more is None:
                return jobs, True
            jobs.append(more)
        return sorted(jobs, key=lambda job: job.order), False

    def _commit(self, jobs: list[_Job[Any]]) -> None:
        if len(jobs) > 1:
            try:
                with self.store.write() as db:
                    values = [job.work(db) for job in jobs]
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
                value = job.work(db)
        except BaseException as error:
            if not again and _was_in_the_way(error):
                self._alone(job, again=True)
            else:
                job.error = error
        else:
            job.value = value


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
