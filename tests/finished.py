"""Finished matches with provable dice, played at random and with some actions taken back."""

from __future__ import annotations

import random
from typing import Any

from ludus.core.chance import CHANCE
from ludus.core.title import Title
from ludus.match.match import Match, NotAllowed, read_setting

KEY = bytes(range(16))


def finished_match(title: Title[Any, Any], seed: int = 5) -> Match:
    """A match of the default options, played to its end."""
    rng, setting = random.Random(seed), read_setting(title, None, {}, ())
    match = Match.fair(setting, f"proof-{title.name}", KEY, [bytes([p]) * 16 for p in range(setting.seats)])
    taken_back = 0
    while not match.over:
        seat = match.game.to_move
        match.play(seat, [rng.choice(match.game.legal()).text])
        if taken_back < 5 and rng.random() < 0.05:  # with the consent of all, also over dice and cards
            taken_back += take_back(match, rng)
    return match


def take_back(match: Match, rng: random.Random) -> bool:
    """Take some of the last entries back, also over dice and cards; False where there is nothing to take."""
    if match.over:
        return False
    to = len(match.entries) - rng.randint(1, 6)
    try:
        match.propose(0, "undo", to)
    except NotAllowed:  # there is no such entry, or everything after it is taken back already
        return False
    proposal = len(match.entries)
    for seat in range(1, match.setting.seats):
        match.vote(seat, True, proposal)
    return True


def outcomes_of(match: Match) -> int:
    return sum(entry.who == CHANCE for entry in match.entries)
