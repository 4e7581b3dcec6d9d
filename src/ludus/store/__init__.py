"""The store: one schema for SQLite and PostgreSQL.  The record is the truth, snapshots are a cache."""

from .dbfile import StoreDown
from .store import Store, open_store

__all__ = ["Store", "StoreDown", "open_store"]
