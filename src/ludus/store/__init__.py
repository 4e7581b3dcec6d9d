"""The store: one schema for SQLite and PostgreSQL.  The record is the truth, snapshots are a cache."""

from .store import Store, StoreDown, open_store

__all__ = ["Store", "StoreDown", "open_store"]
