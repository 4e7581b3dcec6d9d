"""Antike Duellum: what a net is told of a position."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import count
from ludus.bots.planning import inputs_of
from ludus.core import compilation
from ludus.core.binding import Program, Samples
from ludus.core.contract import features as features_of
from ludus.core.forms import CompiledForm, PlainForm
from ludus.core.game import Game
from ludus.titles.duellum import TITLE, features
from ludus.titles.duellum import layout as at

SETTINGS: dict[str, dict[str, Any]] = {
    "rome": {},
    "greece": {"board": "greece_persia", "special_units": "it"},
    "casus": {"edition": "casus_belli", "deck": "known"},
}


def told(s: Any, box: Any, seat: int) -> list[tuple[int, float]]:
    """The inputs of a plain position."""
    idx, val = [0] * features.MOST, [0.0] * features.MOST
    n = features.features(s, box, seat, idx, val)
    return list(zip(idx[:n], val[:n], strict=True))


def random_game(net: str, seed: int) -> Game[Any, Any]:
    return Game(TITLE, TITLE.box_for(2, **SETTINGS[net]), seed=seed)


def changed(game: Game[Any, Any], **fields: Any) -> Any:
    """A copy of a position with other numbers in it."""
    s = at.POSITION.copy(game.position)
    for name, given in fields.items():
        setattr(s, name, given)
    return s


@pytest.mark.parametrize("net", SETTINGS)
def test_every_input_is_told_once_and_has_its_place(net: str) -> None:
    game, dice = random_game(net, 3), random.Random(3)
    while not game.over and len(game.line) < count(4000):
        for seat in range(2):
            found = told(game.position, game.box, seat)
            places = [i for i, _ in found]
            assert len(set(places)) == len(places)
            assert min(places) == places[0] == 0
            assert max(places) < features.SIZE
            assert len(places) < 200, "there is room for decks and boards of one's own"
            assert all(abs(v) <= 12 for _, v in found)
        game.play(dice.choice(game.legal()))


def test_the_first_input_is_the_hand_made_value() -> None:
    game, dice = random_game("rome", 5), random.Random(5)
    while not game.over and len(game.line) < count(3000):
        mine, other = (told(game.position, game.box, seat)[0] for seat in range(2))
        assert mine[0] == other[0] == 0
        assert mine[1] == -other[1]
        assert mine[1] == max(-3.0, min(3.0, TITLE.value(game.position, game.box, 0) / features.SCALE))  # type: ignore[misc]
        game.play(dice.choice(game.legal()))


def test_what_is_pending_is_told() -> None:
    """No two positions that follow each other look the same to the seat to move: each small action counts."""
    for net in SETTINGS:
        game, dice = random_game(net, 8), random.Random(8)
        before: list[tuple[int, float]] = []
        while not game.over and len(game.line) < count(6000):
            now = told(game.position, game.box, game.to_move)
            assert now != before, game.line[-1]
            before = now
            game.play(dice.choice(game.legal()))


def test_a_turn_has_one_number() -> None:
    game, dice = random_game("greece", 2), random.Random(2)
    numbers: list[int] = []
    while not game.over and len(game.line) < count(6000):
        number = features.turn(game.position, game.box)
        assert (numbers[-1:] == [number]) == (numbers != [] and game.position.turns == numbers[-1] // 2)
        if numbers[-1:] != [number]:
            assert number not in numbers
            numbers.append(number)
        game.play(dice.choice(game.legal()))


def test_each_board_has_its_net_whatever_is_played_on_it() -> None:
    for net, options in SETTINGS.items():
        assert features.net_name(TITLE.box_for(2, **options)) == net
    assert features.net_name(TITLE.box_for(2, coins=60, battle="mover", deck="none")) == "rome"
    for box in TITLE.small_boxes().values():
        assert features.net_name(box) == "", "a board that no net knows"


def test_cards_are_told_by_what_they_do() -> None:
    """The same card has the same input in every deck, whatever its number there."""
    house, known = (Game(TITLE, TITLE.box_for(2, deck=deck), seed=1) for deck in ("house", "known"))
    found = []
    for game in (house, known):
        cards = game.title.labels(game.box)["card"]
        s = changed(game, hand=[[0] * at.MAX_CARDS, [0] * at.MAX_CARDS])
        s.hand[0][cards.index("fortress")] = 1
        places = {i for i, _ in told(s, game.box, 0)}
        found.append({i for i in places if features.HAND <= i < features.HAND + features.CARD_KINDS})
    assert found[0] == found[1] != set()


def test_what_lacks_for_a_personage_is_told() -> None:
    game = random_game("rome", 1)
    s = changed(game, cities=[4, 3])
    lack = features.LACK
    assert (lack + 1, 1.0) in told(s, game.box, 0), "one more city"
    assert (lack + 3 * features.MOST_LACK + 1, 1.0) in told(s, game.box, 1), "the same, of the other"
    s.persons[1][at.KING] = game.box.stack[at.KING]
    assert not {i for i, _ in told(s, game.box, 0)} & set(range(lack, lack + features.MOST_LACK)), "none left"


# -- both forms -------------------------------------------------------------------------------------------


def tell_at(S: Any, i: int, B: Any, seat: int, idx: Any, val: Any) -> int:
    """What a seat is told of position i."""
    return features_of(S[i], B[0], seat, idx, val)


def _arguments(a: Samples) -> dict[str, tuple[Any, ...]]:
    return {"tell_at": (a.positions, 0, a.box, 0, a.ints, np.zeros(1, np.float32))}


# The features alone: the searches that use them take minutes to compile.
TELLING = Program(
    name="telling",
    entries=(tell_at,),
    arguments=_arguments,
    sources=(Path(__file__),),
    stubs={features_of: lambda title: inputs_of(title).features},
)


@pytest.mark.skipif(not compilation.has_numba(), reason="Numba is not installed")
def test_both_forms_tell_the_same() -> None:
    for net, options in SETTINGS.items():
        forms: list[Any] = [form(TITLE, TITLE.box_for(2, **options)) for form in (PlainForm, CompiledForm)]
        game, dice = random_game(net, 4), random.Random(4)
        while not game.over and len(game.line) < count(6000):
            for seat in range(2):
                found = []
                for form in forms:
                    rows, idx, val = form.rows(1), form.ints(features.MOST), form.singles(features.MOST)
                    form.put(rows, 0, form.unpack(game.packed()))
                    n = form.bind(TELLING).tell_at(rows, 0, form.boxes, seat, idx, val)
                    found.append((list(idx[:n]), [float(x) for x in val[:n]]))
                assert found[0][0] == found[1][0]
                assert found[0][1] == pytest.approx(found[1][1])
            game.play(dice.choice(game.legal()))
