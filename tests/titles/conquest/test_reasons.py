"""Captives and leaders are counted for reasons, wherever the layout keeps them."""

from __future__ import annotations

from ludus.core.reasons import changes
from ludus.core.scene import play_step, read_scene, set_up
from ludus.titles import title as title_of
from ludus.titles.conquest import TITLE


def test_captives_lost_and_won_are_told() -> None:
    scene = read_scene(TITLE.folder / "scenes" / "4.10-both-destroyed-captures.toml", title_of)
    game = set_up(scene)
    before = game.sight(1)
    for step in scene.steps:
        play_step(game, step)
    for lang, won, lost in (
        ("en", "takes 1 general captive", "costs 1 general"),
        ("fr", "capture 1 général", "coûte 1 général"),
        ("it", "cattura 1 generale", "costa 1 generale"),
        ("de", "nimmt 1 General gefangen", "kostet 1 General"),
    ):
        said = changes(TITLE, TITLE.words, lang, before, game.sight(1), 1)
        assert won in said and lost in said
