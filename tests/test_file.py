"""The match file: readable, complete, and unforgiving."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import ludus
from conftest import all_titles
from ludus.cli import app
from ludus.core.chance import Keyed
from ludus.core.contract import FUNCTIONS
from ludus.core.errors import FormatError
from ludus.core.title import Title
from ludus.match import fairness
from ludus.match.file import read_match, save_match, verify, write_game, write_match
from ludus.match.match import Match, read_setting
from ludus.terminal import saves
from ludus.terminal.saves import Damaged
from samples import SMALL
from test_match import random_match


def fair_match(title: Title[Any, Any], seed: int, over: bool = True) -> Match:
    rng = random.Random(seed)
    setting = read_setting(title, None, {}, ["Anna", "Bruno"])
    nonces = [rng.randbytes(16) for _ in range(setting.seats)]
    match = Match.fair(setting, f"match-{seed}", rng.randbytes(16), nonces)
    while not match.over and (over or len(match.entries) < 8):
        match.play(match.game.to_move, [rng.choice(match.game.legal()).text])
    return match


@pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)
def test_a_finished_match_reads_back_and_proves_its_dice(title: Title[Any, Any]) -> None:
    match = fair_match(title, 1)
    text = write_match(match, comments={0: ["begun in the rain"], 3: ["a fine\nmove"]})
    file = read_match(text, ludus.title)
    assert file.match is not None
    assert file.match.game.hash() == match.game.hash()
    assert file.comments == {0: ["begun in the rain"], 3: ["a fine", "move"]}
    assert write_match(file.match, comments=file.comments) == text
    proof = verify(file)
    assert proof.good, proof.problem
    assert proof.outcomes == sum(e.who == ludus.CHANCE for e in match.entries)


class Lying:
    """A house that cheats once: the second number is not the one that the key gives."""

    def __init__(self, honest: Keyed) -> None:
        self.honest = honest

    def u32(self, index: int) -> int:
        return self.honest.u32(index) ^ (0x80000000 if index == 1 else 0)


def test_verify_names_the_first_outcome_that_differs(sample: Title[Any, Any]) -> None:
    rng = random.Random(6)
    setting = read_setting(sample, 6, {"rounds": 20}, [])
    key, nonces = rng.randbytes(16), [rng.randbytes(16) for _ in range(6)]
    match = Match(setting, Lying(fairness.source(key, nonces)), "m", key, nonces)
    while not match.over:
        match.play(match.game.to_move, [rng.choice(match.game.legal()).text])
    rolls = [e for e in match.entries if e.who == ludus.CHANCE]
    assert len(rolls) > 2
    proof = verify(read_match(write_match(match), ludus.title))
    assert (proof.good, proof.entry, proof.outcomes) == (False, rolls[1].number, 1)
    assert f"the record says {rolls[1].text!r}" in proof.problem


def test_a_wrong_key_is_found(sample: Title[Any, Any]) -> None:
    match = fair_match(sample, 2)
    text = write_match(match).replace(match.key.hex(), bytes(16).hex())
    assert "commitment" in verify(read_match(text, ludus.title)).problem


@pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)
def test_an_unfinished_match_holds_one_seats_faces_only(title: Title[Any, Any]) -> None:
    match = fair_match(title, 3, over=False)
    text = write_match(match, seat=1)
    assert "only what this seat saw" in text
    assert match.key.hex() not in text
    assert "hash:" not in text
    file = read_match(text, ludus.title)
    assert file.match is None
    for entry, (_, face) in zip(file.entries, match.faces(1), strict=True):
        assert face is None or entry.text == face.text
    assert "one seat's faces only" in verify(file).problem


def test_a_save_is_whole_and_goes_on_with_the_same_dice(
    sample: Title[Any, Any],
) -> None:
    match = fair_match(sample, 4, over=False)
    text = save_match(match)
    assert "all hands, and the key of dice to come, can be read in this file" in text
    again = read_match(text, ludus.title).match
    assert again is not None
    for _ in range(40):
        if match.over:
            break
        action = match.game.legal()[0].text
        for m in (match, again):
            m.play(m.game.to_move, [action])
    assert again.game.hash() == match.game.hash()


def test_a_game_of_the_api_or_the_kit_is_written_too(sample: Title[Any, Any]) -> None:
    game = sample.new(seed=9, seats=3, chance="manual")
    game.play("stake 1", "show 2")
    file = read_match(write_game(game, {"rounds": 5}, note="a bug"), ludus.title)
    assert file.match is not None
    assert file.match.game.hash() == game.hash()
    assert file.comments == {0: ["a bug"]}


# -- rules that have changed ------------------------------------------------------------------------------


def newer(**changes: Any) -> Callable[[str], Title[Any, Any]]:
    """A registry whose titles have rules version 2, and perhaps other rules."""
    title = ludus.title(SMALL)
    rules = SimpleNamespace(**{f.__name__: getattr(title.rules, f.__name__) for f in FUNCTIONS})
    for name in set(changes) & set(vars(rules)):
        setattr(rules, name, changes.pop(name))
    return lambda name: replace(title, version=2, rules=rules, **changes)


def no_high_stakes(s: Any, box: Any, out: Any) -> int:
    """Rules in which the first three actions of every list are all there is."""
    return min(3, ludus.title(SMALL).rules.legal(s, box, out))


def first_wins(s: Any, box: Any, out: Any) -> None:
    out[0], out[1] = 2, 0


def other_position(s: Any, box: Any, code: int) -> None:
    ludus.title(SMALL).rules.apply(s, box, code)
    s.shown[5] = 1


def test_an_older_match_that_plays_out_the_same_is_as_good_as_new() -> None:
    match = fair_match(ludus.title(SMALL), 5)
    file = read_match(write_match(match), newer())
    assert file.match is not None and file.older and not file.changed
    assert file.match.result == match.result
    assert verify(file).good
    assert "rules: 2" in write_match(file.match)


@pytest.mark.parametrize(
    ("find", "why"),
    [
        (newer(legal=no_high_stakes), r"entry \d+: '.*' is not legal"),
        (newer(returns=first_wins), "the result is 2 0, the file says 0 2"),
        (newer(apply=other_position), "the last position is not the one"),
        (newer(options=()), "there is no option 'rounds'"),
        (newer(seats=(3, 4)), f"{SMALL} is for 3 or 4 seats, not 2"),
    ],
)
def test_an_older_match_that_plays_out_differently_can_still_be_read(
    find: Callable[[str], Title[Any, Any]], why: str
) -> None:
    match = fair_match(ludus.title(SMALL), LOST)
    file = read_match(write_match(match), find)
    assert file.match is None
    assert re.search(rf"version 1 of {SMALL} is older .* which has 2, .* differently: {why}", file.changed)
    assert file.entries == match.entries
    assert file.setting.names == ("Anna", "Bruno")
    proof = verify(file)
    assert not proof.good and proof.problem == file.changed


def test_the_command_tells_an_older_match_as_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = fair_match(ludus.title(SMALL), LOST)
    path = tmp_path / "old.match"
    path.write_text(write_match(match), encoding="utf-8")
    monkeypatch.setattr(ludus.titles, "title", newer(legal=no_high_stakes))
    done = CliRunner().invoke(app, ["replay", str(path)])
    assert done.exit_code == 0 and "would replay differently" in done.stdout
    assert all(entry.line() in done.stdout for entry in match.entries)
    with pytest.raises(Damaged) as damaged:
        saves.load(path)
    assert damaged.value.key == "older"


LOST = next(n for n in range(100) if fair_match(ludus.title(SMALL), n).result == (0, 2))


GOOD = write_match(fair_match(ludus.title(SMALL), 5))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("ludus match 1", "hello", "line 1: this is no match file"),
        ("ludus match 1", "ludus match 2", "line 1: format '2' is newer"),
        (f"title: {SMALL}", "title: chess", "no title 'chess'"),
        ("rules: 1", "rules: 7", f"rules version 7 of {SMALL} is newer"),
        ("rules: 1", "rules: one", "rules must be a whole number"),
        ("seats: 2", "seats: 9", "for 2 to 6 seats, not 9"),
        ("rounds=5", "rounds=77", "option rounds cannot be '77'"),
        ("rounds=5", "rounds=6", "box differs"),
        ('names: ["Anna"', 'names: ["Anna', "names must be a list"),
        ("scope: whole", "scope: everything", "unknown scope"),
        ("nonces: ", "nonces: zz", "nonces must be hexadecimal"),
        ("\n1 0 stake", "\n2 0 stake", "line 13: entry 2 stands where entry 1 must come"),
        ("\n1 0 stake", "\n1 1 stake", "line 13: it was not the turn of 1"),
        ("\n1 0 stake", "\n1 0 steak", "line 13: no action is called 'steak'"),
        ("\n1 0 stake", "\n1 nobody stake", "line 13: 'nobody' is no seat"),
        ("\n1 0 stake", "\n1 house steal 1\n2 0 stake", "line 13: the house knows no 'steal'"),
        ("\n1 0 stake", "\n1 house undo 0 5\n2 0 stake", "line 13: there is no entry 5"),
        ("hash: ", "hash: 0", "hash differs"),
        ("result: ", "result: 1 ", "the result is"),
        ("entries: ", "entries: 1", "entries and says"),
        ("\nend\n", "\n", "the file is cut off"),
        ("commitment: ", "promise: ", "'commitment: ...' is missing"),
    ],
)
def test_a_damaged_file_gives_a_line_and_a_reason(old: str, new: str, words: str) -> None:
    assert GOOD.count(old) >= 1, old
    with pytest.raises(FormatError, match=words):
        read_match(GOOD.replace(old, new, 1), ludus.title)


def test_every_truncation_is_noticed() -> None:
    lines = GOOD.splitlines()
    for n in range(len(lines)):
        with pytest.raises(FormatError):
            read_match("\n".join(lines[:n]), ludus.title)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, len(GOOD) - 1), st.characters(codec="utf-8"))
def test_a_changed_character_never_raises_anything_but_a_clear_error(place: int, character: str) -> None:
    try:
        read_match(GOOD[:place] + character + GOOD[place + 1 :], ludus.title)
    except FormatError as error:
        assert str(error)


def test_undo_and_votes_survive_the_file(sample: Title[Any, Any]) -> None:
    for seed in range(6):
        match = random_match(sample, seed, 400)
        if match.over:
            assert verify(read_match(write_match(match), ludus.title)).good
