"""Balance reports: the sentences follow the figures, and a run goes on where it was left."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from conftest import ROOT
from ludus.core.errors import FormatError, LudusError
from ludus.lab import figures, reports
from ludus.titles.duellum import report
from ludus.titles.duellum.layout import SPACES
from ludus.titles.duellum.report import SETTINGS, Tally, sentences

PERSONS = {"king": 3, "citizen": 2, "scholar": 2, "general": 1, "navigator": 1}


def game(
    winner: int, starter: int, first: tuple[str, str] = ("aurum", "ferrum"), **more: Any
) -> dict[str, Any]:
    facts = {"winner": winner, "starter": starter, "turns": 100, "persons": PERSONS, "first": list(first)}
    return {**facts, "legal": {"3": 9, "40": 1}, **more}


def games(beige: int, brown: int, begun: int) -> list[dict[str, Any]]:
    """So many games won by each side, of which the starter won so many."""
    winners = [0] * beige + [1] * brown
    return [game(w, w if n < begun else 1 - w) for n, w in enumerate(winners)]


def found(**changed: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Even results in every setting but those named: `rome` and `rome_no_coin`."""
    names = {"rome": SETTINGS[0].name, "rome_no_coin": SETTINGS[3].name}
    even = {setting.name: games(100, 100, 100) for setting in SETTINGS}
    return {**even, **{names[key]: value for key, value in changed.items()}}


def told(facts: dict[str, list[dict[str, Any]]]) -> str:
    return "\n".join(sentences({name: Tally(rows) for name, rows in facts.items()}))


def test_even_figures_say_nothing() -> None:
    said = told(found())
    assert said.count("no side is clearly ahead") == 5
    assert said.count("no effect of the coin can be seen") == 2


@pytest.mark.parametrize(("beige", "ahead"), [(130, "Rome (beige)"), (70, "Carthage (brown)")])
def test_a_side_is_ahead_only_when_the_interval_says_so(beige: int, ahead: str) -> None:
    said = told(found(rome=games(beige, 200 - beige, 100)))
    assert f"**Rome and Carthage**: {ahead} wins more often, 65 % (58 to 71)" in said
    assert said.count("no side is clearly ahead") == 4
    assert "no side is clearly ahead" in told(found(rome=games(110, 90, 100))).split("\n")[0]


@pytest.mark.parametrize(("begun", "word"), [(130, "helps"), (60, "harms")])
def test_the_coin_is_judged_by_what_happens_without_it(begun: int, word: str) -> None:
    said = told(found(rome_no_coin=games(100, 100, begun)))
    assert f"the coin {word} the second player" in said
    assert said.count("no effect of the coin can be seen") == 1


def test_first_spaces_must_stand_out_among_many() -> None:
    assert "None differs" in told(found(rome=games(110, 90, 100)))  # beige always began with AURUM
    assert "AURUM wins more often (Rome and Carthage)" in told(found(rome=games(140, 60, 100)))


def test_games_at_the_cap_are_counted_apart() -> None:
    rows = [*games(10, 10, 10), *(game(-1, 0, persons=dict.fromkeys(PERSONS, 0)) for _ in range(5))]
    page = report.markdown(found(rome=rows), "miles")
    row = next(line for line in page.splitlines() if line.startswith("| Rome and Carthage |"))
    assert row.split(" | ")[1:3] == ["25", "50 % (30 to 70)"]
    assert row.split(" | ")[4:7] == ["5", "100, 100, 100", "3.0"]
    assert "5 of 825 games reached the cap" in page
    assert "| 3, 40, 40 |" in page


def test_the_picture_is_svg_with_every_setting() -> None:
    text = report.picture(found(), "miles")
    words = [node.text for node in ET.fromstring(text).iter() if node.text]
    assert all(setting.name in words for setting in SETTINGS)


def test_a_run_goes_on_where_it_was_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Real games, by the bot that needs no thought; the file keeps them."""
    played: list[int] = []
    real = report.play

    def counted(setting: reports.Variation, bot: str, seed: int) -> dict[str, Any]:
        played.append(seed)
        return real(setting, bot, seed)

    monkeypatch.setattr(report, "play", counted)
    monkeypatch.setattr(report, "SETTINGS", SETTINGS[2:4])
    monkeypatch.setattr("ludus.core.compilation.has_numba", lambda: False)
    out = tmp_path / "games.jsonl"
    first = reports.run("duellum", "tiro", 1, 3, out, workers=1)
    assert len(played) == 2
    out.write_text(out.read_text(encoding="utf-8") + '{"setting": 1, "se', encoding="utf-8")  # cut off
    again = reports.run("duellum", "tiro", 1, 3, out, workers=1)
    assert len(played) == 2
    assert json.loads(json.dumps(again)) == json.loads(json.dumps(first))
    assert set(again[SETTINGS[3].name][0]["first"]) <= {space.removesuffix("_ii") for space in SPACES}
    with pytest.raises(FormatError, match="another report"):
        reports.run("duellum", "miles", 1, 3, out, workers=1)


def test_the_page_is_filled_between_its_marks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    docs = tmp_path / "docs"
    (docs / "pictures").mkdir(parents=True)
    (docs / "duellum-report.md").write_text(
        (ROOT / "docs" / "duellum-report.md").read_text(encoding="utf-8"), encoding="utf-8"
    )
    monkeypatch.setattr(reports, "docs_folder", lambda: tmp_path)
    command = "ludus duellum report --bot miles --games 200 --seed 1"
    for _ in range(2):
        assert len(reports.write("duellum", found(), "miles", command)) == 2
    page = (docs / "duellum-report.md").read_text(encoding="utf-8")
    assert page.count(f"Written by `{command}`.") == 1
    assert page.count("**The reconstructed borders**") == 1
    assert page.startswith("# Antike Duellum") and figures.END in page


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(LudusError, match=r"games\.jsonl: No such file"):
        reports.run("duellum", "tiro", 1, 3, tmp_path / "nowhere" / "games.jsonl", workers=1)


def test_a_title_without_a_report_says_so() -> None:
    with pytest.raises(FormatError, match="no balance report for micatio"):
        reports.report_of("micatio")
    with pytest.raises(LudusError, match="there is no title"):
        reports.report_of("nothing")
