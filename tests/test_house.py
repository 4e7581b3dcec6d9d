"""The house itself: what the fast half may import, how long files are, and that a wheel works elsewhere.

Who may import whom otherwise is in pyproject.toml (import-linter), which `./ludus test` runs.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import venv
import zipfile
from pathlib import Path
from typing import Any

import pytest

from conftest import ROOT, all_titles
from ludus.core.title import Title
from samples import BARE, SMALL

SOURCES = sorted((ROOT / "src").rglob("*.py"))


def imports_of(path: Path) -> set[str]:
    """Absolute names of all modules of ours that a file imports."""
    package = path.relative_to(ROOT / "src").with_suffix("").parts
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level] if node.level else ()
            if path.name == "__init__.py" and node.level:
                above = package[: len(package) - node.level]
            base = ".".join([*above, *([node.module] if node.module else [])])
            found |= {base, *(f"{base}.{alias.name}" for alias in node.names)}
    return {name for name in found if name.split(".")[0] == "ludus"}


@pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)
def test_the_fast_half_imports_only_what_compiles(title: Title[Any, Any]) -> None:
    """The cache key of compiled code covers these modules and no others."""
    rules = title.folder / "rules"
    files = [*rules.rglob("*.py")] if rules.is_dir() else [title.folder / "rules.py"]
    allowed = re.compile(
        rf"ludus\.core\.(chance|contract|codes|layout)\b|ludus\.titles\.{title.name}\.(layout|rules)\b"
    )
    for path in files:
        for name in imports_of(path):
            if name in ("ludus.titles." + title.name, "ludus.core"):
                continue
            assert allowed.match(name), f"{path.name} imports {name}"


def test_modules_are_short() -> None:
    for path in [*SOURCES, *sorted((ROOT / "tests").rglob("*.py"))]:
        lines = len(path.read_text(encoding="utf-8").splitlines())
        assert lines <= 600, f"{path.name} has {lines} lines"


def test_a_class_has_a_name_of_its_own() -> None:
    """One word for one thing.  Titles are left out: all have the same files, and so the same words."""
    places: dict[str, list[str]] = {}
    for path in [*SOURCES, *sorted((ROOT / "tools").rglob("*.py"))]:
        if "titles" in path.parent.parts[len(ROOT.parts) :] and path.parent.name != "titles":
            continue
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(path.relative_to(ROOT).as_posix())
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_the_smallest_titles_are_small() -> None:
    for title in (BARE, SMALL):
        rules = (ROOT / f"src/ludus/titles/{title}/rules.py").read_text(encoding="utf-8")
        assert len(rules.splitlines()) < 150


def test_the_wheel_plays_in_an_empty_environment(tmp_path: Path) -> None:
    """Built, installed without any of its dependencies, and played outside the repository."""
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(ROOT)]
    done = subprocess.run(build, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-500:] + done.stderr[-500:]
    (wheel,) = tmp_path.glob("ludus_antiquus-*.whl")
    package = ROOT / "src"
    files = (p.relative_to(package) for p in (package / "ludus").rglob("*") if p.is_file())
    wanted = {p.as_posix() for p in files if "__pycache__" not in p.parts}
    with zipfile.ZipFile(wheel) as packed:
        missing = wanted - set(packed.namelist())
    assert not missing, "drawings, words, maps and scenes travel with the rules"
    venv.create(tmp_path / "empty", with_pip=True)
    python = tmp_path / "empty" / "bin" / "python"
    install = [str(python), "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", str(wheel)]
    subprocess.run(install, check=True, capture_output=True)
    play = (
        "import ludus\n"
        "for name in ludus.title_names():\n"
        "    game = ludus.title(name).new(seed=1)\n"
        "    while not game.over: game.play(game.legal()[len(game.line) % len(game.legal())])\n"
        "    print(name, game.outcome.winners is not None, ludus.title(name).words.say('de', 'blurb'))\n"
    )
    done = subprocess.run(
        [str(python), "-I", "-c", play], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert f"{SMALL} True Finger zeigen" in done.stdout
