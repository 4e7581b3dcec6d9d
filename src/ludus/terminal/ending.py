"""The end of a match: the last board, the result, the proof of the dice."""

from __future__ import annotations

from rich.text import Text

from ludus.match.story import Story

from . import keyboard as k
from . import pages
from .app import Leave, Quiet
from .screen import Parts
from .speech import kept_together
from .table import TerminalTable
from .views import Pager

AGAIN = "again"


class Ending(Quiet):
    """Result and proof; the result of the view is AGAIN when another game is wanted."""

    passing = True

    def __init__(self, table: TerminalTable) -> None:
        super().__init__()
        self.table = table
        speech, match = table.speech, table.match
        self.sentence = pages.result_sentence(match, speech)
        self.proof = pages.proof_lines(match, speech, table.save.path, not table.save.problem)
        self.message = ""

    def parts(self, width: int, height: int) -> Parts:
        table, canvas, ui = self.table, self.table.app.screen.canvas, self.table.speech.ui
        parts = table.parts(width, height)
        lines = canvas.text(Text(self.sentence, style="prompt"), width)
        for line in self.proof:
            lines += canvas.text(Text(line, style="quiet"), width)
        lines += canvas.text(Text(self.message, style="message"), width) if self.message else []
        parts.ask = lines
        foot = Text(ui("foot.ending"), style="foot", no_wrap=True, overflow="ellipsis")
        parts.foot = canvas.lines(foot, width) if height else []
        return parts

    def press(self, key: str) -> None:
        self.message = ""
        if key in ("l", "L"):
            self._show_log()
        elif key in ("n", "N"):
            self.finish(AGAIN)
        elif key in ("q", "Q", k.ESC, k.ENTER):
            raise Leave
        elif key != k.OTHER:
            self.message, self.refused = self.table.speech.ui("wrong_key", key=key), True

    def _show_log(self) -> None:
        """The whole story: a match that is over hides nothing."""
        table = self.table
        ui, canvas = table.speech.ui, table.app.screen.canvas
        told = Story(table.match, table.eye, table.speech.lang, whole=True).sentences()
        text = [Text(kept_together(sentence)) for sentence in told]
        table.app.run(Pager(canvas, ui, ui("log.heading"), text, at_end=True))
