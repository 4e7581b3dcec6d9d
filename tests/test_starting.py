"""Positions that games begin from: texts that read back, invariants with their field, and nothing trusted."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

import ludus
from conftest import all_titles
from ludus.core.chance import CHANCE, Seeded
from ludus.core.errors import FormatError
from ludus.core.game import Game
from ludus.core.starting import MAX_CHARS, BadPosition, checked_start, read_start, redealt, write_start
from ludus.core.title import Title
from ludus.match.file import read_match, save_match, verify, write_match
from ludus.match.match import Match, read_setting
from ludus.match.moments import packed_positions
from samples import LARGE, SMALL


def played(title: Title[Any, Any], seed: int, plies: int) -> Game[Any, Any]:
    rng = random.Random(seed)
    game = title.new(seed=seed)
    for _ in range(plies):
        if game.over:
            break
        game.play(rng.choice(game.legal()))
    return game


@pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)
def test_every_position_of_play_is_one_to_begin_from(title: Title[Any, Any]) -> None:
    for plies in (0, 3, 9, 31):
        game = played(title, plies, plies)
        if game.over:
            continue
        text = write_start(title, game.box, game.position)
        assert checked_start(title, game.box, text) == text
        assert title.position.equal(read_start(title, game.box, text), game.position)


@pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)
def test_a_match_from_a_position_reads_back_and_proves_its_dice(title: Title[Any, Any]) -> None:
    game = next(game for seed in range(5, 99) if not (game := played(title, seed, 12)).over)
    start = write_start(title, game.box, game.position)
    setting = read_setting(title, game.seats, {}, (), start=start)
    match = Match.fair(setting, "from-here", b"k" * 16, [bytes([p] * 16) for p in range(game.seats)])
    rng = random.Random(2)
    for _ in range(12):
        if match.over:
            break
        match.play(match.game.to_move, [rng.choice(match.game.legal()).text])
    text = save_match(match)
    file = read_match(text, ludus.title)
    assert file.match is not None and file.match.game.hash() == match.game.hash()
    assert save_match(file.match) == text
    assert verify(file).good
    for seat in range(game.seats):
        assert match.over or start not in write_match(match, seat)  # hands may lie in it


def test_a_record_that_was_taken_back_begins_again_where_it_began() -> None:
    title = ludus.title(LARGE)
    game = played(title, 3, 12)
    while not (game.to_move >= 0 and len(game.legal()) > 1):
        game.play(game.legal()[0])
    setting = read_setting(title, None, {}, (), start=write_start(title, game.box, game.position))
    match = Match(setting, Seeded(1), seed=1)
    seat = match.game.to_move
    match.play(seat, [match.game.legal()[0].text])
    if match.entries[-1].who == seat and match.game.undo_limit(seat) == 0:
        match.undo(seat, 0)
        match.frames = {0: match.frames[0]}  # so that it is played again
        assert packed_positions(match, 2, 2)[0] == game.packed()


def test_a_changed_position_in_a_file_is_noticed() -> None:
    title = ludus.title(SMALL)
    game = played(title, 5, 4)
    setting = read_setting(title, None, {}, (), start=write_start(title, game.box, game.position))
    text = save_match(Match(setting, Seeded(1), seed=1))
    line = next(row for row in text.splitlines() if row.startswith("start: "))
    with pytest.raises(FormatError, match="SHA-256"):
        read_match(text.replace(line, line.replace("1", "2", 1)), ludus.title)
    with pytest.raises(FormatError, match=r"'start: \.\.\.' is missing"):
        read_match(text.replace(line + "\n", ""), ludus.title)


def test_an_impossible_position_is_refused_with_its_invariant_and_its_field() -> None:
    title = ludus.title(LARGE)
    game = played(title, 5, 30)
    rows = title.position.json(game.position)
    with pytest.raises(BadPosition) as told:
        checked_start(title, game.box, json.dumps({**rows, "stock": rows["stock"] + 1}))
    assert (told.value.field, told.value.invariant) == ("stock", 3)
    assert title.words.say("en", "invariant.3") in str(told.value)


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("[" * 5000, ""),
        ("7", ""),
        ("{", ""),
        ('{"x": 1}', "x"),
        ('{"phase": 99}', "phase"),
        ('{"phase": "act"}', "phase"),
        ('{"phase": 1000}', "phase"),
        ('{"player": 2}', "player"),
        ('{"points": [1, 2, 3]}', "points"),
        ('{"board": 4}', "board"),
        ('{"phase": true}', "phase"),
        (" " * (MAX_CHARS + 1), ""),
    ],
)
def test_what_is_no_position_is_refused(text: str, field: str) -> None:
    title = ludus.title(LARGE)
    with pytest.raises(BadPosition) as told:
        checked_start(title, title.box_for(), text)
    assert told.value.field == field


def test_nobody_begins_where_the_game_is_over(sample: Title[Any, Any]) -> None:
    game = played(sample, 1, 10_000)
    assert game.over
    with pytest.raises(BadPosition, match="over"):
        checked_start(sample, game.box, write_start(sample, game.box, game.position))


def test_numbers_at_random_never_do_worse_than_be_refused() -> None:
    for title in all_titles():
        rng = random.Random(title.name)
        game = played(title, 7, 20)
        for _ in range(60):
            s = title.position.copy(game.position)
            for _ in range(rng.randint(1, 3)):
                field = rng.choice(title.position.fields)
                holder: Any = s.__dict__
                key: Any = field.name
                value = getattr(s, field.name)
                while isinstance(value, list):
                    holder, key = value, rng.randrange(len(value))
                    value = holder[key]
                holder[key] = rng.choice((-1, 0, 1, 2, 5, 60, 127, -128))
            try:
                checked_start(title, game.box, write_start(title, game.box, s))
            except BadPosition as error:
                assert str(error)


def test_what_a_seat_cannot_know_is_dealt_anew_and_what_it_knows_stays() -> None:
    title = ludus.title(LARGE)
    game = played(title, 11, 40)
    assert game.to_move != CHANCE
    seen = game.view(0)
    found = set()
    for seed in range(8):
        s = redealt(title, game.box, game.position, 0, seed)
        other = Game(title, game.box, seed=0, start=title.position.pack(s))
        assert other.view(0) == seen
        found.add(other.packed())
    assert len(found) > 1
