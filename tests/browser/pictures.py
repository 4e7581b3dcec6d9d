"""The pictures of docs/pictures, taken anew: `PYTHONPATH=src:tests python tests/browser/pictures.py NAME...`.

Names are those of `PICTURES`; without one all are taken.  Boards are shown light and dark, on a phone, a
tablet and a large screen.  Needs Pillow besides the extra "dev", to make the files small.  A table that
is not worth a picture is an error: no old picture is ever kept by mistake.
"""

from __future__ import annotations

import random
import sys
import tempfile
from importlib import import_module
from itertools import product
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from browser.conftest import STAGED, TESTS
from browser.driving import my_turn, play_by_clicking, press, start, start_scene
from browser.later import begin_late, new_match
from ludus.lab.browser_bench import ARGUMENTS, find_browser
from ludus.server.testing import ServerProcess

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
TRIES = 12
SCREENS = ((390, 844), (1024, 768), (1920, 1080))
BOARDS: dict[str, dict[str, str]] = {
    "rome_carthage": {},
    "greece_persia": {"board": "greece_persia"},
    "casus_belli": {"edition": "casus_belli"},
}
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
                page.screenshot(path=FOLDER / "roma-table.png")
                return
            play_by_clicking(page, rng, touches=1)
        page.context.close()
    raise SystemExit("no table was worth a picture; try again")


def home(browser: Browser, server: ServerProcess) -> None:
    page = new_page(browser, 1280, 1250)
    page.goto(server.url)
    page.locator(".title").first.wait_for()
    page.wait_for_timeout(500)
    page.screenshot(path=FOLDER / "home.png")


def conquest(browser: Browser, server: ServerProcess) -> None:
    """Six empires on every screen; and a battle."""
    for (width, height), scheme in product(SCREENS, ("light", "dark")):
        page = new_page(browser, width, height, scheme)
        start_scene(page, server.url, "conquest", "empires", [ME, *[BOT] * 5])
        my_turn(page)
        page.wait_for_timeout(600)
        page.screenshot(path=FOLDER / f"conquest-{width}-{scheme}.png")
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
    page.screenshot(path=FOLDER / "conquest-battle.png")


def duellum(browser: Browser, server: ServerProcess) -> None:
    """Each board in the middle of a match, on every screen."""
    for board, options in BOARDS.items():
        page = new_page(browser, 1280, 800)
        match_id = new_match(page, server.url, "duellum", options)
        page.goto("about:blank")
        begin_late(server, match_id, turns=34)
        for (width, height), scheme in product(SCREENS, ("light", "dark")):
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            page.goto(f"{server.url}/m/{match_id}")
            my_turn(page)
            page.wait_for_timeout(800)
            page.screenshot(path=FOLDER / f"duellum-{board}-{width}-{scheme}.png")
        page.context.close()


PICTURES = {"roma": table, "home": home, "conquest": conquest, "duellum": duellum}


def make_small(path: Path) -> None:
    """256 colours are enough for parchment; the many pictures of Duellum's boards are WebP."""
    image = import_module("PIL.Image")
    if path.name.startswith("duellum-"):
        image.open(path).convert("RGB").save(path.with_suffix(".webp"), quality=72, method=6)
        path.unlink()
        return
    image.open(path).convert("RGB").quantize(256, dither=0).save(path, optimize=True)
    if path.stat().st_size > 400_000:
        raise SystemExit(f"{path.name} is too large")


def main(names: list[str]) -> None:
    wanted = names or list(PICTURES)
    if unknown := [name for name in wanted if name not in PICTURES]:
        raise SystemExit(f"there is no picture {unknown[0]!r}; there are: {', '.join(PICTURES)}")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
        server = ServerProcess(str(Path(folder) / "pictures.db"), {"titles": STAGED}, paths=[TESTS])
        with server:
            for name in wanted:
                for old in FOLDER.glob(f"{name}*.png"):
                    old.unlink()
                PICTURES[name](browser, server)
                for path in FOLDER.glob(f"{name}*.png"):
                    make_small(path)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
