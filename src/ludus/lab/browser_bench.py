"""`ludus bench browser`: how long a page takes to open, and how soon a move is on both screens.

Two real browsers (headless Chromium) sit in one match.  A move is timed from the click in one of them
until the frame in which each of the two pages has drawn it; both run on this machine, so their clocks
agree.  Needs the packages of the extra "dev" and a Chromium.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludus.core.errors import LudusError

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

GOAL_OPEN_S = 1.0
GOAL_MOVE_MS = 150.0
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
WAIT = 30.0
OVER = "over"

# Note the moment of the frame in which each entry is on the screen.
WATCH = """() => {
  window.seen = {};
  const log = document.querySelector(".log");
  new MutationObserver((changes) => {
    const added = changes.flatMap((c) => [...c.addedNodes]);
    const fresh = added.filter((li) => li.dataset?.n).map((li) => +li.dataset.n);
    if (fresh.length) requestAnimationFrame(() => {
      for (const n of fresh) window.seen[n] ??= performance.timeOrigin + performance.now();
    });
  }).observe(log, { childList: true });
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


class NoBrowser(LudusError):
    """There is nothing to measure with."""


@dataclass
class Times:
    """Some times in milliseconds."""

    all: list[float] = field(default_factory=list)

    def at(self, part: float) -> float:
        ranked = sorted(self.all)
        return round(ranked[min(len(ranked) - 1, int(part * len(ranked)))], 1) if ranked else 0.0


@dataclass
class Result:
    """What was measured: seconds to open, milliseconds from a click to both screens."""

    cores: int
    home_s: float
    table_s: float
    moves: int
    own_p50: float
    own_p95: float
    both_p50: float
    both_p95: float
    good: bool


def find_browser() -> str:
    named = os.environ.get("LUDUS_CHROMIUM")
    found = named or next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        raise NoBrowser("no Chromium found: install it, or name it in LUDUS_CHROMIUM")
    return found


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


def time_moves(browser: Browser, url: str, title: str, moves: int) -> tuple[Times, Times, str]:
    """Random play of two people; from click to own screen, and to both."""
    own, both = Times(), Times()
    rng = random.Random(1)
    host, guest, address = _sit_down(browser, url, title)
    for _ in range(moves * 4):
        if len(both.all) >= moves:
            break
        mover = until(partial(_mover, host, guest), "somebody's turn")
        if mover == OVER:
            host.context.close()
            guest.context.close()
            host, guest, _ = _sit_down(browser, url, title)
            continue
        other = guest if mover is host else host
        last = max(mover.evaluate(LAST), other.evaluate(LAST))
        clicked = mover.evaluate(CLICK, rng.random())
        if clicked is None:
            continue
        seen = [until(partial(_after, page, last), "the move") for page in (mover, other)]
        own.all.append(seen[0] - clicked)
        both.all.append(max(seen) - clicked)
    return own, both, address


def _sit_down(browser: Browser, url: str, title: str) -> tuple[Page, Page, str]:
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
    return host, guest, address.split("#")[0]


def _mover(host: Page, guest: Page) -> Any:
    """The page that can move, OVER when the match is, None while neither can."""
    for page in (host, guest):
        if page.evaluate(READY):
            return page
    return OVER if host.evaluate("() => !!document.querySelector('dialog[open]')") else None


def _after(page: Page, last: int) -> float | None:
    """When the first entry after `last` was on the screen."""
    found: float | None = page.evaluate(
        "(last) => Object.entries(window.seen).filter(([n]) => +n > last).map((e) => e[1]).sort()[0] ?? null",
        last,
    )
    return found


def measure(title: str = "roma", moves: int = 100) -> Result:
    """Start a server and two browsers, and measure."""
    from playwright.sync_api import sync_playwright

    from ludus.server.testing import ServerProcess

    with tempfile.TemporaryDirectory(prefix="ludus-bench-") as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
        with ServerProcess(str(Path(folder) / "bench.db")) as server:
            home = time_opening(browser, server.url, f'[data-title="{title}"] .playnow')
            own, both, address = time_moves(browser, server.url, title, moves)
            table = time_opening(browser, address, ".bar .prompt")
        browser.close()
    good = max(home, table) < GOAL_OPEN_S and both.at(0.95) < GOAL_MOVE_MS
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return Result(
        cores, home, table, len(both.all), own.at(0.5), own.at(0.95), both.at(0.5), both.at(0.95), good
    )


def browser(
    title: Annotated[str, typer.Option("--title", help="The title to play.")] = "roma",
    moves: Annotated[int, typer.Option("--moves", min=1, help="How many moves to time.")] = 100,
    as_json: Annotated[bool, typer.Option("--json", help="For programs: one JSON object.")] = False,
) -> None:
    """How long pages take to open, and how soon a move is on both screens."""
    result = measure(title, moves)
    if as_json:
        print(json.dumps(asdict(result)))
        return
    print(f"first page opens in {result.home_s:.2f} s, a table in {result.table_s:.2f} s", end=" ")
    print(f"(goal < {GOAL_OPEN_S:.0f} s)")
    print(f"{result.moves} moves: own screen p50 {result.own_p50} ms, p95 {result.own_p95} ms")
    print(f"both screens p50 {result.both_p50} ms, p95 {result.both_p95} ms", end=" ")
    print(f"(goal p95 < {GOAL_MOVE_MS:.0f} ms)")
    print(f"{'goals reached' if result.good else 'goals NOT reached'} on {result.cores} cores")
