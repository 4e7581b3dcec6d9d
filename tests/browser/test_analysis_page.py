"""The analysis on the replay of a finished match: asked for, touched, read and saved; also on a phone."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from browser.conftest import NewPage
from browser.driving import is_over, my_turn, offered, play_by_clicking, press, start, until
from samples import BARE, LARGE, WIDE

# For each choice that is listed: which rungs it says would have chosen it, and which the numbers say.
RUNGS = """async (path) => {
  const { botName } = await import("/js/words.js");
  const { found } = await (await import("/js/api.js")).get(path);
  const row = found.rows.find((one) => one.kind === "choice");
  const said = [...document.querySelectorAll(".analysis .now > .options > li")].map((li) =>
    [...li.querySelectorAll(".rung")].map((rung) => rung.textContent));
  const meant = row.options.map((_, k) =>
    Object.keys(row.rungs).filter((name) => row.rungs[name] === k).map(botName));
  return [said, meant, Object.keys(row.rungs).length, row.others.length];
}"""
PATIENCE = 400.0  # an analyst steps back behind everything else


def finished(page: Page, url: str) -> None:
    """Both sides of the smallest game, with its result on the screen."""
    start(page, url, title=BARE, how="screen")
    my_turn(page)
    for place in ("a-1", "b-1", "a-2", "b-2", "a-3"):
        until(lambda: f"board:{place}" in offered(page), place)  # noqa: B023
        press(page, f"board:{place}")
    until(lambda: is_over(page), "the result")
    page.locator("dialog[open] .places").wait_for()


def analysed(page: Page) -> None:
    """Ask for the analysis with one touch and wait for what decided, which opens by itself; close that."""
    page.locator("dialog[open] .analyse").click()
    page.locator(".analysis progress, .analysis .curve").first.wait_for()
    until(lambda: page.locator("dialog.analysed[open]").count(), "what decided", PATIENCE)
    page.locator("dialog.analysed header button").click()


def nothing_made(page: Page) -> None:
    """As if somebody had stopped the analysis: one that is made would come in between."""
    page.route("**/analysis?**", lambda route: route.fulfill(json={"state": "stopped"}))


@pytest.mark.parametrize("size", [(1280, 800), (360, 640)], ids=["wide", "phone"])
def test_a_finished_match_is_analysed_touched_and_saved(
    new_page: NewPage, url: str, size: tuple[int, int], tmp_path: Path
) -> None:
    page = new_page(viewport={"width": size[0], "height": size[1]}, accept_downloads=True)
    finished(page, url)
    analysed(page)
    assert page.locator(".analysis .curve polyline").count() == 2
    lines = page.locator(".analysis .options li")
    until(lambda: lines.count() > 1, "the alternatives of the first decision")
    assert page.locator(".analysis .options .played").count() == 1
    assert page.locator(".board .was-best").count() >= 1, "where the best one is touched"
    match_id = page.url.split("/m/")[1].split("?")[0]
    said, meant, rungs, others = page.evaluate(RUNGS, f"/api/matches/{match_id}/analysis?lang=en")
    assert said == meant and sum(map(len, said)) == rungs > 1, "whose choice each one is"
    more = page.locator(".analysis details.unchosen")
    assert others > 0 and not more.locator("li").first.is_visible(), "the others are not in the way"
    plain = "el => [el, el.firstChild].map((x) => getComputedStyle(x).backgroundColor)"
    assert set(more.evaluate(plain)) == {"rgba(0, 0, 0, 0)"}, "it looks like nothing else on the page"
    more.locator("summary").click()
    assert more.locator("li").count() == others and more.locator("li").first.is_visible()
    legal = page.evaluate("document.querySelectorAll('.analysis .options b').length")
    assert legal == len(said) + others, "each choice has its chance"
    more.locator("summary").click()
    page.locator(".analysis .curve").scroll_into_view_if_needed()  # a phone has scrolled to the choices
    box: Any = page.locator(".analysis .curve").bounding_box()
    before = page.locator(".replay .count").inner_text()
    page.mouse.click(box["x"] + 0.6 * box["width"], box["y"] + box["height"] / 2)
    until(lambda: page.locator(".replay .count").inner_text() != before, "another moment")
    assert "at=" in page.url
    wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, "nothing sticks out"
    board: Any = page.locator(".board").bounding_box()
    assert board["height"] > 120, "the board is still there"
    if size[0] < 600:
        page.locator(".analysis .curve").scroll_into_view_if_needed()
        drawn: Any = page.locator(".analysis .curve").bounding_box()
        assert drawn["height"] >= 96, "a curve that can be read"
    page.locator(".analysis .more").click()
    sheet = page.locator("dialog.analysed[open]")
    assert sheet.locator(".rough").count() == 1
    assert sheet.locator(".decided li").count() >= 1
    order = (
        "(el) => [...el.querySelectorAll('.headline, .decided, table.rungs, .sums')].map((x) => x.className)"
    )
    found = sheet.evaluate(order)
    assert (found[0], found[1], found[-1]) == ("headline", "decided", "sums"), "what is wanted comes first"
    fold = sheet.locator(".sums p").first
    assert not fold.is_visible(), "sums are for who wants them"
    sheet.locator(".sums summary").focus()
    page.keyboard.press("Enter")
    until(fold.is_visible, "the sums, by the keyboard")
    page.keyboard.press("Enter")
    until(lambda: not fold.is_visible(), "the fold again")
    assert "(bot)" not in sheet.inner_text(), "bots are called as at the table"
    with page.expect_download() as saved:
        sheet.locator("a[download]").click()
    kept = json.loads(saved.value.path().read_text(encoding="utf-8"))
    assert kept["title"] == BARE and len(kept["names"]) == 2
    marks = page.locator(".analysis .marks span").all_inner_texts()
    with page.expect_download() as drawn:
        sheet.locator(".actions button").first.click()
    picture = drawn.value.path().read_text(encoding="utf-8")
    assert picture.count("<polyline") == 2
    kinds = {str(kind) for kind in marks if kind}
    assert kinds and all(f">{kind}</text>" in picture for kind in kinds), "marks are named"
    page.emulate_media(media="print")
    assert not page.locator(".matchpage").is_visible()
    assert sheet.locator(".decided").first.is_visible()
    assert sheet.locator(".onpaper polyline").count() == 2, "the curve is printed"
    until(fold.is_visible, "the sums, on paper")
    hidden = "el => [getComputedStyle(el).overflowY, el.scrollHeight - el.clientHeight]"
    assert sheet.evaluate(hidden) == ["visible", 0], "what is longer than the screen is printed too"
    page.emulate_media(media="screen")
    assert not sheet.locator(".onpaper").is_visible(), "on the screen it stands above"
    until(lambda: not fold.is_visible(), "folded as it was")
    sheet.locator(".decided button").first.click()
    assert page.locator("dialog[open]").count() == 0, "it leads to the moment"


def test_my_play_shows_a_curve_and_what_a_decision_costs_after_analyses(new_page: NewPage, url: str) -> None:
    page = new_page()
    for _ in range(2):  # a line needs two
        finished(page, url)
        analysed(page)
    mine = page.evaluate("async () => (await import('/js/api.js')).get('/api/me/play?lang=en')")
    (one,) = mine["titles"]
    errors = [match["error"] for match in one["matches"]]
    assert len(errors) == 4, "both sides of each are mine"
    page.goto(f"{url}/mine")
    page.locator("main.exploring svg.error").wait_for()
    for kind in ("error", "luck"):
        line = page.locator(f"main.exploring svg.{kind} polyline")
        assert len((line.get_attribute("points") or "").split()) == 4, "a point for each match"
    mean = page.evaluate("(x) => String(Math.round(x * 100) / 100)", sum(errors) / 4)
    said = page.locator("main.exploring section > p").first.inner_text()
    assert said.startswith("4 matches") and f"{mean} points" in said
    assert "luck -" not in said, "a minus is one"
    one_match = "async () => (await import('/js/words.js')).t('myplay.sum', { n: 1, error: 2, luck: 3 })"
    assert page.evaluate(one_match).startswith("1 match: ")
    one["strengths"] = ["You played like 400 on the ladder, about as strong as tiro."]
    page.route("**/api/me/play?**", lambda route: route.fulfill(json={"titles": [one]}))
    page.reload()
    recruit = page.locator("main.exploring p.strength").inner_text()
    assert recruit.endswith("about as strong as Recruit."), "a rung is called as at the table"
    assert page.locator("main.exploring h3").count() >= 1, "where one loses most"


def test_who_has_played_one_seat_is_spoken_to(new_page: NewPage, url: str) -> None:
    page = new_page(viewport={"width": 390, "height": 844})
    start(page, url, title=BARE)
    press(page, my_turn(page)[0])
    until(lambda: my_turn(page), "my turn again")
    match_id = page.url.split("/m/")[1].split("?")[0]
    page.evaluate(
        """async (path) => {
          const { get, post } = await import("/js/api.js");
          const [seat] = (await get(path)).yours;
          await post(`${path}/commands`, { do: "resign", seat, client: "test" });
        }""",
        f"/api/matches/{match_id}",
    )
    page.locator("dialog[open] .analyse").wait_for()
    analysed(page)
    me, other = page.evaluate(
        """async (id) => {
          const { table } = (await (await import("/js/api.js")).get(`/api/matches/${id}`));
          return [table.seats[0].name, table.seats[1].name];
        }""",
        match_id,
    )
    page.locator(".analysis .more").click()
    sheet = page.locator("dialog.analysed[open]")
    said = sheet.locator(".headline").inner_text()
    assert said.startswith("You lost: your decisions cost you ") and "giving up cost" in said
    assert me not in sheet.inner_text() and other not in sheet.inner_text()
    sheet.locator(".sums summary").click()
    assert "those of the other side" in sheet.locator(".sums").inner_text()
    assert "ladder" not in sheet.inner_text(), "two decisions are of no strength, and a bot's is known"


def test_leaving_the_past_takes_the_marks_along(new_page: NewPage, url: str) -> None:
    page = new_page()
    nothing_made(page)
    finished(page, url)
    page.locator("dialog[open] .analyse").click()
    page.locator(".analysis").wait_for()
    page.locator(".replay .primary").click()
    assert not page.locator(".analysis").is_visible()
    assert page.locator(".was-best").count() == 0


def test_an_arrow_stays_with_what_it_points_at_when_the_board_changes_its_size(
    new_page: NewPage, url: str
) -> None:
    """What is said of a moment takes room away from the board after the arrow was drawn."""
    page = new_page(viewport={"width": 1280, "height": 800})
    nothing_made(page)
    finished(page, url)
    page.locator("dialog[open] .analyse").click()
    page.locator(".analysis").wait_for()
    page.evaluate("""async () => {
      const { drawArrows } = await import("/js/match/arrows.js");
      drawArrows(document.querySelector(".board"), { best: [["board:a-1", "board:c-3"]], played: [] });
    }""")
    off = """() => {
      const arrow = document.querySelector(".arrow.best");
      const end = arrow.getPointAtLength(arrow.getTotalLength()).matrixTransform(arrow.getScreenCTM());
      const box = document.querySelector('[data-touch="board:c-3"]').getBoundingClientRect();
      return Math.hypot(end.x - box.x - box.width / 2, end.y - box.y - box.height / 2);
    }"""
    until(lambda: page.evaluate(off) < 3, "the arrow")
    page.set_viewport_size({"width": 900, "height": 420})
    until(lambda: page.evaluate(off) < 3, "the arrow where it belongs")


def test_on_a_phone_on_its_side_the_board_keeps_its_height(new_page: NewPage, url: str) -> None:
    """What is said of a moment lies beside the board there, not on it."""
    page = new_page(viewport={"width": 844, "height": 390})
    nothing_made(page)
    finished(page, url)
    page.locator("dialog[open] .analyse").click()
    page.locator(".analysis").wait_for()
    board, said = page.locator(".board").bounding_box(), page.locator(".analysis").bounding_box()
    assert board and said and board["height"] > 220, board
    assert said["x"] >= board["x"] + board["width"] - 1 and said["x"] + said["width"] <= 845


def test_an_analysis_goes_on_by_itself_when_the_line_is_back(new_page: NewPage, url: str) -> None:
    page = new_page(allow=("503",))
    finished(page, url)
    page.route("**/analysis?**", lambda route: route.fulfill(status=503, json={}))
    page.locator("dialog[open] .analyse").click()
    page.locator(".analysis .body p").wait_for()
    assert page.locator(".analysis progress").count() == 0, "nobody answers"
    page.unroute("**/analysis?**")
    until(lambda: page.locator("dialog.analysed[open]").count(), "what decided, without a touch", PATIENCE)


@pytest.mark.parametrize("size", [(390, 844), (844, 390)], ids=["upright", "on its side"])
def test_the_hand_is_there_beside_the_analysis_on_phones(
    new_page: NewPage, url: str, size: tuple[int, int], tmp_path: Path
) -> None:
    """Decisions on what one holds cannot be understood without it.  One person who plays all sides needs no
    curtain before it."""
    page = new_page(viewport={"width": size[0], "height": size[1]})
    page.goto(f"{url}/nowhere")
    page.locator(".nothing").wait_for()
    page.evaluate(
        """async (title) => {
          const { startMatch } = await import("/js/start.js");
          await startMatch(title, [{ kind: "me" }, { kind: "screen" }], {});
        }""",
        LARGE,
    )
    page.wait_for_url("**/m/*")
    my_turn(page)
    assert page.locator(".curtain").count() == 0
    nothing_made(page)
    play_by_clicking(page, random.Random(3), touches=30)
    command = """async () => {
      const { post } = await import("/js/api.js");
      const id = location.pathname.split("/")[2];
      await post(`/api/matches/${id}/commands`, { do: "resign", seat: 0, client: "test" });
    }"""
    page.evaluate(command)
    page.locator("dialog[open] .analyse").click()
    page.locator(".analysis .body p").wait_for()
    forward = page.locator('.replay [aria-label="One step forward"]')
    for _ in range(30):
        if page.locator(".board .hand .held").count():
            break
        forward.click()
    page.screenshot(path=str(tmp_path / "hand.png"))
    held = page.locator(".board .hand")
    held.scroll_into_view_if_needed()
    assert held.is_visible() and held.locator(".held").first.is_visible()


def one_decision(way: list[str]) -> dict[str, Any]:
    """A made analysis of one decision whose best choice leads along a way on the board."""
    row = {"kind": "choice", "seat": 0, "entry": 1, "until": 1, "cost": 0, "class": "best", "played": 0}
    row |= {"before": [500_000] * 2, "after": [500_000] * 2, "brought": [0, 0], "unseen": [0, 0]}
    row |= {"options": [{"plan": [0], "chance": 500_000}], "others": [], "rungs": {}}
    told = {"headline": "", "rough": "", "judged": "", "note": "", "strengths": [], "sums": [], "dice": []}
    step = {"class": "best", "plans": [["there"]], "others": [], "ways": [[way]]}
    nothing: dict[str, list[Any]] = {"choices": [], "throws": []}
    found = {"rows": [row], "seats": [{"decisions": 1, "rungs": {}}] * 2, "decisive": nothing}
    return {"state": "done", "found": found, "told": {**told, "decisive": nothing, "steps": [step]}}


@pytest.mark.parametrize("size", [(390, 844), (1440, 900)], ids=["phone", "wide"])
def test_the_map_is_brought_to_the_arrow(new_page: NewPage, url: str, size: tuple[int, int]) -> None:
    page = new_page(viewport={"width": size[0], "height": size[1]})
    start(page, url, title=WIDE)
    page.locator(".mapwindow").wait_for()
    ends = page.evaluate(
        """() => {
          const at = [...document.querySelectorAll('.mapsheet [data-touch^="region:"]')]
            .map((el) => [el.getBoundingClientRect(), el.dataset.touch]);
          at.sort(([a], [b]) => a.right + a.bottom - b.right - b.bottom);
          return [at[0][1], at.at(-1)[1]]; // from one corner of the map to the other
        }"""
    )
    page.route("**/analysis?**", lambda route: route.fulfill(json=one_decision(ends)))
    page.evaluate(
        """async () => {
          const { post } = await import("/js/api.js");
          const id = location.pathname.split("/")[2];
          await post(`/api/matches/${id}/commands`, { do: "resign", seat: 0, client: "test" });
        }"""
    )
    page.locator("dialog[open] .analyse").click()
    page.locator(".analysis .options li").first.wait_for(state="attached")
    if page.locator("dialog.analysed[open]").count():
        page.locator("dialog.analysed header button").click()
    outside = """(ends) => {
      const seen = document.querySelector(".mapwindow").getBoundingClientRect();
      return ends.filter((id) => {
        const box = document.querySelector(`[data-touch="${id}"]`).getBoundingClientRect();
        const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
        return x < seen.left || x > seen.right || y < seen.top || y > seen.bottom;
      });
    }"""
    until(lambda: not page.evaluate(outside, ends), "both ends of the arrow")
