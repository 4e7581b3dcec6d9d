"""Over many matches: beginnings of public ones, and what somebody's analysed play comes to."""

from __future__ import annotations

import asyncio

from ludus.server.testing import ServerProcess
from samples import BARE
from server.test_server_analysis import made, two_at


def test_beginnings_of_public_matches_are_counted_and_called_by_name(server: ServerProcess) -> None:
    async def work() -> None:
        anna, _, match_id = await two_at(server, BARE, 4)  # not public
        await anna.command(match_id, do="resign", seat=0)
        found = await anna.get(f"/api/titles/{BARE}/beginnings?lang=de")
        assert found["people"] == {"games": 0, "rows": []}, "what is not public is nobody's business"
        assert (await anna.request("GET", "/api/titles/nothing/beginnings")).status_code == 404

    asyncio.run(work())


def test_my_play_has_luck_errors_and_where_i_lose(server: ServerProcess) -> None:
    async def work() -> None:
        anna, bruno, match_id = await two_at(server, BARE, 6)
        await anna.command(match_id, do="resign", seat=0)
        path = f"/api/matches/{match_id}/analysis"
        await anna.post(path, status=202)
        numbers = (await made(anna, path))["found"]
        for seat, person in enumerate((anna, bruno)):
            (one,) = (await person.get("/api/me/play?lang=it"))["titles"]
            (match,) = one["matches"]
            own = numbers["seats"][seat]
            assert (match["luck"], match["error"]) == (own["luck"], own["error"])
            assert sum(row["cost"] for row in one["phases"]) == own["cost"]
            assert sum(row["decisions"] for row in one["kinds"]) == own["decisions"]
            assert all(row["told"] for row in one["kinds"])

    asyncio.run(work())
