"""The ladder: every rung is stronger than the one below, and a broken one is noticed."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import ludus
from conftest import ROOT, all_titles
from ludus.bots import registry, rungs
from ludus.bots.random import Random
from ludus.cli import app
from ludus.core.contract import LOSS, WIN
from ludus.core.errors import FormatError
from ludus.core.title import Title
from ludus.lab import arena, figures, ladder
from ludus.lab.ladder import Step
from samples import BARE, LARGE, WIDE

GAMES = 20  # enough for a rung that wins three games of four; the real ladder stands in docs/ladder.md


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDUS_PLAIN", "1")


def climb(title: str = BARE, games: int = GAMES) -> list[Step]:
    return list(ladder.play(ladder.plans(title, games, 1, budget=0.1), workers=1))


def test_every_rung_of_a_small_ladder_is_stronger_than_the_one_below() -> None:
    assert [step.sentence for step in climb() if not step.stands] == []


def test_the_net_of_a_large_title_is_stronger_than_miles(monkeypatch: pytest.MonkeyPatch) -> None:
    """What searches with it is too slow for a test, and stands in docs/ladder.md."""
    monkeypatch.delenv("LUDUS_PLAIN")
    wanted = ladder.plans(LARGE, GAMES, 1, only=["miles", "centurio"])
    assert [step.sentence for step in ladder.play(wanted, workers=1) if not step.stands] == []


@pytest.mark.parametrize("rung", rungs(ludus.title(BARE))[1:])
def test_a_rung_that_plays_at_random_is_noticed(rung: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._BOTS, rung, Random)
    broken = {step.upper: step.sentence for step in climb() if not step.stands}
    assert f"{rung} is not shown to be stronger than" in broken[rung]


def test_rungs_and_levels_are_both_climbed_and_no_step_twice() -> None:
    found = ladder.pairs(ludus.title(LARGE))
    assert ("miles", "centurio") in found and ("discens", "optio") in found
    assert len(set(found)) == len(found)


def test_a_ladder_of_some_seats_is_that_setting_alone() -> None:
    settings = [dict(setting) for setting in ludus.title(WIDE).ladder]
    assert [setting["seats"] for setting in settings] == [2, 4]
    assert {plan.seats for plan in ladder.plans(WIDE, 4, 1, seats=4)} == {4}
    assert len(ladder.plans(WIDE, 4, 1)) == 2 * len(ladder.plans(WIDE, 4, 1, seats=2))
    with pytest.raises(FormatError, match="no setting for 3 seats"):
        ladder.plans(WIDE, 4, 1, seats=3)


@pytest.mark.parametrize("title", all_titles(), ids=lambda title: title.name)
def test_every_setting_of_every_ladder_can_be_played(title: Title[Any, Any]) -> None:
    """One bot on top, as many copies of the one below as there are other seats."""
    found = ladder.plans(title.name, 4, 1)
    assert len(found) == len(title.ladder) * len(ladder.pairs(title))
    assert all(plan.challenger == plan.bots[0] for plan in found)
    names = [ladder._file_name(plan) for plan in found]
    assert len(set(names)) == len(names)


def _never(*_: Any) -> None:
    raise AssertionError("nothing is played again")


def test_a_stopped_ladder_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = ladder.plans(BARE, 4, 1)
    first = list(ladder.play(wanted, tmp_path, workers=1))
    monkeypatch.setattr(arena, "play_seed", _never)
    assert [step.games for step in ladder.play(wanted, tmp_path, workers=1)] == [s.games for s in first]


def test_of_slow_games_fewer_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    for quick, games in ((0.0, 4), (1e9, 12)):
        monkeypatch.setattr(ladder, "QUICK", quick)
        (step,) = ladder.play(ladder.plans(BARE, 12, 1, only=["tiro", "miles"]), workers=1, slow=4)
        assert len(step.games) == step.plan.games == games
        assert f"--games {games} " in step.command()


def run(*words: str) -> Any:
    return CliRunner().invoke(app, ["arena", "ladder", *words, "--cores", "1"], env={"COLUMNS": "200"})


def test_the_command_writes_table_commands_and_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs" / "pictures").mkdir(parents=True)
    (tmp_path / figures.PAGES[0]).write_text("", encoding="utf-8")
    for _ in range(2):  # the second time in the same place
        done = run(BARE, "--games", "20", "--rungs", "tiro,miles", "--out", "kept", "--write-docs")
        assert done.exit_code == 0, done.output
    assert f"{BARE}, 2 seats: miles is stronger than tiro (" in done.output
    text = (tmp_path / "docs" / "ladder.md").read_text(encoding="utf-8")
    assert text.count(f"<!-- ludus arena ladder {BARE} -->") == text.count("| miles | tiro | 20 |") == 1
    assert f"\nludus arena {BARE} --bots miles,tiro --games 20 --seed 1\n" in text
    assert f"By `ludus arena ladder {BARE} --games 20 --seed 1 --rungs tiro,miles --write-docs`" in text
    picture = ElementTree.parse(tmp_path / "docs" / "pictures" / f"ladder-{BARE}.svg")
    assert "miles over tiro" in {node.text for node in picture.iter()}


def test_the_command_ends_badly_where_a_rung_does_not_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    done = run(BARE, "--games", "4", "--rungs", "miles,tiro")
    assert done.exit_code == 1 and "tiro is not shown to be stronger than miles" in done.output


def test_who_loses_every_game_is_weaker_without_end_not_stronger() -> None:
    plan = ladder.plans(BARE, 12, 1, only=["random", "tiro"])[0]

    def elo(won: bool) -> str:
        returns = ((WIN, LOSS), (LOSS, WIN)) if won else ((LOSS, WIN), (WIN, LOSS))
        games = [
            arena.PlayedGame(plan.seated(k % 2), returns[k % 2], 7, (4, 3), (0.1, 0.1), (0.1, 0.1), None)
            for k in range(12)
        ]
        return ladder._row(Step(plan, games))[5]

    assert elo(True).startswith("∞ (+") and elo(True).endswith("to ∞)")
    assert elo(False).startswith("-∞ (-∞ to -")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((BARE, "--rungs", "miles"), "a ladder has two rungs at least"),
        (("chess",), "there is no title 'chess'"),
    ],
)
def test_what_is_no_ladder_gets_a_sentence(words: tuple[str, ...], sentence: str) -> None:
    assert sentence in str(run(*words).exception)


def test_the_page_has_a_place_for_every_title() -> None:
    text = (ROOT / "docs" / "ladder.md").read_text(encoding="utf-8")
    for title in all_titles():
        assert "HERE" in figures.fill(text, f"ludus arena ladder {title.name}", "HERE"), title.name
