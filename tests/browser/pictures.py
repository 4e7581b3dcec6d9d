"""The two pictures of the README, taken anew: `PYTHONPATH=src:tests python tests/browser/pictures.py`.

Needs Pillow besides the extra "dev", to make the files small.  Only titles of the registry are shown,
and a table that is not worth a picture is an error: no old picture is ever kept by mistake.
"""

from __future__ import annotations

import random
import tempfile
from importlib import import_module
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from browser.driving import my_turn, play_by_clicking, press, start
from ludus.lab.browser_bench import ARGUMENTS, find_browser
from ludus.server.testing import ServerProcess

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
TRIES = 12
FULL = """() => {
  const n = (selector) => document.querySelectorAll(selector).length;
  return n(".row.us .slot:not(.empty)") >= 5 && n(".row.them .slot:not(.empty)") >= 4
    && n(".hand .held") >= 2 && n(".dice .die.lit") >= 2;
}"""
# A die whose own disc can be activated.
DIE = """() => [...document.querySelectorAll(".choices button[data-action^='activate ']")]
  .map((button) => "die:" + button.dataset.action.split(" ")[1])[0] ?? null"""


def new_page(browser: Browser, width: int, height: int) -> Page:
    size = {"width": width, "height": height}
    context = browser.new_context(viewport=size, locale="en-GB", reduced_motion="reduce")  # type: ignore[arg-type]
    return context.new_page()


def table(browser: Browser, url: str) -> None:
    """A table in the middle of a match, with a die in the hand."""
    for attempt in range(TRIES):
        page, rng = new_page(browser, 1440, 900), random.Random(attempt)
        start(page, url)
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


def make_small(path: Path) -> None:
    """256 colours are enough for parchment; under 400 kB each."""
    image = import_module("PIL.Image")
    image.open(path).convert("RGB").quantize(256, dither=0).save(path, optimize=True)
    if path.stat().st_size > 400_000:
        raise SystemExit(f"{path.name} is too large")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
        with ServerProcess(str(Path(folder) / "pictures.db")) as server:
            for name in ("roma-table.png", "home.png"):
                (FOLDER / name).unlink(missing_ok=True)
            table(browser, server.url)
            page = new_page(browser, 1280, 860)
            page.goto(server.url)
            page.locator(".title").first.wait_for()
            page.wait_for_timeout(500)
            page.screenshot(path=FOLDER / "home.png")
        browser.close()
    for name in ("roma-table.png", "home.png"):
        make_small(FOLDER / name)


if __name__ == "__main__":
    main()
