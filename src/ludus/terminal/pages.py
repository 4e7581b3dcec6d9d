"""Pages of text: help, the welcome with the promised dice, the result with their proof."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.table import Table as Grid
from rich.text import Text

from ludus import titles as registry
from ludus.core.contract import DRAW, WIN
from ludus.core.errors import LudusError
from ludus.core.option import Option, Value
from ludus.core.own import sha256
from ludus.core.title import Title
from ludus.match.file import read_match, save_match, verify
from ludus.match.match import Match, Setting

from .screen import Canvas
from .seating import PERSON, Seating
from .speech import Speech, about_bot
from .views import Ui

if TYPE_CHECKING:
    from .table import TerminalTable

_FOOT = ("back", "undo", "why", "map", "log", "help", "quit", "save", "resign")  # the last ones go first
_HELP = (
    "choose", "amount", "arrows", "back", "undo", "why", "map", "log", "save", "quit", "resign", "scroll",
)  # fmt: skip


def foot(ui: Ui, canvas: Canvas, width: int, atlas: bool) -> list[str]:
    """The commands in one line, as many as there is room for; help always."""
    names = [name for name in _FOOT if atlas or name != "map"]
    while True:
        line = Text("  ".join(ui(f"foot.{name}") for name in names), style="foot", no_wrap=True)
        if line.cell_len <= width or names == ["help"]:
            return canvas.lines(line, width)
        names.pop(-1 if names[-1] != "help" else -2)


def help_text(table: TerminalTable) -> list[RenderableType]:
    """All keys, and where things are kept."""
    ui = table.speech.ui
    grid = Grid.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column()
    for name in (name for name in _HELP if table.has_atlas or name != "map"):
        grid.add_row(Text(ui(f"help.{name}.key"), style="title"), Text(ui(f"help.{name}.text")))
    text: list[RenderableType] = [grid, Text()]
    if table.app.lines:
        text += [Text(ui("help.lines")), Text()]
    text += [
        Text(ui("help.saved", path=table.save.path)),
        *_open_file(table.speech),
        Text(),
        *([Text(ui("help.options"), style="prompt")] if table.match.setting.options else []),
        *options_text(table.match.setting.title, table.match.setting.options, table.speech),
        *_data_text(table.match.setting, ui),
    ]
    return text


def option_name(option: Option, speech: Speech) -> str:
    key = f"option.{option.name}.name"
    return speech.say(key) if speech.title.words.has(key) else option.name


def option_value(option: Option, value: Value, speech: Speech) -> str:
    key = f"option.{option.name}.value.{value}"
    return speech.say(key) if speech.title.words.has(key) else str(value).replace("_", " ")


def option_pair(option: Option, value: Value, speech: Speech) -> str:
    name, told = option_name(option, speech), option_value(option, value, speech)
    return speech.ui("pair", name=name, value=told)


def options_text(title: Title[Any, Any], values: Mapping[str, Value], speech: Speech) -> list[Text]:
    """The options of a match, one a line."""
    return [_option_line(option, values, speech) for option in title.options]


def _option_line(option: Option, values: Mapping[str, Value], speech: Speech) -> Text:
    return Text(f"  {option_pair(option, values[option.name], speech)}")


def _data_text(setting: Setting, ui: Ui) -> list[Text]:
    return [Text(f"  {ui('welcome.data', sha=sha256(setting.data)[:16])}")] if setting.data else []


# -- the beginning ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Promise:
    """What is promised before the first die: a commitment, or a seed for a match that only simulates."""

    commitment: str = ""
    seed: int | None = None


def welcome_text(
    speech: Speech,
    seating: Seating,
    promise: Promise,
    path: Path,
    setting: Setting,
    notes: Sequence[str],
) -> list[RenderableType]:
    """What is played, by whom, with which dice, and where it is kept."""
    ui = speech.ui
    text: list[RenderableType] = [
        Text(setting.called(speech.lang), style="title"),
        Text(speech.say("blurb")),
        Text(),
        Text(ui("welcome.players")),
    ]
    for seat, who in enumerate(seating.players):
        kind = ui("person.kind") if who == PERSON else about_bot(speech.lang, who)
        style = "you" if who == PERSON else "them"
        text.append(Text.assemble(f"  {seat + 1}. ", (speech.seat(seat), style), f"  {kind}".rstrip()))
    values = setting.options
    changed = [option for option in speech.title.options if values[option.name] != option.default]
    text += [_option_line(option, values, speech) for option in changed]
    text += _data_text(setting, ui)
    if speech.title.has_chance and promise.seed is None:
        text += [Text(), Text(ui("welcome.promise")), Text(f"  {promise.commitment}", style="title")]
    elif speech.title.has_chance:
        text += [Text(), Text(ui("welcome.seed", seed=promise.seed))]
    text += [Text(), Text(ui("help.saved", path=path)), *_open_file(speech)]
    for note in notes:
        text += [Text(), Text(note, style="message")]
    return text


def _open_file(speech: Speech) -> list[RenderableType]:
    """What the file of a match would tell whoever opens it."""
    tells = speech.title.hides_something or speech.title.has_chance
    return [Text(speech.ui("save.open"))] if tells else []


# -- the end ----------------------------------------------------------------------------------------------


def result_sentence(match: Match, speech: Speech) -> str:
    """Who has won, in one sentence."""
    result = match.result or ()
    first = [speech.seat(p) for p, r in enumerate(result) if r in (WIN, DRAW)]
    if len(first) == len(result) > 1:
        return speech.ui("result.all")
    if len(first) > 1:
        return speech.ui("result.shared", names=", ".join(first))
    return speech.ui("result.won", name=first[0]) if first else speech.ui("result.all")


def proof_lines(match: Match, speech: Speech, path: Path, saved: bool) -> list[str]:
    """The key, whether every die and card follows from it, and where to check that again."""
    ui = speech.ui
    try:
        proof = verify(read_match(save_match(match), registry.title))
        problem, outcomes = proof.problem, proof.outcomes
    except LudusError as error:
        problem, outcomes = str(error), 0
    lines = _drawn_from(match, speech) if match.setting.title.has_chance else []
    if problem:
        lines.append(ui("proof.bad", problem=problem))
    elif lines:
        good = "proof.good" if match.seed is None else "proof.seed_good"
        lines.append(ui(good, outcomes=outcomes))
    if saved:
        lines.append(ui("proof.again", path=shlex.quote(str(path))))
    return lines


def _drawn_from(match: Match, speech: Speech) -> list[str]:
    if match.seed is not None:
        return [speech.ui("proof.seed", seed=match.seed)]
    commitment = speech.ui("proof.commitment", commitment=commitment_of(match))
    return [commitment, speech.ui("proof.key", key=match.key.hex())]


def commitment_of(match: Match) -> str:
    from ludus.match import fairness

    return fairness.commitment(match.match_id, match.key)
