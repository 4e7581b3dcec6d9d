"""Terni lapilli: the smallest title, and the first chapter of docs/new-title.md."""

from ludus.core.option import Option
from ludus.core.title import Title

from .layout import CAPS, STONES

TITLE = Title.from_package(
    __name__,
    version=1,
    seats=(2,),
    options=(
        Option("moves", "adjacent", ("adjacent", "any")),
        Option("diagonals", "on", ("on", "off")),
        Option("centre", "barred", ("barred", "free")),
        Option("cap", CAPS[1], CAPS),
    ),
    length=2 * STONES + CAPS[-1],
)
