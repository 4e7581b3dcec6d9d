"""Migrations: bring the tables of a database up to date, once, whoever starts first."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, inspect, text

if TYPE_CHECKING:
    from .store import Store

FOLDER = Path(__file__).parent / "migrations"
LOCK = 0x4C55445553  # PostgreSQL's advisory lock while tables are made


def newest() -> str:
    """The name of the latest migration, without importing Alembic."""
    return max(path.stem.split("_")[0] for path in (FOLDER / "versions").glob("[0-9]*.py"))


def present(db: Connection) -> str | None:
    """The migration that a database stands at."""
    if not inspect(db).has_table("alembic_version"):
        return None
    found = db.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return str(found) if found else None


def bring_up_to_date(store: Store) -> None:
    """Make or change tables; StoreError when the database is of a later release."""
    from .store import StoreError

    with store.read() as db:
        at = present(db)
    if at == newest():
        return
    if at is not None and at > newest():
        raise StoreError(
            f"the database is of a later release of Ludus (it stands at {at}, this one knows {newest()})"
        )
    with _alone(store) as db:
        if present(db) != newest():
            upgrade(db)


@contextmanager
def _alone(store: Store) -> Iterator[Connection]:
    """A transaction that no other process can hold at the same time."""
    with store.write() as db:  # SQLite: the lock is taken when it begins
        if not store.sqlite:
            db.execute(text("SELECT pg_advisory_xact_lock(:n)"), {"n": LOCK})
        yield db


def config(db: Connection | None = None) -> Any:
    from alembic.config import Config

    made = Config()
    made.set_main_option("script_location", str(FOLDER))
    made.attributes["connection"] = db
    return made


def upgrade(db: Connection, to: str = "head") -> None:
    from alembic import command

    command.upgrade(config(db), to)
