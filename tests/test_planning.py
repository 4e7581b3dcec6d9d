"""Planning with a net: where plans come from, and that they are played on."""

from __future__ import annotations

from typing import Any

import pytest

import ludus
from ludus.bots import Chair, make_bot
from ludus.bots.centurio import Centurio
from ludus.bots.net import new_net
from ludus.bots.planner import Planner, Search
from ludus.bots.planning import BY_SOLDIER, ROUND, leaning
from ludus.core.game import Game
from ludus.core.title import Title
from samples import PLANNED


@pytest.fixture
def title() -> Title[Any, Any]:
    """One whose turns are planned as a whole, with many small actions."""
    return ludus.title(PLANNED)


def planner_of(game: Game[Any, Any]) -> Planner:
    return Planner(game.form, game.title, new_net(game.title, 4, 4, 1, from_value=True))


def test_led_plans_begin_with_the_best_actions_in_their_order(title: Title[Any, Any]) -> None:
    game = title.new(seed=2, form="plain")
    chair, planner = Chair(game, game.to_move), planner_of(game)
    base = planner.sit(chair)
    worth = planner.look(chair.seat, base, 1)
    codes = game.legal_codes()
    best = sorted(range(len(codes)), key=lambda i: -worth[i])
    led = Search(wide=0, led=3, more=0, soldier=0, heat=0.0, turns=0)
    count = planner.propose(chair.seat, base, led, 1)
    assert [planner.plan(number)[0] for number in range(count)] == [codes[i] for i in best[:3]]


def test_a_plan_goes_to_the_end_of_the_turn_and_is_never_proposed_twice(title: Title[Any, Any]) -> None:
    game = title.new(seed=2, form="plain")
    chair, planner = Chair(game, game.to_move), planner_of(game)
    both = Search(wide=2, led=2, more=2, soldier=2, heat=0.05, turns=0)
    count = planner.propose(chair.seat, planner.sit(chair), both, 1)
    plans = [planner.plan(number) for number in range(count)]
    assert len({tuple(plan) for plan in plans}) == count > 1
    for plan in plans:
        walked = game.copy()
        for code in plan:
            while len(walked.legal_codes()) == 1:  # what is forced is in no plan
                walked.apply(walked.legal_codes()[0])
            assert Chair(walked, chair.seat).turn == chair.turn
            walked.apply(code)


def test_what_is_left_of_a_plan_is_played_on_without_another_search(
    title: Title[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = title.new(seed=2, form="plain")
    bot, seat, searches = Centurio(title, net=new_net(title, 4, 4, 1, from_value=True)), game.to_move, []
    walked = game.copy()
    plan = []
    while Chair(walked, seat).turn == Chair(game, seat).turn:
        if len(codes := walked.legal_codes()) > 1:
            plan.append(codes[0])
        walked.apply(codes[0])

    def search(chair: Chair, planner: Planner) -> list[int]:
        searches.append(chair.turn)
        return plan

    monkeypatch.setattr(bot, "search", search)
    memory: dict[str, Any] = {}
    while Chair(game, seat).turn == (searches or [Chair(game, seat).turn])[0]:
        game.play(bot.choose(Chair(game, seat, memory=memory)))
    assert len(plan) > 1
    assert len(searches) == 1
    assert game.hash() == walked.hash()


def test_after_a_round_it_is_the_seats_turn_again(title: Title[Any, Any]) -> None:
    """With two seats that is one reply."""
    game = title.new(seed=2, form="plain")
    chair, planner = Chair(game, game.to_move), planner_of(game)
    base, sums = planner.sit(chair), []
    for turns in (1, ROUND, 0):
        search = Search(wide=0, led=1, more=0, soldier=0, heat=0.0, turns=turns, how=BY_SOLDIER)
        count = planner.propose(chair.seat, base, search, 1)
        planner.compare(chair.seat, base, planner.clear(count), range(1), search)
        sums.append(float(planner.room.sums[0]))
    assert sums[0] == sums[1] != sums[2]


def test_plans_lean_to_some_actions_and_miles_ranks_the_first(title: Title[Any, Any]) -> None:
    likes = [leaning(code, key) for code in range(60) for key in (1, 77, 123456)]
    assert -1 <= min(likes) < -0.9 and 0.9 < max(likes) <= 1 and abs(sum(likes)) < 25
    game = title.new(seed=2, form="plain")
    chair, planner = Chair(game, game.to_move), planner_of(game)
    base = planner.sit(chair)
    plans = {}
    for lean in (1e-9, 1e6):
        search = Search(wide=0, led=0, more=0, soldier=6, heat=1e-9, turns=0, lean=lean)
        count = planner.propose(chair.seat, base, search, 1)
        plans[lean] = [planner.plan(number) for number in range(count)]
    assert len(plans[1e-9]) == 1, "all of them are what miles would do"
    assert len(plans[1e6]) == 4, "every second one likes something else"
    first = Search(wide=0, led=1, more=0, soldier=0, heat=0.0, turns=0, lean=1.0)
    planner.propose(chair.seat, base, first, 1)
    best = make_bot("miles", title).choose(Chair(game, game.to_move, budget=1e9))
    assert planner.plan(0)[0] == best.code
