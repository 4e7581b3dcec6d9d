"""Words: complete in four languages, and really four languages."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import all_titles
from ludus.core import contract
from ludus.core.kit.saying import faulty_words
from ludus.core.title import Title
from ludus.core.words import LANGUAGES

TITLES = pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)


@TITLES
def test_all_languages_have_the_same_keys_and_fields_and_are_no_copies(title: Title[Any, Any]) -> None:
    assert faulty_words(title) == []
    assert all(title.words.written(lang) for lang in LANGUAGES)


@TITLES
def test_everything_that_can_be_said_has_words(title: Title[Any, Any]) -> None:
    has = title.words.has
    wanted = ["name", "blurb", *(["chance"] if title.rules.odds is not contract.odds else [])]
    for kind in title.codes.kinds:
        wanted += [f"action.{kind}", f"log.{kind}"]
    for option in title.options:
        wanted += [f"option.{option.name}.name", f"option.{option.name}.help"]
    assert [key for key in wanted if not has(key)] == []
