"""PettingZoo's own tests on every title, on all numbers of seats and all boards."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

from conftest import all_titles
from ludus.adapters.common import ILLEGAL
from ludus.adapters.pettingzoo import env, raw_env
from ludus.core.errors import IllegalAction, LudusError, OptionError
from samples import LARGE, SMALL

# PettingZoo warns of observations that are a dict, though it asks for one where actions are masked.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def settings() -> list[tuple[str, dict[str, Any]]]:
    """Every title with every number of seats, and with every value of the options that make a board."""
    found: list[tuple[str, dict[str, Any]]] = []
    for title in all_titles():
        found += [(title.name, {"seats": seats}) for seats in title.seats]
        for option in title.options:
            if option.games or option.name == "board":
                found += [(title.name, {option.name: value, **dict(option.along)}) for value in option.values]
    return found


@pytest.mark.parametrize(("title", "setting"), settings(), ids=str)
def test_of_pettingzoo(title: str, setting: dict[str, Any]) -> None:
    api_test(env(title, **setting), num_cycles=20)
    seed_test(lambda: env(title, **setting), num_cycles=5)


@pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)
def test_pictures(title: Any) -> None:
    render_test(lambda render_mode: env(title.name, render_mode=render_mode))


def test_pictures_show_the_table() -> None:
    shown = env(LARGE, render_mode="ansi")
    shown.reset(seed=1)
    assert "sesterces" in shown.render()
    drawn = env(LARGE, render_mode="rgb_array")
    drawn.reset(seed=1)
    image = drawn.render()
    assert len(np.unique(image.reshape(-1, 3), axis=0)) == 2, "paper and ink"
    assert env(LARGE).unwrapped.render() is None


def test_rewards_are_those_of_the_result() -> None:
    game = env(SMALL, seats=3, rounds=1)
    game.reset(seed=3)
    rewards = {}
    for agent in game.agent_iter():
        seen, reward, over, cut, _ = game.last()
        assert not cut
        if over:
            rewards[agent] = reward
        game.step(None if over else int(seen["action_mask"].argmax()))
    raw = game.unwrapped
    assert raw.game.over
    assert sum(rewards.values()) == 0
    best = max(rewards.values())
    assert [p for p, a in enumerate(rewards) if rewards[a] == best] == list(raw.game.outcome.winners)


def test_an_illegal_action_ends_the_game_and_one_that_is_none_is_refused() -> None:
    game = env(SMALL)
    with pytest.raises(AttributeError, match="cannot be accessed before reset"):
        _ = game.agent_selection
    game.reset(seed=1)
    with pytest.raises(AssertionError, match="not in action space"):
        game.step(9999)
    first = game.agent_selection
    game.step(int(game.last()[0]["action_mask"].argmin()))
    assert all(game.terminations.values())
    assert game.rewards[first] == ILLEGAL
    raw = raw_env(SMALL)
    raw.reset(seed=1)
    with pytest.raises(IllegalAction):
        raw.step(raw.setting.title.codes.size - 1)


def test_a_game_is_cut_off_after_so_many_actions() -> None:
    game = env(SMALL, max_cycles=3)
    game.reset(seed=1)
    acted = 0
    for _ in game.agent_iter():
        seen, reward, over, cut, _ = game.last()
        assert not over
        acted += not cut
        assert cut == (acted == 3 and not seen["action_mask"].any()), "nothing is legal any more"
        game.step(None if cut else int(seen["action_mask"].argmax()))
        assert reward == 0
    assert acted == 3


def test_games_after_one_seed_go_on_alike_and_differ_from_each_other() -> None:
    def beginnings(game: Any) -> list[bytes]:
        found = []
        for k in range(3):
            game.reset(seed=5 if k == 0 else None)
            found.append(game.last()[0]["observation"].tobytes())
        return found

    one = beginnings(env(LARGE))
    assert one == beginnings(env(LARGE))
    assert len(set(one)) == 3


def test_whole_numbers_instead_of_real_ones_and_an_environment_that_is_sent_away() -> None:
    game = env(SMALL, observe="numbers")
    game.reset(seed=2)
    raw = game.unwrapped
    assert game.last()[0]["observation"].tolist() == raw.game.observation(raw.game.to_move)
    api_test(game, num_cycles=20)
    assert pickle.loads(pickle.dumps(raw)).metadata["name"] == raw.setting.versioned


def test_what_is_wrong_is_said_in_a_sentence() -> None:
    with pytest.raises(LudusError, match="observe is tensor or numbers, not 'pixels'"):
        env(SMALL, observe="pixels")
    with pytest.raises(LudusError, match="render_mode is human, ansi, rgb_array or None, not 'svg'"):
        env(SMALL, render_mode="svg")
    with pytest.raises(LudusError, match="has no small box 'x'; it has: three coins"):
        env(SMALL, small="x")
    with pytest.raises(LudusError, match="has its own seats and options"):
        env(SMALL, small="three coins", seats=2)
    with pytest.raises(OptionError):
        env(SMALL, seats=9)
