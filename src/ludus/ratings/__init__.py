"""How strong somebody is by their results: people among each other, people and puzzles."""

from .glicko import NEWCOMER, GameResult, Rating, after, expected
from .people import BEGINNER, STEADY, after_game, rested

__all__ = [
    "BEGINNER",
    "NEWCOMER",
    "STEADY",
    "GameResult",
    "Rating",
    "after",
    "after_game",
    "expected",
    "rested",
]
