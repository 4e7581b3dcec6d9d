"""What the net of Conquest is told: inputs in their range, from the eyes of one seat."""

from __future__ import annotations

import math
from typing import Any

import pytest

from ludus.core.chance import below
from ludus.core.game import Game
from ludus.titles.conquest import TITLE
from ludus.titles.conquest.box import areas, settle
from ludus.titles.conquest.features import (
    ALIVE,
    HOPE,
    LOST,
    MOST,
    OWNED,
    REIGNED,
    SEAT_AT,
    SEAT_NUMBERS,
    SIZE,
    TURN_AT,
    features,
    net_name,
    place,
    prospect,
    turn,
)
from ludus.titles.conquest.value import assault


def chance(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))


PLACES = {name: number for number, name in enumerate(areas())}


def inputs(game: Game[Any, Any], seat: int) -> dict[int, float]:
    idx, val = [0] * MOST, [0.0] * MOST
    n = features(game.position, game.box, seat, idx, val)
    assert idx[0] == 0
    return dict(zip(idx[:n], val[:n], strict=True))


def wander(game: Game[Any, Any], steps: int) -> None:
    rng = [1, 2, 3, game.box.seats]
    for _ in range(steps):
        if game.over:
            return
        codes = game.legal_codes()
        game.apply(codes[below(rng, len(codes))])


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_inputs_stay_in_their_range(seats: int) -> None:
    game = TITLE.new(seed=5, seats=seats, acclamation="off", homes="choose")
    for _ in range(20):
        wander(game, 40)
        for seat in range(seats):
            found = inputs(game, seat)
            assert max(found) < SIZE
            made = found.pop(0)
            fallen = len(found) > 0 and game.position.emperor[seat] < 0
            assert made == LOST if fallen else abs(made) <= HOPE
            assert all(abs(x) <= 5 for x in found.values())


def test_a_seat_sees_itself_first() -> None:
    game = TITLE.new(seed=1, seats=3, homes="seated", acclamation="off")
    homes = [PLACES[name] for name in ("macedonia", "aegyptus", "hispania")]
    for seat in range(3):
        found = inputs(game, seat)
        assert found[1 + place(0, OWNED, homes[seat])] == 1
        assert found[1 + place(0, REIGNED, homes[seat])] == 1
        assert [k for k in range(3) if found.get(TURN_AT + k)] == [-seat % 3]  # Macedonia's turn


def test_whoever_has_fallen_is_not_told() -> None:
    game = TITLE.new(seed=1, seats=3, homes="seated", acclamation="off")
    game.position.emperor[1] = -1
    alive = SEAT_AT + ALIVE
    for seat, others in ((0, [0, 2]), (2, [0, 1])):
        found = inputs(game, seat)
        assert [k for k in range(3) if alive + k * SEAT_NUMBERS in found] == others


def test_a_turn_has_a_number_of_its_own() -> None:
    game = TITLE.new(seed=2, seats=2, acclamation="off")
    seen: list[Any] = []
    for _ in range(300):
        wander(game, 1)
        s = game.position
        if not seen or seen[-1] != (turn(s, game.box), s.active, s.round):
            seen.append((turn(s, game.box), s.active, s.round))
    assert len(seen) > 3 and len({number for number, _, _ in seen}) == len(seen)


def test_two_seats_have_a_net_of_their_own() -> None:
    names = {seats: net_name(TITLE.box_for(seats)) for seats in range(2, 7)}
    assert names == {2: "two", 3: "many", 4: "many", 5: "many", 6: "many"}


def test_seats_share_one_game_by_how_they_stand() -> None:
    """Where all stand alike their chances make one; who has lost his army has less than his share."""
    game = TITLE.new(seed=1, seats=4, homes="seated", acclamation="off")
    s = game.position
    even = [chance(prospect(s, game.box, seat)) for seat in range(4)]
    assert 0.9 < sum(even) < 1.1 and all(0.2 < x < 0.3 for x in even)
    s.units[1][s.emperor[1]][0] = 0
    settle(s, game.box, frozenset())
    after = [chance(prospect(s, game.box, seat)) for seat in range(4)]
    assert after[1] < even[1] - 0.02 and all(after[seat] > even[seat] for seat in (0, 2, 3))


def test_one_army_that_is_gathered_promises_more_than_two() -> None:
    game = TITLE.new(seed=1, seats=2, homes="seated", acclamation="off")
    s = game.position
    near, far = PLACES["baetica"], PLACES["lusitania"]
    found = []
    for here in (6, 12):
        s.generals[0][s.emperor[0]] = 2
        for p, units, generals in ((near, here, 1 + here // 12), (far, 12 - here, 1 - here // 12)):
            s.units[0][p][0], s.generals[0][p] = units, generals
        settle(s, game.box, frozenset())
        found.append(assault(s, game.box, 0, False))
    assert 0 < found[0] < found[1]
