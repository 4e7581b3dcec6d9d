"""Changing a match: think out, commit, then tell.

A change is thought out on a fork of where the match stands, without a look at the store.  Its transaction
writes it only if the match still has the revision that it was thought out for; if another process was
quicker, it is thought out anew.  What is told is where the match stands after the commit, made from the
entries that the transaction wrote; if anything fails, nothing was told, and the match is read again.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ludus.core.errors import LudusError
from ludus.match.match import Stale
from ludus.store import StoreDown
from ludus.store.people import Person
from ludus.store.writes import Moved

from . import commands, logs, peace, watching
from .change import Change
from .models import Command
from .server import Server
from .standing import Standing
from .table import Table

TRIES = 20  # how often a change is thought out anew because another process was quicker

Work = Callable[[Change], Any]


@dataclass(frozen=True)
class Done:
    """What became of a change."""

    entry: int
    added: int  # entries
    repeated: bool
    value: Any = None


async def change(
    server: Server, match_id: str, work: Work, command: str | None = None, aside: bool = False
) -> Done:
    """Change a match in one transaction; then tell everybody who looks at it.

    Goes on to its end even if whoever asked for it goes away.  A `command` that has happened happens no
    second time, whatever it says.  `aside` is for work that takes a while: it runs beside the event loop.
    """
    return await server.to_the_end(_change_and_tell(server, match_id, work, command, aside))


async def _change_and_tell(
    server: Server, match_id: str, work: Work, command: str | None, aside: bool
) -> Done:
    async with server.tables.held(match_id) as table:
        done = await _change(server, table, work, command, aside)
    server.metrics.count("entries", n=done.added)
    for listen in server.after_change:
        listen(table)
    return done


async def _change(server: Server, table: Table, work: Work, command: str | None, aside: bool) -> Done:
    current = False  # whether the table is known to stand where the store stands
    for _ in range(TRIES):
        if table.standing is None:
            await _catch_up(server, table)
            current = True
        done = await _try(server, table, work, command, aside, current)
        if done is not None:
            return done
        await _catch_up(server, table)
        current = True
    raise StoreDown("the match is being changed by others all the time")


async def _try(
    server: Server, table: Table, work: Work, command: str | None, aside: bool, current: bool
) -> Done | None:
    """One try from where the table stands; None when the match has moved on elsewhere in the meantime.

    A refusal, or a command that has happened, is only believed of a table that is current.
    """
    standing = table.standing
    assert standing is not None
    if command is not None and command in table.commands:
        known = current or await server.tables.is_current(table, standing)
        return Done(table.commands[command], 0, repeated=True) if known else None
    form = server.forms.of(standing.row.title)
    change = Change(standing, server.time, server.settings.bot_seconds, form)
    try:
        value = await server.reading(work, change) if aside else work(change)
    except LudusError:
        if current or await server.tables.is_current(table, standing):
            raise
        return None
    after = await _commit(server, table, change, command)
    if after is None:
        return None
    server.publisher.publish(table, standing)
    await peace.notice(server, table, standing, after)
    return Done(after.entries, after.entries - standing.entries, repeated=False, value=value)


async def _commit(server: Server, table: Table, change: Change, command: str | None) -> Standing | None:
    """Write a change; where the match stands then, or None when somebody else was quicker."""
    written, after = change.finish(server.origin, command)
    try:
        await server.write(written)
    except Moved:
        return None
    except BaseException:
        # Whether it was committed is not known: the store tells, as soon as it answers again.
        table.drop()
        if table.viewers:
            server.spawn(_hear_until_known(server, table.id))
        raise
    if change.ending is not None:
        after = replace(after, seats=change.ending.shown(after.seats))
    table.standing = after
    if command is not None and written.entries:
        table.commands[command] = written.entries[0].number
    return after


async def _catch_up(server: Server, table: Table) -> Standing:
    standing = await server.tables.catch_up(table)
    server.publisher.publish(table)
    return standing


async def _hear_until_known(server: Server, match_id: str) -> None:
    while True:
        await asyncio.sleep(1.0)
        await watching.hear(server, match_id)
        table = server.tables.known(match_id)
        if table is None or table.standing is not None or not table.viewers:
            return


# -- what people do, and what the clock does ---------------------------------------------------------------


async def command(server: Server, person: Person, match_id: str, wanted: Command) -> Done:
    """A command of a person; see `commands`."""
    began = time.perf_counter()
    outcome, done = "failed", None
    try:
        key = f"{person.id}:{wanted.client}"
        done = await change(server, match_id, partial(commands.run, person=person, command=wanted), key)
        outcome = "repeated" if done.repeated else "done"
        return done
    except Stale:
        outcome = "stale"
        raise
    except LudusError as error:
        outcome = "down" if isinstance(error, StoreDown) else "refused"
        raise
    finally:
        spent = time.perf_counter() - began
        server.metrics.count("commands", outcome)
        server.metrics.time("command", spent)
        logs.line(
            "command",
            match=match_id,
            person=person.id,
            do=wanted.do,
            seat=wanted.seat,
            entry=done.entry if done else None,
            reason=outcome,
            ms=round(spent * 1000, 1),
        )


async def time_out(server: Server, match_id: str) -> None:
    try:
        await change(server, match_id, commands.time_is_up)
    except StoreDown:
        raise
    except LudusError as error:
        server.note_stuck(match_id, error)
