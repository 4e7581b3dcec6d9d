"""Tic-tac-toe, written by docs/new-title.md alone: three marks in a row."""

from ludus.core.title import Title

TITLE = Title.from_package(__name__, version=1, seats=(2,), length=9)
