"""Puzzles that were taken along: solved without a line and without a server, counted when there is one."""

from __future__ import annotations

import json
import random
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import ludus
from browser.conftest import SETTINGS
from browser.driving import touch_all, until
from browser.test_puzzles import easy_to_touch
from ludus.puzzles.puzzle import fitting_puzzles
from ludus.server.testing import ServerProcess
from samples import LARGE, PLANNED, WIDE

NewPage = Callable[..., Page]
LINE = ("net::ERR_", "Failed to load", "Failed to fetch", "status of 503")
PASSWORD = "carpe diem quam"
# What was taken along, and the same from the server, for every choice of a puzzle, one by one and in a row.
_COMPARED = """async ([title, name]) => {
  const { lookedUp } = await import("/js/taken.js");
  const place = `/api/titles/${title}/puzzle`;
  const { steps } = await (await fetch(`${place}s/${name}?lang=en`)).json();
  const ask = async (move) => {
    const body = JSON.stringify({ puzzle: name, ...move });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${place}?lang=en`, { method: "POST", headers, body });
    const { rated, ...told } = await answer.json();
    return answer.ok ? JSON.stringify(told) : null;
  };
  const wrong = [], moves = [];
  let actions = [];
  for (const [k, { choices }] of steps.entries()) {
    moves.push({ actions }, { actions, show: true }, { actions, play: ["no such choice"] });
    for (const choice of Object.keys(choices)) moves.push({ actions, play: [choice] });
    const best = Object.keys(choices).find((choice) => !choices[choice].verdict) ?? "";
    const forced = steps[k + 1]?.forced ?? []; // whoever says them, too, says what was played by itself
    const whole = [best, ...forced];
    if (forced.length) moves.push({ actions, play: whole }, { actions: [...actions, ...whole] });
    actions = [...actions, best];
  }
  const line = actions.slice(0, -1);
  const [last] = Object.keys(steps[steps.length - 1].choices);
  moves.push({ actions: [], play: [...line, last] }, { actions: [], play: [...line, last, "too much"] });
  moves.push({ actions: [...line, last], play: [last] }, { actions: [...line, last] });
  for (const move of moves) {
    const sorted = (told) => (told ? JSON.stringify(Object.entries(JSON.parse(told)).sort()) : null);
    const found = lookedUp(steps, move);
    if (sorted(found && JSON.stringify(found)) !== sorted(await ask(move))) wrong.push(JSON.stringify(move));
  }
  return [moves.length, wrong];
}"""


@pytest.fixture
def own(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server that may go."""
    process = ServerProcess(str(tmp_path / "ludus.db"), SETTINGS, log=tmp_path / "log.txt")
    process.start()
    yield process
    process.stop()


def take(page: Page, url: str) -> None:
    page.goto(f"{url}/puzzles")
    page.locator(".puzzlealong .take").click()
    expect(page.locator(".puzzlealong")).to_contain_text("puzzles are on this device", timeout=120_000)
    until(lambda: page.evaluate("() => !!navigator.serviceWorker.controller"), "the service worker")


def kept(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        page.evaluate("() => localStorage.getItem('ludus.progress.puzzles') ?? '{}'")
    )
    return found


def waiting(page: Page) -> int:
    return len(json.loads(page.evaluate("() => localStorage.getItem('ludus.progress.tries') ?? '[]'")))


@pytest.mark.parametrize("name", [LARGE, PLANNED, WIDE])
def test_what_is_looked_up_is_what_the_server_tells(new_page: NewPage, url: str, name: str) -> None:
    page = new_page(allow=("status of 4",))
    page.goto(f"{url}/puzzles")
    found = fitting_puzzles(ludus.title(name))[0]
    longest = sorted(found, key=lambda one: -len(one.asked))[:2]
    with_forced = [one for one in found if any(len(asked.play) > 1 for asked in one.asked[1:])][:1]
    for puzzle in [*longest, *with_forced, *random.Random(5).sample(found, 2)]:
        moves, wrong = page.evaluate(_COMPARED, [name, puzzle.name])
        assert moves > 6 and not wrong, (puzzle.name, wrong)


def test_puzzles_are_solved_without_a_line_and_count_when_it_is_back(new_page: NewPage, url: str) -> None:
    puzzle, right, wrong = easy_to_touch()
    page = new_page(allow=LINE, service_workers="allow", viewport={"width": 390, "height": 844})
    take(page, url)
    # Whatever is next by strength, this one is among them: its touches are known.
    page.evaluate(
        """async ([title, name]) => {
          const { kept } = await import("/js/api.js");
          const { keep } = await import("/js/taken.js");
          const { spoken } = await import("/js/words.js");
          const path = spoken(`/api/titles/${title}/puzzles/${name}`);
          await keep(path, await (await fetch(path)).json());
          const note = await kept("/taken");
          note.titles[title] = [...new Set([...note.titles[title], name])];
          await keep("/taken", note);
        }""",
        [LARGE, puzzle.name],
    )
    page.context.set_offline(True)
    page.goto(f"{url}/puzzles")
    expect(page.locator(".puzzlealong")).to_contain_text("There is no connection")
    card = page.locator(f'.puzzletitle[data-title="{LARGE}"]')
    expect(card.locator(".meta")).to_contain_text("0 of 2")  # those that are here
    page.goto(f"{url}/puzzles/{LARGE}/{puzzle.name}")
    expect(page.locator(".puzzlepage")).to_have_attribute("data-step", "0", timeout=30_000)
    touch_all(page, wrong)
    expect(page.locator(".coach")).to_have_attribute("data-verdict", "wrong")
    expect(page.locator(".rated")).to_contain_text("as soon as there is a connection")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    assert waiting(page) == 1 and not kept(page), "nothing has counted yet"
    page.locator(".again").click()
    expect(page.locator(".puzzlepage")).to_have_attribute("data-step", "0", timeout=30_000)
    touch_all(page, right)
    expect(page.locator(".coach")).to_have_attribute("data-verdict", "best")
    expect(page.locator(".rated")).to_contain_text("practised")
    assert waiting(page) == 1, "only the first try counts"
    page.locator(".nextpuzzle").click()
    expect(page.locator(".puzzlepage")).to_have_attribute("data-step", "0", timeout=30_000)
    page.locator(".giveup").click()
    expect(page.locator(".coach")).to_have_attribute("data-verdict", "shown")
    assert waiting(page) == 2
    page.goto(f"{url}/puzzles/{LARGE}/day")
    expect(page.locator(".puzzlepage .lessoncount")).to_contain_text("Puzzle of the day", timeout=30_000)
    page.goto(url)
    expect(page.locator(".offline .along a")).to_have_attribute("href", "/puzzles")
    page.context.set_offline(False)
    page.locator(".title").first.wait_for()  # the page comes back by itself
    page.goto(f"{url}/puzzles")
    expect(card.locator(".meta")).to_contain_text("0 of 180")
    until(lambda: waiting(page) == 0, "the tries were sent")
    found = kept(page)
    assert found[f"{LARGE}/{puzzle.name}"]["n"] == 1 and found[LARGE]["n"] == 2
    assert found[LARGE]["rating"] < 1200


def test_an_account_without_a_server_and_the_server_counts_once(
    new_page: NewPage, own: ServerProcess
) -> None:
    """The server is gone, not the line; it comes back, and what waits counts for the account, once."""
    page = new_page(allow=(*LINE, "status of 4"), service_workers="allow")
    page.goto(own.url)
    page.locator(".title").first.wait_for()
    post = """async ([path, body]) => {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
      return answer.json();
    }"""
    called = f"Gaia {random.randrange(10**8)}"
    assert page.evaluate(post, ["/api/account", {"name": called, "password": PASSWORD}])["account"]
    page.reload()
    take(page, own.url)
    own.stop()
    page.goto(f"{own.url}/puzzles/{PLANNED}")
    expect(page.locator(".puzzlepage")).to_have_attribute("data-step", "0", timeout=30_000)
    named = page.locator(".puzzlepage").get_attribute("data-puzzle")
    page.locator(".giveup").click()
    expect(page.locator(".coach")).to_have_attribute("data-verdict", "shown")
    [made] = json.loads(page.evaluate("() => localStorage.getItem('ludus.progress.tries')"))
    own.start()
    page.goto(f"{own.url}/puzzles")
    until(lambda: waiting(page) == 0, "the try was sent")
    get = "async (path) => (await fetch(path)).json()"
    told = page.evaluate(get, "/api/me/progress/puzzles")["data"]
    assert told[f"{PLANNED}/{named}"]["n"] == 1 and told[PLANNED]["n"] == 1
    assert kept(page)[PLANNED]["rating"] == told[PLANNED]["rating"] < 1200
    # The answer was lost, and the try is sent again: by this window or another.
    page.evaluate("(made) => localStorage.setItem('ludus.progress.tries', JSON.stringify([made]))", made)
    page.reload()
    until(lambda: waiting(page) == 0, "the try was sent again")
    again = page.evaluate(get, "/api/me/progress/puzzles")["data"]
    assert again[PLANNED]["n"] == 1 and again[PLANNED]["rating"] == told[PLANNED]["rating"]


@contextmanager
def silence(port: int) -> Iterator[None]:
    """A server that takes every connection and never answers."""
    with socket.create_server(("127.0.0.1", port)) as door:
        taken: list[socket.socket] = []

        def accept() -> None:
            with suppress(OSError):
                while True:
                    taken.append(door.accept()[0])

        threading.Thread(target=accept, daemon=True).start()
        yield
        door.shutdown(socket.SHUT_RDWR)
    for one in taken:
        one.close()


def test_a_server_that_never_answers_is_not_waited_for_and_the_tries_go_when_it_does(
    new_page: NewPage, own: ServerProcess
) -> None:
    """The line is there all the time, so no event says that it is back; and the page is left open."""
    page = new_page(allow=(*LINE, "status of 4"), service_workers="allow")
    take(page, own.url)
    own.stop()
    with silence(int(own.url.rpartition(":")[2])):
        page.goto(f"{own.url}/puzzles/{PLANNED}", timeout=60_000)
        expect(page.locator(".puzzlepage")).to_have_attribute("data-step", "0", timeout=90_000)
        page.locator(".giveup").click()
        expect(page.locator(".coach")).to_have_attribute("data-verdict", "shown", timeout=30_000)
        assert waiting(page) == 1
        page.locator(".nextpuzzle").click()
        expect(page.locator(".puzzlepage")).to_have_attribute("data-step", "0", timeout=30_000)
        page.goto(f"{own.url}/puzzles", timeout=60_000)
        expect(page.locator(".puzzlealong")).to_contain_text("There is no connection", timeout=90_000)
    own.start()
    until(lambda: waiting(page) == 0, "the try was sent")
    assert kept(page)[PLANNED]["n"] == 1


def test_tries_are_sent_when_a_page_that_was_left_open_is_looked_at(new_page: NewPage, url: str) -> None:
    page = new_page(allow=LINE)
    page.goto(f"{url}/nowhere")
    page.locator(".nothing").wait_for()
    puzzle = easy_to_touch()[0].name
    made = {"title": LARGE, "puzzle": puzzle, "actions": [], "play": [], "show": True, "solved": False}
    for event in (
        "document.dispatchEvent(new Event('visibilitychange'))",
        "dispatchEvent(new Event('online'))",
    ):
        page.evaluate("(tries) => localStorage.setItem('ludus.progress.tries', tries)", json.dumps([made]))
        page.evaluate(f"() => void {event}")
        until(lambda: waiting(page) == 0, event)


def test_what_was_taken_along_is_bounded_and_only_puzzles(new_page: NewPage, url: str) -> None:
    page = new_page(service_workers="allow")
    take(page, url)
    found = page.evaluate(
        """async () => {
          const cache = await caches.open("ludus-puzzles");
          const names = (await cache.keys()).map((request) => new URL(request.url).pathname);
          const texts = await Promise.all((await cache.matchAll()).map((one) => one.text()));
          return [names, texts.join("").length];
        }"""
    )
    names, size = found
    puzzles = [name for name in names if "/puzzles/" in name]
    assert 60 <= len(puzzles) <= 3 * 27 and size < 12_000_000
    others = {name for name in names if name not in puzzles}
    assert all(name == "/taken" or name.startswith("/api/titles") for name in others), others


# What a second window does at the worst moment: it hears of the account between the answer and the note.
_TWO_WINDOWS = """async ([title, name]) => {
  const [{ post }, { noteTry }, { sync, progressIn }] = await Promise.all(
    ["api", "puzzles", "progress"].map((module) => import(`/js/${module}.js`)),
  );
  const told = await post(`/api/titles/${title}/puzzle?lang=en`, { puzzle: name, actions: [], show: true });
  await sync("puzzles");
  noteTry(title, name, told.solved, told.rated);
  await sync("puzzles");
  const { data } = await (await fetch("/api/me/progress/puzzles")).json();
  return [data[title], progressIn("puzzles")[title]];
}"""


def test_a_try_of_an_account_is_one_try_with_two_windows_open(new_page: NewPage, url: str) -> None:
    page = new_page(allow=("status of 4",))
    page.goto(url)
    page.locator(".title").first.wait_for()
    made = """async (body) => {
      const headers = { "content-type": "application/json" };
      await fetch("/api/account", { method: "POST", headers, body: JSON.stringify(body) });
    }"""
    page.evaluate(made, {"name": f"Gaia {random.randrange(10**8)}", "password": PASSWORD})
    page.reload()
    page.locator(".title").first.wait_for()
    for k, puzzle in enumerate(fitting_puzzles(ludus.title(LARGE))[0][:2], 1):
        account, here = page.evaluate(_TWO_WINDOWS, [LARGE, puzzle.name])
        assert account["n"] == k and here == account


# Everything that is kept of one puzzle, changed by hand in several ways; the puzzles that were changed.
_DAMAGE = """async () => {
  const cache = await caches.open("ludus-puzzles");
  const kept = (await cache.keys()).filter(({ url }) => url.includes("/puzzles/"));
  const ways = [
    () => "no JSON", () => '{"steps": []}',
    (told) => { told.steps[0].at.view = { board: 3 }; return JSON.stringify(told); },
  ];
  for (const [k, way] of ways.entries()) {
    const { headers } = await cache.match(kept[k]);
    await cache.put(kept[k], new Response(way(await (await cache.match(kept[k])).json()), { headers }));
  }
  return ways.map((_, k) => new URL(kept[k].url).pathname.replace("/api/titles/", "").split("/puzzles/"));
}"""


def test_what_was_taken_along_and_is_damaged_says_what_to_do(new_page: NewPage, url: str) -> None:
    page = new_page(service_workers="allow", allow=LINE)
    take(page, url)
    damaged = page.evaluate(_DAMAGE)
    page.context.set_offline(True)
    for title, puzzle in damaged:
        page.goto(f"{url}/puzzles/{title}/{puzzle}")
        expect(page.locator(".nothing")).to_contain_text("are damaged. Take them along again", timeout=30_000)
    page.evaluate("async () => (await import('/js/taken.js')).keep('/taken', 5)")
    page.goto(f"{url}/puzzles")
    expect(page.locator(".puzzlelist")).to_contain_text("are damaged")
    page.context.set_offline(False)
    strange = {LARGE: {"n": 3, "at": 1, "rating": "much", "deviation": 80, "volatility": 0.06}}
    page.evaluate("(made) => localStorage.setItem('ludus.progress.puzzles', JSON.stringify(made))", strange)
    page.goto(f"{url}/puzzles/{LARGE}")
    expect(page.locator(".puzzlepage")).to_have_attribute("data-step", "0", timeout=30_000)


def test_puzzles_follow_the_language_that_is_chosen_later(new_page: NewPage, url: str) -> None:
    page = new_page(service_workers="allow", allow=LINE)
    take(page, url)
    today = page.evaluate("() => new Date().toLocaleDateString('en-GB', { month: 'short', year: 'numeric' })")
    expect(page.locator(".puzzlealong")).to_contain_text(f"{today}.")  # the day before the month
    page.goto(f"{url}/puzzles/{LARGE}")
    expect(page.locator(".lessonsays")).to_contain_text("What is best here?")
    puzzle = page.locator(".puzzlepage").get_attribute("data-puzzle")
    choose(page, "de")
    expect(page.locator(".lessonsays")).to_contain_text("am besten")
    expect(page.locator(".puzzlepage")).to_have_attribute("data-puzzle", puzzle or "")
    spoken = "async () => (await (await import('/js/taken.js')).taken())?.tongue"
    until(lambda: page.evaluate(spoken) == "de", "the puzzles in German", 120)
    page.context.set_offline(True)
    page.goto(f"{url}/puzzles/{LARGE}")
    expect(page.locator(".lessonsays")).to_contain_text("am besten", timeout=30_000)
    page.goto(f"{url}/puzzles")
    choose(page, "fr")  # there is no line to fetch others
    expect(page.locator(".puzzlealong .tongue")).to_contain_text("en allemand")


def choose(page: Page, language: str) -> None:
    page.locator("button.settings").click()
    page.locator(f"dialog label:has(input[value={language}])").first.click()
    expect(page.locator("html")).to_have_attribute("lang", language)


@pytest.mark.parametrize("language", ["en", "de", "fr", "it"])
def test_a_day_cannot_be_misread(new_page: NewPage, url: str, language: str) -> None:
    page = new_page(locale={"en": "en-US"}.get(language, language))
    page.goto(f"{url}/nowhere")
    page.locator(".nothing").wait_for()
    told = page.evaluate(
        """async () => {
          const { dayName, timeName } = await import("/js/words.js");
          const at = Date.parse("2026-11-09T18:05:00");
          return [dayName(at), timeName(at)];
        }"""
    )
    named = {"en": "9 Nov 2026", "de": "9. Nov. 2026", "fr": "9 nov. 2026", "it": "9 nov 2026"}
    assert told == [named[language], "18:05"]


@pytest.mark.parametrize("tries", ["5", "{}", "[1, null]", f'[{{"title": "{LARGE}"}}]', "["])
def test_tries_that_are_none_do_not_stop_the_page(new_page: NewPage, url: str, tries: str) -> None:
    """What lies in the browser may be of another release, or damaged."""
    page = new_page(service_workers="allow", allow=LINE)
    page.goto(f"{url}/nowhere")
    page.locator(".nothing").wait_for()
    page.evaluate(
        """async (tries) => {
          localStorage.setItem("ludus.progress.tries", tries);
          const { keep } = await import("/js/taken.js");
          await keep("/taken", { at: 5 });
        }""",
        tries,
    )
    page.goto(f"{url}/puzzles")
    expect(page.locator(".puzzletitle")).to_have_count(3)
    expect(page.locator(".puzzlealong")).to_contain_text("Take puzzles along")
    assert page.evaluate("async () => (await import('/js/taken.js')).taken()") is None


def test_a_full_device_is_called_full(new_page: NewPage, url: str) -> None:
    page = new_page(service_workers="allow")
    page.goto(f"{url}/puzzles")
    page.locator(".puzzlealong .take").wait_for()
    session = page.context.new_cdp_session(page)
    session.send("Storage.overrideQuotaForOrigin", {"origin": url, "quotaSize": 400_000})
    page.locator(".puzzlealong .take").click()
    expect(page.locator(".puzzlealong")).to_contain_text("no room", timeout=30_000)
    assert page.locator(".puzzlealong .take").is_enabled()
