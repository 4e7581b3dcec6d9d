"""Data files: boards, event decks and prices as TOML, checked before anybody plays with them.

An owner of the printed game can type his board, deck or prices into such a file.  `read_data` reads
one, `problems` says what keeps it from being played and `warnings` what is missing or not printed.
Parts that a file does not have are taken from the shipped ones.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from ludus.core.errors import FormatError
from ludus.core.words import LANGUAGES

from . import layout as at
from .layout import EFFECTS, GOODS, KNOW_HOWS, PERSONS, WHENS

FOLDER = Path(__file__).parent / "data"
PARTS = ("board", "card", "supplies", "start", "prices")
WAYS = ("land", "sea", "both")
RESOURCES = GOODS[:3]
STATUSES = ("printed", "reconstructed", "house")
AIMS = {"anywhere": at.ANYWHERE, "not_at_temple": at.NOT_AT_TEMPLE, "only_galley_sea": at.ONLY_GALLEY_SEA}
COUNTS = {"fixed": at.FIXED, "per_enemy_know_how": at.PER_ENEMY_KNOW_HOW}
UNITS = {"legion": at.LEGION, "galley": at.GALLEY}
_LINE_ENDS = re.compile("[\x7f-\x9f\u2028\u2029]")  # what JSON leaves and a line of text must not hold


@dataclass(frozen=True)
class Data:
    """One complete set of data: a board, a deck, supplies and prices."""

    board: Mapping[str, Any]
    cards: tuple[Mapping[str, Any], ...]
    supplies: Mapping[str, Any]
    start: Mapping[str, Any]
    prices: Mapping[str, Any]
    own: bool = field(default=False, compare=False)  # typed in by somebody, not shipped

    def canonical(self) -> str:
        """The same text for the same data, whatever the file looked like."""
        parts = {
            "board": self.board,
            "card": list(self.cards),
            "supplies": self.supplies,
            "start": self.start,
            "prices": self.prices,
        }
        text = json.dumps(parts, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str)
        return _LINE_ENDS.sub(lambda found: f"\\u{ord(found.group()):04x}", text)

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.canonical().encode()).hexdigest()

    @property
    def regions(self) -> list[str]:
        return [str(r["id"]) for r in self.board["regions"]]

    @property
    def sides(self) -> list[str]:
        return [str(side) for side in self.board["sides"]]

    @property
    def house_cards(self) -> list[str]:
        return [str(c["id"]) for c in self.cards if c.get("status") != "printed"]

    def borders(self) -> dict[tuple[str, str], str]:
        """Every border in both directions with its way."""
        found: dict[tuple[str, str], str] = {}
        for border in self.board["borders"]:
            a, b = border["between"]
            found[a, b] = found[b, a] = border["way"]
        return found


# -- reading ------------------------------------------------------------------------------------------


def _table(text: str, source: str = "") -> dict[str, Any]:
    try:
        data = json.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text)
    except RecursionError:
        raise FormatError("this is nested too deeply for a data file", source=source) from None
    except (tomllib.TOMLDecodeError, ValueError) as error:
        raise FormatError(str(error), source=source) from None
    if not isinstance(data, dict):
        raise FormatError("a data file is a table of parts", source=source)
    if not _is_text(data):
        raise FormatError("a text holds half a character (a lone surrogate)", source=source)
    for part, value in data.items():
        if part not in PARTS:
            raise FormatError(f"unknown part {part!r:.40}; known are {', '.join(PARTS)}", source=source)
        if not isinstance(value, list if part == "card" else dict):
            raise FormatError(
                f"{part} must be a {'list of tables' if part == 'card' else 'table'}", source=source
            )
    return data


def _is_text(data: dict[str, Any]) -> bool:
    try:
        json.dumps(data, ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError:
        return False
    return True


@cache
def shipped(name: str) -> dict[str, Any]:
    """The parts of a shipped data file."""
    return _table((FOLDER / f"{name}.toml").read_text(encoding="utf-8"), name)


@cache
def shipped_data(board: str) -> Data:
    """A shipped board with the shipped deck and prices."""
    prices = shipped("prices")
    cards = tuple(shipped("events")["card"])
    return Data(shipped(board)["board"], cards, prices["supplies"], prices["start"], prices["prices"])


def merge(given: Mapping[str, Any], base: Data | None = None) -> Data:
    """Complete data: what is given, the rest as in `base`, or as shipped."""
    rest = base or shipped_data("rome_carthage")
    return Data(
        board=given.get("board", rest.board),
        cards=tuple(given.get("card", rest.cards)),
        supplies=_over(rest.supplies, given.get("supplies", {})),
        start=_over(rest.start, given.get("start", {})),
        prices=_over(rest.prices, given.get("prices", {})),
    )


def _over(base: Mapping[str, Any], given: Any) -> dict[str, Any]:
    """A table with some entries replaced, one level deep."""
    merged = dict(base)
    for key, value in dict(given).items():
        deeper = isinstance(value, Mapping) and isinstance(base.get(key), Mapping)
        merged[key] = {**base[key], **value} if deeper else value
    return merged


def read_data(text: str, base: Data | None = None) -> Data:
    """The data of a file, complete; FormatError names the first thing that makes it unplayable."""
    data = replace(merge(_table(text), base), own=True)
    found = problems(data)
    if found:
        raise FormatError(found[0])
    register(data)
    return data


def parse(text: str) -> tuple[Data, list[str]]:
    """The data of a file, unchecked, and the parts that the file itself has."""
    table = _table(text)
    return merge(table), list(table)


# -- boxes and their data -------------------------------------------------------------------

_known: dict[str, Data] = {}


def register(data: Data) -> None:
    """Remember data by their digest, so that a box can name its regions and cards."""
    _known.setdefault(data.sha256, data)


def data_of(sha: str) -> Data | None:
    return _known.get(sha)


# -- checking -------------------------------------------------------------------------------------------


def problems(data: Data) -> list[str]:
    """What keeps the data from being played, each in one sentence."""
    found = [*_shape(data)]
    if found:
        return found
    return [*_board(data), *_cards(data), *_numbers(data)]


def _shape(data: Data) -> Iterator[str]:
    """Are the parts there that everything else looks into?"""
    for key in ("regions", "borders", "sides"):
        if not isinstance(data.board.get(key), list):
            yield f"the board needs a list {key!r}"
            return
    sides = data.board["sides"]
    if len(sides) != 2 or not all(_is_id(side) for side in sides) or sides[0] == sides[1]:
        yield "the board needs two sides, beige first, each a name of small letters"
    for n, region in enumerate(data.board["regions"], 1):
        if not isinstance(region, Mapping) or not _is_id(region.get("id")):
            yield f"region {n} needs an id of small letters, digits and underscores"
        elif "start" in region and not _is_start(region["start"]):
            yield f"region {region['id']}: start needs a side and a resource"
    for n, border in enumerate(data.board["borders"], 1):
        ends = border.get("between") if isinstance(border, Mapping) else None
        if not isinstance(ends, list) or len(ends) != 2 or not all(_is_id(end) for end in ends):
            yield f"border {n} needs between = [REGION, REGION]"
    for name, table in _tables(data):
        if not isinstance(table, Mapping):
            yield f"{name} must be a table"
    for n, card in enumerate(data.cards, 1):
        if not isinstance(card, Mapping) or not _is_id(card.get("id")):
            yield f"card {n} needs an id of small letters, digits and underscores"


def _is_start(given: Any) -> bool:
    return isinstance(given, Mapping) and all(isinstance(given.get(key), str) for key in ("side", "resource"))


def _tables(data: Data) -> Iterator[tuple[str, Any]]:
    yield "supplies.personages", data.supplies.get("personages")
    yield "supplies.each", data.supplies.get("each")
    yield "prices.city", data.prices.get("city")
    yield "prices.know_how", data.prices.get("know_how")


def _is_id(given: Any) -> bool:
    return (
        isinstance(given, str)
        and given.isascii()
        and given.replace("_", "a").isalnum()
        and given == given.lower()
    )


def _twice(names: list[str]) -> list[str]:
    return sorted({n for n in names if names.count(n) > 1})


def _board(data: Data) -> Iterator[str]:
    ids = data.regions
    if len(ids) > at.MAX_REGIONS:
        yield f"the board has {len(ids)} regions; at most {at.MAX_REGIONS} are possible"
    for name in _twice(ids):
        yield f"region {name} is there twice"
    ways: dict[tuple[str, str], str] = {}
    for border in data.board["borders"]:
        a, b = border["between"]
        for name in (a, b):
            if name not in ids:
                yield f"a border leads to {name!r}, which is no region"
        if a == b:
            yield f"{a} cannot border itself"
        if border.get("way") not in WAYS:
            yield f"the border {a} - {b} needs way = land, sea or both, not {border.get('way')!r}"
        else:
            other = ways.get((b, a), ways.get((a, b), border["way"]))
            if other != border["way"]:
                yield f"the border {a} - {b} is not symmetric: it is {other} and {border['way']}"
        ways[a, b] = border.get("way", "")
        if border.get("status", "reconstructed") not in STATUSES:
            yield f"the border {a} - {b}: status is one of {', '.join(STATUSES)}, not {border['status']!r}"
    yield from _graph(data, ids)
    yield from _starts(data)


def _graph(data: Data, ids: list[str]) -> Iterator[str]:
    near: dict[str, set[str]] = {name: set() for name in ids}
    for border in data.board["borders"]:
        a, b = border["between"]
        if a in near and b in near:
            near[a].add(b)
            near[b].add(a)
    reached, queue = set(ids[:1]), ids[:1]
    while queue:
        for name in near[queue.pop()] - reached:
            reached.add(name)
            queue.append(name)
    lost = [name for name in ids if name not in reached]
    if lost:
        yield f"the board is not connected: {', '.join(lost[:6])} cannot be reached from {ids[0]}"
    for name, others in near.items():
        if len(others) > at.MAX_NEAR:
            yield f"{name} has {len(others)} neighbours; at most {at.MAX_NEAR} are possible"


def _starts(data: Data) -> Iterator[str]:
    found: dict[str, list[str]] = {side: [] for side in data.sides}
    for region in data.board["regions"]:
        start = region.get("start")
        if start is None:
            continue
        side, resource = start.get("side"), start.get("resource")
        if side not in found:
            yield f"{region['id']} is a start city of {side!r}; the sides are {', '.join(data.sides)}"
        elif resource not in RESOURCES:
            yield f"{region['id']} needs a start resource: marble, iron or gold, not {resource!r}"
        else:
            found[side].append(resource)
        if not region.get("city"):
            yield f"{region['id']} is a start city and has no city symbol"
    for side, resources in found.items():
        if not resources:
            yield f"{side} has no start city"
        elif _twice(resources):
            yield f"{side} starts with two cities of {_twice(resources)[0]}"


def _cards(data: Data) -> Iterator[str]:
    if len(data.cards) > at.MAX_CARDS:
        yield f"the deck has {len(data.cards)} different cards; at most {at.MAX_CARDS} are possible"
    for name in _twice([str(c["id"]) for c in data.cards]):
        yield f"card {name} is there twice; use copies"
    for card in data.cards:
        yield from _card(card)


def _card(card: Mapping[str, Any]) -> Iterator[str]:
    name = card["id"]
    if card.get("when") not in WHENS:
        yield f"card {name}: when is one of {', '.join(WHENS)}, not {card.get('when')!r}"
        return
    if card.get("effect") not in EFFECTS[1:]:
        yield f"card {name}: effect is one of {', '.join(EFFECTS[1:])}, not {card.get('effect')!r}"
        return
    if (card["effect"] == "defence_bonus") != (card.get("when") == "opponent_conquest"):
        yield f"card {name}: only defence_bonus answers a conquest, and it is played at no other time"
    for key, usual in (("copies", 1), ("amount", 0)):
        value = card.get(key, usual)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 20:
            yield f"card {name}: {key} must be a whole number from 0 to 20, not {value!r}"
            return
    try:
        card_row(card)
    except FormatError as error:
        yield str(error)
    if card["effect"] == "opponent_loses_coins" and card.get("amount", 0) < 1:
        yield f"card {name}: amount says which part of the coins is lost, for instance 2 for half"


def card_row(card: Mapping[str, Any]) -> tuple[int, int, int, int, int]:
    """A card as ints: when, effect, a, b, amount."""
    effect = EFFECTS.index(card["effect"])
    words: dict[int, tuple[Mapping[str, int] | None, Mapping[str, int] | None]] = {
        at.GAIN: ({g: n for n, g in enumerate(GOODS)}, COUNTS),
        at.EXTRA_STEP: (UNITS, None),
        at.RETURN_UNIT: (UNITS, AIMS),
    }
    first, second = words.get(effect, (None, None))
    a, b = _argument(card, "a", first), _argument(card, "b", second)
    return WHENS.index(card["when"]), effect, a, b, int(card.get("amount", 0))


def _argument(card: Mapping[str, Any], key: str, words: Mapping[str, int] | None) -> int:
    value: Any = card.get(key, next(iter(words)) if words and key == "b" else 0)
    if words is None:
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 20:
            return value
        raise FormatError(f"card {card['id']}: {key} must be a whole number from 0 to 20, not {value!r}")
    if not isinstance(value, str) or value not in words:
        raise FormatError(f"card {card['id']}: {key} is one of {', '.join(words)}, not {value!r}")
    return words[value]


_LIMITS = {
    "legions": (1, at.MAX_UNITS), "galleys": (1, at.MAX_UNITS),
    "marble": (0, 34), "iron": (0, 34), "gold": (0, 34),
    "temples": (0, 36), "coins": (1, 999), "display": (0, 10), "goal": (1, 15),
}  # fmt: skip


def _numbers(data: Data) -> Iterator[str]:
    supplies, prices = data.supplies, data.prices
    for key, (low, high) in _LIMITS.items():
        yield from _number(supplies.get(key), low, high, f"supplies.{key}")
    for person in PERSONS:
        yield from _number(supplies["personages"].get(person), 0, 20, f"supplies.personages.{person}")
    for person in ("king", "citizen", "navigator"):
        yield from _number(supplies["each"].get(person), 1, 30, f"supplies.each.{person}")
    marks = supplies.get("walls_at")
    if not isinstance(marks, list) or not all(type(m) is int and 0 <= m < at.MAX_SCORE for m in marks):
        yield "supplies.walls_at is a list of places on the score track"
    for key in ("marble", "iron", "gold", "legions", "galleys", "second_coins"):
        yield from _number(data.start.get(key), 0, 12, f"start.{key}")
    for key in ("free_spaces", "temple", "wall", "arm", "leader", "legion", "galley"):
        yield from _number(prices.get(key), 0, 12, f"prices.{key}")
    for good in RESOURCES:
        yield from _number(prices["city"].get(good), 0, 12, f"prices.city.{good}")
    for know in KNOW_HOWS:
        row = prices["know_how"].get(know)
        if not isinstance(row, Mapping):
            yield f"prices.know_how.{know} needs first = ..., second = ..."
            continue
        for key in ("first", "second"):
            yield from _number(row.get(key), 0, 24, f"prices.know_how.{know}.{key}")
    starts = [r["start"]["resource"] for r in data.board["regions"] if "start" in r]
    for good in RESOURCES:
        if isinstance(supplies.get(good), int) and starts.count(good) > supplies[good]:
            yield f"there are fewer city tokens of {good} than start cities"


def _number(value: Any, low: int, high: int, name: str) -> Iterator[str]:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        yield f"{name} must be a whole number from {low} to {high}, not {value!r}"


# -- what is missing, though it can be played -------------------------------------------------------------


def warnings(data: Data, parts: list[str]) -> list[str]:
    """What is missing or not printed: none of it keeps anybody from playing."""
    found = [
        f"no {part}: the shipped one is used" for part in ("board", "card", "prices") if part not in parts
    ]
    ours = [b for b in data.board["borders"] if b.get("status") != "printed"]
    if ours:
        found.append(f"{len(ours)} of {len(data.board['borders'])} borders are not marked as printed")
    if data.house_cards:
        found.append(f"{len(data.house_cards)} of {len(data.cards)} cards are house cards, not printed ones")
    size = sum(int(c.get("copies", 1)) for c in data.cards)
    if size != 25:
        found.append(f"the deck has {size} cards; the printed one has 25")
    for card in data.cards:
        for key in ("name", "text"):
            given = card.get(key, {})
            missing = [lang for lang in LANGUAGES if not isinstance(given, Mapping) or not given.get(lang)]
            if missing:
                found.append(f"card {card['id']}: no {key} in {', '.join(missing)}")
    for side in data.sides:
        held = [
            r["start"]["resource"] for r in data.board["regions"] if r.get("start", {}).get("side") == side
        ]
        lacking = [good for good in RESOURCES if good not in held]
        if lacking:
            found.append(f"{side} starts without a city of {', '.join(lacking)}")
    return found


def vocabulary() -> list[str]:
    """The words that a card is written in, a line each."""
    return [
        f"when: {', '.join(WHENS)}",
        f"effect: {', '.join(EFFECTS[1:])}",
        f"a of gain: {', '.join(GOODS)}; b of gain: {', '.join(COUNTS)}",
        f"a of extra_step and return_enemy_unit: {', '.join(UNITS)}",
        f"b of return_enemy_unit: {', '.join(AIMS)}; everything else: whole numbers",
    ]
