"""Words, with the names that somebody's own data file gives its cards and regions."""

from __future__ import annotations

from typing import Any

from ludus.core.words import LANGUAGES, Words

from .data import own_names, own_text


class OwnWords(Words):
    """Our words first; a label that they do not know may stand in a data file."""

    def name(self, lang: str, group: str, label: str) -> str:
        lang = lang if lang in LANGUAGES else "en"
        known = f"label.{group}.{label}" in self.keys(lang)
        return (not known and own_names(group, label, lang)) or super().name(lang, group, label)

    def say(self, lang: str, key: str, /, **fields: Any) -> str:
        text = super().say(lang, key, **fields)
        if text == key and key.startswith("effect."):
            return own_text(key.removeprefix("effect."), lang if lang in LANGUAGES else "en") or key
        return text
