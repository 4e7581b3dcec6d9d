"""Other people's games, played at random and counted as ours are.

Each peer runs in the fastest loop that it offers.  Decisions are those of players; what chance does
is in the time and not in the count, except where `how` says otherwise.  Other games are other work:
the figures compare orders of magnitude.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from time import perf_counter
from typing import Any


@dataclass(frozen=True)
class Sample:
    """How much was done in how much time."""

    count: float
    seconds: float

    @property
    def rate(self) -> float:
        return self.count / self.seconds


Play = Callable[[float], Sample]
"""Plays whole games for about so many seconds."""


@dataclass(frozen=True)
class Peer:
    """Somebody else's game: the module and the distribution it comes from, and how it is played."""

    name: str
    module: str
    package: str
    loop: str
    make: Callable[[], Play]

    def missing(self) -> str:
        """Why it cannot be measured, or ""."""
        if find_spec(self.module) is None:
            return "not installed"
        try:
            import_module(self.module)
        except Exception as error:  # foreign binaries fail in their own ways
            return f"cannot be imported: {error!r:.80}"
        return ""

    def how(self) -> str:
        try:
            return f"{self.package} {version(self.package)}, {self.loop}"
        except PackageNotFoundError:
            return f"{self.package}, {self.loop}"


def _until(seconds: float, game: Callable[[], Sample]) -> Sample:
    """Games one after the other; only the time that they say they took counts."""
    count, spent, start = 0.0, 0.0, perf_counter()
    while True:
        played = game()
        count, spent = count + played.count, spent + played.seconds
        if perf_counter() - start >= seconds:
            return Sample(count, spent)


# -- OpenSpiel ----------------------------------------------------------------------------------------

DEALS = 20
ROLLOUTS = 20  # a call of the search bot
SAMPLES = 20  # games from each deal that tell how many decisions a rollout has


def _players_actions(state: Any) -> int:
    return sum(step.player >= 0 for step in state.full_history())


def _random_bots(game: Any) -> list[Any]:
    import pyspiel

    return [pyspiel.make_uniform_random_bot(p, p + 1) for p in range(game.num_players())]


def spiel_games(name: str) -> Play:
    """Whole games from the deal on, `evaluate_bots` with random bots: one C++ loop a game."""
    import pyspiel

    game = pyspiel.load_game(name)
    bots, root = _random_bots(game), game.new_initial_state()
    seeds = random.Random(1)

    def play_one() -> Sample:
        start = perf_counter()
        state = root.clone()  # a new state of gin_rummy takes longer than a game of it
        pyspiel.evaluate_bots(state, bots, seeds.getrandbits(31))
        spent = perf_counter() - start
        return Sample(_players_actions(state), spent)

    return partial(_until, game=play_one)


def _dealt(game: Any, chooser: random.Random) -> Any:
    """A position in which the first player is to move."""
    state = game.new_initial_state()
    while state.is_chance_node():
        outcomes, odds = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(chooser.choices(outcomes, odds)[0])
    return state


def spiel_rollouts(name: str) -> Play:
    """The rollouts of its search bot, a C++ loop without bots, from dealt positions.

    The search cannot begin where chance is to move, so the deal is left out.  It does not say how
    many decisions it made either: that is the mean over a few hundred games of the same deals.
    """
    import pyspiel

    game = pyspiel.load_game(name)
    chooser = random.Random(1)
    deals = [_dealt(game, chooser) for _ in range(DEALS)]
    decisions = [_mean_decisions(game, deal) for deal in deals]
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1)
    search = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 100, False, 1, False)
    turn = 0

    def play_some() -> Sample:
        nonlocal turn
        turn = (turn + 1) % DEALS
        start = perf_counter()
        search.mcts_search(deals[turn])
        return Sample(decisions[turn] * ROLLOUTS, perf_counter() - start)

    return partial(_until, game=play_some)


def _mean_decisions(game: Any, deal: Any) -> float:
    import pyspiel

    bots, total = _random_bots(game), 0
    for seed in range(SAMPLES):
        state = deal.clone()
        pyspiel.evaluate_bots(state, bots, seed)
        total += _players_actions(state)
    return total / SAMPLES


# -- catanatron -----------------------------------------------------------------------------------------


def catan_games() -> Play:
    """Two of its random players, its own loop; a roll of the dice is an action of a player there."""
    from catanatron.game import Game
    from catanatron.models.player import Color, RandomPlayer

    seeds = random.Random(1)

    def play_one() -> Sample:
        start = perf_counter()
        game = Game([RandomPlayer(Color.RED), RandomPlayer(Color.BLUE)], seed=seeds.getrandbits(31) + 1)
        game.play()
        spent = perf_counter() - start
        state = game.state
        log = state.actions if hasattr(state, "actions") else state.action_records
        return Sample(len(log), spent)

    return partial(_until, game=play_one)


# -- python-chess -----------------------------------------------------------------------------------------


def chess_games() -> Play:
    """Random moves from its legal list to the end of the game, by the rules that end it by themselves."""
    import chess

    chooser = random.Random(1)

    def play_one() -> Sample:
        start = perf_counter()
        board = chess.Board()
        while moves := list(board.legal_moves):
            if board.is_insufficient_material() or board.halfmove_clock >= 150:
                break
            if board.is_fivefold_repetition():
                break
            board.push(moves[int(chooser.random() * len(moves))])
        return Sample(len(board.move_stack), perf_counter() - start)

    return partial(_until, game=play_one)


# -- all of them --------------------------------------------------------------------------------------------

_WHOLE = "whole games inside its C++ loop (evaluate_bots with uniform random bots)"
_ROLLOUTS = "rollouts inside its C++ search (MCTSBot) from dealt positions; the deal is not timed"
_PYTHON = "a library in Python: "


def all_peers() -> list[Peer]:
    """Everybody that `ludus bench engine --peers` knows, installed or not."""
    peers = []
    for name in ("hearts", "gin_rummy", "backgammon"):
        label = f"open_spiel {name}"
        peers.append(Peer(label, "pyspiel", "open_spiel", _WHOLE, partial(spiel_games, name)))
        peers.append(
            Peer(f"{label} rollouts", "pyspiel", "open_spiel", _ROLLOUTS, partial(spiel_rollouts, name))
        )
    peers.append(
        Peer(
            "catanatron", "catanatron", "catanatron", _PYTHON + "its own loop, 2 random players", catan_games
        )
    )
    peers.append(Peer("python-chess", "chess", "chess", _PYTHON + "legal_moves and push", chess_games))
    return peers
