"""Where a match stands after a commit: its row, its seats and its record.

A standing is never changed.  Whoever has one may read it without a lock and for as long as it takes, in
any thread; whoever wants to change the match forks it (`Change`) and commits.
"""

from __future__ import annotations

import json
from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from ludus.core.chance import CHANCE, OVER, SPECTATOR
from ludus.core.game import View
from ludus.match import fairness
from ludus.match.match import Match
from ludus.match.moments import Moment, moments
from ludus.store.rows import MatchRow, SeatRow

from . import telling
from .clocks import NONE, Clock, ClockState, ServerTime, read_state
from .errors import Forbidden, Invalid, Unknown

if TYPE_CHECKING:
    from ludus.store.people import Person

BEGUN = ("running", "over", "closed")
_MOVER: dict[int, str | None] = {CHANCE: "chance", OVER: None}

Mark = tuple[str, int, int]
"""What tells two standings apart: incarnation, number of entries, revision."""


def is_attended(seats: Sequence[SeatRow]) -> bool:
    """Whether any seat is held by a person: else bots wait until somebody comes."""
    return any(s.kind == "person" and s.person_id for s in seats)


def away_from(seats: Sequence[SeatRow], person: Person | None) -> list[int]:
    """The seats that a person has left and nobody has taken since."""
    if person is None:
        return []
    return [s.seat for s in seats if s.kind == "person" and not s.person_id and s.former_id == person.id]


@dataclass(frozen=True)
class Standing:
    row: MatchRow
    seats: Sequence[SeatRow]
    match: Match | None  # None while seats are still free
    sat: frozenset[tuple[int, str]] = frozenset()  # every seat with everybody who ever sat there
    made: Moment | None = None  # the present position, where it was needed already

    @property
    def entries(self) -> int:
        return len(self.match.entries) if self.match is not None else 0

    @cached_property
    def mark(self) -> Mark:
        return (self.row.incarnation, self.entries, self.row.revision)

    @property
    def over(self) -> bool:
        return self.row.state == "over"

    # -- who may do what ------------------------------------------------------------------------------

    def seats_of(self, person: Person | None) -> list[int]:
        """The seats that a person holds."""
        if person is None:
            return []
        return [s.seat for s in self.seats if s.kind == "person" and s.person_id == person.id]

    def resigned_by(self, person: Person | None) -> list[int]:
        """The seats from which a person has resigned: a bot plays on there for the others."""
        if person is None or self.match is None:
            return []
        gone = [s.seat for s in self.seats if s.kind == "bot" and s.former_id == person.id]
        return [seat for seat in gone if self.match.status[seat] == "resigned"]

    def left_by(self, person: Person | None) -> list[int]:
        """The seats that a person has left and nobody has taken since."""
        return away_from(self.seats, person)

    def may_look(self, person: Person | None, eye: int) -> bool:
        """Whether somebody may see what this eye sees.  When a match is over everybody may."""
        if eye == SPECTATOR:
            return True
        return 0 <= eye < len(self.seats) and (self.over or eye in self.seats_of(person))

    def eye_of(self, person: Person | None, wanted: int | None) -> int:
        """The eye somebody looks through: the wanted seat, one's own, or a spectator's."""
        if wanted is None:
            own = self.seats_of(person)
            return own[0] if own else SPECTATOR
        if not 0 <= wanted < len(self.seats):
            raise Unknown(f"there is no seat {wanted}")
        if not self.may_look(person, wanted):
            raise Forbidden(f"seat {wanted} is not yours")
        return wanted

    def seat_for(self, person: Person, wanted: int | None) -> int:
        """The seat for which somebody acts."""
        own = self.seats_of(person)
        if wanted is not None:
            if not 0 <= wanted < len(self.seats):
                raise Unknown(f"there is no seat {wanted}")
            if wanted not in own:
                raise Forbidden(f"seat {wanted} is not yours")
            return wanted
        if not own:
            raise Forbidden("you have no seat in this match")
        if len(own) > 1:
            raise Invalid(f"say for which seat: you have {', '.join(map(str, own))}")
        return own[0]

    def rooms(self, person: Person | None) -> list[str]:
        """Which chat somebody reads: players do not hear the gallery, nor it them, until the end."""
        if self.over:
            return ["table", "gallery"]
        return ["table"] if self.seats_of(person) else ["gallery"]

    @property
    def clock(self) -> Clock:
        return _clock(self.row.clock)

    @cached_property
    def clock_state(self) -> ClockState:
        return read_state(json.loads(self.row.clock_state))

    def running_match(self) -> Match:
        if self.match is None or self.row.state == "waiting":
            raise Forbidden("the match has not begun yet: seats are still free")
        if self.row.state == "closed":
            raise Forbidden("this match was closed without a result")
        return self.match

    # -- what is shown ----------------------------------------------------------------------------------

    @cached_property
    def moment(self) -> Moment | None:
        """The present position, as different eyes see it; made once."""
        match = self.match
        if match is None or self.made is not None:
            return self.made
        return moments(match, self.entries, self.entries)[0]

    def moments(self, since: int, before: Standing | None = None) -> list[Moment]:
        """The positions after entry `since` and after each later one.

        `before` is an earlier standing, if there is one at hand: what was made of it is not made again.
        """
        match, now = self.match, self.moment
        if match is None or now is None:
            return []
        if since == self.entries:
            return [now]
        known = before.moment if before is not None and before.entries == since else None
        if known is not None:
            return [known, *moments(match, since + 1, self.entries - 1), now]
        return [*moments(match, since, self.entries - 1), now]

    def view(self, eye: int) -> View | None:
        return self.moment.view(eye) if self.moment is not None else None

    def choices(self, eye: int, lang: str) -> list[dict[str, Any]]:
        """What this eye may do now: nothing while it is not its turn."""
        match = self.match
        if match is None or self.row.state != "running" or eye == SPECTATOR or self.row.to_move != eye:
            return []
        known = self._choices.get(lang)
        if known is None:
            known = self._choices[lang] = telling.choices_now(match, eye, lang, self.moment)
        return known

    @cached_property
    def _choices(self) -> dict[str, list[dict[str, Any]]]:
        return {}

    def offer(self, eye: int, lang: str) -> dict[str, Any]:
        """What a person is offered: the choices, and the gestures where those differ (docs/api.md)."""
        legal = self.choices(eye, lang)
        match = self.match
        if match is None or not legal or (match.game.title.gestures is None and len(legal) > 1):
            return {"legal": legal}
        known = self._gestures.get(lang)
        if known is None:
            known = self._gestures[lang] = telling.gestures_now(match, lang, legal)
        return {"legal": legal, "gestures": known}

    @cached_property
    def _gestures(self) -> dict[str, list[dict[str, Any]]]:
        return {}

    def public(self, here: Set[str], watching: int, time: ServerTime) -> dict[str, Any]:
        """The facts about a match that everybody at it may know; `here` are the people who look at it.

        A clock that runs is told with the time of the telling, both by the clock on the wall.
        """
        seats = [{**shown, "present": present or who in here} for shown, present, who in self._shown_seats]
        facts = {**self._facts, "seats": seats, "watching": watching}
        if facts["clock"].get("deadline") is not None:
            deadline = facts["clock"]["deadline"] - time.ahead
            facts["clock"] = {**facts["clock"], "deadline": deadline, "now": time.wall()}
        return facts

    @cached_property
    def _facts(self) -> dict[str, Any]:
        row, match = self.row, self.match
        fixed = _fixed_facts(row.id, row.secret, row.options)
        facts: dict[str, Any] = {
            "id": row.id,
            "title": row.title,
            "rules_version": row.rules_version,
            "options": fixed["options"],
            "state": row.state,
            "public": bool(row.public),
            "same_screen": bool(row.same_screen),
            "start": bool(row.start),
            "hints": bool(row.hints),
            "rated": bool(row.rated),
            "entries": self.entries,
            "to_move": _MOVER.get(row.to_move, row.to_move),
            "seats": [],
            "clock": self._shown_clock(),
            "proposal": None,
            "result": [int(r) for r in row.result.split()] or None,
            "ending": row.ending,
            "again": row.again_id,
            "watching": 0,
            "fairness": {"commitment": fixed["commitment"]},
        }
        if match is not None:
            facts["fairness"]["nonces"] = [n.hex() for n in match.nonces]
            if match.proposal is not None and not match.over:
                facts["proposal"] = {**match.proposal._asdict(), "yes": sorted(match.votes)}
        if self.over:
            facts["fairness"]["key"] = row.secret
        return facts

    @cached_property
    def _shown_seats(self) -> list[tuple[dict[str, Any], bool, str | None]]:
        """Each seat as it is shown, whether it is always there, and who holds it."""
        status = self.match.status if self.match is not None else ["waiting"] * len(self.seats)
        found: list[tuple[dict[str, Any], bool, str | None]] = []
        for s in self.seats:
            kind = s.kind if s.kind != "person" or s.person_id else "free"
            shown = {"seat": s.seat, "kind": kind, "name": s.name, "status": status[s.seat], "present": False}
            if s.kind == "bot":
                shown["bot"] = s.bot
            if s.strength:
                shown["strength"] = json.loads(s.strength)
            found.append((shown, s.kind == "bot", s.person_id))
        return found

    def _shown_clock(self) -> dict[str, Any]:
        agreed = vars(self.clock)
        if self.clock.kind == NONE:
            return agreed
        state = self.clock_state
        return {
            **agreed,
            "left": [round(max(0.0, s), 3) for s in state.left],
            "running": state.running if state.running >= 0 else None,
            "deadline": state.deadline,
        }


@lru_cache(4096)
def _clock(text: str) -> Clock:
    return Clock(**json.loads(text))


@lru_cache(4096)
def _fixed_facts(match_id: str, secret: str, options: str) -> dict[str, Any]:
    """What never changes, worked out once a match."""
    commitment = fairness.commitment(match_id, bytes.fromhex(secret))
    return {"options": json.loads(options), "commitment": commitment}
