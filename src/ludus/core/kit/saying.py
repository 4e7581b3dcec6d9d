"""What a title says, looked at without playing: its words in all languages, and the names of things."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from string import Formatter
from typing import Any

from ..errors import LudusError
from ..title import Title
from ..words import LANGUAGES, without_forms

SHARED_WORDS = 3  # so many may be the same in two languages: names, "Forum", "Legion IV"


def faulty_words(title: Title[Any, Any]) -> list[str]:
    """What is wrong with words and names, one sentence each."""
    try:
        title.check_words()
        texts = {lang: without_forms(title.words.written(lang)) for lang in LANGUAGES}
    except LudusError as error:
        return [str(error)]
    texts = {lang: found for lang, found in texts.items() if found}  # the others are said in English
    return [
        *_keys(texts),
        *_fields(texts),
        *_copies(texts),
        *_nothing_of(title, texts["en"]),
        *_unused(title),
    ]


def _keys(texts: dict[str, dict[str, str]]) -> Iterator[str]:
    """All languages have the same keys."""
    for lang, found in texts.items():
        if missing := sorted(texts["en"].keys() - found.keys()):
            yield f"words/{lang}.toml lacks what words/en.toml has: {', '.join(missing[:10])}"
        if more := sorted(found.keys() - texts["en"].keys()):
            yield f"words/{lang}.toml has what words/en.toml lacks: {', '.join(more[:10])}"


def _fields(texts: dict[str, dict[str, str]]) -> Iterator[str]:
    """The same key has the same fields in braces in all languages."""
    for key, text in texts["en"].items():
        wanted = _braced(text)
        for lang, found in texts.items():
            if key in found and _braced(found[key]) != wanted:
                yield f"words/{lang}.toml: {key} has other fields than words/en.toml: {found[key]!r:.80}"


def _braced(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def _copies(texts: dict[str, dict[str, str]]) -> Iterator[str]:
    """Each language is written for itself."""
    for one, other in combinations(texts, 2):
        shared = [key for key, text in texts[one].items() if _is_copy(text, texts[other].get(key, ""))]
        if shared:
            yield f"words/{other}.toml says the same as words/{one}.toml: {', '.join(shared[:10])}"


def _is_copy(first: str, second: str) -> bool:
    return first == second and len(re.findall(r"[^\W\d_]+", re.sub(r"{.*?}", "", first))) > SHARED_WORDS


def _nothing_of(title: Title[Any, Any], english: dict[str, str]) -> Iterator[str]:
    """Words for a kind of action that the title does not have are misspelt, or left over."""
    for key in english:
        group, _, kind = key.partition(".")
        if group == "action" and kind.partition(".")[0] not in title.codes.kinds:
            kinds = list(title.codes.kinds)
            known = ", ".join([*kinds[:12], "..."] if len(kinds) > 12 else kinds)
            yield f"words/en.toml: no action is of the kind of {key}; there are: {known}"


def _unused(title: Title[Any, Any]) -> Iterator[str]:
    """Names that no field and no argument is called by are misspelt, or left over."""
    fields = [*title.position.fields, *title.box.fields]
    used = {group for f in fields for group in (f.holds, *f.axes)}
    used |= {arg.labels for kind in title.codes.kinds.values() for arg in kind.args}
    for group in sorted(title.labels(title.box_for()).keys() - used):
        yield f"the names of {group!r} are used by no field and no argument of a code"
