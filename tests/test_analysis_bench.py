"""`ludus bench analysis`: what it plays, counts, says and writes.  Nothing here looks at a clock."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import ludus
from ludus.cli import app
from ludus.core.errors import FormatError
from ludus.lab import analysis_bench as lab
from samples import BARE, LARGE, PLANNED, WIDE

PAGE = f"# A page\n\n<!-- ludus bench analysis {BARE} -->\nSTALE\n<!-- end -->\n"


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDUS_PLAIN", "1")


def run(*words: str) -> Any:
    return CliRunner().invoke(app, ["bench", "analysis", BARE, "--depth", "quick", *words])


@pytest.mark.usefixtures("quick")
def test_it_counts_a_whole_match_and_says_so() -> None:
    plan = lab.specimen_of(ludus.title(BARE))
    match = lab.play(plan, 1)
    assert match.over and match.ending == "played"
    (told,) = json.loads(run("--json").stdout)
    assert told["entries"] == len(match.entries) and told["decisions"] == len(match.standing)
    assert (told["throws"], told["cores"], told["by"], told["good"]) == (0, 1, "rollouts", True)


@pytest.mark.usefixtures("quick")
def test_of_several_all_but_one_give_up_after_the_turns_of_a_plan() -> None:
    match = lab.play(lab.Specimen(WIDE, "tiro", turns=2, seats=3), 1)
    assert match.over and match.ending == "resigned" and sum(map(bool, match.result or ())) == 1


@pytest.mark.usefixtures("quick")
def test_a_missed_goal_is_an_exit_status(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = replace(lab.specimen_of(ludus.title(BARE)), goal=1e-9)
    monkeypatch.setattr(lab, "specimen_of", lambda title: plan)
    assert run("--json").exit_code == 1


@pytest.mark.usefixtures("quick")
def test_figures_stand_in_the_page_with_their_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/speed.md").write_text("", encoding="utf-8")
    (tmp_path / "docs/analysis.md").write_text(PAGE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    done = run("--write-docs")
    assert done.exit_code == 0, done.output
    page = (tmp_path / "docs/analysis.md").read_text(encoding="utf-8")
    assert "STALE" not in page and f"By `ludus bench analysis {BARE} --depth quick`" in page
    assert "its load when that began" in page


def test_the_goals_are_those_that_were_asked_for_and_every_plan_can_be_played() -> None:
    goals = {name: lab.specimen_of(ludus.title(name)).goal for name in lab.planned()}
    assert goals == {LARGE: 20, PLANNED: 90, WIDE: 180}
    for name in goals:
        plan = lab.specimen_of(ludus.title(name))
        assert ludus.title(name).read_setting(plan.seats, plan.options)[0] == 2
    assert lab.specimen_of(ludus.title(WIDE)).turns == 2 * 15, "fifteen rounds of two seats"


def test_a_match_is_given_up_after_its_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDUS_PLAIN", "1")
    plan = replace(lab.specimen_of(ludus.title(WIDE)), bot="random", turns=2)
    match = lab.play(plan, 1)
    assert match.over and match.ending != "played"
    inputs: Any = ludus.title(WIDE).inputs
    assert inputs.turn(match.game.s, match.game.box) > 0


def test_a_damaged_plan_is_said(tmp_path: Path) -> None:
    (tmp_path / "analysis").mkdir()
    (tmp_path / "analysis/bench.json").write_text('{"gaol": 20}', encoding="utf-8")
    with pytest.raises(FormatError, match="what is played"):
        lab.specimen_of(replace(ludus.title(BARE), folder=tmp_path))
