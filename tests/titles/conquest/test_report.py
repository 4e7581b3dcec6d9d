"""The balance report of Conquest: sentences follow the figures, and one game tells what the page needs."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

from ludus.lab.reports import Variation
from ludus.titles.conquest.report import SETTINGS, Tally, markdown, picture, play, sentences


def game(homes: list[str], winner: int, end: str = "last_emperor", rounds: int = 30) -> dict[str, Any]:
    return {"homes": homes, "winner": winner, "end": end, "rounds": rounds, "decisions": 900, "alive": 1}


def found(wins: int, of: int) -> dict[str, list[dict[str, Any]]]:
    """Aegyptus wins so many games of the first setting; the others are even."""
    pair = ["aegyptus", "hispania"]
    even = [game(pair, n % 2) for n in range(of)]
    return {
        setting.name: [game(pair, 0 if n < wins else 1) for n in range(of)] if place == 0 else even
        for place, setting in enumerate(SETTINGS)
    }


def test_a_home_is_named_only_when_the_interval_says_so() -> None:
    clear = sentences({name: Tally(games) for name, games in found(70, 100).items()})
    assert clear[0] == "**2 seats**: more than its share: Aegyptus; less: Hispania."
    assert all("no home is clearly" in sentence for sentence in clear[1:])
    unclear = sentences({name: Tally(games) for name, games in found(55, 100).items()})
    assert "no home is clearly" in unclear[0]
    single = sentences({name: Tally(games) for name, games in found(1, 1).items()})
    assert all("no home is clearly" in sentence for sentence in single)


def test_the_page_and_the_picture_hold_the_figures() -> None:
    facts = found(70, 100)
    facts["3 seats"][0] = game(["aegyptus", "hispania"], -1, "capped", 200)
    page = markdown(facts, "miles")
    assert "70 % (60 to 78)" in page and "| 3 seats | 100 | 99 % (95 to 100) | 1 | 1 |" in page
    drawn = ET.fromstring(picture(facts, "miles"))
    circles = drawn.findall(".//{http://www.w3.org/2000/svg}circle")
    assert len(circles) == 2 * 5  # two homes in each of the five long settings


def test_one_game_tells_its_homes_and_its_end() -> None:
    setting = Variation("short", (("acclamation", "off"), ("max_rounds", 5)), seats=3)
    facts = play(setting, "tiro", 4)
    assert sorted(facts["homes"]) == ["aegyptus", "hispania", "macedonia"]
    assert facts["end"] in ("capped", "last_emperor") and facts["rounds"] <= 5
    assert facts["decisions"] > 10 and 1 <= facts["alive"] <= 3
