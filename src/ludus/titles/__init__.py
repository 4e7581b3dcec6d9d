"""The registry: the only place that knows titles by name."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ludus.core.errors import LudusError
from ludus.core.title import Title

_TITLES = {
    "micatio": "ludus.titles.micatio",
    "roma": "ludus.titles.roma",
}


def title_names() -> list[str]:
    """The names of all titles, in the order in which they are shown."""
    return list(_TITLES)


def title(name: str) -> Title[Any, Any]:
    """A title by its name; its package is imported when it is first asked for."""
    if name not in _TITLES:
        raise LudusError(f"there is no title {name!r:.40}; there are: {', '.join(_TITLES)}")
    found: Title[Any, Any] = import_module(_TITLES[name]).TITLE
    return found
