"""Hints: what a bot would do for the seat to move, and what that changes.

At tables against bots, and where all have agreed to it when the table was set up; such
a match is never rated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import monotonic
from typing import Any, NamedTuple

from ludus.core import gestures, reasons
from ludus.core.game import Game
from ludus.core.sight import Sight
from ludus.core.telling import say_choice, score_change
from ludus.match.match import Match
from ludus.store.people import Person

from .bots import bot_names, level_names, make_job
from .errors import Forbidden
from .models import HintQuery
from .replies import places_of, what_is_saved
from .server import Server
from .standing import Standing

PLIES, SECONDS = 12, 2.0  # of a turn that is played on to tell what it brings
SAID = 2  # of its actions that are told
QUICK = ("centurio", "optio", "miles", "tiro")  # who judges well and at once, the best first


def adviser(title: str, quick: bool) -> str:
    """Who is asked: the strongest that people can choose, or for a tip at every turn one that is quick."""
    able = bot_names(title)
    if quick:
        return next((bot for bot in QUICK if bot in able), able[0])
    return level_names(title)[-1]


def may_have_hints(standing: Standing, person: Person) -> bool:
    """Whether nobody but bots plays against this person, or everybody at the table may have hints: else
    whoever plays against people thinks alone."""
    if standing.row.rated:
        return False
    own = standing.seats_of(person)
    alone = len(own) == 1 and all(seat.kind == "bot" or seat.seat in own for seat in standing.seats)
    return bool(own) and (alone or bool(standing.row.hints))


def require_hints(standing: Standing, person: Person) -> None:
    if not may_have_hints(standing, person):
        if standing.row.rated:
            raise Forbidden("this match is rated: everybody thinks alone")
        raise Forbidden("hints are given at tables against bots only, or where the table allows them")


async def hint(server: Server, person: Person, match_id: str, query: HintQuery) -> dict[str, Any]:
    """What a bot would do now, told from what the seat may know; nothing is stored."""
    server.limiter.take("hint", person.id)
    with server.limiter.at_once("hint", person.id):
        _, standing = await server.now(match_id)
        require_hints(standing, person)
        match, seat = standing.running_match(), standing.seat_for(person, query.seat)
        if match.over or match.game.to_move != seat:
            raise Forbidden("hints are for the seat whose turn it is")
        bot = adviser(standing.row.title, query.quick)
        thought = await server.bots.think(make_job(match, seat, bot))
        action, lang = thought.action, query.lang
        why = await server.reading(why_so, match, seat, action, lang)
        counted = await server.reading(what_changes, match, seat, action)
        codes, memory = await server.reading(as_offered, match, action, thought.memory)
        rest = await rest_of_turn(server, match, seat, codes, lang, bot, memory)
        won = match.game.words.say(lang, f"why.{reasons.GAME}.more")
        why, turn = win_first(why, rest.brings, won)
        if won not in why:
            swift = adviser(standing.row.title, quick=True)
            saved = await what_is_saved(server, match, seat, rest.codes, swift, lang)
            (turn if rest.then else why).extend(saved)
        texts = [match.game.common.text(code) for code in codes]
        told = {"entry": standing.entries, "action": action, "actions": texts, "bot": bot}
        told |= {"then": rest.then, "turn": turn}
        return told | counted | {"why": why}


def as_offered(match: Match, action: str, memory: Mapping[str, Any]) -> tuple[list[int], dict[str, Any]]:
    """The gesture by which a person would do what was thought of, and what is left of the plan after it: the
    one that goes along with the plan for longest and does nothing else, if there is such a one."""
    game, first = match.game, match.game.code_of(action)
    plan = [first, *(int(code) for code in memory.get("plan") or ())]

    def along(gesture: gestures.Gesture) -> tuple[bool, int, int]:
        free, alike = _unforced(game, gesture.codes), 0
        while alike < min(len(free), len(plan)) and free[alike] == plan[alike]:
            alike += 1
        return alike == len(free), alike, -len(free)

    begun = [one for one in gestures.gestures(game) if _unforced(game, one.codes)[:1] == [first]]
    if not begun:
        return [first], dict(memory)
    best = max(begun, key=along)
    whole, alike, _ = along(best)
    return list(best.codes), {**memory, "plan": plan[alike:] if whole else []}


def _unforced(game: Game[Any, Any], codes: Sequence[int]) -> list[int]:
    """Those of some actions, one after the other, that are a choice."""
    twin, found = game.copy(seed=1), list[int]()
    twin.auto = False
    for code in codes:
        legal = twin.legal_codes()
        if code not in legal:
            break
        if len(legal) > 1:
            found.append(int(code))
        twin.apply(code)
    return found


def why_so(match: Match, seat: int, action: str, lang: str) -> list[str]:
    """What an action changes that the seat can see, in words of the title, but for what its own name says
    already: "take 5 sesterces" needs no "brings 5 sesterces"."""
    game = match.game
    name = say_choice(game, lang, game.code_of(action), game.sight(seat), match.names)
    found = _changes(match, seat, action)
    return [one.say(game.words, lang) for one in found if not one.is_said_by(game.words, lang, name)]


def _changes(match: Match, seat: int, action: str) -> list[reasons.Reason]:
    """Tried on what the seat could believe, so that nothing is told which only playing it would reveal."""
    game = match.game
    after = game.imagine(seat)
    after.auto = False
    after.play(action)
    return reasons.found_reasons(game.title, game.words, game.sight(seat), after.sight(seat), seat)


def win_first(why: list[str], turn: list[str], won: str) -> tuple[list[str], list[str]]:
    """What ends the game is said before all else, also where only the rest of the turn does it."""
    if won not in turn:
        return why, turn
    return [won, *(one for one in why if one != won)], [one for one in turn if one != won]


class Rest(NamedTuple):
    """How a turn goes on."""

    then: list[str]  # what is chosen next, told
    brings: list[str]  # what all of it changes, where that is not what the first action does
    codes: list[int]  # all of it


async def rest_of_turn(
    server: Server,
    match: Match,
    seat: int,
    begun: Sequence[int],
    lang: str,
    bot: str = "",
    memory: Mapping[str, Any] | None = None,
) -> Rest:
    """How the turn could go on after what a gesture does, and what all of it changes that the seat can see:
    played on in what the seat could believe, as far as nobody else and no chance decides, by the plan of who
    chose it, and where that ends by a quick bot.  What the first action brings is not said again."""
    twin = match.fork()
    twin.game = game = match.game.imagine(seat)
    game.auto = False
    mine, swift = game.title.talk.turn(game.sight(seat)), adviser(match.setting.title.name, quick=True)
    notes, then, codes = dict(memory or {}), list[str](), list[int]()
    ends = monotonic() + SECONDS
    for code in begun:
        if game.to_move != seat or code not in game.legal_codes():
            break  # what the seat believes has it otherwise
        game.apply(code)
        codes.append(code)
    for _ in range(PLIES):
        over = game.over or game.to_move != seat or game.title.talk.turn(game.sight(seat)) != mine
        if over or monotonic() > ends:
            break
        legal = game.legal()
        code, before = legal[0].code, game.sight(seat)
        if len(legal) > 1:
            planned = bool(bot and notes.get("plan"))
            thought = await server.bots.think(make_job(twin, seat, bot if planned else swift, notes))
            code, notes = game.code_of(thought.action), dict(thought.memory)
            said, places = say_choice(game, lang, code, before, match.names), places_of(game, code)
        game.apply(code)
        codes.append(code)
        if len(legal) > 1 and (places or _counts(game, before, game.sight(seat))):
            then.append(said)  # what happens nowhere and changes nothing ("pay 0 coins") is not worth a word
    brings = _reasons(game, match.game.sight(seat), game.sight(seat), seat)
    if brings == _changes(match, seat, match.game.common.text(begun[0])):
        brings = []
    return Rest(then[:SAID], [one.say(game.words, lang) for one in brings], codes)


def _reasons(
    game: Game[Any, Any], before: Sight[Any, Any], after: Sight[Any, Any], seat: int
) -> list[reasons.Reason]:
    return reasons.found_reasons(game.title, game.words, before, after, seat)


def _counts(game: Game[Any, Any], before: Sight[Any, Any], after: Sight[Any, Any]) -> bool:
    """Whether anybody has more or less of anything."""
    return any(any(by) for by in reasons.difference(game.title, before, after).values())


def what_changes(match: Match, seat: int, action: str) -> dict[str, int]:
    """By how much an action changes what is counted, where no word of the title says it."""
    if _changes(match, seat, action):
        return {"gain": 0, "others": 0}
    own, others = score_change(match.game, seat, [action])
    return {"gain": own, "others": others}
