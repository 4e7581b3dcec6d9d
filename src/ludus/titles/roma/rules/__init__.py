"""Roma, the fast half: one module a concern.  Rule numbers as in RULES.md."""

from .actions import apply, odds, seen, to_move
from .check import check
from .legal import legal
from .points import returns
from .redeal import redeal
from .setup import new

__all__ = ["apply", "check", "legal", "new", "odds", "redeal", "returns", "seen", "to_move"]
