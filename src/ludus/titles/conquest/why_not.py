"""Which numbered rule forbids an action that is not legal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ludus.core.codes import label
from ludus.core.sight import Sight
from ludus.core.telling import Line

from . import layout as at
from .box import FAR
from .layout import CODES, PROVINCES, Box, Position
from .naming import FIVE, place
from .rules.board import alive, home_of, hostile, ship_leaders, ship_load, strength
from .rules.deals import holder_of_more, usual_payer
from .rules.fleet import loadable
from .rules.marching import available, in_tow, passable, present
from .rules.trade import affordable, is_recruiting, is_shipyard, may_pave, pieces_left, price

Seen = Sight[Position, Box]
Args = tuple[int, ...]
# The rule that forbids an action, and what stands against it now, with its numbers.
Reason = tuple[str, Line | None]

PHASES_RULE = "phases"  # a turn has six phases, one after the other
ORDER_RULE = "order"  # what is chosen in a fixed order where order means nothing

_MARKET = (at.RAZE, at.BUY)  # buying is offered beside razing already
_WHEN: dict[str, tuple[int, ...]] = {
    "choose": (at.CHOOSE_HOME,), "lead": (at.MOVE,), "sail": (at.MOVE,), "end_move": (at.MOVE,),
    "abdicate": (at.MOVE,), "drop": (at.MUSTER,), "take": (at.MUSTER,), "take_all": (at.MUSTER,),
    "march": (at.MUSTER,), "land": (at.SAIL,), "load": (at.SAIL,), "load_all": (at.SAIL,),
    "voyage": (at.SAIL,), "halt": (at.MUSTER, at.SAIL), "battle": (at.BATTLES,),
    "attack": (at.BATTLES,), "end_combat": (at.BATTLES,), "line": (at.LINE,), "lose": (at.LOSSES,),
    "fight_on": (at.DECIDE,), "withdraw": (at.DECIDE,), "slay": (at.VICTIMS,),
    "retreat": (at.RETREAT,), "sink": (at.SINK,), "keep": (at.CAPTIVE,), "remove": (at.CAPTIVE,),
    "raze": (at.RAZE,), "end_razing": (at.RAZE,), "recruit": _MARKET, "launch": _MARKET,
    "found": _MARKET, "fortify": _MARKET, "pave": _MARKET, "end_purchase": (at.BUY,),
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
    return _reason(sight, code)[0]


def because(sight: Seen, code: int) -> Line | None:
    """What stands against an action now, with its numbers."""
    return _reason(sight, code)[1]


def _reason(sight: Seen, code: int) -> Reason:
    kind, args = CODES.split(code)
    if kind in ("roll", "draw"):
        return _rule("12.1" if kind == "roll" else "1.2")
    if sight.s.phase not in _WHEN[kind]:
        return _rule(_WRONG_TIME.get(kind, PHASES_RULE))
    reason = _REASONS.get(kind)
    return reason(sight, args) if reason else _rule(_PLAIN.get(kind, PHASES_RULE))


_PLAIN = {
    "choose": "1.1", "halt": ORDER_RULE, "take_all": "2.1", "battle": "4.1",
    "end_combat": "4.1", "line": "4.2", "lose": "4.6", "slay": "4.13",
    "sink": "8.3", "keep": "5.3", "remove": "5.3", "raze": "6.9", "reverse": "12.4",
    "counter": "12.4", "abdicate": "9.5", "load_all": "3.3", "acclaim": "9.4", "withdraw": "4.16",
}  # fmt: skip


def _rule(rule: str) -> Reason:
    return rule, None


def _said(rule: str, key: str, **fields: Any) -> Reason:
    return rule, Line(f"because.{key}", fields)


def _at(sight: Seen, area: int) -> dict[str, Any]:
    return place(sight.labels["area"][area])


def _enemies(s: Position, area: int) -> int:
    """Land units of all others than the active seat in a province."""
    return sum(strength(s, seat, area) for seat in range(len(s.units)) if seat != s.active)


# -- movement -------------------------------------------------------------------------------------


def _lead(sight: Seen, args: Args) -> Reason:
    s, (p, who) = sight.s, args
    piece = {at.EMPEROR: at.TAKE_EMPEROR, at.GENERAL: at.TAKE_GENERAL}.get(who, at.TAKE_TIRED_GENERAL)
    if present(s, p, piece) > 0:
        return _rule("2.10")
    if who == at.EMPEROR and s.emperor[s.active] == p:
        return _said("2.1", "emperor_spent")
    if who != at.EMPEROR and s.generals[s.active][p] > 0 and s.spent[p][at.WEARY_GENERAL] == 0:
        return _said("2.1", "generals_spent", **_at(sight, p))
    return _rule("2.1")


def _take(sight: Seen, args: Args) -> Reason:
    s, (piece, number) = sight.s, args
    most = available(s, piece)
    if number <= most:
        return _said("2.3", "full", number=in_tow(s), most=at.LEGION)
    here = s.units[s.active][s.here][at.INFANTRY] and piece >= at.TAKE_INFANTRY
    kind = label("piece", piece, sight.labels)
    return _said("2.2" if here else "2.1", "take", units=("count", kind, most))


def _put_down(rule: str) -> Callable[[Seen, Args], Reason]:
    """At one stop pieces are put down before others are taken up."""
    return lambda sight, args: _rule(ORDER_RULE if sight.s.taking == 1 else rule)


def _march(sight: Seen, args: Args) -> Reason:
    s, box, q = sight.s, sight.box, args[0]
    places = box.near[s.here][: box.near_count[s.here]]
    if q not in places:
        return _too_far(sight, q)
    if not passable(s, box, s.here, places.index(q)):
        return _rule("2.12")
    if s.leader_points == 0:
        return _said("12.3" if (s.trip >> q) & 1 else "2.5", "tired")
    if hostile(s, s.active, q):
        return _said("2.10", "guarded_alone", units=_enemies(s, q), **_at(sight, q))
    return _rule("2.1")


def _too_far(sight: Seen, q: int) -> Reason:
    """2.1: one step leads to a neighbour; the whole way would cost more points than there are."""
    s, steps = sight.s, sight.box.march[sight.s.here][q]
    if steps >= FAR:
        return _said("2.1", "no_way", **_at(sight, q))
    if steps <= s.leader_points:
        return _rule("2.1")
    return _said("2.1", "far", points=s.leader_points, steps=steps, **_at(sight, q))


def _sail(sight: Seen, args: Args) -> Reason:
    s, ship = sight.s, args[0]
    if s.ship_owner[ship] != s.active:
        return _rule("3.1")
    return _rule(ORDER_RULE) if s.ship_points[ship] > 0 else _said("3.1", "ship_spent")


def _load(sight: Seen, args: Args) -> Reason:
    s, (kind, number) = sight.s, args
    if s.here >= PROVINCES:
        return _rule("3.2")
    most = loadable(s, kind)
    if number > most:
        name = label("cargo", kind, sight.labels)
        return _said("3.5", "load", units=("count", name, most))
    if kind >= at.CARGO_INFANTRY and ship_leaders(s, s.ship) == 0:
        return _said("3.4", "leaderless")
    return _said("3.3", "aboard", number=ship_load(s, s.ship), most=at.LEGION)


def _voyage(sight: Seen, args: Args) -> Reason:
    s, box, area = sight.s, sight.box, args[0]
    on_land, load = s.here < PROVINCES, ship_load(s, s.ship)
    if area not in _waters(box, s.here):
        return _too_far_at_sea(sight, area)
    if on_land and load > 0 and ship_leaders(s, s.ship) == 0:
        return _said("3.4", "led_by_nobody", number=load)
    if on_land:
        return _rule("3.9")
    rule = "12.11" if ship_leaders(s, s.ship) > 0 else "3.8"
    return _said(rule, "guarded_empty", units=_enemies(s, area), **_at(sight, area))


def _waters(box: Box, area: int) -> list[int]:
    """3.1: where a galley goes from an area in one step."""
    if area < PROVINCES:
        return box.shore[area][: box.shore_count[area]]
    return box.water[area - PROVINCES][: box.water_count[area - PROVINCES]]


def _too_far_at_sea(sight: Seen, area: int) -> Reason:
    s, box = sight.s, sight.box
    reached, steps = {s.here}, 0
    while area not in reached:
        further = reached | {q for p in reached for q in _waters(box, p)}
        if further == reached:
            return _rule("3.1")
        reached, steps = further, steps + 1
    points = s.ship_points[s.ship]
    if steps <= points:
        return _rule("3.1")
    return _said("3.1", "sail_far", points=points, steps=steps, **_at(sight, area))


# -- battle ---------------------------------------------------------------------------------------


def _attack(sight: Seen, args: Args) -> Reason:
    s, (area, seat) = sight.s, args
    return _rule("12.13" if (s.fought[area - PROVINCES] >> seat) & 1 else "8.1")


def _retreat(sight: Seen, args: Args) -> Reason:
    """4.15: whoever retreats looks for a province without anybody else's units."""
    s, box, q = sight.s, sight.box, args[0]
    if q >= PROVINCES or q not in box.near[s.field][: box.near_count[s.field]]:
        return _rule("4.15")
    others = sum(strength(s, seat, q) for seat in range(sight.seats) if seat != s.loser)
    return _said("4.15", "guarded", units=others, **_at(sight, q)) if others else _rule("4.15")


# -- purchase -------------------------------------------------------------------------------------


def _price(sight: Seen, goods: int, number: int = 1) -> Reason:
    """7.1: what one has and what it costs; nothing where one has enough and only the time is wrong."""
    s, cost = sight.s, number * price(sight.s, sight.box, goods)
    if cost <= s.talents[s.active]:
        return _rule("7.1" if s.phase == at.BUY else PHASES_RULE)
    units = ("count", label("goods", goods, sight.labels), number)
    fields = {"talents": s.talents[s.active], "price": cost, "times": s.price, "units": units}
    return _said("7.1", "price_now" if s.price > 1 else "price", **fields)


def _pieces(sight: Seen, goods: int) -> Reason:
    """7.2: how many pieces of one's own are not in play, out of how many."""
    s, left = sight.s, pieces_left(sight.s, sight.box, goods)
    all_of_them = left + s.force[s.active][goods]
    name = ("goods", label("goods", goods, sight.labels))
    return _said("7.2", "pieces", left=left, limit=all_of_them, goods=name)


def _stock(sight: Seen, goods: int) -> Reason:
    name = ("goods", label("goods", goods, sight.labels))
    return _said("7.2", "stock", limit=sight.box.limit[goods], goods=name)


def _besieged(sight: Seen, p: int, rule: str) -> Reason:
    """7.3, 7.4: who does not hold a place, or has enemies there, gets no pieces there."""
    s = sight.s
    if s.owner[p] != s.active:
        return _said(rule, "not_held", **_at(sight, p))
    if hostile(s, s.active, p):
        return _said(rule, "guarded", units=_enemies(s, p), **_at(sight, p))
    return _rule(rule)


def _recruit(sight: Seen, args: Args) -> Reason:
    s, box, (unit, home, number) = sight.s, sight.box, args
    if not is_recruiting(s, box, home):
        return _besieged(sight, box.home_province[home], "7.3") if s.home[s.active] == home else _rule("7.3")
    if number > pieces_left(s, box, unit):
        return _pieces(sight, unit)
    return _price(sight, unit, number)


def _launch(sight: Seen, args: Args) -> Reason:
    s, box, (p, _) = sight.s, sight.box, args
    if not is_shipyard(s, box, p):
        return _besieged(sight, p, "7.4") if p in box.ports[s.home[s.active]] else _rule("7.4")
    if pieces_left(s, box, at.GALLEY) == 0:
        return _pieces(sight, at.GALLEY)
    return _price(sight, at.GALLEY) if affordable(s, box, at.GALLEY) == 0 else _rule("3.9")


def _build(goods: int) -> Callable[[Seen, Args], Reason]:
    def reason(sight: Seen, args: Args) -> Reason:
        s, box, p = sight.s, sight.box, args[0]
        if s.owner[p] != s.active:
            return _said("7.6", "not_held", **_at(sight, p))
        if s.city[p] > 1 or (s.city[p] > 0) != (goods == at.WALL):
            key = "no_city" if s.city[p] == 0 else "walled" if goods == at.WALL else "has_city"
            return _said("7.6", key, **_at(sight, p))
        if s.built[goods - at.CITY] >= box.limit[goods]:
            return _stock(sight, goods)
        return _price(sight, goods)

    return reason


def _pave(sight: Seen, args: Args) -> Reason:
    s, box, edge = sight.s, sight.box, args[0]
    if edge >= box.edges:
        return _rule("2.8")
    if s.road[edge]:
        return _said("7.6", "has_road")
    for p in box.edge_end[edge]:
        if s.owner[p] != s.active:
            return _said("7.6", "not_held", **_at(sight, p))
        if s.city[p] == 0:
            return _said("7.6", "no_city", **_at(sight, p))
    if not may_pave(s, box, edge):
        return _rule("7.6")
    return _stock(sight, at.ROAD) if s.built[2] >= box.limit[at.ROAD] else _price(sight, at.ROAD)


# -- bargaining -----------------------------------------------------------------------------------


def _ransom(sight: Seen, args: Args) -> Reason:
    """Why one's own general cannot be asked for: none there, asked already, or the home is lost."""
    s, other = sight.s, args[0]
    if s.captives[other][s.active] == 0:
        return _rule("5.5")
    if s.open_own[other] == 0:
        return _rule("12.4")
    return _besieged(sight, home_of(s, sight.box, s.active), "5.6")


def _release(sight: Seen, args: Args) -> Reason:
    s, other = sight.s, args[0]
    if s.captives[s.active][other] == 0:
        return _rule("5.5")
    return _rule("12.4" if s.open_held[other] == 0 else "5.6")


def _gift(sight: Seen, args: Args) -> Reason:
    """9.2: in fives, once a turn to each living player, where the match has gifts at all."""
    s, box, other = sight.s, sight.box, args[0]
    if box.free_gifts == 0 or other == s.active or not alive(s, other):
        return _rule("9.2")
    if (s.gifts >> other) & 1:
        return _said("9.2", "given", other_seat=other)
    return _said("9.2", "gift", talents=s.talents[s.active])


def _exchange(sight: Seen, args: Args) -> Reason:
    """One captive is added, before it is said who pays."""
    s, owner = sight.s, args[0]
    if s.offer in (at.GIFT, at.EXCHANGE) or s.payer != usual_payer(s):
        return _rule("12.4")
    return _rule("5.5" if s.captives[holder_of_more(s)][owner] == 0 else "5.6")


def _amount(sight: Seen, args: Args) -> Reason:
    s, talents = sight.s, sight.s.talents[sight.s.payer]
    if FIVE * args[0] <= talents:
        return _rule("12.4")
    return _said("12.4", "payer", payer_seat=s.payer, talents=talents)


_REASONS: dict[str, Callable[[Seen, Args], Reason]] = {
    "lead": _lead,
    "take": _take,
    "drop": _put_down("2.2"),
    "land": _put_down("12.12"),
    "march": _march,
    "sail": _sail,
    "load": _load,
    "voyage": _voyage,
    "attack": _attack,
    "retreat": _retreat,
    "recruit": _recruit,
    "launch": _launch,
    "found": _build(at.CITY),
    "fortify": _build(at.WALL),
    "pave": _pave,
    "ransom": _ransom,
    "release": _release,
    "gift": _gift,
    "exchange": _exchange,
    "amount": _amount,
}


# -- what was touched ---------------------------------------------------------------------------------

_BUILT = {"city": "found {}", "wall": "fortify {}", "galley": "launch {} 0"}
_REGION = {
    at.MUSTER: "march {}", at.SAIL: "voyage {}", at.BATTLES: "battle {}", at.RETREAT: "retreat {}",
    at.RAZE: "raze {}", at.CHOOSE_HOME: "choose {}",
}  # fmt: skip


def meant(sight: Seen, path: tuple[str, ...]) -> int | str | None:
    """The action that the last touch tries; something to buy may have been touched before it."""
    kind, _, name = path[-1].partition(":")
    goods = next((t[6:] for t in path if t.startswith("goods:")), "")
    if kind == "goods":
        text = _wanted(sight, goods)
        return CODES.read(text, sight.labels) if text else "7.6"
    if kind == "region" and goods:
        return _bought_at(sight, goods, name)
    text = _tried(sight.s.phase, kind, name)
    return CODES.read(text, sight.labels) if text else None


def _wanted(sight: Seen, goods: str) -> str:
    """Something to buy, touched alone: where it could be placed, so that money or stock is what lacks."""
    s, box, names = sight.s, sight.box, sight.labels["area"]
    if goods == "road":
        edge = next((e for e in range(box.edges) if s.road[e] == 0 and may_pave(s, box, e)), None)
        return "" if edge is None else f"pave {label('edge', edge, sight.labels)}"
    if goods in ("city", "wall"):
        own = [p for p in range(PROVINCES) if s.owner[p] == s.active and s.city[p] == (goods == "wall")]
        return _BUILT[goods].format(names[own[0]]) if own else ""
    home = s.home[s.active]
    if goods == "galley":
        ports = [p for p in box.ports[home] if p >= 0]
        yard = next((p for p in ports if is_shipyard(s, box, p)), ports[0])
        return _BUILT[goods].format(names[yard])
    return f"recruit {goods} {label('home', home, sight.labels)} 1"


def _bought_at(sight: Seen, goods: str, name: str) -> int | str:
    """7.3, 7.4: units at home, galleys in a harbour; 7.6: a road between two cities."""
    if goods == "road":
        return "7.6"
    known = sight.labels["area" if goods in _BUILT else "home"]
    if name not in known or (goods in _BUILT and known.index(name) >= PROVINCES):
        return "7.4" if goods == "galley" else "7.6" if goods in _BUILT else "7.3"
    return CODES.read(_BUILT.get(goods, f"recruit {goods} {{}} 1").format(name), sight.labels)


def _tried(phase: int, kind: str, name: str) -> str:
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
