"""OpenSpiel's own tests and bots on every title."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation

from conftest import all_titles
from ludus.adapters.open_spiel import PREFIX, LudusBot
from ludus.core.errors import LudusError
from ludus.core.title import Title
from samples import BARE, LARGE, QUICK, SMALL

TITLES = pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)
FEW, SHORT = 3, 10  # simulations of a search, and how far each is played at random
ACTIONS = 200  # of a game between bots, where it is not over before


def load(title: str, **given: Any) -> Any:
    """A game by the text of its parameters; quickly over where nothing else is said."""
    wanted = given or QUICK.get(title, {})
    return pyspiel.load_game(f"{PREFIX}{title}({','.join(f'{k}={v}' for k, v in wanted.items())})")


def after(game: Any, seed: int, actions: int) -> Any:
    """A state after some random actions, at which a player is to choose."""
    rng, state = np.random.RandomState(seed), game.new_initial_state()
    for _ in range(actions):
        step_at_random(state, rng)
    while state.is_chance_node():
        step_at_random(state, rng)
    return state


def step_at_random(state: Any, rng: np.random.RandomState) -> None:
    if state.is_chance_node():
        codes, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choice(codes, p=chances))
    elif not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))


@TITLES
def test_of_open_spiel(title: Title[Any, Any]) -> None:
    pyspiel.random_sim_test(load(title.name), num_sims=1, serialize=True, verbose=False)


@TITLES
def test_all_numbers_of_players(title: Title[Any, Any]) -> None:
    for players in title.seats:
        game = load(title.name, players=players)
        state = after(game, players, 12)
        assert game.num_players() == players
        assert sorted(state.legal_actions()) == state.legal_actions() == sorted(state.game.legal_codes())
        assert len(state.observation_tensor(players - 1)) == state.game.observer.tensor_size
        assert state.information_state_string(1) == state.game.information_state(1)


def play(game: Any, bots: list[Any]) -> Any:
    rng, state = np.random.RandomState(5), game.new_initial_state()
    while not state.is_terminal() and state.move_number() < ACTIONS:
        if state.is_chance_node():
            step_at_random(state, rng)
        else:
            state.apply_action(bots[state.current_player()].step(state))
    return state


@TITLES
def test_searches_of_open_spiel_play_against_ours(title: Title[Any, Any]) -> None:
    game = load(title.name)
    rng = np.random.RandomState(3)
    evaluator = mcts.RandomRolloutEvaluator(1, rng, SHORT)
    others = [LudusBot("tiro", game, player, seed=1) for player in range(1, game.num_players())]
    searches = [mcts.MCTSBot(game, 2, FEW, evaluator, random_state=rng)]
    if title.hides_something:
        searches.append(ismcts.ISMCTSBot(game, evaluator, 2.0, FEW, random_state=rng))
    for search in searches:
        state = play(game, [search, *others])
        assert state.is_terminal() or state.move_number() == ACTIONS
        assert sum(state.returns()) == pytest.approx(0)


def test_our_bots_are_evaluated_by_theirs() -> None:
    game = load(SMALL)
    bots = [LudusBot("tiro", game, 0), pyspiel.make_uniform_random_bot(1, 3)]
    assert sum(pyspiel.evaluate_bots(game.new_initial_state(), bots, 7)) == 0


def test_what_a_player_believes_is_what_it_was_told() -> None:
    """The others hold something else, the player knows the same; and afterwards it is told the same."""
    game = load(LARGE, players=2)
    state = after(game, 4, 60)
    player = state.current_player()
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    twins = [state.resample_from_infostate(player, sampler) for _ in range(8)]
    for twin in twins:
        assert twin.information_state_string(player) == state.information_state_string(player)
        assert twin.observation_string(player) == state.observation_string(player)
        assert twin.legal_actions() == state.legal_actions()
        assert twin.history() == [], "what was played before could tell what is hidden"
    assert len({str(twin) for twin in twins}) > 1
    twin = pickle.loads(pickle.dumps(twins[0]))
    for fresh in (twins[0], twin):
        fresh.apply_action(fresh.legal_actions()[0])
    told = twins[0].information_state_string(player)
    assert told == twin.information_state_string(player), "written with what it was told before"
    assert told.startswith(state.information_state_string(player).split(" | ")[0])


def test_states_are_written_and_read_and_copied_apart() -> None:
    game = load(LARGE, players=2)
    state = after(game, 1, 30)
    again = game.deserialize_state(state.serialize())
    assert str(again) == str(state)
    assert again.information_state_string(0) == state.information_state_string(0)
    twin = state.clone()
    twin.apply_action(twin.legal_actions()[0])
    assert str(again) == str(state) != str(twin)
    assert str(pyspiel.load_game(str(game))) == str(game)


def test_observers_tell_what_a_seat_may_know() -> None:
    game = load(SMALL)
    state = after(game, 2, 6)
    now, all_told = make_observation(game), make_observation(game, INFO_STATE_OBS_TYPE)
    now.set_from(state, 1)
    assert now.tensor.tolist() == pytest.approx(state.game.tensor(1), abs=1e-6)
    assert "seat 1" in now.string_from(state, 1)
    assert all_told.string_from(state, 1) == state.game.information_state(1)
    assert all_told.tensor is None
    everything = pyspiel.IIGObservationType(True, False, pyspiel.PrivateInfoType.ALL_PLAYERS)
    with pytest.raises(LudusError, match="what one seat may know"):
        make_observation(game, everything)
    with pytest.raises(LudusError, match="take no parameters"):
        make_observation(game, params={"x": 1})


def test_what_open_spiel_is_told_of_titles() -> None:
    kinds = pyspiel.GameType
    hidden, bare = load(LARGE).get_type(), load(BARE).get_type()
    assert hidden.information == kinds.Information.IMPERFECT_INFORMATION
    assert hidden.chance_mode == kinds.ChanceMode.EXPLICIT_STOCHASTIC
    assert bare.information == kinds.Information.PERFECT_INFORMATION
    assert bare.chance_mode == kinds.ChanceMode.DETERMINISTIC
    assert load(BARE).max_chance_nodes_in_history() == 0 < load(LARGE).max_chance_nodes_in_history()


def test_wrong_parameters_are_refused() -> None:
    with pytest.raises(LudusError, match="form is plain or compiled, not 'wild'"):
        load(SMALL, form="wild")
    with pytest.raises(LudusError, match="is for 2 to 6 seats, not 9"):
        load(SMALL, players=9)
    with pytest.raises(LudusError, match="option rounds cannot be 0"):
        load(SMALL, rounds=0)
