"""Gymnasium's own tests on every title, and many games of one seat side by side."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from conftest import all_titles
from ludus.adapters.common import ILLEGAL, utilities
from ludus.adapters.gymnasium import SeatEnv, SeatVectorEnv, make_id, register
from ludus.bots import make_bot
from ludus.core.errors import LudusError
from ludus.core.title import Title
from samples import LARGE, QUICK, SMALL

TITLES = pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)


def first_legal(env: SeatEnv) -> int:
    return int(env.action_masks().argmax())


@TITLES
def test_of_gymnasium(title: Title[Any, Any]) -> None:
    check_env(gymnasium.make(make_id(title.name)).unwrapped)
    assert make_id(title.name) in register()


@TITLES
def test_a_game_against_bots(title: Title[Any, Any]) -> None:
    """At every step it is the seat's turn; legal actions are played for a while, or to the end."""
    env = SeatEnv(title.name, seat=None, **QUICK.get(title.name, {}))  # type: ignore[arg-type]
    seen, info = env.reset(seed=4)
    for _ in range(60):
        assert info["action_mask"].any()
        assert info["seat"] == env.game.to_move == env.seat
        assert env.observation_space.contains(seen)
        seen, reward, over, cut, info = env.step(env.action_space.sample(info["action_mask"]))
        assert not cut
        if over:
            assert reward == utilities(info["results"])[env.seat]
            break
        assert reward == 0


def test_an_illegal_action_loses_at_once_and_says_so() -> None:
    env = SeatEnv(SMALL)
    _, info = env.reset(seed=1)
    _, reward, over, cut, info = env.step(int(info["action_mask"].argmin()))
    assert (reward, over, cut) == (ILLEGAL, True, False)
    assert "is not legal" in info["illegal"]
    with pytest.raises(LudusError, match="call reset"):
        env.step(0)


def test_the_same_seed_gives_the_same_games_and_another_seat_is_drawn() -> None:
    def course(seed: int) -> list[Any]:
        env = SeatEnv(LARGE, seat=None)
        found = []
        for k in range(3):
            seen, _ = env.reset(seed=seed if k == 0 else None)
            found.append((env.seat, seen.tobytes()))
            for _ in range(3):
                seen = env.step(first_legal(env))[0]
            found.append((env.seat, seen.tobytes()))
        return found

    assert course(3) == course(3) != course(4)
    assert {seat for seat, _ in course(3)} == {0, 1}


def test_bots_by_name_or_themselves() -> None:
    title = SeatEnv(SMALL).setting.title
    miles = make_bot("miles", title)
    env = SeatEnv(SMALL, seats=3, seat=1, bots=["tiro", miles])
    assert [type(bot).__name__ for bot in env.bots] == ["Tiro", "Miles"]
    assert env.bots[1] is miles
    with pytest.raises(LudusError, match="2 other seats need 2 bots, not 1"):
        SeatEnv(SMALL, seats=3, bots=["tiro"])
    with pytest.raises(LudusError, match="there is no seat 2; seats are 0 to 1"):
        SeatEnv(SMALL, seat=2)
    with pytest.raises(LudusError, match="render_mode is"):
        SeatEnv(SMALL, render_mode="svg")


def test_the_table_is_shown_as_the_seat_sees_it() -> None:
    env = SeatEnv(LARGE, render_mode="ansi")
    env.reset(seed=1)
    assert env.render() != SeatEnv(LARGE, render_mode="ansi").render()


# -- many games -------------------------------------------------------------------------------------------


def vector(n: int = 6, **given: Any) -> SeatVectorEnv:
    return SeatVectorEnv(SMALL, n, form="plain", **given)


def course(env: SeatVectorEnv, steps: int, seed: int = 7) -> list[Any]:
    seen, info = env.reset(seed=seed)
    found = [seen]
    for _ in range(steps):
        assert (env.vector.now.seat == env.seats).all(), "everywhere it is the turn of the seat that learns"
        assert env.observation_space.contains(seen)
        seen, rewards, over, _, info = env.step(info["action_mask"].argmax(axis=1))
        found += [seen, rewards, over]
    return found


def test_a_vector_goes_the_same_way_for_the_same_seed() -> None:
    one, two = course(vector(seats=3), 30), course(vector(seats=3), 30)
    assert all((a == b).all() for a, b in zip(one, two, strict=True))
    compiled = SeatVectorEnv(SMALL, 6, form="compiled", seats=3)
    assert all(np.allclose(a, b, atol=1e-6) for a, b in zip(one, course(compiled, 30), strict=True))
    other = course(vector(seats=3), 30, seed=8)
    assert not all((a == b).all() for a, b in zip(one, other, strict=True))


def test_games_that_end_bring_their_reward_and_are_followed_by_others() -> None:
    env = vector(seat=None, rounds=1)
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert env.seats.tolist() == [0, 1, 0, 1, 0, 1]
    _, info = env.reset(seed=1)
    ends = 0
    for _ in range(20):
        seen, rewards, over, cut, info = env.step(info["action_mask"].argmax(axis=1))
        assert not cut.any()
        assert not rewards[~over].any()
        for i in np.flatnonzero(over):
            ends += 1
            assert rewards[i] == utilities(info["results"][i].tolist())[env.seats[i]]
            assert info["final_obs"].shape == seen.shape
            assert not info["illegal"][i]
    assert ends > 20


def test_an_illegal_action_loses_one_game_and_leaves_the_others() -> None:
    env = vector()
    _, info = env.reset(seed=1)
    codes = info["action_mask"].argmax(axis=1)
    codes[2] = 9999
    _, rewards, over, _, info = env.step(codes)
    assert over.tolist() == [False, False, True, False, False, False]
    assert rewards[2] == ILLEGAL
    assert info["illegal"].tolist() == over.tolist()
    assert (env.vector.now.seat == env.seats).all()


def test_opponents_are_asked_for_the_games_in_which_they_are_to_move() -> None:
    asked = []

    def last(observations: Any, masks: Any) -> Any:
        """The legal action with the greatest code."""
        asked.append(len(masks))
        assert (observations[:, 1] == 1).all(), "what seat 1 may know"
        assert (observations[:, 0] == 0).all(), "it is its own turn"
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)

    env = vector(opponents=last, observe="numbers")
    course(env, 20)
    assert set(asked) <= set(range(1, 7))
    assert len(asked) > 10


def test_gymnasium_makes_a_vector_by_its_name() -> None:
    made = gymnasium.make_vec(make_id(SMALL), 3, "vector_entry_point", form="plain", small="three coins")
    seen, _ = made.reset(seed=1)
    assert seen.shape[0] == 3
    with pytest.raises(LudusError, match="one seed in common"):
        made.reset(seed=[1, 2, 3])
    made.close()
