"""Tic-tac-toe, written by docs/new-title.md alone (tests/tictactoe): small, and played everywhere."""

from __future__ import annotations

import asyncio
import subprocess
from pathlib import Path
from typing import Any

import pytest

import ludus
from ludus.bots import Chair, make_bot
from ludus.core.kit.run import run_kit
from ludus.core.process import child_environment
from ludus.core.telling import tell
from ludus.core.title import Title
from ludus.core.touches import paths
from ludus.core.words import LANGUAGES
from ludus.match.file import read_match
from ludus.server.testing import Client, ServerProcess
from test_terminal_harness import command

TESTS = Path(__file__).parent
TITLES = "tictactoe=tictactoe"


@pytest.fixture
def title(monkeypatch: pytest.MonkeyPatch) -> Title[Any, Any]:
    monkeypatch.setenv("LUDUS_TITLES", TITLES)
    return ludus.title("tictactoe")


def test_it_has_at_most_110_lines_with_four_languages(title: Title[Any, Any]) -> None:
    files = [path for path in title.folder.rglob("*") if path.suffix in (".py", ".toml")]
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files) <= 110
    assert {path.stem for path in files if path.suffix == ".toml"} == set(LANGUAGES)


def test_every_promise_of_the_kit_holds_in_both_forms(title: Title[Any, Any]) -> None:
    report = run_kit(title, 400)
    assert report.passed, f"{report.failure} {report.problems}"


def count_games(title: Title[Any, Any], s: Any, depth: int) -> tuple[int, int]:
    """Lines of play of this length, and how many of them end with it."""
    rules, out = title.rules, [0] * title.codes.size
    if rules.to_move(s, None) < 0 or depth == 0:
        return 1, int(rules.to_move(s, None) < 0)
    lines = ended = 0
    for code in out[: rules.legal(s, None, out)]:
        after = title.position.copy(s)
        rules.apply(after, None, code)
        more = count_games(title, after, depth - 1)
        lines, ended = lines + more[0], ended + more[1]
    return lines, ended


def test_it_is_tic_tac_toe(title: Title[Any, Any]) -> None:
    """The well-known counts: 15,120 lines of five marks, of which 1,440 end the game."""
    assert count_games(title, title.position.plain(), 5) == (15_120, 1_440)


def test_plain_and_compiled_batches_play_the_same_games(title: Title[Any, Any]) -> None:
    plain, compiled = (title.batch(2000, seed=3, form=form).playouts() for form in ("plain", "compiled"))
    assert plain.digest == compiled.digest
    assert plain.unfinished == compiled.unfinished == 0
    wins = sum(row == [2, 0] for row in plain.returns) / 2000
    assert 0.54 < wins < 0.63, "X wins 58.5 % of random games"


def test_the_defaults_make_touches_prompt_view_and_log(title: Title[Any, Any]) -> None:
    game = title.new(seed=1)
    game.play("mark b 2")
    assert ("board:a-1",) in paths(game) and ("board:b-2",) not in paths(game)
    view = game.view(1)
    assert view["prompt"] == "play" and view["board"]["board"]["cells"][1] == ["none", "x", "none"]
    assert tell(game, 0, "it", ["Anna", "Bruno"]) == ["Anna: segna b2"]
    with pytest.raises(ludus.core.errors.IllegalAction, match="'mark b 2' is not legal: it is not possible"):
        game.play("mark b 2")


def test_a_bot_plays_it(title: Title[Any, Any]) -> None:
    game, bot = title.new(seed=1), make_bot("tiro", title)
    while not game.over:
        game.play(bot.choose(Chair(game, game.to_move, seed=len(game.line))))
    assert game.outcome is not None


def test_it_is_played_in_the_terminal(tmp_path: Path) -> None:
    env = child_environment(str(TESTS), LUDUS_TITLES=TITLES, LUDUS_DATA_DIR=str(tmp_path), LUDUS_PLAIN="1")
    env |= {"LANG": "C.UTF-8", "COLUMNS": "80"}
    typed = [f"{row}{column}" for row in "abc" for column in "123"]  # what is taken by then is refused
    done = subprocess.run(
        [*command(), "tictactoe", "--seed", "3", "--bots", "tiro", "--names", "Anna"],
        input="\n".join(["", *typed, ""]),
        capture_output=True,
        text=True,
        env=env,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Where do you put your mark?" in done.stdout
    assert "   1    2    3" in done.stdout and "x Anna   o Recruit" in done.stdout
    assert "To check it again" in done.stdout, "it came to its end"
    assert "dice" not in done.stdout and "hands" not in done.stdout, "there are none"


def test_nothing_is_covered_where_nothing_is_hidden(tmp_path: Path) -> None:
    env = child_environment(str(TESTS), LUDUS_TITLES=TITLES, LUDUS_DATA_DIR=str(tmp_path), LUDUS_PLAIN="1")
    done = subprocess.run(
        [*command(), "tictactoe", "--hot-seat", "--names", "Anna,Bruno"],
        input="\n".join(["", "b2", "a1", "c1", "a2", "a3", ""]),
        capture_output=True,
        text=True,
        env=env | {"LANG": "C.UTF-8", "COLUMNS": "80"},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Anna wins!" in done.stdout and "uncover" not in done.stdout


def test_it_is_played_on_a_server(title: Title[Any, Any], tmp_path: Path) -> None:
    async def play(url: str) -> None:
        anna, bruno = [await Client.guest(url) for _ in range(2)]
        made = await anna.post(
            "/api/matches", {"title": "tictactoe", "seats": [{"kind": "me"}, {"kind": "open"}]}
        )
        match_id = made["table"]["id"]
        await bruno.post(f"/api/matches/{match_id}/join")
        for number, action in enumerate(("mark b 2", "mark a 1", "mark c 1", "mark a 2", "mark a 3")):
            person = (anna, bruno)[number % 2]
            now = await person.get(f"/api/matches/{match_id}?lang=de")
            assert now["legal"][-1]["say"] == "c3 ankreuzen"
            assert now["legal"][-1]["touches"] == ["board:c-3"]
            answer = await person.command(match_id, expect=now["entry"], actions=[action])
            assert answer.status_code == 200, answer.text
        over = await anna.get(f"/api/matches/{match_id}")
        assert over["view"]["result"] == [2, 0]
        file = await anna.request("GET", f"/api/matches/{match_id}/file")
        assert read_match(file.text, ludus.title).match is not None
        for person in (anna, bruno):
            await person.close()

    settings = {"titles": TITLES}
    with ServerProcess(str(tmp_path / "a.db"), settings, log=tmp_path / "log", paths=[TESTS]) as server:
        asyncio.run(play(server.url))
    assert '"event": "fault"' not in (tmp_path / "log").read_text(encoding="utf-8")


def test_a_refusal_is_whole_sentences(title: Title[Any, Any]) -> None:
    with pytest.raises(ludus.core.errors.IllegalAction) as refused:
        title.new(seed=1).play("place b 2")
    assert str(refused.value).startswith(
        "no action is called 'place'; there are: mark. Legal now: mark a 1, mark a 2,"
    )
