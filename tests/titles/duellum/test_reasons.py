"""Temples, walls and leaders are counted for reasons, although the layout keeps them by region."""

from __future__ import annotations

from ludus.core.reasons import changes
from ludus.core.scene import play_step, read_scene, set_up
from ludus.titles import title as title_of
from ludus.titles.duellum import TITLE


def test_a_city_that_falls_is_told_with_its_temple_and_wall() -> None:
    scene = read_scene(TITLE.folder / "scenes" / "EX-ainos-and-abydos.toml", title_of)
    game = set_up(scene)
    before = game.sight(0)
    for step in scene.steps[:5]:
        play_step(game, step)
    lost = changes(TITLE, TITLE.words, "en", before, game.sight(0), 0)
    assert {"costs 1 city", "costs 1 temple", "costs 1 wall"} <= set(lost)
    won = changes(TITLE, TITLE.words, "de", before, game.sight(0), 1, gains=True)
    assert {"zerstört 1 Tempel des Gegners", "reißt 1 Mauer des Gegners ein"} <= set(won)
