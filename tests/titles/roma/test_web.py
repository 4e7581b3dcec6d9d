"""Roma in the browser: what is printed on the cards is what the rules know."""

from __future__ import annotations

import re

from ludus.titles.roma import TITLE
from ludus.titles.roma.box import KINDS, card_names


def test_the_printed_cards_are_those_of_the_rules() -> None:
    box, cards = TITLE.box_for(), TITLE.printed()["cards"]
    assert tuple(cards) == card_names()[1:]
    for number, card in enumerate(cards.values(), 1):
        assert (card["kind"], card["copies"]) == (KINDS[box.kind[number]], box.copies[number])
        assert (card["price"], card["defence"]) == (box.price[number], box.defence[number])
    assert [name for name, card in cards.items() if card["dice"] == 0] == ["basilica", "templum", "turris"]
    assert [name for name, card in cards.items() if card["dice"] == 2] == ["forum"]


def test_every_card_has_an_emblem() -> None:
    emblems = (TITLE.folder / "web/emblems.js").read_text(encoding="utf-8")
    assert tuple(re.findall(r"^  (\w+): \{$", emblems, re.M)) == card_names()[1:]
