"""Beginnings: as the title says what they are, counted by seat, each with what came of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

import ludus
from ludus.analysis.beginnings import Explored, beginnings_of, in_words
from ludus.core.errors import OptionError
from ludus.core.words import LANGUAGES
from ludus.lab.exploring import explore
from samples import BARE, LARGE, PLANNED


def test_a_title_says_what_its_beginning_is() -> None:
    title = ludus.title(PLANNED)
    known = title.talk.beginning
    assert known is not None
    said = [(0, f"{known.kind} {k}") for k in range(known.count + 1)] + [(0, "other"), (1, f"{known.kind} 1")]
    first, second = beginnings_of(title, 2, said)
    assert first == tuple(text for _, text in said[: known.count])
    assert second == (), "it was over before"


def test_without_a_word_of_the_title_the_first_choice_counts() -> None:
    title = ludus.title(BARE)
    assert beginnings_of(title, 2, [(0, "place a-1"), (1, "place b-1"), (0, "place c-1")]) == [
        ("place a-1",),
        ("place b-1",),
    ]


def test_what_stands_apart_is_counted_apart() -> None:
    title, found = ludus.title(LARGE), Explored()
    said = [(0, "pass onager"), (0, "pass legat"), (1, "pass consul"), (1, "pass legat")]
    found.add(title, said, [1.0, 0.0])
    found.add(title, said, [0.0, 1.0])
    rows = found.to_json()["rows"]
    assert len(rows) == 4 and all(row["games"] == 2 and row["score"] == 50 for row in rows)


def test_bots_are_explored_the_same_for_the_same_seed_and_told_in_every_language() -> None:
    one, other = (explore(BARE, ["miles"], 4, 3).to_json() for _ in range(2))
    assert one == other and one["games"] == 4
    said: set[str] = set()
    for lang in LANGUAGES:
        told: dict[str, Any] = in_words(ludus.title(BARE), one, lang)
        assert all(row["told"] for row in told["rows"])
        said.add(json.dumps(told))
    assert len(said) == len(LANGUAGES)


def test_bots_are_explored_with_the_options_that_are_given() -> None:
    with pytest.raises(OptionError, match="nonsense"):
        explore(BARE, ["miles"], 1, 1, given={"nonsense": 1})
