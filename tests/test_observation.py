"""Observations and information states: all that a seat may know, and nothing else."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludus
from conftest import all_titles
from ludus.core.errors import LudusError
from ludus.core.layout import COUNTED, OWNED, PUBLIC, SECRET, SHARED, F, Layout
from ludus.core.observation import Observer, squeezed
from ludus.core.title import Title
from samples import LARGE

KINDS = ("none", "ass", "dog")


class Sample:
    """Three seats at most; two play."""

    owner: Annotated[int, F("i1", holds="seat")]
    beast: Annotated[int, F("i2", holds="beast")]
    money: Annotated[list[int], F("i4", PUBLIC, 3, axes="seat")]
    debts: Annotated[list[list[int]], F("i1", PUBLIC, 2, 3, axes="- seat")]
    hand: Annotated[list[list[int]], F("i1", COUNTED, 3, 3, axes="seat beast")]
    note: Annotated[list[int], F("i8", OWNED, 3, axes="seat")]
    table: Annotated[int, F("i1", SHARED)]
    deck: Annotated[list[int], F("i1", SECRET, 2)]


LAYOUT = Layout(Sample)
OBSERVER = Observer(LAYOUT, 2, {"seat": ("0", "1"), "beast": KINDS})


def sample_position() -> Sample:
    s = LAYOUT.plain()
    s.owner, s.beast, s.table = 1, 2, 9
    s.money, s.debts = [100, 200, 0], [[1, 2, 0], [3, 4, 0]]
    s.hand, s.note, s.deck = [[0, 1, 2], [0, 3, 4], [0, 0, 0]], [2**40, 6, 0], [7, 7]
    return s


def told(s: Sample, seat: int) -> dict[str, int]:
    row = OBSERVER.observe(LAYOUT.pack(s), 0, seat)
    return dict(zip(OBSERVER.names, row, strict=True))


def test_own_things_come_first_and_what_is_hidden_has_no_place() -> None:
    assert told(sample_position(), 1) == {
        "to move": 1, "seat": 1, "owner": 0, "beast": 2, "money[+0]": 200, "money[+1]": 100,
        "debts[0,+0]": 2, "debts[0,+1]": 1, "debts[1,+0]": 4, "debts[1,+1]": 3,
        "hand[+0,none]": 0, "hand[+0,ass]": 3, "hand[+0,dog]": 4, "hand[+1].sum": 3,
        "note[+0]": 6, "table": 9,
    }  # fmt: skip
    assert told(sample_position(), 0)["note[+0]"] == 2**40
    assert told(sample_position(), 0)["owner"] == 1


def test_a_seat_that_is_not_there_is_refused() -> None:
    with pytest.raises(LudusError, match="there is no seat 2; seats are 0 to 1"):
        OBSERVER.observe(LAYOUT.pack(sample_position()), 0, 2)


def test_a_tensor_has_a_place_for_each_thing_that_may_be_named() -> None:
    row = OBSERVER.observe(LAYOUT.pack(sample_position()), 0, 1)
    encoded = OBSERVER.encode(row)
    assert len(encoded) == OBSERVER.tensor_size
    assert encoded[:3] == [0.0, 1.0, 0.0], "the next seat is to move"
    beast = 3 + 3 + 3  # after who moves, the seat, the owner
    assert encoded[beast : beast + 4] == [0.0, 0.0, 1.0, 0.0]
    assert encoded[beast + 4] == squeezed(200, 32)


@given(st.integers(-(2**15), 2**15 - 1), st.integers(-(2**15), 2**15 - 1))
def test_squeezed_numbers_keep_their_order_between_minus_one_and_one(a: int, b: int) -> None:
    x, y = squeezed(a, 16), squeezed(b, 16)
    assert -1 <= x <= 1
    assert (x < y) == (a < b)


@pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)
def test_all_seats_of_a_box_get_rows_of_one_size(title: Title[Any, Any]) -> None:
    for seats in title.seats:
        game = title.new(seed=1, seats=seats)
        rows = [game.observation(p) for p in range(game.seats)]
        assert {len(row) for row in rows} == {len(game.observer.names)} == {game.observer.size}
        assert len(set(game.observer.names)) == game.observer.size
        assert {len(game.tensor(p)) for p in range(game.seats)} == {game.observer.tensor_size}
        mask = game.legal_mask()
        assert [c for c, legal in enumerate(mask) if legal] == sorted(game.legal_codes())


# -- information states -----------------------------------------------------------------------------------


def played(title: Title[Any, Any], *actions: str) -> ludus.Game[Any, Any]:
    game = title.new(seed=7, seats=2)
    game.play(*actions)
    return game


def test_what_somebody_shows_in_secret_tells_nothing_until_it_is_turned_up(sample: Title[Any, Any]) -> None:
    """Two fingers or three under the hand: the same for who cannot see them; afterwards not, for ever."""
    two, three = (played(sample, "stake 1", f"show {n}", "guess 7") for n in (2, 3))
    assert two.information_state(1) == three.information_state(1)
    assert two.information_state(0) != three.information_state(0)
    for game in (two, three):
        game.play("show 1", "guess 5")
    assert two.information_state(1) != three.information_state(1), "turned up"
    for game in (two, three):
        for _ in range(5):
            game.play(game.legal()[0])
    assert two.observation(1)[2:] == three.observation(1)[2:], "another round lies there"
    assert two.information_state(1) != three.information_state(1), "it is remembered"


def test_an_information_state_goes_along_with_forks_and_back(sample: Title[Any, Any]) -> None:
    game = played(sample, "stake 1", "show 2")
    before = game.information_state(0)
    fork = game.fork()
    fork.play("guess 5")
    game.play("guess 6")
    assert fork.information_state(0) != game.information_state(0)
    assert fork.information_state(0) == played(sample, "stake 1", "show 2", "guess 5").information_state(0)
    game.rewind(2)
    assert game.information_state(0) == before


def test_what_was_played_before_does_not_tell_what_is_imagined() -> None:
    game = ludus.title(LARGE).new(seed=3)
    for _ in range(12):
        game.apply(game.legal_codes()[0])
    game.information_state(0)
    assert game.imagine(0, seed=1).information_state(0) != game.information_state(0)
    assert game.imagine(0, seed=1).information_state(0) == game.imagine(0, seed=2).information_state(0)


def test_an_imagined_game_goes_on_from_what_was_told(sample: Title[Any, Any]) -> None:
    """Whatever the others hold there; and what they were told is not known to it."""
    game = played(sample, "stake 1", "show 2", "guess 7")
    for seed in range(5):
        twin = game.imagine(1, seed, remember=True)
        assert twin.information_state(1) == game.information_state(1)
        assert twin.information_state(0) != game.information_state(0)
        assert game.imagine(1, seed).information_state(1) != game.information_state(1)
        for each in (twin, truth := game.fork()):
            each.play("show 1")
        assert twin.information_state(1) == truth.information_state(1), "the same is told in both"
        twin.rewind(0)
        assert twin.information_state(1) == game.information_state(1)
