"""Drawings: how the table of a title looks.

A drawing is the module `terminal.py` in a title's folder, with a function `draw(look, width, rows)`; all that
it needs of the platform stands here.  A title without one gets a table made from its view alone (`generic`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import RenderableType

from ludus import titles as registry
from ludus.core.game import Action, Game, View
from ludus.core.sight import Sight

from .screen import GLUE
from .speech import Speech

__all__ = ["GLUE", "Draw", "Drawing", "Look", "drawing_of", "look_at"]


@dataclass(frozen=True)
class Look:
    """All that a drawing may know: what one seat sees, in its words."""

    view: View
    sight: Sight[Any, Any]
    speech: Speech
    eye: int  # whose side is nearest; a seat, or SPECTATOR
    touched: tuple[str, ...] = ()  # elements that were touched for the present action


Draw = Callable[[Look, int, int | None], Sequence[RenderableType]]
"""(look, width, rows): what is drawn; `rows` is the room there is, None when there is no end."""


def look_at(game: Game[Any, Any], eye: int, speech: Speech, touched: tuple[str, ...] = ()) -> Look:
    return Look(game.view(eye), game.sight(eye), speech, eye, touched)


@dataclass(frozen=True)
class Drawing:
    """How a table is drawn, and what it adds to the names of choices: which card lies on the disc that
    an action names (`caption`), or what a card costs whose touch begins some actions (`touch_caption`)."""

    draw: Draw
    caption: Callable[[Look, Action], str] = lambda look, action: ""
    touch_caption: Callable[[Look, str, Sequence[Action]], str] = lambda look, touch, actions: ""
    atlas: Callable[[Look], list[RenderableType]] | None = None  # the whole map with its borders, on a page


def drawing_of(title: str) -> Drawing:
    """The drawing of a title, or the generic one."""
    module = registry.part(title, "terminal")
    if module is None:
        from . import generic as module
    names = ("draw", "caption", "touch_caption", "atlas")
    return Drawing(**{name: getattr(module, name) for name in names if hasattr(module, name)})
