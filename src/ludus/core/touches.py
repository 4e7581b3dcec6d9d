"""Touches: every legal action as a short path of element ids, and all of them as a trie.

Mouse, drag, keyboard, screen reader and terminal walk the same trie, so a new title needs a drawing
with ids and no new interface.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .errors import FormatError
from .game import Action, Game
from .sight import Sight
from .telling import Line

Path = tuple[str, ...]


@dataclass
class Node:
    """A place in the trie: what can be touched next, or the action that the path stands for."""

    action: Action | None = None
    next: dict[str, Node] = field(default_factory=dict)

    def json(self) -> dict[str, Any]:
        if self.action is not None:
            return {"action": self.action.text}
        return {"next": {touch: node.json() for touch, node in self.next.items()}}


def paths(game: Game[Any, Any]) -> dict[Path, Action]:
    """The path of each legal action, in the order of the legal list."""
    legal = game.legal()
    if not legal:
        return {}
    sight = game.sight(game.to_move)
    return {game.title.talk.touches(sight, action.code): action for action in legal}


def trie(found: Mapping[Path, Action]) -> Node:
    """All paths as a trie.  Does not check them: see `faulty`."""
    root = Node()
    for path, action in found.items():
        node = root
        for touch in path:
            node = node.next.setdefault(touch, Node())
        node.action = action
    return root


def faulty(game: Game[Any, Any]) -> str:
    """What is wrong with the touches of this position, or "": each action has a path of its own, no
    path is the beginning of another, and every touch reads `element:name`."""
    found = paths(game)
    legal = game.legal()
    if len(found) != len(legal):
        return f"{len(legal)} actions share {len(found)} paths of touches"
    for path, action in found.items():
        if not path or any(":" not in touch for touch in path):
            return f"{action.text}: {path} is no path of touches"
        for k in range(1, len(path)):
            if path[:k] in found:
                return f"{found[path[:k]].text}: its path is the beginning of that of {action.text}"
    return ""


# -- why not ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class WhyNot:
    """What a path of touches was meant to be ("" when that cannot be told), the rule against it, and what
    stands against it at this moment."""

    action: str
    rule: str
    because: Line | None = None


def why_not(game: Game[Any, Any], path: Path) -> WhyNot:
    """Why the seat to move cannot do what it touched; no rule where "not now" is all there is to say.

    A title with a drawing says itself what a path was meant to be (`Title.meant`, in its `why_not.py`): the
    code of an action, or the number of a rule where no action would be so odd.
    """
    title, sight = game.title, game.sight(game.to_move)
    try:
        meant = title.meant(sight, path) if title.meant else _nearest(game, sight, path)
    except FormatError:  # a touch that the title does not know
        meant = None
    if meant is None or isinstance(meant, str):
        return WhyNot("", meant or "")
    text = game.action(meant).text
    if meant in game.legal_codes():
        return WhyNot(text, "")
    return WhyNot(text, title.talk.why_not(sight, meant), title.talk.because(sight, meant))


def _nearest(game: Game[Any, Any], sight: Sight[Any, Any], path: Path) -> int | None:
    """The first action whose path begins with these touches, or with the last of them."""
    title = game.title
    for wanted in (path, path[-1:]):
        for code in range(title.codes.size):
            try:
                found = title.talk.touches(sight, code)
            except (LookupError, ValueError):  # only legal actions are promised a path
                continue
            if wanted and found[: len(wanted)] == wanted:
                return code
    return None
