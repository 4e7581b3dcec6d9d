"""The database behind one door: reading, writing, and what happens when it is not there.

SQLite has one connection that writes (every transaction takes the lock at once, so none can fail half
way through for want of it; processes take turns) and several that read; WAL lets them work at the same
time.  A commit is on the disk before it is acknowledged (synchronous=FULL).
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, create_engine, event, func, select, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from ludus.core.errors import LudusError

from . import schema
from .dbfile import DatabaseFile, StoreDown, Turns

CHANNEL = "ludus"
BUSY_MS = 5000
WASH_MS = 200
SQLITE = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    f"busy_timeout={BUSY_MS}",
    "secure_delete=ON",  # who is forgotten is not found in free pages either
)
WRITERS = 4  # connections that write at the same time, where the database can


class StoreError(LudusError):
    """The database cannot be used as it is: a wrong address, or of a later release."""


def default_url() -> str:
    """SQLite in the user's data folder."""
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return f"sqlite:///{data / 'ludus' / 'ludus.db'}"


def read_url(given: str) -> URL:
    """A URL, or the path of a SQLite file."""
    written = given if "://" in given else f"sqlite:///{given}"
    try:
        url = make_url(written)
    except ArgumentError:
        raise StoreError(
            f"{given!r:.60} is no database: give a file, sqlite:///FILE or postgresql://..."
        ) from None
    if url.drivername in ("postgres", "postgresql"):
        url = url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() not in ("sqlite", "postgresql"):
        raise StoreError(f"there is no support for {url.get_backend_name()}: use SQLite or PostgreSQL")
    if url.get_backend_name() == "sqlite" and url.database in (None, "", ":memory:"):
        raise StoreError("the database must be a file: one in memory would be lost with the process")
    if url.get_backend_name() == "sqlite" and str(url.database).startswith("file:"):
        raise StoreError("give the path of the file itself, not one that begins with file:")
    return url


def _sqlite_engine(url: URL, begin: str, size: int, opened: Callable[[], None] | None = None) -> Engine:
    engine = create_engine(
        url,
        pool_size=size,
        max_overflow=0,
        pool_timeout=BUSY_MS / 1000,
        connect_args={"check_same_thread": False, "timeout": BUSY_MS / 1000},
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # transactions are begun below, not by the driver
        for pragma in SQLITE:
            connection.execute(f"PRAGMA {pragma}").close()
        if opened is not None:
            connection.execute("SELECT count(*) FROM sqlite_master").close()  # opens the log as well
            opened()

    @event.listens_for(engine, "begin")
    def start(connection: Connection) -> None:
        driver = connection.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        driver.execute(begin)  # SQLAlchemy would take longer to pass it on than SQLite to do it

    return engine


def _postgres_engine(url: URL) -> Engine:
    if find_spec("psycopg") is None:
        raise StoreError('PostgreSQL needs its driver: pip install "ludus-antiquus[postgres]"')
    return create_engine(
        url,
        pool_size=WRITERS * 2,
        max_overflow=4,
        pool_timeout=5,  # a connection found dead voids all others of the pool
        connect_args={
            "connect_timeout": 3,
            "options": "-c statement_timeout=10000 -c lock_timeout=5000 "
            "-c idle_in_transaction_session_timeout=20000",
            "keepalives_idle": 10,
            "tcp_user_timeout": 10000,
        },
    )


class Store:
    """A database that is open.  `read` and `write` are transactions; errors of the database leave
    them as `StoreDown`."""

    def __init__(self, url: URL) -> None:
        self.url = url
        self.sqlite = url.get_backend_name() == "sqlite"
        self._file: DatabaseFile | None = None
        self._turns: Turns | None = None
        if self.sqlite:
            self._file, self._turns = _make_files(str(url.database))
            self.writer = _sqlite_engine(url, "BEGIN IMMEDIATE", 1, self._file.note_log)
            self.reader = _sqlite_engine(url, "BEGIN", 6)
        else:
            self.writer = _postgres_engine(url)
            # What only reads needs no transaction around each question: two fewer ways to and fro.
            self.reader = self.writer.execution_options(isolation_level="AUTOCOMMIT")
        self.writers = 1 if self.sqlite else WRITERS

    @property
    def name(self) -> str:
        """What may be shown in logs: no password."""
        return self.url.render_as_string(hide_password=True)

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """One transaction: all of it, or nothing."""
        with self._turns.mine() if self._turns is not None else nullcontext():
            with translated(), self.writer.begin() as db:
                yield db
                self.check_file()
            self.check_file()

    def check_file(self) -> None:
        """SQLite: StoreDown when the file was removed or replaced.

        Before a commit, so that nothing is written to nowhere, and after it, so that nothing is
        acknowledged that was.
        """
        if self._file is not None:
            self._file.check()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """For reading: each question sees what was committed before it."""
        with translated(), self.reader.connect() as db:
            yield db

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """For reading much: all questions see one moment."""
        with translated(), self.reader.connect() as db:
            if not self.sqlite:
                db = db.execution_options(isolation_level="REPEATABLE READ")
            yield db

    def foreign_writes(self, db: Connection) -> int:
        """SQLite: a number that changes when another process has written.

        On a connection that writes: there is one, and its own commits do not count.
        """
        return int(db.exec_driver_sql("PRAGMA data_version").scalar_one())

    def telling(self, origin: str, match_id: str) -> ColumnElement[Any] | None:
        """PostgreSQL: what a statement may return so that others hear which match has changed, once this
        transaction commits."""
        return None if self.sqlite else func.pg_notify(CHANNEL, f"{origin} {match_id}")

    def tell_others(self, db: Connection, origin: str, match_id: str) -> None:
        """The same by a statement of its own."""
        message = self.telling(origin, match_id)
        if message is not None:
            db.execute(select(message))

    def ping(self) -> None:
        """StoreDown when the database does not answer, or its file is gone."""
        self.check_file()
        with self.read() as db:
            db.execute(text("SELECT 1"))

    def wash(self) -> bool:
        """SQLite: empty the log, in which what was deleted still stands; False when somebody is in the way.

        What was deleted in the file itself is overwritten at once (secure_delete).
        """
        if not self.sqlite:
            return True
        with translated(), closing(self.reader.raw_connection()) as connection:
            cursor = connection.cursor()
            cursor.execute(f"PRAGMA busy_timeout={WASH_MS}")  # nobody may be kept from playing by this
            try:
                busy = int(cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0])
            finally:
                cursor.execute(f"PRAGMA busy_timeout={BUSY_MS}")
        return not busy

    def remembered(self, key: str, make: str) -> str:
        """What the installation remembers under a key; `make` the first time, whoever comes first."""
        with self.write() as db:
            found = db.execute(
                select(schema.installation.c.value).where(schema.installation.c.key == key)
            ).scalar()
            if found is None:
                db.execute(schema.installation.insert().values(key=key, value=make))
                found = make
        return str(found)

    def secret(self) -> str:
        """The secret that signs identities: made once, the same for all processes."""
        return self.remembered("secret", secrets.token_hex(32))

    def close(self) -> None:
        self.writer.dispose()
        self.reader.dispose()
        if self._turns is not None:
            self._turns.close()
            self._turns = None


def _make_files(path: str) -> tuple[DatabaseFile, Turns]:
    try:
        return DatabaseFile(Path(path)), Turns(Path(path), BUSY_MS / 1000)
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}") from None


@contextmanager
def translated() -> Iterator[None]:
    try:
        yield
    except PoolTimeout:
        raise StoreDown("the database is too busy") from None
    except DBAPIError as error:
        # Never the statement or its values: they hold faces.
        reason = str(error.orig).strip().splitlines()[0] if str(error.orig).strip() else "no answer"
        raise StoreDown(f"the database is not available: {reason:.120}") from None
    except SQLAlchemyError as error:
        raise StoreDown(f"the database is not available: {type(error).__name__}") from None
    except Exception as error:
        if not is_driver_error(error):
            raise
        raise StoreDown(f"the database is not available: {type(error).__name__}") from None


def is_driver_error(error: BaseException) -> bool:
    """Whether the driver itself complains (`writes` speaks to it without SQLAlchemy between them)."""
    return isinstance(error, sqlite3.Error) or type(error).__module__.startswith("psycopg")


def open_store(given: str | None = None, migrate: bool = True) -> Store:
    """Open a database and bring its tables up to date."""
    from .migrate import bring_up_to_date

    store = Store(read_url(given or default_url()))
    if migrate:
        bring_up_to_date(store)
    return store
