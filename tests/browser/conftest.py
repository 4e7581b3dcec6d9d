"""The browser and the server of the browser tests.  Under CI a missing browser is a failure."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from browser.install import find_test_browser
from browser.staged import staged_titles
from ludus.lab.browser_bench import ARGUMENTS
from ludus.server.testing import ServerProcess

NewPage = Callable[..., Page]
TESTS = Path(__file__).parents[1]
OURS = "Service Worker registration blocked by Playwright"  # we told it to
SETTINGS = {"bot_think": "0.05", "bot_workers": "1"}


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = find_test_browser()
    if path is None:
        missing = "no Chromium: run ./ludus test, which installs it where it can"
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder = tmp_path_factory.mktemp("server")
    process = ServerProcess(str(folder / "ludus.db"), SETTINGS, log=folder / "log.txt")
    process.start()
    yield process
    process.stop()


@pytest.fixture(scope="session")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server whose matches can begin at a scene (see staged.py)."""
    folder = tmp_path_factory.mktemp("staged")
    settings = {**SETTINGS, "titles": staged_titles()}
    process = ServerProcess(str(folder / "ludus.db"), settings, log=folder / "log.txt", paths=[TESTS])
    process.start()
    yield process.url
    process.stop()


@pytest.fixture
def url(server: ServerProcess) -> str:
    return server.url


@pytest.fixture
def new_page(browser: Browser) -> Iterator[NewPage]:
    """Pages of people who do not know each other.  Whatever the console complains of fails the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []
    strangers: list[str] = []

    def make(allow: tuple[str, ...] = (), **wishes: Any) -> Page:
        wishes.setdefault("viewport", {"width": 1280, "height": 800})
        wishes.setdefault("locale", "en-GB")
        wishes.setdefault("reduced_motion", "reduce")
        wishes.setdefault("service_workers", "block")  # only for when there is no line
        context = browser.new_context(**wishes)
        contexts.append(context)
        page = context.new_page()

        def heard(message: Any) -> None:
            if message.type in ("error", "warning") and not any(
                text in message.text for text in (*allow, OURS)
            ):
                complaints.append(message.text)

        def asked(request: Any) -> None:
            if "//127.0.0.1:" not in request.url and not request.url.startswith(("data:", "blob:")):
                strangers.append(request.url)

        page.on("console", heard)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", asked)
        return page

    yield make
    for context in contexts:
        context.close()
    assert not complaints, complaints
    assert not strangers, f"requests to other hosts: {strangers}"
