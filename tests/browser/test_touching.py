"""Hands and zoom on a made-up map: pressing, dragging, pushing the sheet about, pinching, a long press."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page

from browser.driving import until

NewPage = Callable[..., Page]
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
# A sheet twice as wide as high: region `west` left, `east` right, a piece in the west that goes east.
MAP = """async () => {
  const [{ Hands }, { Zoom }, { Info }, { h, s }] = await Promise.all(
    ["match/hands", "match/zoom", "match/info", "dom"].map((name) => import(`/js/${name}.js`)));
  const stage = h("div.stage"), board = h("div.board", null, stage);
  document.body.classList.add("playing");
  document.body.replaceChildren(
    h("div", { id: "app" }, h("i"), h("main.matchpage", null, h("div.table", null, board))));
  const thing = (id) => ({ "data-touch": id, "data-info": id });
  const place = (id, x, fill) => s("rect", { x, y: 0, width: 100, height: 100, fill, ...thing(id) });
  const legion = s("g", { "data-drag": "", ...thing("unit:legion") }, s("circle", { cx: 50, cy: 30, r: 8 }));
  const sheet = h("div", null, s("svg", { viewBox: "0 0 200 100" },
    place("region:west", 0, "teal"), place("region:east", 100, "tan"), legion));
  const map = h("div", null, sheet);
  map.style.height = "100%";
  stage.append(map);
  const info = new Info(board);
  const hands = new Hands(board, {
    commit: (choice) => (window.done.push(choice.action), offer()),
    refuse: (path) => window.done.push(`no ${path.at(-1)}`),
    changed: () => undefined, hover: () => undefined, descends: () => false,
    inform: (el, lasting) => info.show(el, el && { title: el.dataset.info, lines: [] }, lasting),
  });
  const zoom = new Zoom(board, stage, { drags: () => hands.drags(), grabbed: () => hands.letGo() });
  zoom.take({ map: { window: map, sheet, shape: 2 } });
  const offer = () => hands.offer([
    { action: "west", touches: ["region:west"] }, { action: "east", touches: ["region:east"] },
    { action: "march east", touches: ["unit:legion", "region:east"] }]);
  Object.assign(window, { done: [], zoom, map, sheet });
  offer();
}"""
PLACE = """() => {
  const box = window.sheet.getBoundingClientRect();
  return { left: box.left, top: box.top, width: box.width, height: box.height, scale: window.zoom.scale,
    moved: [window.map.scrollLeft, window.map.scrollTop], done: window.done };
}"""


def open_map(page: Page, url: str) -> dict[str, Any]:
    page.goto(url)
    page.evaluate(MAP)
    until(lambda: place(page)["width"] > 100, "the sheet")
    return place(page)


def place(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(PLACE)
    return found


def test_a_map_fits_its_window_and_begins_larger_on_a_tall_one(new_page: NewPage, url: str) -> None:
    wide = open_map(new_page(viewport={"width": 1200, "height": 660}), url)
    assert wide["width"] == pytest.approx(2 * wide["height"], rel=0.01)
    assert wide["scale"] == 1 and wide["width"] == pytest.approx(1200, abs=2), "the whole map is seen"
    tall = open_map(new_page(viewport={"width": 390, "height": 780}), url)
    assert tall["width"] > 390 * 2, "a narrow strip"
    assert tall["moved"][0] > 200, "begins in the middle"


MIDDLE = """() => {
  const [sheet, map] = [window.sheet, window.map].map((el) => el.getBoundingClientRect());
  return [(map.left + map.width / 2 - sheet.left) / sheet.width,
    (map.top + map.height / 2 - sheet.top) / sheet.height];
}"""


def test_who_turns_the_phone_sees_the_same_place(new_page: NewPage, url: str) -> None:
    page = new_page(viewport={"width": 390, "height": 780})
    open_map(page, url)
    page.evaluate("() => window.zoom.choose(5)")
    page.evaluate("() => window.map.scrollTo(window.map.scrollWidth * 0.55, window.map.scrollHeight * 0.4)")
    page.wait_for_timeout(100)
    seen = page.evaluate(MIDDLE)
    for size in ((780, 390), (390, 780)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        until(lambda: place(page)["moved"] and page.evaluate("() => innerWidth") == size[0], "the turn")  # noqa: B023
        until(lambda: page.evaluate(MIDDLE) == pytest.approx(seen, abs=0.03), f"{seen} in the middle", 3)


def test_the_wheel_zooms_where_the_pointer_is(new_page: NewPage, url: str) -> None:
    page = new_page()
    before = open_map(page, url)
    x, y = before["left"] + before["width"] * 0.3, before["top"] + before["height"] * 0.3
    page.mouse.move(x, y)
    page.mouse.wheel(0, -400)
    until(lambda: place(page)["scale"] > before["scale"] * 2, "the larger map")
    after = place(page)
    assert (x - after["left"]) / after["width"] == pytest.approx(0.3, abs=0.01)
    assert (y - after["top"]) / after["height"] == pytest.approx(0.3, abs=0.01)
    assert after["done"] == []


def test_a_press_touches_a_drag_on_a_region_pushes_a_drag_of_a_piece_moves_it(
    new_page: NewPage, url: str
) -> None:
    page = new_page()
    before = open_map(page, url)
    x, y = before["left"] + before["width"] * 0.35, before["top"] + before["height"] * 0.7
    page.mouse.move(x, y)
    page.mouse.wheel(0, -300)
    until(lambda: place(page)["scale"] > before["scale"], "the larger map")
    page.mouse.click(x, y)
    assert place(page)["done"] == ["west"]
    was = place(page)["moved"]
    page.mouse.down()
    page.mouse.move(x - 90, y - 40, steps=5)
    page.mouse.up()
    now = place(page)
    assert [now["moved"][k] - was[k] for k in (0, 1)] == pytest.approx([90, 40], abs=1)
    assert now["done"] == ["west"], "pushing the sheet touches nothing"
    page.evaluate("() => window.zoom.to(1)")
    at = place(page)
    page.mouse.move(at["left"] + at["width"] * 0.25, at["top"] + at["height"] * 0.3)
    page.mouse.down()
    page.mouse.move(at["left"] + at["width"] * 0.5, at["top"] + at["height"] * 0.5, steps=5)
    ghost = page.locator("svg.ghost").bounding_box()
    page.mouse.move(at["left"] + at["width"] * 0.75, at["top"] + at["height"] * 0.5, steps=5)
    page.mouse.up()
    assert ghost is not None
    assert ghost["x"] + ghost["width"] / 2 == pytest.approx(at["left"] + at["width"] * 0.5, abs=3)
    assert place(page)["done"] == ["west", "march east"]
    assert page.locator(".ghost").count() == 0


def fingers(session: CDPSession, kind: str, *points: tuple[float, float]) -> None:
    touches = [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(points)]
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


def test_fingers_push_pinch_and_touch(new_page: NewPage, url: str) -> None:
    page = new_page(viewport={"width": 390, "height": 780}, is_mobile=True, has_touch=True)
    before = open_map(page, url)
    hand = page.context.new_cdp_session(page)
    fingers(hand, "touchStart", (200, 400))
    for step in range(1, 7):
        fingers(hand, "touchMove", (200 - 20 * step, 400))
    fingers(hand, "touchEnd")
    pushed = place(page)
    assert pushed["moved"][0] - before["moved"][0] == pytest.approx(120, abs=3)
    fingers(hand, "touchStart", (150, 400), (240, 400))
    for step in range(1, 7):
        fingers(hand, "touchMove", (150 - 10 * step, 400), (240 + 10 * step, 400))
    fingers(hand, "touchEnd")
    near = place(page)
    assert near["scale"] / pushed["scale"] == pytest.approx(210 / 90, rel=0.05)
    assert near["done"] == [], "neither pushing nor pinching is a touch"
    middle = [(195 - at["left"]) / at["width"] for at in (pushed, near)]
    assert middle[0] == pytest.approx(middle[1], abs=0.01), "what lies between the fingers stays there"
    page.touchscreen.tap(195, 600)
    assert len(place(page)["done"]) == 1


def test_a_press_cancels_a_sheet_that_was_about_to_open(new_page: NewPage, url: str) -> None:
    """Otherwise it opens under the finger and looks like the answer to a long press."""
    page = new_page()
    page.clock.install(time=NOON)
    page.goto(url)
    page.evaluate(MAP)
    page.clock.pause_at(NOON + timedelta(hours=1))  # from here on no time passes but what the test lets pass
    page.clock.run_for(500)
    at = place(page)
    page.mouse.move(at["left"] + 60, at["top"] + 60)
    page.clock.run_for(300)
    page.mouse.down()
    page.clock.run_for(300)
    assert page.locator(".info").is_hidden(), "opened during a short press"
    page.mouse.up()
    assert place(page)["done"] == ["west"]
    page.mouse.down()
    page.clock.run_for(600)
    assert page.locator(".info").is_visible()
