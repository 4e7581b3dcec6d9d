"""A game as a picture: the table of the terminal as text, and that text as an image."""

from __future__ import annotations

import unicodedata
from typing import Any

import numpy as np
import numpy.typing as npt

from ludus.core.chance import OVER, SPECTATOR
from ludus.core.game import Game
from ludus.terminal.drawings import drawing_of, look_at
from ludus.terminal.screen import POOR, Canvas
from ludus.terminal.speech import Speech

MODES = ("human", "ansi", "rgb_array")
WIDTH, ROWS = 96, 36  # characters: every picture of a game has the same size
LETTER, LINE, EDGE = 6, 12, 6  # pixels of the letters that Pillow brings along
PAPER, INK = (250, 247, 240), (52, 44, 36)


def text_of(game: Game[Any, Any], eye: int = SPECTATOR) -> str:
    """The table as everybody may see it, or as a seat does."""
    names = [f"seat {p}" for p in range(game.seats)]
    speech = Speech(game.title, game.labels, "en", names, game.words)
    drawn = drawing_of(game.title.name).draw(look_at(game, eye, speech), WIDTH, None)
    canvas = Canvas(styled=False)
    lines = [line for part in drawn for line in canvas.lines(part, WIDTH)]
    if game.to_move == OVER and game.outcome is not None:
        return "\n".join([*lines, f"won by {', '.join(names[p] for p in game.outcome.winners)}"])
    return "\n".join(
        [*lines, f"to move: {names[game.to_move]}" if game.to_move >= 0 else "chance is to move"]
    )


def image_of(text: str) -> npt.NDArray[np.uint8]:
    """A text as an image of rows, columns and three colours, in letters that are the same everywhere."""
    from PIL import Image, ImageDraw, ImageFont  # only whoever wants images needs Pillow

    size = (2 * EDGE + WIDTH * LETTER, 2 * EDGE + ROWS * LINE)
    image = Image.new("RGB", size, PAPER)
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default_imagefont()
    for row, line in enumerate(text.split("\n")[:ROWS]):
        draw.text((EDGE, EDGE + row * LINE), _latin(line), fill=INK, font=font)
    return np.array(image, np.uint8)


def _latin(line: str) -> str:
    """The same in letters that those of Pillow have."""
    return "".join(
        c if c < "\u0100" else _letter(c) for c in unicodedata.normalize("NFC", line.translate(POOR))
    )


def _letter(sign: str) -> str:
    """What stands for a sign: the letter below its accent, else the first one of what it is called.

    >>> _letter("\u016b"), _letter("\u265a")
    ('u', 'K')
    """
    flat = unicodedata.normalize("NFKD", sign)[0]
    return flat if flat.isascii() else unicodedata.name(sign, "?").split()[-1][0]
