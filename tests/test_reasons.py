"""Why a choice is good, in words: what it changes, and what would be lost without it."""

from __future__ import annotations

import pytest

import ludus
from ludus.core.reasons import GAME, Change, Course, savings, spared
from ludus.core.words import LANGUAGES
from ludus.titles import title_names
from samples import BARE


def course(turn: Change, whole: Change) -> Course:
    return Course(turn, whole)


@pytest.mark.parametrize(
    ("without", "chosen", "found"),
    [
        (({"gold": [-1, 0]}, {"gold": [-1, 0]}), ({"gold": [0, 0]}, {"gold": [0, 0]}), {"gold.saved": 1}),
        # Spent before it could be taken: nothing is saved.
        (({"gold": [-2, 0]}, {"gold": [-2, 0]}), ({"gold": [0, 0]}, {"gold": [-2, 0]}), {}),
        # Won besides, and as much is taken as before: a gain, not a rescue.
        (({"gold": [-1, 0]}, {"gold": [-1, 0]}), ({"gold": [-1, 0]}, {"gold": [1, 0]}), {}),
        (({"game": [0, 1]}, {"game": [0, 1]}), ({"game": [0, 0]}, {"game": [0, 0]}), {"game.denied": 1}),
    ],
)
def test_saved_is_what_the_others_take_only_without_it(
    without: tuple[Change, Change], chosen: tuple[Change, Change], found: dict[str, int]
) -> None:
    assert spared(course(*without), course(*chosen), 0) == found


def test_what_is_saved_in_most_tries_is_told() -> None:
    words = ludus.title(BARE).words
    once, always = {"game.denied": 1}, {"game.denied": 1}
    assert savings(words, "en", [once, {}, {}]) == []
    assert savings(words, "en", [once, {}]) == [], "one of two may be luck"
    assert savings(words, "en", [always, {}, always]) == ["keeps the other side from winning"]
    assert savings(words, "en", [{"stones.saved": 2}] * 3) == [], "what the title has no word for"


@pytest.mark.parametrize("name", title_names())
def test_words_of_reasons_speak_of_what_is_counted(name: str) -> None:
    """Every key names a field of seats or what the title counts, and how it changes, in every language."""
    title = ludus.title(name)
    counted = {f.name for f in title.position.fields if f.axes and f.axes[0] == "seat"}
    counted |= {GAME}
    counted |= set(title.talk.tally(title.new(seed=1).sight(0)))
    ways = {"more", "less", "theirs_more", "theirs_less", "saved", "denied"}
    keys = [key for key in title.words.keys("en") if key.startswith("why.")]
    assert keys, "no reason is ever told"
    for key in keys:
        what, _, way = key.removeprefix("why.").rpartition(".")
        assert what in counted and way in ways, key
    for key in (key for key in title.words.keys("en") if key.startswith("harm.")):
        assert key.replace("harm.", "why.") in keys, f"{key} is of nothing that is told"
        assert all(title.words.say(lang, key, n=2) for lang in LANGUAGES)
