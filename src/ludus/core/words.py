"""Words: what a title says, in four languages, from one TOML file a language.

A key is a dotted path, for instance `log.stake`; a text may have fields in braces, and a number may bring
its noun along: `{points:point|points}`.  What a language does not have is said in English.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from string import Formatter
from typing import Any

from .errors import FormatError
from .process import say

LANGUAGES = ("en", "fr", "it", "de")


class Words:
    """The texts of one folder (`en.toml`, `fr.toml`, `it.toml`, `de.toml`), read when first asked.

    Only English is needed; a language without a file is said in English, and one line says so.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._read: Callable[[str], dict[str, str]] = cache(self._load)

    def _load(self, lang: str) -> dict[str, str]:
        if _known(lang) == "en":
            return self.written("en")
        if not self._path(lang).exists():
            say(f"there is no {self._path(lang)}, so it is said in English")
        return {**self._read("en"), **self.written(lang)}

    def _path(self, lang: str) -> Path:
        return self.folder / f"{_known(lang)}.toml"

    def written(self, lang: str) -> dict[str, str]:
        """The texts that the file of a language has itself; FormatError where it cannot be read."""
        path = self._path(lang)
        try:
            with path.open("rb") as file:
                return dict(_flat(tomllib.load(file)))
        except FileNotFoundError:
            if path.name == "en.toml":
                raise FormatError("every title has words in English", source=str(path)) from None
            return {}
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise FormatError(str(error), source=str(path)) from None

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
        """Everything that can be said in a language, if need be in English."""
        return frozenset(self._read(lang))

    def has(self, key: str) -> bool:
        return key in self._read("en")

    def say(self, lang: str, key: str, /, **fields: Any) -> str:
        """The text of a key in a language; the key itself where the words have none."""
        text = self._read(lang).get(key)
        if text is None:
            return key
        return "".join([part if name is None else _field(fields, name, part) for name, part in _parts(text)])

    def name(self, lang: str, group: str, label: str) -> str:
        """The name of a label ('card', 'forum'), or the label itself."""
        return self._read(lang).get(f"label.{group}.{label}", label.replace("_", " "))


def _known(lang: str) -> str:
    return lang if lang in LANGUAGES else "en"


def _as_it_stands(key: str, text: str) -> str:
    """Names are shown as they are anyway; in a sentence braces would be fields."""
    return text if key.startswith("label.") else text.replace("{", "{{").replace("}", "}}")


@lru_cache(8192)
def _parts(text: str) -> tuple[tuple[str | None, str], ...]:
    """A text taken apart once: (None, literal) and (field, what stands behind its colon)."""
    found: list[tuple[str | None, str]] = []
    for literal, name, spec, _ in Formatter().parse(text):
        if literal:
            found.append((None, literal))
        if name is not None:
            found.append((name, spec or ""))
    return tuple(found)


def _field(fields: Mapping[str, Any], name: str, spec: str) -> str:
    """A number with its noun, `{points:point|points}`, says "1 point" and "3 points"; a field that nobody
    fills stays as it is written."""
    if name not in fields:
        return "{" + name + "}"
    value = fields[name]
    one, bar, many = spec.partition("|")
    return f"{value} {one if value == 1 else many}" if bar else format(value, spec)


def _flat(tree: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    for key, value in tree.items():
        path = f"{above}{key}"
        if isinstance(value, Mapping):
            yield from _flat(value, f"{path}.")
        else:
            yield path, str(value)
