"""Bots at the tables: whose turn it is thinks, here or, when a process has died, elsewhere."""

from __future__ import annotations

from ludus.core.errors import LudusError
from ludus.match.match import Stale
from ludus.store import StoreDown

from . import changing, commands
from .bots import make_job
from .change import Change
from .errors import Forbidden, Unknown
from .server import Server
from .standing import is_attended
from .table import Table


def wake_bots(server: Server, table: Table) -> None:
    """If a bot is to move, and anybody plays with it, let it think."""
    standing = table.standing
    if standing is None:
        return
    row = standing.row
    if row.state != "running" or row.to_move < 0 or table.thinking == row.entries:
        return
    if standing.seats[row.to_move].kind == "bot" and is_attended(standing.seats):
        table.thinking = row.entries
        server.spawn(_bot_turn(server, table.id, row.entries))


async def _bot_turn(server: Server, match_id: str, entry: int) -> None:
    try:
        _, standing = await server.now(match_id)
        match = standing.match
        if match is None or standing.row.state != "running" or standing.entries != entry:
            return
        seat = match.game.to_move
        if seat < 0 or standing.seats[seat].kind != "bot" or not is_attended(standing.seats):
            return
        thought = await server.bots.think(make_job(match, seat, standing.seats[seat].bot))
        server.metrics.count("bots", thought.outcome)

        def play(change: Change) -> None:
            commands.bot_plays(change, seat, entry, thought.action)

        await changing.change(server, match_id, play, f"bot:{seat}:{entry}")
    except StoreDown:
        server.metrics.count("store_errors")  # its move is due later, here or elsewhere
    except LudusError as error:
        if not isinstance(error, (Stale, Unknown, Forbidden)):  # else the match went on without it
            server.note_stuck(match_id, error)
    finally:
        known = server.tables.known(match_id)
        if known is not None and known.thinking == entry:
            known.thinking = -1


async def wake(server: Server, match_id: str) -> None:
    """A bot whose move is overdue, because its process died: think here."""
    try:
        table, _ = await server.now(match_id)
        wake_bots(server, table)
    except LudusError as error:
        server.note_stuck(match_id, error)
