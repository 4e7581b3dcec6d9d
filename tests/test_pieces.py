"""Which rules speak of a piece: every touch of every title has some, and they exist."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from conftest import all_titles
from ludus.core.errors import FormatError, OptionError
from ludus.core.pieces import FILE, names_of, read_pieces, rules_about
from ludus.core.title import Title
from ludus.core.words import LANGUAGES
from ludus.rulebook.rules import rules_of

TITLES = pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)


def settings_of(title: Title[Any, Any]) -> list[tuple[int, dict[str, Any]]]:
    """Few and many seats, and every option at each of its first values."""
    given: list[dict[str, Any]] = [{o.name: value} for o in title.options for value in o.values[:3]]
    possible: list[tuple[int, dict[str, Any]]] = [(min(title.seats), {}), (max(title.seats), {})]
    for options in given:
        try:
            title.box_for(min(title.seats), **options)
        except OptionError:  # some only go together with others
            continue
        possible.append((min(title.seats), options))
    return possible


@TITLES
def test_every_touch_of_random_play_has_a_rule(title: Title[Any, Any]) -> None:
    without: set[str] = set()
    rng = random.Random(7)
    for seats, options in settings_of(title):
        game = title.new(seed=rng.randrange(10**6), seats=seats, **options)
        for _ in range(250):
            if game.over:
                break
            legal = game.legal()
            sight = game.sight(game.to_move)
            touched = {touch for action in legal for touch in title.talk.touches(sight, action.code)}
            without |= {touch for touch in touched if not rules_about(title.pieces, touch)}
            game.play(rng.choice(legal).text)
    assert not without


@TITLES
def test_the_rules_exist_and_are_said_in_every_language(title: Title[Any, Any]) -> None:
    known = rules_of(title)
    assert title.pieces, f"{title.name} has no {FILE}"
    for piece, rules in title.pieces.items():
        assert set(rules) <= set(known), piece
        for lang in LANGUAGES:
            assert all(f"rule.{rule}" in title.words.written(lang) for rule in rules), (piece, lang)


@TITLES
def test_every_button_that_an_action_may_be_has_a_rule(title: Title[Any, Any]) -> None:
    named = {piece.removeprefix("button:") for piece in title.pieces if piece.startswith("button:")}
    more = {
        "end",
        "seal",
        "stepwise",
        "temple",
        "wall",
        "clash",
    }  # gestures and questions, not kinds of actions
    assert named <= set(title.codes.kinds) | more


def test_a_piece_is_looked_up_by_its_name_then_by_its_kind() -> None:
    pieces = {"unit:legion": ["A"], "unit": ["B"], "side": ["C"], "disc:money": ["D"]}
    assert list(names_of("unit:1 legion@troia")) == ["unit:1 legion@troia", "unit:legion", "unit", "unit"]
    assert rules_about(pieces, "unit:1 legion@troia") == ["A"]
    assert rules_about(pieces, "unit:galley@box") == ["B"]
    assert rules_about(pieces, "side1:4") == ["C"]
    assert rules_about(pieces, "disc:money") == ["D"]
    assert rules_about(pieces, "disc:4") == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("card = 3", "takes a list of rules"),
        ("card = []", "takes a list of rules"),
        ('card = ["XX9"]', "there is no rule XX9"),
        ("card = [", "Invalid value"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=reason) as found:
        read_pieces(tmp_path, all_titles()[0].words)
    assert FILE in str(found.value)


def test_a_title_without_the_file_has_none(tmp_path: Path) -> None:
    assert read_pieces(tmp_path, all_titles()[0].words) == {}
