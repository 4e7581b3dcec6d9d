"""Several threads may ask about one game at a time: a server makes stories beside its event loop."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest

import ludus
from samples import SMALL


class _Pausing:
    """Rules that wait, in one thread, between writing the legal actions and saying how many they are."""

    def __init__(self, rules: Any, wait_for: Any, written: Event, go_on: Event) -> None:
        self._rules, self._wait_for, self._written, self._go_on = rules, wait_for, written, go_on

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._rules, name)
        if name not in ("legal", "legal_at"):
            return found

        def legal(s: Any, *rest: Any) -> int:
            number: int = found(s, *rest)
            if s is self._wait_for:
                self._written.set()
                assert self._go_on.wait(30.0)
            return number

        return legal


@pytest.mark.parametrize("form", ["plain", "compiled"])
def test_two_threads_that_ask_about_one_game_get_their_own_answers(form: str) -> None:
    game: Any = ludus.title(SMALL).new(seed=1, seats=2, form=form)
    later = game.fork()
    later.play("stake 2", "show 3")
    wanted, other = game.form.legal(game.s), later.form.legal(later.s)
    assert game.form is later.form and wanted != other
    written, go_on = Event(), Event()
    inside = "rules" if form == "plain" else "_fn"
    setattr(game.form, inside, _Pausing(getattr(game.form, inside), game.s, written, go_on))
    with ThreadPoolExecutor(1) as threads:
        answer = threads.submit(game.form.legal, game.s)
        assert written.wait(30.0)
        assert later.form.legal(later.s) == other
        go_on.set()
        assert answer.result() == wanted
