"""A match: seats, house entries, undo, votes and the proof of fair dice.  No I/O, no clock."""
