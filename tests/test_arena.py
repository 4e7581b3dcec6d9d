"""The arena: what it counts, what it says of it, and when it stops."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from typer.testing import CliRunner

import ludus
from ludus.bots import Bot, Chair, find_bot
from ludus.cli import app
from ludus.core.game import Action
from ludus.lab import arena, scoring
from ludus.lab.scoring import Sequential, Watch
from samples import BARE, SMALL


@pytest.fixture(autouse=True)
def _plain_and_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDUS_PLAIN", "1")
    monkeypatch.setattr("os.cpu_count", lambda: 1)


def run(*words: str) -> Any:
    words = ("arena", SMALL, "--option", "rounds=2", *words)
    done = CliRunner().invoke(app, words, env={"COLUMNS": "200"})
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.stdout


# -- shares and Elo -----------------------------------------------------------------------------------------


def test_wilson_is_inside_and_shrinks() -> None:
    assert scoring.wilson(0, 0) == (0.0, 1.0)
    for wins, games in ((0, 10), (5, 10), (10, 10)):
        low, high = scoring.wilson(wins, games)
        assert 0 <= low <= wins / games <= high <= 1
    assert scoring.wilson(500, 1000)[1] - scoring.wilson(500, 1000)[0] < 0.07


def test_a_shared_first_place_is_shared_and_all_credits_are_one() -> None:
    for returns in ((2, 0), (0, 2), (1, 1), (1, 0, 1, 1), (0, 0, 0, 2)):
        assert sum(scoring.credits_of(returns)) == pytest.approx(1)


def test_an_interval_holds_the_truth_even_where_the_games_of_a_seed_go_the_same_way() -> None:
    """Seeds that decide both games alike: to count them as independent would be wrong in one case of six."""
    rng, missed = Random(5), 0
    for _ in range(400):
        seeds = [(w, w) for w in (float(rng.random() < 0.7) for _ in range(40))]
        found = scoring.share_of(seeds)
        assert found.low is not None and found.high is not None
        missed += not found.low <= 0.7 <= found.high
    assert missed < 40


def test_elo_is_the_other_way_round() -> None:
    for fair in (1 / 2, 1 / 4):
        assert scoring.elo_of(fair, fair) == pytest.approx(0)
        for elo in (-200, 35, 400):
            assert scoring.elo_of(scoring.expected(elo, fair), fair) == pytest.approx(elo)
    found = scoring.elo_between(scoring.share_of([(1, 1)] * 10), 1 / 2)
    assert found.value is None and found.high is None and found.low is not None and found.low > 100


# -- the sequential test ------------------------------------------------------------------------------------


def decided(elo: float, seed: int, most: int = 1000) -> Watch:
    rng, watch = Random(seed), Watch(Sequential(0, 120), 1 / 2)
    chance = scoring.expected(elo, 1 / 2)
    while not watch.verdict and watch.seeds < most:
        watch.add([float(rng.random() < chance) for _ in range(2)])
    return watch


def test_the_sequential_test_is_right_and_sooner_than_a_fixed_number_would_be() -> None:
    """By the normal approximation, 49 pairs would be needed for errors of one in twenty each way."""
    equal, stronger = [decided(0, seed) for seed in range(20)], [decided(120, seed) for seed in range(20)]
    assert Counter(watch.verdict for watch in equal)["elo0"] >= 18
    assert Counter(watch.verdict for watch in stronger)["elo1"] >= 18
    assert sum(watch.seeds for watch in equal + stronger) / 40 < 49


def test_five_kinds_of_pairs_say_more_than_wins_and_losses() -> None:
    """Pairs that are always split say that the bots are equal; the same wins in a heap say little."""
    test = Sequential(0, 60)
    assert test.verdict({0.5: 40}, 1 / 2) == "elo0"
    assert test.verdict({0.0: 20, 1.0: 20}, 1 / 2) == ""


def test_the_same_games_count_in_whatever_order_they_are_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    def played(plan: arena.Plan, number: int) -> list[arena.PlayedGame]:
        return [
            arena.PlayedGame(names, tuple(2 * (n == "miles") for n in names), 9, (1, 1), (0, 0), (0, 0), 3)
            for names in (plan.bots, plan.bots[::-1])
        ]

    monkeypatch.setattr(arena, "play_seed", played)
    plan = arena.make_plan(SMALL, ["miles", "tiro"], 400, 1, {})
    in_order = arena.run(plan, workers=1, test=Sequential(0, 60))
    monkeypatch.setattr(
        arena, "_play_all", lambda plan, left, *how: ((n, played(plan, n)) for n in reversed(left))
    )
    assert 4 < len(in_order) == len(arena.run(plan, test=Sequential(0, 60))) < 200


def test_the_command_stops_early_and_says_so() -> None:
    told = run("--games", "2000", "--sprt", "--elo0", "-900", "--elo1", "0")
    assert "SPRT: stopped, Elo 0 is accepted (Elo -900 or 0, LLR +" in told
    assert int(told.splitlines()[-1].split()[0]) < 200


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--sprt", "--elo0", "5", "--elo1", "5"], "--elo0 must be less than --elo1"),
        (["--sprt", "--bots", "miles"], "--sprt compares two bots"),
        (["--budget", "0"], "a bot needs some time to think"),
    ],
)
def test_what_cannot_be_tested_gets_a_sentence(words: list[str], sentence: str) -> None:
    with pytest.raises(ludus.FormatError, match=sentence):
        run(*words)


# -- what is counted ----------------------------------------------------------------------------------------


class Last(Bot):
    def choose(self, chair: Chair) -> Action:
        return chair.legal()[-1]


class Looks(Last):
    """Spends CPU time of its own, and notes the budget that it was given."""

    seen: tuple[float, ...] = ()
    worked = 0.0
    budget = 0.25

    def choose(self, chair: Chair) -> Action:
        Looks.seen = (*Looks.seen, chair.budget)
        Looks.worked += 0.5
        assert chair.options["rounds"] == 2
        return super().choose(chair)

    def cpu_seconds(self) -> float:
        return Looks.worked


class Elsewhere(Last):
    """Works where nobody can measure it."""

    def cpu_seconds(self) -> None:
        return None


def test_cpu_time_is_that_of_the_bots_own_work() -> None:
    plan = arena.make_plan(SMALL, ["test_arena:Looks", "test_arena:Elsewhere"], 2, 1, {"rounds": 2})
    found = arena.report(plan, arena.run(plan, workers=1))["bots"]
    assert found["test_arena:Looks"]["cpu_ms_per_move"] == 500
    assert found["test_arena:Looks"]["ms_per_move"] < 500
    assert found["test_arena:Elsewhere"]["cpu_ms_per_move"] is None


def test_a_budget_is_for_all_bots_and_else_each_has_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: Any = find_bot("test_arena:Looks")
    for budget, given in ((None, 0.25), (0.125, 0.125)):
        monkeypatch.setattr(looks, "seen", ())
        plan = arena.make_plan(SMALL, ["test_arena:Looks"], 1, 1, {"rounds": 2}, budget=budget)
        arena.run(plan, workers=1)
        assert set(looks.seen) == {given}


def test_one_bot_against_copies_has_a_fair_share_to_beat() -> None:
    found = json.loads(run("--bots", "miles,tiro,tiro,tiro", "--games", "8", "--json"))
    assert {name: row["fair"] for name, row in found["bots"].items()} == {"miles": 0.25, "tiro": 0.75}
    assert sum(row["score"] for row in found["bots"].values()) == pytest.approx(1, abs=1e-3)
    assert (found["elo"]["bot"], found["elo"]["over"]) == ("miles", "tiro")


def test_lengths_are_told_in_actions_and_in_rounds_where_a_title_counts_any() -> None:
    found = json.loads(run("--games", "4", "--json"))
    assert found["turns"]["worst"] >= 2 and found["length"]["median"] > 6
    plan = arena.make_plan(BARE, ["tiro"], 2, 1, {})
    assert arena.report(plan, arena.run(plan, workers=1))["turns"] is None


def test_a_file_of_the_first_release_goes_on(tmp_path: Path) -> None:
    """It has neither CPU times nor turns."""
    plan = arena.make_plan(SMALL, ["miles", "tiro"], 4, 1, {"rounds": 2})
    path = tmp_path / "a.jsonl"
    arena.run(plan, path, workers=1)
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for row in rows[1:]:
        for game in row["games"]:
            del game["cpu"], game["turns"]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows[:2]), encoding="utf-8")
    found = arena.report(plan, arena.run(plan, path, workers=1))
    assert found["games"] == 4 and found["bots"]["miles"]["cpu_ms_per_move"] is None


def test_a_file_holds_options_as_what_they_mean(tmp_path: Path) -> None:
    """What is typed in is text: a run of the ladder, which has numbers, goes on with that file."""
    path = tmp_path / "a.jsonl"
    arena.run(arena.make_plan(SMALL, ["tiro"], 2, 1, {"rounds": "2"}), path, workers=1)
    assert json.loads(path.read_text(encoding="utf-8").splitlines()[0])["options"]["rounds"] == 2
    again = arena.make_plan(SMALL, ["tiro"], 2, 1, {"rounds": 2})
    assert arena.report(again, arena.run(again, path, workers=1))["games"] == 2
