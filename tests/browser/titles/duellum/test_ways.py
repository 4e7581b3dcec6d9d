"""Marches of two turns that an analysis compares, as arrows on the map."""

from __future__ import annotations

from browser.conftest import NewPage
from browser.driving import until
from browser.staged import scene_of
from browser.titles.duellum.staged import TITLE
from browser.ways import compare_turns, missed
from ludus.core.scene import set_up

TURN = ["go duellum", "send galley massilia 1"]
NEAR = 6.0  # pixels


def test_arrows_stand_between_the_regions_of_each_march(new_page: NewPage, staged: str) -> None:
    game = set_up(scene_of("duellum", "manoeuvre"))
    for text in TURN:
        game.play(text)
    there, other = [a.text for a in game.legal() if a.text.startswith("to ")][:2]
    page = new_page()
    compare_turns(page, staged, TITLE, "manoeuvre", [*TURN, there], [[*TURN, other]])
    galley = "unit:galley@massilia"
    for kind, text in (("best", other), ("played", there)):
        way = [galley, f"region:{text.split()[1]}"]
        until(lambda: missed(page, kind, way) < NEAR, f"the arrow of what is {kind}")  # noqa: B023
