"""The pictures of docs/pictures, taken anew: `PYTHONPATH=src:tests python tests/browser/pictures.py NAME...`.

Names are `home` and those of the titles that have a `pictures.py` in titles/; without one all are taken.
Boards are shown on a phone, a tablet and a large screen, light or dark.  A table that is not worth a picture
is an error, and so are pictures that are too large: no old picture is ever kept by mistake.
"""

from __future__ import annotations

import base64
import sys
import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from browser.conftest import TESTS
from browser.staged import staged_titles, titles_with
from ludus.lab.browser_bench import ARGUMENTS, find_browser
from ludus.server.testing import ServerProcess

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
SCREENS = ((390, 844, "dark"), (1024, 768, "dark"), (1920, 1080, "light"))
WIDTH = 1280  # of a picture, at most
QUALITY = 60  # enough for parchment
LARGEST = 1_000_000  # all pictures together, in bytes
ME, BOT = {"kind": "me"}, {"kind": "bot", "bot": "tiro"}
Picturing = Callable[[Browser, ServerProcess], None]


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


def home(browser: Browser, server: ServerProcess) -> None:
    page = new_page(browser, 1280, 1250)
    page.goto(server.url)
    page.locator(".title").first.wait_for()
    page.wait_for_timeout(500)
    take(page, "home")


def title_pictures(name: str) -> Picturing:
    found: Picturing = import_module(f"browser.titles.{name}.pictures").take_pictures
    return found


def main(names: list[str]) -> None:
    pictures = {"home": home} | {name: title_pictures(name) for name in titles_with("pictures.py")}
    wanted = names or list(pictures)
    if unknown := [name for name in wanted if name not in pictures]:
        raise SystemExit(f"there is no picture {unknown[0]!r}; there are: {', '.join(pictures)}")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
        server = ServerProcess(str(Path(folder) / "pictures.db"), {"titles": staged_titles()}, paths=[TESTS])
        with server:
            for name in wanted:
                for old in FOLDER.glob(f"{name}*.webp"):
                    old.unlink()
                pictures[name](browser, server)
        browser.close()
    if (size := sum(path.stat().st_size for path in FOLDER.iterdir())) > LARGEST:
        raise SystemExit(f"the pictures have {size} bytes in all; {LARGEST} would be right")


if __name__ == "__main__":
    main(sys.argv[1:])
