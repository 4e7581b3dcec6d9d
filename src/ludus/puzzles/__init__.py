"""Puzzles: positions with one clearly best choice, as scenes with their solution; `docs/puzzles.md`."""
