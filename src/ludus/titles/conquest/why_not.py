"""Which numbered rule forbids an action that is not legal."""

from __future__ import annotations

from collections.abc import Callable

from ludus.core.sight import Sight

from . import layout as at
from .layout import CODES, PROVINCES, Box, Position
from .rules.board import hostile, ship_leaders, ship_load
from .rules.deals import holder_of_more, usual_payer
from .rules.fleet import loadable
from .rules.marching import available, in_tow, passable, present
from .rules.trade import affordable, is_recruiting, is_shipyard, pieces_left

Seen = Sight[Position, Box]
Args = tuple[int, ...]

PHASES_RULE = "phases"  # a turn has six phases, one after the other
ORDER_RULE = "order"  # what is chosen in a fixed order where order means nothing

_WHEN: dict[str, tuple[int, ...]] = {
    "choose": (at.CHOOSE_HOME,), "lead": (at.MOVE,), "sail": (at.MOVE,), "end_move": (at.MOVE,),
    "abdicate": (at.MOVE,), "drop": (at.MUSTER,), "take": (at.MUSTER,), "take_all": (at.MUSTER,),
    "march": (at.MUSTER,), "land": (at.SAIL,), "load": (at.SAIL,), "load_all": (at.SAIL,),
    "voyage": (at.SAIL,), "halt": (at.MUSTER, at.SAIL), "battle": (at.BATTLES,),
    "attack": (at.BATTLES,), "end_combat": (at.BATTLES,), "line": (at.LINE,), "lose": (at.LOSSES,),
    "fight_on": (at.DECIDE,), "withdraw": (at.DECIDE,), "slay": (at.VICTIMS,),
    "retreat": (at.RETREAT,), "sink": (at.SINK,), "keep": (at.CAPTIVE,), "remove": (at.CAPTIVE,),
    "raze": (at.RAZE,), "end_razing": (at.RAZE,), "recruit": (at.BUY,), "launch": (at.BUY,),
    "found": (at.BUY,), "fortify": (at.BUY,), "pave": (at.BUY,), "end_purchase": (at.BUY,),
    "ransom": (at.DEAL,), "release": (at.DEAL,), "gift": (at.DEAL,), "exchange": (at.AMOUNT,),
    "reverse": (at.AMOUNT,), "amount": (at.AMOUNT,), "accept": (at.ANSWER,), "refuse": (at.ANSWER,),
    "counter": (at.ANSWER,), "acclaim": (at.DEAL,),
    "agree": (at.VOTE,), "object": (at.VOTE,), "end_turn": (at.DEAL,),
}  # fmt: skip

# What a kind is refused for at the wrong moment, where a better word than "phases" exists.
_WRONG_TIME = {
    "withdraw": "4.16", "fight_on": "4.9", "line": "4.2", "lose": "4.6", "slay": "4.13",
    "retreat": "4.15", "sink": "8.3", "keep": "5.3", "remove": "5.3", "accept": "5.5", "refuse": "5.5",
    "agree": "9.4", "object": "9.4", "amount": "12.4", "exchange": "12.4", "reverse": "12.4",
    "counter": "12.4", "choose": "1.2",
}  # fmt: skip


def why_not(sight: Seen, code: int) -> str:
    """The number of the rule that forbids an action."""
    kind, args = CODES.split(code)
    if kind in ("roll", "draw"):
        return "12.1" if kind == "roll" else "1.2"
    if sight.s.phase not in _WHEN[kind]:
        return _WRONG_TIME.get(kind, PHASES_RULE)
    reason = _REASONS.get(kind)
    return reason(sight, args) if reason else _PLAIN.get(kind, PHASES_RULE)


_PLAIN = {
    "choose": "1.1", "halt": ORDER_RULE, "take_all": "2.1", "battle": "4.1",
    "end_combat": "4.1", "line": "4.2", "lose": "4.6", "slay": "4.13", "retreat": "4.15",
    "sink": "8.3", "keep": "5.3", "remove": "5.3", "raze": "6.9", "amount": "12.4", "reverse": "12.4",
    "counter": "12.4", "abdicate": "9.5", "load_all": "3.3", "gift": "9.2", "acclaim": "9.4",
}  # fmt: skip


# -- movement -------------------------------------------------------------------------------------


def _lead(sight: Seen, args: Args) -> str:
    s, (p, who) = sight.s, args
    piece = {at.EMPEROR: at.TAKE_EMPEROR, at.GENERAL: at.TAKE_GENERAL}.get(who, at.TAKE_TIRED_GENERAL)
    return "2.10" if present(s, p, piece) > 0 else "2.1"


def _take(sight: Seen, args: Args) -> str:
    s, (piece, number) = sight.s, args
    if number <= available(s, piece) and in_tow(s) + number > at.LEGION:
        return "2.3"
    return "2.2" if s.units[s.active][s.here][at.INFANTRY] and piece >= at.TAKE_INFANTRY else "2.1"


def _put_down(rule: str) -> Callable[[Seen, Args], str]:
    """At one stop pieces are put down before others are taken up."""
    return lambda sight, args: ORDER_RULE if sight.s.taking == 1 else rule


def _march(sight: Seen, args: Args) -> str:
    s, box, q = sight.s, sight.box, args[0]
    places = box.near[s.here][: box.near_count[s.here]]
    if q not in places:
        return "2.1"
    if not passable(s, box, s.here, places.index(q)):
        return "2.12"
    if s.leader_points == 0:
        return "12.3" if (s.trip >> q) & 1 else "2.5"
    return "2.10" if hostile(s, s.active, q) else "2.1"


def _sail(sight: Seen, args: Args) -> str:
    s, ship = sight.s, args[0]
    return ORDER_RULE if s.ship_owner[ship] == s.active and s.ship_points[ship] > 0 else "3.1"


def _load(sight: Seen, args: Args) -> str:
    s, (kind, number) = sight.s, args
    if s.here >= PROVINCES:
        return "3.2"
    if number > loadable(s, kind):
        return "3.5"
    if kind >= at.CARGO_INFANTRY and ship_leaders(s, s.ship) == 0:
        return "3.4"
    return "3.3"


def _voyage(sight: Seen, args: Args) -> str:
    s, box, area = sight.s, sight.box, args[0]
    if s.here < PROVINCES:
        if area not in box.shore[s.here][: box.shore_count[s.here]]:
            return "3.1"
        return "3.4" if ship_load(s, s.ship) > 0 and ship_leaders(s, s.ship) == 0 else "3.9"
    if area not in box.water[s.here - PROVINCES][: box.water_count[s.here - PROVINCES]]:
        return "3.1"
    return "12.11" if ship_leaders(s, s.ship) > 0 else "3.8"


# -- the other phases -----------------------------------------------------------------------------


def _attack(sight: Seen, args: Args) -> str:
    s, (area, seat) = sight.s, args
    return "12.13" if (s.fought[area - PROVINCES] >> seat) & 1 else "8.1"


def _withdraw(sight: Seen, args: Args) -> str:
    return "4.16"


def _recruit(sight: Seen, args: Args) -> str:
    s, box, (unit, place, number) = sight.s, sight.box, args
    if not is_recruiting(s, box, place):
        return "7.3"
    if number > pieces_left(s, box, unit):
        return "7.2"
    return "7.1"


def _launch(sight: Seen, args: Args) -> str:
    s, box, (p, _) = sight.s, sight.box, args
    if not is_shipyard(s, box, p):
        return "7.4"
    if pieces_left(s, box, at.GALLEY) == 0:
        return "7.2"
    return "7.1" if affordable(s, box, at.GALLEY) == 0 else "3.9"


def _build(goods: int) -> Callable[[Seen, Args], str]:
    def reason(sight: Seen, args: Args) -> str:
        s, box, p = sight.s, sight.box, args[0]
        if s.owner[p] != s.active or (s.city[p] > 0) != (goods == at.WALL) or s.city[p] > 1:
            return "7.6"
        if s.built[goods - at.CITY] >= box.limit[goods]:
            return "7.2"
        return "7.1"

    return reason


def _pave(sight: Seen, args: Args) -> str:
    s, box, edge = sight.s, sight.box, args[0]
    if edge >= box.edges:
        return "2.8"
    a, b = box.edge_end[edge]
    if s.road[edge] or s.city[a] == 0 or s.city[b] == 0 or a == b:
        return "7.6"
    if s.owner[a] != s.active or s.owner[b] != s.active:
        return "7.6"
    if s.built[2] >= box.limit[at.ROAD]:
        return "7.2"
    return "7.1"


def _ransom(sight: Seen, args: Args) -> str:
    """Why one's own general cannot be asked for: none there, asked already, or the home is lost."""
    s, other = sight.s, args[0]
    if s.captives[other][s.active] == 0:
        return "5.5"
    return "12.4" if s.open_own[other] == 0 else "5.6"


def _release(sight: Seen, args: Args) -> str:
    s, other = sight.s, args[0]
    if s.captives[s.active][other] == 0:
        return "5.5"
    return "12.4" if s.open_held[other] == 0 else "5.6"


def _exchange(sight: Seen, args: Args) -> str:
    """One captive is added, before it is said who pays."""
    s, owner = sight.s, args[0]
    if s.offer in (at.GIFT, at.EXCHANGE) or s.payer != usual_payer(s):
        return "12.4"
    return "5.5" if s.captives[holder_of_more(s)][owner] == 0 else "5.6"


_REASONS: dict[str, Callable[[Seen, Args], str]] = {
    "lead": _lead,
    "take": _take,
    "drop": _put_down("2.2"),
    "land": _put_down("12.12"),
    "march": _march,
    "sail": _sail,
    "load": _load,
    "voyage": _voyage,
    "attack": _attack,
    "withdraw": _withdraw,
    "recruit": _recruit,
    "launch": _launch,
    "found": _build(at.CITY),
    "fortify": _build(at.WALL),
    "pave": _pave,
    "ransom": _ransom,
    "release": _release,
    "exchange": _exchange,
}


# -- what was touched ---------------------------------------------------------------------------------

_BUILT = {"city": "found {}", "wall": "fortify {}", "galley": "launch {} 0"}
_REGION = {
    at.MUSTER: "march {}", at.SAIL: "voyage {}", at.BATTLES: "battle {}", at.RETREAT: "retreat {}",
    at.RAZE: "raze {}", at.CHOOSE_HOME: "choose {}",
}  # fmt: skip


def meant(sight: Seen, path: tuple[str, ...]) -> int | None:
    """The action that the last touch tries; something to buy may have been touched before it."""
    kind, _, name = path[-1].partition(":")
    text = _tried(sight.s.phase, kind, name, next((t[6:] for t in path if t.startswith("goods:")), ""))
    return CODES.read(text, sight.labels) if text else None


def _tried(phase: int, kind: str, name: str, goods: str) -> str:
    if kind == "region" and goods:
        return _BUILT.get(goods, f"recruit {goods} {{}} 1").format(name)
    if kind == "region":
        return _REGION.get(phase, "").format(name)
    if kind == "road":
        return f"pave {name}"
    if kind == "ship":
        return f"{'sink' if phase == at.SINK else 'sail'} {name}"
    if kind == "leader":
        who, _, area = name.partition("@")
        return f"lead {area} {who}"
    return ""
