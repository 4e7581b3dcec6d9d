"""Choices: positions with an obviously right or an obviously terrible thing to do, and what bots do there.

A title's folder `choices/` holds them as scenes.  A step that says `best` or `avoid` is put to the bot.  With
`expect` in the same step it is asked until that has come or its turn is over, dice and decks come as they
come, other seats answer by chance, and what it did by then is looked at.  `best` may be empty then, and
`play` tells one way to do it, which nobody plays for the bot.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludus.bots import Bot, Chair
from ludus.bots.random import Random
from ludus.core import compilation
from ludus.core.chance import CHANCE
from ludus.core.errors import LudusError
from ludus.core.expecting import problems, texts
from ludus.core.game import Game
from ludus.core.scene import play_step, read_scene, scene_files, set_up
from ludus.core.title import Title

WANTED = 0.95  # of the positions, from centurio up


@dataclass(frozen=True)
class Chosen:
    """What a bot did in one of the positions."""

    name: str
    played: str
    wrong: str  # "" when it was right


def files(title: Title[Any, Any]) -> list[Path]:
    """The positions of a title."""
    folder = title.folder / "choices"
    return scene_files(folder) if folder.is_dir() and any(folder.glob("*.toml")) else []


def put_to(title: Title[Any, Any], bot: Bot, seed: int = 1, form: str = "") -> list[Chosen]:
    """Let a bot choose in every position of a title, with compiled rules where there is a compiler."""
    found = files(title)
    if not found:
        raise LudusError(f"{title.name} has no positions to choose in: its folder has no choices/*.toml")
    form = form or ("compiled" if compilation.has_numba() else "plain")
    return [_ask(title, bot, path, form, seed) for path in found]


def _ask(title: Title[Any, Any], bot: Bot, path: Path, form: str, seed: int) -> Chosen:
    scene = read_scene(path, lambda name: title)
    game = set_up(scene, form)
    for step in scene.steps:
        if "best" in step or "avoid" in step:
            return _choose(game, bot, step, path.stem, seed)
        play_step(game, step)
    raise LudusError(f"{path}: no step says what would be best, or what to avoid")


def _choose(game: Game[Any, Any], bot: Bot, step: Mapping[str, Any], name: str, seed: int) -> Chosen:
    memory: dict[str, Any] = {}
    seat, played, others = game.to_move, list[str](), Random(game.title)
    for _ in range(200):
        chair = Chair(game, game.to_move, seed=seed, memory=memory if game.to_move == seat else None)
        action = (bot if chair.seat == seat else others).choose(chair)
        if chair.seat == seat:
            played.append(action.text)
        before = chair.turn
        game.apply(action.code)
        while "expect" in step and game.to_move == CHANCE and Chair(game, seat).turn == before:
            game.apply(game.draw())
        if "expect" not in step or game.to_move < 0 or Chair(game, seat).turn != before:
            break
        if game.to_move != seat and not any(problems(game, {"expect": step["expect"]})):
            break
    best, avoid = texts(step.get("best", ())), texts(step.get("avoid", ()))
    wrong = ""
    if best and played[0] not in best:
        wrong = f"best is {' or '.join(best)}"
    elif played[0] in avoid:
        wrong = "this is to be avoided"
    elif "expect" in step:
        wrong = "; ".join(problems(game, {"expect": step["expect"]}))
    return Chosen(name, ", ".join(played), wrong)
