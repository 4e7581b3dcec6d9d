"""Puzzles over HTTP: solved, missed and shown; rated once; kept with the account; nothing believed."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

import ludus
from ludus.core.errors import FormatError, LudusError
from ludus.lab import puzzles as lab
from ludus.puzzles import given as elsewhere
from ludus.puzzles.puzzle import Puzzle, fitting_puzzles
from ludus.server import logs, routes_puzzles
from ludus.server.testing import Client, ServerProcess
from samples import LARGE, PLANNED

STRENGTH = {"rating": 1200.0, "deviation": 350.0, "volatility": 0.06}


def puzzles() -> list[Puzzle]:
    return fitting_puzzles(ludus.title(LARGE))[0]


def worst_of(puzzle: Puzzle) -> str:
    chances = puzzle.asked[0].chances
    return min(chances, key=lambda choice: chances[choice])


async def ask(client: Client, body: dict[str, Any], path: str = "", lang: str = "en") -> Any:
    return await client.http.post(f"/api/titles/{LARGE}/puzzle{path}?lang={lang}", json=body)


def test_a_puzzle_is_solved_missed_and_shown(server: ServerProcess) -> None:
    puzzle = next(one for one in puzzles() if len(one.asked) == 1)

    async def work() -> None:
        guest = await Client.guest(server.url)
        listed = (await guest.http.get(f"/api/titles/{LARGE}/puzzles")).json()
        assert {row["name"] for row in listed["puzzles"]} == {one.name for one in puzzles()}
        assert listed["day"] in {one.name for one in puzzles()}
        at = {"puzzle": puzzle.name, "strength": STRENGTH}
        begun = (await ask(guest, at)).json()
        assert begun["verdict"] == "" and len(begun["legal"]) == len(puzzle.asked[0].chances)
        assert "chances" not in str(begun) and "rated" not in begun
        right = (await ask(guest, {**at, "play": [puzzle.asked[0].best]})).json()
        assert right["solved"] and right["rated"]["rating"] > right["rated"]["before"] == 1200.0
        wrong = (await ask(guest, {**at, "play": [worst_of(puzzle)]}, lang="fr")).json()
        assert wrong["verdict"] == "wrong" and wrong["rated"]["rating"] < 1200.0
        shown = (await ask(guest, {**at, "show": True})).json()
        assert shown["verdict"] == "shown" and not shown["solved"] and shown["rated"]["rating"] < 1200.0
        again = (await ask(guest, {"puzzle": puzzle.name, "play": [worst_of(puzzle)]})).json()
        assert again["rated"] is None  # no first try
        why = (await ask(guest, {"at": at, "touches": ["nothing:here"]}, "/ask")).json()
        assert why["rule"] or why["because"]

    asyncio.run(work())


def test_who_would_end_the_turn_is_warned_as_at_a_table(server: ServerProcess) -> None:
    """Nothing is answered by it, and a puzzle in which nothing stands open warns of nothing."""

    async def work() -> set[bool]:
        guest = await Client.guest(server.url)
        said = set()
        for puzzle in [one for one in puzzles() if "end" in one.asked[0].chances][:12]:
            answer = await ask(guest, {"at": {"puzzle": puzzle.name}, "warning": True}, "/ask")
            said.add("left to use" in answer.json()["warning"])
        return said

    assert True in asyncio.run(work())


def test_an_account_is_rated_once_and_keeps_it(server: ServerProcess) -> None:
    puzzle = puzzles()[0]

    async def work() -> None:
        anna = await Client.guest(server.url)
        guest = (await ask(anna, {"puzzle": puzzles()[1].name, "show": True, "strength": STRENGTH})).json()
        made = await anna.http.post("/api/account", json={"name": "Annalena", "password": "seven grey geese"})
        assert made.status_code == 200, made.text
        anna = Client(server.url, made.json().get("token")) if made.json().get("token") else anna
        # What the browser kept of the guest goes to the account, as the page sends it.
        kept = {LARGE: {"n": 1, "at": 1000, **{k: guest["rated"][k] for k in STRENGTH}}}
        kept[f"{LARGE}/{puzzles()[1].name}"] = {"n": 1, "at": 1000}
        assert (await anna.http.post("/api/me/progress/puzzles", json={"data": kept})).status_code == 200
        body = {"puzzle": puzzle.name, "play": [worst_of(puzzle)]}
        first = (await ask(anna, body)).json()
        assert first["rated"]["before"] == pytest.approx(guest["rated"]["rating"])
        assert (await ask(anna, body)).json()["rated"] is None
        copied = (await ask(anna, {**body, "play": [a.best for a in puzzle.asked]})).json()
        assert copied["solved"] and copied["rated"] is None  # practised: the solution was told
        known = (await anna.http.get("/api/me/progress/puzzles")).json()["data"]
        assert known[LARGE]["n"] == 2 and known[f"{LARGE}/{puzzle.name}"]["n"] == 1
        assert known[LARGE].items() <= first["rated"].items()  # as it is kept: nobody counts on from it
        listed = (await anna.http.get(f"/api/titles/{LARGE}/puzzles")).json()["puzzles"]
        assert next(row for row in listed if row["name"] == puzzle.name)["rating"] > puzzle.rating

    asyncio.run(work())


def test_what_is_made_up_is_refused(server: ServerProcess) -> None:
    puzzle = puzzles()[0]

    async def work() -> None:
        guest = await Client.guest(server.url)
        cases: list[tuple[dict[str, Any], int]] = [
            ({"puzzle": "nobody-made-it"}, 404),
            ({"puzzle": "../../etc"}, 422),
            ({"puzzle": puzzle.name, "play": ["fly to the moon"]}, 409),
            ({"puzzle": puzzle.name, "actions": ["fly to the moon"]}, 409),
            ({"puzzle": puzzle.name, "actions": [worst_of(puzzle)], "play": [worst_of(puzzle)]}, 409),
            ({"puzzle": puzzle.name, "actions": ["end"] * 41}, 422),
            ({"puzzle": puzzle.name, "strength": {**STRENGTH, "rating": 1e9}}, 422),
            ({"puzzle": puzzle.name, "cheat": True}, 422),
        ]
        for body, status in cases:
            answer = await ask(guest, body)
            assert answer.status_code == status, (body, answer.text)
            assert answer.json()["reason"]

    asyncio.run(work())


def test_a_puzzle_that_does_not_fit_is_left_out_with_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[tuple[str, Any]] = []
    monkeypatch.setattr(logs, "line", lambda event, **facts: lines.append((event, facts["problem"])))
    monkeypatch.setattr(routes_puzzles, "fitting_puzzles", lambda title: ([], ["puzzle x: not legal"]))
    routes_puzzles.puzzles_of.cache_clear()
    try:
        assert routes_puzzles.puzzles_of(LARGE) == {} == routes_puzzles.puzzles_of(LARGE)
    finally:
        routes_puzzles.puzzles_of.cache_clear()
    assert lines == [("puzzle", "puzzle x: not legal")]


def file_of(*found: Puzzle) -> str:
    """A file of some of the shipped puzzles."""
    setting = lab.PuzzleSetting(LARGE, 2)
    rows = [
        {
            "name": one.name, "rating": one.rating, "found": dict(one.found),
            "position": dict(one.scene.position), "step": [dict(step) for step in one.scene.steps],
        }
        for one in found
    ]  # fmt: skip
    return lab.write_file(setting, rows, "a test")


async def open_file(client: Client, text: str) -> Any:
    return await client.http.post("/api/puzzles/file", json={"text": text})


def test_a_file_from_elsewhere_is_played_and_nothing_of_it_is_rated(server: ServerProcess) -> None:
    one, other = [puzzle for puzzle in puzzles() if len(puzzle.asked) == 1][:2]
    broken = file_of(one, other).replace(f'name = "{other.name}"', 'name = "mine"\nsource = "x"')

    async def work() -> None:
        guest = await Client.guest(server.url)
        opened = (await open_file(guest, file_of(one, other))).json()
        assert opened["title"] == LARGE and opened["wrong"] == []
        assert [row["name"] for row in opened["puzzles"]] == [
            puzzle.name for puzzle in sorted((one, other), key=lambda p: (p.rating, p.name))
        ]
        row = next(row for row in opened["puzzles"] if row["name"] == one.name)
        at = {"puzzle": row["name"], "given": row["given"], "strength": STRENGTH}
        begun = (await ask(guest, at)).json()
        assert begun["verdict"] == "" and len(begun["legal"]) == len(one.asked[0].chances)
        right = (await ask(guest, {**at, "play": [one.asked[0].best]})).json()
        assert right["solved"] and "rated" not in right
        why = (await ask(guest, {"at": at, "touches": ["nothing:here"]}, "/ask")).json()
        assert why["rule"] or why["because"]
        left = (await open_file(guest, broken)).json()
        assert [row["name"] for row in left["puzzles"]] == [one.name]
        assert len(left["wrong"]) == 1 and left["wrong"][0].startswith("mine: ")

    asyncio.run(work())


def test_a_file_that_is_none_is_refused_with_a_sentence(server: ServerProcess) -> None:
    good = file_of(next(puzzle for puzzle in puzzles() if len(puzzle.asked) == 1))
    cases = [
        ("[[[", 422), ("x = 1", 422), (f'title = "{LARGE}"', 422), ("", 422),
        (good.replace(f'title = "{LARGE}"', 'title = "chess"'), 404),
        ("a = " + "[" * 20_000, 422), (f"# {'x' * 60_001}", 422),
    ]  # fmt: skip

    async def work() -> None:
        guest = await Client.guest(server.url)
        for text, status in cases:
            answer = await open_file(guest, text)
            assert answer.status_code == status, (text[:40], answer.text)
            assert answer.json()["reason"]

    asyncio.run(work())


@pytest.mark.parametrize(
    "change",
    [
        lambda row: row["step"][0]["chances"].update({"fly": 50.0}),
        lambda row: row["step"][0]["chances"].update({row["step"][0]["best"]: 1e300}),
        lambda row: row["step"][0].update({"view": {"0": {"x": 1}}}),
        lambda row: row["position"].update({"stock": -9}),
        lambda row: row["position"].update({"nonsense": 1}),
        lambda row: row.update({"free": True}),
        lambda row: row.update({"name": "../../etc"}),
        lambda row: row.update({"step": []}),
        lambda row: row.update({"step": "x"}),
        lambda row: row.update({"position": []}),
        lambda row: row.update({"seats": 7}),
        lambda row: row.update({"options": {"cheat": "on"}}),
    ],
)
def test_a_puzzle_that_was_changed_on_the_way_is_refused(change: Any) -> None:
    [(puzzle, text)] = elsewhere.read_file(file_of(puzzles()[0]), ludus.title).puzzles
    assert elsewhere.read_one(text, puzzle.title).asked == puzzle.asked
    row = json.loads(text)
    change(row)
    with pytest.raises(LudusError):
        elsewhere.read_one(json.dumps(row), puzzle.title)
    for nonsense in ("", "[]", "7", '"x"', "[" * 9000, " " * 12_001):
        with pytest.raises(FormatError):
            elsewhere.read_one(nonsense, puzzle.title)


def test_a_puzzle_that_is_taken_along_tells_what_the_server_would(server: ServerProcess) -> None:
    """Every choice at every step, the solution, and what stands open: the same answers, beforehand."""

    async def work() -> None:
        me = await Client.guest(server.url)
        for name in (LARGE, PLANNED):
            found = fitting_puzzles(ludus.title(name))[0]
            puzzle = max(found[:40], key=lambda one: len(one.asked))
            place = f"/api/titles/{name}/puzzle"
            for lang in ("en", "de"):
                told = await me.get(f"{place}s/{puzzle.name}?lang={lang}")
                assert told["puzzle"] == puzzle.name and len(told["steps"]) == len(puzzle.asked)
                before: list[str] = []
                for step, asked in zip(told["steps"], puzzle.asked, strict=True):
                    at = {"puzzle": puzzle.name, "actions": before}
                    assert step["at"] == await me.post(f"{place}?lang={lang}", at)
                    assert set(step["choices"]) == set(asked.chances)
                    for choice, answer in step["choices"].items():
                        now = await me.post(f"{place}?lang={lang}", at | {"play": [choice]})
                        assert now.pop("rated", None) is None and answer == now
                    shown = await me.post(f"{place}?lang={lang}", at | {"show": True})
                    assert shown.pop("rated") is None and step["shown"] == shown
                    asks = await me.post(f"{place}/ask?lang={lang}", {"at": at, "warning": True})
                    assert step["warning"] == asks["warning"]
                    before.append(asked.best)

    asyncio.run(work())


def test_puzzles_of_the_coming_days_are_told_and_no_puzzle_is_none(server: ServerProcess) -> None:
    async def work() -> None:
        me = await Client.guest(server.url)
        listed = await me.get(f"/api/titles/{LARGE}/puzzles")
        assert len(listed["days"]) == 7 and listed["days"][listed["date"]] == listed["day"]
        assert set(listed["days"].values()) <= {one["name"] for one in listed["puzzles"]}
        for path in (f"{LARGE}/puzzles/nobody-made-it", "nonsense/puzzles/x"):
            assert (await me.request("GET", f"/api/titles/{path}")).status_code == 404
        assert (await me.request("GET", f"/api/titles/{LARGE}/puzzles/{'x' * 41}")).status_code == 422

    asyncio.run(work())


def test_the_files_of_the_client_are_named_and_there(server: ServerProcess) -> None:
    async def work() -> None:
        me = await Client.guest(server.url)
        files = (await me.get("/api/puzzles/client"))["files"]
        assert "/js/pages/puzzle.js" in files and f"/titles/{LARGE}/table.js" in files
        assert not any("sw.js" in path or path.endswith(".py") for path in files)
        for path in files:
            assert (await me.request("GET", path)).status_code == 200, path

    asyncio.run(work())
