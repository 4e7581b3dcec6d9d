"""`ludus lab calibrate`: games between rungs, a fit on half of them, the ladder's scale, the page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ludus
from ludus.analysis import calibration
from ludus.analysis.calibration import Bin, Calibration, Rung
from ludus.analysis.depth import DEPTHS, Depth
from ludus.analysis.evaluation import judge_for
from ludus.core.errors import FormatError
from ludus.lab import calibrating, figures
from ludus.lab.calibrating import Calibrated, Sampled, Sampling
from samples import BARE, LARGE, PLANNED, SMALL

LADDER = """
<!-- ludus arena ladder {name} -->
**2 seats**

| rung | over | games | score | fair | Elo | CPU ms |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
| tiro | random | 100 | 98.0 % (93.0 to 99.4) | 50 % | +600 (+449 to +903) | 0.12 |
| miles | tiro | 100 | 100.0 % (96.3 to 100.0) | 50 % | ∞ (+566 to ∞) | 0.27 |
| centurio | miles | 100 | 60.0 % (50.1 to 66.0) | 50 % | +70 (+10 to +120) | 0.06 |

**2 seats, board other**

| tiro | random | 100 | 98.0 % (93.0 to 99.4) | 50 % | +1 (+0 to +2) | 0.12 |
<!-- end -->
"""


def test_the_scale_adds_up_along_the_ladder_of_the_same_setting() -> None:
    found = calibrating.elos(Sampling(LARGE, 2, ()), LADDER.format(name=LARGE))
    assert found == {
        "random": (0.0, False), "tiro": (600.0, False), "miles": (1166.0, True), "centurio": (1236.0, True)
    }  # fmt: skip
    assert calibrating.elos(Sampling(SMALL, 2, ()), LADDER.format(name=LARGE)) == {}


def test_every_net_of_a_title_has_a_setting() -> None:
    names = [setting.name for setting in calibrating.settings_of(PLANNED, None, {})]
    assert len(names) == len(set(names)) == 3
    assert [setting.seats for setting in calibrating.settings_of(SMALL, 3, {})] == [3]


def test_equals_play_each_seed_once_and_rungs_in_both_seats() -> None:
    jobs = calibrating.jobs_of(Sampling(LARGE, 2, ()), ["tiro", "miles"], 2, 1)
    tables = [(bots, seed) for bots, seed, _ in jobs]
    assert len(tables) == len(set(tables)) == 6
    assert {bots for bots, _ in tables if len(set(bots)) == 2} == {("miles", "tiro"), ("tiro", "miles")}


def test_the_error_is_told_of_games_that_were_not_fitted_to() -> None:
    fits, checks = Sampled([(0.5, 1.0), (0.5, 0.0)], [], b""), Sampled([(0.5, 1.0)], [], b"")
    _, _, bins, decisions = calibrating.fitted([fits, fits, checks, checks] * 5, 2)
    assert decisions == 30
    assert calibration.expected_error(bins) == pytest.approx(50)


def test_a_bot_that_is_no_rung_is_refused() -> None:
    with pytest.raises(FormatError, match="no rung"):
        calibrating.bots_of(SMALL, ["nobody"])


def test_a_calibration_is_kept_with_its_title_and_read_by_the_judge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two rungs of a small title, in plain form, with very short rollouts."""
    monkeypatch.setenv("LUDUS_PLAIN", "1")
    monkeypatch.setitem(DEPTHS, "usual", Depth("usual", (1, 1, 1), (1, 1, 1), 10, 2, (1, 1, 1)))
    monkeypatch.setattr(calibrating, "A_GAME", 4)
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
    known = Calibration(1.1, -0.2, "x", 1.5, facts, (Rung("tiro", 600.0, 3.25, 90, True),))
    found = Calibrated(Sampling(LARGE, 2, ()), known, [Bin(10, 0.2, 0.25), Bin(5, 0.8, 0.7)])
    written = calibrating.write(LARGE, [found], 2)
    text = page.read_text()
    assert "By `ludus lab calibrate x`" in text
    assert "old" not in text and "| 400 | 1.10 | -0.20 | 1.5 |" in text and "at least +600" in text
    drawn = (tmp_path / written[1]).read_text()
    assert drawn.count("<circle") == 2 and "1.5 points" in drawn
