"""A title from outside (LUDUS_TITLES) that is not right yet: one sentence says why, and the others go on."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import ludus
from conftest import ROOT
from ludus import titles as registry
from ludus.core.compilation import bind_compiled
from ludus.core.errors import LudusError
from ludus.core.kit.run import run_kit
from ludus.core.process import child_environment
from ludus.server.testing import Client, ServerProcess
from samples import BARE


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Path:
    """A copy of tic-tac-toe on the Python path, imported by nobody yet."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("LUDUS_TITLES", "oxo=oxo")

    def forget() -> None:
        for name in [name for name in sys.modules if name.partition(".")[0] == "oxo"]:
            del sys.modules[name]

    request.addfinalizer(forget)
    ignored = shutil.ignore_patterns("__pycache__")
    return Path(shutil.copytree(ROOT / "tests" / "tictactoe", tmp_path / "oxo", ignore=ignored))


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "old", "new", "sentence"),
    [
        ("layout.py", "CODES = ", "KODES = ", r"oxo: layout\.py needs CODES \(docs"),
        ("layout.py", "class Position", "class Place", r"oxo: layout\.py needs Position"),
        ("layout.py", 'F("i1")', "F()", r"oxo: it cannot be loaded: TypeError: .* \(layout\.py, line 10\)"),
        ("layout.py", "LABELS = {", "LABELS = (", r"oxo: it cannot be loaded: SyntaxError: .*layout\.py"),
        ("__init__.py", ", length=9", "", r"oxo: Title\.from_package\(.*\) needs length=\.\.\."),
        ("__init__.py", "TITLE", "TITEL", r"oxo: the package oxo needs TITLE = Title\.from_package"),
        ("__init__.py", "__name__", '__name__, name="xo"', "the title of oxo is called xo: LUDUS_TITLES="),
        ("words/en.toml", "name = ", "nome = ", r"en\.toml: the words of every title have name"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_a_sentence(
    folder: Path, file: str, old: str, new: str, sentence: str
) -> None:
    change(folder / file, old, new)
    with pytest.raises(LudusError, match=sentence):
        ludus.title("oxo")


def test_words_in_english_are_needed(folder: Path) -> None:
    (folder / "words" / "en.toml").unlink()
    with pytest.raises(LudusError, match=r"en\.toml: every title has words in English"):
        ludus.title("oxo")


@pytest.mark.parametrize("module", ["oxo2", "nowhere.oxo"])
def test_a_module_that_is_not_there(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDUS_TITLES", f"oxo={module}")
    with pytest.raises(LudusError, match=f"oxo: the Python path has no module {module.partition('.')[0]} "):
        ludus.title("oxo")


@pytest.mark.parametrize("given", ["oxo", "oxo=oxo xo=xo", "=oxo", "oxo="])
def test_what_is_no_title_is_not_passed_over_in_silence(
    given: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LUDUS_TITLES", f"{given},xo=nowhere")
    registry._outside.cache_clear()
    assert registry.title_names()[-2:] == [BARE, "xo"]
    said = f"ludus: LUDUS_TITLES takes NAME=MODULE, with commas between several, not {given!r}\n"
    assert capsys.readouterr().err == said


def test_a_title_of_ours_is_not_replaced_in_silence(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LUDUS_TITLES", f"{BARE}=oxo")
    registry._outside.cache_clear()
    with pytest.raises(LudusError, match="the title of oxo is called oxo: LUDUS_TITLES=oxo=oxo"):
        ludus.title(BARE)
    assert capsys.readouterr().err == f"ludus: LUDUS_TITLES: {BARE} is that of the module oxo, not ours\n"


def test_a_broken_title_does_not_stop_the_list(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    change(folder / "words" / "fr.toml", "name = ", "name ")
    monkeypatch.setenv("LUDUS_TITLES", "oxo=oxo,xo=nowhere")
    names = [title.name for title in registry.sound_titles("fr")]
    assert names == registry.title_names()[:-2]
    first, second = capsys.readouterr().err.splitlines()
    assert "fr.toml: " in first and second.startswith("ludus: xo: the Python path has no module nowhere")


SAME = "Three marks in a row, please."


@pytest.mark.parametrize(
    ("file", "old", "new", "sentence"),
    [
        ("words/it.toml", "action.mark", "action.makr", "it.toml lacks what words/en.toml has: action.mark"),
        ("words/it.toml", "blurb", "more = 1\nblurb", "words/it.toml has what words/en.toml lacks: more"),
        ("words/it.toml", "{row}", "{riga}", "it.toml: action.mark has other fields than words/en.toml"),
        ("words/it.toml", "Tre segni in fila.", SAME, "it.toml says the same as words/en.toml: blurb"),
        ("words/en.toml", "action.mark", "action.makr", "en.toml: no action is of the kind of action.makr; "),
        ("layout.py", '"row": ("a"', '"rwo": ("a"', "the names of 'rwo' are used by no field"),
        ("rules.py", "        out[p] = ", "        _ = ", "a game has a result: it is over, and returns"),
    ],
)  # fmt: skip
def test_the_kit_notices(folder: Path, file: str, old: str, new: str, sentence: str) -> None:
    if new is SAME:
        change(folder / "words/en.toml", "Three marks in a row.", SAME)
    change(folder / file, old, new)
    report = run_kit(ludus.title("oxo"), 60, compiled=False)
    found = [*report.problems, str(report.failure)]
    assert any(sentence in problem for problem in found), found
    assert not report.passed


def test_a_language_that_is_not_there_is_no_fault(folder: Path) -> None:
    (folder / "words" / "fr.toml").unlink()
    assert run_kit(ludus.title("oxo"), 60, compiled=False).passed


def test_the_kit_names_the_line_of_a_crash(folder: Path) -> None:
    change(folder / "rules.py", "s.marks += 1", "s.mraks += 1")
    with pytest.raises(AttributeError, match="'Position' object has no attribute 'mraks'"):
        run_kit(ludus.title("oxo"), 60, compiled=True)


@pytest.mark.parametrize(
    ("old", "new", "place", "why"),  # the place is that of rules.py
    [
        ("    n = 0\n", "    n = None\n", ("legal", 20), "there is no iadd(None, int)"),
        ("marks == 9", "marks == NINE", ("to_move", 11), "NameError: name 'NINE' is"),
        ("marks += 1", "mraks += 1", ("apply", 27), "neither a position nor a box"),
    ],
    ids=["type", "name", "field"],
)  # fmt: skip
def test_what_does_not_compile_is_told_by_function_line_and_reason(
    folder: Path, old: str, new: str, place: tuple[str, int], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(folder / "rules.py", old, new)
    monkeypatch.setenv("LUDUS_CACHE_DIR", str(folder.parent / "cache"))
    with pytest.raises(LudusError) as error:
        bind_compiled(ludus.title("oxo"))
    told = "oxo: {} does not compile (rules.py, line {}): ".format(*place)
    assert str(error.value).startswith(told + why) and "\n" not in str(error.value)


def test_the_compiler_tells_all_to_whoever_asks(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    change(folder / "rules.py", "marks == 9", "marks == NINE")
    monkeypatch.setenv("LUDUS_CACHE_DIR", str(folder.parent / "cache"))
    monkeypatch.setenv("LUDUS_DEBUG", "1")
    with pytest.raises(LudusError, match=r"line 11\): NameError: .*\nFailed in nopython mode pipeline"):
        bind_compiled(ludus.title("oxo"))


def test_the_commands_go_on_without_a_traceback(folder: Path) -> None:
    change(folder / "layout.py", "CODES = ", "KODES = ")
    sentence = "ludus: oxo: layout.py needs CODES (docs/new-title.md says what it is)\n"
    for words, rc, names in (["titles"], 0, [BARE]), (["kit", "oxo"], 2, []):
        command = [sys.executable, "-m", "ludus", *words]
        env = child_environment(str(folder.parent))
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
        assert (done.returncode, done.stderr) == (rc, sentence)
        assert all(name in done.stdout for name in names)


def test_a_server_leaves_a_broken_title_off_its_page_and_logs_why(folder: Path, tmp_path: Path) -> None:
    change(folder / "words" / "fr.toml", "name = ", "name ")

    async def listed(url: str, lang: str) -> list[str]:
        guest = await Client.guest(url)
        found = await guest.get(f"/api/titles?lang={lang}")
        await guest.close()
        return list(found["titles"])[4:]

    settings = {"titles": "oxo=oxo,xo=nowhere"}
    with ServerProcess(str(tmp_path / "a.db"), settings, log=tmp_path / "log", paths=[tmp_path]) as server:
        assert asyncio.run(listed(server.url, "en")) == [BARE, "oxo"]
        assert asyncio.run(listed(server.url, "fr")) == [BARE]
    log = (tmp_path / "log").read_text(encoding="utf-8")
    assert "xo: the Python path has no module nowhere" in log and "fr.toml: " in log


def test_everything_is_tried_of_a_title_that_has_no_scenes_yet(folder: Path) -> None:
    command = [sys.executable, "-m", "ludus", "kit", "oxo", "--plies", "60", "--everything"]
    env = child_environment(str(folder.parent), LUDUS_PLAIN="1")
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=env, cwd=folder.parent)
    assert "there is no such file" not in done.stderr and "golden" in done.stdout, done.stderr
