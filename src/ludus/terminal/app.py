"""The loop between keys and screen.  A view says what is seen and what a key does; the loop knows no more."""

from __future__ import annotations

from collections import deque
from typing import Any, Protocol

from .keyboard import EOF, INTERRUPT, RESIZE, Keyboard, keys_of
from .screen import Parts, Screen


class Leave(Exception):
    """Somebody wants to go: q, Ctrl-C, or the input has ended."""


class Page(Protocol):
    """Something that fills the screen and answers keys, until it is done."""

    done: bool
    result: Any
    passing: bool  # where a page grows by lines, it is printed and nobody is asked
    refused: bool  # the last key meant nothing here

    @property
    def busy(self) -> bool:
        """Whether there is something to do before the next key."""

    def step(self) -> None:
        """Do a part of it."""

    def parts(self, width: int, height: int) -> Parts:
        """What is seen; height 0 on a page that grows."""

    def press(self, key: str) -> None:
        """A key, or a whole word where lines are typed."""

    def takes_line(self, text: str) -> bool:
        """Whether a typed line was understood as a whole; else it is taken as keys."""


class Quiet:
    """What most views have in common."""

    passing = False

    def __init__(self) -> None:
        self.done = False
        self.result: Any = None
        self.refused = False

    @property
    def busy(self) -> bool:
        return False

    def step(self) -> None:
        """Nothing to do."""

    def takes_line(self, text: str) -> bool:
        return False

    def finish(self, result: Any = None) -> None:
        self.done, self.result = True, result


class App:
    """One screen and one keyboard."""

    def __init__(self, screen: Screen, keys: Keyboard) -> None:
        self.screen, self.keys = screen, keys
        self._typed: deque[str] = deque()  # keys of a line that are still to be pressed

    @property
    def lines(self) -> bool:
        """Whether lines are typed instead of keys pressed."""
        return not self.screen.full

    def discard(self) -> None:
        """Forget what was typed ahead: it was meant for what is gone now."""
        self._typed.clear()
        self.keys.discard()

    def run(self, view: Page) -> Any:
        """Show a view until it is done; what came out of it.  Leave when somebody wants to go."""
        if view.passing and self.lines:
            self.screen.show(view.parts(*self.screen.size()), asking=False)
            return view.result
        try:
            while not view.done:
                self._turn(view)
        except KeyboardInterrupt:
            raise Leave from None
        return view.result

    def _turn(self, view: Page) -> None:
        if not self._typed and not (view.busy and self.lines):
            self.screen.show(view.parts(*self.screen.size()))
        if view.busy:
            view.step()
            if self.keys.interruption.wanted:
                raise Leave
            return
        key = self._next(view)
        if key in (EOF, INTERRUPT):
            raise Leave
        if key and key != RESIZE:
            view.press(key)
            if view.refused:
                self._typed.clear()

    def _next(self, view: Page) -> str:
        """The next key; "" when a whole line was taken."""
        if self._typed:
            return self._typed.popleft()
        if not self.keys.by_line:
            return self.keys.read()
        text = self.keys.line()
        if text is None:
            return EOF
        if view.takes_line(text.strip()):
            return ""
        self._typed.extend(keys_of(text))
        return self._typed.popleft()
