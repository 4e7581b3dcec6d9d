"""The files of the client: sizes, words in four languages, what they import.  No browser needed."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from conftest import all_titles
from ludus.core.title import Title
from ludus.web import STATIC

LANGUAGES = ("en", "fr", "it", "de")
FOLDERS = [STATIC, *(title.folder / "web" for title in all_titles() if (title.folder / "web").is_dir())]
SCRIPTS = sorted(path for folder in FOLDERS for path in folder.rglob("*.js"))
STYLES = sorted(path for folder in FOLDERS for path in folder.rglob("*.css"))
TITLES = pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)
WORDS = {
    lang: json.loads((STATIC / "words" / f"{lang}.json").read_text(encoding="utf-8")) for lang in LANGUAGES
}


def fields(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)(?::[^{}]*\|[^{}]*)?\}", text))  # also with a noun: {n:try|tries}


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
    for path in [*SCRIPTS, *STYLES, *STATIC.rglob("*.html")]:
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://[a-z]", text), path.name
        assert not re.search(r"\bstyle=|innerHTML|\bonclick=\"|\beval\(", text), path.name


def packed(path: Path) -> int:
    return len(gzip.compress(path.read_bytes(), 6))


# What only a page of its own or a finished match asks for: the rulebook, a lesson, a puzzle, puzzles that are
# taken along, a position to be made, how games are begun, how strong one is; the course of a match, its
# proof, an analysis, a study, a match of other rules; who opens the menu or negotiates; who makes an account,
# or takes a seat to a phone; the large icon, who installs it.
APART = {
    *("js/rules.js", "css/rules.css", "js/pages/lesson.js", "js/match/lesson.js", "js/pages/staged.js"),
    *(
        "js/pages/puzzle.js",
        "js/pages/puzzles.js",
        "js/match/puzzle.js",
        "js/pages/explore.js",
        "js/pages/strength.js",
        "js/taken.js",
    ),
    *("js/pages/position.js", "js/pages/position_cells.js", "js/match/still.js"),
    *("css/positions.css", "icon-512.png", "js/account.js", "js/pages/pass.js"),
    *("js/match/course.js", "js/match/tally.js", "js/match/verify.js", "js/match/sha256.js"),
    *("js/match/analysis.js", "css/analysis.css", "js/match/curve.js", "js/match/arrows.js"),
    *("js/match/playon.js", "js/match/study.js", "js/match/stored.js"),
    *("js/match/menu.js", "js/match/deal.js"),
}


PLAIN = "js/titles/generic.js"  # draws those titles that have no drawing of their own


def first_load(drawn: bool) -> int:
    """All that leads to a table, one language."""
    apart = APART | {PLAIN} if drawn else APART
    files = [path for path in STATIC.rglob("*") if path.is_file() and path.parent.name != "words"]
    files = [path for path in files if path.relative_to(STATIC).as_posix() not in apart]
    words = max(packed(path) for path in (STATIC / "words").iterdir())
    return words + sum(packed(path) for path in files if not path.name.endswith("OFL.txt"))


@TITLES
def test_the_first_load_is_small(title: Title[Any, Any]) -> None:
    """The client and a table with its largest map: under 300 kB compressed."""
    folder = title.folder / "web"
    total = first_load(drawn=any(folder.glob("*.js")))
    files = [path for path in folder.glob("*") if path.stem != "rulebook"]  # what the page of rules draws
    total += sum(packed(path) for path in files if path.suffix in (".js", ".css", ".svg"))
    total += max((packed(path) for path in folder.rglob("*.json")), default=0)
    assert total < 300_000, total


def test_scripts_are_short() -> None:
    for path in SCRIPTS:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 600, path.name


def test_comments_are_as_narrow_as_the_code() -> None:
    """The formatter breaks code at 110 characters, but leaves comments as they are."""
    for path in [*SCRIPTS, *STYLES]:
        for line in path.read_text(encoding="utf-8").splitlines():
            assert len(line) <= 110 or not re.match(r"\s*(/?\*|//)", line), f"{path.name}: {line}"


def test_styles_are_short() -> None:
    """A formatted style has one declaration a line: twice as many lines."""
    for path in STYLES:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 800, path.name


def test_no_motion_is_without_end() -> None:
    """What moves for ever costs for ever: a pulsing dot took 5 % of a core."""
    for path in [*SCRIPTS, *STYLES]:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\binfinite\b|iterations: Infinity", text), path.name


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


def said_as(key: str) -> str:
    """A key stands in a script as it is, or is put together from a part and a name: `disc.${which}`."""
    head, tail = re.escape(key.split(".")[0]), re.escape(key.split(".")[-1])
    return rf"\"{re.escape(key)}\"|`{re.escape(key)}`|`{head}\.\$|\}}\.{tail}`"


@TITLES
def test_a_drawing_says_what_its_words_have_and_nothing_else(title: Title[Any, Any]) -> None:
    drawn = [path.read_text(encoding="utf-8") for path in (title.folder / "web").glob("*.js")]
    # What the title's other files give a name to, the client itself says: why a bot refuses a peace.
    client = [path.read_text(encoding="utf-8") for path in (STATIC / "js").rglob("*.js")]
    scripts = "\n".join(drawn + [text for text in client if "speak(`" in text])
    asked = set(re.findall(r"\bspeak\(\s*\"([^\"]+)\"", scripts))
    known = {key.removeprefix("web.") for key in title.words.keys("en") if key.startswith("web.")}
    assert not asked - known, asked - known
    unsaid = {key for key in known if not re.search(said_as(key), scripts)}
    assert not unsaid, unsaid


def test_a_drawing_imports_only_its_own_folder_and_the_client() -> None:
    for folder in FOLDERS[1:]:
        for path in folder.rglob("*.js"):
            for name in re.findall(r"(?:from|import\()\s*\"([^\"]+)\"", path.read_text(encoding="utf-8")):
                file = STATIC / name[1:] if name.startswith("/js/") else path.parent / name
                assert file.exists() and (name.startswith("/js/") or file.parent == path.parent), (path, name)
