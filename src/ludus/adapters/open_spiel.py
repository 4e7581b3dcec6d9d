"""OpenSpiel: every title as a Python game, with explicit chance.

Importing this registers each title as `ludus_NAME`; its parameters are `players`, `form`, the title's
options, and `small` for one of its small boxes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pyspiel

from ludus import titles as registry
from ludus.bots import Chair, make_bot
from ludus.core.chance import CHANCE, OVER
from ludus.core.errors import LudusError
from ludus.core.game import Game
from ludus.core.information import Known
from ludus.core.option import Value
from ludus.core.title import Title

from .common import BoxedTitle, utilities

PREFIX = "ludus_"
FORMS = ("plain", "compiled")
OURS = ("players", "form", "small")  # parameters that are no option of a title
GameType = pyspiel.GameType


@dataclass(frozen=True)
class Wanted:
    """What the parameters of a game say."""

    title: str
    seats: int | None
    form: str
    small: str
    options: tuple[tuple[str, Value], ...]

    @classmethod
    def read(cls, title: Title[Any, Any], given: Mapping[str, Any]) -> Wanted:
        """LudusError says what is wrong with a parameter."""
        rest = {name: value for name, value in given.items() if name not in OURS}
        seats, options = title.read_setting(given.get("players") or None, rest)
        form, small = str(given.get("form", FORMS[0])), str(given.get("small", ""))
        if form not in FORMS:
            raise LudusError(f"form is {' or '.join(FORMS)}, not {form!r:.40}")
        return cls(title.name, None if small else seats, form, small, () if small else tuple(options.items()))

    @property
    def setting(self) -> BoxedTitle:
        return BoxedTitle.of(self.title, self.seats, dict(self.options), self.small)


class Held:
    """The game behind a state: copied at the price of its position, and written as what was played in it."""

    def __init__(self, wanted: Wanted, game: Game[Any, Any]) -> None:
        self.wanted, self.game = wanted, game

    def __deepcopy__(self, memo: Any) -> Held:
        return Held(self.wanted, self.game.fork())

    def __reduce__(self) -> Any:
        game = self.game
        return _restored, (self.wanted, game.start(), [p.code for p in game.line], dict(game.told))


def _restored(wanted: Wanted, start: bytes, codes: list[int], told: dict[int, Known]) -> Held:
    setting = wanted.setting
    game = Game(setting.title, setting.box, seed=0, form=wanted.form, chance="manual", start=start)
    game.told = told
    game.play(*codes)
    return Held(wanted, game)


class LudusGame(pyspiel.Game):  # type: ignore[misc]
    """A title with the seats and options of the parameters.  Each has a class of its own (`register`)."""

    title: ClassVar[str]
    game_type: ClassVar[Any]

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        found = registry.title(self.title)
        wanted = Wanted.read(found, params or {})
        self.setting = wanted.setting
        self.first = Held(wanted, self.setting.new(seed=0, form=wanted.form, chance="manual"))
        info = pyspiel.GameInfo(
            num_distinct_actions=found.codes.size,
            max_chance_outcomes=found.codes.size if found.has_chance else 0,
            num_players=self.setting.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=found.length,
        )
        super().__init__(self.game_type, info, dict(params or {}))

    def new_initial_state(self, text: str | None = None) -> LudusState:
        return LudusState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> LudusObserver:
        """What a seat may know: now, or with perfect recall all that it was told since the beginning."""
        if isinstance(iig_obs_type, dict):  # OpenSpiel leaves out the type where it means the usual one
            iig_obs_type, params = None, iig_obs_type
        if params:
            raise LudusError(f"observers of ludus take no parameters, not {params}")
        return LudusObserver(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))

    def max_chance_nodes_in_history(self) -> int:
        return self.setting.title.length if self.setting.title.has_chance else 0


class LudusState(pyspiel.State):  # type: ignore[misc]
    """A position with what led to it."""

    def __init__(self, game: LudusGame) -> None:
        super().__init__(game)
        self.held = deepcopy(game.first)

    @property
    def game(self) -> Game[Any, Any]:
        """The game of ours: views, texts, whatever OpenSpiel has no word for."""
        return self.held.game

    def current_player(self) -> int:
        mover = self.game.to_move
        if mover == OVER:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if mover == CHANCE else mover

    def is_terminal(self) -> bool:
        return self.game.over

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.game.legal_codes())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        odds = [(action.code, weight) for action, weight in self.game.odds()]
        total = sum(weight for _, weight in odds)
        return [(code, weight / total) for code, weight in sorted(odds) if weight]

    def _apply_action(self, action: int) -> None:
        self.game.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.game.action(action).text

    def returns(self) -> list[float]:
        outcome = self.game.outcome
        return [0.0] * self.game.seats if outcome is None else utilities(outcome.returns)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> LudusState:
        """A state that a player could believe in: it has the same information state there.

        Its history begins here, for what was played before could tell what is hidden.  Bots of OpenSpiel that
        are written in Python find this by themselves; those in C++ cannot ask a Python game for it.
        """
        twin: LudusState = self.get_game().new_initial_state()
        seed = int(sampler() * 2**53)
        twin.held = Held(self.held.wanted, self.game.imagine(player, seed, remember=True))
        return twin

    def __str__(self) -> str:
        """The whole truth in short: what is asked for at every step must not grow with the history."""
        game = self.game
        mover = {CHANCE: "chance", OVER: "nobody"}.get(game.to_move, f"seat {game.to_move}")
        return (
            f"{game.title.name} after {len(game.line)} actions: {mover} to move, position {game.hash()[:32]}"
        )


class LudusObserver:
    """What a seat may know of a state, as OpenSpiel's observers tell it."""

    def __init__(self, game: LudusGame, wanted: pyspiel.IIGObservationType) -> None:
        if not wanted.public_info or wanted.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise LudusError("observers of ludus tell what one seat may know, public and private together")
        self.recall: bool = wanted.perfect_recall
        self.observer = game.first.game.observer
        self.tensor = None if self.recall else np.zeros(self.observer.tensor_size, np.float32)
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: LudusState, player: int) -> None:
        if self.tensor is not None:
            self.tensor[:] = state.game.tensor(max(player, 0))

    def string_from(self, state: LudusState, player: int) -> str:
        if self.recall:
            return state.game.information_state(player)
        told = zip(self.observer.names, state.game.observation(player), strict=True)
        return ", ".join(f"{name} {value}" for name, value in told if value)


class LudusBot(pyspiel.Bot):  # type: ignore[misc]
    """One of our bots at a table of OpenSpiel; it sees what its seat may see."""

    def __init__(self, name: str, game: LudusGame, player: int, seed: int = 0) -> None:
        super().__init__()
        self.bot = make_bot(name, game.setting.title)
        self.player, self.seed = player, seed
        self.restart()

    def restart(self) -> None:
        self.memory: dict[str, Any] = {}

    def restart_at(self, state: LudusState) -> None:
        self.restart()

    def inform_action(self, state: LudusState, player: int, action: int) -> None:
        """What others do it sees when it is to move."""

    def step(self, state: LudusState) -> int:
        chair = Chair(state.game, self.player, self.seed, self.bot.budget, self.memory)
        return self.bot.choose(chair).code


# -- registering ------------------------------------------------------------------------------------------


def type_of(title: Title[Any, Any]) -> Any:
    """What OpenSpiel is told of a title."""
    parameters = {"players": 0, "form": FORMS[0], "small": ""}
    for option in title.options:
        parameters[option.name] = title.simulation.get(option.name, option.default)
    return GameType(
        short_name=PREFIX + title.name,
        long_name=f"Ludus {title.words.say('en', 'name')} v{title.version}",
        dynamics=GameType.Dynamics.SEQUENTIAL,
        chance_mode=GameType.ChanceMode.EXPLICIT_STOCHASTIC
        if title.has_chance
        else GameType.ChanceMode.DETERMINISTIC,
        information=GameType.Information.IMPERFECT_INFORMATION
        if title.hides_something
        else GameType.Information.PERFECT_INFORMATION,
        utility=GameType.Utility.ZERO_SUM,
        reward_model=GameType.RewardModel.TERMINAL,
        max_num_players=max(title.seats),
        min_num_players=min(title.seats),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


def register() -> list[str]:
    """Tell OpenSpiel of every title that can be loaded; their names."""
    known, names = set(pyspiel.registered_names()), []
    for title in registry.sound_titles("en"):
        names.append(PREFIX + title.name)
        if names[-1] not in known:
            # A class, because OpenSpiel lets go of what it was given only after Python has ended.
            game_type = type_of(title)
            made = type(names[-1], (LudusGame,), {"title": title.name, "game_type": game_type})
            pyspiel.register_game(game_type, made)
    return names


register()
