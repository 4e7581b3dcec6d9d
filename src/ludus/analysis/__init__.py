"""After the game: chances of winning, what a choice cost, what was luck.  `docs/analysis.md` explains it."""
