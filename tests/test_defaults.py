"""What a title may leave out, what happens then, and what it is told when it leaves out too much."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any

import pytest

import ludus
from ludus.core import contract
from ludus.core.chance import CHANCE
from ludus.core.codes import Arg, Codes, Kind
from ludus.core.errors import FormatError, LudusError
from ludus.core.layout import OWNED, PUBLIC, F, Layout
from ludus.core.option import Option
from ludus.core.title import Title
from ludus.core.touches import paths
from ludus.core.words import Words
from samples import BARE


class Position:
    board: Annotated[list[list[int]], F("i1", PUBLIC, 2, 2, axes="row column", holds="stone")]


class Secret:
    hand: Annotated[list[int], F("i1", OWNED, 2, axes="seat")]


PLACE = (Arg("row", 0, 1, "row"), Arg("column", 0, 1, "column"))
CODES = Codes(
    Kind("take", *PLACE),
    Kind("give", *PLACE),
    Kind("buy", Arg("good", 0, 1, "good"), Arg("number", 1, 2)),
    Kind("bid", Arg("coins", 1, 2)),
    Kind("pass"),
)
LABELS = {"stone": ["none", "white"], "good": ["oil", "wine"]}


def made(*legal: str, **parts: Any) -> Title[Any, Any]:
    """A title whose first position offers all codes of these kinds."""
    codes = [code for code in range(CODES.size) if CODES.kind(code) in legal]

    def listed(s: Any, box: Any, out: list[int]) -> int:
        out[: len(codes)] = codes
        return len(codes)

    rules = SimpleNamespace(
        to_move=lambda s, box: 0,
        legal=listed,
        apply=lambda s, box, code: None,
        returns=lambda s, box, out: None,
    )
    facts: dict[str, Any] = {
        "name": "small", "version": 1, "folder": Path(), "position": Layout(Position), "codes": CODES,
        "rules": rules, "seats": (2,), "length": 5, "labels": lambda box: LABELS,
    }  # fmt: skip
    return Title(**{**facts, **parts})


def touched(*legal: str) -> list[str]:
    return [" ".join(path) for path in paths(made(*legal).new(seed=1))]


def test_a_place_of_a_board_is_touched_itself() -> None:
    assert touched("take") == ["board:0-0", "board:0-1", "board:1-0", "board:1-1"]


def test_where_two_kinds_could_be_meant_their_buttons_come_first() -> None:
    assert touched("take", "give")[::4] == ["button:take board:0-0", "button:give board:0-0"]


def test_things_are_touched_numbers_are_amounts_and_the_rest_are_buttons() -> None:
    assert touched("buy", "bid", "pass") == [
        "good:oil amount:1", "good:oil amount:2", "good:wine amount:1", "good:wine amount:2",
        "button:bid amount:1", "button:bid amount:2", "button:pass",
    ]  # fmt: skip


def test_the_box_holds_the_seats_and_every_option_by_its_name() -> None:
    options = (Option("rounds", 5, (3, 5)), Option("board", "small", ("large", "small")))
    title = made("pass", options=options, seats=(2, 3))
    box = title.box_for(3, rounds=3)
    assert (box.seats, box.rounds, box.board) == (3, 3, 1)
    assert title.seats_of(box) == 3


def test_what_is_left_out_of_the_rules_is_what_the_contract_says() -> None:
    title = made("pass")
    for name in ("new", "odds", "seen", "redeal", "check"):
        assert getattr(title.rules, name) is getattr(contract, name)


def to_move_by_chance(s: Any, box: Any) -> int:
    return CHANCE


BY_CHANCE = SimpleNamespace(**dict.fromkeys(("legal", "apply", "returns")), to_move=to_move_by_chance)


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ({"rules": SimpleNamespace()}, "rules of small need the functions to_move, legal, apply and returns"),
        ({"position": Layout(Secret)}, "need the functions seen and redeal, since hand can be hidden"),
        ({"rules": BY_CHANCE}, "need a function odds, since CHANCE moves"),
        (
            {"options": (Option("rounds", 5, (3, 5)),), "box": Layout(Position)},
            "the box of small has no field for the option rounds",
        ),
        ({"box": Layout(Position), "seats": (2, 3)}, "the box of small needs a field `seats`"),
    ],
)  # fmt: skip
def test_what_cannot_be_left_out_is_named(parts: dict[str, Any], sentence: str) -> None:
    with pytest.raises(LudusError, match=sentence):
        made("pass", **parts)


def test_a_package_without_its_files_is_told_which_one_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bare").mkdir()
    code = "from ludus.core.title import Title\nTITLE = Title.from_package(__name__, version=1, length=1)\n"
    (tmp_path / "bare" / "__init__.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("LUDUS_TITLES", "bare=bare")
    with pytest.raises(LudusError, match=r"bare needs a file layout\.py"):
        ludus.title("bare")


# -- words -----------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(ludus.title(BARE).folder / "words", tmp_path / "words"))


def test_a_missing_language_is_said_in_english_with_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "it.toml").unlink()
    words = Words(folder)
    assert words.say("it", "prompt.ended") == words.say("en", "prompt.ended") == "The game is over."
    assert words.keys("it") == words.keys("en")
    assert capsys.readouterr().err == f"ludus: there is no {folder / 'it.toml'}, so it is said in English\n"


def test_a_missing_sentence_is_said_in_english(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (folder / "de.toml").read_text(encoding="utf-8")
    (folder / "de.toml").write_text(text.replace('ended = "Die Partie ist zu Ende."', ""), encoding="utf-8")
    assert Words(folder).say("de", "prompt.ended") == "The game is over."
    assert Words(folder).say("de", "prompt.place") == "Wohin setzt du deinen Stein?"
    assert capsys.readouterr().err == ""


def test_words_that_cannot_be_read_say_where(folder: Path) -> None:
    (folder / "fr.toml").write_text("name = ", encoding="utf-8")
    with pytest.raises(FormatError, match=r"fr\.toml: Invalid value"):
        Words(folder).say("fr", "name")
    (folder / "en.toml").unlink()
    with pytest.raises(FormatError, match=r"en\.toml: every title has words in English"):
        Words(folder).say("de", "name")
