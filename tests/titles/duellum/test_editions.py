"""The editions of our data: the first stays as it was, and whoever played with it goes on with it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from ludus.match.file import read_match, write_game
from ludus.titles.duellum import TITLE
from ludus.titles.duellum.box import sha_text
from ludus.titles.duellum.data import problems, shipped_data
from ludus.titles.duellum.editions import changes_of, edition_of

BOARDS = ("rome_carthage", "greece_persia", "casus_belli")
# What boxes were made from before there was a second edition.
BEFORE: tuple[tuple[dict[str, Any], str], ...] = (
    ({}, "df0839b9ca64d38cf7381b544a54f2cb1db1007ca9c56f3d5f66cf8bf9b5f39d"),
    ({"board": "greece_persia"}, "ebe1082b6b9b5061c63e818785427b77278fe694c7bd06df0b107b27ada06c68"),
    ({"edition": "casus_belli"}, "ee803a5729f4c8ef2b90c5bc8d3b91bf754013af5485dea6cf94ca27c0b77a0d"),
)


@pytest.mark.parametrize(("options", "sha"), BEFORE)
def test_a_record_of_before_is_played_with_the_data_of_before(options: dict[str, Any], sha: str) -> None:
    assert TITLE.recorded(options)["data_edition"] == "first"
    assert sha_text(TITLE.box_for(2, **TITLE.recorded(options))) == sha
    assert sha_text(TITLE.box_for(2, data_edition="first", **options)) == sha


@pytest.mark.parametrize("board", BOARDS)
def test_the_second_edition_can_be_played_and_says_why_it_differs(board: str) -> None:
    data = edition_of(board, "second")
    assert problems(data) == []
    assert edition_of(board, "first") == shipped_data(board)
    changes = changes_of(board, "second")
    assert (data != shipped_data(board)) == bool(changes)
    for row in changes:
        assert row["why"], row


@pytest.mark.parametrize("board", BOARDS)
def test_start_cities_bring_one_of_each_resource(board: str) -> None:
    data = edition_of(board, "second")
    starts = [region["start"] for region in data.board["regions"] if region.get("start")]
    for side in data.sides:
        found = sorted(start["resource"] for start in starts if start["side"] == side)
        assert found == ["gold", "iron", "marble"]


def test_a_match_file_of_before_is_played_again_and_goes_on() -> None:
    """Such a file does not name the edition: with the second one Athenai would bring something else."""
    options: dict[str, Any] = {"board": "greece_persia", "turn_cap": 200}
    game, dice = TITLE.new(seed=5, seats=2, data_edition="first", **options), Random(3)
    while len(game.line) < 300:
        game.play(dice.choice(game.legal()).code)
    text = write_game(game, {**options, "data_edition": "first"})
    old = text.replace(" data_edition=first", "")
    assert old != text
    found = read_match(old, lambda name: TITLE)
    assert found.match is not None and not found.changed
    assert found.match.game.hash() == game.hash()
    assert found.match.game.legal_codes() == game.legal_codes()
