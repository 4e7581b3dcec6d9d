"""Gymnasium: one seat of a title that learns, against bots; and many such games side by side.

Importing this registers every title as `ludus/NAME-vVERSION`, the version being that of its rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ludus import titles as registry
from ludus.bots import Bot, Chair, make_bot
from ludus.core.chance import OVER
from ludus.core.errors import IllegalAction, LudusError
from ludus.core.loops import BEGIN, ENDED, WAIT
from ludus.core.vector import Vector

from .common import ILLEGAL, BoxedTitle, Lens, Seeds, mask_of, utilities
from .rendering import MODES, image_of, text_of

Array = npt.NDArray[Any]
Opponents = Callable[[Array, Array], Array]
"""(observations, masks), a row each for every game in which another seat is to move: a code for each."""


class SeatEnv(gymnasium.Env[Array, int]):  # type: ignore[misc]
    """One seat of a title; bots play the others.

    `seat` is which one learns, None for another one in every game.  `bots` is who plays against it: a name
    for all, or one for each of the others in the order of seats, as names or as bots.  An action that is not
    legal loses at once, and `info["illegal"]` says why; `info["action_mask"]` has what is legal.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(MODES), "render_fps": 2}

    def __init__(
        self,
        title: str,
        seats: int | None = None,
        seat: int | None = 0,
        bots: str | Bot | Sequence[str | Bot] = "tiro",
        render_mode: str | None = None,
        observe: str = "tensor",
        form: str = "plain",
        small: str = "",
        **options: Any,
    ) -> None:
        if render_mode is not None and render_mode not in MODES:
            raise LudusError(f"render_mode is {', '.join(MODES)} or None, not {render_mode!r:.40}")
        self.setting = BoxedTitle.of(title, seats, options, small)
        _check_seat(self.setting, seat)
        self.render_mode, self.form, self._wanted = render_mode, form, seat
        self.bots = self._invited(bots)
        self.game = self.setting.new(seed=0, form=form)
        self.lens = Lens(self.game.observer, observe)
        low, high = self.lens.bounds
        self.observation_space = spaces.Box(low, high, dtype=self.lens.dtype)
        self.action_space = spaces.Discrete(self.setting.title.codes.size)
        self.seat, self._lost = seat or 0, True

    def _invited(self, bots: str | Bot | Sequence[str | Bot]) -> list[Bot]:
        others = self.setting.seats - 1
        wanted = [bots] * others if isinstance(bots, str | Bot) else list(bots)
        if len(wanted) != others:
            raise LudusError(f"{others} other seats need {others} bots, not {len(wanted)}")
        made = {name: make_bot(name, self.setting.title) for name in wanted if isinstance(name, str)}
        return [made[bot] if isinstance(bot, str) else bot for bot in wanted]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """A new game, played by the bots until this seat is to move for the first time."""
        super().reset(seed=seed)
        seeds = Seeds(int(self.np_random.integers(2**63)))
        self._begin(seeds)
        while self.game.over:  # won before this seat was ever to move: nothing to learn from
            self._begin(seeds)
        self._show()
        return self.lens.look(self.game, self.seat), self._info()

    def _begin(self, seeds: Seeds) -> None:
        if self._wanted is None:
            self.seat = seeds.next() % self.setting.seats
        self.game = self.setting.new(seeds.next(), self.form)
        self._chair_seed = seeds.next()
        self._memories: dict[int, dict[str, Any]] = {}
        self._lost = False
        self._others_play()

    def step(self, action: int) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Play a code, then the bots; the reward is that of the result, when the game is over."""
        if self._lost or self.game.to_move != self.seat:
            raise LudusError("no game is going on: call reset")
        try:
            self.game.apply(int(action))
        except IllegalAction as error:
            self._lost = True
            info = {**self._info(), "illegal": str(error)}
            return self.lens.look(self.game, self.seat), ILLEGAL, True, False, info
        self._others_play()
        self._show()
        outcome = self.game.outcome
        reward = 0.0 if outcome is None else utilities(outcome.returns)[self.seat]
        truncated = outcome is None and self.game.to_move != self.seat
        return self.lens.look(self.game, self.seat), reward, outcome is not None, truncated, self._info()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """What is legal now, as sb3-contrib's MaskablePPO asks for it."""
        return mask_of(self.game, self.seat).astype(np.bool_)

    def _others_play(self) -> None:
        """Until this seat is to move, the game is over, or as long as a game of the title can last."""
        game = self.game
        while game.to_move not in (self.seat, OVER) and len(game.line) < self.setting.title.length:
            mover = game.to_move
            bot = self.bots[mover - (mover > self.seat)]
            memory = self._memories.setdefault(mover, {})
            chair = Chair(game, mover, self._chair_seed + mover, bot.budget, memory)
            game.apply(bot.choose(chair).code)

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": mask_of(self.game, self.seat), "seat": self.seat}
        if self.game.outcome is not None:
            info["results"] = list(self.game.outcome.returns)
        return info

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """The table as this seat sees it: "ansi" as text, "rgb_array" as an image; "human" prints it."""
        if self.render_mode is None:
            return None
        text = text_of(self.game, self.seat)
        if self.render_mode == "rgb_array":
            return image_of(text)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        for bot in self.bots:
            bot.close()


def random_legal(rng: np.random.Generator) -> Opponents:
    """Opponents that play any legal action."""
    return lambda observations, masks: (rng.random(masks.shape, np.float32) * masks).argmax(axis=1)


class SeatVectorEnv(VectorEnv):  # type: ignore[misc]
    """Many games side by side (`title.vector`), one seat of each learns.

    With `seat=None` game i is played from seat i % seats.  `opponents` plays the others (`Opponents`).  A
    game that is over is followed by the next one in the same step: `info["final_obs"]` is then what the seat
    saw last when it was to move, `info["results"]` how all seats did.  An action that is not legal loses at
    once (`info["illegal"]`).
    """

    def __init__(
        self,
        title: str,
        num_envs: int = 1,
        seats: int | None = None,
        seat: int | None = 0,
        opponents: Opponents | None = None,
        observe: str = "tensor",
        form: str = "auto",
        threads: int = 0,
        small: str = "",
        **options: Any,
    ) -> None:
        self.setting = BoxedTitle.of(title, seats, options, small)
        _check_seat(self.setting, seat)
        found = self.setting.title
        self.vector = Vector(found, self.setting.box, num_envs, form=form, threads=threads)
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}
        self.lens = Lens(self.vector.observer, observe)
        low, high = self.lens.bounds
        self.single_observation_space = spaces.Box(low, high, dtype=self.lens.dtype)
        self.single_action_space = spaces.Discrete(found.codes.size)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.seats = np.arange(num_envs) % self.setting.seats if seat is None else np.full(num_envs, seat)
        self._given = opponents
        self._opponents = opponents or random_legal(np.random.default_rng())
        self._tensor = np.zeros((num_envs, self.lens.size), np.float32) if observe == "tensor" else None
        self._last: Array = np.zeros((num_envs, self.lens.size), self.lens.dtype)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """New games of a seed, each at the first choice of the seat that learns."""
        if seed is not None and not isinstance(seed, int):
            raise LudusError("the games of a vector have one seed in common")
        super().reset(seed=seed)
        self.vector.seed = int(self.np_random.integers(2**62))
        if self._given is None:
            self._opponents = random_legal(self.np_random)
        self.vector.start()
        self._others_play(self._no_results())
        self._last = self._observed().copy()
        return self._last.copy(), {"action_mask": self.vector.now.mask.copy()}

    def step(self, actions: npt.ArrayLike) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """Play a code in each game, then the others."""
        codes = np.array(actions, np.int64)
        now, rows = self.vector.now, np.arange(self.num_envs)
        known = (codes >= 0) & (codes < self.vector.size)
        illegal = ~(known & (now.mask[rows, np.where(known, codes, 0)] > 0))
        codes[illegal] = BEGIN
        told = self._no_results()
        self._note(self.vector.step(codes), told)
        self._others_play(told)
        told["rewards"][illegal], told["ended"][illegal] = ILLEGAL, ENDED
        over = told["ended"] > 0
        info: dict[str, Any] = {"action_mask": now.mask.copy()}
        if over.any():
            info.update(final_obs=self._last, _final_obs=over, results=told["results"], _results=over)
            info.update(illegal=illegal, _illegal=over)
        self._last = self._observed().copy()
        terminated = told["ended"] == ENDED
        return self._last.copy(), told["rewards"], terminated, over & ~terminated, info

    def _no_results(self) -> dict[str, Array]:
        n = self.num_envs
        results = np.zeros((n, self.setting.seats), np.int32)
        return {"rewards": np.zeros(n), "ended": np.zeros(n, np.int8), "results": results}

    def _note(self, now: Any, told: dict[str, Array]) -> None:
        """What the games that have ended in this sub-step bring; the first end of a place counts."""
        for i in np.flatnonzero((now.ended > 0) & (told["ended"] == 0)):
            told["ended"][i] = now.ended[i]
            if now.ended[i] == ENDED:
                told["results"][i] = now.results[i]
                told["rewards"][i] = utilities(now.results[i].tolist())[self.seats[i]]

    def _others_play(self, told: dict[str, Array]) -> None:
        """One action of another seat after the other, until the seat that learns is to move everywhere."""
        now = self.vector.now
        codes = np.empty(self.num_envs, np.int64)
        while (rows := np.flatnonzero(now.seat != self.seats)).size:
            seen = self._observed()[rows] if self._given is not None else now.observation
            codes[:] = WAIT
            codes[rows] = self._opponents(seen, now.mask[rows])
            self._note(self.vector.step(codes), told)

    def _observed(self) -> Array:
        return self.vector.now.observation if self._tensor is None else self.vector.tensor(self._tensor)

    def close_extras(self, **kwargs: Any) -> None:
        self.vector.close()


def _check_seat(setting: BoxedTitle, seat: int | None) -> None:
    if seat is not None and not 0 <= seat < setting.seats:
        raise LudusError(f"there is no seat {seat}; seats are 0 to {setting.seats - 1}")


def make_id(title: str) -> str:
    """The name under which Gymnasium knows a title."""
    return f"ludus/{title}-v{registry.title(title).version}"


def register() -> list[str]:
    """Tell Gymnasium of every title that can be loaded; their names."""
    names = []
    for title in registry.sound_titles("en"):
        names.append(make_id(title.name))
        if names[-1] not in gymnasium.registry:
            gymnasium.register(
                names[-1],
                entry_point=f"{__name__}:SeatEnv",
                vector_entry_point=f"{__name__}:SeatVectorEnv",
                kwargs={"title": title.name},
            )
    return names


register()
