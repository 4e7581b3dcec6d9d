"""Opening a match: from its rows to the match that they stand for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection

from ludus import titles as registry
from ludus.core.errors import LudusError
from ludus.match import fairness
from ludus.match.entries import Entry
from ludus.match.match import Match, Setting, read_setting

from . import records


class Unplayable(LudusError):
    """A stored match that the present rules cannot play again.

    Its text is for everybody and quotes nothing of the record; `why` is for the host's eyes alone.
    """

    def __init__(self, text: str, why: str = "") -> None:
        self.why = why or text
        super().__init__(text)


def told_to_host(error: LudusError) -> str:
    return error.why if isinstance(error, Unplayable) else str(error)


def setting_of(row: Any) -> Setting:
    """What a match was begun with; Unplayable when its title or box is not the one it had."""
    try:
        title = registry.title(row.title)
        options = title.recorded(json.loads(row.options))
        # The position was checked when the match was made.
        setting = replace(read_setting(title, row.seats, options, json.loads(row.names)), start=row.start)
        box_hash = setting.box_hash()
    except LudusError as error:
        raise Unplayable(f"this match cannot be opened any more: {error}") from None
    if row.box_hash and row.box_hash != box_hash:
        raise Unplayable("this match cannot be opened any more: the data of its title have changed")
    return setting


def empty_match(row: Any, seats: Sequence[Any], form: str = "plain") -> Match:
    """The match before its first entry."""
    key, nonces = bytes.fromhex(row.secret), [bytes.fromhex(seat.nonce) for seat in seats]
    return Match(
        setting_of(row),
        fairness.source(key, nonces),
        row.id,
        key,
        nonces,
        replaying=True,
        form=form,
    )


def open_match(
    db: Connection, row: Any, seats: Sequence[Any], cached: bool = True, form: str = "plain"
) -> Match:
    """The match of a record: from its snapshot where there is a good one, else entry by entry."""
    match = empty_match(row, seats, form)
    entries = records.entries_since(db, row.id, 0)
    snapshot = records.load_snapshot(db, row.id, match, len(entries)) if cached else None
    if snapshot is not None:
        try:
            match.resume(entries[: snapshot["entries"]], snapshot)
        except (LudusError, KeyError, ValueError, TypeError):
            match = empty_match(row, seats, form)  # a damaged cache is no reason to lose a match
    play_on(match, entries[len(match.entries) :])
    if row.rules_version < match.setting.title.version and row.hash and match.game.hash() != row.hash:
        raise Unplayable("this match cannot be opened any more: the present rules play it differently")
    return match


def play_on(match: Match, entries: Sequence[Entry]) -> None:
    """Play stored entries; Unplayable when they could not have happened."""
    try:
        for entry in entries:
            match.read_entry(entry)
    except LudusError as error:
        # What the rules say quotes the action, which may be hidden from whoever asks.
        text = f"this match cannot be opened any more: entry {len(match.entries) + 1} cannot be played again"
        raise Unplayable(text, why=f"{text}: {error}") from None


def verify_match(db: Connection, row: Any) -> str:
    """Replay a match from its first entry; what differs from what is stored, or ""."""
    seats = records.seat_rows(db, row.id)
    try:
        match = open_match(db, row, seats, cached=False)
    except LudusError as error:
        return told_to_host(error)
    if len(match.entries) != row.entries:
        return f"{len(match.entries)} entries are stored, the match says {row.entries}"
    if match.game.hash() != row.hash:
        return "the last position is not the one that was played (hash differs)"
    if row.rules_version != match.setting.title.version:
        return ""  # it replays to the same position, so the new rules may go on with it
    result = " ".join(str(r) for r in match.result or ())
    if row.state in ("running", "over") and (result != row.result or match.ending != row.ending):
        return f"the result is {result or 'open'}, the match says {row.result or 'open'}"
    return _verify_dice(match)


def _verify_dice(match: Match) -> str:
    """Derive every outcome again: the dice must be those of key and nonces."""
    from ludus.core.chance import CHANCE

    again = Match(match.setting, match.game.source, seed=0, replaying=True)
    for entry in match.entries:
        if entry.who == CHANCE:
            drawn = again.game.title.codes.text(again.game.draw(), again.game.labels)
            if drawn != entry.text:
                return f"entry {entry.number}: the dice gave {drawn!r}, the record says {entry.text!r}"
        again.read_entry(entry)
    return ""
