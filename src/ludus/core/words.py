"""Words: what a title says, in four languages, from one TOML file a language.

A key is a dotted path, for instance `log.stake`; a text may have fields in braces, and a number may bring
its noun along: `{points:point|points}`.  What a language does not have is said in English.

A name may stand in a form: `{region:from}` is `label.from.NAME`, or what `form.from` makes of the name,
"from {region}".  A title may have Latin names beside the four languages (`la.toml`): the language `de-la` is
German with those.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from string import Formatter
from typing import Any

from .errors import FormatError
from .process import say

LANGUAGES = ("en", "fr", "it", "de")
LATIN = "la"
TONGUES = (*LANGUAGES, *(f"{lang}-{LATIN}" for lang in LANGUAGES))  # each with Latin names, too
_ELIDES = re.compile(r"\b([Dd]|[Qq]u)e $")
_VOWELS = "AEIOUYÀÂÉÈÊÎÔaeiouyàâéèêîô"


class Named(str):
    """The name of a thing that can stand in forms: `{region:from}`."""

    forms: Callable[[str], str]

    def __new__(cls, text: str, forms: Callable[[str], str]) -> Named:
        named = super().__new__(cls, text)
        named.forms = forms
        return named

    def __format__(self, form: str) -> str:
        return self.forms(form) if form else str(self)


class Words:
    """The texts of one folder (`en.toml`, `fr.toml`, `it.toml`, `de.toml`), read when first asked.

    Only English is needed; a language without a file is said in English, and one line says so.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._read: Callable[[str], dict[str, str]] = cache(self._load)

    def _load(self, lang: str) -> dict[str, str]:
        tongue, _, latin = _known(lang).partition("-")
        if not self._path(tongue).exists() and tongue != "en":
            say(f"there is no {self._path(tongue)}, so it is said in English")
        texts = self.written("en")
        if tongue != "en":
            texts = {**without_forms(texts), **self.written(tongue)}
        if latin:
            names = self.written(LATIN)
            texts = {**without_forms(texts, _things(names)), **names}
        return {**_made_forms(texts, tongue), **texts}

    def _path(self, lang: str) -> Path:
        return self.folder / f"{lang}.toml"

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

        def read(lang: str) -> dict[str, str]:
            tongue = _known(lang)[:2]
            names = plain.get(tongue, {})
            texts = {**without_forms(self._read(lang), _things(names)), **names}
            return {**_made_forms(texts, tongue), **texts}

        added._read = cache(read)
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
        french = lang[:2] == "fr"
        singular = (0, 1) if french else (1,)
        said = [part if name is None else _field(fields, name, part, singular) for name, part in _parts(text)]
        return _elided(said) if french else "".join(said)

    def say_counted(self, lang: str, key: str, /, **fields: Any) -> list[str]:
        """Only the numbers of a text with their nouns: "3 points"."""
        singular = (0, 1) if lang[:2] == "fr" else (1,)
        parts = _parts(self._read(lang).get(key, ""))
        return [_field(fields, name, part, singular) for name, part in parts if name and "|" in part]

    def fields(self, lang: str, key: str) -> tuple[str, ...]:
        """The fields of a text, in their order."""
        return _names(self._read(lang).get(key, ""))

    def name(self, lang: str, group: str, label: str) -> str:
        """The name of a label ('card', 'forum'), or the label itself."""
        return self._read(lang).get(f"label.{group}.{label}", label.replace("_", " "))

    def named(self, lang: str, group: str, label: str) -> Named:
        """The same, for sentences that want it in a form."""
        return Named(self.name(lang, group, label), lambda form: self.name(lang, form, label))


def _known(lang: str) -> str:
    return lang if lang in TONGUES else "en"


def _things(names: Collection[str]) -> set[str]:
    """The things of which some keys are the names."""
    return {key.rpartition(".")[2] for key in names if key.startswith("label.")}


def without_forms(texts: Mapping[str, str], things: Collection[str] | None = None) -> dict[str, str]:
    """Texts without the names (of some things) in forms, where `form.FORM` makes them of any name."""
    forms = {key.removeprefix("form.") for key in texts if key.startswith("form.")}

    def is_form(key: str) -> bool:
        kind, _, rest = key.partition(".")
        form, _, thing = rest.partition(".")
        return kind == "label" and form in forms and (things is None or thing in things)

    return {key: text for key, text in texts.items() if not is_form(key)}


def _made_forms(texts: Mapping[str, str], lang: str) -> dict[str, str]:
    """What `form.FORM` makes of every name of its group: "from {region}"."""
    made: dict[str, str] = {}
    for key, template in texts.items():
        form = key.removeprefix("form.")
        if form != key:
            parts = _parts(template)
            group = next(name for name, _ in parts if name is not None)
            for known, name in texts.items():
                if known.startswith(f"label.{group}."):
                    said = [part if field is None else name for field, part in parts]
                    thing = known.rpartition(".")[2]
                    made[f"label.{form}.{thing}"] = _elided(said) if lang == "fr" else "".join(said)
    return made


def _elided(said: list[str]) -> str:
    """French: "de" and "que" lose their vowel before another one."""
    for k, part in enumerate(said[1:]):
        if part[:1] and part[0] in _VOWELS:
            said[k] = _ELIDES.sub(r"\1’", said[k])
    return "".join(said)


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


@lru_cache(8192)
def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name, _ in _parts(text) if name is not None)


def _field(fields: Mapping[str, Any], name: str, spec: str, singular: Collection[int] = (1,)) -> str:
    """A number with its noun, `{points:point|points}`, says "1 point" and "3 points" (and in French
    "0 point"); a field that nobody fills stays as it is written."""
    if name not in fields:
        return "{" + name + (f":{spec}" if spec else "") + "}"
    value = fields[name]
    one, bar, many = spec.partition("|")
    if bar:
        return f"{value} {one if value in singular else many}"
    return value if isinstance(value, str) and not isinstance(value, Named) else format(value, spec)


def _flat(tree: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    for key, value in tree.items():
        path = f"{above}{key}"
        if isinstance(value, Mapping):
            yield from _flat(value, f"{path}.")
        else:
            yield path, str(value)
