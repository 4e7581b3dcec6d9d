"""Antike Duellum and Casus Belli, the fast half.  Rule numbers as in RULES.md."""

from .checks import check
from .flow import apply, legal, new, odds, redeal, returns, seen, to_move

__all__ = ["apply", "check", "legal", "new", "odds", "redeal", "returns", "seen", "to_move"]
