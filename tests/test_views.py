"""Views are what their types declare: in random play of every title, and in the drawings' types."""

from __future__ import annotations

import random
from dataclasses import replace
from types import SimpleNamespace
from typing import Annotated, Any, get_type_hints

import jsonschema_rs
import pytest

import ludus
from conftest import all_titles, count
from ludus.core.errors import LudusError
from ludus.core.game import Game
from ludus.core.kit.run import boxes_of
from ludus.core.layout import COUNTED, OWNED, PUBLIC, SECRET, SHARED, F, Layout
from ludus.core.schema import schema_of, visible_type
from ludus.core.sight import Count, Squares
from ludus.core.title import Title
from tools.web import types

TITLES = pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)


@TITLES
def test_every_eye_sees_in_random_play_what_the_type_of_the_view_declares(title: Title[Any, Any]) -> None:
    validator = jsonschema_rs.validator_for(schema_of(title))
    chance = random.Random(1)
    for shelf in boxes_of(title):
        game = Game(title, shelf.box, seed=1)
        for _ in range(count(300 if shelf.varied else 2000)):
            if game.over:
                break
            game.play(chance.choice(game.legal()))
            seats = range(game.seats) if title.hides_something else [0]
            for eye in (ludus.SPECTATOR, *seats):
                validator.validate(game.view(eye))


def test_the_types_of_the_drawings_are_those_of_the_views() -> None:
    assert types.stale() == [], f"run {types.WRITE}"


@TITLES
def test_no_drawing_reads_an_untyped_view(title: Title[Any, Any]) -> None:
    """TypeScript checks what they read (the step "js style"), as long as they do not look away."""
    for path in (title.folder / "web").glob("*.js"):
        text = path.read_text(encoding="utf-8")
        assert 'model.js").View}' not in text and 'model.js").Row}' not in text, path.name
        assert "Record<string, any>" not in text, path.name


class Position:
    """One field for each of the ways in which a field is shown."""

    phase: Annotated[int, F("i1", holds="phase")]
    turn: Annotated[int, F("i2")]
    coins: Annotated[list[int], F("i1", PUBLIC, 2, axes="seat")]
    lies: Annotated[list[list[int]], F("i1", PUBLIC, 2, 3, axes="seat place", holds="thing")]
    board: Annotated[list[list[int]], F("i1", PUBLIC, 3, 3, axes="place place", holds="thing")]
    numbers: Annotated[list[int], F("i1", PUBLIC, 3)]
    fingers: Annotated[list[int], F("i1", OWNED, 2, axes="seat")]
    hand: Annotated[list[list[int]], F("i1", COUNTED, 2, 3, axes="seat thing")]
    known: Annotated[list[int], F("i1", SHARED, 3, axes="thing")]
    deck: Annotated[list[int], F("i1", SECRET, 3, axes="thing")]


def test_a_view_that_is_left_out_has_the_type_that_follows_from_the_layout() -> None:
    labels = {"phase": ("play",), "place": ("a", "b", "c"), "thing": ("none", "x", "o")}
    assert get_type_hints(visible_type(Layout(Position), labels)) == {
        "phase": str,
        "turn": int,
        "coins": list[int],
        "lies": list[dict[str, str]],
        "board": Squares,
        "numbers": list[int],
        "fingers": list[int | None],
        "hand": list[dict[str, int] | Count],
        "known": dict[str, int] | None,
    }


def test_a_view_that_says_no_type_is_refused_in_one_sentence(sample: Title[Any, Any]) -> None:
    def view(sight: Any) -> dict[str, Any]:
        return {}

    with pytest.raises(LudusError, match=f"view of {sample.name} must say which TypedDict it returns"):
        schema_of(replace(sample, talk=SimpleNamespace(view=view)))
