"""The registry: the only place that knows titles by name.

A title that is being written outside this package is found through the environment:
LUDUS_TITLES="name=module" (several separated by commas).
"""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ludus.core.errors import LudusError
from ludus.core.title import Title

# In the order in which they are shown: the smallest last.
_TITLES = {
    "roma": "ludus.titles.roma",
    "duellum": "ludus.titles.duellum",
    "conquest": "ludus.titles.conquest",
    "micatio": "ludus.titles.micatio",
    "terni": "ludus.titles.terni",
}


def _all() -> dict[str, str]:
    pairs = (pair.partition("=") for pair in os.environ.get("LUDUS_TITLES", "").split(",") if "=" in pair)
    return {**_TITLES, **{name.strip(): module.strip() for name, _, module in pairs}}


def title_names() -> list[str]:
    """The names of all titles, in the order in which they are shown."""
    return list(_all())


def _module(name: str) -> str:
    modules = _all()
    if name not in modules:
        raise LudusError(f"there is no title {name!r:.40}; there are: {', '.join(modules)}")
    return modules[name]


def title(name: str) -> Title[Any, Any]:
    """A title by its name; its package is imported when it is first asked for."""
    found: Title[Any, Any] = import_module(_module(name)).TITLE
    return found


def has_part(name: str, module: str) -> bool:
    """Whether a title has a further module of this name (`terminal`, `report`); imports nothing."""
    spec = find_spec(_module(name))
    folders = (spec and spec.submodule_search_locations) or ()
    return any((Path(folder) / f"{module}.py").exists() for folder in folders)


def part(name: str, module: str) -> Any:
    """A further module of a title by its name, or None where the title has none."""
    return import_module(f"{_module(name)}.{module}") if has_part(name, module) else None
