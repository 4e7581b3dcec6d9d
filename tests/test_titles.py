"""A title is one folder: named nowhere else, of the same files as the others, gone without a trace."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from conftest import ROOT, all_titles
from ludus.core.process import child_environment
from ludus.core.title import Title

SOURCE = ROOT / "src" / "ludus"
TITLES = pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)
TEXTS = {".py", ".js", ".css", ".html", ".json", ".toml", ".md", ".txt", ".mako"}
REGISTRY = "titles/__init__.py"


def names_of(folder: Path, name: str) -> list[str]:
    """The files of a folder in which the name of a title stands as a word.

    Not those of titles: the name of one may be a city or a deed in another; titles that would know each other
    are found by import-linter.
    """
    word = re.compile(rf"(?<![a-z0-9-]){name}(?![a-z0-9-])", re.I)
    found = []
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        of_title = "titles" in inside.parts[:-2]
        if path.suffix not in TEXTS or of_title:
            continue
        if word.search(str(inside)) or word.search(path.read_text(encoding="utf-8")):
            found.append(inside.as_posix())
    return found


@TITLES
def test_a_title_is_named_in_its_folder_and_in_the_registry_only(title: Title[Any, Any]) -> None:
    assert names_of(SOURCE, title.name) == [REGISTRY]


@TITLES
def test_tests_and_tools_name_a_title_in_its_folders_and_among_the_samples_only(
    title: Title[Any, Any],
) -> None:
    assert set(names_of(ROOT / "tests", title.name)) <= {"samples.py"}
    assert names_of(ROOT / "tools", title.name) == []


@TITLES
def test_the_same_things_stand_in_the_same_files(title: Title[Any, Any]) -> None:
    package = f"ludus.titles.{title.name}"
    wanted = {
        "why_not": (title.talk.why_not, title.meant),
        "log": (title.talk.log,),
        "view": (title.talk.view, title.talk.touches),
        "value": (title.value,),
        "advice": (title.advise,),
        "box": (title.make_box, title.labels, title.small_boxes),
    }
    for name, functions in wanted.items():
        for function in functions:
            module = function.__module__ if function is not None else ""
            assert not module.startswith(package) or module == f"{package}.{name}", (name, module)


CHECK = """
import asyncio, json, random, sys
import ludus
from ludus.server.routes_matches import list_titles, one_title
from ludus.server.drawings import TitleFiles, folder_of
from ludus.terminal.drawings import drawing_of, look_at
from ludus.terminal.speech import Speech
rng = random.Random(1)
for name in ludus.title_names():
    title = ludus.title(name)
    game = title.new(seed=1)
    for _ in range(60):
        if not game.over:
            game.play(rng.choice(game.legal()))
    speech = Speech(title, game.labels, "en", [str(p) for p in range(game.seats)])
    assert drawing_of(name).draw(look_at(game, 0, speech), 80, None)
    asyncio.run(one_title(name))
told = asyncio.run(list_titles())
for name, facts in told["titles"].items():
    for script in (facts["drawing"] or {"scripts": []})["scripts"]:
        assert TitleFiles().lookup_path(script.removeprefix("/titles/"))[1] is not None, script
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package."""
    folder = tmp_path_factory.mktemp("copy") / "ludus"
    shutil.copytree(SOURCE, folder, ignore=shutil.ignore_patterns("golden", "scenes"))
    return folder


@TITLES
def test_a_title_that_is_taken_away_leaves_no_trace(title: Title[Any, Any], package: Path) -> None:
    """The others are played, drawn in the terminal and listed for the browser; the name stands nowhere."""
    registry, folder = package / REGISTRY, package / "titles" / title.name
    text, aside = registry.read_text(encoding="utf-8"), package.parent / title.name
    kept = [line for line in text.splitlines(keepends=True) if f"ludus.titles.{title.name}" not in line]
    registry.write_text("".join(kept), encoding="utf-8")
    folder.rename(aside)
    try:
        assert names_of(package, title.name) == []
        done = subprocess.run(
            [sys.executable, "-c", CHECK],
            capture_output=True,
            text=True,
            check=False,
            env=child_environment(PYTHONPATH=str(package.parent), LUDUS_PLAIN="1"),
            cwd=package.parent,
        )
        assert done.returncode == 0, done.stderr[-2000:]
        told = json.loads(done.stdout)["titles"]
        assert set(told) == {t.name for t in all_titles()} - {title.name}
    finally:
        aside.rename(folder)
        registry.write_text(text, encoding="utf-8")


def test_rules_load_no_screen() -> None:
    """Whoever wants the engine alone loads no terminal, laboratory or server, nor what they stand on."""
    check = (
        "import sys, ludus\n"
        "for name in ludus.title_names():\n"
        "    game = ludus.title(name).new(seed=1)\n"
        "    game.play(game.legal()[0]); game.view(0); ludus.title(name).words.say('en', 'name')\n"
        "print(*sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", check], capture_output=True, text=True, check=True, env=child_environment()
    )
    loaded = set(done.stdout.split())
    assert not loaded & {"rich", "typer", "click", "fastapi", "sqlalchemy"}
    assert not loaded & {"ludus.terminal", "ludus.lab", "ludus.server", "ludus.cli", "ludus.store"}
    screens = re.compile(r"ludus\.titles\.\w+\.(terminal|report|commands)")
    assert not [name for name in loaded if screens.fullmatch(name)]
