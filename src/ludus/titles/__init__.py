"""The registry: the only place that knows titles by name.

A title that is being written outside this package is found through the environment:
LUDUS_TITLES="NAME=MODULE" (several separated by commas), where NAME is that of the title's folder.
What is wrong with a title is said in one sentence, and the others go on.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ludus.core.errors import LudusError
from ludus.core.process import say
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
    return {**_TITLES, **_outside(os.environ.get("LUDUS_TITLES", ""))}


@lru_cache(8)
def _outside(given: str) -> dict[str, str]:
    """The modules of the titles that LUDUS_TITLES names; what is no title of it is said, once."""
    found: dict[str, str] = {}
    for item in filter(None, (part.strip() for part in given.split(","))):
        name, _, module = (part.strip() for part in item.partition("="))
        if not name.isidentifier() or not all(part.isidentifier() for part in module.split(".")):
            say(f"LUDUS_TITLES takes NAME=MODULE, with commas between several, not {item!r:.60}")
            continue
        if name in _TITLES:
            say(f"LUDUS_TITLES: {name} is that of the module {module}, not ours")
        found[name] = module
    return found


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
    module = _module(name)
    found = getattr(_imported(name, module), "TITLE", None)
    if not isinstance(found, Title):
        raise LudusError(f"{name}: the package {module} needs TITLE = Title.from_package(__name__, ...)")
    if found.name != name:
        raise LudusError(f"the title of {module} is called {found.name}: LUDUS_TITLES={found.name}={module}")
    found.check_words()
    return found


def _imported(name: str, module: str) -> Any:
    try:
        return import_module(module)
    except LudusError:
        raise
    except Exception as error:  # whatever somebody writes there
        if isinstance(error, ModuleNotFoundError) and f"{module}.".startswith(f"{error.name}."):
            reason = f"the Python path has no module {error.name} (PYTHONPATH=. adds the folder you are in)"
        else:
            reason = f"it cannot be loaded: {type(error).__name__}: {error}{_place(error)}"
        raise LudusError(f"{name}: {reason}") from error


def _place(error: Exception) -> str:
    """Where an error came from, if it is not our own source; an error of syntax says it itself."""
    if isinstance(error, SyntaxError):
        return ""
    core = str(Path(__file__).parent.parent / "core")
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [f for f in frames if f.filename not in (__file__, import_module.__code__.co_filename)]
    theirs = [f for f in theirs if not f.filename.startswith(("<", core))]
    return f" ({Path(theirs[-1].filename).name}, line {theirs[-1].lineno})" if theirs else ""


def sound_titles(lang: str) -> Iterator[Title[Any, Any]]:
    """All titles but those that cannot be used in a language, of which one sentence each says why."""
    for name in title_names():
        try:
            found = title(name)
            found.words.keys(lang)  # read now, so that a file that cannot be read stops nothing else
        except LudusError as error:
            say(str(error))
        else:
            yield found


def has_part(name: str, module: str) -> bool:
    """Whether a title has a further module of this name (`terminal`, `report`); imports nothing of it."""
    try:
        spec = find_spec(_module(name))
    except Exception:  # the package around it cannot be loaded: whoever asks for the title is told
        return False
    folders = (spec and spec.submodule_search_locations) or ()
    return any((Path(folder) / f"{module}.py").exists() for folder in folders)


def part(name: str, module: str) -> Any:
    """A further module of a title by its name, or None where the title has none."""
    return import_module(f"{_module(name)}.{module}") if has_part(name, module) else None
