"""Small views: a question with a few answers, a text to page through, a cover between two persons."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.align import Align
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from . import keyboard as k
from .app import Leave, Quiet
from .choices import AMOUNT, Choice, Menu
from .screen import Canvas, Parts

Ui = Callable[..., str]  # a sentence of the table by its key
OPTIONS = "options"  # what a welcome ends with when somebody wants to change them


# -- choices on the screen ----------------------------------------------------------------------------


def entries(menu: Menu, ui: Ui, styled: bool, cursor: int | None = None) -> list[Text]:
    """Each choice as a short text: its key, then what it is called; all amounts together as one."""
    shown: list[Text] = []
    amounts_shown = False
    for place, choice in enumerate(menu.choices):
        if choice.group == AMOUNT:
            if not amounts_shown:
                shown.append(_amounts(menu, ui, styled))
            amounts_shown = True
            continue
        text = _key(choice.key, styled)
        text.append(f" {choice.label}", style="cursor" if place == cursor else "")
        shown.append(text)
    return shown


def _key(key: str, styled: bool) -> Text:
    return Text.assemble((f" {key} ", "key")) if styled else Text(f"[{key}]")


def _amounts(menu: Menu, ui: Ui, styled: bool) -> Text:
    text = _key(menu.span(), styled)
    if menu.default is not None and menu.default.group == AMOUNT:
        return text.append(f" {ui('amount.default', default=menu.default.key)}")
    return text.append(f" {ui('amount.plain')}")


def in_columns(shown: Sequence[Text], width: int) -> list[Text]:
    """Texts side by side in columns of equal width, row by row."""
    if not shown:
        return []
    column = min(width, max(text.cell_len for text in shown) + 2)
    number = max(1, width // column)
    rows = []
    for first in range(0, len(shown), number):
        row = Text(no_wrap=True, overflow="ellipsis")
        for text in shown[first : first + number]:
            piece = text.copy()
            piece.truncate(column, overflow="ellipsis", pad=True)
            row.append_text(piece)
        rows.append(row)
    return rows


def menu_lines(
    menu: Menu, ui: Ui, canvas: Canvas, width: int, most: int, page: int = 0, cursor: int | None = None
) -> list[str]:
    """The choices as lines; more than `most` of them are turned over with Tab."""
    rows = in_columns(entries(menu, ui, canvas.styled, cursor), width)
    if most and len(rows) > most:
        size = max(1, most - 1)
        pages = -(-len(rows) // size)
        first = (page % pages) * size
        rows = rows[first : first + size]
        rows.append(Text(ui("choices.more", page=page % pages + 1, pages=pages), style="quiet"))
    return [line for row in rows for line in canvas.lines(row, width)]


# -- views --------------------------------------------------------------------------------------------


class Question(Quiet):
    """A question with a few answers; the result is the value of the one that was chosen."""

    foot = "foot.question"

    def __init__(
        self, canvas: Canvas, ui: Ui, heading: Sequence[RenderableType], menu: Menu, back: bool = False
    ) -> None:
        super().__init__()
        self.canvas, self.ui, self.heading, self.menu, self.back = canvas, ui, heading, menu, back
        self.message = ""

    def parts(self, width: int, height: int) -> Parts:
        head = [line for text in self.heading for line in self.canvas.lines(text, width)]
        rows = self.canvas.lines(self._rows(True), width) if self.menu.choices else []
        if height and len(head) + len(rows) + 4 > height:  # every answer is seen, if need be without its note
            rows = self.canvas.lines(self._rows(False), width)
        said = self.canvas.text(Text(self.message, style="message"), width) if self.message or height else []
        ask = [*rows, *([""] if height else []), *said]
        # In a window the question stands on top, where one begins to read.
        return Parts(
            head=[*head, ""] if height else [],
            board=lambda rows: ask if height else [*head, ""],
            ask=[] if height else ask,
            foot=self.canvas.text(Text(self._foot(), style="foot"), width),
        )

    def _foot(self) -> str:
        return f"{self.ui(self.foot)} {self.ui('foot.question_back')}" if self.back else self.ui(self.foot)

    def _rows(self, notes: bool) -> RenderableType:
        grid = Table.grid(padding=(0, 2, 0, 0))
        for choice in self.menu.choices:
            note = [Text(choice.note, style="quiet")] if notes else []
            grid.add_row(_key(choice.key, self.canvas.styled), Text(choice.label), *note)
        return grid

    def press(self, key: str) -> None:
        self.message, self.refused = "", False
        found, _ = self.menu.find(key)
        if key == k.ENTER and self.menu.default is not None:
            found = self.menu.default
        if found is not None:
            self.finish(found.value)
        elif key in (k.ESC, k.BACKSPACE) and self.back:
            self.finish()
        elif key in ("q", "Q"):
            raise Leave
        elif key != k.OTHER:
            self.message, self.refused = self.ui("wrong_key", key=key), True


class Welcome(Question):
    """A page to read before the game; Enter begins.  Where lines are typed it is only printed."""

    passing = True
    foot = "foot.welcome"

    def __init__(self, canvas: Canvas, ui: Ui, text: Sequence[RenderableType]) -> None:
        super().__init__(canvas, ui, text, Menu((), Choice("", "", True)))

    def press(self, key: str) -> None:
        if key in ("o", "O"):
            self.finish(OPTIONS)
        else:
            super().press(k.ENTER if key == " " else key)


def numbered(answers: Sequence[tuple[str, str, object]]) -> Menu:
    """A menu whose keys are 1, 2, 3, ... of (what it is called, what else there is to say, value)."""
    choices = tuple(
        Choice(str(n), label, value, note=note) for n, (label, note, value) in enumerate(answers, 1)
    )
    return Menu(choices, choices[0])


class Pager(Quiet):
    """A text to read.  Where lines are typed it is printed as a whole."""

    passing = True

    def __init__(
        self, canvas: Canvas, ui: Ui, heading: str, text: Sequence[RenderableType], at_end: bool = False
    ) -> None:
        super().__init__()
        self.canvas, self.ui, self.heading, self.text = canvas, ui, heading, text
        self.first, self.at_end = 0, at_end
        self._rows, self._count = 1, 0

    def parts(self, width: int, height: int) -> Parts:
        lines = [line for part in self.text for line in self.canvas.lines(part, width)]
        head = self.canvas.lines(Text(self.heading, style="title"), width)
        if not height:
            return Parts(head=head, board=lambda rows: lines)
        self._rows, self._count = max(1, height - len(head) - 2), len(lines)
        if self.at_end:
            self.first, self.at_end = self._last(), False
        self.first = max(0, min(self.first, self._last()))
        shown = lines[self.first : self.first + self._rows]
        place = ""
        if self._count > self._rows:
            place = self.ui("pager.place", first=self.first + 1, last=self.first + len(shown), of=self._count)
        foot = Text(f"{self.ui('foot.pager')}  {place}", style="foot", no_wrap=True, overflow="ellipsis")
        return Parts(head=[*head, ""], board=lambda rows: shown, foot=self.canvas.lines(foot, width))

    def _last(self) -> int:
        return max(0, self._count - self._rows)

    def turn(self, key: str) -> bool:
        """Move the text; whether the key does that."""
        steps = {
            k.UP: -1, k.DOWN: 1, k.PAGE_UP: -self._rows, k.PAGE_DOWN: self._rows,
            k.HOME: -self._count, k.END: self._count,
        }  # fmt: skip
        if key not in steps:
            return False
        self.first += steps[key]
        return True

    def press(self, key: str) -> None:
        if self.turn({" ": k.PAGE_DOWN, "b": k.PAGE_UP, "j": k.DOWN, "k": k.UP}.get(key, key)):
            return
        if key != k.OTHER:
            self.finish()


class Cover(Quiet):
    """Nothing of anybody's hand, until the right person sits at the table.

    Enter does not uncover: whoever has just typed an amount may press it once too often.
    """

    def __init__(self, canvas: Canvas, ui: Ui, name: str, story: Sequence[str], by_line: bool) -> None:
        super().__init__()
        self.canvas, self.ui, self.name, self.story = canvas, ui, name, story
        self.key, self.way = (k.ENTER, "enter") if by_line else (" ", "space")
        self.message = ""

    def parts(self, width: int, height: int) -> Parts:
        lines = [
            Text(self.ui("cover.next", name=self.name), style="title"),
            Text(self.ui("cover.others")),
            Text(),
            *(Text(sentence, style="old") for sentence in self.story[-8:]),
            Text(),
            Text(self.ui(f"cover.{self.way}", name=self.name), style="prompt"),
            Text(self.message, style="message"),
        ]
        if not height:
            return Parts(ask=[line for text in lines for line in self.canvas.lines(text, width)])
        shown = [line for text in lines for line in self.canvas.lines(Align.center(text), width) or [""]]
        above = max(0, (height - len(shown)) // 3)
        foot = self.canvas.lines(Text(self.ui("foot.cover"), style="foot"), width)
        return Parts(board=lambda rows: [*[""] * above, *shown], foot=foot)

    def press(self, key: str) -> None:
        self.message, self.refused = "", False
        if key == self.key:
            self.finish(True)
        elif key in ("q", "Q"):
            raise Leave
        elif key != k.OTHER:
            self.message, self.refused = self.ui(f"cover.wrong_{self.way}"), True
