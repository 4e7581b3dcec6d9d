"""The screen: what is drawn, as lines; painted in place on a terminal, or printed one after the other.

Painting never scrolls: every line is cut to the window, so a resize cannot break it.  Colours are the
terminal's own sixteen, with bold and reverse, so light and dark backgrounds both work and nothing is
said by colour alone.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import shutil
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TextIO

from rich.console import Console, Group, RenderableType
from rich.style import Style
from rich.text import Text
from rich.theme import Theme

# Every style that drawings use.  A look is never more than one of these words.
STYLES: Mapping[str, Style | str] = {
    "title": "bold",
    "key": "reverse",
    "cursor": "bold underline",
    "new": "",
    "old": "dim",
    "prompt": "bold",
    "message": "bold red",
    "foot": "dim",
    "quiet": "dim",
    "you": "bold green",
    "them": "bold magenta",
    "person": "magenta",
    "building": "cyan",
    "points": "bold",
    "blocked": "red",
    "touched": "reverse",
}

GLUE = "\ue000"  # a blank at which no line is broken; Rich breaks at the usual one too
NARROWEST, LOWEST = 20, 6  # smaller windows show a part of that
AIRY = 28  # rows from which the parts are set apart by empty lines
LEAST_STORY = 3  # rows kept for what has happened, however large the board
LINE_WIDTH = 80


@dataclass
class Parts:
    """What a view wants to be seen, from top to bottom.

    `board` is asked for its lines in about so many rows (None: as many as it likes).  The story may be
    cut at its beginning; `ask` is always there as a whole.
    """

    head: list[str] = field(default_factory=list)
    board: Callable[[int | None], list[str]] = field(default=lambda rows: [])
    story: Callable[[int | None], list[str]] | None = None
    ask: list[str] = field(default_factory=list)
    foot: list[str] = field(default_factory=list)
    scroll: int = 0  # the first line of the board that is shown when it does not fit
    more: Callable[[int, int], str] = field(default=lambda above, below: "")


class Canvas:
    """Turns what Rich can render into lines of text, coloured or plain."""

    def __init__(self, styled: bool, encoding: str = "utf-8") -> None:
        self.styled, self.encoding = styled, encoding

    def lines(self, what: RenderableType, width: int) -> list[str]:
        """The lines of something, none wider than `width`."""
        if not self.styled:
            return [line.rstrip() for line in self._render(what, width)]
        return self._render(what, width)

    def _render(self, what: RenderableType, width: int) -> list[str]:
        console = self.console(width)
        with console.capture() as capture:
            console.print(Group(what), crop=True)  # as it is: texts alone would lose how they wrap
        text = printed(capture.get())
        return text[:-1].split("\n") if text else []

    def console(self, width: int) -> Console:
        return Console(
            file=_Sink(self.encoding),
            width=max(1, width),
            height=1000,
            force_terminal=self.styled,
            color_system="auto" if self.styled else None,
            theme=Theme(STYLES),
            highlight=False,
            markup=False,
            emoji=False,
            legacy_windows=False,
        )

    def text(self, text: str | Text, width: int) -> list[str]:
        """A paragraph, wrapped."""
        return self.lines(text if isinstance(text, Text) else Text(text), width)


def printed(text: str) -> str:
    """A text as it is shown: its lines are broken, so glue is a blank again."""
    return text.replace(GLUE, " ")


class _Sink(io.StringIO):
    """Where a console believes to write: it asks only for the encoding."""

    def __init__(self, encoding: str) -> None:
        super().__init__()
        self._encoding = encoding

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding


def compose(parts: Parts, width: int, height: int) -> list[str]:
    """The parts as exactly `height` lines: the board on top, what is asked at the bottom."""
    ask, foot = parts.ask, parts.foot
    room = height - len(ask) - len(foot)
    if room < 0:
        return _fit((ask + foot)[: max(0, height)], height)
    head = parts.head[: max(0, room)]
    room -= len(head)
    story_least = min(LEAST_STORY, max(0, room // 3)) if parts.story else 0
    board = parts.board(room - story_least)
    shown = _window(board, parts, room - story_least)
    room -= len(shown)
    air = [""] if height >= AIRY else []  # between the board, the story and what is asked
    lines = room - 2 * len(air)
    story = parts.story(lines)[-lines:] if lines > 0 and parts.story else []
    gap = [""] * (room - len(story) - len(air))
    return _fit([*head, *shown, *air, *story, *gap, *ask, *foot], height)


def _window(board: list[str], parts: Parts, rows: int) -> list[str]:
    """The part of a board that fits, with a last line that says how much is above and below."""
    if len(board) <= rows:
        return board
    if rows < 2:
        return board[: max(0, rows)]
    first = max(0, min(parts.scroll, len(board) - (rows - 1)))
    shown = board[first : first + rows - 1]
    return [*shown, parts.more(first, len(board) - first - len(shown))]


def _fit(lines: Sequence[str], height: int) -> list[str]:
    return [*lines[:height], *[""] * (height - len(lines))]


class Screen:
    """A window that is painted in place, or a page that grows (`full` says which)."""

    def __init__(self, stdout: TextIO, full: bool) -> None:
        self.stdout, self.full = stdout, full
        self.encoding = getattr(stdout, "encoding", None) or "utf-8"
        self.canvas = Canvas(styled=full, encoding=self.encoding)
        self._printed: dict[str, list[str]] = {}
        self._inside = False

    def size(self) -> tuple[int, int]:
        """Columns and rows.  A page that grows is 80 wide, or what COLUMNS says."""
        if not self.full:
            return max(NARROWEST, _number(os.environ.get("COLUMNS"), LINE_WIDTH)), 0
        try:
            size = os.get_terminal_size(self.stdout.fileno())
        except (OSError, ValueError):
            size = shutil.get_terminal_size((80, 24))
        # Terminals that do not know their size say 0.
        return max(NARROWEST, size.columns or 80), max(LOWEST, size.lines or 24)

    # -- a window ----------------------------------------------------------------------------------

    def enter(self) -> None:
        if self.full and not self._inside:
            self._inside = True
            self._write("\x1b[?1049h\x1b[?25l\x1b[2J")

    def leave(self) -> None:
        if self._inside:
            self._inside = False
            with contextlib.suppress(OSError):  # the terminal itself may be gone
                self._write("\x1b[0m\x1b[?25h\x1b[?1049l")

    def clear(self) -> None:
        """Forget what is seen: before something that the next person must not see."""
        if self.full:
            self._write("\x1b[2J\x1b[3J\x1b[H")
        else:
            self._write("\n" * 40)
        self._printed.clear()

    def show(self, parts: Parts, asking: bool = True) -> None:
        """Paint or print the parts; a page that grows repeats only what has changed."""
        width, height = self.size()
        if self.full:
            self._paint(compose(parts, width, height))
            return
        for name, lines in (
            ("head", parts.head),
            ("board", parts.board(None)),
            ("story", parts.story(None) if parts.story else []),
            ("ask", parts.ask),
        ):
            if lines and (not asking or name == "ask" or self._printed.get(name) != lines):
                self._write("\n".join(lines) + "\n")
            if asking:
                self._printed[name] = lines
        if asking:
            self._write("> ")

    def _paint(self, lines: list[str]) -> None:
        painted = "".join(f"\x1b[{row};1H\x1b[K{line}\x1b[0m" for row, line in enumerate(lines, 1))
        # One write, with the cursor parked: nothing flickers and nothing scrolls.
        self._write(f"\x1b[?2026h\x1b[?7l{painted}\x1b[?7h\x1b[?2026l")

    def say(self, *lines: str) -> None:
        """Lines for the ordinary screen, after the window is gone."""
        self._write("".join(f"{line}\n" for line in lines))

    def _write(self, text: str) -> None:
        text = printed(text)
        if not self.encoding.lower().startswith("utf"):
            text = text.translate(POOR)
        data = text.encode(self.encoding, errors=_PLAINER)
        try:
            self.stdout.flush()
            self.stdout.buffer.write(data)
            self.stdout.buffer.flush()
        except AttributeError:  # a text stream without bytes below, in tests
            self.stdout.write(data.decode(self.encoding))
            self.stdout.flush()


# What stands for a character where the terminal has only letters and digits.
POOR = str.maketrans(
    {**dict.fromkeys("┌┬┐├┼┤└┴┘╭╮╰╯", "+"), "│": "|", "─": "-", "▸": ">", "›": ">", "·": "-", "…": "...",
     "⌂": "#", "●": "@", "○": "o", "▒": "#", "▲": "^", "▼": "v", "█": "_", "×": "x", "–": "-",
     **dict.fromkeys("“”«»„", '"')}
)  # fmt: skip


_PLAINER = "ludus.plainer"


def _without_accent(error: UnicodeError) -> tuple[str, int]:
    """For letters that an encoding does not have: the same without what is above or below them."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    flat = unicodedata.normalize("NFKD", error.object[error.start : error.end])
    return "".join(c for c in flat if c.isascii()) or "?", error.end


codecs.register_error(_PLAINER, _without_accent)


def _number(text: str | None, default: int) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 5 else default


def wants_window(stdin_raw: bool, stdout: TextIO, plain: bool) -> bool:
    """Whether to paint in place: both ends are a real terminal that can move its cursor."""
    if plain or not stdin_raw or os.environ.get("TERM", "dumb") in ("", "dumb"):
        return False
    try:
        return stdout.isatty()
    except ValueError:
        return False
