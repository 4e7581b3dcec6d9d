"""Lessons: a first game of a title that is played move by move, on positions that teach one thing each."""
