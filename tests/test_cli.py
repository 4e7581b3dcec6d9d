"""The command line: what a person types, sees, and is told when it is wrong."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import ludus
from ludus import titles as registry
from ludus.core.process import child_environment
from ludus.core.title import Title
from ludus.match.file import write_match
from samples import LARGE, SMALL, WIDE
from test_file import fair_match


def ludus_command(*words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ludus", *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env=child_environment(COLUMNS="80", LANG="C.UTF-8"),
    )


@pytest.fixture
def match_file(tmp_path: Path) -> Path:
    path = tmp_path / "a.match"
    path.write_text(write_match(fair_match(ludus.title(SMALL), 5)), encoding="utf-8")
    return path


def test_without_arguments_it_shows_the_titles_and_how_to_go_on() -> None:
    done = ludus_command()
    assert done.returncode == 0
    assert SMALL in done.stdout
    assert "ludus --help" in done.stdout


def test_usage_says_what_a_person_types() -> None:
    for words in (["--help"], ["serve", "--help"]):
        shown = ludus_command(*words).stdout
        assert "Usage: ludus " in shown and "python -m" not in shown


def test_titles_as_json_in_four_languages() -> None:
    blurbs = set()
    for lang in ("en", "fr", "it", "de"):
        facts = json.loads(ludus_command("titles", "--json", "--lang", lang).stdout)
        assert list(facts) == ludus.title_names()
        blurbs.add(facts[SMALL]["blurb"])
    assert len(blurbs) == 4
    assert facts[SMALL]["options"]["rounds"]["default"] == 5


def test_replay_tells_the_story(match_file: Path) -> None:
    done = ludus_command("replay", str(match_file))
    assert done.returncode == 0, done.stderr
    assert "Anna sets the stake" in done.stdout
    assert "Anna will show" in done.stdout  # a finished match hides nothing
    told = ludus_command("replay", str(match_file), "--seat", "1", "--lang", "de", "--to", "3").stdout
    assert "Anna hat die Finger gewählt." in told
    assert "wird" not in told
    data = json.loads(ludus_command("replay", str(match_file), "--json").stdout)
    assert data["entries"][0].startswith("1 0 stake")
    assert data["result"] is not None


def test_verify(match_file: Path, tmp_path: Path) -> None:
    done = ludus_command("verify", str(match_file))
    assert (done.returncode, "good" in done.stdout) == (0, True)
    bad = tmp_path / "b.match"
    bad.write_text(match_file.read_text(encoding="utf-8").replace("stake", "steak"), encoding="utf-8")
    done = ludus_command("verify", str(match_file), str(bad))
    assert done.returncode == 1
    assert "line 13" in done.stdout
    found = json.loads(ludus_command("verify", "--json", str(match_file), str(bad)).stdout)
    assert [row["good"] for row in found.values()] == [True, False]


def test_scene_ends_with_the_counts(tmp_path: Path) -> None:
    folder = ludus.title(SMALL).folder / "scenes"
    done = ludus_command("scene", str(folder))
    number = len(list(folder.glob("*.toml")))
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, f"{number} passed, 0 failed")
    bad = tmp_path / "bad.toml"
    text = (folder / "M1-begin.toml").read_text(encoding="utf-8").replace("10, 10, 10, 10", "9, 10, 10, 10")
    bad.write_text(text, encoding="utf-8")
    done = ludus_command("scene", str(folder), str(bad))
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, f"{number} passed, 1 failed")
    assert "coins.0 is 10, expected 9" in done.stdout
    assert json.loads(ludus_command("scene", "--json", str(bad)).stdout)["failed"] == 1


def test_kit_prints_what_it_saw() -> None:
    done = ludus_command("kit", SMALL, "--plies", "60")
    assert done.returncode == 0, done.stdout
    assert "legal actions:" in done.stdout
    assert "refusals name a rule" in done.stdout
    data = json.loads(ludus_command("kit", SMALL, "--plies", "60", "--everything", "--json").stdout)
    assert data["passed"] and data["scenes_failed"] == {} and data["golden_differs"] == []


def test_a_failing_kit_leaves_what_reproduces_it(tmp_path: Path) -> None:
    """A copy of a title that loses coins: the match file replays, the scene fails."""
    package = tmp_path / "lossy"
    source = ludus.title(SMALL).folder
    import shutil

    shutil.copytree(source, package, ignore=shutil.ignore_patterns("__pycache__"))
    rules = (package / "rules.py").read_text(encoding="utf-8")
    (package / "rules.py").write_text(
        rules.replace("s.coins[winner] += paid", "s.coins[winner] += 1"), encoding="utf-8"
    )
    environment = child_environment(str(tmp_path), LUDUS_TITLES="lossy=lossy", LUDUS_PLAIN="1")

    def there(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "ludus", *words]
        return subprocess.run(
            command, capture_output=True, text=True, check=False, env=environment, cwd=tmp_path
        )

    done = there("kit", "lossy", "--plies", "2000")
    assert done.returncode == 1
    assert "invariants hold: coins are neither made nor lost" in done.stdout
    (match_file,) = tmp_path.glob("*.match")
    (scene_file,) = tmp_path.glob("*.toml")
    assert there("replay", str(match_file)).returncode == 0
    done = there("scene", str(scene_file))
    assert "check is 1, expected 0" in done.stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["replay", "nowhere.match"], "nowhere.match: No such file"),
        (["kit", "chess"], "there is no title 'chess'"),
        (["titles", "--lang", "la"], "there is no language 'la'; there are: en, fr, it, de"),
        (["scene", "nowhere"], "nowhere: there is no such file or folder"),
        (["scene", ".", "--form", "gold"], "the form is plain, compiled or both"),
        (["replay", "."], "Is a directory"),
    ],
)
def test_bad_input_gets_one_sentence(words: list[str], sentence: str, tmp_path: Path) -> None:
    done = ludus_command(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(bytes(range(256)))
    assert "this is no text file" in ludus_command("replay", str(path)).stderr


def test_a_seat_that_does_not_exist(match_file: Path) -> None:
    assert "seats are 0 to 1, not 5" in ludus_command("replay", str(match_file), "--seat", "5").stderr


def ended_by_ctrl_c(after: float) -> tuple[int, str]:
    """How a long command ends that hears Ctrl-C after so many seconds, and what it says."""
    process = subprocess.Popen(
        [sys.executable, "-m", "ludus", "kit", SMALL, "--plies", "10000000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=child_environment(LUDUS_PLAIN="1"),
    )
    try:
        time.sleep(after)
        os.kill(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=20)
    finally:
        process.kill()  # nothing, where it has stopped
    return process.returncode, err


def test_ctrl_c_stops_cleanly() -> None:
    """Before the work has begun, as on a busy machine, there is nothing to say."""
    for after in (2.5, 5, 10, 20):
        status, err = ended_by_ctrl_c(after)
        assert status == 130
        if err:
            break
    assert err.strip().splitlines()[-1] == "ludus: stopped"
    assert "Traceback" not in err


def test_every_command_teaches() -> None:
    for command in ("titles", "replay", "verify", "scene", "kit"):
        shown = ludus_command(command, "--help").stdout
        assert "Example" in shown, command


def test_the_story_is_told_in_every_language(sample: Title[Any, Any]) -> None:
    from ludus.core.telling import tell

    match = fair_match(sample, 7)
    stories: list[Any] = [tell(match.game, 0, lang, match.names) for lang in ("en", "fr", "it", "de")]
    assert len({len(story) for story in stories}) == 1
    assert len({story[0] for story in stories}) == 4


WITHOUT_SERVER = """
import sys
from ludus.cli import SERVER, main
for name in set(SERVER) - {"pydantic"}:  # Typer looks for that by itself
    sys.modules[name] = None
for words in sys.argv[1].split(";"):
    sys.argv = ["ludus", *words.split()]
    try:
        main()
    except SystemExit as end:
        print("status", end.code, flush=True)
"""


def without_server(*commands: str) -> tuple[list[str], str]:
    """The statuses of commands where the packages of the server are not installed, and what they complain."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_SERVER, ";".join(commands)],
        capture_output=True,
        text=True,
        check=False,
        env=child_environment(COLUMNS="80", LUDUS_PLAIN="1"),
    )
    assert done.returncode == 0, done.stderr
    return [line[7:] for line in done.stdout.splitlines() if line.startswith("status ")], done.stderr


def test_the_engine_does_without_the_packages_of_the_server(match_file: Path) -> None:
    scenes = ludus.title(SMALL).folder / "scenes"
    statuses, complaints = without_server(
        "titles",
        f"replay {match_file}",
        f"verify {match_file}",
        f"scene {scenes}",
        f"kit {SMALL} --plies 50 --json",
        f"arena {SMALL} --bots miles,tiro --games 2 --json",
        "play --help",
        "serve --help",
    )
    assert statuses == ["0"] * 8, complaints


def test_the_laboratory_does_without_the_packages_of_the_server(tmp_path: Path) -> None:
    """All that measures no server.  (Typer itself brings pydantic.)"""
    statuses, complaints = without_server(
        f"lab record {SMALL} --games 2 --out {tmp_path}/games",
        f"lab explore {SMALL} --games 2",
        f"lab choices {LARGE} --bots tiro",
        f"lab check {LARGE}",
        f"lab balance {WIDE} --help",
        f"lab puzzles {LARGE} --help",
        f"bench engine --title {SMALL} --seconds 0.01 --json",
    )
    assert "the server brings along" not in complaints and set(statuses) <= {"0", "1"}, complaints
    modules = [f"ludus.lab.{path.stem}" for path in (Path(ludus.__file__).parent / "lab").glob("[a-z]*.py")]
    needing = {f"ludus.lab.{name}" for name in ("server_bench", "server_load")}
    source = "import sys, importlib; from ludus.cli import SERVER; sys.modules.update(dict.fromkeys(SERVER));"
    imports = f"[importlib.import_module(name) for name in {sorted(set(modules) - needing)}]"
    subprocess.run([sys.executable, "-c", source + imports], check=True, env=child_environment())


def test_a_server_without_its_packages_says_what_to_install() -> None:
    commands = ["serve --no-browser", "backup nowhere", "admin stuck", "verify --all"]
    statuses, complaints = without_server(*commands)
    assert statuses == ["2"] * 4
    sentences = complaints.splitlines()
    assert len(sentences) == 4, complaints
    assert all('pip install "ludus-antiquus[server]"' in sentence for sentence in sentences)


def test_a_title_has_commands_of_its_own() -> None:
    """They are listed, explain themselves, and refuse what they do not know; other titles have none."""
    own = [name for name in registry.title_names() if registry.has_part(name, "report")]
    listed = ludus_command("--help").stdout
    for name in registry.title_names():
        assert (f"What only {name} has." in listed) == (name in own), name
    found = ludus_command(own[0], "--help")
    assert found.returncode == 0 and "Balance report" in found.stdout
    wrong = ludus_command(own[0], "report", "--games", "none")
    assert wrong.returncode == 2 and "Traceback" not in wrong.stderr and "--games" in wrong.stderr
