"""Pictures of Duellum's boards."""

from __future__ import annotations

from itertools import product

from playwright.sync_api import Browser

from browser.driving import my_turn, start_scene
from browser.pictures import BOT, ME, SCREENS, new_page, take
from ludus.server.testing import ServerProcess

BOARDS = ("rome_carthage", "greece_persia", "casus_belli")


def take_pictures(browser: Browser, server: ServerProcess) -> None:
    """Each board near the end of a match, on every screen."""
    for board, (width, height, scheme) in product(BOARDS, SCREENS):
        page = new_page(browser, width, height, scheme)
        start_scene(page, server.url, "duellum", f"last-turn-{board}", [ME, BOT])
        my_turn(page)
        page.wait_for_timeout(800)
        take(page, f"duellum-{board}-{width}-{scheme}")
        page.context.close()
