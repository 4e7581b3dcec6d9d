"""The files of the client: sizes, words in four languages, printed cards, types.  No browser needed."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from browser.install import find_tsc, install_tsc
from conftest import ROOT
from ludus.web import STATIC

LANGUAGES = ("en", "fr", "it", "de")
SCRIPTS = sorted((STATIC / "js").rglob("*.js"))
WORDS = {
    lang: json.loads((STATIC / "words" / f"{lang}.json").read_text(encoding="utf-8")) for lang in LANGUAGES
}


def fields(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_word_is_there_in_every_language(lang: str) -> None:
    assert list(WORDS[lang]) == list(WORDS["en"])
    for key, text in WORDS[lang].items():
        assert fields(text) == fields(WORDS["en"][key]), key


def test_every_key_that_a_script_asks_for_has_words() -> None:
    for path in SCRIPTS:
        for key in re.findall(r"\bt\(\s*\"([^\"]+)\"", path.read_text(encoding="utf-8")):
            assert key in WORDS["en"], f"{path.name}: {key}"


def test_nothing_asks_another_host_and_no_style_attribute() -> None:
    """The CSP would stop both; better to see it here."""
    for path in [*SCRIPTS, *STATIC.rglob("*.css"), *STATIC.rglob("*.html")]:
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://[a-z]", text), path.name
        assert not re.search(r"\bstyle=|innerHTML|\bonclick=\"|\beval\(", text), path.name


def packed(path: Path) -> int:
    return len(gzip.compress(path.read_bytes(), 6))


@pytest.mark.parametrize(
    "name", ["", *sorted(path.name for path in (STATIC / "js/titles").iterdir() if path.is_dir())]
)
def test_the_first_load_is_small(name: str) -> None:
    """A table with its largest map, all other pages, one language: under 300 kB compressed."""
    total = 0
    others = {path.name for path in (STATIC / "js/titles").iterdir() if path.is_dir()} - {name}
    for path in STATIC.rglob("*"):
        inside = path.relative_to(STATIC)
        foreign = inside.parts[0] in ("words", "maps") or any(other in str(inside) for other in others)
        if path.is_file() and not foreign and not path.name.endswith("OFL.txt"):
            total += packed(path)
    total += max(packed(path) for path in (STATIC / "words").iterdir())
    total += max(packed(path) for path in (STATIC / "maps").iterdir()) if name else 0
    assert total < 300_000, total


def test_scripts_are_short() -> None:
    for path in [*SCRIPTS, *STATIC.rglob("*.css")]:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 600, path.name


def test_the_printed_cards_are_those_of_the_rules() -> None:
    printed = json.loads((ROOT / "src/ludus/titles/roma/data/cards.json").read_text(encoding="utf-8"))[
        "cards"
    ]
    script = (STATIC / "js/titles/roma/cards.js").read_text(encoding="utf-8")
    dice = {"none": 0, "one_die": 1, "two_dice": 2}
    found = re.findall(r"(\w+): card\(\"(\w+)\", (\d+), (\d+), (\d+), (\d+)\)", script)
    wanted = [
        (c["id"], c["kind"], *map(str, (c["copies"], c["price"], c["defence"], dice[c["activation"]])))
        for c in printed
    ]
    assert found == wanted
    emblems = (STATIC / "js/titles/roma/emblems.js").read_text(encoding="utf-8")
    assert re.findall(r"^  (\w+): \{$", emblems, re.M) == [c["id"] for c in printed]


def test_types() -> None:
    if not shutil.which("node"):
        pytest.skip("no node here")
    tsc = find_tsc() or install_tsc()
    if tsc is None:
        if os.environ.get("CI") == "true":
            pytest.fail("node is here, but TypeScript is not")
        pytest.skip("no TypeScript here")
    done = subprocess.run(
        [*tsc, "--project", str(STATIC.parent)], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.returncode == 0, done.stdout[-3000:]


def drawings() -> dict[str, set[str]]:
    """The scripts of each title that has a drawing of its own."""
    found: dict[str, set[str]] = {}
    for path in SCRIPTS:
        folder = path.relative_to(STATIC / "js").parts
        if folder[0] == "titles" and len(folder) == 3:
            found.setdefault(folder[1], set()).add(path.stem)
    return found


def needed_by(path: Path) -> set[Path]:
    """A module and everything that it imports before it runs."""
    found, ahead = set(), [path]
    while ahead:
        module = ahead.pop()
        if module in found:
            continue
        found.add(module)
        imports = re.findall(
            r"^import [^;]*?from \"([^\"]+)\";", module.read_text(encoding="utf-8"), re.M | re.S
        )
        ahead += [(module.parent / name).resolve() for name in imports]
    return found


def test_the_first_page_names_the_modules_of_home_and_table() -> None:
    """So that the browser asks for all of them at once instead of one after the other."""
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    named = re.findall(r"rel=\"modulepreload\"(?: fetchpriority=\"low\")? href=\"/([^\"]+)\"", page)
    wanted = set().union(
        *(needed_by(STATIC / "js" / name) for name in ("main.js", "pages/home.js", "pages/match.js"))
    )
    assert set(named) == {str(path.relative_to(STATIC)) for path in wanted} - {"js/main.js"}
    assert len(named) == len(set(named))


def test_every_drawing_names_its_modules_and_has_styles() -> None:
    index = (STATIC / "js/titles/index.js").read_text(encoding="utf-8")
    files = re.search(r"const FILES = \{(.*?)\};", index, re.S)
    assert files is not None
    named = re.findall(r"(\w+): \[(.*?)\]", files[1], re.S)
    assert {name: set(re.findall(r"\"(\w+)\"", scripts)) for name, scripts in named} == drawings()
    for name in drawings():
        assert (STATIC / "css" / f"{name}.css").exists()
