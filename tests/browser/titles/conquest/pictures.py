"""Pictures of Conquest's map and of its battle screen."""

from __future__ import annotations

from playwright.sync_api import Browser

from browser.driving import my_turn, press, start_scene
from browser.pictures import BOT, ME, SCREENS, new_page, take
from ludus.server.testing import ServerProcess


def take_pictures(browser: Browser, server: ServerProcess) -> None:
    """Six empires on every screen; and a battle."""
    for width, height, scheme in SCREENS:
        page = new_page(browser, width, height, scheme)
        start_scene(page, server.url, "conquest", "empires", [ME, *[BOT] * 5])
        my_turn(page)
        page.wait_for_timeout(600)
        take(page, f"conquest-{width}-{scheme}")
        page.context.close()
    page = new_page(browser, 1280, 800)
    start_scene(page, server.url, "conquest", "battle", [ME, BOT])
    for touch in ("leader:general@syria", "region:palaestina") * 2:
        my_turn(page)
        press(page, touch)
        page.wait_for_timeout(500)
    my_turn(page)
    press(page, "button:end_move")
    page.locator(".battle footer .primary").click()
    page.wait_for_timeout(1500)
    take(page, "conquest-battle")
