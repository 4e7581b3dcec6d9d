"""Every table on every screen, to look at: `PYTHONPATH=src:tests python tests/browser/screens.py FOLDER ...`.

After the folder come tables: `NAME`, `NAME:SEATS` or `NAME:SEATS,option=value,...` (also `scene=NAME`, see
staged.py, and `touches=N` before the first picture); without one all titles and their games of their own
are taken, with the fewest and the most seats.  Each is seen in my turn, with something picked, while
another one's turn is told, after it, with the log, with the menu and at its end; on phones, with fingers,
and on screens; light and dark.  Pictures of a moment come on sheets, one for phones and one for each pair of
screens.  Nothing is judged here: somebody looks at the sheets.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

import ludus
from browser.conftest import SETTINGS, TESTS
from browser.driving import is_over, is_warned, my_turn, offered, play_by_clicking, press, until
from browser.staged import START, scene_of, staged_titles
from ludus.lab.browser_bench import ARGUMENTS, find_browser
from ludus.server.testing import ServerProcess
from ludus.titles import title_names

PHONES = ((360, 640), (390, 844), (844, 390))
SCREENS = ((1024, 768), (1440, 900), (1920, 1080), (2560, 1440))
SCHEMES = ("light", "dark")
ME, BOT = {"kind": "me"}, {"kind": "bot", "bot": "tiro"}
OPENING = 12  # touches before the first picture, where a match does not begin at a scene
SETTLE = 450  # milliseconds in which a table has drawn itself anew
BEGIN = """async ([title, options, seats]) => {
  const { startMatch } = await import("/js/start.js");
  await startMatch(title, seats, { options });
}"""


@dataclass(frozen=True)
class Wanted:
    """A table somebody wants to see."""

    title: str
    seats: int
    options: dict[str, str | int]
    opening: int = OPENING

    @property
    def name(self) -> str:
        return "-".join([self.title, str(self.seats), *map(str, self.options.values())])


def read_wanted(text: str) -> Wanted:
    head, *said = text.split(",")
    name, _, seats = head.partition(":")
    options = {k: int(v) if v.isdigit() else v for k, _, v in (one.partition("=") for one in said)}
    if "scene" in options:
        options = {**scene_of(name, str(options["scene"])).options, **options}
    opening = int(options.pop("touches", OPENING))
    return Wanted(name, int(seats or ludus.title(name).seats[0]), options, opening)


def all_tables() -> Iterator[Wanted]:
    for name in title_names():
        title = ludus.title(name)
        for seats in sorted({title.seats[0], title.seats[-1]}):
            yield Wanted(name, seats, {})
        for options, _ in title.games("en"):
            yield Wanted(name, title.seats[0], options)


# -- pictures -------------------------------------------------------------------------------------------


@dataclass
class Camera:
    """One match in two browsers of the same person: a phone and a screen."""

    folder: Path
    name: str
    browser: Browser
    phone: Page
    screen: Page

    def take(self, moment: str) -> None:
        for scheme in SCHEMES:
            for kind, page, sizes in (
                ("phones", self.phone, PHONES),
                ("small", self.screen, SCREENS[:2]),
                ("large", self.screen, SCREENS[2:]),
            ):
                shots = [self.shot(page, size, scheme) for size in sizes]
                self.sheet(shots, f"{self.name}-{moment}-{kind}-{scheme}")

    def shot(self, page: Page, size: tuple[int, int], scheme: str) -> Path:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.wait_for_timeout(SETTLE)
        path = self.folder / f"{size[0]}.png"
        page.screenshot(path=path)
        return path

    def sheet(self, shots: list[Path], name: str) -> None:
        """Pictures side by side, made by the browser itself."""
        page = self.browser.new_page(viewport={"width": 1600, "height": 100})
        images = "".join(f'<img src="{path.as_uri()}">' for path in shots)
        (self.folder / "sheet.html").write_text(
            f"<style>body{{margin:0;display:flex;gap:6px;background:#f0f;align-items:start}}"
            f"img{{min-width:0;flex:0 1 auto}}</style>{images}",
            encoding="utf-8",
        )
        page.goto((self.folder / "sheet.html").as_uri())
        page.locator("img").last.wait_for()
        page.screenshot(path=self.folder / f"{name}.png", full_page=True)
        page.close()


# -- moments --------------------------------------------------------------------------------------------


def begin(browser: Browser, url: str, wanted: Wanted) -> tuple[Page, Page]:
    screen = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB").new_page()
    screen.goto(url)
    screen.locator(".title").first.wait_for()
    screen.evaluate("async () => (await import('/js/settings.js')).remember('pace', 'once')")
    screen.evaluate(BEGIN, [wanted.title, wanted.options, [ME, *[BOT] * (wanted.seats - 1)]])
    screen.wait_for_url("**/m/*")
    my_turn(screen)
    if wanted.options.get("scene", START) == START:
        play_by_clicking(screen, random.Random(3), wanted.opening)
    phone = browser.new_context(
        viewport={"width": 390, "height": 844},
        is_mobile=True,
        has_touch=True,
        locale="en-GB",
        storage_state=screen.context.storage_state(),
    ).new_page()
    for page in (phone, screen):
        page.goto(screen.url)
        page.evaluate("async () => (await import('/js/settings.js')).remember('pace', 'slow')")
        page.evaluate("async () => (await import('/js/settings.js')).remember('side', false)")
        page.reload()
    return phone, screen


def end_my_turn(page: Page, rng: random.Random) -> None:
    """Until somebody else is to move, soon."""
    for _ in range(80):
        ids = offered(page)
        if not ids:
            page.wait_for_timeout(100)
            if page.locator(".pace:not([hidden])").count() or is_over(page):
                return
            continue
        last = [one for one in ids if one in ("button:end", "button:done", "button:end_move")]
        press(page, last[-1] if last else rng.choice(ids))
        page.wait_for_timeout(250)
        if is_warned(page):
            page.locator(".toast button.small").click()


def is_ended(page: Page) -> bool:
    """Also where the window of the result was closed."""
    return is_over(page) or page.locator(".bar .result").count() > 0


def photograph(camera: Camera, seats: int) -> None:
    phone, screen, rng = camera.phone, camera.screen, random.Random(5)
    for page in (phone, screen):
        my_turn(page)
    camera.take("1-mine")
    for page in (phone, screen):
        page.wait_for_timeout(SETTLE)
        things = [one for one in my_turn(page) if not one.startswith("button:")]
        if things:
            press(page, things[0], tap=page is phone)
    camera.take("2-picked")
    if phone.locator(".cancel").is_visible():
        phone.locator(".cancel").tap()
    screen.keyboard.press("Escape")
    end_my_turn(screen, rng)
    for page in (phone, screen):
        if page.locator(".pace:not([hidden])").count():
            page.locator(".pace button").first.click()
    camera.take("3-other")
    for page in (phone, screen):
        if page.locator(".pace:not([hidden])").count():
            page.locator(".pace button").last.click()
    until(lambda: offered(screen) or is_ended(screen), "my turn, or the end")
    camera.take("4-after")
    if not is_ended(screen):
        screen.keyboard.press("l")
        phone.locator("header.top button[title^='Log']").tap()
        camera.take("5-log")
        screen.locator("header.top button[aria-label='Menu']").click()
        phone.locator("header.top button[aria-label='Menu']").tap()
        camera.take("6-menu")
        phone.keyboard.press("Escape")
        screen.locator("dialog .item", has_text="Resign").click()
        screen.locator("dialog button.sure").click()
        if seats > 2:  # the others play on
            return
        for page in (phone, screen):
            until(partial(is_over, page), "the end")
    camera.take("7-end")


def main(folder: Path, asked: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    tables = [read_wanted(text) for text in asked] or list(all_tables())
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
        settings = {**SETTINGS, "titles": staged_titles()}
        with ServerProcess(str(Path(place) / "screens.db"), settings, paths=[TESTS]) as server:
            for wanted in tables:
                phone, screen = begin(browser, server.url, wanted)
                photograph(Camera(folder, wanted.name, browser, phone, screen), wanted.seats)
                phone.context.close()
                screen.context.close()
                print(wanted.name, flush=True)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
