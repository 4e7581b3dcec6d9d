"""Whoever writes to the store: transactions outside the event loop, shared where that helps.

SQLite has one writer, and a commit waits for the disk.  So whatever is waiting goes into one transaction
together, each piece of work behind a savepoint of its own: one may be refused without harm to the
others, and one wait for the disk serves all.  PostgreSQL does that by itself, so there each piece of
work has its own transaction and thread.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError

from ludus.store import Store, StoreDown
from ludus.store.store import translated

T = TypeVar("T")
TOGETHER = 64


class _Job(Generic[T]):
    def __init__(self, work: Callable[[Connection], T]) -> None:
        self.work = work
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
        self._together = TOGETHER if store.sqlite else 1
        self._threads = [
            threading.Thread(target=self._serve, name=f"write {k}", daemon=True) for k in range(store.writers)
        ]
        for thread in self._threads:
            thread.start()

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Run work in a transaction; its value when the transaction has been committed.

        Work may be called, and rolled back, for nothing: what it changes outside the database must
        be undone by whoever gets the error.
        """
        job = _Job(work)
        self._line.put(job)
        return await job.future

    def close(self) -> None:
        for _ in self._threads:
            self._line.put(None)
        for thread in self._threads:
            thread.join(10.0)

    def _serve(self) -> None:
        while (job := self._line.get()) is not None:
            jobs = [job]
            ended = False
            while len(jobs) < self._together:
                try:
                    more = self._line.get_nowait()
                except queue.Empty:
                    break
                if more is None:
                    ended = True
                    break
                jobs.append(more)
            self._commit(jobs)
            jobs[0].loop.call_soon_threadsafe(_settle, jobs)
            if ended:
                return

    def _commit(self, jobs: list[_Job[Any]], again: bool = False) -> None:
        try:
            with self.store.write() as db:
                if len(jobs) == 1:
                    jobs[0].value = jobs[0].work(db)
                else:
                    for job in jobs:
                        _do_one(db, job)
        except BaseException as error:
            if len(jobs) == 1 and not again and _was_in_the_way(error):
                self._commit(jobs, again=True)
                return
            # The transaction is gone: nobody's work happened.
            for job in jobs:
                if job.error is None:
                    job.error = error


def _do_one(db: Connection, job: _Job[Any]) -> None:
    try:
        with translated(), db.begin_nested():
            job.value = job.work(db)
    except StoreDown as error:
        if isinstance(error.__context__, DBAPIError) and not _only_this(error.__context__):
            raise  # the database itself: everybody's work is lost
        job.error = error
    except BaseException as error:
        job.error = error


def _only_this(error: DBAPIError) -> bool:
    """Whether a statement was refused for what it says, not because the database is in trouble."""
    return isinstance(error, (IntegrityError, DataError)) and not error.connection_invalidated


def _was_in_the_way(error: BaseException) -> bool:
    """Whether somebody else was quicker, or two waited for each other: the next try sees what they did."""
    cause = error.__context__
    if not isinstance(error, StoreDown) or not isinstance(cause, DBAPIError):
        return False
    return isinstance(cause, IntegrityError) or getattr(cause.orig, "sqlstate", "") in ("40001", "40P01")


def _settle(jobs: list[_Job[Any]]) -> None:
    for job in jobs:
        job.settle()
