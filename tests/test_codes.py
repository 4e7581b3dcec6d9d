"""Codes: dense ints, kinds with arguments, and text, both ways."""

from __future__ import annotations

import pytest

from ludus.core.codes import Arg, Codes, Kind
from ludus.core.errors import FormatError

CODES = Codes(
    Kind("end"),
    Kind("lay", Arg("card", 1, 3, "card"), Arg("disc", 1, 6)),
    Kind("take", Arg("coins", 0, 4)),
)
LABELS = {"card": ["none", "forum", "legat", "turris"]}


def test_codes_are_dense_and_read_back() -> None:
    texts = set()
    for code in range(CODES.size):
        kind, arguments = CODES.split(code)
        assert CODES.code(kind, *arguments) == code
        text = CODES.text(code, LABELS)
        assert CODES.read(text, LABELS) == code
        texts.add(text)
    assert len(texts) == CODES.size == 1 + 18 + 5


def test_rules_compute_codes_from_origin_and_stride() -> None:
    for card in (1, 2, 3):
        for disc in range(1, 7):
            code = (
                CODES.origin("lay") + card * CODES.stride("lay", "card") + disc * CODES.stride("lay", "disc")
            )
            assert code == CODES.code("lay", card, disc)
    assert (CODES.first("take"), CODES.end("take")) == (19, 24)


def test_what_has_a_name_is_read_by_it_alone() -> None:
    """Columns that are called 1, 2, 3 would otherwise be met by "0" and "1" alike."""
    codes, labels = Codes(Kind("mark", Arg("column", 0, 2, "column"))), {"column": ("1", "2", "3")}
    assert [codes.read(f"mark {name}", labels) for name in "123"] == [0, 1, 2]
    for word in ("0", "5", "-1"):
        with pytest.raises(FormatError, match=f"column cannot be '{word}'; it is one of: 1, 2, 3"):
            codes.read(f"mark {word}", labels)


def test_a_number_without_a_name_is_read_as_a_number() -> None:
    codes, labels = Codes(Kind("go", Arg("place", 0, 3, "place"))), {"place": ("home", "", "port")}
    assert [codes.read(f"go {word}", labels) for word in ("home", "1", "port", "3")] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no action is called ''"),
        ("fly", "no action is called 'fly'; there are: end, lay, take"),
        ("lay forum", "should read 'lay CARD DISC'"),
        ("lay nero 3", "card cannot be 'nero'; it is one of: forum, legat, turris"),
        ("lay 2 4", "card cannot be '2'; it is one of: forum, legat, turris"),
        ("lay none 4", "card cannot be 'none'; it is one of: forum, legat, turris"),
        ("lay forum 7", "disc must be 1 to 6, not 7"),
        ("take -1", "coins must be 0 to 4"),
        ("take ²", "coins cannot be"),
        ("take 99999999999999999999", "coins cannot be"),
    ],
)
def test_a_wrong_text_says_what_would_be_right(text: str, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        CODES.read(text, LABELS)


def test_the_hidden_text_tells_the_kind_alone() -> None:
    assert CODES.hidden_text(CODES.code("lay", 1, 2)) == "lay ?"
    assert CODES.hidden_text(0) == "end"


def test_a_code_that_does_not_exist() -> None:
    with pytest.raises(ValueError, match="codes are 0 to 23"):
        CODES.split(24)


def test_too_many_codes_are_refused() -> None:
    with pytest.raises(ValueError, match="at most 4000"):
        Codes(Kind("x", Arg("a", 0, 99), Arg("b", 0, 99)))
