"""A match that begins late: its record is played on while the server stands still.

The record is an honest one: the dice come from the key of the match, and its proof holds to the end.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from typing import Any

from playwright.sync_api import Page

from browser.driving import LIT, entry, is_over, press, until
from ludus.bots import Chair, make_bot
from ludus.core.touches import paths
from ludus.match.match import Match
from ludus.server.testing import ServerProcess
from ludus.store import open_store, records
from ludus.store.opening import open_match

NEW = """async (wish) => {
  await fetch("/api/guest", { method: "POST" });
  const [headers, body] = [{ "content-type": "application/json" }, JSON.stringify(wish)];
  const answer = await fetch("/api/matches", { method: "POST", headers, body });
  return (await answer.json()).table.id;
}"""


@dataclass(frozen=True)
class Later:
    """A match in which a few actions of seat 0 are left to the end."""

    id: str
    left: list[tuple[str, tuple[str, ...]]]  # the action, and its path of touches


def new_match(page: Page, url: str, title: str, options: dict[str, Any], bots: int = 1) -> str:
    """A match of seat 0 against bots, made as the client makes one."""
    page.goto(url)
    page.locator(".title").first.wait_for()
    seats = [{"kind": "me"}, *({"kind": "bot", "bot": "tiro"} for _ in range(bots))]
    found: str = page.evaluate(NEW, {"title": title, "options": options, "seats": seats})
    return found


def begin_late(server: ServerProcess, match_id: str, turns: int | None = None) -> Later:
    """Play the match on, seat 0 by a good bot, to its last actions, or so many turns of seat 0."""
    server.stop()
    store = open_store(server.db)
    try:
        with store.write() as db:
            row, seats = records.match_row(db, match_id), records.seat_rows(db, match_id)
            assert row is not None
            match = open_match(db, row, seats, cached=False, form="compiled")
            had = len(match.entries)
            _play_on(match, turns)
            left = _last_actions(match) if turns is None else 0
            kept = match.entries[: len(match.entries) - left]
            rest = [e.text for e in match.entries[len(kept) :]]
            records.append(db, match_id, kept[had:], None, time.time())
            records.drop_snapshot(db, match_id)
            match.game.rewind(len(match.game.line) - left)
            game = match.game
            stands: dict[str, Any] = {"entries": len(kept), "hash": game.hash(), "to_move": game.to_move}
            records.change(db, match_id, revision=row.revision + 1, bot_due=None, **stands)
            return Later(match_id, _touches(match, rest))
    finally:
        store.close()
        server.start()


def _play_on(match: Match, turns: int | None) -> None:
    title = match.setting.title
    good, weak = make_bot("miles", title), make_bot("tiro", title)
    begun = 0
    while not match.over:
        seat = match.game.to_move
        choices = match.game.legal()
        if seat == 0 and choices[0].kind == "go":
            begun += 1
            if turns is not None and begun > turns:
                return
        chair = Chair(match.game, seat, seed=len(match.entries), budget=0.02)
        match.play(seat, [(good if seat == 0 else weak).choose(chair).text])
    assert match.result and match.result[0] == max(match.result), "the good bot lost"


def _last_actions(match: Match) -> int:
    """How many entries at the end are actions of seat 0 alone."""
    n = 0
    while match.entries[-1 - n].who == 0:
        n += 1
    assert n, "somebody else ended the match"
    return n


def _touches(match: Match, texts: list[str]) -> list[tuple[str, tuple[str, ...]]]:
    game, found = match.game.copy(), []
    for text in texts:
        path = next(path for path, action in paths(game).items() if action.text == text)
        found.append((text, path))
        game.play(text)
    return found


def touch_all(page: Page, path: tuple[str, ...], tap: bool = False) -> None:
    """Touch one thing after the other; a number is typed."""
    for touch in path:
        until(partial(_is_shown, page, touch), f"{touch} to be lit", 20)
        if touch.startswith("amount:") and page.locator(".bar .stepper").count():
            page.locator(".bar .stepper .number").fill(touch.removeprefix("amount:"))
            press(page, "go", tap)
        else:
            press(page, touch, tap)


_SHOWN = "(selector) => [...document.querySelectorAll(selector)].map((el) => el.dataset.touch ?? 'amount')"


def _is_shown(page: Page, touch: str) -> bool:
    shown = page.evaluate(_SHOWN, LIT)
    return touch in shown or (touch.startswith("amount:") and "amount" in shown)


def act(page: Page, path: tuple[str, ...], tap: bool = False) -> None:
    """One whole action."""
    before = entry(page)
    touch_all(page, path, tap)
    until(lambda: entry(page) > before or is_over(page), f"an answer to {path}", 20)
