"""Micatio: a small title with everything that a large one has, and the second half of docs/new-title.md."""

from ludus.core.contract import MAX_SEATS
from ludus.core.title import Title

from .layout import MAX_ROUNDS

TITLE = Title.from_package(__name__, version=1, length=MAX_ROUNDS * (1 + 3 * MAX_SEATS))
