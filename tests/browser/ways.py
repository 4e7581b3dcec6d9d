"""Arrows of an analysis on the board: a staged match of which a test says itself what is compared."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page

from browser.driving import start_scene, until
from ludus.analysis.telling import tell
from ludus.match.file import read_match
from whole_turns import compared

ASK = """async ([path, body]) => {
  const token = (await import("/js/api.js"));
  return body ? await token.post(path, body) : await token.get(path);
}"""

# By how many pixels the ends of an arrow miss the middles of two things on the board.
MISSED = """([kind, way, from, to]) => {
  const arrow = document.querySelector(`.board > .arrows > .arrow.${kind}[data-way="${way}"]`);
  if (!arrow) return Infinity;
  const off = (at, id) => {
    const point = arrow.getPointAtLength(at).matrixTransform(arrow.getScreenCTM());
    const box = document.querySelector(`.board [data-touch="${id}"]`).getBoundingClientRect();
    return Math.hypot(point.x - box.x - box.width / 2, point.y - box.y - box.height / 2);
  };
  return Math.max(off(0, from), off(arrow.getTotalLength(), to));
}"""


def compare_turns(
    page: Page, url: str, title: Any, scene: str, played: list[str], best: list[list[str]]
) -> None:
    """Play a turn, give up, and look at it beside others, the best one first; as an analysis shows it."""
    start_scene(page, url, title.name, scene, [{"kind": "me"}, {"kind": "screen"}])
    page.locator(".board [data-touch]").first.wait_for()
    match_id = page.url.split("/m/")[1].split("?")[0]
    place = f"/api/matches/{match_id}"
    for text in [*played, ""]:
        state = page.evaluate(ASK, [place, None])
        wish = (
            {"do": "play", "actions": [text], "expect": state["table"]["entries"]}
            if text
            else {"do": "resign"}
        )
        page.evaluate(
            ASK, [f"{place}/commands", {**wish, "seat": 0, "client": f"test{state['table']['entries']}"}]
        )
    file = page.evaluate(f"fetch('{place}/file').then((answer) => answer.text())")
    match = read_match(file, lambda name: title).match
    assert match is not None and match.over
    found = compared(match, match.standing[0], 0, [*best, played])
    told = {"state": "done", "found": found, "told": tell(found, match, "en")}
    page.route("**/analysis?**", lambda route: route.fulfill(json=json.loads(json.dumps(told))))
    page.locator("dialog[open] .analyse").click()
    until(lambda: page.locator(".board > .arrows > .arrow").count() > 1, "the arrows")


def missed(page: Page, kind: str, way: list[str], ends: tuple[str, str] | None = None) -> float:
    """How far the arrow of a way lies beside its ends: what is touched first and last, or else `ends`."""
    first, last = ends or (way[0], way[-1])
    return float(page.evaluate(MISSED, [kind, " ".join(way), first, last]))
