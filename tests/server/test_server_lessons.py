"""Lessons over HTTP: played step by step, nothing stored, nothing believed."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from conftest import all_titles
from ludus.lessons.lesson import read_lesson
from ludus.lessons.playing import begin, gesture_for
from ludus.server import logs, routes_lessons
from ludus.server.testing import Client, ServerProcess
from samples import LARGE, SMALL


async def ask(client: Client, name: str, path: str, body: dict[str, Any], lang: str = "en") -> Any:
    return await client.http.post(f"/api/titles/{name}/lesson{path}?lang={lang}", json=body)


def first_deed(name: str) -> tuple[int, list[str]]:
    """The first step of a lesson at which something is done, and what is right there."""
    lesson = read_lesson(next(title for title in all_titles() if title.name == name))
    playing = begin(lesson, 0, "en")
    while playing.now.is_read:
        playing.read()
    return playing.step, gesture_for(playing, playing.now.plays[0])[1]


def test_a_lesson_is_played_right_and_wrong(server: ServerProcess) -> None:
    async def work() -> None:
        anybody = Client(server.url)
        titles = (await anybody.http.get("/api/titles")).json()["titles"]
        assert all(title["lesson"] for title in titles.values())
        step, right = first_deed(LARGE)
        at = {"part": 0, "step": step, "actions": [], "name": "Ada"}
        begun = (await ask(anybody, LARGE, "", at)).json()
        assert begun["ok"] and begun["step"] == step and begun["text"]
        assert begun["table"]["seats"][begun["eye"]]["name"] == "Ada"
        assert {tuple(row.get("actions", [row["action"]])) for row in begun["gestures"]} == {tuple(right)}
        wrong = (await ask(anybody, LARGE, "", {**at, "play": ["end"]}, "de")).json()
        assert not wrong["ok"]
        own = read_lesson(next(t for t in all_titles() if t.name == LARGE))
        assert wrong["reason"] in own.words.written("de").values()
        done = (await ask(anybody, LARGE, "", {**at, "play": right})).json()
        assert done["ok"] and done["step"] == step + 1 and done["actions"] == right
        assert done["entries"] and done["entries"][0]["log"]
        back = {**at, "step": done["step"], "actions": done["actions"]}
        assert (await ask(anybody, LARGE, "", back)).json()["view"] == done["view"]

    asyncio.run(work())


def test_what_was_touched_is_answered_with_a_rule_or_with_the_lesson(server: ServerProcess) -> None:
    async def work() -> None:
        anybody = Client(server.url)
        step, right = first_deed(SMALL)
        at = {"part": 0, "step": step, "actions": []}
        why = (await ask(anybody, SMALL, "/ask", {"at": at, "touches": ["nothing:here"]}, "fr")).json()
        assert why["because"] and not why["rule"] and why["no_reason"] == "step"
        after = (await ask(anybody, SMALL, "/ask", {"at": at, "what_if": right})).json()
        assert after["played"] == len(right)

    asyncio.run(work())


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"part": 0, "step": 0, "actions": ["fly"]}, 409),
        ({"part": 40, "step": 0}, 409),
        ({"part": 0, "step": 90}, 409),
        ({"part": 0, "step": 1, "read": True}, 409),
        ({"part": 51}, 422),
        ({"part": -1}, 422),
        ({"step": 101}, 422),
        ({"actions": ["x"] * 101}, 422),
        ({"actions": ["x" * 201]}, 422),
        ({"name": "x" * 41}, 422),
        ({"play": ["x"] * 21}, 422),
        ({"position": {}}, 422),
    ],
)
def test_what_does_not_fit_is_refused_with_a_sentence(
    server: ServerProcess, body: dict[str, Any], status: int
) -> None:
    async def work() -> None:
        answer = await ask(Client(server.url), LARGE, "", body)
        assert answer.status_code == status, answer.text
        assert answer.json()["reason"]

    asyncio.run(work())


def test_a_title_that_is_none_has_no_lesson(server: ServerProcess) -> None:
    async def work() -> None:
        assert (await ask(Client(server.url), "nothing", "", {})).status_code == 404

    asyncio.run(work())


def test_a_lesson_that_does_not_fit_is_left_out_with_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[dict[str, Any]] = []
    monkeypatch.setattr(logs, "line", lambda event, **facts: said.append({"event": event, **facts}))
    monkeypatch.setattr(routes_lessons, "fitting_lesson", lambda title: (None, ["step x: not legal", "more"]))
    routes_lessons.lesson_of.cache_clear()
    try:
        assert routes_lessons.lesson_of(SMALL) is None
        assert routes_lessons.lesson_of(SMALL) is None
    finally:
        routes_lessons.lesson_of.cache_clear()
    assert [(line["event"], line["title"], line["problem"]) for line in said] == [
        ("lesson", SMALL, "step x: not legal")
    ]
