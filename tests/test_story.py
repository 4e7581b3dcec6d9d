"""The story of a record: the same for every screen, grown entry by entry, and true after taking back."""

from __future__ import annotations

import random
from typing import Any

import pytest

import ludus
from conftest import all_titles
from finished import take_back
from ludus.core.chance import SPECTATOR
from ludus.core.telling import tell
from ludus.core.title import Title
from ludus.match.entries import HOUSE, back_to, standing_after
from ludus.match.match import Match
from ludus.match.story import Story
from samples import LARGE

TITLES = pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)


def play_on(match: Match, rng: random.Random, back: float = 0.4) -> None:
    match.play(match.game.to_move, [rng.choice(match.game.legal()).text])
    if rng.random() < back:
        take_back(match, rng)


@TITLES
def test_what_stands_is_told_as_if_nothing_had_been_taken_back(title: Title[Any, Any]) -> None:
    rng, match = random.Random(2), Match.simulated(title, 2)
    stories = {eye: Story(match, eye, "de") for eye in (0, SPECTATOR)}
    for _ in range(40):
        if match.over:
            break
        play_on(match, rng)
        for eye, story in stories.items():
            assert story.sentences() == tell(match.game, eye, "de", match.names)
    assert any(back_to(entry) is not None for entry in match.entries)


@TITLES
def test_rows_say_whether_they_stand(title: Title[Any, Any]) -> None:
    rng, match = random.Random(3), Match.simulated(title, 3)
    grown = Story(match, 0, "en", views=True)
    for _ in range(30):
        if match.over:
            break
        play_on(match, rng)
        grown.grow()
    at_once = Story(match, 0, "en", views=True)
    at_once.grow()
    rows = grown.rows()
    assert rows == at_once.rows(), "the same, told entry by entry or all at once"
    assert [row.number for row in rows if row.stands and row.who != HOUSE] == match.standing
    assert standing_after(match.entries) == match.standing
    assert all(row.stands for row in rows if row.who == HOUSE)
    assert [f"undo {row.text.split()[1]} {row.back_to}" for row in rows if row.back_to is not None] == [
        row.text for row in rows if row.text.startswith("undo ") and row.who == HOUSE
    ]
    assert rows[-1].view == match.game.view(0)


def test_a_throw_that_is_cut_by_taking_back_is_told_whole() -> None:
    """The last die is taken back: the record tells both throws, what stands is told as one."""
    match, rng = Match.simulated(ludus.title(LARGE), 1, names=["Anna", "Bruno"]), random.Random(1)
    while [entry.text.split()[0] for entry in match.entries[-2:]] != ["roll", "roll"]:
        play_on(match, rng, back=0.0)
    last = len(match.entries)
    match.propose(0, "undo", last - 1)
    match.vote(1, True, last + 1)
    story = Story(match, SPECTATOR, "en")
    assert story.sentences() == tell(match.game, SPECTATOR, "en", match.names)
    told = {row.number: row for row in story.rows()}
    assert told[last].sentences and not told[last].stands, "what was taken back keeps its sentence"
    assert not told[last - 1].sentences and told[last - 1].stands, "it is told with the last of the throw"
    again = len(match.entries)
    assert told[again].stands and told[again].sentences != told[last].sentences


def test_what_somebody_did_keeps_the_name_when_a_bot_takes_the_seat(sample: Title[Any, Any]) -> None:
    match = Match.simulated(sample, 1, names=["Anna", "Bruno"])
    match.play(0, ["stake 2", "show 1"])
    assert match.game.to_move == 0
    grown = Story(match, 1, "en", views=True)
    grown.grow()
    before = grown.rows()
    match.leave(0)
    match.take_over(0, "Miles")
    match.play(0, ["guess 3"])
    grown.grow()
    at_once = Story(match, 1, "en", views=True)
    at_once.grow()
    rows = at_once.rows()
    assert rows == grown.rows() and rows[: len(before)] == before
    assert "Anna" in " ".join(sentence for row in before for sentence in row.sentences)
    assert {row.name for row in rows[: len(before) + 2] if row.turn[0] == 0 or row.who == HOUSE} == {"Anna"}
    said = [sentence for row in rows[len(before) + 2 :] for sentence in row.sentences]
    assert any("Miles" in sentence for sentence in said) and not any("Anna" in one for one in said)
    later = Story(match, 1, "en", since=len(before) + 2, views=True)
    later.grow()
    assert later.rows() == rows[len(before) + 2 :]


def test_news_begin_after_an_entry(sample: Title[Any, Any]) -> None:
    match = Match.simulated(sample, 1, names=["Anna", "Bruno"])
    match.play(0, ["stake 2", "show 1"])
    story = Story(match, 1, "en")
    assert len(story.sentences()) == 2 and story.sentences(1) == story.sentences()[1:]
    match.undo(0, 1)
    assert len(story.sentences()) == 1 and not story.sentences(1)


@TITLES
def test_rows_say_in_whose_turn_they_happened_and_which_lines_are_headings_and_news(
    title: Title[Any, Any],
) -> None:
    """Rounds go up; what is a heading or news is among the sentences."""
    rng, match = random.Random(4), Match.simulated(title, 4)
    for _ in range(60):
        if not match.over:
            play_on(match, rng, back=0.0)
    story = Story(match, SPECTATOR, "en")
    story.grow()
    rows = story.rows()
    for row in rows:
        assert -2 <= row.turn[0] < match.game.seats and row.turn[1] >= 0
        assert set(row.news) <= set(row.sentences) and row.heading in ("", *row.sentences)
    rounds = [row.turn[1] for row in rows if row.turn[1]]
    assert rounds == sorted(rounds)
    assert all(key.split(".")[0] in ("log", "event", "log_hidden") for key in title.talk.news)
    assert all(title.words.has(key) for key in title.talk.news), "a digest tells what can be said"
