"""One change of a match: thought out on a fork of where it stands, then written, then true.

Nothing here touches the database or the table.  `Change.write` is what a transaction writes, `Change.after`
where the match stands once that is committed; the two are made from the same entries.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from ludus.core.chance import OVER
from ludus.match import fairness
from ludus.match.match import Match
from ludus.match.moments import Moment, moments
from ludus.store import records
from ludus.store.opening import setting_of
from ludus.store.writes import Write

from . import clocks, rated
from .bots import name_at_table, substitute
from .clocks import ServerTime
from .standing import Standing, is_attended

BOT_MARGIN = 5.0  # so long after its deadline another process thinks for a bot


class Change:
    def __init__(
        self, standing: Standing, time: ServerTime, bot_seconds: float = 10.0, form: str = "plain"
    ) -> None:
        match = standing.match.fork() if standing.match is not None else None
        if match is not None and match.game.form.name != form == "compiled":
            match.game.change_form(form)  # it lies ready by now
        self.table = Standing(standing.row, standing.seats, match, standing.sat)
        self.now, self.ticks = time.wall(), time.now()  # for people to read; for clocks
        self.bot_seconds, self.form = bot_seconds, form
        self.match = match
        self.before = standing.entries
        self.seats = list(standing.seats)
        self.values: dict[str, Any] = {}
        self._seat_values: dict[int, dict[str, Any]] = {}
        self._sat: set[tuple[int, str]] = set()
        self._made: Moment | None = None
        self.ending: rated.RatedEnd | None = None  # of a rated match that ends with this

    # -- steps --------------------------------------------------------------------------------------

    def seat(self, seat: int, **values: Any) -> None:
        """Change who sits where."""
        self.seats[seat] = self.seats[seat]._replace(**values)
        self._seat_values.setdefault(seat, {}).update(values)

    def begin_if_full(self) -> None:
        """Play begins when every seat has a player and a nonce."""
        if self.match is not None or any(s.kind not in ("person", "bot") or not s.nonce for s in self.seats):
            return
        for seat, values in rated.draw_lots(self.table.row, self.seats).items():
            self.seat(seat, **values)
        row = self.table.row._replace(names=json.dumps([s.name for s in self.seats]), box_hash="")
        setting = setting_of(row)
        key, nonces = bytes.fromhex(row.secret), [bytes.fromhex(s.nonce) for s in self.seats]
        self.match = Match.fair(setting, row.id, key, nonces, self.form)
        self._sat.update((s.seat, s.person_id) for s in self.seats if s.person_id)
        box_hash = setting.box_hash()
        self.values.update(
            names=row.names, box_hash=box_hash, state="running", rules_version=setting.title.version
        )

    def fill_with_bot(self, seat: int, bot: str) -> None:
        assert self.match is not None
        name = name_at_table(bot, [s.name for s in self.seats if s.seat != seat])
        self.match.take_over(seat, name)
        old = self.seats[seat]
        former = old.person_id or old.former_id
        self.seat(seat, kind="bot", bot=bot, name=name, person_id=None, former_id=former)

    def go_on_without(self, seat: int, watched: bool = False) -> None:
        """A seat has lost before the end and the others play on: a bot plays for it.  Where only bots are
        left the match ends with that, unless who has lost wants to watch how they go on."""
        assert self.match is not None
        if self.match.over or self.seats[seat].kind == "bot":
            return
        if watched or any(s.kind != "bot" for s in self.seats if s.seat != seat):
            self.fill_with_bot(seat, substitute(self.table.row.title))
        else:
            self.match.abandon()

    def close_if_only_bots(self) -> None:
        """The last person has given their seat to a bot, and nobody has lost."""
        if all(s.kind == "bot" for s in self.seats):
            self.values["state"] = "closed"

    def free(self, seat: int) -> None:
        """The player of a seat is gone; it can be claimed, or given to a bot."""
        old = self.seats[seat]
        self.seat(seat, person_id=None, former_id=old.person_id or old.former_id)

    def sit(self, seat: int, person_id: str, name: str) -> None:
        assert self.match is not None
        self.match.claim(seat, name)
        self.seat(seat, kind="person", bot="", person_id=person_id, former_id=None, name=name)
        self._sat.add((seat, person_id))

    def let_bots_vote(self) -> None:
        """A bot agrees to take back what nobody has learnt anything from, and never to a draw."""
        match = self.match
        assert match is not None
        for s in self.seats:
            asked = match.proposal
            if s.kind != "bot" or match.status[s.seat] != "playing" or asked is None or s.seat in match.votes:
                continue
            match.vote(s.seat, asked.kind == "undo" and not match.shown_since(asked.to), asked.entry)

    # -- what comes of it ---------------------------------------------------------------------------

    def finish(self, origin: str, command: str | None) -> tuple[Write, Standing]:
        """What must be written, and where the match stands once it is."""
        row, match = self.table.row, self.match
        self.values.update(revision=row.revision + 1, updated=self.now)
        if match is not None:
            self._note_standing(match)
        new = match.entries[self.before :] if match is not None else []
        due = match is not None and self._snapshot_due(match)
        write = Write(
            match_id=row.id,
            incarnation=row.incarnation,
            revision=row.revision,
            origin=origin,
            made=self.now,
            values=self.values,
            entries=new,
            command=command,
            seats=self._seat_values,
            sat=self._sat,
            snapshot=records.make_snapshot(match) if match is not None and due else None,
            also=(self.ending,) if self.ending is not None else (),
        )
        sat = self.table.sat | self._sat
        return write, Standing(row._replace(**self.values), tuple(self.seats), match, sat, self._made)

    def _note_standing(self, match: Match) -> None:
        over = match.over
        mover = OVER if over else match.game.to_move
        player = self.seats[mover] if mover >= 0 else None
        if self.table.clock.kind != clocks.NONE:
            runs = player is not None and player.kind == "person" and match.status[mover] != "timed_out"
            self._note_clock(match, mover, runs)
        thinks = player is not None and player.kind == "bot" and is_attended(self.seats)
        if over:
            self.values["state"] = "over"
            if self.table.row.rated and self.table.row.state != "over":
                self.ending = rated.RatedEnd(self.table.row, self.seats, match, self.now)
        self.values.update(
            entries=len(match.entries),
            to_move=mover,
            hash=sha256(match.frames[len(match.entries)]).hexdigest(),  # that of `Game.hash`
        )
        now = self._made = moments(match, len(match.entries), len(match.entries))[0]
        seldom = {
            "score": " ".join(str(n) for n in now.score),
            "result": " ".join(str(r) for r in match.result or ()),
            "ending": match.ending,
            "bot_due": self.now + self.bot_seconds + BOT_MARGIN if thinks else None,
        }
        self.values.update((c, value) for c, value in seldom.items() if value != getattr(self.table.row, c))

    def _note_clock(self, match: Match, mover: int, runs: bool) -> None:
        """From now on `mover` is to move, and its clock runs or not."""
        clock, state = self.table.clock, self.table.clock_state
        state = clocks.move_on(clock, state, match.game.line, mover, runs, self.ticks)
        self.values.update(clock_state=json.dumps(state.json()), deadline=state.deadline)

    def _snapshot_due(self, match: Match) -> bool:
        every = records.SNAPSHOT_EVERY
        return match.over or len(match.entries) // every > self.before // every


def new_nonce() -> str:
    return fairness.new_nonce().hex()
