"""The tables of this process: found, kept up with the store, and forgotten when nobody uses them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection

from ludus.store import Store, records
from ludus.store.opening import open_match, play_on
from ludus.store.rows import MatchRow
from ludus.store.writes import News

from .clocks import ServerTime
from .errors import Unknown
from .rules_form import Forms
from .standing import BEGUN, Standing
from .table import Table

Reading = Callable[..., Awaitable[Any]]


class Tables:
    def __init__(self, store: Store, forms: Forms, reading: Reading, most: int, time: ServerTime) -> None:
        self._store, self._forms, self._reading, self._most = store, forms, reading, most
        self._time = time
        self._tables: OrderedDict[str, Table] = OrderedDict()

    def __len__(self) -> int:
        return len(self._tables)

    def known(self, match_id: str) -> Table | None:
        """The table of a match, if this process has one."""
        return self._tables.get(match_id)

    def watched(self) -> list[Table]:
        return [table for table in self._tables.values() if table.viewers]

    def _table(self, match_id: str) -> Table:
        table = self._tables.get(match_id)
        if table is None:
            self._forget_some()
            table = self._tables[match_id] = Table(match_id, self._time)
        self._tables.move_to_end(match_id)
        return table

    def _forget_some(self) -> None:
        """Make room for one more: forget tables that were not used for longest and at which nobody is."""
        excess = len(self._tables) + 1 - self._most
        for match_id in list(self._tables)[: max(0, excess) * 2]:
            table = self._tables[match_id]
            if not table.viewers and not table.lock.locked():
                del self._tables[match_id]

    @asynccontextmanager
    async def held(self, match_id: str) -> AsyncIterator[Table]:
        """The one table of a match, with its lock."""
        while True:
            table = self._table(match_id)
            async with table.lock:
                if self._tables.setdefault(match_id, table) is table:  # not forgotten while we waited
                    yield table
                    return

    async def open(self, match_id: str, standing: Standing) -> Table:
        """The table of a match that was made here: where it stands has just been committed."""
        async with self.held(match_id) as table:
            if table.standing is None:
                table.standing = standing
        return table

    # -- keeping up with the store ------------------------------------------------------------------

    async def is_current(self, table: Table, standing: Standing) -> bool:
        """Whether nobody has changed the match since it stood so."""
        found = await self._reading(self._mark, table.id)
        return found is not None and found[:2] == _mark_of(standing.row)[:2]

    async def catch_up(self, table: Table) -> Standing:
        """Stand where the store stands.  Under the lock; Unknown when there is no such match."""
        standing: Standing
        try:
            standing, commands = await self._reading(self._read, table.id, table.standing)
        except BaseException:
            table.drop()
            raise
        if standing is not table.standing:
            if table.standing is None or standing.row.incarnation != table.standing.row.incarnation:
                table.commands = {}
            table.standing = standing
            table.commands.update(commands)
        return standing

    def follow(self, table: Table, news: News) -> bool:
        """Stand where news of another process lead to, without asking the store; False when they do not go
        on from where the table stands.  Under the lock.

        They were sent with the commit and hold what it wrote, so they are as true as what could be read.
        """
        known = table.standing
        if known is None or known.match is None or known.row.incarnation != news.incarnation:
            return False
        if known.row.revision > news.revision:
            return True  # it was read meanwhile
        if known.row.revision < news.revision:
            return False
        match = known.match.fork()
        play_on(match, news.entries)
        table.standing = replace(known, row=known.row._replace(**news.values), match=match, made=None)
        if news.command is not None and news.entries:
            table.commands[news.command] = news.entries[0].number
        return True

    def _mark(self, match_id: str) -> tuple[str, int, int] | None:
        with self._store.read() as db:
            return records.mark(db, match_id)

    def _read(self, match_id: str, known: Standing | None) -> tuple[Standing, dict[str, int]]:
        with self._store.read() as db:
            if known is not None and records.mark(db, match_id) == _mark_of(known.row):
                return known, {}
            row = records.match_row(db, match_id)
            if row is None:
                raise Unknown("there is no such match")
            if known is not None and _mark_of(row)[:2] == _mark_of(known.row)[:2]:  # only the chat went on
                return replace(known, row=known.row._replace(chat=row.chat)), {}
            return self._read_on(db, row, known)

    def _read_on(
        self, db: Connection, row: MatchRow, known: Standing | None
    ) -> tuple[Standing, dict[str, int]]:
        """From where we stood to where the store stands; from the beginning where that is no help."""
        seats, sat = records.seat_rows(db, row.id), records.sat(db, row.id)
        if (
            known is not None
            and known.match is not None
            and known.row.incarnation == row.incarnation
            and known.entries <= row.entries
        ):
            match = known.match.fork()
            play_on(match, records.entries_since(db, row.id, known.entries))
            return Standing(row, seats, match, sat), records.commands_since(db, row.id, known.entries)
        match_now = None
        if row.state in BEGUN and row.box_hash:
            match_now = open_match(db, row, seats, form=self._forms.of(row.title))
        return Standing(row, seats, match_now, sat), records.commands_since(db, row.id, 0)


def _mark_of(row: MatchRow) -> tuple[str, int, int]:
    return (row.incarnation, row.revision, row.chat)
