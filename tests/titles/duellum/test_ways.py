"""Where turns of Duellum are touched on the board, for the arrows of an analysis."""

from __future__ import annotations

from browser.staged import scene_of
from browser.titles.duellum.staged import TITLE
from ludus.analysis.telling import Teller
from whole_turns import compared, staged_match


def test_units_are_told_from_where_they_stand_to_every_region_they_go_to() -> None:
    match = staged_match(TITLE, "manoeuvre", dict(scene_of("duellum", "manoeuvre").options))
    turn = ["go duellum", "send galley massilia 1"]
    for text in turn:
        match.play(0, [text])
    there = match.game.legal()[0].text
    other = next(a.text for a in match.game.legal() if a.text.startswith("to ") and a.text != there)
    match.play(0, [there])
    turns = [[*turn, other], [*turn, there]]
    teller = Teller(compared(match, match.standing[0], 0, turns), match, "en")
    (row,) = teller.found["rows"]
    for text, ways in zip((other, there), teller.step(row)["ways"], strict=True):
        region = text.split()[1]
        assert ways[:2] == [["space:duellum"], ["unit:galley@massilia", f"region:{region}"]]
