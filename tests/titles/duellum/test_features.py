"""Antike Duellum: what a net is told of a position."""

from __future__ import annotations

import random
from typing import Any

import pytest

from conftest import count
from ludus.bots import Chair
from ludus.bots.net import new_net
from ludus.bots.planner import Planner
from ludus.core import compilation
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


@pytest.mark.skipif(not compilation.has_numba(), reason="Numba is not installed")
def test_both_forms_tell_the_same() -> None:
    """Looking at the actions of a position leaves the inputs of what follows the last of them."""
    game, dice = random_game("rome", 4), random.Random(4)
    net = new_net(TITLE, hidden=4, policy=4, seed=1, from_value=True)
    forms: list[Any] = [PlainForm(TITLE, game.box), CompiledForm(TITLE, game.box)]
    planners = [Planner(form, TITLE, net) for form in forms]
    while not game.over and len(game.line) < count(6000):
        found = []
        for form, planner in zip(forms, planners, strict=True):
            twin = game.copy()
            twin.change_form(form.name)
            planner.look(twin.to_move, planner.sit(Chair(twin, twin.to_move)), 1)
            found.append([[float(x) for x in numbers] for numbers in (planner.room.idx, planner.room.val)])
        assert found[0][0] == found[1][0]
        assert found[0][1] == pytest.approx(found[1][1])
        game.play(dice.choice(game.legal()))
