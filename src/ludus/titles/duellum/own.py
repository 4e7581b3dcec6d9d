"""Own data of Antike Duellum: what `ludus play duellum --data FILE` is played with, and what it is called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Any

from ludus.core.option import Value
from ludus.core.own import Check
from ludus.core.words import LANGUAGES

from . import box as boxes
from .data import Data, data_of, parse, problems, read_data, shipped_data, vocabulary, warnings
from .layout import Box

__all__ = ["check", "complete", "make_box", "names", "vocabulary"]

HOUSE = {"en": " (house card)", "fr": " (carte maison)", "it": " (carta della casa)", "de": " (Hauskarte)"}
LONGEST_NAME, LONGEST_TEXT = 60, 600


@lru_cache(maxsize=16)
def _read(text: str, options: tuple[tuple[str, Value], ...]) -> Data:
    return read_data(text, boxes.shipped_for(dict(options)))


def complete(text: str, options: Mapping[str, Value]) -> str:
    """What the file does not have is as the options say: their board, deck, prices and coins."""
    return _read(text, tuple(options.items())).canonical()


def make_box(options: Mapping[str, Value], seats: int, text: str) -> Box:
    return boxes.make_box(options, seats, _read(text, tuple(options.items())))


def check(text: str) -> Check:
    found, parts = parse(text)
    wrong = problems(found)
    return Check(parts, wrong, [] if wrong else warnings(found, parts), found.sha256)


# -- what things are called ---------------------------------------------------------------------------------


def names(box: Box) -> Mapping[str, Mapping[str, str]]:
    """Names of cards and regions, and texts of cards, as somebody's own file gives them."""
    data = data_of(boxes.sha_text(box))
    return _names(data) if data is not None and data.own else {}


def _names(data: Data) -> dict[str, dict[str, str]]:
    return {lang: dict(_texts(data, lang)) for lang in LANGUAGES}


def _texts(data: Data, lang: str) -> Iterator[tuple[str, str]]:
    for region in data.board["regions"]:
        if name := _in_language(region.get("name"), lang, LONGEST_NAME):
            yield f"label.region.{region['id']}", name
    for card in data.cards:
        if name := _in_language(card.get("name"), lang, LONGEST_NAME):
            yield f"label.card.{card['id']}", _marked(name, card, lang)
        # An empty text, so that a card never says what one of ours with the same id does.
        yield f"effect.{card['id']}", _in_language(card.get("text"), lang, LONGEST_TEXT)
    for side in data.sides:
        if side not in _our_sides():
            yield f"label.side.{side}", side.replace("_", " ").capitalize()


@cache
def _our_sides() -> frozenset[str]:
    return frozenset(side for board in boxes.BOARDS for side in shipped_data(board).sides)


def _marked(name: str, card: Mapping[str, Any], lang: str) -> str:
    """A card that is not marked as printed is called a house card, whatever its name."""
    house = card.get("status") != "printed" and HOUSE[lang].strip() not in name
    return name + HOUSE[lang] if house else name


def _in_language(given: Any, lang: str, longest: int) -> str:
    """One line of what can be shown; a card in one language only has that name in all."""
    if isinstance(given, Mapping):
        given = given.get(lang) or given.get("en") or next(iter(given.values()), "")
    line = "".join(c for c in str(given or "") if c.isprintable())
    return " ".join(line.split())[:longest]
