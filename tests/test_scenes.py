"""Scenes: every one of every title, in both forms, and the runner itself."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import ludus
from conftest import ROOT, all_titles
from ludus.core.errors import FormatError
from ludus.core.scene import read_scene, run_scene, scene_files, set_up, write_scene
from ludus.core.title import Title
from samples import LARGE, SMALL


def scene_cases() -> list[Any]:
    return [
        pytest.param(path, form, id=f"{title.name}-{path.stem}-{form}")
        for title in all_titles()
        for path in scene_files(title.folder / "scenes")
        for form in ("plain", "compiled")
    ]


@pytest.mark.parametrize(("path", "form"), scene_cases())
def test_scene(path: Path, form: str) -> None:
    report = run_scene(read_scene(path, ludus.title), form)
    assert report.passed, "\n".join(report.failures)


@pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)
def test_every_rule_is_held_by_a_scene_or_a_test_and_has_words(title: Title[Any, Any]) -> None:
    """RULES.md names files that exist, every scene names rules that exist, every rule has words."""
    text = (title.folder / "RULES.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \**([A-Z]+\d+\w*|\d+\.\d+|phases|order|borders)\** \|(.*)$", text, re.M)
    assert rows
    rules = {rule for rule, _ in rows}
    scenes = {path.stem: read_scene(path, ludus.title) for path in scene_files(title.folder / "scenes")}
    for rule, row in rows:
        assert title.words.has(f"rule.{rule}"), f"{rule} has no words"
        named = re.findall(r"scenes/([\w.-]+)\.toml", row)
        for name in named:
            assert name in scenes, f"{rule}: there is no scene {name}"
            assert rule in scenes[name].rules, f"scene {name} does not name {rule}"
        tests = re.findall(r"(tests/[\w/]+\.py)::(test_\w+)", row)
        for file, function in tests:
            source = (ROOT / file).read_text(encoding="utf-8")
            assert f"def {function}(" in source, f"{rule}: there is no test {function}"
        assert named or tests, f"{rule} is held by nothing"
    for name, scene in scenes.items():
        for rule in scene.rules:
            assert rule in rules, f"scene {name} names {rule}, which RULES.md does not have"


HEAD = f'title = "{SMALL}"'
SCENE = f"""
{HEAD}
"""
SCENE += """\
name = "a test"
seats = 3
[position]
phase = "guess"
stake = 2
fingers = [1, 3, 2]
guess = [6, 9]
turn = 2
[[step]]
seat = 2
play = "guess 6"
[[step]]
chance = ["roll 3", "roll 5"]
expect = { coins = [8, 8, 14] }
"""


def run(tmp_path: Path, text: str) -> list[str]:
    path = tmp_path / "a.toml"
    path.write_text(text, encoding="utf-8")
    return run_scene(read_scene(path, ludus.title)).failures


def test_a_good_scene_passes(tmp_path: Path) -> None:
    assert run(tmp_path, SCENE) == []


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("[8, 8, 14]", "[8, 8, 15]", "step 2: coins.2 is 14, expected 15"),
        ("coins = [8, 8, 14]", '"coins.2" = 13', "coins.2 is 14, expected 13"),
        ("coins = [8, 8, 14]", "to_move = 0", "to_move is 1, expected 0"),
        ("coins = [8, 8, 14]", "result = [1, 1, 1]", "result is None"),
        ("coins = [8, 8, 14]", 'phase = "show"', "phase is stake, expected show"),
        ("seat = 2", "seat = 1", "step 1: seat 1 should be to move, but it is 2"),
        ('play = "guess 6"', 'play = "guess 30"', "step 1: 'guess 30' is not legal"),
        ('"roll 5"]', '"roll 5", "roll 1"]', "chance is not to move"),
        ('play = "guess 6"', 'play = ["guess 6", "stake 1"]', "chance is to move"),
        ("expect = { coins = [8, 8, 14] }", 'legal = ["show 1"]', "'show 1' should be legal"),
        ("expect = { coins = [8, 8, 14] }", 'illegal = ["stake 1"]', "'stake 1' should not be legal"),
        (
            "expect = { coins = [8, 8, 14] }",
            'illegal = [{ play = "stake 9", rule = "M5" }]',
            "should be refused because of M5, not M2",
        ),
        ("guess = [6, 9]", "guess = [6, 9]\ncoins = [1, 1, 1]", "impossible position: coins are neither"),
        ("stake = 2", "stake = 200", "stake holds 200; i1 takes -128 to 127"),
        ("stake = 2", "steak = 2", "there is no field 'steak'"),
        ('phase = "guess"', 'phase = "gues"', "phase holds one of stake, show, guess"),
        ("stake = 2", '"fingers.9" = 2', "fingers has no place 9"),
        ("stake = 2", '"fingers.0.1" = 2', "goes deeper than fingers"),
    ],
)
def test_a_scene_that_does_not_hold_says_where(tmp_path: Path, old: str, new: str, words: str) -> None:
    assert SCENE.count(old) == 1
    failures = run(tmp_path, SCENE.replace(old, new))
    assert failures and words in failures[0], failures


END = "expect = { coins = [8, 8, 14] }"


@pytest.mark.parametrize(
    ("new", "words"),
    [
        ('illegal = "stake 1"', "step 2: 'stake 1' should not be legal"),
        ('illegal = "steak 1"', "step 2: no action is called 'steak'; there are: stake, show, guess, roll"),
        ('legal = "stake"', "step 2: 'stake' should read 'stake COINS'"),
        ("expect = { coin = [8] }", "step 2: there is no field 'coin'; there are: phase,"),
        (
            "expect = { coin = [8] }",
            "; and to_move, result, odds, check, exactly.PATH, size.PATH, face.SEAT, view",
        ),
        ('expect = { "coins.anna" = 8 }', "step 2: coins has no seat 'anna'; there are: 0, 1, 2"),
        ('expect = { "view.0.board.nokey" = "hidden" }', "step 2: view.0.board has no 'nokey'; there are:"),
        ('expect = { "view.0.board.stake.9" = 2 }', "step 2: view.0.board.stake is 0, and '9' goes deeper"),
        (
            'expect = { "view.0.board.coins.9" = 2 }',
            "view.0.board.coins has no place '9'; it goes from 0 to 2",
        ),
        ('expect = { "view.7.board" = 2 }', "a view is that of one of 0, 1, 2, spectator, not of '7'"),
        ("expect = { view = { 0 = { board = { nokey = 1 } } } }", "step 2: view.0.board has no 'nokey'"),
        ('expect = { "exactly.coins" = [8, 8] }', "step 2: coins.2 is 14, expected 0"),
        ("expect = { exactly = { coins = [8, 8] } }", "step 2: coins.2 is 14, expected 0"),
        (
            "expect = { face.9 = 1 }",
            "step 2: face.9: a view is that of one of 0, 1, 2, spectator, not of '9'",
        ),
        ('expect = { face.0 = "roll ?" }', "step 2: face.0 is roll 5, expected roll ?"),
        (
            "expect = { believed.0.coins = 3 }",
            "believed.0.coins takes a seat and the list of all that it could",
        ),
        ('expect = { "believed.0.coins.0" = [7, 8] }', "never believed [7], believed []"),
        ('expect = { "believed.0.coins" = [] }', "never believed [], believed [{"),
        ('expect = { "size.coins" = 29 }', "step 2: size.coins is 30, expected 29"),
        ("expect = { size.coins = 29 }", "step 2: size.coins is 30, expected 29"),
        ('expect = { "size.coins.1" = 8 }', "step 2: coins.1 is one number; a size is that of a row"),
    ],
)
def test_what_cannot_be_asked_is_told_with_its_step(tmp_path: Path, new: str, words: str) -> None:
    failures = run(tmp_path, SCENE.replace(END, new))
    assert len(failures) == 1 and words in failures[0], failures


def test_what_is_exactly_there_and_how_many(tmp_path: Path) -> None:
    held = 'expect = { "exactly.coins" = [8, 8, 14], "size.coins" = 30, size.guess = 0 }'
    assert run(tmp_path, SCENE.replace(END, held)) == []
    assert run(tmp_path, SCENE.replace(END, 'illegal = ["show 1", { play = "stake 9" }]')) == []
    assert run(tmp_path, SCENE.replace(END, 'illegal = { play = "stake 9", rule = "M2" }')) == []


def test_a_wrong_outcome_of_chance_is_told_by_its_name(tmp_path: Path) -> None:
    failures = run(tmp_path, SCENE.replace('chance = ["roll 3", "roll 5"]', 'chance = "stake 1"'))
    assert failures[0].startswith("step 2: 'stake 1' is no possible outcome of chance now. Legal now: roll 1")


LARGER = f"""
title = "{LARGE}"
"""
LARGER += """\
name = "a test"
[position]
{position}
[[step]]
{step}
"""


def run_larger(tmp_path: Path, position: str, step: str = "") -> list[str]:
    return run(tmp_path, LARGER.format(position=position, step=step))


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ("hand.0 = { nero = 7 }", "; without hand.0.nero it would be possible"),
        ("money = [5, -3]\ndice = [1, 2, 3]", "; without money it would be possible"),
        ('"deck.nero" = 0', "; without deck.nero it would be possible"),
        (
            "deck = { nero = 1 }",
            "; without deck it would be possible; the table deck is the whole heap, "
            '"deck.NAME" = 1, in quotes, changes one number',
        ),
        ("hand.0 = { nero = 7 }\nmoney = [-1, 0]", "; it is no single thing that the scene says"),
    ],
)
def test_an_impossible_position_names_what_makes_it_so(tmp_path: Path, position: str, words: str) -> None:
    failures = run_larger(tmp_path, position)
    assert failures[0].startswith("set-up: impossible position: ") and words in failures[0], failures


@pytest.mark.parametrize(
    ("position", "expect"),
    [
        ("deck = { nero = 1 }", "{ size.deck = 1, exactly.deck = { nero = 1 } }"),
        ("deck = {}", "{ size.deck = 0 }"),
        ("deck = [0, 1]", "{ exactly.deck = { sicarius = 1 } }"),
        ('"deck.nero" = 0', "{ size.deck = 51 }"),
        ('"deck.nero" = 0\ndeck = { nero = 1, forum = 2 }', "{ exactly.deck = { forum = 2 } }"),
        ("hand.1 = { nero = 1 }\ndeck = {}", "{ exactly.hand.1 = { nero = 1 }, size.hand.0 = 0 }"),
        ("points = { 0 = 7 }", "{ points = [7, 10] }"),
    ],
)
def test_a_table_is_the_whole_heap_and_of_anything_else_what_it_names(
    tmp_path: Path, position: str, expect: str
) -> None:
    text = LARGER.format(position=position, step=f"expect = {expect}")
    assert run(tmp_path, text.replace("[position]", "free = true\n[position]")) == []


def test_rules_that_cannot_go_on_are_no_traceback(tmp_path: Path) -> None:
    text = LARGER.format(position="dice = [1, 2, 3]\nphase = 99", step='play = "end"')
    failures = run(tmp_path, text.replace("[position]", "free = true\n[position]"))
    assert len(failures) == 1 and failures[0].startswith("step 1: ")


def test_an_impossible_position_is_allowed_when_it_says_so(tmp_path: Path) -> None:
    text = SCENE.replace("seats = 3", "seats = 3\nfree = true").replace("[8, 8, 14]", "[0, 0, 3]")
    assert run(tmp_path, text.replace("turn = 2", "turn = 2\ncoins = [1, 1, 1]")) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("title = ", "a.toml: Invalid value"),
        (HEAD, "a scene needs 'name'"),
        ('title = "chess"\nname = "x"\nstep = []', "no title 'chess'"),
        (HEAD + '\nname = "x"\nstep = []\ncolour = 1', "unknown key 'colour'"),
        (HEAD + '\nname = "x"\n[[step]]\nplays = "x"', "a.toml: step 1: unknown key 'plays'"),
        (SCENE.replace('"guess 6"', "5"), "a.toml: step 1: play takes a text, or a list of texts such as"),
        (SCENE.replace("{ coins = [8, 8, 14] }", "[8, 8]"), "a.toml: step 2: expect takes a table such as"),
        (
            SCENE + 'illegal = [{ rule = "M2" }]',
            r"step 2: illegal takes .*play = .* not \[\{'rule': 'M2'",
        ),
        (SCENE + "legal = [1]", "a.toml: step 2: legal takes a text, or a list of texts"),
        (SCENE.replace("seat = 2", 'seat = "2"'), "a.toml: step 1: seat takes a whole number, not '2'"),
        (SCENE.replace("seats = 3", "seats = true"), "a.toml: seats takes a whole number, not True"),
        (
            SCENE.replace("seats = 3", 'seats = 3\nrules = ["M999"]'),
            f"{SMALL} has no rule 'M999'",
        ),
        (SCENE.replace("seats = 3", 'seats = 3\nrules = "M6"'), "rules takes a list of rules such as"),
        (HEAD + '\nname = "x"\nstep = 3', r"step takes parts headed \[\[step\]\]"),
    ],
)
def test_a_bad_scene_file_gives_a_reason(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "a.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=words):
        read_scene(path, ludus.title)


def test_a_scene_can_be_written_from_any_position(sample: Title[Any, Any], tmp_path: Path) -> None:
    game = sample.new(seed=2, seats=3, chance="manual")
    game.play("stake 2", "show 3")
    path = tmp_path / "bug.toml"
    path.write_text(write_scene(game, "a bug", "", {"rounds": 5}, "guess 7"), encoding="utf-8")
    scene = read_scene(path, ludus.title)
    assert run_scene(scene).passed
    assert set_up(scene).hash() == game.hash()


def test_a_folder_without_scenes_is_told(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="there is no scene in this folder"):
        scene_files(tmp_path)
