"""The table of Antike Duellum in the terminal: all that lies on the board is shown, in every window."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from conftest import count
from ludus.core.game import Game
from ludus.core.touches import paths
from ludus.core.words import LANGUAGES
from ludus.terminal.drawings import Look, look_at
from ludus.terminal.screen import Canvas
from ludus.terminal.speech import Speech
from ludus.titles.duellum import TITLE
from ludus.titles.duellum import layout as at
from ludus.titles.duellum import terminal as drawing
from test_play import Start, data, entries, play_to_the_end, read, saved, start
from test_terminal_harness import ENTER, ESC

__all__ = ["data", "start"]  # fixtures

SHORT = "[supplies]\ngoal = 2\n[supplies.each]\nking = 3\n"  # three cities are a king: soon over
NAMES = ("Livia", "Marcus")


def looks(lang: str = "en", games: int = 6, **options: Any) -> Iterator[tuple[Game[Any, Any], Look]]:
    """Positions of random games, seen by the seat to move."""
    for seed in range(games):
        game = TITLE.new(seed=seed, **options)
        dice = random.Random(seed)
        while not game.over and len(game.line) < 400:
            game.play(dice.choice(game.legal()))
            if dice.random() < 0.03 and not game.over:
                yield game, look_at(game, game.to_move, Speech(TITLE, game.labels, lang, NAMES))


def shown(look: Look, width: int, rows: int | None) -> str:
    canvas = Canvas(styled=False)
    lines = [line for part in drawing.draw(look, width, rows) for line in canvas.lines(part, width)]
    assert max(cell_len(line) for line in lines) <= width
    return "\n".join(lines)


@pytest.mark.parametrize("width", [40, 60, 80, 120])
@pytest.mark.parametrize("rows", [None, 20, 8])
def test_cities_units_stones_and_goods_are_shown_in_every_window(width: int, rows: int | None) -> None:
    for game, look in looks(games=count(30) // 10 + 1, special_units="it"):
        told = " ".join(shown(look, width, rows).split())
        s = game.position
        for region, name in enumerate(game.labels["region"]):
            if s.owner[region] or any(s.army[p][unit][region] for p in range(2) for unit in range(2)):
                assert TITLE.words.name("en", "region", name) in told
        for p in range(2):
            mark = drawing.MARKS[p]
            stacks = sum(
                any(s.army[p][unit][r] for unit in range(2)) or s.leader_at[p] == r + 1
                for r in range(game.box.regions)
            )
            stone = s.stone[p] >= 0
            assert told.count(mark) == 2 + stacks + stone, told
            legions = sum(int(n) for n in re.findall(rf"{mark}L(\d+)", told))
            assert legions == sum(s.army[p][at.LEGION])


def test_the_ring_is_read_clockwise_and_says_what_spaces_cost() -> None:
    for game, look in looks(games=2):
        if game.position.phase != at.RONDEL:
            continue
        rows = shown(look, 80, None).splitlines()
        top = next(n for n, row in enumerate(rows) if row.strip().startswith("FERRUM"))
        ring = [re.findall(r"[A-Z]{5,}[ ●○]*(?:\+\d)?", row[:58]) for row in rows[top : top + 3]]
        clockwise = [*ring[0], ring[1][1], *reversed(ring[2]), ring[1][0]]
        assert [re.sub(r"[ ●○+\d]", "", space) for space in clockwise] == [
            name.removesuffix("_ii").upper() for name in at.SPACES[:8]
        ]
        tolls = look.view["board"]["tolls"]
        told = [int((re.findall(r"\+(\d)", space) or ["0"])[0]) for space in clockwise]
        assert told == [tolls.get(name, 0) for name in at.SPACES[:8]]


@pytest.mark.parametrize("board", ["rome_carthage", "greece_persia"])
def test_the_atlas_has_every_border_and_no_other(board: str) -> None:
    game, look = next(looks(board=board))
    names = {TITLE.words.name("en", "region", name): n for n, name in enumerate(game.labels["region"])}
    canvas = Canvas(styled=False)
    lines = [line for part in drawing.atlas(look) for line in canvas.lines(part, 300)]
    found: dict[tuple[int, int], set[int]] = {}
    here = -1
    for line in lines:
        way = re.match(r" +by (land|sea): (.*)", line)
        if way:
            found[("land", "sea").index(way[1]), here] = {names[name] for name in way[2].split(", ")}
        else:
            here = next((n for name, n in names.items() if re.match(rf"[●○ ] {name}\b", line)), here)
    for unit in range(2):
        for region in range(game.box.regions):
            near = set(game.box.way[unit][region][: game.box.way_n[unit][region]])
            assert found.get((unit, region), set()) == near, (unit, game.labels["region"][region])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_house_cards_are_called_so(lang: str) -> None:
    marks = {"en": "(house card)", "fr": "(carte maison)", "it": "(carta della casa)", "de": "(Hauskarte)"}
    for _, look in looks(lang, games=2):
        told = " ".join(shown(look, 100, None).split())
        board = look.view["board"]
        cards = [*board["display"], *board["hand"][0], *board["hand"][1]]
        house = [card for card in cards if card in board["house_cards"]]
        assert told.count(marks[lang]) == len(house)


# -- on a terminal -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("lang", "begin"), [("fr", "Entrée commence"), ("en", "Enter begins")])
def test_a_whole_game_on_own_data_without_colour(
    start: Start, data: Path, tmp_path: Path, lang: str, begin: str
) -> None:
    own = tmp_path / "short.toml"
    own.write_text(SHORT, encoding="utf-8")
    wanted = ["duellum", "--bots", "tiro", "--lang", lang, "--data", str(own), "--names", "Anna"]
    terminal = start(*wanted, NO_COLOR="1", rows=30)
    terminal.expect(begin)
    terminal.expect("SHA-256")
    terminal.press(ENTER)
    play_to_the_end(terminal, "ludus verify")
    assert re.search(r"\x1b\[[0-9;]*3[0-7]m", terminal.output.decode()) is None
    assert terminal.window.widest <= 80
    terminal.send("q")
    assert terminal.end() == 0
    file = read(saved(data))
    assert file.match is not None and file.match.over
    assert '"goal":2' in file.setting.data


def test_the_map_is_a_key_away(start: Start) -> None:
    terminal = start("duellum", "--bots", "tiro", "--seed", "1")
    terminal.expect("Enter begins")
    terminal.press(ENTER, "M")
    terminal.expect("by land: Tolosa, Massilia, Alps")
    terminal.press(ESC)
    terminal.expect("Move your stone")


def test_options_that_do_not_go_together_are_refused_in_words(start: Start) -> None:
    terminal = start("duellum", "--bots", "tiro", "--lang", "de", "--option", "board=greece_persia")
    terminal.expect("Die Eingabetaste beginnt")
    terminal.press("o", "1")
    terminal.expect("Casus Belli verträgt weder")
    terminal.press(ENTER)
    terminal.expect("Die Eingabetaste beginnt")


def test_resigning_is_asked_twice_and_ends_the_match(start: Start, data: Path) -> None:
    terminal = start("duellum", "--bots", "tiro", "--names", "Anna")
    terminal.expect("Enter begins")
    terminal.press(ENTER, "R")
    terminal.expect("Do you give up this match?")
    terminal.press("1")
    terminal.expect("Move your stone")
    terminal.press("R", "2")
    terminal.expect("Recruit wins!")
    terminal.send("q")
    assert terminal.end() == 0
    assert entries(saved(data))[-1].endswith("house resign 0")
    match = read(saved(data)).match
    assert match is not None and match.ending == "resigned"


def test_what_begins_several_actions_has_a_name_of_its_own() -> None:
    """Buttons and piles that are no things of the title are named in its words, not by their ids."""
    for game, _ in looks(games=3):
        for path in paths(game):
            for touch in path[:-1]:
                kind, _, name = touch.partition(":")
                if kind == "button" or name.endswith("@supply"):
                    assert TITLE.words.has(f"touch.{kind}.{name}"), touch


def test_the_marks_differ_on_a_terminal_with_plain_letters_only(start: Start) -> None:
    terminal = start(
        "duellum", "--bots", "tiro", "--seed", "1", "--names", "Anna", PYTHONIOENCODING="ascii", rows=30
    )
    terminal.expect("Enter begins")
    terminal.press(ENTER)
    assert ">@ Anna, Rome" in terminal.screen
    assert " o Recruit, Carthage" in terminal.screen
    assert terminal.screen.isascii()
