"""`title.evaluate`: chances that add up, by what a seat knew, the same for the same seed; and calibration."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

import ludus
from ludus.analysis import calibration, evaluation, judges
from ludus.analysis.calibration import Calibration, fit
from ludus.analysis.contest import compete
from ludus.analysis.depth import DEPTHS
from ludus.analysis.judges import make_judge, turn_of
from ludus.analysis.rolling import Rollouts
from ludus.analysis.verdicts import WHOLE, verdict
from ludus.bots.legatus import Legatus
from ludus.bots.net import new_net
from ludus.core.chance import CHANCE
from ludus.core.errors import FormatError, LudusError
from ludus.core.game import Game
from samples import BARE, LARGE, PLANNED, SMALL, WIDE


def game_of(name: str, plies: int, **options: Any) -> Game[Any, Any]:
    """A game in plain form after some actions."""
    game = ludus.title(name).new(seed=3, **options)
    for _ in range(plies):
        game.apply(game.legal_codes()[-1])
    return game


@pytest.mark.parametrize(("name", "plies"), [(SMALL, 4), (BARE, 3), (LARGE, 14), (PLANNED, 0)])
def test_chances_add_up_and_every_legal_action_has_one(name: str, plies: int) -> None:
    game = game_of(name, plies)
    found = game.title.evaluate(game, budget="quick")
    assert sum(found.chances) == pytest.approx(1)
    assert {one.action.code for one in found.actions} == set(game.legal_codes())
    assert all(0 <= one.chance <= 1 and one.plan[0] == one.action for one in found.actions)
    chances = [one.chance for one in found.actions]
    assert chances == sorted(chances, reverse=True)
    assert found.doubt > 0


def test_the_same_seed_says_the_same_and_another_one_deals_anew() -> None:
    game = game_of(LARGE, 14)
    first, again, other = (game.title.evaluate(game, game.to_move, "quick", seed) for seed in (1, 1, 2))
    assert first == again
    assert first.actions != other.actions


def test_what_a_seat_cannot_know_changes_nothing_of_what_it_is_told() -> None:
    game = game_of(LARGE, 1)  # both have cards in their hands
    seat = game.to_move
    dealt = next(
        twin for twin in (game.imagine(seat, seed) for seed in range(50)) if twin.packed() != game.packed()
    )
    mine, other = (one.title.evaluate(one, seat, "quick", 4) for one in (game, dealt))
    assert mine.chances == other.chances
    assert [(a.action, a.chance) for a in mine.actions] == [(a.action, a.chance) for a in other.actions]


def test_choices_of_another_seat_are_not_told_to_one_that_asks_by_what_it_knows() -> None:
    game = game_of(LARGE, 14)
    assert game.title.evaluate(game, 1 - game.to_move, "quick").actions == ()


def test_a_move_that_wins_at_once_is_a_sure_win() -> None:
    game = ludus.title(BARE).new(seed=1)
    game.play("place a 1", "place a 2", "place b 1", "place c 3")
    found = game.title.evaluate(game, budget="quick")
    assert {one.action.text: one.chance for one in found.actions}["place c 1"] == 1.0
    assert found.actions[0].action.text == "place c 1"
    assert found.chances[game.to_move] > 0.5


def test_a_win_at_once_stays_sure_however_little_is_thought_of_rollouts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What all trial games came to is no proof; that the game is over is one."""
    monkeypatch.setattr(calibration, "load", lambda title, name: Calibration(slope=0.1, lapse=0.05))
    evaluation.judge_for.cache_clear()
    game = ludus.title(BARE).new(seed=1)
    game.play("place a 1", "place a 2", "place b 1", "place c 3")
    form: Any = game.form
    judge = make_judge(game.title, form, DEPTHS["quick"])
    codes = form.legal(game.s)
    for code in codes:
        found = judge.choices(game.s, game.to_move, (code,), 1, 0.5)
        wins = found.plans[found.outcome.best]
        assert game.action(wins[0]).text == "place c 1" and found.outcome.chances[found.outcome.best] == 1.0
        assert found.outcome.cost == (0.0 if wins == (code,) else 1.0 - found.outcome.chances[found.played])
    others = [x for plan, x in zip(found.plans, found.outcome.chances, strict=True) if plan != wins]
    assert max(others) < 0.95, "what is not over is read"
    evaluation.judge_for.cache_clear()


def test_trial_games_of_a_title_without_chance_are_not_all_the_same() -> None:
    """Else a position would be good for everything or for nothing."""
    game = ludus.title(BARE).new(seed=1)
    game.play("place a 1", "place b 2")
    form: Any = game.form
    rollouts = Rollouts(form, game.title)
    assert not game.title.has_chance
    results = {tuple(rollouts.play(game.s, -1, -1, range(k, k + 1), 5)) for k in range(24)}
    assert {(1.0, 0.0), (0.0, 1.0)} <= results


def test_a_title_without_a_net_is_rough_and_says_by_what_it_was_judged() -> None:
    found = ludus.title(SMALL).evaluate(game_of(SMALL, 2), budget="quick")
    assert (found.by, found.rough) == ("rollouts", True)


def test_a_calibration_of_another_net_is_rough(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of(LARGE, 14)
    form: Any = game.form
    known = make_judge(game.title, form, DEPTHS["quick"])
    for judge, rough in ((known.digest, False), ("another", True)):
        monkeypatch.setattr(calibration, "load", lambda title, name, judge=judge: Calibration(judge=judge))
        assert make_judge(game.title, form, DEPTHS["quick"]).rough is rough


def test_rollouts_that_are_calibrated_are_not_rough_and_say_by_what_was_judged() -> None:
    game = game_of(SMALL, 2)
    form: Any = game.form
    judge = make_judge(game.title, form, DEPTHS["usual"])
    assert (judge.by, judge.rough) == ("rollouts", False)
    more: Any = ludus.title(SMALL).new(seed=1, seats=6, form="plain").form
    assert make_judge(game.title, more, DEPTHS["usual"]).rough, "nothing was fitted to games of six"


def test_estimates_are_read_seat_by_seat_before_they_are_put_together() -> None:
    game = game_of(LARGE, 14)
    form: Any = game.form
    net = new_net(game.title, 8, 4, 5, from_value=False)
    known = Calibration(slope=1.7, shifts=(-0.4, 0.9))
    plain = judges.NetJudge(game.title, form, net, DEPTHS["quick"], Calibration())
    fitted = judges.NetJudge(game.title, form, net, DEPTHS["quick"], known)
    said = plain.estimates(game.s, 1)
    assert fitted.estimates(game.s, 1) == said  # before anything is calibrated
    own = [known.read(x, p) for p, x in enumerate(said[0])]
    assert fitted.chances([game.s], 1)[0] == pytest.approx(judges.balanced(own))


def test_what_is_decided_is_read_as_it_is_however_flat_the_slope() -> None:
    game = ludus.title(LARGE).new(seed=1)
    form: Any = game.form
    net = new_net(game.title, 8, 4, 5, from_value=False)
    judge = judges.NetJudge(game.title, form, net, DEPTHS["quick"], Calibration(slope=0.1))
    assert [judge._read(x, 0) for x in (1.0, 0.0, 1 - 1e-6, -1e-6)] == [1.0, 0.0, 1 - 1e-6, 0.0]


def test_a_fit_finds_what_the_results_were_drawn_with() -> None:
    lots = random.Random(1)
    truth = Calibration(slope=0.6, shifts=(0.3, -0.5))
    seats = [lots.randrange(2) for _ in range(20000)]
    said = [lots.random() for _ in seats]
    came = [float(lots.random() < truth.read(p, seat)) for p, seat in zip(said, seats, strict=True)]
    read = fit(said, came, seats)
    assert all(
        read.read(p, s) == pytest.approx(truth.read(p, s), abs=0.02) for p in (0.1, 0.5, 0.9) for s in (0, 1)
    )
    chances = [read.read(p, seat) for p, seat in zip(said, seats, strict=True)]
    error = calibration.expected_error(calibration.bins(chances, came))
    assert error < 2 < calibration.expected_error(calibration.bins(said, came))


def test_a_few_games_that_are_thrown_away_do_not_make_the_rest_less_sure() -> None:
    lots = random.Random(2)
    truth = Calibration(slope=3.0, lapse=0.04)
    said = [lots.random() for _ in range(20000)]
    came = [float(lots.random() < truth.read(p)) for p in said]
    found = fit(said, came)
    assert found.slope == pytest.approx(3.0, abs=0.3)
    assert found.lapse == pytest.approx(0.04, abs=0.011)
    assert found.read(0.999) < 0.98


def test_a_fit_never_turns_chances_upside_down() -> None:
    assert fit([0.1, 0.2, 0.8, 0.9] * 10, [1.0, 1.0, 0.0, 0.0] * 10).slope > 0


def test_a_damaged_calibration_says_so(tmp_path: Any) -> None:
    title = replace(ludus.title(SMALL), folder=tmp_path)
    calibration.save(title, SMALL, Calibration(slope=2.0))
    assert calibration.load(title, SMALL).slope == 2.0
    calibration.path_of(title, SMALL).write_text("{")
    with pytest.raises(FormatError, match="no calibration"):
        calibration.load(title, SMALL)


def test_choices_that_are_equally_good_cost_next_to_nothing() -> None:
    """The luckiest of many equal choices must not make mistakes of the others."""
    lots = random.Random(7)
    costs = [
        compete(20, lambda alive, luck: [lots.random() for _ in alive], (6, 12, 60), 3).cost
        for _ in range(200)
    ]
    assert sum(costs) / len(costs) < 0.03


def test_a_worse_choice_costs_what_it_is_worse() -> None:
    def attempt(alive: list[int], luck: int) -> list[float]:
        return [0.5 - 0.01 * i + 0.001 * (luck % 3) for i in alive]

    found = compete(12, attempt, (3, 3, 3), 11)
    assert found.best == 0
    assert found.cost == pytest.approx(0.11)
    assert found.chances[11] == pytest.approx(found.chances[0] - 0.11)


def test_where_nothing_is_left_to_chance_two_lucks_are_enough() -> None:
    asked: list[int] = []

    def attempt(alive: list[int], luck: int) -> list[float]:
        asked.append(luck)
        return [0.1 * i for i in alive]

    assert compete(3, attempt, (6, 6, 6), 0).cost == pytest.approx(0.2)
    assert asked == [0, 1]


def test_results_of_games_that_agree_twice_are_tried_on() -> None:
    """All choices won two trial games: that is luck, where an estimate would be certain."""
    asked: list[int] = []

    def attempt(alive: list[int], luck: int) -> list[float]:
        asked.append(luck)
        return [1.0 if luck < 2 or i else 0.0 for i in alive]

    found = compete(2, attempt, (4, 4, 4), 0, estimated=False)
    assert len(asked) == 12
    assert (found.best, found.cost) == (1, 1.0)


def test_wrong_questions_get_a_sentence() -> None:
    game = game_of(SMALL, 1)
    with pytest.raises(LudusError, match="there is no seat 7"):
        game.title.evaluate(game, 7)
    with pytest.raises(FormatError, match="there are: quick, usual, deep"):
        game.title.evaluate(game, budget="endless")


def test_a_deal_that_goes_on_is_weighed_after_it() -> None:
    game = ludus.title(LARGE).new(seed=3, chance="manual")
    assert game.to_move == CHANCE
    found = game.title.evaluate(game, budget="quick")
    assert found.actions == () and 0.2 < found.chances[0] < 0.8
    assert evaluation.BELIEVED > 1


def test_the_best_turn_is_worth_what_the_position_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """A value errs at each position, and most at the best of many plans: it must not be believed there."""
    few = replace(Legatus.replied, soldier=3, aimed=1, led=2)
    monkeypatch.setattr(Legatus, "replied", few)
    title = ludus.title(WIDE)
    gaps, costs = [], []
    for seed in (1, 2, 3):
        game = title.new(seed=seed, seats=2, form="plain", max_rounds=5)
        form: Any = game.form
        while turn_of(title, form, game.s) < 3 or len(game.legal_codes()) < 3:  # both have a home by then
            game.apply(game.legal_codes()[-1])
        judge = make_judge(title, form, replace(DEPTHS["quick"], turns=(2, 1, 1)))
        now = judge.chances([game.s], 1)[0][game.to_move]
        found = judge.choices(game.s, game.to_move, (), 1, now)
        gaps.append(found.outcome.chances[found.outcome.best] - now)
        costs.append(max(found.outcome.chances) - min(found.outcome.chances))
    assert abs(sum(gaps) / len(gaps)) < 0.01
    assert max(costs) > 0.001, "but the choices are told apart"


def test_choices_that_are_equally_good_are_no_mistakes() -> None:
    """Nor are they where lucks are few and do much."""
    rng, classes = random.Random(1), list[str]()
    for _ in range(200):
        lucks = (2, 4, 8)
        found = compete(10, lambda alive, luck: [rng.gauss(0.5, 0.2) for _ in alive], lucks, 3)
        classes.append(verdict(round(found.cost * WHOLE), round(found.doubt * WHOLE)))
    assert sum(name in ("mistake", "blunder") for name in classes) < 0.05 * len(classes)
