"""What the other did, on Conquest's map: warnings before, arrows while it is told, marks after it."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from browser.driving import end_turn, entry, locate, my_turn, offered, until
from browser.titles.conquest.test_board import (
    BOT,
    LINK,
    MARKED,
    at_rest,
    begin,
    guest_of,
    march,
    press_point,
    touch,
)

NewPage = Callable[..., Page]


# Whether what an arrow leads from and to is seen in the window of the map, with some room around it.
SEEN = """() => {
  const [w, arrow] = [".mapframe", ".arrow"].map((s) => document.querySelector(s)?.getBoundingClientRect());
  return !!arrow && arrow.left > w.left && arrow.right < w.right && arrow.top > w.top
    && arrow.bottom < w.bottom;
}"""


def test_the_other_marches_before_my_eyes(new_page: NewPage, staged: str) -> None:
    host = new_page(reduced_motion="no-preference")
    begin(host, staged, "open", LINK)
    guest = guest_of(host, new_page)
    my_turn(host)
    before = entry(host)
    touch(host, "button:end")
    warning = host.locator(".toast")
    expect(warning).to_contain_text("Your emperor stands in Egypt without a guard")
    assert entry(host) == before and "button:end" in offered(host), "nothing was played yet"
    warning.locator("button", has_text="End anyway").click()

    march(guest, "leader:general@palaestina", "arabia")
    arrow = host.locator(".arrow.s1[data-from=palaestina][data-to=arabia]")
    expect(arrow).to_have_count(1)
    expect(host.locator("#prompt")).to_contain_text("marches to Arabia")
    expect(host.locator(".pace")).to_be_visible()
    assert not offered(host) and host.evaluate(MARKED, "fresh") == []
    assert "takes Arabia" not in host.locator(".digest").inner_text()
    touch(guest, "button:end")
    until(lambda: not guest.locator(".bar.yours").count(), "my turn")
    if not offered(host):
        host.mouse.click(*press_point(host, "region:aegyptus"))
    until(lambda: offered(host), "my turn at a touch", 3)
    expect(host.locator(".pace")).to_be_hidden()
    assert {"arabia", "palaestina"} <= set(host.evaluate(MARKED, "fresh"))
    expect(arrow).to_have_count(1)
    expect(host.locator(".digest")).to_contain_text("takes Arabia")
    expect(host.locator(".bar .hint.news")).to_contain_text("takes Arabia")
    turns = host.locator(".log .round .turn > details > summary")
    expect(host.locator(".log .round > details > summary")).to_have_text(["Round 1"])
    expect(turns.last).not_to_contain_text("Round")  # that stands above it
    turns.last.click()
    assert host.locator(".log .turn").last.locator(".line").first.is_hidden(), "a turn folds"
    touch(host, "leader:general@syria")
    assert host.evaluate(MARKED, "fresh") == [], "until the next touch"
    expect(arrow).to_have_count(0)
    expect(host.locator(".hint.news")).to_have_count(0)


def test_the_map_goes_to_what_is_told(new_page: NewPage, staged: str) -> None:
    host = new_page(viewport={"width": 360, "height": 640}, is_mobile=True, has_touch=True)
    begin(host, staged, "open", LINK)
    guest = guest_of(host, new_page)
    my_turn(host)
    touch(host, "button:end", tap=True)
    host.locator(".toast button", has_text="End anyway").tap()
    until(lambda: offered(guest), "the guest's turn")
    host.evaluate("() => document.querySelector('.mapframe').scrollTo(0, 0)")
    march(guest, "leader:general@palaestina", "arabia")
    until(lambda: host.evaluate(SEEN), "the march in the picture", 5)


# Whether something that can be touched lies in the window of the map, and the name of the game is not cut.
LIT_IS_SEEN = """() => {
  const w = document.querySelector(".mapframe").getBoundingClientRect();
  return [...document.querySelectorAll(".mapframe [data-touch].lit")].some((el) => {
    const box = el.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    return x > w.left && x < w.right && y > w.top && y < w.bottom;
  });
}"""
CUT = """() => [document.querySelector(".status b"), document.querySelector(".status")]
  .some((el) => el.scrollWidth > el.clientWidth + 1 || el.scrollHeight > el.clientHeight + 1)"""


def test_the_map_goes_to_what_can_be_touched(new_page: NewPage, staged: str) -> None:
    host = new_page(viewport={"width": 360, "height": 640}, is_mobile=True, has_touch=True)
    begin(host, staged, "open", LINK)
    guest = guest_of(host, new_page)
    my_turn(host)
    assert host.evaluate(LIT_IS_SEEN) and not host.evaluate(CUT)
    touch(host, "button:end", tap=True)
    host.locator(".toast button", has_text="End anyway").tap()
    until(lambda: offered(guest), "the guest's turn")
    host.evaluate("() => document.querySelector('.mapframe').scrollTo(0, 0)")
    assert host.locator(".mapframe").evaluate("(el) => el.scrollWidth > el.clientWidth")
    touch(guest, "button:end")
    my_turn(host)
    until(lambda: host.evaluate(LIT_IS_SEEN), "something to touch", 5)


def test_who_only_watches_sees_what_the_last_turn_changed(new_page: NewPage, staged: str) -> None:
    host = new_page()
    begin(host, staged, "open", LINK)
    guest = guest_of(host, new_page)
    watcher = new_page()
    watcher.goto(host.url)
    expect(watcher.locator(".conquest")).to_be_visible()
    march(host, "leader:general@syria", "cilicia")
    until(lambda: "cilicia" in watcher.evaluate(MARKED, "fresh"), "the march marked", 10)
    end = locate(host, "button:end").bounding_box()
    touch(host, "button:end")
    host.locator(".toast button", has_text="End anyway").click()
    host.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2)  # where it has just been
    march(guest, "leader:general@palaestina", "arabia")
    until(lambda: "arabia" in watcher.evaluate(MARKED, "fresh"), "the other march marked", 20)
    assert "cilicia" not in watcher.evaluate(MARKED, "fresh"), "only of the last turn"

    touch(guest, "button:end")
    assert "button:end" in my_turn(host)
    host.wait_for_timeout(300)
    assert host.evaluate("() => document.querySelector('[data-touch=\"button:end\"]').matches(':hover')")
    expect(host.locator(".hint")).to_contain_text("takes Arabia")  # not what the resting pointer lies on


def test_the_bar_is_read_whole_on_a_phone_on_its_side(new_page: NewPage, staged: str) -> None:
    host = new_page(viewport={"width": 844, "height": 390}, is_mobile=True, has_touch=True)
    begin(host, staged, "open", LINK)
    guest = guest_of(host, new_page)
    my_turn(host)
    touch(host, "button:end", tap=True)
    host.locator(".toast button", has_text="End anyway").tap()
    march(guest, "leader:general@palaestina", "arabia")
    touch(guest, "button:end")
    my_turn(host)
    hint = host.locator(".bar .hint.news")
    expect(hint).to_contain_text("takes Arabia")
    for el in (hint, host.locator("#prompt")):
        box = el.bounding_box()
        assert box is not None and box["y"] + box["height"] <= 390
    assert host.locator("#prompt").evaluate("(el) => el.scrollWidth <= el.clientWidth"), "nothing is cut"


def test_a_capture_is_told_until_one_goes_on_and_the_field_of_a_battle_is_marked(
    new_page: NewPage, staged: str
) -> None:
    page = begin(new_page(), staged, "lone", BOT)
    march(page, "leader:general@syria", "palaestina")
    moment = page.locator(".moment")
    touch(page, "button:end_move")
    expect(moment).to_contain_text("captured")
    touch(page, "button:keep")
    expect(moment).to_be_hidden()

    page = begin(new_page(), staged, "battle", BOT)
    assert page.evaluate(MARKED, "battlefield") == []
    march(page, "leader:general@syria", "palaestina")
    touch(page, "button:end_move")
    expect(page.locator(".battle")).to_be_visible()
    assert page.evaluate(MARKED, "battlefield") == ["palaestina"]


def test_who_has_fallen_is_told_in_a_window_and_watches_the_last_turn_alone(
    new_page: NewPage, staged: str
) -> None:
    host = new_page()
    begin(host, staged, "fall", LINK, BOT)
    guest = guest_of(host, new_page)
    my_turn(host)
    march(host, "leader:general@thracia", "asia")
    touch(host, "button:end_move")
    window = guest.locator("dialog.out")
    expect(window.locator("h2")).to_have_text("You are out of the game")
    expect(window).to_contain_text("has fallen")
    window.locator(".primary").click()
    expect(guest.locator(".moment")).to_be_hidden()
    expect(guest.locator(".bar button[aria-label='Take back']")).to_be_disabled()
    end_turn(host)
    for province in ("moesia", "achaia"):
        my_turn(host)
        march(host, "leader:general@macedonia", province)
        expect(guest.locator(".arrow.s0[data-from=macedonia]")).to_have_count(1)
        end_turn(host)
    until(lambda: entry(guest) == entry(host), "the same moment at both")
    expect(guest.locator(".arrow.s0")).to_have_count(0)
    expect(guest.locator(".digest p").first).to_be_visible()
    guest.reload()
    expect(guest.locator(".conquest")).to_be_visible()
    expect(guest.locator("dialog.out")).to_have_count(0)


# The regions that are lit and whose middle lies outside the window of the map, and the arrows that are shown.
OUTSIDE = """() => {
  const w = document.querySelector(".mapframe").getBoundingClientRect();
  const inside = (x, y) => x > w.left && x < w.right && y > w.top && y < w.bottom;
  return [...document.querySelectorAll(".mapframe [data-touch].lit")].filter((el) => {
    const box = el.getBoundingClientRect();
    return box.width && !inside(box.left + box.width / 2, box.top + box.height / 2);
  }).map((el) => el.dataset.touch);
}"""
ARROWS = """() => [...document.querySelectorAll(".beyond:not([hidden])")].map((el) => el.classList[2])"""
# Push the map until a leader stands at the left edge of its window.
TO_THE_EDGE = """(id) => {
  const frame = document.querySelector(".mapframe").getBoundingClientRect();
  const box = document.querySelector(`[data-touch="${id}"]`).getBoundingClientRect();
  document.querySelector(".mapframe").scrollBy(box.left - frame.left - 10, 0);
}"""
SCROLLED = "() => [...['scrollLeft', 'scrollTop'].map((k) => document.querySelector('.mapframe')[k])]"


def outside(page: Page) -> list[str]:
    return [touch for touch in page.evaluate(OUTSIDE) if touch.startswith("region:")]


def test_where_a_leader_can_go_comes_into_view_or_an_arrow_leads_there(
    new_page: NewPage, staged: str
) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    begin(page, staged, "open", BOT)
    my_turn(page)
    at_rest(page)
    page.evaluate(TO_THE_EDGE, "leader:general@syria")
    at_rest(page)
    touch(page, "leader:general@syria", tap=True)
    until(lambda: page.locator(".bar .hint").inner_text(), "what is picked")
    at_rest(page)
    assert not outside(page), "all places in view"
    assert page.evaluate(ARROWS) == ["west"], "the emperor could go, too"
    page.evaluate("() => document.querySelector('.mapframe').scrollBy(-500, 0)")
    until(lambda: "east" in page.evaluate(ARROWS), "an arrow", 5)
    for _ in range(4):
        if "east" in page.evaluate(ARROWS):
            page.locator(".beyond.east").tap()
            at_rest(page)
    assert not outside(page), "all places in view again"
    assert page.locator(".board .chosen").count(), "and what was touched stays touched"


def test_a_closer_look_goes_back_to_where_one_looked(new_page: NewPage, staged: str) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    begin(page, staged, "open", BOT)
    my_turn(page)
    at_rest(page)
    before = page.evaluate(SCROLLED)
    for _ in range(2):
        page.locator(".zoomkey").tap()
        at_rest(page)
    after = page.evaluate(SCROLLED)
    assert all(abs(a - b) < 4 for a, b in zip(before, after, strict=True)), (before, after)
