"""How often one touches the table of Conquest for a turn: counted over turns as a person plays them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Page, expect

from browser.driving import entry, my_turn, offered, press, until
from browser.titles.conquest.test_board import BOT, MARKED, begin, phase

NewPage = Callable[..., Page]
MARCHES, A_TURN = 3, 10


@dataclass
class Hand:
    """Somebody at the table whose touches are counted."""

    page: Page
    touches: int = 0

    def touch(self, one: str) -> None:
        until(lambda: one in offered(self.page), f"{one} among {offered(self.page)}")
        press(self.page, one)
        self.touches += 1

    def push(self, selector: str) -> None:
        """A button of the drawing."""
        self.page.locator(selector).click()
        self.touches += 1

    def march(self) -> bool:
        """A general with everybody who can go along, to the first place of those that are marked."""
        leader = next((t for t in my_turn(self.page) if t.startswith("leader:general@")), "")
        before = entry(self.page)
        if not leader:
            return False
        self.touch(leader)
        self.touch(f"region:{until(lambda: self.page.evaluate(MARKED, 'far'), 'where to')[0]}")
        until(lambda: entry(self.page) > before, "the march")
        return True

    def fight(self) -> None:
        while phase(self.page) not in ("raze", "buy"):
            if phase(self.page) == "battles":
                self.touch(my_turn(self.page)[0])
            elif self.page.locator(".battle footer .secondary").is_visible():
                self.push(".battle footer .secondary")
            elif offered(self.page):
                self.touch(offered(self.page)[0])
            before = entry(self.page)
            until(lambda: entry(self.page) > before or phase(self.page) == "raze", "the battle")  # noqa: B023

    def buy(self, goods: str) -> None:
        before = entry(self.page)
        if f"goods:{goods}" not in my_turn(self.page):
            return
        self.touch(f"goods:{goods}")
        if entry(self.page) == before and (
            more := [t for t in offered(self.page) if t.startswith("amount:")]
        ):
            self.touch(more[-1])
        until(lambda: entry(self.page) > before, f"{goods}")

    def end(self) -> None:
        before = entry(self.page)
        self.touch("button:end")
        until(
            lambda: entry(self.page) > before and phase(self.page) == "move" and offered(self.page), "my turn"
        )


def test_a_turn_takes_ten_touches_and_doing_nothing_one(new_page: NewPage, staged: str) -> None:
    """Marches, whatever battles they lead to, purchases, and the end of the turn, of one game."""
    hand = Hand(begin(new_page(), staged, "purchase", BOT, BOT))
    counts = []
    for _ in range(3):
        hand.touches = 0
        if phase(hand.page) == "move":
            sum(hand.march() for _ in range(MARCHES))
            hand.touch("button:end_move")
            until(lambda: phase(hand.page) != "move", "the end of movement")
            hand.fight()
        for goods in ("infantry", "galley"):
            hand.buy(goods)
        hand.end()
        counts.append(hand.touches)
    assert sum(counts[1:]) <= A_TURN * len(counts[1:]), counts
    hand.touches = 0
    hand.end()
    assert hand.touches == 1
    expect(hand.page.locator(".rare")).to_be_hidden()
