"""Nothing is said in code: choices, refusals and the story of games of every title, in every language."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from conftest import all_titles
from ludus.core.chance import SPECTATOR
from ludus.core.game import Game
from ludus.core.telling import say_choice, say_line, tell
from ludus.core.title import Title
from ludus.core.words import LANGUAGES, Words

TITLES = pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)
NAMES = ("Anna", "Bruno", "Carla", "Dario", "Elena", "Franz")
LONG_ENOUGH = 400  # actions; the longest games go on much the same
REFUSED = 20  # codes that are tried at each decision and are not legal
# A field that nobody filled, a name that has no word, and a key that has no text.
CODE = re.compile(r"[{}_]|\b(action|log|log_hidden|event|joined|because|label|count|said)\.\w")
NOUN = re.compile(r"\{\w+:([^{}|]*)\|([^{}|]*)\}")


def ones_in_the_plural(words: Words, lang: str) -> re.Pattern[str]:
    """ "1 points", with all nouns that the words have in two numbers."""
    nouns = {pair for key in words.keys(lang) for pair in NOUN.findall(words.say(lang, key))}
    ones = {one for one, _ in nouns}
    many = sorted(re.escape(many) for _, many in nouns if many not in ones)
    return re.compile(rf"\b(?<![-–,.×])1 (?:{'|'.join(many) or '(?!)'})\b")


def some_refused(game: Game[Any, Any], rng: random.Random) -> Iterator[int]:
    size, legal = game.title.codes.size, set(game.legal_codes())
    for code in (rng.randrange(size) for _ in range(REFUSED)):
        if code not in legal:
            yield code


def what_is_said(game: Game[Any, Any], lang: str, refused: list[int]) -> Iterator[str]:
    """What a seat is offered, and why it cannot do something else."""
    sight, talk = game.sight(game.to_move), game.title.talk
    for code in game.legal_codes():
        yield say_choice(game, lang, code, sight, NAMES)
    for code in refused:
        rule, line = talk.why_not(sight, code), talk.because(sight, code)
        yield game.words.say(lang, f"rule.{rule}") if rule else ""
        yield say_line(game.words, lang, line, NAMES) if line else ""


@TITLES
@pytest.mark.parametrize("seed", range(4))
def test_nothing_is_said_in_code(title: Title[Any, Any], seed: int) -> None:
    game = title.new(seed=seed, **{**title.simulation, **title.bench})
    rng, said = random.Random(seed), {lang: set[str]() for lang in LANGUAGES}
    while not game.over and len(game.line) < LONG_ENOUGH:
        refused = list(some_refused(game, rng))
        for lang, texts in said.items():
            texts.update(what_is_said(game, lang, refused))
        game.play(rng.choice(game.legal()))
    for lang, texts in said.items():
        for eye in (0, SPECTATOR):
            texts.update(tell(game, eye, lang, NAMES))
        plural = ones_in_the_plural(game.words, lang)
        wrong = [text for text in texts if CODE.search(text) or plural.search(text)]
        assert not wrong, (lang, wrong[:10])
    assert len(said["en"]) > 10 and said["en"] != said["de"]


@TITLES
def test_a_choice_says_what_is_done_not_only_with_what(title: Title[Any, Any]) -> None:
    """Hints make sentences of choices: "You could: place Forum face down on 3"."""
    for key, said in title.words.written("en").items():
        if key.startswith(("action.", "said.")):
            assert not re.match(r"\{\w+\}|the ", said), f"{key} has no verb: {said}"
