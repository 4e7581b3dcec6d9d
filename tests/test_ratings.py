"""Glicko-2: against the example that Glickman prints, and what must hold of every rating."""

from __future__ import annotations

import pytest

from ludus.ratings import BEGINNER, NEWCOMER, STEADY, GameResult, Rating, after, after_game, expected, rested


def test_the_printed_example_comes_out() -> None:
    """Section "Example calculation" of glicko2.pdf: 1500, 200, 0.06 with tau 0.5 against three others."""
    results = [
        GameResult(Rating(1400, 30), 1),
        GameResult(Rating(1550, 100), 0),
        GameResult(Rating(1700, 300), 0),
    ]
    found = after(Rating(1500, 200, 0.06), results)
    assert found.rating == pytest.approx(1464.06, abs=0.01)
    assert found.deviation == pytest.approx(151.52, abs=0.01)
    assert found.volatility == pytest.approx(0.05999, abs=0.00001)


def test_a_period_without_games_only_makes_less_sure() -> None:
    found = after(Rating(1600, 80, 0.06), [])
    assert (found.rating, found.volatility) == (1600, 0.06)
    assert found.deviation == pytest.approx(80.67, abs=0.01)
    assert after(NEWCOMER, []) == NEWCOMER


def test_who_wins_rises_and_becomes_surer_the_more_the_stronger_the_other() -> None:
    weak, strong = (after(NEWCOMER, [GameResult(Rating(r, 80), 1)]) for r in (1200, 1800))
    assert NEWCOMER.rating < weak.rating < strong.rating
    assert weak.deviation < NEWCOMER.deviation
    assert after(NEWCOMER, [GameResult(Rating(1200, 80), 0)]).rating < NEWCOMER.rating


def test_a_surprise_makes_restless() -> None:
    """Many results that nobody expected raise the volatility: the other branch of step 5."""
    sure = Rating(1500, 60, 0.06)
    upset = after(sure, [GameResult(Rating(2300, 40), 1)] * 6)
    assert upset.volatility > sure.volatility
    assert after(sure, [GameResult(Rating(1500, 40), s) for s in (0, 1)]).volatility < sure.volatility


def test_an_even_game_moves_nobody() -> None:
    found = after(Rating(1500, 50), [GameResult(Rating(1500, 50), 0.5)])
    assert found.rating == pytest.approx(1500)
    assert expected(Rating(1500, 50), Rating(1500, 50)) == 0.5


def test_a_game_moves_both_by_what_the_other_was() -> None:
    won, lost = after_game(BEGINNER, BEGINNER, 1.0)
    assert won.rating - 1200 == pytest.approx(1200 - lost.rating) and won.rating > 1300
    assert after_game(BEGINNER, BEGINNER, 0.5)[0].rating == pytest.approx(1200)
    sure = Rating(1500, STEADY, 0.01)
    assert after_game(sure, sure, 1.0)[0].deviation == STEADY, "nobody is ever surer"


def test_who_rests_is_less_sure_and_as_strong() -> None:
    sure = Rating(1500, 45.0)
    assert rested(sure, 0.0) == sure
    month, year = rested(sure, 30 * 86400.0), rested(sure, 365 * 86400.0)
    assert sure.deviation < month.deviation < year.deviation < rested(sure, 1e10).deviation == 350.0
    assert {one.rating for one in (month, year)} == {1500}
    assert rested(sure, -5.0) == sure, "a clock that went back"
