"""Layouts: one declaration, every form of it, to the byte."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.core.errors import FormatError, LayoutError
from ludus.core.layout import COUNTED, OWNED, PUBLIC, SECRET, F, Layout, flatten


class Sample:
    phase: Annotated[int, F("i1")]
    money: Annotated[list[int], F("i4", PUBLIC, 3)]
    hand: Annotated[list[list[int]], F("i1", COUNTED, 3, 4)]
    note: Annotated[list[int], F("i2", OWNED, 3)]
    deck: Annotated[list[int], F("i8", SECRET, 2)]


LAYOUT = Layout(Sample)
ONE = st.integers(-128, 127)


@st.composite
def samples(draw: st.DrawFn) -> Sample:
    s = LAYOUT.plain()
    s.phase = draw(ONE)
    s.money = draw(st.lists(st.integers(-(2**31), 2**31 - 1), min_size=3, max_size=3))
    s.hand = [draw(st.lists(ONE, min_size=4, max_size=4)) for _ in range(3)]
    s.note = draw(st.lists(st.integers(-(2**15), 2**15 - 1), min_size=3, max_size=3))
    s.deck = draw(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=2, max_size=2))
    return s


@given(samples())
def test_every_form_reads_back(s: Sample) -> None:
    assert LAYOUT.equal(LAYOUT.unpack(LAYOUT.pack(s)), s)
    assert LAYOUT.equal(LAYOUT.read(LAYOUT.text(s)), s)
    assert LAYOUT.equal(LAYOUT.from_json(LAYOUT.json(s)), s)


@given(samples())
def test_plain_bytes_are_the_bytes_of_the_record(s: Sample) -> None:
    import numpy as np

    record = np.zeros(1, LAYOUT.dtype)
    for field in LAYOUT.fields:
        record[field.name][0] = getattr(s, field.name)
    assert record.tobytes() == LAYOUT.pack(s)
    assert record.dtype.itemsize == LAYOUT.bytes


@given(samples(), samples())
def test_equal_if_and_only_if_the_hashes_are(a: Sample, b: Sample) -> None:
    assert LAYOUT.equal(a, b) == (LAYOUT.hash(a) == LAYOUT.hash(b))


@given(samples())
def test_a_copy_is_independent(s: Sample) -> None:
    before = LAYOUT.pack(s)
    copy = LAYOUT.copy(s)
    copy.hand[1][2] += 1
    copy.money[0] += 1
    copy.phase += 1
    assert LAYOUT.pack(s) == before


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("phase", 128, "phase holds 128; i1 takes -128 to 127"),
        ("money", [0, 0, 2**31], "money holds 2147483648"),
        ("hand", [[0] * 4] * 2, "hand has 8 numbers"),
        ("note", [0, 0, -32769], "note holds -32769"),
        ("phase", "1", "phase holds '1'"),
        ("hand", [[0] * 3, 0], "hand has not the shape"),
    ],
)
def test_refuses_what_the_compiled_width_could_not_hold(field: str, value: Any, words: str) -> None:
    s = LAYOUT.plain()
    setattr(s, field, value)
    with pytest.raises(LayoutError, match=words):
        LAYOUT.pack(s)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("phase = 0", "field 'money' is missing"),
        ("phase = x", "line 1: phase has no readable value"),
        ("phase = 0\nphase = 0", "line 2: expected a line"),
        ("colour = 3", "line 1: expected a line"),
        ("phase = [1]\nmoney = [1,2,3]\nhand = []\nnote = []\ndeck = []", "must have the shape"),
    ],
)
def test_a_bad_text_says_what_is_wrong(text: str, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        LAYOUT.read(text)


def test_who_may_know_what() -> None:
    hidden = [(f.name, first, end) for f, first, end in LAYOUT.hidden(1, 3)]
    assert hidden == [("hand", 0, 4), ("hand", 8, 12), ("note", 0, 1), ("note", 2, 3), ("deck", 0, 2)]
    assert len(LAYOUT.hidden(-3, 3)) == 7  # a spectator sees nobody's rows


def test_a_field_needs_a_declaration() -> None:
    class Bare:
        x: int

    with pytest.raises(LayoutError, match=r"Bare.x needs Annotated"):
        Layout(Bare)


def test_flatten_keeps_the_order() -> None:
    assert list(flatten([[[1], [2]], [[3], [4]]])) == [1, 2, 3, 4]
