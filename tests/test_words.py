"""Words: complete in four languages, and really four languages."""

from __future__ import annotations

import re
import string
from itertools import combinations
from typing import Any

import pytest

from conftest import all_titles
from ludus.core import contract
from ludus.core.title import Title
from ludus.core.words import LANGUAGES

TITLES = pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@TITLES
def test_no_key_is_missing_in_any_language(title: Title[Any, Any]) -> None:
    wanted = set(title.words.written("en"))
    for lang in LANGUAGES:
        found = set(title.words.written(lang))
        assert found == wanted, f"{lang}: {sorted(found ^ wanted)[:10]}"


@TITLES
def test_every_language_fills_the_same_fields(title: Title[Any, Any]) -> None:
    for key in title.words.keys("en"):
        wanted = fields(title.words.say("en", key))
        for lang in LANGUAGES:
            assert fields(title.words.say(lang, key)) == wanted, f"{lang} {key}"


@TITLES
def test_no_two_languages_share_a_sentence_of_more_than_three_words(title: Title[Any, Any]) -> None:
    for key in title.words.keys("en"):
        for one, other in combinations(LANGUAGES, 2):
            first, second = title.words.say(one, key), title.words.say(other, key)
            if first == second:
                assert len(re.findall(r"[^\W\d_]+", re.sub(r"{.*?}", "", first))) <= 3, f"{one}={other} {key}"


@TITLES
def test_everything_that_can_be_said_has_words(title: Title[Any, Any]) -> None:
    has = title.words.has
    wanted = ["name", "blurb", *(["chance"] if title.rules.odds is not contract.odds else [])]
    for kind in title.codes.kinds:
        wanted += [f"action.{kind}", f"log.{kind}"]
    for option in title.options:
        wanted += [f"option.{option.name}.name", f"option.{option.name}.help"]
    assert [key for key in wanted if not has(key)] == []
