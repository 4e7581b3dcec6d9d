"""Puzzles: all that are shipped fit the rules and are solved as they say; they are found, graded, written."""

from __future__ import annotations

import json
import re
from datetime import date
from math import inf
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner

import ludus
from conftest import all_titles
from ludus.cli import app
from ludus.core.errors import FormatError
from ludus.core.scene import make_scene, say_position, set_up
from ludus.core.title import Title
from ludus.lab import puzzles as lab
from ludus.puzzles import puzzle as files
from ludus.puzzles.puzzle import GOOD, Asked, Puzzle, fitting_puzzles, puzzle_files
from ludus.puzzles.solving import NoAttempt, at_place, begin, puzzle_of_the_day
from ludus.puzzles.telling import gains, tell
from ludus.terminal.puzzles import solve_all
from samples import LARGE, PLANNED, SMALL, WIDE

LANGUAGES = ("en", "fr", "it", "de")
SHIPPED = [title for title in all_titles() if puzzle_files(title)]
EACH = pytest.mark.parametrize("title", SHIPPED, ids=lambda title: title.name)


def some_puzzle(steps: int = 1) -> Puzzle:
    found, _ = fitting_puzzles(ludus.title(LARGE))
    return next(one for one in found if len(one.asked) >= steps)


# -- what is shipped ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "least"), [(LARGE, 150), (PLANNED, 100), (WIDE, 50)])
def test_so_many_puzzles_are_shipped(name: str, least: int) -> None:
    assert len(fitting_puzzles(ludus.title(name))[0]) >= least


@EACH
def test_every_shipped_puzzle_fits_the_rules(title: Title[Any, Any]) -> None:
    found, wrong = fitting_puzzles(title)
    assert not wrong and found
    assert len({one.name for one in found}) == len(found)


@EACH
def test_every_shipped_puzzle_is_solved_by_its_best_line_and_by_what_is_as_good(
    title: Title[Any, Any],
) -> None:
    for puzzle in fitting_puzzles(title)[0]:
        attempt = begin(puzzle, "en")
        for asked in puzzle.asked:
            assert set(asked.chances) == {action.text for action in attempt.game.legal()}, puzzle.name
            assert asked.chances[asked.best] == max(asked.chances.values())
            assert asked.margin >= GOOD
            attempt.play([asked.best])
        assert attempt.verdict == "best", puzzle.name
        first = puzzle.asked[0]
        for choice in first.good[1:]:
            assert at_place(puzzle, [choice], "en").verdict == "good"
        worst = min(first.chances, key=lambda choice: first.chances[choice])
        assert at_place(puzzle, [worst], "en").verdict == "wrong"


@EACH
def test_no_shipped_puzzle_is_trivial_or_much_like_another(title: Title[Any, Any]) -> None:
    found, _ = fitting_puzzles(title)
    rows = [
        {"position": dict(one.scene.position), "step": [dict(step) for step in one.scene.steps]}
        for one in found
    ]
    for one in found:
        few = len(one.asked[0].chances) < lab.LEAST
        assert lab.asks_enough(begin(one, "en").game), one.name
        assert not lab.is_trivial({"found": one.found}, few), one.name
        assert one.found[lab.STRONGEST] >= 0.5
    by_box: dict[str, list[Any]] = {}
    for one, row in zip(found, rows, strict=True):
        by_box.setdefault(one.scene.path.name, []).append(row)
    for some in by_box.values():
        assert not any(lab.alike(a, b) for k, a in enumerate(some) for b in some[:k])


@EACH
def test_all_is_told_in_four_languages(title: Title[Any, Any]) -> None:
    puzzle = fitting_puzzles(title)[0][0]
    asked = puzzle.asked[0]
    worst = min(asked.chances, key=lambda choice: asked.chances[choice])
    for lang in LANGUAGES:
        shown = begin(puzzle, lang)
        question = tell(shown)
        shown.give_up()
        told = {question, tell(shown), tell(at_place(puzzle, [worst], lang))}
        assert len(told) == 3
        assert not any("{" in said or "said." in said for said in told)
    assert set(gains(begin(puzzle, "en"))) == {"gain", "others", "why"}


# -- solving ------------------------------------------------------------------------------------------------


def test_the_sentence_is_as_grave_as_the_choice_and_the_solution_has_its_reason() -> None:
    reasons: set[str] = set()
    for puzzle in fitting_puzzles(ludus.title(LARGE))[0]:
        for choice in puzzle.asked[0].chances:
            attempt = at_place(puzzle, [choice], "en")
            if attempt.verdict != "wrong":
                continue
            told = tell(attempt)  # "Not solved" stands above it
            assert told.startswith("“") and ": " not in told.split("%")[0].split("”")[-1], told
            assert ("mistake" in told or "blunder" in told) == (attempt.cost >= 5), told
        reasons.update(gains(begin(puzzle, "en"))["why"])
    assert any("wins" in said for said in reasons) and not any("costs" in said for said in reasons)


def test_whoever_finds_the_best_choice_is_asked_the_next() -> None:
    puzzle = some_puzzle(2)
    attempt = begin(puzzle, "en")
    attempt.play([puzzle.asked[0].best])
    assert attempt.step == 1 and not attempt.is_over
    again = at_place(puzzle, [puzzle.asked[0].best], "en")
    assert again.game.view(again.seat) == attempt.game.view(attempt.seat)
    attempt.play([one.best for one in puzzle.asked[1:]])
    assert attempt.is_solved and attempt.cost == 0


def test_what_cannot_have_been_played_is_refused() -> None:
    puzzle = some_puzzle()
    worst = min(puzzle.asked[0].chances, key=lambda choice: puzzle.asked[0].chances[choice])
    for actions in (["nonsense"], [worst, worst]):
        with pytest.raises(NoAttempt):
            at_place(puzzle, actions, "en")
    done = at_place(puzzle, [worst], "en")
    with pytest.raises(NoAttempt):
        done.give_up()
    assert done.cost > GOOD and not done.is_solved


def test_the_puzzle_of_the_day_is_one_for_all_and_another_the_next_day() -> None:
    found, _ = fitting_puzzles(ludus.title(LARGE))
    days = [puzzle_of_the_day(found, date(2026, 1, day)) for day in range(1, 29)]
    assert days[0] == puzzle_of_the_day(list(reversed(found)), date(2026, 1, 1))
    assert len({one.name for one in days if one}) > 14
    assert puzzle_of_the_day([], date(2026, 1, 1)) is None


def test_the_terminal_asks_and_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = some_puzzle()
    legal = [action.text for action in begin(puzzle, "en").game.legal()]
    answers = iter(["99", str(legal.index(puzzle.asked[0].best) + 1), *"?" * len(puzzle.asked)])
    console = Console(record=True, width=100, file=None, quiet=False)
    monkeypatch.setattr(console, "input", lambda prompt: next(answers))
    solve_all(console, [puzzle], "en")
    said = console.export_text()
    assert "There is no choice '99'" in said
    assert re.search(r"Solved\. “|Solution\. Best was|Not solved\. “", said)


def test_puzzles_of_a_file_are_solved_in_the_terminal_without_a_server(tmp_path: Path) -> None:
    """`ludus puzzles TITLE --file`: what does not fit is told, all else is asked."""
    path = puzzle_files(ludus.title(LARGE))[0]
    head, first, second, *_ = path.read_text(encoding="utf-8").split("[[puzzle]]\n")
    own = tmp_path / "mine.toml"
    broken = second.replace("rating = ", "rating = -", 1)
    own.write_text(f"{head}[[puzzle]]\n{first}[[puzzle]]\n{broken}", encoding="utf-8")
    run = CliRunner().invoke(app, ["puzzles", LARGE, "--file", str(own), "--lang", "de"], input="?\nq\n")
    assert run.exit_code == 0, run.output
    assert "Aufgabe 1 von 1" in run.stdout and "0 von 1 gelöst" in run.stdout
    assert "mine.toml: puzzle" in run.stderr
    none = tmp_path / "none.toml"
    none.write_text("[[[")
    refused = CliRunner().invoke(app, ["puzzles", LARGE, "--file", str(none)])
    assert refused.exit_code == 1 and "none.toml" in refused.stderr


# -- files --------------------------------------------------------------------------------------------------


def written(tmp_path: Path, change: Any) -> tuple[list[Puzzle], list[str]]:
    """The shipped file with one puzzle, changed."""
    path = puzzle_files(ludus.title(LARGE))[0]
    head, first, *_ = path.read_text(encoding="utf-8").split("[[puzzle]]\n")
    copy = tmp_path / "puzzles.toml"
    copy.write_text(change(f"{head}[[puzzle]]\n{first}"), encoding="utf-8")
    return fitting_puzzles(ludus.title(LARGE), [copy])


def test_a_puzzle_that_does_not_fit_is_left_out_with_one_line(tmp_path: Path) -> None:
    assert len(written(tmp_path, lambda text: text)[0]) == 1
    best = some_puzzle().asked[0].best
    cases = {
        "no longer legal": lambda text: text.replace(f'"{best}"', '"fly to the moon"'),
        "impossible": lambda text: text.replace("position = {", "position = {stock = -9, ", 1),
        "no field": lambda text: text.replace("position = {", "position = {nonsense = 1, ", 1),
        "no rating": lambda text: text.replace("rating = ", "rating = -"),
        "unknown key": lambda text: text.replace("rating = ", "ratings = "),
    }
    for case, change in cases.items():
        found, wrong = written(tmp_path, change)
        assert not found and len(wrong) == 1, case
    for text in ("title = 1", "nonsense", f'title = "{LARGE}"\nfoo = 1'):
        found, wrong = written(tmp_path, lambda _, text=text: text)
        assert not found and len(wrong) == 1


def test_two_of_one_name_are_one(tmp_path: Path) -> None:
    found, wrong = written(tmp_path, lambda text: text + text[text.index("[[puzzle]]") :])
    assert len(found) == 1 and "another one of this name" in wrong[0]


def test_a_position_can_be_said_by_name_and_is_set_up_again() -> None:
    for title in all_titles():
        game = title.new(seed=4)
        for _ in range(25):
            if game.over:
                break
            game.apply(game.legal_codes()[0])
        said = say_position(game)
        data = {"title": title.name, "name": "x", "position": said, "step": [], "seats": game.seats}
        scene = make_scene(Path(), data, ludus.title)
        assert set_up(scene).packed() == game.packed(), title.name


# -- finding ------------------------------------------------------------------------------------------------


def test_only_a_clear_choice_among_several_is_a_puzzle() -> None:
    assert lab.clear_choice({"a": 80.0, "b": 79.0, "c": 60.0, "d": 1.0, "e": 2.0, "f": 3.0}, 5.0) == [
        "a",
        "b",
    ]
    assert lab.clear_choice({"a": 80.0, "b": 76.0, "c": 60.0, "d": 1.0}, 5.0) == []
    assert (
        lab.clear_choice({"a": 80.0, "b": 79.5, "c": 79.0, "d": 1.0, "e": 1.0, "f": 1.0, "g": 1.0}, 5.0) == []
    )
    asked = Asked((), "a", {"a": 80.0, "b": 79.0, "c": 60.0})
    assert asked.good == ["a", "b"] and asked.margin == 20.0


def test_two_choices_are_a_puzzle_where_the_title_says_so() -> None:
    title = ludus.title(WIDE)
    asked = {
        lab.prompt_of(game): game for one in fitting_puzzles(title)[0] if (game := begin(one, "en").game)
    }
    few = {prompt: game for prompt, game in asked.items() if prompt in title.dilemmas}
    assert few and all(lab.asks_enough(game) and lab.is_dilemma(game) for game in few.values())
    prompt, game = next(iter(few.items()))
    assert lab.is_wanted(lab.PuzzleSetting(WIDE, 2), game)
    assert lab.is_wanted(lab.PuzzleSetting(WIDE, 2, at=(prompt,)), game)
    assert not lab.is_wanted(lab.PuzzleSetting(WIDE, 2, at=("nothing",)), game)
    assert (
        lab.clear_choice({"a": 60.0, "b": 40.0}, 5.0) == ["a"]
        and lab.clear_choice({"a": 60.0, "b": 59.0}, 5.0) == []
    )
    assert not lab.is_trivial({"found": {"random": 0.5, "tiro": 0.0, "miles": 1.0}}, few=True)
    assert lab.is_trivial({"found": {"random": 0.5, "tiro": 1.0, "miles": 1.0}}, few=True)


def test_the_rarer_it_is_found_the_harder_it_is() -> None:
    easy = {"random": 0.1, "tiro": 0.8, "centurio": 1.0}
    hard = {"random": 0.1, "tiro": 0.0, "centurio": 0.2}
    assert lab.rating_of(easy, 6) < lab.rating_of(hard, 6)
    assert lab.is_trivial({"found": {"random": 0.1, "tiro": 1.0, "miles": 1.0}})
    assert lab.is_trivial({"found": {"random": 0.5, "tiro": 0.0, "miles": 0.0}})
    assert not lab.is_trivial({"found": {"random": 0.1, "tiro": 0.2, "miles": 1.0}})


def one_a_game(played: list[int]) -> Any:
    """A search that finds one puzzle in each game, and nothing in the game that has no time left."""

    def search_game(setting: lab.PuzzleSetting, seed: int, until: float = inf) -> lab.Searched:
        played.append(seed)
        step = {"best": f"a{seed}", "chances": {f"a{seed}": 50.0, "b": 1.0}}
        row = {"name": str(seed), "rating": 1000, "found": {}, "position": {"x": seed}, "step": [step]}
        return lab.Searched([row])

    return search_game


def test_a_search_goes_on_where_it_was_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[int] = []
    monkeypatch.setattr(lab, "search_game", one_a_game(played))
    setting = lab.PuzzleSetting(SMALL, 2)
    path = tmp_path / "journal.jsonl"
    lab.search(setting, 1, lab.Effort(3, 9), lab.Journal(path, setting, 1), lambda games, found: None)
    with path.open("a") as file:
        file.write('[{"cut')  # stopped in the middle of a line
    rows = lab.search(setting, 1, lab.Effort(5, 9), lab.Journal(path, setting, 1), lambda games, found: None)
    assert len(rows) == 5 and len(played) == len(set(played)) == 5
    assert len(path.read_text().splitlines()) == 6
    with pytest.raises(FormatError, match="another search"):
        lab.Journal(path, setting, 2)


def test_a_game_that_time_cut_short_is_kept_and_searched_again(tmp_path: Path) -> None:
    setting = lab.PuzzleSetting(SMALL, 2, bot="miles")
    row = {"step": [{"best": "a"}], "position": {}}
    journal = lab.Journal(tmp_path / "journal.jsonl", setting, 1)
    journal.keep(1, lab.Searched([row], whole=False))
    again = lab.Journal(journal.path, setting, 1)
    assert again.found() == [[row]] and not again.games[1].whole
    assert lab.search_game(setting, 1, until=0.0) == lab.Searched([], whole=False)
    assert lab.search(setting, 1, lab.Effort(9, 9, minutes=0.0), again, lambda games, found: None) == [row]


def test_a_search_beside_the_puzzles_there_are_gives_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lab, "search_game", one_a_game([]))
    setting = lab.PuzzleSetting(SMALL, 2)
    journal = lab.Journal(tmp_path / "one.jsonl", setting, 1)
    before = lab.search(setting, 1, lab.Effort(2, 9), journal, lambda games, found: None)
    told: list[tuple[int, int]] = []
    journal = lab.Journal(tmp_path / "other.jsonl", setting, 1)
    rows = lab.search(setting, 1, lab.Effort(3, 9), journal, lambda *one: told.append(one), before)
    assert rows[:2] == before and len({row["name"] for row in rows}) == 5
    assert told == [(1, 0), (2, 0), (3, 1), (4, 2), (5, 3)]


def test_a_file_is_added_to_and_says_so(tmp_path: Path) -> None:
    title = ludus.title(LARGE)
    rows, made = lab.read_back(puzzle_files(title)[0], title)
    found = [one for one in fitting_puzzles(title)[0] if one.scene.path == puzzle_files(title)[0]]
    assert made.startswith("ludus lab puzzles") and [row["name"] for row in rows] == [
        one.name for one in found
    ]
    setting = lab.PuzzleSetting(LARGE, min(title.seats))
    path = tmp_path / "again.toml"
    path.write_text(lab.write_file(setting, rows, made), encoding="utf-8")
    assert lab.read_back(path, title) == (rows, made)
    assert lab.read_back(tmp_path / "none.toml", title) == ([], "")


def test_what_is_found_is_written_as_it_is_read(tmp_path: Path) -> None:
    one = some_puzzle(2)
    row = {"name": one.name, "rating": one.rating, "found": dict(one.found)}
    row |= {"position": dict(one.scene.position), "step": [dict(step) for step in one.scene.steps]}
    path = tmp_path / "again.toml"
    path.write_text(lab.write_file(lab.PuzzleSetting(LARGE, 2), [row], "by hand"), encoding="utf-8")
    [again] = files.read_puzzles(path, one.title)[0]
    assert json.dumps(again.scene.steps) == json.dumps(one.scene.steps)
    assert (again.asked, again.rating, again.scene.position) == (one.asked, one.rating, one.scene.position)


def test_a_position_shows_nothing_that_the_seat_does_not_know() -> None:
    """Whatever is hidden in a puzzle was dealt anew, so its judgement cannot depend on it."""
    puzzle = some_puzzle()
    game = set_up(puzzle.scene)
    other = game.imagine(puzzle.seat, 77)
    assert other.view(puzzle.seat) == game.view(puzzle.seat)
    assert [a.text for a in other.legal()] == [a.text for a in game.legal()]


def test_what_leaves_the_board_is_said_to_leave_it() -> None:
    """A card that goes back to a hand is not taken from the other side: it leaves the board."""
    found, _ = fitting_puzzles(ludus.title(LARGE))
    ways = {lang: ludus.title(LARGE).words.say(lang, "why.board.theirs_less", n=1) for lang in LANGUAGES}
    assert ways == {
        "en": "removes 1 card from the opponent’s discs",
        "fr": "retire 1 carte des disques adverses",
        "it": "toglie 1 carta dai dischi dell’avversario",
        "de": "entfernt 1 Karte von den Scheiben des Gegners",
    }
    assert any(ways["en"] in gains(begin(one, "en"))["why"] for one in found)
