"""How far somebody has come: with the account, merged and never lost, bounded, and gone with the person."""

from __future__ import annotations

import asyncio
from itertools import permutations
from typing import Any

from ludus.server.testing import Client, ServerProcess
from ludus.store.progress import MAX_CHARS, Document, merged
from samples import BARE, LARGE

PLACE = "/api/me/progress/lesson"
FAR: Document = {LARGE: {"n": 12, "at": 5, "step": 12}}
NEAR: Document = {LARGE: {"n": 2, "at": 9, "step": 2}, BARE: {"n": 1, "at": 1}}
OTHER: Document = {BARE: {"n": 0, "at": 3, "x": "y"}}


def test_whoever_is_heard_first_nothing_is_lost() -> None:
    wanted: Document = {LARGE: {"n": 12, "at": 9, "step": 2}, BARE: {"n": 1, "at": 3, "x": "y"}}
    documents: tuple[Document, ...] = (FAR, NEAR, OTHER)
    for one, two, three in permutations(documents):
        assert merged(merged(one, two), three) == wanted
    assert merged(wanted, wanted) == wanted


def test_a_guest_who_becomes_an_account_brings_it_along(server: ServerProcess) -> None:
    async def work() -> None:
        person = await Client.guest(server.url)
        assert (await person.request("GET", PLACE)).status_code == 403
        assert (await person.request("POST", PLACE, {"data": FAR})).status_code == 403
        await person.take_account("Discipula", "a good long password")
        assert await person.get(PLACE) == {"data": {}}
        assert await person.post(PLACE, {"data": FAR}) == {"data": FAR}
        assert (await person.post(PLACE, {"data": NEAR}))["data"][LARGE] == {"n": 12, "at": 9, "step": 2}
        assert set((await person.get(PLACE))["data"]) == {LARGE, BARE}
        assert await person.get("/api/me/progress/puzzles") == {"data": {}}
        gone = await person.request("DELETE", "/api/me", {"password": "a good long password"})
        assert gone.status_code == 200

    asyncio.run(work())


def test_what_is_no_progress_is_refused_and_changes_nothing(server: ServerProcess) -> None:
    async def work() -> None:
        person = await Client.guest(server.url)
        await person.take_account("Magistra", "a good long password")
        await person.post(PLACE, {"data": FAR})
        wrong: tuple[Any, ...] = (
            {"x": 1},
            {"x": {"n": -1, "at": 0}},
            {"x": {"n": 1}},
            {"x": {"n": 1, "at": True}},
            {"": {"n": 1, "at": 1}},
            {"x" * 81: {"n": 1, "at": 1}},
            {"x": {"n": 1, "at": 1, "text": "y" * MAX_CHARS}},
            [],
        )
        for data in wrong:
            answer = await person.request("POST", PLACE, {"data": data})
            assert answer.status_code == 422, answer.text
        assert (await person.request("POST", "/api/me/progress/NO", {"data": {}})).status_code == 422
        assert await person.get(PLACE) == {"data": FAR}
        for number in range(8):
            await person.request("POST", f"/api/me/progress/{'abcdefgh'[number]}", {"data": OTHER})
        assert await person.get("/api/me/progress/h") == {"data": {}}

    asyncio.run(work())
