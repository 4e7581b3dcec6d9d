"""Hints: what a bot would do, only against bots, only in one's own turn."""

from __future__ import annotations

import asyncio
from typing import Any

from ludus.core.chance import Seeded
from ludus.match.match import Match, read_setting
from ludus.server.hints import adviser, what_changes
from ludus.server.testing import Client, ServerProcess
from ludus.titles import title as find_title
from samples import LARGE, SMALL


async def new_match(client: Client, seats: list[dict[str, Any]]) -> dict[str, Any]:
    answer = await client.request("POST", "/api/matches", {"title": SMALL, "seats": seats})
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


def test_a_bot_says_what_it_would_do_against_bots_only(server: ServerProcess) -> None:
    async def work() -> None:
        me = await Client.guest(server.url)
        made = await new_match(me, [{"kind": "me"}, {"kind": "bot", "bot": "tiro"}])
        table = made["table"]["id"]
        for quick in (True, False):
            told = await me.request("POST", f"/api/matches/{table}/hint", {"quick": quick})
            assert told.status_code == 200, told.text
            assert told.json()["action"] in {choice["action"] for choice in made["legal"]}
        stranger = await Client.guest(server.url)
        assert (await stranger.request("POST", f"/api/matches/{table}/hint", {})).status_code == 403
        assert (await me.request("POST", f"/api/matches/{table}/hint", {"bot": "x"})).status_code == 422
        both = await new_match(me, [{"kind": "me"}, {"kind": "open"}])
        shared = both["table"]["id"]
        joined = await stranger.request("POST", f"/api/matches/{shared}/join", {})
        assert joined.status_code == 200, joined.text
        refused = await me.request("POST", f"/api/matches/{shared}/hint", {})
        assert refused.status_code == 403
        assert "bots only" in refused.json()["reason"]

    asyncio.run(work())


def test_the_quick_adviser_is_not_the_slowest() -> None:
    assert adviser(LARGE, quick=True) != adviser(LARGE, quick=False)


def test_what_changes_is_counted_by_the_title() -> None:
    title = find_title(LARGE)
    match = Match(read_setting(title, None, {}, ()), Seeded(1))
    action = match.game.legal()[0].text
    assert what_changes(match, match.game.to_move, action) == {"gain": 0, "others": 0}
