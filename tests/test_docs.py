"""The documents say what is true: excerpts, paths and commands that they name exist."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

import ludus
from conftest import ROOT
from ludus.core.process import child_environment
from samples import BARE, SMALL

DOCS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_excerpts_of_new_title_stand_in_the_titles_word_for_word() -> None:
    text = (ROOT / "docs" / "new-title.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```(?:python|toml)\n# (\w+)/([\w./-]+)\n(.*?)\n```", text, re.S)
    assert {title for title, _, _ in blocks} == {"tictactoe", BARE, SMALL} and len(blocks) >= 20
    for title, name, excerpt in blocks:
        whole = title == "tictactoe"
        folder = ROOT / "tests" / title if whole else ludus.title(title).folder
        source = (folder / name).read_text(encoding="utf-8")
        assert excerpt in source, f"{title}/{name}: {excerpt[:60]!r} ..."
        assert not whole or excerpt.strip() == source.strip(), f"{title}/{name} is shown whole"


@pytest.mark.parametrize("path", DOCS, ids=lambda p: p.name)
def test_files_that_are_named_exist(path: object) -> None:
    text = (ROOT / str(path)).read_text(encoding="utf-8")
    for name in re.findall(r"`((?:docs|src|tests)/[\w./-]+\.\w+)`", text):
        assert (ROOT / name).exists(), f"{path} names {name}"


def test_commands_that_are_named_exist() -> None:
    known = subprocess.run(
        [sys.executable, "-m", "ludus", "--help"],
        capture_output=True,
        text=True,
        check=True,
        env=child_environment(COLUMNS="200"),
    ).stdout
    for path in DOCS:
        text = path.read_text(encoding="utf-8")
        for command in re.findall(r"(?:^|`|\./)ludus ([a-z]+)", text, re.M):
            found = command == "test" or re.search(rf"\b{command}\b", known)
            assert found, f"{path.name} names ludus {command}"
