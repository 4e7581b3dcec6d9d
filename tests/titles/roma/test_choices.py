"""Roma: who ends the turn has not done what the turn was for."""

from __future__ import annotations

import ludus
from ludus.bots import Bot, Chair
from ludus.core.game import Action
from ludus.lab import choices

ROMA = ludus.title("roma")


class Idler(Bot):
    """Ends the turn wherever it may, so that the dice of the other are the next thing."""

    def choose(self, chair: Chair) -> Action:
        legal = chair.legal()
        return next((action for action in legal if action.text == "end"), legal[0])


def test_a_turn_ended_without_the_win_that_was_there_is_wrong() -> None:
    found = choices.put_to(ROMA, Idler(ROMA), form="plain")
    ended = [choice for choice in found if choice.played == "end"]
    assert ended and all(choice.wrong for choice in ended)
