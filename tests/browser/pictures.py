"""The pictures of docs/pictures, taken anew: `PYTHONPATH=src:tests python tests/browser/pictures.py NAME...`.

Names are those of `PICTURES`; without one all are taken.  Boards are shown on a phone, a tablet and a large
screen, light or dark.  A table that is not worth a picture is an error, and so are pictures that are too
large: no old picture is ever kept by mistake.
"""

from __future__ import annotations

import base64
import random
import sys
import tempfile
from itertools import product
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from browser.conftest import STAGED, TESTS
from browser.driving import my_turn, play_by_clicking, press, start, start_scene
from ludus.lab.browser_bench import ARGUMENTS, find_browser
from ludus.server.testing import ServerProcess

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
TRIES = 12
SCREENS = ((390, 844, "dark"), (1024, 768, "dark"), (1920, 1080, "light"))
BOARDS = ("rome_carthage", "greece_persia", "casus_belli")
WIDTH = 1280  # of a picture, at most
QUALITY = 60  # enough for parchment
LARGEST = 1_000_000  # all pictures together, in bytes
ME, BOT = {"kind": "me"}, {"kind": "bot", "bot": "tiro"}
FULL = """() => {
  const n = (selector) => document.querySelectorAll(selector).length;
  return n(".row.us .slot:not(.empty)") >= 5 && n(".row.them .slot:not(.empty)") >= 4
    && n(".hand .held") >= 2 && n(".dice .die.lit") >= 2;
}"""
# A die whose own disc can be activated.
DIE = """() => [...document.querySelectorAll(".choices button[data-action^='activate ']")]
  .map((button) => "die:" + button.dataset.action.split(" ")[1])[0] ?? null"""


def new_page(browser: Browser, width: int, height: int, scheme: str = "light") -> Page:
    context = browser.new_context(
        viewport={"width": width, "height": height},
        locale="en-GB",
        reduced_motion="reduce",
        color_scheme=scheme,  # type: ignore[arg-type]
    )
    return context.new_page()


def take(page: Page, name: str) -> None:
    """A picture as WebP, by Chromium itself: Playwright would make a PNG."""
    size = page.viewport_size
    assert size is not None
    clip = {"x": 0, "y": 0, **size, "scale": min(1, WIDTH / size["width"])}
    wish = {"format": "webp", "quality": QUALITY, "clip": clip}
    told = page.context.new_cdp_session(page).send("Page.captureScreenshot", wish)
    (FOLDER / f"{name}.webp").write_bytes(base64.b64decode(told["data"]))


def table(browser: Browser, server: ServerProcess) -> None:
    """A table in the middle of a match, with a die in the hand."""
    for attempt in range(TRIES):
        page, rng = new_page(browser, 1440, 900), random.Random(attempt)
        start(page, server.url)
        for _ in range(250):
            if not my_turn(page):
                break
            die = page.evaluate(DIE)
            if die and page.evaluate(FULL):
                press(page, die)
                page.mouse.move(2, 400)
                page.wait_for_timeout(500)
                take(page, "roma-table")
                return
            play_by_clicking(page, rng, touches=1)
        page.context.close()
    raise SystemExit("no table was worth a picture; try again")


def home(browser: Browser, server: ServerProcess) -> None:
    page = new_page(browser, 1280, 1250)
    page.goto(server.url)
    page.locator(".title").first.wait_for()
    page.wait_for_timeout(500)
    take(page, "home")


def conquest(browser: Browser, server: ServerProcess) -> None:
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
    for touch in ("button:end_move", "region:palaestina"):
        my_turn(page)
        press(page, touch)
        page.wait_for_timeout(500)
    page.locator(".battle footer button").click()
    page.wait_for_timeout(1500)
    take(page, "conquest-battle")


def duellum(browser: Browser, server: ServerProcess) -> None:
    """Each board near the end of a match, on every screen."""
    for board, (width, height, scheme) in product(BOARDS, SCREENS):
        page = new_page(browser, width, height, scheme)
        start_scene(page, server.url, "duellum", f"last-turn-{board}", [ME, BOT])
        my_turn(page)
        page.wait_for_timeout(800)
        take(page, f"duellum-{board}-{width}-{scheme}")
        page.context.close()


PICTURES = {"roma": table, "home": home, "conquest": conquest, "duellum": duellum}


def main(names: list[str]) -> None:
    wanted = names or list(PICTURES)
    if unknown := [name for name in wanted if name not in PICTURES]:
        raise SystemExit(f"there is no picture {unknown[0]!r}; there are: {', '.join(PICTURES)}")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
        server = ServerProcess(str(Path(folder) / "pictures.db"), {"titles": STAGED}, paths=[TESTS])
        with server:
            for name in wanted:
                for old in FOLDER.glob(f"{name}*.webp"):
                    old.unlink()
                PICTURES[name](browser, server)
        browser.close()
    if (size := sum(path.stat().st_size for path in FOLDER.iterdir())) > LARGEST:
        raise SystemExit(f"the pictures have {size} bytes in all; {LARGEST} would be right")


if __name__ == "__main__":
    main(sys.argv[1:])
