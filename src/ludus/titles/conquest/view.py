"""Conquest of the Empire, the talking half: what a seat sees and touches."""

from __future__ import annotations

from ludus.core.codes import label
from ludus.core.sight import Sight
from ludus.core.title import Beginning

from . import layout as at
from .board import Battle, Board, Heap, Inflation, Moving, Offer, Province, Seat, Ship
from .layout import CODES, NOBODY, PHASES, PROVINCES, SHIPS, Box, Position
from .naming import FIVE
from .rules.board import FIRST_MARK, SECOND_MARK, alive, worth
from .rules.combat import hits_of, in_line, line_size
from .rules.deals import proposer
from .rules.naval import may_attack
from .rules.trade import left_of, price
from .rules.turn import home_held

Seen = Sight[Position, Box]
BEGINNING = Beginning("march", 1)  # the first province that a general goes to


def turn(sight: Seen) -> tuple[int, int]:
    """Whoever marches, also while the other side chooses its losses; nobody's while homes are chosen."""
    s = sight.s
    return (-1, 0) if s.phase in (at.DRAW_HOME, at.CHOOSE_HOME) else (s.active, s.round)


# -- what a seat sees -----------------------------------------------------------------------------


def view(sight: Seen) -> Board:
    s, box = sight.s, sight.box
    return {
        "phase": PHASES[s.phase],
        "round": s.round,
        "active": s.active,
        "ended": label("end", s.ended, sight.labels),
        "price": s.price,
        "prices": {name: price(s, box, n) for n, name in enumerate(sight.labels["goods"])},
        "inflation": [_inflation(s, step) for step in range(2)],
        "stock": {
            name: box.limit[at.CITY + n] - s.built[n] for n, name in enumerate(("city", "wall", "road"))
        },
        "seats": [_seat(sight, seat) for seat in range(sight.seats)],
        "provinces": {sight.labels["area"][p]: _province(sight, p) for p in range(PROVINCES)},
        "roads": [label("edge", e, sight.labels) for e in range(box.edges) if s.road[e]],
        "ships": [_ship(sight, n) for n in range(SHIPS) if s.ship_owner[n] != NOBODY],
        "moving": _moving(sight),
        "battle": _battle(sight),
        "offer": _offer(sight),
    }


def score(sight: Seen) -> list[int]:
    """9.6: by tribute it is decided who leads."""
    return sight.s.tribute[: sight.seats]


def out(sight: Seen) -> list[int]:
    """Whose emperor has fallen plays no more; before homes are chosen nobody has one."""
    s = sight.s
    if s.phase in (at.DRAW_HOME, at.CHOOSE_HOME):
        return []
    return [seat for seat in range(sight.seats) if not alive(s, seat)]


def _inflation(s: Position, step: int) -> Inflation:
    """7.7: how many turns of whoever set it off must still begin; None while it is far."""
    countdown = s.countdown[step]
    return {
        "at": (FIRST_MARK, SECOND_MARK)[step],
        "times": step + 2,
        "state": "far" if countdown == 0 else "in_force" if countdown == at.IN_FORCE else "announced",
        "by": s.trigger[step],
        "turns": max(0, countdown),
    }


def _seat(sight: Seen, seat: int) -> Seat:
    s, box, labels = sight.s, sight.box, sight.labels
    known = s.home[seat] >= 0
    place = s.emperor[seat]
    return {
        "home": label("home", s.home[seat], labels) if known else None,
        "home_held": known and home_held(s, box, seat),
        "emperor": label("place", place, labels) if place >= 0 else None,
        "talents": s.talents[seat],
        "tribute": s.tribute[seat],
        "pieces": {name: s.force[seat][n] for n, name in enumerate(labels["goods"][:4])},
        "left": {name: left_of(s, box, seat, n) for n, name in enumerate(labels["goods"][:4])},
        "colours": s.colours[seat],
        "captives": {str(other): n for other, n in enumerate(s.captives[seat]) if n},
        "waiting": s.waiting[seat],
        "undecided": s.pending[seat],
    }


def _province(sight: Seen, p: int) -> Province:
    s = sight.s
    armies: dict[str, Heap] = {}
    for seat in range(sight.seats):
        units = s.units[seat][p]
        found: Heap = {}
        if any(units):  # most provinces are empty
            found.update((name, units[n]) for n, name in enumerate(sight.labels["unit"]) if units[n])
        if s.generals[seat][p]:
            found["general"] = s.generals[seat][p]
        if s.emperor[seat] == p:
            found["emperor"] = 1
        if found:
            armies[str(seat)] = found
    shown: Province = {"owner": None if s.owner[p] == NOBODY else s.owner[p], "value": sight.box.value[p]}
    if s.city[p]:
        shown["city"] = "fortified" if s.city[p] == 2 else "open"
        shown["worth"] = worth(s, sight.box, p)  # what it pays with its city
    if armies:
        shown["armies"] = armies
    if any(s.spent[p]):
        shown["spent"] = {n: k for n, k in zip(sight.labels["spent"], s.spent[p], strict=True) if k}
    return shown


def _ship(sight: Seen, ship: int) -> Ship:
    s = sight.s
    hold = {name: s.cargo[ship][n] for n, name in enumerate(sight.labels["unit"]) if s.cargo[ship][n]}
    if s.ship_generals[ship]:
        hold["general"] = s.ship_generals[ship]
    if s.emperor[s.ship_owner[ship]] == at.ABOARD + ship:
        hold["emperor"] = 1
    return {
        "ship": ship,
        "owner": s.ship_owner[ship],
        "area": sight.labels["area"][s.ship_area[ship]],
        "points": s.ship_points[ship],
        "coast": s.ship_coast[ship],
        "hold": hold,
    }


def _moving(sight: Seen) -> Moving | None:
    """What is being moved just now."""
    s = sight.s
    if s.phase not in (at.MUSTER, at.SAIL):
        return None
    here = sight.labels["area"][s.here]
    if s.phase == at.SAIL:
        return {"ship": s.ship, "here": here, "points": s.ship_points[s.ship]}
    return {
        "leader": sight.labels["who"][s.leader],
        "here": here,
        "points": s.leader_points,
        "along": {n: k for n, k in zip(sight.labels["piece"], s.hand, strict=True) if k},
        "riding": {n: k for n, k in zip(sight.labels["piece"], s.riders, strict=True) if k},
        "trip": [sight.labels["area"][p] for p in range(PROVINCES) if (s.trip >> p) & 1],
    }


def _battle(sight: Seen) -> Battle | None:
    s, units = sight.s, sight.labels["unit"]
    if not s.bout:
        return None
    shown: Battle = {
        "field": sight.labels["area"][s.field],
        "attacker": s.active,
        "defender": s.enemy,
        "round": s.bout,
        "side": sight.labels["side"][s.side],
        "dice": s.dice,
        "dice_for": label("purpose", s.dice_for, sight.labels),
        "faces": {n: k for n, k in zip(sight.labels["face"], s.faces, strict=True) if k},
        "scoring": _scoring(sight),
        "hits": list(s.hits),
        "need": s.need,
    }
    if s.field < PROVINCES:
        shown["lines"] = [dict(zip(units, s.line[side], strict=True)) for side in range(2)]
        shown["fallen"] = [dict(zip(units, s.fallen[side], strict=True)) for side in range(2)]
    return shown


def _scoring(sight: Seen) -> Heap:
    """How many dice of each face find a unit of their kind; at sea every galley face does."""
    s, faces = sight.s, sight.labels["face"]
    if s.dice_for in (at.FOR_SEA_ATTACK, at.FOR_SEA_DEFENCE):
        return {faces[at.FACE_GALLEY]: s.faces[at.FACE_GALLEY]}
    return {faces[n]: k for n in range(at.UNITS) if (k := hits_of(s, n))}


def _offer(sight: Seen) -> Offer | None:
    s = sight.s
    if s.phase not in (at.AMOUNT, at.ANSWER, at.VOTE):
        return None
    return {
        "kind": label("offer", s.offer, sight.labels),
        "partner": s.partner,
        "by": proposer(s),
        "gets": None if s.gets == NOBODY else s.gets,  # whose general the active seat would get
        "gives": None if s.gives == NOBODY else s.gives,
        "payer": s.payer,
        "talents": FIVE * s.fives,
    }


def prompt(sight: Seen) -> str:
    s = sight.s
    if s.phase == at.LOSSES and in_line(s, s.side) > 0:
        return "losses"
    if s.phase == at.LINE and line_size(s, s.side) > 0:
        return "line"
    if s.phase == at.ANSWER and s.countered == 1:
        return "answer_counter"
    if s.phase == at.ANSWER:
        return f"answer_{label('offer', s.offer, sight.labels)}"
    return PHASES[s.phase]


# -- what is touched --------------------------------------------------------------------------------

_REGION = ("march", "voyage", "battle", "retreat")
_AMOUNTS = {"take": "piece", "drop": "drop", "load": "load", "land": "land"}
_SHARES = ("line", "lose", "slay")
_OFFERS = {"ransom": "partner", "release": "partner", "gift": "partner", "exchange": "captive"}


def touches(sight: Seen, code: int) -> tuple[str, ...]:
    """The path of an action: a leader or galley, what goes along, how many, and the region."""
    kind, args = CODES.split(code)
    words = [
        label(arg.labels, value, sight.labels)
        for arg, value in zip(CODES.kinds[kind].args, args, strict=True)
    ]
    if kind in _REGION:
        return (f"region:{words[0]}",)
    if kind in _AMOUNTS:
        return (f"{_AMOUNTS[kind]}:{words[0]}", f"amount:{words[1]}")
    if kind in _SHARES:
        return (f"unit:{words[0]}", f"amount:{words[1]}")
    if kind in _OFFERS:
        return (f"button:{kind}", f"{_OFFERS[kind]}:{words[0]}")
    if kind == "attack":
        return (f"region:{words[0]}", *_whom(sight, *args))
    if kind in ("sail", "sink"):
        return (f"ship:{words[0]}",)
    return _other_touches(kind, words)


def _other_touches(kind: str, words: list[str]) -> tuple[str, ...]:
    if kind == "lead":
        return (f"leader:{words[1]}@{words[0]}",)
    if kind == "raze":  # never by one touch on a city
        return ("button:raze", f"region:{words[0]}")
    if kind == "recruit":
        return (f"goods:{words[0]}", f"region:{words[1]}", f"amount:{words[2]}")
    if kind == "launch":
        return ("goods:galley", f"region:{words[0]}", f"coast:{words[1]}")
    if kind in ("found", "fortify"):
        return ("goods:city" if kind == "found" else "goods:wall", f"region:{words[0]}")
    if kind == "pave":
        return ("goods:road", f"road:{words[0]}")
    if kind == "amount":
        return (f"amount:{FIVE * int(words[0])}",)
    if kind in ("choose", "draw"):
        return (f"region:{words[0]}",)
    return (f"button:{kind}",)


def _whom(sight: Seen, sea: int, seat: int) -> tuple[str, ...]:
    """Where galleys of several enemies lie in one sea zone, it is said whom one attacks."""
    alone = not any(may_attack(sight.s, sea, other) for other in range(sight.seats) if other != seat)
    return () if alone else (f"foe:{seat}",)


def reveals(s: Position, box: Box, code: int) -> bool:
    """Nothing is hidden, so nothing is revealed."""
    return False
