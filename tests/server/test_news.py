"""News of other processes: a notice holds what was written, so whoever hears it need not read it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from ludus.server.settings import Settings
from ludus.server.testing import Client
from ludus.server.viewer import OUTBOX, TOO_SLOW
from ludus.store import records
from samples import LARGE
from server.inside import Closed, Inside, InsideSocket, notices_of_changes


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


class Two:
    """A match at one process, and somebody who looks at it at another one."""

    def __init__(self, db: str) -> None:
        settings = Settings(db=db, log="off", limits=False, bot_workers=1, form="plain")
        self.here, self.there = Inside(settings), Inside(settings)

    async def begin(self) -> None:
        self.anna = await self.here.guest()
        wish = {"title": LARGE, "seats": [{"kind": "me"}, {"kind": "screen"}]}
        self.match_id = (await self.anna.post("/api/matches", wish))["table"]["id"]
        self.near = self._watch(self.here, self.anna)
        self.far = self._watch(self.there, self.anna)
        for socket in (self.near, self.far):
            assert (await socket.receive())["type"] == "state"

    def _watch(self, process: Inside, person: Client) -> InsideSocket:
        return process.socket(self.match_id, person.token, seat=0)

    async def play(self, dice: random.Random) -> None:
        """One command; mostly a move, now and then one that is taken back."""
        state = await self.anna.get(f"/api/matches/{self.match_id}?seat=0")
        seat, entry = state["table"]["to_move"], state["entry"]
        state = await self.anna.get(f"/api/matches/{self.match_id}?seat={seat}")
        action = dice.choice(state["legal"])["action"]
        play = {"do": "play", "seat": seat, "expect": entry, "actions": [action]}
        answer = await self.anna.command(self.match_id, **play)
        assert answer.status_code == 200, answer.text
        if dice.random() < 0.2:  # where the rules of taking back let it
            now = (await self.anna.get(f"/api/matches/{self.match_id}?seat=0"))["entry"]
            await self.anna.command(self.match_id, do="undo", seat=seat, expect=now, to=entry)

    async def heard(self, socket: InsideSocket) -> list[dict[str, Any]]:
        """The entries that a socket was told since it was last asked."""
        rows: list[dict[str, Any]] = []
        socket.send(type="ping")
        while (message := await socket.receive())["type"] != "answer":
            assert message["type"] in ("entries", "table"), message
            rows += message.get("entries", [])
        return rows

    async def close(self) -> None:
        for socket in (self.near, self.far):
            await socket.close()
        await self.here.close()
        await self.there.close()


def test_who_hears_news_stands_where_the_store_stands_without_asking_it(
    db_path: str, monkeypatch: pytest.MonkeyPatch, many: Callable[[int], int]
) -> None:
    async def work() -> None:
        two = Two(db_path)
        await two.begin()
        notices, dice = notices_of_changes(monkeypatch), random.Random(3)
        two.there.read_nothing(monkeypatch)
        for _ in range(many(300)):
            await two.play(dice)
            for notice in notices:
                await two.there.hear_of(notice)
            notices.clear()
            assert two.there.remembered(two.match_id) == two.here.remembered(two.match_id)
            assert two.there.row(two.match_id) == two.here.row(two.match_id)
            far, near = await two.heard(two.far), await two.heard(two.near)
            assert far == near and near
        await two.close()

    run(work())


def test_news_that_are_late_lost_or_told_twice_change_nothing(
    db_path: str, monkeypatch: pytest.MonkeyPatch, many: Callable[[int], int]
) -> None:
    async def work() -> None:
        two = Two(db_path)
        await two.begin()
        notices, dice = notices_of_changes(monkeypatch), random.Random(4)
        near: list[dict[str, Any]] = []
        far: list[dict[str, Any]] = []
        for _ in range(many(300)):
            await two.play(dice)
            near += await two.heard(two.near)
            if dice.random() < 0.5:
                continue
            chosen = [n for n in notices if dice.random() < 0.7]
            dice.shuffle(chosen)
            for notice in [*chosen, *chosen[:1]]:
                await two.there.hear_of(notice)
            far += await two.heard(two.far)
        await two.there.hear()
        far += await two.heard(two.far)
        assert len(near) >= many(300)
        assert [row["n"] for row in far] == [row["n"] for row in near], "nothing twice, nothing left out"
        assert [(r["text"], r["view"]) for r in far] == [(r["text"], r["view"]) for r in near]
        await two.close()

    run(work())


def test_what_was_played_here_while_somebody_looked_around_is_not_read_again(
    db_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        two, dice = Two(db_path), random.Random(6)
        await two.begin()
        with two.here.server.store.read() as db:
            earlier = records.revisions(db, [two.match_id])
        await two.play(dice)
        assert await two.heard(two.near)
        monkeypatch.setattr(records, "revisions", lambda _db, _ids: earlier)
        two.here.read_nothing(monkeypatch)
        await two.here.hear()
        assert not await two.heard(two.near)
        await two.close()

    run(work())


def test_who_does_not_read_is_let_go_and_holds_nobody_up(db_path: str) -> None:
    async def work() -> None:
        two = Two(db_path)
        await two.begin()
        two.far.outlet.waiting = OUTBOX
        await two.play(random.Random(5))
        await two.there.hear()
        assert await two.heard(two.near)
        with pytest.raises(Closed, match=str(TOO_SLOW)):
            await two.far.receive()
        await two.close()

    run(work())
