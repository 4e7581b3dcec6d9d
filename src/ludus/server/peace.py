"""Peace between two seats: a word that is given at the table, binds nobody, and is shown when it is broken.

It is no rule and stands in no record: it lies in the chat, in lines that are about it.  An offer, a refusal
and a counter-offer are for the two people alone, whoever takes a seat over, and open while both sit there; a
peace that was agreed, and who broke it, is for all players.

A peace may be a part of a deal with what the game itself offers (talents, captives): whoever answers that
answers the whole.  Bots answer at once, with a reason, and keep their word where the rules let them.

A title can have peace that says which round it is and who has attacked whom (`round_of`, `hostile`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

from sqlalchemy import Connection

from ludus.core.chance import SPECTATOR
from ludus.core.title import Title
from ludus.match.entries import HOUSE, back_to, standing_after
from ludus.match.match import NotAllowed
from ludus.store import StoreDown, records
from ludus.store.people import Person
from ludus.store.rows import PAIR

from .chatting import NewLine, pair_of, write
from .errors import Invalid, Unknown
from .models import AnswerPeace, OfferPeace
from .server import Server
from .standing import Standing
from .table import Table

NO_OFFER = "there is no such offer of peace: {}"
OFFERED, AGREED, REFUSED, COUNTERED, BROKEN = "offered", "agreed", "refused", "countered", "broken"
WITHDRAWN = "withdrawn"


@dataclass(frozen=True)
class Peace:
    """What a line says of a peace: all of it, so that the last line is enough."""

    peace: int  # the number of the line that offered it; first, so that the store finds such lines
    state: str
    seat: int  # who offered it to whom
    to: int
    rounds: int
    answers: int | None = None  # the offer to which it is a counter-offer
    first: int = 0  # the rounds in which it holds
    last: int = 0
    by: int | None = None  # who broke it, in which round, by which entry
    round: int = 0
    entry: int = 0
    deal: bool = False  # a part of what is offered in the game: answered with that
    why: str = ""  # of a bot's answer: `web.peace.WHY` of the title's words

    def holds_between(self, one: int, other: int, round_now: int) -> bool:
        return (
            self.state == AGREED
            and {self.seat, self.to} == {one, other}
            and self.first <= round_now <= self.last
        )


@dataclass(frozen=True)
class Attack:
    entry: int
    round: int
    by: int
    against: int


@dataclass(frozen=True)
class DealAnswer:
    """An offer of the game was answered."""

    by: int  # who offered
    to: int
    yes: bool
    round: int


def may_have(title: Title[Any, Any]) -> bool:
    return title.round_of is not None and title.hostile is not None


class Spoken(NamedTuple):
    """Every peace that was spoken of in a match, by its number."""

    found: dict[int, Peace]  # as it stands
    people: dict[int, tuple[str | None, str | None]]  # who offered it to whom

    def is_for(self, number: int, standing: Standing, person: Person | None) -> bool:
        """Whether somebody may know of it: all players of what was agreed or broken, of an offer the two."""
        if self.found[number].state in (AGREED, BROKEN) and "table" in standing.rooms(person):
            return True
        return person is not None and person.id in self.people.get(number, ())

    def is_open(self, number: int, standing: Standing) -> bool:
        """Whether it is offered, and both still sit where they sat."""
        one = self.found[number]
        sitting = (standing.seats[one.seat].person_id, standing.seats[one.to].person_id)
        return one.state == OFFERED and sitting == self.people.get(number)


def known(server: Server, match_id: str) -> Spoken:
    with server.store.read() as db:
        return _known(db, match_id)


def _known(db: Connection, match_id: str) -> Spoken:
    found: dict[int, Peace] = {}
    people: dict[int, tuple[str | None, str | None]] = {}
    for line in records.chat_about(db, match_id, "peace"):
        peace = Peace(**json.loads(line.about))
        found[peace.peace] = peace
        if peace.peace == line.number:
            people[peace.peace] = line.person_id, line.to_id
        earlier = found.get(peace.answers or 0)
        if earlier is not None and earlier.state == OFFERED:
            found[earlier.peace] = replace(earlier, state=COUNTERED)
    return Spoken(found, people)


def for_reader(spoken: Spoken, standing: Standing, person: Person | None) -> list[dict[str, Any]]:
    """What a player is told: what was agreed or broken, and what is offered by or to them."""
    return [
        asdict(one)
        for number, one in spoken.found.items()
        if spoken.is_for(number, standing, person)
        and (one.state in (AGREED, BROKEN) or spoken.is_open(number, standing))
    ]


# -- offers and answers -----------------------------------------------------------------------------------


async def offer(server: Server, person: Person, match_id: str, wish: OfferPeace) -> dict[str, Any]:
    """Offer a peace to a seat, perhaps instead of one that it has offered; the number of the offer."""
    server.limiter.take("chat", person.id)
    return await server.to_the_end(_offer(server, person, match_id, wish))


async def _offer(server: Server, person: Person, match_id: str, wish: OfferPeace) -> dict[str, Any]:
    async with server.tables.held(match_id) as table:
        standing = await server.tables.catch_up(table)
        _check_title(standing)
        is_bot = 0 <= wish.to < len(standing.seats) and standing.seats[wish.to].kind == "bot"
        if is_bot:
            seat, other = standing.seat_for(person, wish.seat), None
        else:
            seat, other = pair_of(standing, person, wish.seat, wish.to)
        _check_playing(standing, seat, wish.to)
        spoken = await server.reading(known, server, match_id)
        earlier = wish.answers
        if earlier is not None:
            found = _open_offer(spoken, standing, person, earlier)
            if (found.seat, found.to) != (wish.to, seat):
                raise Unknown(NO_OFFER.format(earlier))
        elif not wish.deal:
            earlier = _last_word(spoken, standing, seat, wish.to)
        check = None if earlier is None else _still_open(standing, person, earlier)

        def made(number: int) -> Peace:
            return Peace(number, OFFERED, seat, wish.to, wish.rounds, earlier, deal=wish.deal)

        new = NewLine(PAIR, person.id, person.name, "", other, lambda number: asdict(made(number)), check)
        line = await write(server, table, new)
        if is_bot and not wish.deal:
            await write(server, table, _bots_answer(standing, made(line.number), person))
    return {"n": line.number}


def _last_word(spoken: Spoken, standing: Standing, one: int, other: int) -> int | None:
    """The offer that lies open between two seats, whoever made it: a new one takes its place."""
    between = [n for n, found in spoken.found.items() if {found.seat, found.to} == {one, other}]
    return max((n for n in between if spoken.is_open(n, standing) and not spoken.found[n].deal), default=None)


def _bots_answer(standing: Standing, peace: Peace, person: Person) -> NewLine:
    title, now, name = standing.running_match().setting.title, standing.moment, standing.seats[peace.to].name
    assert now is not None
    yes, why = False, ""
    if title.would_agree is not None:
        yes, why = title.would_agree(now.sight(peace.to), peace.to, peace.seat, peace.rounds)
    answered = replace(_answered(peace, yes, _round(standing)), why=why)
    if yes:
        return NewLine("table", None, name, about=lambda _: asdict(answered))
    return NewLine(PAIR, None, name, "", person.id, lambda _: asdict(answered))


def _answered(peace: Peace, yes: bool, round_now: int) -> Peace:
    if not yes:
        return replace(peace, state=REFUSED)
    return replace(peace, state=AGREED, first=round_now, last=round_now + peace.rounds - 1)


async def answer(server: Server, person: Person, match_id: str, given: AnswerPeace) -> dict[str, Any]:
    """Say yes or no to an offer; no to one's own takes it back."""
    server.limiter.take("chat", person.id)
    return await server.to_the_end(_answer(server, person, match_id, given))


async def _answer(server: Server, person: Person, match_id: str, given: AnswerPeace) -> dict[str, Any]:
    async with server.tables.held(match_id) as table:
        standing = await server.tables.catch_up(table)
        _check_title(standing)
        spoken = await server.reading(known, server, match_id)
        found = _open_offer(spoken, standing, person, given.offer)
        takes_back = not given.yes and found.seat in standing.seats_of(person)
        if not takes_back:
            standing.seat_for(person, found.to)
        _check_playing(standing, found.seat, found.to)
        said = _answered(found, given.yes, _round(standing))
        if takes_back:
            said = replace(said, state=WITHDRAWN)
        new = _line_of(standing, said, person)
        line = await write(server, table, replace(new, check=_still_open(standing, person, given.offer)))
    return {"n": line.number}


def _line_of(standing: Standing, peace: Peace, person: Person) -> NewLine:
    """A line of somebody who answers: all players hear of an agreement, the two of anything else."""
    if peace.state == AGREED:
        return NewLine("table", person.id, person.name, about=lambda _: asdict(peace))
    hears = peace.to if peace.state == WITHDRAWN else peace.seat
    other = standing.seats[hears].person_id
    return NewLine(PAIR, person.id, person.name, "", other, lambda _: asdict(peace))


def _still_open(standing: Standing, person: Person, number: int) -> Callable[[Connection], None]:
    def check(db: Connection) -> None:
        _open_offer(_known(db, standing.row.id), standing, person, number)

    return check


def _open_offer(spoken: Spoken, standing: Standing, person: Person, number: int) -> Peace:
    """An offer that somebody may answer; of one between others they hear what they hear of none."""
    if number not in spoken.found or not spoken.is_for(number, standing, person):
        raise Unknown(NO_OFFER.format(number))
    found = spoken.found[number]
    if found.state != OFFERED:
        raise NotAllowed(f"this offer of peace was {found.state} already")
    if not spoken.is_open(number, standing):
        raise NotAllowed("one of the two has left the seat since peace was offered")
    return found


def _check_title(standing: Standing) -> None:
    if not may_have(standing.running_match().setting.title):
        raise Invalid("in this game there is nothing to make peace about")


def _check_playing(standing: Standing, *seats: int) -> None:
    match = standing.running_match()
    if match.over or any(match.status[seat] != "playing" for seat in seats):
        raise NotAllowed("peace is made between seats that still play")


def _round(standing: Standing) -> int:
    title, now = standing.running_match().setting.title, standing.moment
    assert title.round_of is not None and now is not None
    return title.round_of(now.sight(SPECTATOR))


# -- who breaks it ----------------------------------------------------------------------------------------


async def notice(server: Server, table: Table, before: Standing, after: Standing) -> None:
    """Say which peace a change has broken, or mended by taking the attack back.  Under the lock.

    The change is made and told already: a store that does not answer now costs this line and no more.
    """
    match = after.match
    if match is None or not may_have(match.setting.title):
        return
    attacks, answers = _happened(before, after)
    undone = any(back_to(entry) is not None for entry in match.entries[before.entries :])
    if not attacks and not answers and not undone:
        return
    try:
        spoken = await server.reading(known, server, table.id)
        found = {
            n: one for n, one in spoken.found.items() if one.state != OFFERED or spoken.is_open(n, after)
        }
        for peace in _settled(found, answers):
            await write(server, table, _told_by_the_game(after, peace))
        for peace in _changed(found, attacks, standing_after(match.entries)):
            await write(server, table, _of_the_house(peace))
    except StoreDown:
        server.metrics.count("store_errors")


def _of_the_house(peace: Peace) -> NewLine:
    return NewLine("table", None, "", about=lambda _: asdict(peace))


def _told_by_the_game(standing: Standing, peace: Peace) -> NewLine:
    """The answer to a deal, by whoever answered in the game."""
    seat = standing.seats[peace.to]
    if peace.state == AGREED:
        return NewLine("table", seat.person_id, seat.name, about=lambda _: asdict(peace))
    other = standing.seats[peace.seat].person_id
    return NewLine(PAIR, seat.person_id, seat.name, "", other, lambda _: asdict(peace))


def _happened(before: Standing, after: Standing) -> tuple[list[Attack], list[DealAnswer]]:
    """Who has attacked whom, and whose offers of the game were answered."""
    match = after.match
    assert match is not None
    title = match.setting.title
    assert title.hostile is not None and title.round_of is not None
    seen = [moment.sight(SPECTATOR) for moment in after.moments(before.entries, before)]
    attacks, answers = [], []
    for entry, (one, other) in zip(match.entries[before.entries :], pairwise(seen), strict=True):
        if entry.who == HOUSE:
            continue
        for by, against in title.hostile(one, other):
            attacks.append(Attack(entry.number, title.round_of(one), by, against))
        struck = title.bargained(one, other) if title.bargained is not None else None
        if struck is not None:
            answers.append(DealAnswer(*struck, title.round_of(other)))
    return attacks, answers


def _settled(found: dict[int, Peace], answers: Sequence[DealAnswer]) -> Iterator[Peace]:
    """What becomes of the peace in a deal, when the game's part of it was answered."""
    for answer in answers:
        for peace in list(found.values()):
            open_deal = peace.deal and peace.state == OFFERED
            if open_deal and {peace.seat, peace.to} == {answer.by, answer.to}:
                found[peace.peace] = _answered(peace, answer.yes, answer.round)
                yield found[peace.peace]


def _changed(found: dict[int, Peace], attacks: Sequence[Attack], standing: Sequence[int]) -> Iterator[Peace]:
    for peace in found.values():
        if peace.state == BROKEN and peace.entry not in standing:
            yield replace(peace, state=AGREED, by=None, round=0, entry=0)
        attack = next(
            (a for a in attacks if a.entry in standing and peace.holds_between(a.by, a.against, a.round)),
            None,
        )
        if attack is not None:
            yield replace(peace, state=BROKEN, by=attack.by, round=attack.round, entry=attack.entry)


# -- bots -------------------------------------------------------------------------------------------------


async def kept(server: Server, standing: Standing, seat: int, text: str) -> str:
    """What a bot plays: it attacks somebody to whom it has given its word only where nothing else is left."""
    match = standing.running_match()
    title, now = match.setting.title, standing.moment
    if title.keep_word is None or not may_have(title) or now is None:
        return text
    game, sight = match.game, now.sight(seat)
    codes, code = game.legal_codes(), game.code_of(text)
    others = frozenset(range(len(standing.seats))) - {seat}
    if title.keep_word(sight, code, codes, others) == code:
        return text
    found = (await server.reading(known, server, standing.row.id)).found.values()
    round_now = _round(standing)
    friends = {o for o in others for one in found if one.holds_between(seat, o, round_now)}
    return game.action(title.keep_word(sight, code, codes, friends)).text
