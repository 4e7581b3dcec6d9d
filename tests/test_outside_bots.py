"""Bots from outside: programs and servers are asked, cut off when late, and told what a seat sees."""

from __future__ import annotations

import io
import json
import os
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import ludus
from conftest import ROOT
from finished import KEY
from ludus.bots import BotFailed, Chair, make_bot, shown_name
from ludus.bots.outside import question
from ludus.core.chance import seed_rng
from ludus.core.title import Title
from ludus.lab import arena
from ludus.match.match import Match, read_setting
from ludus.server import bot_worker
from ludus.server.bots import make_job
from ludus.terminal.start import Wish, play
from samples import SMALL

# A program that does what its first word says; it is asked like any bot of somebody's own.
PROGRAM = """
import json, os, sys, time
how = sys.argv[1]
if how == "unready":
    print("hello"); sys.exit()
print(json.dumps({"ready": True}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    with open(sys.argv[2], "a") as file:
        file.write(line)
    if how == "sleeps":
        with open(sys.argv[2], "a") as file:
            file.write("%d\\n" % os.getpgrp())
        os.system("sleep 600")
    if how == "crashes":
        sys.exit("no plan for seat %d" % asked["seat"])
    if how == "works":
        while time.process_time() < 0.1:
            pass
    answer = {"illegal": {"code": -1}, "babbles": {"move": 3}}.get(how, {"code": asked["legal"][-1]["code"]})
    print("x" * 70000 if how == "endless" else json.dumps(answer), flush=True)
"""


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDUS_PLAIN", "1")


@pytest.fixture
def asked(tmp_path: Path) -> Path:
    """Where the program writes down what it was asked."""
    (tmp_path / "caesar.py").write_text(PROGRAM, encoding="utf-8")
    return tmp_path / "asked.jsonl"


def program(asked: Path, how: str) -> str:
    return f"exec:{sys.executable} {asked.parent / 'caesar.py'} {how} {asked}"


def chair_of(title: Title[Any, Any], limit: float = 20.0) -> Chair:
    game = title.new(seed=1, rounds=2)
    return Chair(game, 0, seed=3, budget=0.5, limit=limit, options={"rounds": 2})


# -- what is asked ------------------------------------------------------------------------------------------


def test_a_question_is_what_the_seat_sees_and_nothing_else(sample: Title[Any, Any]) -> None:
    """Whatever is hidden may be anything: the question stays the same to the letter."""
    game = sample.new(seed=1, seats=2)
    game.play("stake 1", "show 3", "guess 5")
    told, hidden, rng = set(), set(), [0, 0, 0, 0]
    seed_rng(rng, 1, 0)
    for _ in range(20):
        game.form.redeal(game.s, 1, rng)
        hidden.add(tuple(game.position.fingers))
        told.add(json.dumps(question(Chair(game, 1, seed=9, options={"rounds": 5}))))
    assert len(hidden) > 3 and len(told) == 1
    facts = json.loads(told.pop())
    assert list(facts) == [
        "ludus", "title", "rules", "options", "seat", "view", "legal", "budget", "limit", "random"
    ]  # fmt: skip
    assert facts["view"] == game.view(1) and facts["options"] == {"rounds": 5}
    assert list(facts["legal"][0]) == ["code", "text", "kind", "arguments", "say", "touches"]


def test_the_question_of_the_page_is_one(sample: Title[Any, Any]) -> None:
    """With less of the board, and fewer actions."""
    page = (ROOT / "docs" / "bot-protocol.md").read_text(encoding="utf-8")
    shown = json.loads(page.split("```json\n")[1].split("```")[0])
    asked = json.loads(json.dumps(question(Chair(sample.new(seed=1), 0, seed=1, options={"rounds": 5}))))
    assert shown.pop("legal") == asked.pop("legal")[:2]
    board, whole = shown["view"].pop("board"), asked["view"].pop("board")
    assert shown == asked and board == {name: whole[name] for name in board}


def test_a_program_is_asked_and_its_answer_played(asked: Path, sample: Title[Any, Any]) -> None:
    bot = make_bot(program(asked, "plays"), sample)
    try:
        assert [bot.choose(chair_of(sample)).text for _ in range(2)] == ["stake 5", "stake 5"]
    finally:
        bot.close()
    first, second = (json.loads(line) for line in asked.read_text(encoding="utf-8").splitlines())
    assert first == second and first["budget"] == 0.5 and first["seat"] == 0


def test_numbers_of_compiled_rules_are_told_as_numbers(
    asked: Path, sample: Title[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = np.arange(3, dtype=np.int16)
    monkeypatch.setattr(Chair, "view", lambda chair: {"board": {"coins": numbers, "round": numbers[1]}})
    bot = make_bot(program(asked, "plays"), sample)
    bot.choose(chair_of(sample))
    bot.close()
    view = json.loads(asked.read_text(encoding="utf-8"))["view"]
    assert view == {"board": {"coins": [0, 1, 2], "round": 1}}


def test_cpu_time_of_a_program_is_its_own(asked: Path, sample: Title[Any, Any]) -> None:
    bot = make_bot(program(asked, "works"), sample)
    try:
        before = bot.cpu_seconds()
        bot.choose(chair_of(sample))
        after = bot.cpu_seconds()
    finally:
        bot.close()
    assert before == 0.0
    assert after is None or 0 < after < 0.2  # what starting took is not thinking; some systems do not tell
    assert bot.cpu_seconds() == pytest.approx(after or 0.0, abs=0.05)


@pytest.mark.parametrize(
    ("how", "told", "outcome"),
    [
        ("crashes", "it ended with status 1: no plan for seat 0", "crashed"),
        ("illegal", r"it answered with the code -1, and legal are \d+, ", "refused"),
        ("babbles", r"""it must answer \{"code": NUMBER\}, not '\{"move": 3\}'""", "refused"),
        ("endless", "its answer is longer than 65536 bytes", "refused"),
        ("unready", r"""it must begin with \{"ready": true\}, not 'hello'""", "refused"),
    ],
)
def test_what_a_program_does_wrong_is_told_in_a_sentence(
    asked: Path, sample: Title[Any, Any], how: str, told: str, outcome: str
) -> None:
    bot = make_bot(program(asked, how), sample)
    with pytest.raises(BotFailed, match=told) as caught:
        bot.choose(chair_of(sample))
    assert caught.value.outcome == outcome


def test_a_late_program_is_killed_with_all_that_it_has_started(asked: Path, sample: Title[Any, Any]) -> None:
    bot = make_bot(program(asked, "sleeps"), sample)
    with pytest.raises(BotFailed, match=r"it did not answer within 1 s and was stopped") as caught:
        bot.choose(chair_of(sample, limit=1.0))
    assert caught.value.outcome == "late"
    group = int(asked.read_text(encoding="utf-8").splitlines()[-1])
    with pytest.raises(ProcessLookupError):
        while True:  # init takes the last of them away
            os.killpg(group, 0)
            time.sleep(0.01)


def test_a_program_that_is_not_there_is_told(sample: Title[Any, Any]) -> None:
    with pytest.raises(BotFailed, match="it cannot be started: No such file or directory"):
        make_bot("exec:./no-such-program", sample).choose(chair_of(sample))


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("exec:", "exec: needs a program"),
        ("exec:'half", "cannot be read as a command"),
        ("http://", "is no address of a bot"),
    ],
)
def test_an_address_that_is_none_is_told_before_anything_is_played(path: str, told: str) -> None:
    with pytest.raises(ludus.LudusError, match=told):
        arena.make_plan(SMALL, [path], 1, 1, {})


def test_names_at_the_table_are_short() -> None:
    assert shown_name("exec:node bots/caesar.js --deep 3") == "Caesar"
    assert shown_name("https://bots.example.org/caesar?level=3") == "bots.example.org"


# -- over HTTP ----------------------------------------------------------------------------------------------


class Answers(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    how: ClassVar[str] = "plays"
    asked: ClassVar[list[dict[str, Any]]] = []
    connections: ClassVar[set[Any]] = set()
    go_on: ClassVar[threading.Event] = threading.Event()

    def do_POST(self) -> None:
        facts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        Answers.asked.append(facts)
        Answers.connections.add(self.client_address)
        if Answers.how == "drips":  # a byte now and then keeps a socket from its timeout
            while not Answers.go_on.wait(0.1):
                self.wfile.write(b"H")
            return
        body = json.dumps({"code": facts["legal"][-1]["code"]}).encode()
        self.send_response(500 if Answers.how == "fails" else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = Answers.how == "tires"

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    for name, value in (
        ("asked", []),
        ("connections", set()),
        ("how", "plays"),
        ("go_on", threading.Event()),
    ):
        monkeypatch.setattr(Answers, name, value)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/bot?level=3"
    Answers.go_on.set()
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(("how", "connections"), [("plays", 1), ("tires", 3)])
def test_a_server_is_asked_the_same(
    address: str, sample: Title[Any, Any], monkeypatch: pytest.MonkeyPatch, how: str, connections: int
) -> None:
    """On one connection; where that was closed meanwhile, on another."""
    monkeypatch.setattr(Answers, "how", how)
    bot = make_bot(address, sample)
    assert [bot.choose(chair_of(sample)).text for _ in range(3)] == ["stake 5"] * 3
    bot.close()
    assert Answers.asked == [json.loads(json.dumps(question(chair_of(sample))))] * 3
    assert len(Answers.connections) == connections and bot.cpu_seconds() is None


@pytest.mark.parametrize(
    ("how", "told", "outcome"),
    [
        ("drips", "it did not answer within 0.5 s", "late"),
        ("fails", "it answered with the HTTP status 500", "refused"),
    ],
)
def test_what_a_server_does_wrong_is_told_in_a_sentence(
    address: str, sample: Title[Any, Any], monkeypatch: pytest.MonkeyPatch, how: str, told: str, outcome: str
) -> None:
    monkeypatch.setattr(Answers, "how", how)
    bot = make_bot(address, sample)
    with pytest.raises(BotFailed, match=told) as caught:
        bot.choose(chair_of(sample, limit=0.5))
    assert caught.value.outcome == outcome


def test_a_server_that_is_not_there_is_told(sample: Title[Any, Any]) -> None:
    with pytest.raises(BotFailed, match="it cannot be asked: ConnectionRefusedError"):
        make_bot("http://127.0.0.1:1/", sample).choose(chair_of(sample))


# -- in the arena, and at a table ---------------------------------------------------------------------------


def test_the_arena_plays_a_program_and_says_which_failed(asked: Path) -> None:
    plan = arena.make_plan(SMALL, [program(asked, "plays"), "tiro"], 2, 1, {"rounds": "2"})
    games = arena.run(plan, workers=1)
    assert len(games) == 2 and all(None not in game.cpu for game in games)
    assert json.loads(asked.read_text(encoding="utf-8").splitlines()[0])["options"] == {"rounds": 2}
    plan = arena.make_plan(SMALL, [program(asked, "crashes"), "tiro"], 2, 1, {"rounds": 2})
    with pytest.raises(
        ludus.LudusError, match=r"the bot exec:.*caesar.py.* failed: it ended with status 1: no"
    ):
        arena.run(plan, workers=1)


def test_the_example_in_another_language_plays_and_fits_on_forty_lines() -> None:
    path = ROOT / "examples" / "bots" / "greedy.js"
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 40
    plan = arena.make_plan(SMALL, [f"exec:node {path}", "tiro"], 2, 1, {"rounds": 2})
    if shutil.which("node") is None:
        with pytest.raises(ludus.LudusError, match="it cannot be started"):
            arena.run(plan, workers=1)
        return
    games, again = arena.run(plan, workers=1), arena.run(plan, workers=1)
    assert [game.returns for game in games] == [game.returns for game in again]


def test_the_terminal_plays_on_and_says_so_once(
    asked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LUDUS_DATA_DIR", str(tmp_path / "data"))
    wish = Wish(title=SMALL, bots=(program(asked, "crashes"),), options={"rounds": 2}, plain=True)
    out = io.StringIO()
    play(wish, io.StringIO("2\n2\n4\n" * 9), out)
    told = "Caesar did not play: it ended with status 1: no plan for seat 1. Miles plays for it."
    text = " ".join(out.getvalue().split())
    assert "2. Caesar Rounds: 2" in text and text.count(told) == 1, text
    assert len(asked.read_text(encoding="utf-8").splitlines()) > 1


def test_a_server_plays_on_with_one_of_ours(asked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_worker, "_step_back", lambda: None)  # not these tests
    setting = read_setting(ludus.title(SMALL), 2, {"rounds": 2}, ())
    match = Match.fair(setting, "outside", KEY, [bytes([p]) * 16 for p in range(2)])
    for how, expected in (("plays", {}), ("illegal", {"outcome": "refused", "stand_in": "miles"})):
        monkeypatch.setenv("LUDUS_BOTS", f"{how}={program(asked, how)}")
        job = make_job(match, match.game.to_move, how)
        answer = bot_worker.answer({**job, "seconds": 0.5, "limit": 20.0, "cores": 1})
        assert answer.pop("action") in job["legal"]
        answer.pop("memory", None)
        assert answer == expected
