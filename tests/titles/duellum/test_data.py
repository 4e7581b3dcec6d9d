"""Own data of Antike Duellum: boards, decks and prices that somebody typed in, and matches with them."""

from __future__ import annotations

import hashlib
import json
import random
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from conftest import ROOT, count
from ludus import titles as registry
from ludus.cli import main
from ludus.cli.data import app as data_app
from ludus.core.chance import Seeded
from ludus.core.errors import FormatError
from ludus.core.game import Game
from ludus.core.telling import tell
from ludus.match.file import read_match, save_match, verify, write_match
from ludus.match.match import Match, read_setting
from ludus.titles.duellum import TITLE, own
from ludus.titles.duellum import data as duellum_data
from ludus.titles.duellum.box import FOLDER, labels, make_box, sha_text
from ludus.titles.duellum.layout import EFFECTS, WHENS


def title() -> Any:
    return TITLE


def defaults() -> dict[str, Any]:
    return dict(title().read_setting(2, {})[1])


OWN = """
[[card]]
id = "triumph"
copies = 3
status = "printed"
when = "any"
effect = "gain"
a = "coin"
amount = 3
name = { en = "Triumph", fr = "Triomphe", it = "Trionfo", de = "Triumph" }
text = { en = "Three coins.", fr = "Trois pièces.", it = "Tre monete.", de = "Drei Münzen." }
[[card]]
id = "ambush"
copies = 2
when = "militia"
effect = "arm_price"
amount = 1
name = { en = "Ambush" }
[prices.know_how]
strata = { first = 4, second = 1 }
"""


def test_own_data_are_played_with_and_named() -> None:
    data = duellum_data.read_data(OWN)
    box = make_box(defaults(), 2, data)
    assert (box.cards, box.copies[:2], box.know_first[0], box.know_first[4]) == (2, [3, 2], 4, 9)
    assert labels(box)["card"] == ["triumph", "ambush"]
    assert sha_text(box) == data.sha256
    words = title().words_for(box)
    assert words.name("fr", "card", "triumph") == "Triomphe"
    assert words.name("de", "card", "ambush") == "Ambush (Hauskarte)"
    assert words.say("it", "effect.triumph") == "Tre monete."
    game = Game(title(), box, seed=5)
    dice = random.Random(1)
    while not game.over and len(game.line) < 500:
        game.play(dice.choice(game.legal()))
    assert title().rules.check(game.position, box) == 0


def test_own_data_have_as_many_pieces_as_antike() -> None:
    text = "[supplies]\nlegions = 17\ngalleys = 17\nmarble = 25\n"
    box = make_box(defaults(), 2, duellum_data.read_data(text))
    assert (box.pieces, box.tokens[1]) == ([17, 17], 25)
    with pytest.raises(FormatError, match="legions must be a whole number from 1 to 17"):
        duellum_data.read_data("[supplies]\nlegions = 18\n")


def test_own_data_read_back_from_their_canonical_text() -> None:
    """What a match carries: the canonical text gives the same digest and the same box."""
    data = duellum_data.read_data(OWN)
    again = duellum_data.read_data(data.canonical())
    assert again.sha256 == data.sha256
    boxes = [title().box.pack(make_box(defaults(), 2, d)) for d in (data, again)]
    assert boxes[0] == boxes[1]


WRONG = [
    ('between = ["alba", "brixia"], way = "both"', 'between = ["alba", "roma"], way = "both"', "no region"),
    ('between = ["alba", "brixia"], way = "both"', 'between = ["alba", "brixia"], way = "air"', "needs way"),
    ('{ between = ["fretum", "melita"], way = "sea", status = "house" },', "", "", ),
    ('side = "north", resource = "iron"', 'side = "north", resource = "wine"', "marble, iron or gold"),
    ('side = "north", resource = "marble"', 'side = "north", resource = "iron"', "two cities of iron"),
    ("coins = 5", "coins = 0", "supplies.coins"),
    ('sides = ["north", "south"]', 'sides = ["north"]', "two sides"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "words"), WRONG)
def test_wrong_boards_are_refused_with_a_reason(old: str, new: str, words: str) -> None:
    text = (FOLDER / "data" / "straits.toml").read_text(encoding="utf-8")
    assert text.count(old) == 1
    if not words:
        duellum_data.read_data(text.replace(old, new))  # one border less is still connected
        return
    with pytest.raises(FormatError, match=words):
        duellum_data.read_data(text.replace(old, new))


def test_boards_must_be_connected_symmetric_and_have_start_cities() -> None:
    text = (FOLDER / "data" / "straits.toml").read_text(encoding="utf-8")
    lines = text.splitlines()
    alone = "\n".join(line for line in lines if "between" not in line or "oea" not in line)
    with pytest.raises(FormatError, match="not connected: oea"):
        duellum_data.read_data(alone)
    extra = '    { between = ["brixia", "alba"], way = "land" },\n]\n\n[supplies]'
    with pytest.raises(FormatError, match="not symmetric"):
        duellum_data.read_data(text.replace("]\n\n[supplies]", extra))
    no_south = re.sub(r'start = \{ side = "south", [^}]*\}, ', "", text)
    with pytest.raises(FormatError, match="south has no start city"):
        duellum_data.read_data(no_south)


def test_data_check_tells_what_is_wrong_and_what_is_missing(tmp_path: Path) -> None:
    run = CliRunner().invoke
    good, bad, torn = tmp_path / "good.toml", tmp_path / "bad.toml", tmp_path / "torn.toml"
    good.write_text(OWN, encoding="utf-8")
    bad.write_text(OWN.replace('effect = "gain"', 'effect = "win"'), encoding="utf-8")
    torn.write_text("[[card]\n", encoding="utf-8")
    found = run(data_app, ["check", str(good), "--words"])
    assert found.exit_code == 0
    assert "playable; SHA-256" in found.output
    assert "no board: the shipped one is used" in found.output
    assert "card ambush: no text in en, fr, it, de" in found.output
    found = run(data_app, ["check", str(bad), "--json"])
    assert found.exit_code == 1
    assert "effect is one of" in json.loads(found.output)["problems"][0]
    found = run(data_app, ["check", str(torn)])
    assert isinstance(found.exception, FormatError)


def test_no_garbage_makes_the_check_fail_badly() -> None:
    """Whatever is typed in, the answer is a sentence."""
    dice = random.Random(3)
    whole = tomllib.loads((FOLDER / "data" / "straits.toml").read_text(encoding="utf-8"))
    whole["card"] = tomllib.loads(OWN)["card"]
    whole["prices"] = tomllib.loads(OWN)["prices"]
    junk: list[Any] = [None, -1, 999, "", "x y", [], {}, [1], {"a": 1}, True, 2.5]
    for _ in range(count(4000)):
        given = json.loads(json.dumps(whole))
        for _ in range(dice.randint(1, 3)):
            _spoil(given, dice, junk)
        try:
            make_box(defaults(), 2, duellum_data.read_data(json.dumps(given)))
        except FormatError as error:
            assert str(error)


def _spoil(node: Any, dice: random.Random, junk: list[Any]) -> None:
    while True:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        if not keys:
            return
        key = dice.choice(keys)
        if isinstance(node[key], dict | list) and node[key] and dice.random() < 0.75:
            node = node[key]
            continue
        node[key] = json.loads(json.dumps(dice.choice(junk)))
        return


# -- matches with own data ---------------------------------------------------------------------------------

SHORT = OWN + "[supplies]\ngoal = 1\n"  # one personage wins: a whole game in a few turns


def match_with_data(data: str = SHORT, seed: int = 4, until: int = 100_000, **options: Any) -> Match:
    """A match of random moves on own data, over or cut short."""
    setting = read_setting(title(), 2, options, ["Anna", "Bruno"], data=data)
    match = Match(setting, Seeded(seed), seed=seed)
    dice = random.Random(seed)
    while not match.over and len(match.entries) < until:
        match.play(match.game.to_move, [dice.choice(match.game.legal()).text])
    return match


def test_a_match_file_carries_its_data_and_replays_without_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    match = match_with_data()
    text = write_match(match)
    shas = re.findall(r"^datahash: ([0-9a-f]{64})$", text, re.MULTILINE)
    assert shas == [duellum_data.read_data(SHORT).sha256]
    monkeypatch.setattr(duellum_data, "_known", {})  # as in another process
    monkeypatch.delitem(vars(title()), "boxes")
    own._read.cache_clear()
    again = read_match(text, registry.title)
    assert again.match is not None
    assert again.match.game.hash() == match.game.hash()
    assert verify(again).good
    assert write_match(again.match) == text
    assert "triumph" in again.match.game.labels["card"]


def test_a_match_that_goes_on_carries_its_data_too() -> None:
    """Also the file of one seat's faces, which cannot be replayed, says what was played with."""
    match = match_with_data(until=30)
    assert not match.over
    assert read_match(save_match(match), registry.title).setting.data == match.setting.data
    one_seat = read_match(write_match(match, 0), registry.title)
    assert one_seat.match is None
    assert one_seat.setting.data == match.setting.data


def test_own_names_are_told_in_the_story() -> None:
    told = tell(match_with_data().game, 0, "fr", ["Anna", "Bruno"])
    assert any("Triomphe" in sentence for sentence in told)
    assert any("Ambush (carte maison)" in sentence for sentence in told)


def test_names_of_one_match_are_not_those_of_another() -> None:
    """Two matches with a card of one id: each has the name of its own file."""
    first = match_with_data(until=5)
    second = match_with_data(SHORT.replace('fr = "Triomphe"', 'fr = "Cortège"'), until=5)
    names = [match.game.words.name("fr", "card", "triumph") for match in (first, second)]
    assert names == ["Triomphe", "Cortège"]
    assert title().words.name("fr", "card", "triumph") == "triumph"


def test_own_cards_hide_what_ours_say() -> None:
    """A card of somebody's own that has the id of one of ours does not borrow its text."""
    mine = OWN.replace('id = "ambush"', 'id = "academy"')
    words = title().words_for(title().box_for(2, mine))
    assert words.name("en", "card", "academy") == "Ambush (house card)"
    assert words.say("en", "effect.academy") == ""


def test_names_are_shown_as_they_are_typed_and_cannot_draw_on_the_screen() -> None:
    mine = OWN.replace('fr = "Triomphe"', 'fr = "{0} {seat!r} \\u001b[2J\\u2028 deux"')
    words = title().words_for(title().box_for(2, mine))
    assert words.name("fr", "card", "triumph") == "{0} {seat!r} [2J deux"
    match = match_with_data(mine + "[supplies]\ngoal = 1\n", until=40)
    assert read_match(save_match(match), registry.title).match is not None


def test_what_a_file_leaves_out_is_as_the_options_say() -> None:
    box = title().box_for(2, OWN, board="greece_persia", coins=60, know_how="navigatio_seven")
    assert labels(box)["side"][1:] == ["persia", "greece"]
    assert (box.cards, box.coins, box.know_first[:2]) == (2, 60, [4, 7])
    cards = title().box_for(2, "[start]\nsecond_coins = 2\n", deck="known")
    assert (cards.cards, cards.second_coins) == (4, 2)


def changed(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1, old
    return text.replace(old, new)


def test_changed_missing_and_foreign_data_are_refused_with_a_sentence() -> None:
    text = write_match(match_with_data())
    start = text.index("datahash: ")
    other = duellum_data.read_data(OWN)
    data = next(line for line in text.splitlines() if line.startswith("data: "))
    row = next(line for line in text.splitlines() if line.startswith("datahash: "))
    foreign = changed(changed(text, data, f"data: {other.canonical()}"), row, f"datahash: {other.sha256}")
    padded = data.replace('{"board"', '{ "board"')
    spaced = changed(text, data, padded)
    junk, junk_sha = "[[[[", hashlib.sha256(b"[[[[").hexdigest()
    deep = '{"board":' + "[" * 100_000
    cases = [
        (changed(text, '"amount":3,', '"amount":4,'), "they were changed"),
        (changed(text, data + "\n", ""), "'data: ...' is missing"),
        (changed(text, row + "\n", ""), "'datahash: ...' is missing"),
        (changed(changed(text, data + "\n", ""), row + "\n", ""), "box differs"),
        (foreign, "box differs"),
        (changed(spaced, row, f"datahash: {_sha(padded[6:])}"), "not written as a match carries them"),
        (changed(changed(text, data, f"data: {junk}"), row, f"datahash: {junk_sha}"), "line"),
        (changed(changed(text, data, f"data: {deep}"), row, f"datahash: {_sha(deep)}"), "nested too deeply"),
        (changed(changed(text, data, f"data: {'x' * 500_000}"), row, f"datahash: {_sha('x' * 500_000)}"),
         "longer than"),
    ]  # fmt: skip
    assert start > 0
    for spoilt, words in cases:
        with pytest.raises(FormatError, match=words):
            read_match(spoilt, registry.title)


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_a_title_without_own_data_refuses_them() -> None:
    roma = registry.title("roma")
    with pytest.raises(FormatError, match="roma is not played with data of one's own"):
        roma.box_for(2, OWN)
    match = Match.simulated(roma, seed=1)
    with_data = write_match(match).replace("\nbox: ", f"\ndatahash: {_sha('{}')}\ndata: {{}}\nbox: ")
    with pytest.raises(FormatError, match="not played with data of one's own"):
        read_match(with_data, registry.title)


# -- commands ----------------------------------------------------------------------------------------------


def test_play_arena_replay_and_verify_with_a_data_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    deck, kept = tmp_path / "deck.toml", tmp_path / "games.jsonl"
    deck.write_text(SHORT, encoding="utf-8")
    asked = ["arena", "duellum", "--bots", "tiro", "--games", "2", "--out", str(kept), "--json"]
    assert ludus(monkeypatch, *asked, "--data", str(deck)) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 2
    assert json.loads(kept.read_text(encoding="utf-8").splitlines()[0])["data"] == _sha(SHORT)
    assert ludus(monkeypatch, *asked) == 2  # a file of results belongs to its data
    assert "another tournament" in capsys.readouterr().err
    played = tmp_path / "game.match"
    played.write_text(write_match(match_with_data()), encoding="utf-8")
    deck.unlink()
    assert ludus(monkeypatch, "verify", str(played)) == 0
    assert ludus(monkeypatch, "replay", str(played), "--lang", "it") == 0
    assert "Trionfo" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["play", "roma", "--data", "deck.toml"], "roma is not played with data of one's own"),
        (["play", "duellum", "--data", "none.toml"], "none.toml"),
        (["play", "--data", "deck.toml"], "--data needs the title"),
        (["play", "duellum", "--data", "bad.toml"], "bad.toml: card triumph: effect is one of"),
        (["arena", "duellum", "--data", "bad.toml"], "bad.toml: card triumph: effect is one of"),
        (["play", "duellum", "--data", "torn.toml"], "torn.toml: "),
        (["play", "duellum", "--data", "deck.toml", "--resume", "x.match"], "--data is for a new game"),
        (["data", "check", "deck.toml", "--title", "micatio"], "micatio is not played with data"),
    ],
)
def test_data_that_cannot_be_played_are_refused_at_once(
    words: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deck.toml").write_text(OWN, encoding="utf-8")
    (tmp_path / "bad.toml").write_text(OWN.replace('effect = "gain"', 'effect = "win"'), encoding="utf-8")
    (tmp_path / "torn.toml").write_text("[[card]\n", encoding="utf-8")
    assert ludus(monkeypatch, *words) == 2
    told = capsys.readouterr()
    assert said in told.err
    assert "Traceback" not in told.err


def ludus(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    """The command line in this process; its exit status."""
    monkeypatch.setattr("sys.argv", ["ludus", *words])
    monkeypatch.setenv("LANG", "C.UTF-8")
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def test_the_examples_of_the_page_can_be_played() -> None:
    """docs/own-data.md: its examples together are a playable file, and its table has every effect."""
    page = (ROOT / "docs" / "own-data.md").read_text(encoding="utf-8")
    examples = re.findall(r"```toml\n(.*?)```", page, re.S)
    box = title().box_for(2, "\n".join(examples))
    assert (box.cards, box.copies[:2], box.coins) == (2, [1, 2], 40)
    assert title().words_for(box).name("it", "card", "a_windfall") == "A Windfall"
    for word in (*WHENS, *EFFECTS[1:]):
        assert f"`{word}`" in page
