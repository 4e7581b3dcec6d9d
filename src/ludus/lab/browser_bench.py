"""`ludus bench browser`: how long pages take to open, and how soon a move is on both screens.

Two real browsers (headless Chromium) sit in one match.  A move is timed from the click in one of them
until the frame in which each of the two pages has drawn it; both run on this machine, so their clocks
agree.  Redrawing is what the script of the drawing and the browser's style and layout take for one view.
A table that waits is one at which nothing is done: all processes of the browser together.
Needs the packages of the extra "dev" and a Chromium.
"""

from __future__ import annotations

import os
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus.core.errors import LudusError

if TYPE_CHECKING:
    from playwright.sync_api import Browser, CDPSession, Page

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
OPENINGS = 5
SETTLE_S = 4.0  # after which a table has painted what it had to
REST_S, LOOKS = 8.0, 3  # so long a table that waits is looked at, and so often: a browser also tidies up
WAIT = 60.0
OVER = "over"
# A fast 3G line: 150 ms there and back, 1.6 Mbit/s down, 768 kbit/s up.
FAST_3G = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 96_000}

# Note the moment of the frame in which each entry is on the screen, and how long drawings took.
WATCH = """() => {
  window.seen = {};
  window.redraws = [];
  const page = document.querySelector("main.matchpage");
  new MutationObserver(() => {
    const n = +page.dataset.entry;
    requestAnimationFrame(() => { window.seen[n] ??= performance.timeOrigin + performance.now(); });
  }).observe(page, { attributeFilter: ["data-entry"] });
  new PerformanceObserver((list) => {
    window.redraws.push(...list.getEntriesByName("redraw").map((entry) => entry.duration));
  }).observe({ type: "measure" });
}"""
CLICK = """(at) => {
  const buttons = [...document.querySelectorAll(".choices button[data-action]")];
  if (!buttons.length) return null;
  const now = performance.timeOrigin + performance.now();
  buttons[Math.floor(at * buttons.length)].click();
  return now;
}"""
READY = "() => document.querySelectorAll('.choices button[data-action]').length > 0"
LAST = "() => Math.max(0, ...Object.keys(window.seen ?? {}).map(Number))"
AFTER = """(last) => Object.entries(window.seen)
  .filter(([n]) => +n > last).map((e) => e[1]).sort((a, b) => a - b)[0] ?? null"""
DIALOG = "() => !!document.querySelector('dialog[open]')"
REDRAWS = "() => window.redraws.splice(0)"
# Two frames later, so that what was changed is styled and laid out.
SETTLED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
# From the beginning of the navigation until the table stands, with what can be done.
DRAWN = """() => {
  const shown = document.querySelector(".stage > :not(.loading)");
  const prompt = document.querySelector(".bar .prompt")?.textContent;
  return shown?.getBoundingClientRect().height && prompt ? performance.now() : null;
}"""


PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"


class NoBrowser(LudusError):
    """There is nothing to measure with."""


@dataclass
class Times:
    """Some times in milliseconds."""

    all: list[float] = field(default_factory=list)

    def at(self, part: float) -> float:
        ranked = sorted(self.all)
        return round(ranked[min(len(ranked) - 1, int(part * len(ranked)))], 1) if ranked else 0.0


@dataclass(frozen=True)
class Goal:
    """A figure and what it should stay below."""

    name: str
    figure: float
    below: float
    unit: str

    @property
    def reached(self) -> bool:
        return 0 < self.figure < self.below


@dataclass
class BrowserFigures:
    """What was measured: seconds to open, milliseconds from a click to both screens and to redraw."""

    title: str
    cores: int
    home_s: float
    table_s: float
    slow_paint_s: float
    slow_table_s: float
    moves: int
    own_p50: float
    own_p95: float
    both_p50: float
    both_p95: float
    redraws: int
    redraw_p50: float
    pieces: int
    rest_percent: float

    def goals(self) -> list[Goal]:
        return [
            Goal("the first page opens", self.home_s, 1.0, "s"),
            Goal("a table opens", self.table_s, 1.0, "s"),
            Goal("first paint of a table over fast 3G, nothing cached", self.slow_paint_s, 1.5, "s"),
            Goal("a move is on both screens, p95", self.both_p95, 150.0, "ms"),
            Goal(f"a view of {self.pieces} things is redrawn, median", self.redraw_p50, 16.0, "ms"),
            Goal("a table that waits, all processes of the browser", self.rest_percent, 1.0, "% of a core"),
        ]

    @property
    def good(self) -> bool:
        return all(goal.reached for goal in self.goals())


def find_browser() -> str | None:
    """The system's Chromium, or the one that LUDUS_CHROMIUM names."""
    named = os.environ.get("LUDUS_CHROMIUM")
    if named and Path(named).exists():
        return named
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


def until(ready: Callable[[], Any], what: str) -> Any:
    ends = time.monotonic() + WAIT
    while not (found := ready()):
        if time.monotonic() > ends:
            raise LudusError(f"waited {WAIT:.0f} s for {what}")
        time.sleep(0.01)
    return found


def new_page(browser: Browser) -> Page:
    context = browser.new_context(
        viewport={"width": 1280, "height": 800}, locale="en", reduced_motion="reduce"
    )
    return context.new_page()


def time_opening(browser: Browser, address: str, sign: str) -> float:
    """Seconds until a page that was never seen before shows what it is for; the median of a few."""
    times = []
    for _ in range(OPENINGS):
        page = new_page(browser)
        began = time.perf_counter()
        page.goto(address, wait_until="commit")
        page.locator(sign).first.wait_for(state="visible")
        times.append(time.perf_counter() - began)
        page.context.close()
    return round(statistics.median(times), 3)


def time_slow_line(browser: Browser, address: str) -> tuple[float, float]:
    """Seconds from the beginning of the navigation to the first paint, and until the table is drawn."""
    paints, tables = [], []
    for _ in range(OPENINGS):
        page = new_page(browser)
        line = page.context.new_cdp_session(page)
        line.send("Network.enable")
        line.send("Network.emulateNetworkConditions", FAST_3G)
        page.goto(address, wait_until="commit")
        tables.append(until(partial(page.evaluate, DRAWN), "the table") / 1000)
        paints.append(until(partial(page.evaluate, PAINT), "the first paint") / 1000)
        page.context.close()
    return round(statistics.median(paints), 3), round(statistics.median(tables), 3)


class Window:
    """One of the two browsers, and what its page spends on drawing."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.session: CDPSession = page.context.new_cdp_session(page)
        self.session.send("Performance.enable")
        self.spent = self.layout()

    def layout(self) -> float:
        """Milliseconds that the page has spent on style and layout so far."""
        told = self.session.send("Performance.getMetrics")["metrics"]
        names = ("LayoutDuration", "RecalcStyleDuration")
        return 1000 * sum(float(one["value"]) for one in told if one["name"] in names)

    def redraw(self) -> float | None:
        """Milliseconds for each view that was drawn since the last call: script, style and layout."""
        self.page.evaluate(SETTLED)
        scripts = self.page.evaluate(REDRAWS)
        before, self.spent = self.spent, self.layout()
        return (sum(scripts) + self.spent - before) / len(scripts) if scripts else None


@dataclass
class Moves:
    own: Times = field(default_factory=Times)
    both: Times = field(default_factory=Times)
    redraw: Times = field(default_factory=Times)
    pieces: int = 0
    address: str = ""


class Pair:
    """Two people in one match, by a link."""

    def __init__(self, browser: Browser, url: str, title: str) -> None:
        host, guest = new_page(browser), new_page(browser)
        host.goto(url)
        host.locator(f'[data-title="{title}"] .friend').click()
        link = host.locator(".linkbox .link")
        link.wait_for()
        address = link.input_value()
        guest.goto(address)
        for page in (host, guest):
            page.locator("section.bar").wait_for(state="visible")
            page.evaluate(WATCH)
        self.address = address.split("#")[0]
        self.windows = (Window(host), Window(guest))

    def mover(self) -> Any:
        """The place of the page that can move, OVER when the match is, None while neither can."""
        for place, window in enumerate(self.windows):
            if window.page.evaluate(READY):
                return str(place)
        return OVER if self.windows[0].page.evaluate(DIALOG) else None

    def play(self, at: float, found: Moves) -> bool:
        """Time one move; False when the match is over."""
        mover = until(self.mover, "somebody's turn")
        if mover == OVER:
            return False
        mine, theirs = self.windows[int(mover)], self.windows[1 - int(mover)]
        last = max(window.page.evaluate(LAST) for window in self.windows)
        theirs.redraw()
        clicked = mine.page.evaluate(CLICK, at)
        if clicked is None:
            return True
        seen = [until(partial(window.page.evaluate, AFTER, last), "the move") for window in (mine, theirs)]
        found.own.all.append(seen[0] - clicked)
        found.both.all.append(max(seen) - clicked)
        spent = theirs.redraw()
        if spent is not None:
            found.redraw.all.append(spent)
        return True

    def close(self) -> None:
        for window in self.windows:
            window.page.context.close()


def time_moves(browser: Browser, url: str, title: str, moves: int) -> Moves:
    """Random play of two people; when a match is over the next one begins."""
    found, rng = Moves(), random.Random(1)
    pair = Pair(browser, url, title)
    while len(found.both.all) < moves:
        if not pair.play(rng.random(), found):
            pair.close()
            pair = Pair(browser, url, title)
    count = "() => document.querySelectorAll('.stage [data-touch], .stage [data-info]').length"
    found.pieces = pair.windows[0].page.evaluate(count)
    found.address = pair.address
    pair.close()
    return found


MOVING = "() => document.getAnimations().length"


def processor_seconds(browser: Browser) -> float:
    """What all processes of the browser have taken of the processor so far."""
    told = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    return sum(float(process["cpuTime"]) for process in told)


def load_at_rest(browser: Browser, url: str, title: str) -> float:
    """Percent of a core that a table takes at which nobody does anything, animations allowed."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en")
    page = context.new_page()
    page.goto(url)
    page.locator(f'[data-title="{title}"] .playnow').click()
    until(partial(page.evaluate, READY), "a turn")
    until(lambda: page.evaluate(MOVING) == 0, "the last motion")
    page.wait_for_timeout(1000 * SETTLE_S)
    spent = []
    for _ in range(LOOKS):
        before = processor_seconds(browser)
        page.wait_for_timeout(1000 * REST_S)
        spent.append(processor_seconds(browser) - before)
    context.close()
    return max(0.01, round(100 * statistics.median(spent) / REST_S, 2))  # 0 would be nothing measured


@contextmanager
def _browser() -> Iterator[Browser]:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError as error:
        raise NoBrowser(f'this needs the extra "dev": pip install "ludus-antiquus[dev]" ({error})') from None
    path = find_browser()
    if path is None:
        raise NoBrowser("no Chromium found: install it, or name it in LUDUS_CHROMIUM")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


def measure(title: str, moves: int = 100) -> BrowserFigures:
    """Start a server and two browsers, and measure."""
    from ludus.server.testing import ServerProcess

    with (
        tempfile.TemporaryDirectory(prefix="ludus-bench-") as folder,
        _browser() as browser,
        ServerProcess(str(Path(folder) / "bench.db")) as server,
    ):
        home = time_opening(browser, server.url, f'[data-title="{title}"] .playnow')
        found = time_moves(browser, server.url, title, moves)
        table = time_opening(browser, found.address, ".bar .prompt")
        paint, drawn = time_slow_line(browser, found.address)
        rest = load_at_rest(browser, server.url, title)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    own, both, redraw = found.own, found.both, found.redraw
    return BrowserFigures(
        title=title, cores=cores, home_s=home, table_s=table, slow_paint_s=paint, slow_table_s=drawn,
        moves=len(both.all), own_p50=own.at(0.5), own_p95=own.at(0.95),
        both_p50=both.at(0.5), both_p95=both.at(0.95),
        redraws=len(redraw.all), redraw_p50=redraw.at(0.5), pieces=found.pieces,
        rest_percent=rest,
    )  # fmt: skip


def table(result: BrowserFigures) -> list[str]:
    """The report, line by line."""
    lines = [
        f"{result.title}: {result.moves} moves; own screen p50 {result.own_p50} ms, p95 {result.own_p95} ms; "
        f"both screens p50 {result.both_p50} ms, p95 {result.both_p95} ms",
        f"over fast 3G the table stands whole after {result.slow_table_s} s",
    ]
    for goal in result.goals():
        verdict = "reached" if goal.reached else "NOT reached"
        lines.append(f"{goal.name}: {goal.figure} {goal.unit} (goal < {goal.below:g} {goal.unit}: {verdict})")
    return [*lines, f"on {result.cores} cores"]
