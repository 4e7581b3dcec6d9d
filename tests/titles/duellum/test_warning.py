"""Antike Duellum: who ends a turn is warned of a city with a temple that the other side could take."""

from __future__ import annotations

from dataclasses import replace

import ludus
from ludus.core.telling import say_line
from ludus.titles.duellum.gestures import warning
from ludus.titles.duellum.layout import POSITION


def test_a_temple_within_reach_of_a_stronger_army_is_warned_of_in_every_language() -> None:
    game = ludus.title("duellum").new(seed=1)
    seen = game.sight(game.to_move)
    p, s = game.to_move, POSITION.copy(seen.s)
    city = next(r for r in range(seen.box.regions) if s.owner[r] == p + 1)
    sight = replace(seen, s=s)
    s.temple[city] = 1
    assert warning(sight) is None, "nobody is near"
    s.army[1 - p][0][city] = 9
    line = warning(sight)
    assert line is not None and line.fields["number"] >= 9 > line.fields["strength"] >= 3
    said = {say_line(game.words, lang, line, []) for lang in ("en", "fr", "it", "de")}
    assert len(said) == 4 and not any("{" in text for text in said)
    s.temple[city] = 0
    assert warning(sight) is None, "one city of several can be risked"


def test_the_last_city_is_warned_of_unless_it_cannot_be_conquered() -> None:
    for rule, warned in (("open", True), ("protected", False)):
        game = ludus.title("duellum").new(seed=1, last_city=rule)
        seen = game.sight(game.to_move)
        p, s = game.to_move, POSITION.copy(seen.s)
        cities = [r for r in range(seen.box.regions) if s.owner[r] == p + 1]
        for r in cities[1:]:
            s.owner[r] = 0
        s.cities[p], s.army[1 - p][0][cities[0]] = 1, 9
        assert (warning(replace(seen, s=s)) is not None) == warned, rule
