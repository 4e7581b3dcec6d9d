"""How strong somebody is by their results: people among each other, people and puzzles."""

from .glicko import NEWCOMER, GameResult, Rating, after, expected

__all__ = ["NEWCOMER", "GameResult", "Rating", "after", "expected"]
