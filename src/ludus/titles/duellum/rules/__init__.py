"""Antike Duellum and Casus Belli, the fast half.  Rule numbers as in RULES.md.

R44: nothing is hidden, so who learns what (`seen`, `redeal`) is left out.
"""

from .checks import check
from .flow import apply, legal, new, odds, returns, to_move

__all__ = ["apply", "check", "legal", "new", "odds", "returns", "to_move"]
