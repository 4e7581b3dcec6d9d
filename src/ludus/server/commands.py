"""What a command does to a match.  Runs inside one transaction, on a change."""

from __future__ import annotations

from ludus.match.match import Match, NotAllowed, Stale
from ludus.store.people import Person

from .bots import bot_names, substitute
from .change import Change
from .claiming import require_claim
from .clocks import LATE, NONE
from .errors import Forbidden, Invalid, Unknown
from .models import Command
from .standing import is_attended


def run(change: Change, person: Person, command: Command) -> None:
    """A command of a person; LudusError when it cannot be done, and then nothing has changed."""
    match = change.table.running_match()
    if command.expect is not None and command.expect != len(match.entries):
        raise Stale(f"the match has {len(match.entries)} entries by now, not {command.expect}")
    if change.table.row.rated:
        _require_rated(command)
    if command.do == "claim":
        _claim(change, person, command.seat)
        return
    if command.do == "take_over":
        _take_over(change, match, person, command)
        return
    seat = change.table.seat_for(person, command.seat)
    if command.do in ("play", "undo"):
        _on_time(change, match, seat)
    if command.do == "play":
        if command.expect is None or not command.actions:
            raise Invalid("play needs 'expect', the last entry you saw, and 'actions'")
        match.play(seat, command.actions, command.expect)
    elif command.do == "undo":
        if command.expect is None or command.to is None:
            raise Invalid("undo needs 'expect', the last entry you saw, and 'to', the entry to go back to")
        _in_turn(change, match, person)
        match.undo(seat, command.to)
    elif command.do == "propose":
        _propose(change, match, seat, command)
    elif command.do == "vote":
        if command.yes is None or command.proposal is None:
            raise Invalid("vote needs 'yes', true or false, and 'proposal', the entry of what is answered")
        match.vote(seat, command.yes, command.proposal)
    elif command.do == "resign":
        match.resign(seat)
        change.go_on_without(seat)
    elif command.do == "leave":
        match.leave(seat)
        change.free(seat)


def _on_time(change: Change, match: Match, seat: int) -> None:
    deadline = change.table.row.deadline
    if deadline is not None and match.game.to_move == seat and change.ticks > deadline + LATE:
        raise NotAllowed("the time of this seat is up")


def _in_turn(change: Change, match: Match, person: Person) -> None:
    """With a clock nobody takes back alone what has passed the turn on: who thinks then, on whose time?"""
    mover = match.game.to_move
    if change.table.clock.kind != NONE and mover >= 0 and mover not in change.table.seats_of(person):
        raise NotAllowed(
            "the turn has passed on, and another clock runs: this can be taken back only if the others agree"
        )


def _propose(change: Change, match: Match, seat: int, command: Command) -> None:
    if command.kind is None or (command.kind == "undo" and command.to is None):
        raise Invalid("propose needs 'kind': draw, or undo with 'to', the entry to go back to")
    match.propose(seat, command.kind, command.to or 0)
    change.let_bots_vote()


def _require_rated(command: Command) -> None:
    """What is not done at a rated table: nobody else plays on, and nothing is taken back by agreement."""
    if command.do == "take_over":
        raise Forbidden("this match is rated: no bot plays on in it")
    if command.do == "propose" and command.kind == "undo":
        raise NotAllowed(
            "this match is rated: nothing is taken back that the others or the dice have answered"
        )


def _claim(change: Change, person: Person, seat: int | None) -> None:
    """Somebody takes a free seat."""
    seat = _free_seat(change, seat)
    require_claim(change.table, person, seat)
    change.sit(seat, person.id, person.name)


def _take_over(change: Change, match: Match, person: Person, command: Command) -> None:
    """A player gives a free seat to a bot; so can who had it."""
    seat = _free_seat(change, command.seat)
    if not change.table.seats_of(person) and (seat, person.id) not in change.table.sat:
        raise Forbidden("only players of this match can give a seat to a bot")
    bots = bot_names(change.table.row.title)
    bot = command.bot or substitute(change.table.row.title)
    if bot not in bots:
        raise Invalid(f"there is no bot {bot!r:.40}; there are: {', '.join(bots)}")
    change.fill_with_bot(seat, bot)
    change.let_bots_vote()


def _free_seat(change: Change, seat: int | None) -> int:
    if seat is None:
        raise Invalid("say which seat")
    if not 0 <= seat < len(change.seats):
        raise Unknown(f"there is no seat {seat}")
    if change.seats[seat].kind == "bot" or change.seats[seat].person_id is not None:
        raise NotAllowed(f"seat {seat} is not free")
    return seat


def bot_plays(change: Change, seat: int, entry: int, action: str) -> None:
    match = change.table.running_match()
    if change.seats[seat].kind != "bot":
        raise Stale("the seat has another player by now")
    if not is_attended(change.seats):
        raise Stale("everybody has left; bots wait until somebody comes")
    match.play(seat, [action], entry)


def time_is_up(change: Change) -> None:
    """The clock of the seat to move has run out, and it has lost; it may have moved in the meantime."""
    match, row = change.table.running_match(), change.table.row
    running = change.table.clock_state.running
    if row.deadline is None or change.ticks < row.deadline or running < 0 or match.over:
        raise Stale("the clock is not up any more")
    match.time_out(running)
    match.forfeit(running)
    change.go_on_without(running)
