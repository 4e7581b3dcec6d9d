"""Planning: where a leader or galley can go, what could come to a province, how a battle stands.

Nothing is decided here: everything is tried with the rules themselves on copies of the position.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ludus.core.sight import Sight

from . import layout as at
from .box import SEA_HOP
from .layout import CODES, NOBODY, POSITION, PROVINCES, Box, Position
from .odds import Army, Odds, battle_odds
from .rules import apply, legal
from .rules.board import alive, hostile, leaders, ship_load, strength
from .rules.captives import legal_retreat
from .rules.combat import seat_of
from .rules.fleet import loadable
from .rules.marching import available, in_tow
from .rules.turn import begin_turn, clear_battle, clear_movement
from .standing import MOST_UNITS, standing_odds

Seen = Sight[Position, Box]
Facts = dict[str, Any]
Steps = tuple[int, ...]
MOST_STEPS = 12  # a road trip of that length is worth no more looking


def advise(sight: Seen, about: str) -> Facts | None:
    """What can be said of a touch: `leader:...`, `ship:...`, `region:...`; of `moving`, of `battle`."""
    kind, _, name = about.partition(":")
    if about == "battle":
        return _battle_now(sight) if sight.s.bout else None
    if about == "moving" and sight.s.phase in (at.MUSTER, at.SAIL):
        return {"reach": _ways(sight, (), sight.s.here)}
    if kind in ("leader", "ship"):
        return _reach_of(sight, kind, name)
    if kind == "region" and name in sight.labels["area"]:
        return _region(sight, sight.labels["area"].index(name))
    return None


def _chances(odds: Odds) -> Facts:
    """Per cent, with one decimal."""
    return {name: round(100 * getattr(odds, name), 1) for name in ("attacker", "defender", "both", "neither")}


# -- trying the rules -----------------------------------------------------------------------------


def _legal(s: Position, box: Box) -> list[int]:
    out = [0] * CODES.size
    return out[: legal(s, box, out)]


def _after(s: Position, box: Box, *codes: int) -> Position:
    twin = POSITION.copy(s)
    for code in codes:
        apply(twin, box, code)
    return twin


def _moves(box: Box, s: Position) -> Iterator[int]:
    """Steps by land or sea."""
    return (code for code in _legal(s, box) if CODES.kind(code) in ("march", "voyage"))


def _everything(s: Position, box: Box) -> Steps:
    """The actions by which as much as possible goes along: a general aboard first, then all units."""
    codes: list[int] = []
    twin = POSITION.copy(s)
    while True:
        choices = _legal(twin, box)
        code = next((c for c in (at.TAKE_ALL, at.LOAD_ALL) if c in choices), None)
        if code is None:
            code = next((c for c in choices if _goes_along(twin, c)), None)
        if code is None:
            return tuple(codes)
        apply(twin, box, code)
        codes.append(code)


def _goes_along(s: Position, code: int) -> bool:
    """Units, as many of a kind as there is room for; and one general onto a galley that has no leader."""
    kind, args = CODES.split(code)
    if kind == "take":
        return args[0] >= at.TAKE_INFANTRY
    if kind != "load":
        return False
    led = s.ship_generals[s.ship] > 0 or s.emperor[s.active] == at.ABOARD + s.ship
    return args[0] >= at.CARGO_INFANTRY or (args == (at.CARGO_GENERAL, 1) and not led)


def _paths(s: Position, box: Box, begin: Steps) -> dict[int, tuple[Steps, Position]]:
    """Every area that can be reached, by the fewest steps: the actions, and the position then."""
    found: dict[int, tuple[Steps, Position]] = {}
    known = set()
    front = [(begin, _after(s, box, *begin))]
    for _ in range(MOST_STEPS):
        further = []
        for steps, now in front:
            if now.phase not in (at.MUSTER, at.SAIL):
                continue
            for code in _moves(box, now):
                area, then = CODES.split(code)[1][0], _after(now, box, code)
                mark = area, then.phase, then.leader_points, then.trip
                if mark in known:
                    continue
                known.add(mark)
                found.setdefault(area, ((*steps, code), then))
                further.append(((*steps, code), then))
        front = further
    return found


# -- a leader, a galley -----------------------------------------------------------------------------


def _reach_of(sight: Seen, kind: str, name: str) -> Facts | None:
    """A piece of whoever's turn it is, or a foreign one as if that seat were to move."""
    s, box = sight.s, sight.box
    if kind == "ship":
        ship = int(name) if name.isdigit() and int(name) < at.SHIPS else NOBODY
        if ship == NOBODY or s.ship_owner[ship] == NOBODY:
            return None
        return _reach(_turn_of(sight, s.ship_owner[ship]), (at.SAIL_SHIP + ship,))
    who, _, place = name.partition("@")
    if who not in sight.labels["who"] or place not in sight.labels["area"][:PROVINCES]:
        return None
    p, number = sight.labels["area"].index(place), sight.labels["who"].index(who)
    seat = next((q for q in _order(s, box) if leaders(s, q, p)), NOBODY)
    if seat == NOBODY:
        return None
    return _reach(_turn_of(sight, seat), (at.LEAD + p * at.LEAD_PROVINCE + number,))


def _order(s: Position, box: Box) -> list[int]:
    return [s.active, *(q for q in range(box.seats) if q != s.active)]


def _turn_of(sight: Seen, seat: int) -> Seen:
    """The same board with this seat at the beginning of its movement, unless it is moving already."""
    s = sight.s
    if s.active == seat and s.phase in (at.MOVE, at.MUSTER, at.SAIL):
        return sight
    twin = POSITION.copy(s)
    clear_movement(twin)
    clear_battle(twin)
    begin_turn(twin, sight.box, seat)
    return Sight(sight.seat, sight.seats, twin, sight.box, seat, sight.counts, sight.labels)


def _reach(sight: Seen, begin: Steps) -> Facts | None:
    s, box = sight.s, sight.box
    if begin and (s.phase != at.MOVE or begin[0] not in _legal(s, box)):
        return None
    first = _after(s, box, *begin)
    along = _everything(first, box)
    return {
        "along": [CODES.text(code, sight.labels) for code in along],
        "offer": _offer(sight, first),
        "reach": _ways(sight, (*begin, *along), first.here),
    }


def _offer(sight: Seen, s: Position) -> dict[str, list[str]]:
    """What could go along: for each kind the actions that take one, two, three of it."""
    room = at.LEGION - (ship_load(s, s.ship) if s.phase == at.SAIL else in_tow(s))
    group, origin, first_unit = "piece", at.TAKE, at.TAKE_INFANTRY
    if s.phase == at.SAIL:
        group, origin, first_unit = "cargo", at.LOAD, at.CARGO_INFANTRY
    offer = {}
    for kind, name in enumerate(sight.labels[group]):
        most = _in_harbour(s, kind) if s.phase == at.SAIL else available(s, kind)
        numbers = range(1, (min(most, room) if kind >= first_unit else most) + 1)
        codes = [origin + kind * at.PER_PIECE + number for number in numbers]
        if codes:
            offer[name] = [CODES.text(code, sight.labels) for code in codes]
    return offer


def _in_harbour(s: Position, kind: int) -> int:
    return loadable(s, kind) if s.here < PROVINCES else 0


def _ways(sight: Seen, begin: Steps, here: int) -> Facts:
    return {
        sight.labels["area"][area]: _arrival(sight, area, steps, then)
        for area, (steps, then) in _paths(sight.s, sight.box, begin).items()
        if area != here
    }


def _arrival(sight: Seen, area: int, steps: Steps, then: Position) -> Facts:
    """The actions that lead there, with the stop; who cannot go so far; how a battle there would end."""
    s, seat = sight.s, sight.s.active
    stop = (at.HALT,) if then.phase in (at.MUSTER, at.SAIL) else ()
    shown: Facts = {"steps": [CODES.text(code, sight.labels) for code in (*steps, *stop)]}
    if left := _left_behind(sight, area, then):
        shown["left"] = left
    if area < PROVINCES and hostile(s, seat, area):
        shown["odds"] = _battle(then, area, seat, s.occupant[area])
    return shown


def _left_behind(sight: Seen, area: int, then: Position) -> Facts:
    """The units that stay on the way, by province: their points do not last."""
    s, seat, left = sight.s, sight.s.active, {}
    for p in range(PROVINCES):
        came = [n - was for n, was in zip(then.units[seat][p], s.units[seat][p], strict=True)]
        if p != area and max(came) > 0:
            left[sight.labels["area"][p]] = {
                name: n for name, n in zip(sight.labels["unit"], came, strict=True) if n > 0
            }
    return left


def _army(s: Position, seat: int, p: int) -> Army:
    infantry, cavalry, catapults = s.units[seat][p]
    return Army(infantry, cavalry, catapults, leaders(s, seat, p))


def _battle(s: Position, p: int, attacker: int, defender: int) -> Facts | None:
    own, foreign = s.units[attacker][p], s.units[defender][p]
    if not sum(own) or sum(own) + sum(foreign) > MOST_UNITS:
        return None
    walls = s.city[p] == 2 and s.owner[p] == defender
    return _chances(battle_odds(_army(s, attacker, p), _army(s, defender, p), walls))


def _battle_now(sight: Seen) -> Facts:
    odds = standing_odds(sight.s, sight.box)
    return {"odds": _chances(odds) if odds else None, "retreats": _retreats(sight)}


def _retreats(sight: Seen) -> list[str]:
    """Where whoever decides now could withdraw to, or whoever has withdrawn will go."""
    s = POSITION.copy(sight.s)
    if s.field >= PROVINCES or s.phase not in (at.DECIDE, at.VICTIMS, at.RETREAT):
        return []
    if s.phase == at.DECIDE:
        s.loser, s.winner_here = seat_of(s, s.side), seat_of(s, 1 - s.side)
    out = [0] * at.AREAS
    return [sight.labels["area"][code - at.RETREAT_TO] for code in out[: legal_retreat(s, sight.box, out)]]


# -- an area ------------------------------------------------------------------------------------------


def _region(sight: Seen, area: int) -> Facts:
    names, box = sight.labels["area"], sight.box
    if area >= PROVINCES:
        z = area - PROVINCES
        return {"sea": [names[a] for a in box.water[z][: box.water_count[z]]]}
    edges = list(zip(box.near[area], box.near_edge[area], strict=True))[: box.near_count[area]]
    return {
        "land": [names[q] for q, edge in edges if edge >= 0],
        "strait": [names[q] for q, edge in edges if edge < 0],
        "sea": [names[z] for z in box.shore[area][: box.shore_count[area]]],
        "dangers": [
            danger
            for seat in range(sight.seats)
            if alive(sight.s, seat) and seat != sight.s.owner[area] and (danger := _danger(sight, area, seat))
        ],
    }


def in_danger(sight: Seen, area: int, seat: int) -> bool:
    """Whether anybody else could bring units there in one turn."""
    others = (q for q in range(sight.seats) if q != seat and alive(sight.s, q))
    return any(_danger(sight, area, q) for q in others)


def _too_far(s: Position, box: Box, code: int, area: int) -> bool:
    """Spares the trying: two steps and a road on land, two at sea."""
    kind, args = CODES.split(code)
    if kind == "sail":
        p = s.ship_area[args[0]]
        return p < PROVINCES and box.distance[p][area] > SEA_HOP
    return box.distance[args[0]][area] > 2 + s.built[2]


def _danger(sight: Seen, area: int, seat: int) -> Facts | None:
    """What a seat could bring here in one turn, leader after leader, galley after galley."""
    view = _turn_of(sight, seat)
    s, box = view.s, view.box
    before = strength(s, seat, area)
    while True:
        for code in _legal(s, box) if s.phase == at.MOVE else []:
            if CODES.kind(code) not in ("lead", "sail") or _too_far(s, box, code, area):
                continue
            steps = (code, *_everything(_after(s, box, code), box))
            found = _paths(s, box, steps).get(area)
            if found and strength(found[1], seat, area) > strength(s, seat, area):
                s = found[1]
                if s.phase in (at.MUSTER, at.SAIL):
                    apply(s, box, at.HALT)
                break
        else:
            break
    if strength(s, seat, area) == before:
        return None
    units = dict(zip(view.labels["unit"], s.units[seat][area], strict=True))
    shown: Facts = {"seat": seat, "units": {n: k for n, k in units.items() if k}}
    shown["leaders"] = leaders(s, seat, area)
    if hostile(sight.s, seat, area):
        shown["odds"] = _battle(s, area, seat, sight.s.occupant[area])
    return shown
