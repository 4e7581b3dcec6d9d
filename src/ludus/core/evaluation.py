"""What an evaluation of a position says (`Title.evaluate`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .game import Action


@dataclass(frozen=True)
class ActionChance:
    """What an action comes to for the seat to move; `plan`: with what it would best go on in its turn."""

    action: Action
    chance: float
    doubt: float  # about one standard error
    plan: tuple[Action, ...]


@dataclass(frozen=True)
class Evaluation:
    """Chances of all seats, which sum up to 1, and of the actions, the best first.

    `by` says who judged (net, value or rollouts); `rough` that its chances were never compared with
    the results of games.
    """

    chances: tuple[float, ...]
    doubt: float  # about one standard error of each
    actions: tuple[ActionChance, ...]
    by: str
    rough: bool
