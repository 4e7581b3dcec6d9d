"""`ludus play` on a real pseudo-terminal: whole games, wrong keys, going away and coming back."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import ludus
from ludus import titles as registry
from ludus.core.chance import Seeded
from ludus.core.errors import LudusError
from ludus.core.process import child_environment
from ludus.match.file import MatchFile, read_match, verify
from ludus.match.match import Match, read_setting
from ludus.terminal.start import Wish, play, read_options
from samples import LARGE, SMALL
from test_terminal_harness import CTRL_C, DOWN, ENTER, ESC, Terminal, command

Start = Callable[..., Terminal]
NAME = ludus.title(SMALL).words.say("en", "name")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def start(data: Path) -> Iterator[Start]:
    """Start `ludus play`; whatever is still running is ended afterwards."""
    begun: list[Terminal] = []

    def begin(*words: str, **settings: Any) -> Terminal:
        begun.append(Terminal(data, *words, **settings))
        return begun[-1]

    yield begin
    for terminal in begun:
        terminal.kill()


def saved(data: Path) -> Path:
    (path,) = (data / "matches").glob("*.match")
    return path


def read(path: Path) -> MatchFile:
    return read_match(path.read_text(encoding="utf-8"), registry.title, str(path))


def entries(path: Path) -> list[str]:
    match = read(path).match
    assert match is not None
    return [entry.line() for entry in match.entries]


def play_to_the_end(terminal: Terminal, sentence: str, most: int = 400) -> None:
    """Press the first key shown, or end the turn where that is possible, until a sentence comes."""
    for _ in range(most):
        if sentence in terminal.screen:
            return
        choices = terminal.choices
        assert choices, terminal.screen
        ends = [key for label, key in choices.items() if label in ("end the turn", "finir le tour")]
        key = ends[0] if ends else next(iter(choices.values()))
        terminal.press(ENTER if "-" in key or "," in key else key)
    raise AssertionError(f"no end after {most} keys:\n{terminal.screen}")


# -- whole games -----------------------------------------------------------------------------------


def test_a_whole_game_with_the_proof_of_its_dice(start: Start, data: Path) -> None:
    terminal = start(LARGE, "--bots", "tiro", "--names", "Anna")
    terminal.expect("Enter begins")
    (promise,) = re.findall(r"\b[0-9a-f]{64}\b", terminal.screen)
    assert "Anybody who opens this file can read all hands" in " ".join(terminal.screen.split())
    terminal.press(ENTER)
    play_to_the_end(terminal, "Seal: ")
    assert "The dice were fair" in terminal.screen
    terminal.send("q")
    assert terminal.end() == 0
    said = terminal.farewell
    file = read(saved(data))
    assert file.match is not None and file.match.over
    assert file.commitment == promise and promise in said and file.match.key.hex() in said
    assert f"ludus verify {saved(data)}" in said
    assert verify(file).good
    assert "wins!" in said or "draw" in said
    assert terminal.window.widest <= 80


def test_a_whole_game_in_french_without_colour(start: Start, data: Path) -> None:
    terminal = start(SMALL, "--bots", "tiro", "--lang", "fr", "--seed", "4", NO_COLOR="1")
    terminal.expect("Entrée commence")
    terminal.press(ENTER)
    terminal.expect("quelle est la mise")
    play_to_the_end(terminal, "graine 4")
    assert re.search(r"\x1b\[[0-9;]*3[0-7]", terminal.output.decode()) is None
    assert terminal.window.widest <= 80
    assert not re.search(r"\b(the|your|you)\b", terminal.screen)
    terminal.send("q")
    assert terminal.end() == 0
    assert read(saved(data)).match is not None


def test_another_game_follows_with_seats_swapped(start: Start, data: Path) -> None:
    terminal = start(SMALL, "--bots", "tiro", "--seed", "4", "--option", "rounds=1", "--names", "Anna")
    terminal.expect("Enter begins")
    terminal.press(ENTER)
    play_to_the_end(terminal, "new game")
    terminal.press("n")
    terminal.expect("2. Anna")
    terminal.press(ENTER)
    terminal.expect("Recruit sets the stake")
    assert len(list((data / "matches").glob("*.match"))) == 2


# -- keys ------------------------------------------------------------------------------------------


def test_wrong_keys_say_so_and_change_nothing(start: Start, data: Path) -> None:
    terminal = start(LARGE, "--seed", "3", "--bots", "tiro")
    terminal.expect("Enter begins")
    terminal.press("x")
    terminal.expect("does nothing here")
    terminal.press(ENTER)
    before = saved(data).read_bytes()
    for key in ("x", "9", "é", "#", ENTER, ESC, " "):
        board = terminal.screen.split("\n")[:12]
        terminal.press(key)
        assert terminal.screen.split("\n")[:12] == board
    terminal.press("\x1b[24~")  # a function key that means nothing is not even a wrong one
    assert "does nothing here" not in terminal.screen
    assert saved(data).read_bytes() == before


def test_a_path_of_touches_is_walked_forth_and_back(start: Start, data: Path) -> None:
    terminal = start(LARGE, "--seed", "3", "--bots", "tiro", "--names", "Anna")
    terminal.expect("Enter begins")
    terminal.press(ENTER, "e", "t")
    terminal.expect("Put your cards face down")
    terminal.press("f")
    terminal.expect("Forum › …")
    assert set(terminal.choices.values()) == set("123456")
    terminal.press(ESC)
    assert "Forum › …" not in terminal.screen
    terminal.press(DOWN, DOWN, DOWN, ENTER, "4")  # arrows and Enter do the same
    assert entries(saved(data))[-1].endswith("0 place forum 4")
    terminal.press("u")
    terminal.expect("Taken back")
    assert entries(saved(data))[-1].startswith(f"{len(entries(saved(data)))} house undo 0")
    terminal.press("u")
    terminal.expect("This cannot be taken back")  # the other's cards were seen


def test_amounts_are_typed_as_digits(start: Start, data: Path) -> None:
    terminal = start(SMALL, "--seed", "3", "--seats", "6", "--bots", "tiro")
    terminal.expect("Enter begins")
    terminal.press(ENTER, "3", "4")
    terminal.expect("9-29")
    terminal.press("2")
    assert len(entries(saved(data))) == 2  # 2, or the beginning of 20 to 29
    terminal.press("9")
    assert entries(saved(data))[2] == "3 0 guess 29"
    before = entries(saved(data))
    terminal.press(ENTER)  # out of habit: takes nothing else
    assert entries(saved(data)) == before


def test_why_gives_rules_effects_and_reasons(start: Start) -> None:
    terminal = start(LARGE, "--seed", "3", "--bots", "tiro", "--lang", "fr")
    terminal.expect("Entrée commence")
    terminal.press(ENTER, "?")
    terminal.expect("Les règles qui encadrent ce choix")
    terminal.expect("Forum")
    for key in "lay forum 4":
        terminal.press(key)
    terminal.press(ENTER)
    terminal.expect("n’est pas permis")
    assert re.search(r"Règle [RPF]\d+", " ".join(terminal.screen.split()))
    for key in "turris":
        terminal.press(key)
    terminal.press(ENTER)
    terminal.expect("Turris : ")
    terminal.press(ESC)
    terminal.expect("q quitter")


def test_log_help_and_save(start: Start, data: Path) -> None:
    terminal = start(SMALL, "--seed", "3", "--bots", "tiro", "--names", "Anna")
    terminal.expect("Enter begins")
    terminal.press(ENTER, "3", "1", ENTER)
    terminal.press("l")
    terminal.expect("Anna sets the stake at 3 coins.")
    terminal.press(ESC, "h")
    terminal.expect("take back your last action")
    terminal.press(ESC, "s")
    terminal.expect("Saved:")
    terminal.expect("can read all hands")


def test_a_resize_breaks_nothing(start: Start) -> None:
    terminal = start(LARGE, "--seed", "3", "--bots", "tiro", "--names", "Anna")
    terminal.expect("Enter begins")
    terminal.press(ENTER)
    for columns, rows in ((100, 40), (40, 12), (20, 6), (79, 23), (132, 50), (80, 24)):
        terminal.resize(columns, rows)
        assert terminal.window.widest <= columns
        terminal.press("#")
        assert terminal.window.widest <= columns
    terminal.expect("do you give away")


# -- going away and coming back --------------------------------------------------------------------


def test_ctrl_c_saves_and_the_next_start_offers_to_go_on(start: Start, data: Path) -> None:
    first = start(SMALL, "--bots", "tiro", "--names", "Anna")
    first.expect("Enter begins")
    first.press(ENTER, "4", "2")
    first.send(CTRL_C)
    assert first.end() == 0
    assert f"ludus play --resume {saved(data)}" in first.farewell.replace("\n", "")
    before = entries(saved(data))
    assert before == ["1 0 stake 4", "2 0 show 2"]
    second = start()
    second.expect(f"A game of {NAME} is waiting (Anna · Recruit")
    second.press(ENTER)
    second.expect("Welcome back")
    second.press("5")
    assert entries(saved(data))[:3] == [*before, "3 0 guess 5"]
    play_to_the_end(second, "The dice were fair")
    assert verify(read(saved(data))).good


def test_nothing_is_lost_when_the_program_is_killed(start: Start, data: Path) -> None:
    terminal = start(SMALL, "--bots", "tiro")
    terminal.expect("Enter begins")
    terminal.press(ENTER, "4", "2")
    terminal.process.send_signal(signal.SIGKILL)
    terminal.end()
    assert entries(saved(data)) == ["1 0 stake 4", "2 0 show 2"]
    again = start("--resume", str(saved(data)))
    again.expect("Welcome back")


def test_a_game_is_played_in_one_window_only(start: Start, data: Path) -> None:
    first = start(SMALL, "--bots", "tiro", "--names", "Anna")
    first.expect("Enter begins")
    first.press(ENTER, "4")
    second = start("--resume", str(saved(data)))
    assert second.end() == 2
    assert "is being played in another window" in second.farewell
    third = start(SMALL)
    third.expect("Enter begins")  # and it is not offered


def test_a_damaged_file_is_named_and_left_alone(start: Start, data: Path) -> None:
    first = start(SMALL, "--bots", "tiro")
    first.expect("Enter begins")
    first.press(ENTER, "4")
    first.send("q")
    assert first.end() == 0
    path = saved(data)
    path.write_bytes(path.read_bytes().replace(b"0 stake 4", b"0 stake 8"))
    damaged = path.read_bytes()
    second = start("--resume", str(path), "--lang", "de")
    assert second.end() == 2
    said = " ".join(second.farewell.split())
    assert "lässt sich nicht weiterspielen" in said and "Die Datei blieb unberührt" in said
    assert "steht nicht, was dort geschrieben wurde" in said and "legal" not in said
    assert "Traceback" not in said
    third = start(SMALL, "--bots", "tiro")
    third.expect("The file was left untouched")
    third.press(ENTER, "3")
    assert path.read_bytes() == damaged
    assert len(list((data / "matches").glob("*.match"))) == 2


def test_no_title_asks_for_one(start: Start, data: Path) -> None:
    terminal = start("--seed", "2")
    terminal.expect("Which game would you like to play?")
    (key,) = (key for label, key in terminal.choices.items() if label.startswith(NAME))
    terminal.press(key)
    terminal.expect("How many players?")
    terminal.press("3")
    terminal.expect("Against whom?")
    terminal.press(next(key for label, key in terminal.choices.items() if label.startswith("Recruit")))
    terminal.expect("Recruit II")
    terminal.press("o")
    terminal.expect("Rounds: 5")
    terminal.press("1")
    terminal.expect("Rounds: 6")
    terminal.press(ENTER, ENTER, "2")
    match = read(saved(data)).match
    assert match is not None
    assert (match.setting.seats, match.setting.options["rounds"]) == (3, 6)


def test_a_game_that_an_option_makes_is_listed_as_one_of_its_own(start: Start, data: Path) -> None:
    title = next(one for one in map(registry.title, registry.title_names()) if one.games("en"))
    (options, _), *_ = title.games("en")
    name = title.called("en", options)
    terminal = start("--seed", "2")
    terminal.expect("Which game would you like to play?")
    terminal.press(next(key for label, key in terminal.choices.items() if label.startswith(name)))
    terminal.expect("Against whom?")
    terminal.press(next(key for label, key in terminal.choices.items() if label.startswith("Recruit")))
    terminal.expect(name)
    terminal.press(ENTER)
    match = read(saved(data)).match
    assert match is not None and options.items() <= match.setting.options.items()


# -- several persons -------------------------------------------------------------------------------


def test_from_every_question_one_can_go_back(start: Start) -> None:
    terminal = start("--seed", "2")
    terminal.expect("Which game would you like to play?")
    (key,) = (key for label, key in terminal.choices.items() if label.startswith(NAME))
    terminal.press(key)
    terminal.expect("How many players?")
    terminal.press("3")
    terminal.expect("Against whom?")
    terminal.press(ESC)
    terminal.expect("How many players?")
    terminal.press(ESC)
    terminal.expect("Which game would you like to play?")
    assert "Esc goes back" not in terminal.screen
    terminal.press(key, "4", "1", ENTER)
    terminal.expect("stake")


def test_who_resigns_among_several_is_replaced_by_a_bot(start: Start, data: Path) -> None:
    terminal = start(SMALL, "--seats", "3", "--hot-seat", "--names", "Anna,Bruno,Carla", "--seed", "2")
    terminal.expect("Enter begins")
    terminal.press(ENTER)
    terminal.expect("Anna")
    terminal.press(" ", "R", "2")
    terminal.expect("Bruno")
    lines = entries(saved(data))
    assert lines[0].endswith("house resign 0") and "house take_over 0" in lines[1]
    assert "person person" in saved(data).read_text(encoding="utf-8")
    terminal.press(" ")
    assert "Anna" not in terminal.screen.split("\n")[0]


def test_the_only_person_among_bots_cannot_leave_the_game_to_them(start: Start, data: Path) -> None:
    terminal = start(SMALL, "--seats", "3", "--bots", "tiro", "--seed", "2")
    terminal.expect("Enter begins")
    terminal.press(ENTER, "R")
    terminal.expect("q leaves the match as it is")


def test_hands_are_covered_between_turns(start: Start) -> None:
    title, seed = ludus.title(LARGE), 5
    match = Match(read_setting(title, 2, {}, []), Seeded(seed), seed=seed)
    hands = [set(match.game.view(p)["board"]["hand"][p]) for p in range(2)]
    names = [{title.words.name("en", "card", card) for card in hand} for hand in hands]
    assert not names[0] & names[1], "this seed shows nothing"
    terminal = start(LARGE, "--seed", str(seed), "--hot-seat", "--names", "Anna,Bruno")
    terminal.expect("Enter begins")
    terminal.press(ENTER)
    terminal.expect("Anna, it is your turn.")
    assert not any(name in terminal.screen for name in names[0] | names[1])
    terminal.press("x", ENTER)  # nor does Enter, which somebody may press once too often
    terminal.expect("Only the space bar uncovers")
    assert not any(name in terminal.screen for name in names[0] | names[1])
    terminal.press(" ")
    assert all(name in terminal.screen for name in names[0])
    anna = len(terminal.output)
    terminal.press("?", ESC, "l", ESC)
    for _ in range(2):
        terminal.press(next(key for label, key in terminal.choices.items() if label.startswith("pass")))
    terminal.expect("Bruno, it is your turn.")
    cover = terminal.output.rfind(b"\x1b[2J")
    assert cover > anna
    terminal.press(" ")
    assert all(name in terminal.screen for name in names[1])
    terminal.press("l", ESC, "?", ESC, "h", ESC)
    shown = terminal.output[cover:].decode()
    passed = {title.words.name("en", "card", name) for name in hands[0]}
    assert not any(name in shown for name in passed), "Bruno sees cards of Anna"
    assert not any(name in terminal.output[:cover].decode() for name in names[1]), "Anna saw cards of Bruno"


# -- without a window ------------------------------------------------------------------------------


def test_a_dumb_terminal_gets_lines(start: Start, data: Path) -> None:
    terminal = start(SMALL, "--seed", "3", "--bots", "tiro", "--names", "Anna", TERM="dumb")
    terminal.expect_said("how much is at stake?")
    terminal.send("3\n")
    terminal.expect_said("Anna sets the stake at 3 coins.")
    terminal.send("? stake 2\n")
    terminal.expect_said("Rule M2")
    terminal.send("show 2\n")
    terminal.expect_said("Anna will show 2.")
    terminal.send(CTRL_C)
    assert terminal.end() == 0
    assert "\x1b" not in terminal.farewell
    assert entries(saved(data)) == ["1 0 stake 3", "2 0 show 2"]


def test_choices_can_be_piped(data: Path) -> None:
    env = child_environment(LUDUS_DATA_DIR=str(data), LUDUS_PLAIN="1", LANG="C.UTF-8", COLUMNS="80")
    done = subprocess.run(
        [*command(), SMALL, "--seed", "3", "--bots", "tiro", "--option", "rounds=2", "--names", "Anna"],
        input="3 2 5\n\n1\n\n" + "1\n\n" * 4,
        capture_output=True,
        text=True,
        env=env,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "follow from the seed" in done.stdout and "\x1b" not in done.stdout
    match = read(saved(data)).match
    assert match is not None and match.over
    assert max(len(line) for line in done.stdout.splitlines() if os.sep not in line) <= 80


def test_what_does_not_fit_is_said_in_one_sentence(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDUS_DATA_DIR", str(data))
    for wish, sentence in (
        (Wish(title="nonsense"), "there is no title 'nonsense'"),
        (Wish(title=SMALL, seats=9), f"{SMALL} is for 2 to 6 seats, not 9"),
        (Wish(title=SMALL, bots=("nobody",)), "There is no bot “nobody”"),
        (Wish(title=SMALL, seat=7), "There is no seat 7"),
        (Wish(title=SMALL, seats=4, bots=("tiro", "tiro")), "name one, or 3"),
        (Wish(title=SMALL, bots=("tiro",) * 2, hot_seat=True, lang="fr"), "il ne reste personne"),
        (Wish(title=SMALL, options={"rounds": "99"}), "1 to 20"),
        (Wish(resume=Path("nowhere.match")), "No such file"),
    ):
        with pytest.raises(LudusError, match=re.escape(sentence)):
            play(wish, io.StringIO(), io.StringIO())
    with pytest.raises(LudusError, match="name=value"):
        read_options(["rounds"], "en")
    assert not (data / "matches").exists()


def test_a_bad_command_line_ends_with_one_sentence(data: Path) -> None:
    env = child_environment(LUDUS_DATA_DIR=str(data), LUDUS_PLAIN="1", LANG="C.UTF-8")
    words = [*command(), SMALL, "--seats", "9"]
    done = subprocess.run(words, capture_output=True, text=True, env=env, check=False, input="")
    assert (done.returncode, done.stderr) == (2, f"ludus: {SMALL} is for 2 to 6 seats, not 9\n")
