"""Antike Duellum: options, the box that they and the data make, and what a scene may leave unsaid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ludus.core.codes import Labels
from ludus.core.errors import OptionError
from ludus.core.option import Option, Value

from . import layout as at
from .data import Data, card_row, data_of, merge, register, shipped
from .editions import edition_of
from .layout import BOX, GOODS, KNOW_HOWS, PERSONS, PHASES, SPACES, TOKENS, UNITS, Box, Position
from .rules.building import steps_of

FOLDER = Path(__file__).parent
SEATS = (2,)
NO_CAP = "none"
LONGEST = 10_000  # R40: without a cap a game ends after so many turns: ours, far beyond any match
BEFORE = 400  # R40: the cap that all games had before it was an option
BY_EDITION = "edition"
BOARDS = ("rome_carthage", "greece_persia")
BATTLES = ("forced", "on_demand", "mover")
CASUS_BELLI_CITIES = 24  # R57
OF_ANTIKE = {"legions": 17, "galleys": 17, "marble": 25, "iron": 25, "gold": 25}  # R58
COINS = (20, 30, 40, 60)
EDITIONS = ("second", "first")  # of what is ours in the data

OPTIONS = (
    Option("edition", "duellum", ("duellum", "casus_belli"), games=True),
    Option("board", "rome_carthage", BOARDS),
    Option("pieces", BY_EDITION, (BY_EDITION, "antike"), along=(("edition", "casus_belli"),)),
    Option("special_units", "none", ("none", "it", "fr")),
    Option("deck", "house", ("house", "known", "none")),
    Option("battle", BY_EDITION, (BY_EDITION, *BATTLES), disputed=True),
    Option("last_city", BY_EDITION, (BY_EDITION, "open", "protected"), disputed=True),
    Option("fortress", "ask", ("ask", "automatic"), disputed=True),
    Option("know_how", "navigatio_six", ("navigatio_six", "navigatio_seven"), disputed=True),
    Option("coins", 30, COINS, disputed=True),
    Option("turn_cap", NO_CAP, (NO_CAP, 200, 400), disputed=True, before=BEFORE),
    Option("data_edition", "second", EDITIONS, disputed=True, before="first"),
)


def make_box(options: Mapping[str, Value], seats: int, data: Data | None = None) -> Box:
    """The box of these options; `data` is what somebody's own file says (see `data.read_data`).

    R48: pairs of options that do not belong together are refused.
    """
    casus_belli = options["edition"] == "casus_belli"
    if casus_belli and options["board"] != "rome_carthage":
        raise OptionError("Casus Belli has one board only: rome_carthage", rule="R48")
    if casus_belli and options["special_units"] != "none":
        raise OptionError("Casus Belli has no special units; they belong to Antike Duellum", rule="R48")
    if not casus_belli and options["pieces"] != BY_EDITION:
        raise OptionError("Antike Duellum has its pieces; those of Antike go with Casus Belli", rule="R48")
    box = fill_box(data or shipped_for(options))
    battle, last = options["battle"], options["last_city"]
    if battle == BY_EDITION:
        battle = "on_demand" if casus_belli else "forced"
    box.battle = BATTLES.index(str(battle))
    box.protect_last = int(casus_belli if last == BY_EDITION else last == "protected")
    box.fortress_asks = int(options["fortress"] == "ask")
    cap = options["turn_cap"]
    box.turn_cap = cap if isinstance(cap, int) else LONGEST
    box.leader_unit[:] = _leaders(str(options["special_units"]))
    box.max_cities = CASUS_BELLI_CITIES if casus_belli else at.MAX_REGIONS
    return box


def shipped_for(options: Mapping[str, Value]) -> Data:
    """The shipped board, deck and prices as the options choose them."""
    casus_belli = options["edition"] == "casus_belli"
    board = "casus_belli" if casus_belli else str(options["board"])
    data = edition_of(board, str(options["data_edition"]))
    if options["deck"] == "known":
        data = replace(data, cards=tuple(c for c in data.cards if c["status"] == "printed"))
    elif options["deck"] == "none":
        data = replace(data, cards=())
    if options["know_how"] == "navigatio_seven":
        row = {**data.prices["know_how"]["navigatio"], "first": 7}
        data = replace(
            data, prices={**data.prices, "know_how": {**data.prices["know_how"], "navigatio": row}}
        )
    more = OF_ANTIKE if options["pieces"] == "antike" else {}
    return replace(data, supplies={**data.supplies, **more, "coins": options["coins"]})


def _leaders(special: str) -> tuple[int, int]:
    """C1: in the Italian text brown has the Admiral and beige the General, in the French the reverse."""
    general, admiral = at.LEGION + 1, at.GALLEY + 1
    return {"none": (0, 0), "it": (general, admiral), "fr": (admiral, general)}[special]


# -- a box from data ----------------------------------------------------------------------------------


def fill_box(data: Data) -> Box:
    """The box of a board, a deck and prices; what options say is still to be written."""
    register(data)
    box = BOX.plain()
    digest = bytes.fromhex(data.sha256)
    box.sha[:] = [int.from_bytes(digest[k : k + 8], "big", signed=True) for k in range(0, 32, 8)]
    box.turn_cap, box.fortress_asks, box.max_cities = LONGEST, 1, at.MAX_REGIONS
    _fill_board(box, data)
    _fill_numbers(box, data)
    _fill_cards(box, data)
    return box


def _fill_board(box: Box, data: Data) -> None:
    ids, sides = data.regions, data.sides
    box.regions = len(ids)
    for (a, b), way in sorted(
        data.borders().items(), key=lambda item: (ids.index(item[0][0]), ids.index(item[0][1]))
    ):
        i, j = ids.index(a), ids.index(b)
        box.near[i][box.near_n[i]] = j
        box.near_n[i] += 1
        for unit, name in ((at.LEGION, "land"), (at.GALLEY, "sea")):
            if way in (name, "both"):
                box.way[unit][i][box.way_n[unit][i]] = j
                box.way_n[unit][i] += 1
    for i, region in enumerate(data.board["regions"]):
        box.site[i] = int(bool(region.get("city")))
        box.nav[i] = 2 if region.get("galley_symbol") else min(1, box.way_n[at.GALLEY][i])
        start = region.get("start")
        if start:
            box.start_owner[i] = sides.index(start["side"]) + 1
            box.start_makes[i] = TOKENS.index(start["resource"])


def _fill_numbers(box: Box, data: Data) -> None:
    supplies, start, prices = data.supplies, data.start, data.prices
    box.pieces[:] = [supplies["legions"], supplies["galleys"]]
    box.tokens[:] = [0, supplies["marble"], supplies["iron"], supplies["gold"]]
    box.temples, box.coins, box.display = supplies["temples"], supplies["coins"], supplies["display"]
    box.goal = supplies["goal"]
    box.stack[:] = [supplies["personages"][person] for person in PERSONS]
    box.person_per[:] = [supplies["each"].get(person, 1) for person in PERSONS]
    for mark in supplies["walls_at"]:
        box.wall_at[mark] = 1
    box.start_goods[:] = [start[good] for good in GOODS[:3]]
    box.start_recruits[:] = [min(start["legions"], box.pieces[0]), min(start["galleys"], box.pieces[1])]
    box.second_coins = min(start["second_coins"], box.coins)
    box.free_spaces = prices["free_spaces"]
    box.city_price[:] = [prices["city"][good] for good in GOODS[:3]]
    box.temple_price, box.wall_price = prices["temple"], prices["wall"]
    box.arm_price, box.leader_price = prices["arm"], prices["leader"]
    box.recruit_price[:] = [prices["legion"], prices["galley"]]
    box.know_first[:] = [prices["know_how"][know]["first"] for know in KNOW_HOWS]
    box.know_second[:] = [prices["know_how"][know]["second"] for know in KNOW_HOWS]


def _fill_cards(box: Box, data: Data) -> None:
    box.cards = len(data.cards)
    for n, card in enumerate(data.cards):
        box.copies[n] = card.get("copies", 1)
        box.when[n], box.effect[n], box.arg_a[n], box.arg_b[n], box.amount[n] = card_row(card)


def small_boxes() -> Mapping[str, Box]:
    """A board on which everything is near, with few pieces and coins: battles, empty supplies and
    the end come soon.  Three ways to fight, and both leaders."""
    data = merge(shipped("straits"))
    data = replace(data, cards=_as_own_cards_may_be(data.cards))
    boxes = {}
    for n, name in enumerate(("straits", "straits on demand", "straits mover")):
        box = fill_box(data)
        box.battle, box.turn_cap = n, 60
        box.leader_unit[:] = _leaders(("it", "fr", "none")[n])
        box.protect_last, box.fortress_asks = n % 2, 1 - n // 2
        boxes[name] = box
    return boxes


def _as_own_cards_may_be(cards: tuple[Mapping[str, Any], ...]) -> tuple[Mapping[str, Any], ...]:
    """What no shipped card is: a Fortress that comes first, Volunteers of one kind, a Storm on any sea."""
    changed: dict[str, Mapping[str, Any]] = {"volunteers": {"b": 0}, "storm": {"b": "anywhere"}}
    new = [{**card, **changed.get(card["id"], {})} for card in cards]
    return tuple(sorted(new, key=lambda card: card["id"] != "fortress"))


# -- names and scenes ---------------------------------------------------------------------------------


def sha_text(box: Box) -> str:
    """The SHA-256 of the data that a box was made from."""
    return b"".join(n.to_bytes(8, "big", signed=True) for n in box.sha).hex()


def labels(box: Box) -> Labels:
    data = data_of(sha_text(box))
    regions = data.regions if data else [f"region_{n}" for n in range(box.regions)]
    cards = [str(c["id"]) for c in data.cards] if data else [f"card_{n}" for n in range(box.cards)]
    sides = data.sides if data else ["beige", "brown"]
    return {
        "phase": PHASES,
        "space": SPACES,
        "good": GOODS,
        "token": TOKENS,
        "unit": UNITS,
        "know": KNOW_HOWS,
        "person": PERSONS,
        "region": regions,
        "place": ["box", *regions],
        "side": ["none", *sides],
        "card": cards,
    }


def settle(s: Position, box: Box, given: frozenset[str]) -> None:
    """A scene says what matters; supplies, bank, deck and steps left follow from it."""
    if "phase" not in given:
        s.phase = at.RONDEL
    if "main" not in given:
        s.main = s.phase if s.phase <= at.ENDED else at.FOUND
    if "turns" not in given:
        s.turns = 1
    for p in range(2):
        for unit in range(2):
            if "supply" not in given:
                s.supply[p][unit] = box.pieces[unit] - s.recruits[p][unit] - sum(s.army[p][unit])
        s.cities[p] = sum(owner == p + 1 for owner in s.owner)
        if "walls" not in given:
            score = sum(s.persons[p])
            built = sum(w for w, owner in zip(s.wall, s.owner, strict=True) if owner == p + 1)
            s.walls[p] = sum(box.wall_at[: score + 1]) - built
    s.bank_temples = box.temples - sum(s.temple)
    s.bank_tokens[:] = [0, *(box.tokens[k] - s.makes.count(k) for k in (1, 2, 3))]
    s.bank_coins = box.coins - s.goods[0][at.COIN] - s.goods[1][at.COIN]
    if "deck" not in given:
        for card in range(box.cards):
            used = s.display[card] + s.discard[card] + s.hand[0][card] + s.hand[1][card]
            s.deck[card] = box.copies[card] - used
    p = s.active
    if "ready" not in given:
        s.ready[:] = [*s.recruits[p], int(box.leader_unit[p] > 0 and s.leader_at[p] == 0)]
    if s.main == at.MOVE and "left" not in given:
        _settle_steps(s, box)


def _settle_steps(s: Position, box: Box) -> None:
    p = s.active
    for unit in range(2):
        s.left[unit][steps_of(s, p, unit)][:] = s.army[p][unit]
    if s.leader_at[p] > 0:
        s.leader_left = steps_of(s, p, box.leader_unit[p] - 1)
