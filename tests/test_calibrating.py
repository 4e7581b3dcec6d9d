"""`ludus lab calibrate`: games between rungs, a fit on half of them, the ladder's scale, the page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ludus
from conftest import all_titles
from ludus.analysis import calibration
from ludus.analysis.calibration import Bin, Calibration, Rung
from ludus.analysis.depth import DEPTHS, Depth
from ludus.analysis.evaluation import judge_for
from ludus.analysis.judges import NetJudge, make_judge
from ludus.bots.net import new_net
from ludus.core.errors import FormatError
from ludus.core.forms import PlainForm
from ludus.lab import calibrating, figures, foretelling
from ludus.lab.calibrating import Calibrated
from ludus.lab.foretelling import COSTS, Encounter, Said, Sampling
from samples import BARE, LARGE, PLANNED, SMALL, WIDE

LADDER = """
<!-- ludus arena ladder {name} -->
**2 seats**

| rung | over | games | score | fair | Elo | CPU ms |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
| tiro | random | 100 | 98.0 % (93.0 to 99.4) | 50 % | +600 (+449 to +903) | 0.12 |
| miles | tiro | 100 | 100.0 % (96.3 to 100.0) | 50 % | ∞ (+566 to ∞) | 0.27 |
| centurio | miles | 100 | 60.0 % (50.1 to 66.0) | 50 % | +70 (+10 to +120) | 0.06 |
| legatus | centurio | 12 | 0.0 % (0.0 to 24.3) | 50 % | -∞ (-∞ to -197) | 0.06 |

**2 seats, board other**

| tiro | random | 100 | 98.0 % (93.0 to 99.4) | 50 % | +1 (+0 to +2) | 0.12 |
<!-- end -->
"""


def test_the_scale_adds_up_along_the_ladder_of_the_same_setting() -> None:
    found = calibrating.elos(Sampling(LARGE, 2, ()), LADDER.format(name=LARGE))
    assert found == {
        "random": (0.0, False), "tiro": (600.0, False), "miles": (1166.0, True), "centurio": (1236.0, True),
        "legatus": (1039.0, True),
    }  # fmt: skip
    assert calibrating.elos(Sampling(SMALL, 2, ()), LADDER.format(name=LARGE)) == {}


def test_every_net_of_a_title_has_a_setting() -> None:
    names = [setting.name for setting in calibrating.settings_of(PLANNED, None, {})]
    assert len(names) == len(set(names)) == 3
    assert [setting.seats for setting in calibrating.settings_of(SMALL, 3, {})] == [3]


def test_every_number_of_seats_has_a_calibration_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {seats: Sampling(SMALL, seats, ()).name for seats in (2, 3, 4)}
    assert names == {2: SMALL, 3: f"{SMALL}-3", 4: f"{SMALL}-4"}
    many = [setting.name for setting in calibrating.settings_of(WIDE, None, {})]
    assert many == ["two", "many-4"]
    facts = {"bins": [], "seats": 3}
    there = {f"{SMALL}-3": Calibration(judge="x", facts=facts)}
    monkeypatch.setattr(calibration, "load", lambda title, name: there.get(name, Calibration()))
    assert [one.setting for one in calibrating.kept(SMALL)] == [Sampling(SMALL, 3, ())]


def test_equals_play_each_seed_once_and_rungs_in_both_seats() -> None:
    jobs = foretelling.jobs_of(Sampling(LARGE, 2, ()), ["tiro", "miles"], 2, 1)
    tables = [(job.bots, job.seed) for job in jobs]
    assert len(tables) == len(set(tables)) == 6
    assert {bots for bots, _ in tables if len(set(bots)) == 2} == {("miles", "tiro"), ("tiro", "miles")}


def test_the_error_is_told_of_games_that_were_not_fitted_to() -> None:
    """In one half of the games everybody wins of whom little is said, in the other half nobody."""

    def game(came: float) -> list[Said]:
        return [Said(0, [[0.2, 0.8]], [came, 1 - came])] * 4

    _, bins, decisions = calibrating.fitted([game(1.0), game(0.0)] * 200, 2)
    assert decisions == 1600
    assert calibration.expected_error(bins) < 2, "as often as not in all parts"
    halves = [game(float(k % 2)) for k in range(2)]
    _, bins, _ = calibrating.fitted([halves[0]] * 40 + [halves[1]] * 40, 40)
    assert calibration.expected_error(bins) > 50, "what was fitted to one half is wrong for the other"


def test_a_side_that_wins_more_often_than_was_foretold_is_read_so() -> None:
    """Both seats think that they stand evenly, and the first one wins four games of five."""
    games = [[Said(0, [[0.5, 0.5]], [1.0, 0.0] if k % 5 else [0.0, 1.0])] * 4 for k in range(200)]
    found, bins, _ = calibrating.fitted(games, 10)
    shifts = found.shifts
    assert shifts[0] > 1 and shifts[1] < -1
    assert calibration.expected_error(bins) < 2
    assert bins[0].said == pytest.approx(0.8, abs=0.02)


def test_what_is_read_of_a_decision_is_what_the_judge_says_of_it() -> None:
    game = ludus.title(LARGE).new(seed=3, seats=2)
    game.play(game.legal()[0].text)
    form: Any = game.form
    known = Calibration(slope=1.6, shifts=(0.4, -0.3), lapse=0.02)
    judge = NetJudge(game.title, form, new_net(game.title, 8, 4, 5, from_value=False), DEPTHS["quick"], known)
    said = Said(1, judge.estimates(game.s, 5), [1.0, 0.0])
    assert calibrating.chance_of(known, said) == pytest.approx(judge.chances([game.s], 5)[0][1])


def test_games_that_are_kept_are_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that was killed in the middle of a line goes on with what was whole."""
    played: list[Encounter] = []

    def play(setting: Sampling, job: Encounter) -> list[Any]:
        played.append(job)
        return [[0, [[0.25, 0.75]], [0.0, 1.0]]]

    monkeypatch.setattr(foretelling, "play_one", play)
    monkeypatch.setenv("LUDUS_PLAIN", "1")
    setting, path, told = Sampling(BARE, 2, ()), tmp_path / "new" / "games.jsonl", [0]
    jobs = [Encounter(("tiro", "miles"), seed) for seed in range(4)] + [Encounter(("tiro", "tiro"), 0, COSTS)]
    first = foretelling.play_all(setting, jobs, 1, told.append, path)
    whole = path.read_text()
    path.write_text(whole[:-9])
    played.clear()
    assert foretelling.play_all(setting, jobs, 1, told.append, path) == first
    assert played == [jobs[-1]]
    assert foretelling.read_kept(setting, path).keys() == {job.key for job in jobs}
    assert sum(told) == 2 * len(jobs)
    with pytest.raises(FormatError, match="otherwise"):
        foretelling.read_kept(Sampling(SMALL, 2, ()), path)


def test_bots_that_draw_no_lots_play_different_games_and_are_not_blamed_for_their_beginning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LUDUS_PLAIN", "1")
    monkeypatch.setattr(foretelling, "judge_for", lambda form, depth: None)
    judged: list[tuple[int, list[int]]] = []

    def told(judge: Any, form: Any, walk: Any, steps: list[Any], job: Encounter) -> list[Any]:
        judged.append((steps[0].first, [ply.code for ply in walk.plies]))
        return []

    monkeypatch.setattr(foretelling, "_foretold", told)
    monkeypatch.setattr(foretelling, "_costs", lambda judge, walk, steps, job: told(0, 0, walk, steps, job))
    setting = Sampling(BARE, 2, ())
    for seed in range(6):
        foretelling.play_one(setting, Encounter(("miles", "miles"), seed))
    assert len({tuple(line) for _, line in judged}) > 3
    foretelling.play_one(setting, Encounter(("miles", "miles"), 1, COSTS))
    assert judged[0][0] == 0 and judged[-1][0] == foretelling.OPENING
    assert judged[-1][1] == judged[1][1]


def test_what_was_fitted_stays_when_rungs_are_measured_or_the_ladder_is_read_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LUDUS_PLAIN", "1")
    monkeypatch.setitem(DEPTHS, "usual", Depth("usual", (1, 1, 1), (1, 1, 1), 10, 2, (1, 1, 1)))
    monkeypatch.setattr(calibration, "path_of", lambda title, name: tmp_path / f"{name}.json")
    table = LADDER.partition("| centurio")[0]
    monkeypatch.setattr(calibrating, "ladder_page", lambda: table.format(name=BARE))
    setting = calibrating.settings_of(BARE, None, {})[0]
    wanted: list[int] = []

    def play(setting: Sampling, job: Encounter) -> list[Any]:
        wanted.append(job.most)
        return [1.0] * job.most

    monkeypatch.setattr(foretelling, "play_one", play)
    judge_for.cache_clear()
    with pytest.raises(FormatError, match="not calibrated as it is"):
        calibrating.calibrate(setting, ["tiro"], 0, 2, 1, 1, {"command": "x"})
    facts = {"command": "fitted", "seats": 2, "bins": [], "by": "rollouts", "games": 4, "decisions": 9}
    calibration.save(
        ludus.title(BARE), BARE, Calibration(0.9, (0.1,), judge=setting.judge().digest, ece=1.0, facts=facts)
    )
    judge_for.cache_clear()
    with pytest.raises(FormatError, match="no rungs"):
        calibrating.calibrate(setting, ["tiro"], 0, 0, 1, 1, {"command": "x"})
    found = calibrating.calibrate(setting, ["tiro"], 0, 2, 1, 1, {"command": "measured"}, measure=10)
    known = found.calibration
    assert (known.slope, known.facts["command"], known.facts["measured"]) == (0.9, "fitted", "measured")
    assert [(one.name, one.elo, one.error, one.decisions) for one in known.rungs] == [
        ("random", 0.0, 1.0, 10), ("tiro", 600.0, 1.0, 10), ("miles", 1166.0, 1.0, 10)
    ]  # fmt: skip
    assert set(wanted) == {5}
    monkeypatch.setattr(calibrating, "ladder_page", lambda: table.format(name=BARE).replace("+600", "+500"))
    again_made = calibrating.calibrate(setting, ["tiro"], 0, 0, 1, 1, {"command": "read"})
    again = again_made.calibration
    assert [one.elo for one in again.rungs] == [0.0, 500.0, 1066.0] and again.facts["scaled"] == "read"
    assert calibration.load(ludus.title(BARE), BARE) == again
    said = calibrating.markdown(BARE, [found, again_made], 1)
    assert "By `fitted` and `measured` and `read`, on" in said
    monkeypatch.setattr(calibrating, "ladder_page", lambda: "")
    for analysed, why in ((0, "has no random, tiro, miles"), (2, "no rungs in this setting")):
        with pytest.raises(FormatError, match=why):
            calibrating.calibrate(setting, ["tiro"], 0, analysed, 1, 1, {"command": "x"})
        assert calibration.load(ludus.title(BARE), BARE) == again, "what was measured stays"
    judge_for.cache_clear()


def test_a_bot_that_is_no_rung_is_refused() -> None:
    with pytest.raises(FormatError, match="no rung"):
        calibrating.bots_of(SMALL, ["nobody"])


def test_a_calibration_is_kept_with_its_title_and_read_by_the_judge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two rungs of a small title, in plain form, with very short rollouts."""
    monkeypatch.setenv("LUDUS_PLAIN", "1")
    monkeypatch.setitem(DEPTHS, "usual", Depth("usual", (1, 1, 1), (1, 1, 1), 10, 2, (1, 1, 1)))
    monkeypatch.setattr(foretelling, "A_GAME", 4)
    title = ludus.title(BARE)
    monkeypatch.setattr(calibration, "path_of", lambda title, name: tmp_path / f"{name}.json")
    told: list[int] = []
    setting = calibrating.settings_of(BARE, None, {})[0]
    judge_for.cache_clear()
    found = calibrating.calibrate(setting, ["tiro", "miles"], 4, 0, 1, 1, {"command": "x"}, told.append)
    judge_for.cache_clear()
    assert sum(told) == 12 and found.calibration.facts["decisions"] > 20
    assert calibration.load(title, BARE) == found.calibration


def test_the_page_is_made_of_everything_that_is_kept() -> None:
    kept = calibrating.kept(PLANNED)
    assert [one.setting for one in kept] == calibrating.settings_of(PLANNED, None, {})
    assert all(one.bins and one.calibration.facts["command"].startswith("ludus lab") for one in kept)


def test_the_page_has_tables_and_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docs/pictures").mkdir(parents=True)
    page = tmp_path / calibrating.PAGE
    page.write_text(f"# A\n<!-- ludus lab calibrate {LARGE} -->\nold\n<!-- end -->\n")
    monkeypatch.setattr(figures, "docs_folder", lambda: tmp_path)
    facts: dict[str, Any] = {"by": "net", "games": 20, "decisions": 400, "command": "ludus lab calibrate x"}
    known = Calibration(1.1, (-0.2, 0.3), 0.015, "x", 1.5, facts, (Rung("tiro", 600.0, 3.25, 90, True),))
    found = Calibrated(Sampling(LARGE, 2, ()), known, [Bin(10, 0.2, 0.25), Bin(5, 0.8, 0.7)])
    written = calibrating.write(LARGE, [found], 2)
    text = page.read_text()
    assert "By `ludus lab calibrate x`" in text
    assert (
        "old" not in text
        and "| 400 | 1.10 | -0.20, +0.30 | 1.5 % | 1.5 |" in text
        and "at least +600" in text
    )
    drawn = (tmp_path / written[1]).read_text()
    assert drawn.count("<circle") == 2 and "1.5 points" in drawn


# -- what is shipped ----------------------------------------------------------------------------------------

SHIPPED = [(title.name, one) for title in all_titles() for one in calibrating.kept(title.name)]


def test_there_are_calibrations_to_look_at() -> None:
    assert {name for name, _ in SHIPPED} >= {LARGE, PLANNED, SMALL}


@pytest.mark.parametrize(("name", "one"), SHIPPED, ids=[f"{n}-{one.setting.name}" for n, one in SHIPPED])
def test_what_is_shipped_comes_true_within_three_points_over_ten_thousand_decisions(
    name: str, one: Calibrated
) -> None:
    known = one.calibration
    assert known.ece is not None and known.ece < 3
    measured = sum(row.count for row in one.bins)  # once on one half of the games, now on all of them in turn
    assert 10_000 <= measured <= known.facts["decisions"]
    assert calibration.expected_error(one.bins) == pytest.approx(known.ece, abs=0.01)


@pytest.mark.parametrize(("name", "one"), SHIPPED, ids=[f"{n}-{one.setting.name}" for n, one in SHIPPED])
def test_what_is_shipped_was_fitted_to_the_judge_that_there_is_now(name: str, one: Calibrated) -> None:
    title = ludus.title(name)
    box = title.box_for(one.setting.seats, **dict(one.setting.options))
    form: Any = PlainForm(title, box)
    judge = make_judge(title, form, DEPTHS["usual"])
    assert judge.by == one.calibration.facts["by"]
    assert one.calibration.facts["seats"] == one.setting.seats
    assert judge.rough is False
    assert not one.calibration.fits(judge.digest, one.setting.seats + 1), "of so many seats nothing is known"
    if judge.by == "rollouts":
        assert make_judge(title, form, DEPTHS["quick"]).rough, "of fewer of them nothing is known"


@pytest.mark.parametrize("name", sorted({name for name, _ in SHIPPED}))
def test_the_tables_of_the_page_are_those_of_the_files(name: str) -> None:
    page = (Path(__file__).parents[1] / calibrating.PAGE).read_text(encoding="utf-8")
    told = page.partition(f"<!-- {calibrating.COMMAND} {name} -->")[2].partition(figures.END)[0]
    written = calibrating.markdown(name, calibrating.kept(name), 1)
    before, said, _ = written.partition("\n\nBy `")
    assert said and told.strip().startswith(before.strip())
    assert all(f"`{one.calibration.facts['command']}`" in told for n, one in SHIPPED if n == name)
