"""What Antike Duellum calls its places: one name each, with the preposition that it takes."""

from __future__ import annotations

import json

import pytest

from ludus.core.telling import Line, say_line
from ludus.core.words import LANGUAGES
from ludus.titles.duellum import TITLE

NAMES = ("Anna", "Bruno")


@pytest.mark.parametrize(
    ("lang", "place", "told"),
    [
        ("en", "mare_tyrrhenum", "Anna sets out from the Tyrrhenian Sea (galley)."),
        ("de", "baleares", "Anna bricht von den Balearen auf (Galeere)."),
        ("fr", "athenai", "Anna part d’Athènes (galère)."),
        ("it", "mare_aegaeum", "Anna parte dal mar Egeo (galea)."),
        ("de-la", "athenai", "Anna bricht aus Athenae auf (Galeere)."),
        ("fr-la", "mare_tyrrhenum", "Anna part de Mare Tyrrhenum (galère)."),
    ],
)
def test_places_in_sentences(lang: str, place: str, told: str) -> None:
    fields = {"seat": 0, "region": ("region", place), "unit": ("unit", "galley")}
    assert say_line(TITLE.words, lang, Line("log.send", fields), NAMES) == told


def test_every_place_of_a_map_has_a_name_in_every_language_and_in_latin() -> None:
    for path in (TITLE.folder / "web/maps").glob("*.json"):
        regions = json.loads(path.read_text(encoding="utf-8"))["regions"]
        for lang in (*LANGUAGES, "la"):
            assert not {f"label.region.{id}" for id in regions} - TITLE.words.written(lang).keys()


def test_numbers_bring_their_nouns_along() -> None:
    fields = {"seat": 1, "persons": ("count", "scholar", 2)}
    assert say_line(TITLE.words, "fr", Line("event.person", fields), NAMES) == "Bruno obtient 2 savants."
