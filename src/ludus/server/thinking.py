"""Bots at the tables: whose turn it is thinks, here or, when a process has died, elsewhere."""

from __future__ import annotations

from ludus.core.errors import LudusError
from ludus.match.match import Stale
from ludus.store import StoreDown

from . import changing, chatting, commands, peace
from .bots import Thought, make_job
from .change import Change
from .errors import Forbidden, Unknown
from .server import Server
from .table import Table

EXCUSES = {
    "late": "I did not answer in time",
    "crashed": "I have failed",
    "refused": "I have answered with what is no legal move",
}


def wake_bots(server: Server, table: Table) -> None:
    """If a bot is to move, and anybody plays with it, let it think."""
    standing = table.standing
    if standing is None:
        return
    row = standing.row
    if row.state != "running" or row.to_move < 0 or table.thinking == row.entries:
        return
    if standing.seats[row.to_move].kind == "bot" and table.has_people(standing.seats):
        table.thinking = row.entries
        server.spawn(_bot_turn(server, table.id, row.entries))


async def _bot_turn(server: Server, match_id: str, entry: int) -> None:
    try:
        table, standing = await server.now(match_id)
        match = standing.match
        if match is None or standing.row.state != "running" or standing.entries != entry:
            return
        seat = match.game.to_move
        if seat < 0 or standing.seats[seat].kind != "bot" or not table.has_people(standing.seats):
            return
        bot = standing.seats[seat].bot
        server.forms.fill_for(standing.row.title, bot)
        thought = await server.bots.think(make_job(match, seat, bot, table.memories.of(match, seat, bot)))
        server.metrics.count("bots", thought.outcome)
        table.memories.keep(match, seat, bot, thought.memory)

        action = await peace.kept(server, standing, seat, thought.action)

        def play(change: Change) -> None:
            if not table.has_people(change.seats):
                raise Stale("everybody has left; bots wait until somebody comes")
            commands.bot_plays(change, seat, entry, action)

        await changing.change(server, match_id, play, f"bot:{seat}:{entry}")
        if thought.outcome != "played":
            await _excuse(server, match_id, seat, thought)
    except StoreDown:
        server.metrics.count("store_errors")  # its move is due later, here or elsewhere
    except LudusError as error:
        if not isinstance(error, (Stale, Unknown, Forbidden)):  # else the match went on without it
            server.note_stuck(match_id, error)
    finally:
        known = server.tables.known(match_id)
        if known is not None and known.thinking == entry:
            known.thinking = -1


async def _excuse(server: Server, match_id: str, seat: int, thought: Thought) -> None:
    """A bot that has failed says so at the table, once."""
    table, standing = await server.now(match_id)
    if seat in table.excused or standing.seats[seat].kind != "bot":
        return
    table.excused.add(seat)
    who = f"{thought.stand_in} plays for me" if thought.stand_in else "a legal move is drawn for me"
    said = f"{EXCUSES[thought.outcome]}; {who}."
    about = {"excuse": thought.outcome, "seat": seat, "stand_in": thought.stand_in}
    await chatting.say_as_bot(server, match_id, standing.seats[seat].name, said, about)


async def wake(server: Server, match_id: str) -> None:
    """A bot whose move is overdue, because its process died: think here."""
    try:
        table, _ = await server.now(match_id)
        wake_bots(server, table)
    except LudusError as error:
        server.note_stuck(match_id, error)
