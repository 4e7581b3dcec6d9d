"""A picture of the table for the README: a game in its middle, drawn as on a terminal, as an SVG file."""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from ludus import titles as registry
from ludus.bots import bots_for, shown_name
from ludus.core.chance import Seeded
from ludus.match.match import Match, read_setting

from .app import App
from .keyboard import LineKeys
from .opponents import Opponents
from .saves import Save, write_whole
from .screen import Canvas, Screen, compose
from .seating import PERSON, Seating
from .speech import Speech
from .table import TerminalTable

WIDTH, HEIGHT = 96, 30
SEED = 11  # a lively moment
ACTIONS = 70  # how far the game has gone
MANY = 8  # choices that make a moment worth a picture
NAMES = ("Livia", "Marcus")
_INK, _PAPER, _GREY = (52, 44, 36), (250, 247, 240), (120, 110, 98)
_HUES = [(168, 44, 38), (62, 112, 58), (156, 112, 20), (44, 82, 136), (132, 52, 110), (24, 112, 120)]
THEME = TerminalTheme(_PAPER, _INK, [_INK, *_HUES, _GREY], [_GREY, *_HUES, _INK])


def table_in_play(title_name: str, lang: str, actions: int = ACTIONS, seed: int = SEED) -> TerminalTable:
    """A table after some actions of bots on both sides, seen by seat 0 when it has much to choose from."""
    title = registry.title(title_name)
    seats = title.seats[0]
    bot = "miles" if "miles" in bots_for(title) else "tiro"
    seating = Seating((PERSON, *[bot] * (seats - 1)))
    names = [*NAMES[:seats], *(shown_name(bot) for _ in range(seats - 2))]
    match = Match(read_setting(title, seats, {}, names), Seeded(seed), seed=seed)
    everybody = Opponents(title, Seating((bot,) * seats), seed, budget=0.0)
    while not match.over and not (
        len(match.entries) >= actions and match.game.to_move == 0 and len(match.game.legal()) >= MANY
    ):
        match.play(match.game.to_move, [everybody.choose(match.game, match.game.to_move)])
    speech = Speech(title, match.game.labels, lang, match.names)
    screen = Screen(io.StringIO(), full=False)
    screen.canvas = Canvas(styled=True)
    opponents = Opponents(title, seating, seed)
    return TerminalTable(
        App(screen, LineKeys(io.StringIO())), match, seating, speech, opponents, Save(Path()), {}
    )


def picture(table: TerminalTable, width: int = WIDTH, height: int = HEIGHT) -> str:
    """The window of a table as SVG, without anything that a viewer would have to fetch."""
    console = Console(record=True, width=width, height=height, file=io.StringIO(), force_terminal=True)
    for line in compose(table.parts(width, height), width, height):
        console.print(Text.from_ansi(line), soft_wrap=True, highlight=False)
    name = table.match.setting.called(table.speech.lang)
    svg = console.export_svg(title=f"ludus play: {name}", theme=THEME, unique_id="ludus")
    return re.sub(r"@font-face\s*\{.*?\}|<!--.*?-->\s*", "", svg, flags=re.DOTALL)


def save_picture(path: Path, title_name: str, lang: str) -> None:
    write_whole(path, picture(table_in_play(title_name, lang)))
