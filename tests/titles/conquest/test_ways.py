"""Where turns of Conquest are touched on the board, for the arrows of an analysis."""

from __future__ import annotations

from browser.staged import scene_of
from browser.titles.conquest.staged import TITLE
from ludus.analysis.telling import WAYS, Teller
from whole_turns import compared, staged_match

GENERAL = "leader:general@syria"
PLAYED = ["lead syria general", "take infantry 1", "march armenia"]


def told(*turns: list[str]) -> list[list[list[str]]]:
    """The ways of some turns, and of the one that was played."""
    match = staged_match(TITLE, "open", dict(scene_of("conquest", "open").options))
    for text in PLAYED:
        match.play(0, [text])
    teller = Teller(compared(match, match.standing[0], 0, [*turns, PLAYED]), match, "en")
    (row,) = teller.found["rows"]
    ways: list[list[list[str]]] = teller.step(row)["ways"]
    assert len(ways) == len(turns) + 1
    return ways


def test_a_march_is_one_way_from_its_leader_over_every_province() -> None:
    best, played = told(["lead syria general", "take infantry 3", "march cilicia", "march galatia", "halt"])
    assert best == [[GENERAL, "region:cilicia", "region:galatia"]]
    assert played == [[GENERAL, "region:armenia"]]


def test_each_march_of_a_turn_has_a_way_of_its_own_and_what_ends_them_has_none() -> None:
    first = ["lead syria general", "take infantry 2", "take cavalry 1", "march cilicia", "halt"]
    second = ["lead aegyptus general", "march cyrenaica", "halt", "end_move"]
    ways = told([*first, *second])[0]
    assert ways == [[GENERAL, "region:cilicia"], ["leader:general@aegyptus", "region:cyrenaica"]]


def test_a_turn_has_no_more_ways_than_can_be_read() -> None:
    step = ["march cilicia", "halt", "lead cilicia general", "march syria", "halt"]
    long = ["lead syria general", "take infantry 1", *step, "end_move"]
    assert 1 <= len(told(long)[0]) <= WAYS


def test_a_turn_that_could_not_be_played_has_the_ways_up_to_there() -> None:
    best, _ = told(["lead syria general", "march cilicia", "march aegyptus", "lead aegyptus emperor"])
    assert best == [[GENERAL, "region:cilicia"]]
