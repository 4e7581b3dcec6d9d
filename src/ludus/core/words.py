"""Words: what a title says, in four languages, from one TOML file a language.

A key is a dotted path, for instance `log.stake`; a text may have fields in braces, and a number may bring
its noun along: `{points:point|points}`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

LANGUAGES = ("en", "fr", "it", "de")


class Words:
    """The texts of one folder (`en.toml`, `fr.toml`, `it.toml`, `de.toml`), read when first asked."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._read: Callable[[str], dict[str, str]] = cache(self._load)

    def _load(self, lang: str) -> dict[str, str]:
        path = self.folder / f"{_known(lang)}.toml"
        with path.open("rb") as file:
            return dict(_flat(tomllib.load(file)))

    def with_more(self, more: Mapping[str, Mapping[str, str]]) -> Words:
        """These words and some texts besides, by language and key, which hold as they stand."""
        added = Words(self.folder)
        plain = {
            lang: {key: _as_it_stands(key, text) for key, text in texts.items()}
            for lang, texts in more.items()
        }
        added._read = cache(lambda lang: {**self._read(lang), **plain.get(_known(lang), {})})
        return added

    def keys(self, lang: str) -> frozenset[str]:
        return frozenset(self._read(lang))

    def has(self, key: str) -> bool:
        return key in self._read("en")

    def say(self, lang: str, key: str, /, **fields: Any) -> str:
        """The text of a key in a language; the key itself where the words have none."""
        text = self._read(lang).get(key)
        if text is None:
            return key
        return _VOICE.vformat(text, (), _Fields(fields))

    def name(self, lang: str, group: str, label: str) -> str:
        """The name of a label ('card', 'forum'), or the label itself."""
        return self._read(lang).get(f"label.{group}.{label}", label.replace("_", " "))


def _known(lang: str) -> str:
    return lang if lang in LANGUAGES else "en"


def _as_it_stands(key: str, text: str) -> str:
    """Names are shown as they are anyway; in a sentence braces would be fields."""
    return text if key.startswith("label.") else text.replace("{", "{{").replace("}", "}}")


class _Voice(Formatter):
    """Numbers with their noun: `{points:point|points}` says "1 point" and "3 points"."""

    def format_field(self, value: Any, format_spec: str) -> Any:
        one, bar, many = format_spec.partition("|")
        if not bar:
            return super().format_field(value, format_spec)
        return f"{value} {one if value == 1 else many}"


_VOICE = _Voice()


class _Fields(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return "{" + key + "}"


def _flat(tree: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    for key, value in tree.items():
        path = f"{above}{key}"
        if isinstance(value, Mapping):
            yield from _flat(value, f"{path}.")
        else:
            yield path, str(value)
