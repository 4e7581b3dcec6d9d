"""Matches that begin in the middle: a title with the option `scene`, a file of titles/NAME/scenes.

A server is given it by LUDUS_TITLES="NAME=browser.titles.NAME.staged" (see `ServerProcess.paths`).  Rules,
words and drawing are those of the title; only the first position differs.  LUDUS_SCENE names the scene that
is taken without a choice.  So the redrawing of a crowded map is measured by::

    LUDUS_TITLES=NAME=browser.titles.NAME.staged LUDUS_SCENE=crowded PYTHONPATH=src:tests \\
      python -m ludus bench browser --title NAME
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from ludus.core.option import Option, Value
from ludus.core.scene import Scene, read_scene, set_up
from ludus.core.title import Title

FOLDER = Path(__file__).parent / "titles"
START = "none"


def titles_with(file: str) -> list[str]:
    """The titles that have this file among the browser tests."""
    return sorted(path.parent.name for path in FOLDER.glob(f"*/{file}"))


def staged_titles() -> str:
    """LUDUS_TITLES for a server whose matches can begin at a scene."""
    return ",".join(f"{name}=browser.titles.{name}.staged" for name in titles_with("staged.py"))


def real_title(name: str) -> Title[Any, Any]:
    """The title itself, whatever the registry has been told to call so."""
    found: Title[Any, Any] = import_module(f"ludus.titles.{name}").TITLE
    return found


def scene_names(title: str) -> list[str]:
    return sorted(path.stem for path in (FOLDER / title / "scenes").glob("*.toml"))


def scene_of(title: str, name: str) -> Scene:
    return read_scene(FOLDER / title / "scenes" / f"{name}.toml", real_title)


def staged(name: str) -> Title[Any, Any]:
    title = real_title(name)

    def make_box(options: Mapping[str, Value], seats: int) -> Any:
        box = title.make_box({k: v for k, v in options.items() if k != "scene"}, seats)
        box.scene = options["scene"]
        return box

    def new(s: Any, box: Any) -> None:
        title.rules.new(s, box)
        if box.scene != START:
            s.__dict__.update(set_up(scene_of(name, box.scene)).position.__dict__)

    rules = SimpleNamespace(**{**vars(title.rules), "new": new})
    option = Option("scene", os.environ.get("LUDUS_SCENE", START), (START, *scene_names(name)))
    made = replace(title, make_box=make_box, rules=rules, options=(*title.options, option))
    said = {f"option.scene.{key}": "scene" for key in ("name", "help")}
    said |= {f"option.scene.value.{value}": str(value) for value in option.values}
    made.__dict__["words"] = title.words.with_more(dict.fromkeys(("en", "fr", "it", "de"), said))
    return made
