"""Words: complete in four languages, and really four languages."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import ludus
from conftest import all_titles
from ludus.core import contract
from ludus.core.kit.saying import faulty_words
from ludus.core.title import Title
from ludus.core.words import LANGUAGES, Words
from ludus.web import STATIC
from samples import PLANNED

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
        wanted += [f"option.{option.name}.value.{v}" for v in option.values if isinstance(v, str)]
        games = [v for v in option.values if option.games and v != option.default]
        wanted += [f"option.{option.name}.blurb.{v}" for v in games]
    assert [key for key in wanted if not has(key)] == []


@TITLES
def test_no_bot_is_called_like_what_it_does(title: Title[Any, Any]) -> None:
    """ "Recruit recruits three legions" is said of a bot."""
    for lang in LANGUAGES:
        client = json.loads((STATIC / f"words/{lang}.json").read_text(encoding="utf-8"))
        bots = [text for key, text in client.items() if key.startswith("bot.") and key.count(".") == 1]
        for key in title.words.keys(lang):
            said = title.words.say(lang, key)
            if key.startswith(("log.", "event.")) and said.startswith("{seat} "):
                verb = said.split()[1].casefold()
                assert not [name for name in bots if verb.startswith(name.casefold()[:5])], said


def test_what_a_client_fills_in_keeps_its_nouns(tmp_path: Path) -> None:
    """A number brings its noun along; where nobody fills it, all of it stays for whoever will."""
    (tmp_path / "en.toml").write_text('points = "{n:point|points} for {who}"', encoding="utf-8")
    words = Words(tmp_path)
    assert words.say("en", "points", n=1, who="Anna") == "1 point for Anna"
    assert words.say("en", "points") == "{n:point|points} for {who}"
    (tmp_path / "fr.toml").write_text('points = "{n:point|points}"', encoding="utf-8")
    french = Words(tmp_path)
    assert [french.say("fr", "points", n=n) for n in (0, 1, 2)] == ["0 point", "1 point", "2 points"]
    assert french.say("en", "points", n=0, who="you") == "0 points for you"


def test_a_name_stands_in_a_form_and_in_latin(tmp_path: Path) -> None:
    texts = {
        "en": 'go = "{seat} comes {place:from}"\nform.from = "from {place}"\n'
        'label.from.alps = "from the Alps"\nlabel.place = { rome = "Rome", alps = "Alps" }',
        "fr": 'go = "{seat} vient {place:from}"\nof = "le tour de {seat}"\nform.from = "de {place}"\n'
        'label.place = { rome = "Rome", alps = "Alpes", athens = "Athènes" }',
        "la": 'label.place = { rome = "Veii", alps = "Alpes" }',
    }
    for lang, text in texts.items():
        (tmp_path / f"{lang}.toml").write_text(text, encoding="utf-8")
    words = Words(tmp_path)

    def said(lang: str, place: str) -> str:
        return words.say(lang, "go", seat="Anna", place=words.named(lang, "place", place))

    assert [said("en", "rome"), said("en", "alps")] == ["Anna comes from Rome", "Anna comes from the Alps"]
    assert [said("en-la", "rome"), said("en-la", "alps")] == [
        "Anna comes from Veii",
        "Anna comes from Alpes",
    ]
    assert said("fr", "athens") == "Anna vient d’Athènes"
    assert said("fr-la", "rome") == "Anna vient de Veii"
    assert words.say("fr", "of", seat="Octave") == "le tour d’Octave"
    assert words.say("en", "go", seat="Anna", place="…") == "Anna comes …", "a field that is left open"
    words = words.with_more({"en": {"label.place.alps": "Hills"}})
    assert said("en", "alps") == "Anna comes from Hills"


def test_a_match_is_called_by_the_game_that_its_options_make_of_it() -> None:
    title = ludus.title(PLANNED)
    option = next(o for o in title.options if o.games)
    other, say = option.values[1], title.words.say
    assert title.called("en", {}) == title.called("en", {option.name: option.default}) == say("en", "name")
    assert title.called("de", {option.name: other}) == say("de", f"option.{option.name}.value.{other}")


# How somebody is not addressed, and what a bot is not called, in each language.
STRANGE = {
    "fr": r"(?i)\b(tu|toi|tes|robots?)\b",
    "it": r"(?i)\b(lei può|voi|robot)\b",
    "de": r"\b(Ihnen|Roboter)\b",
}


@pytest.mark.parametrize("lang", STRANGE)
def test_everybody_is_addressed_in_one_way(lang: str) -> None:
    client = json.loads((STATIC / f"words/{lang}.json").read_text(encoding="utf-8"))
    said = {f"client {key}": text for key, text in client.items()}
    for title in all_titles():
        said |= {f"{title.name} {key}": title.words.say(lang, key) for key in title.words.keys(lang)}
    assert [key for key, text in said.items() if re.search(STRANGE[lang], text)] == []
