"""PettingZoo: a title for several learning agents, one after the other (AEC)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ludus.core.errors import LudusError

from .common import ILLEGAL, BoxedTitle, Lens, Seeds, mask_of, utilities
from .rendering import MODES, image_of, text_of

FACTS: dict[str, Any] = {"render_modes": list(MODES), "is_parallelizable": False, "render_fps": 2}


def env(
    title: str, seats: int | None = None, render_mode: str | None = None, max_cycles: int = 0, **options: Any
) -> Any:
    """A title with the usual wrappers: an action that is not legal ends the game, with a loss for its seat;
    one that does not exist, or one before `reset`, is refused."""
    raw = raw_env(title, seats, render_mode, max_cycles, **options)
    return wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(raw, illegal_reward=ILLEGAL))
    )


class raw_env(AECEnv, EzPickle):  # type: ignore[misc]  # noqa: N801 - PettingZoo calls it so
    """A title without wrappers.

    `max_cycles` is after how many actions of all seats a game is cut off, 0 where the title says it;
    `observe` is "tensor" or "numbers" (`Lens`), `form` that of the rules, `small` a small box of the title.
    """

    metadata = FACTS

    def __init__(
        self,
        title: str,
        seats: int | None = None,
        render_mode: str | None = None,
        max_cycles: int = 0,
        observe: str = "tensor",
        form: str = "plain",
        small: str = "",
        **options: Any,
    ) -> None:
        EzPickle.__init__(self, title, seats, render_mode, max_cycles, observe, form, small, **options)
        super().__init__()
        if render_mode is not None and render_mode not in MODES:
            raise LudusError(f"render_mode is {', '.join(MODES)} or None, not {render_mode!r:.40}")
        self.setting = BoxedTitle.of(title, seats, options, small)
        self.metadata = {**FACTS, "name": self.setting.versioned}
        self.render_mode, self.max_cycles, self.form = render_mode, max_cycles, form
        self.game = self.setting.new(seed=0, form=form)
        self.lens = Lens(self.game.observer, observe)
        self.possible_agents = [f"seat_{p}" for p in range(self.setting.seats)]
        codes, (low, high) = self.setting.title.codes.size, self.lens.bounds
        self.action_spaces = {agent: spaces.Discrete(codes) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(low, high, dtype=self.lens.dtype),
                    "action_mask": spaces.Box(0, 1, (codes,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._seeds = Seeds(None)

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game; without a seed the next one after that of the last seed."""
        if seed is not None:
            self._seeds = Seeds(seed)
        self.game = self.setting.new(self._seeds.next(), self.form)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.cycles = 0
        self.agent_selection = self._mover()
        self._show()

    def observe(self, agent: str) -> dict[str, npt.NDArray[Any]]:
        seat = self.possible_agents.index(agent)
        mask = mask_of(self.game, seat)
        if any(self.truncations.values()):
            mask[:] = 0
        return {"observation": self.lens.look(self.game, seat), "action_mask": mask}

    def step(self, action: Any) -> None:
        """Play a code for the seat to move; IllegalAction where it is not legal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.game.apply(int(action))
        self.cycles += 1
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self.game.outcome is not None:
            won = utilities(self.game.outcome.returns)
            self.rewards = dict(zip(self.agents, won, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.cycles >= (self.max_cycles or self.setting.title.length):
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self._mover()
        self._accumulate_rewards()
        self._deads_step_first()
        self._show()

    def _mover(self) -> str:
        return self.possible_agents[self.game.to_move]

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """The table as everybody may see it: "ansi" as text, "rgb_array" as an image; "human" prints it."""
        if self.render_mode is None:
            return None
        text = text_of(self.game)
        if self.render_mode == "rgb_array":
            return image_of(text)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Nothing is held open."""
