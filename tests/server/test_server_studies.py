"""Studies: of finished matches, with comments and branches, read by whoever has the link, never trusted."""

from __future__ import annotations

import asyncio
from typing import Any

from ludus.server import studies
from ludus.server.testing import Client, ServerProcess
from samples import BARE
from server.test_server_analysis import two_at


async def finished(server: ServerProcess) -> tuple[Client, Client, str]:
    anna, bruno, match_id = await two_at(server, BARE, 4)
    await anna.command(match_id, do="resign", seat=0)
    return anna, bruno, match_id


async def played_on(anna: Client, match_id: str, entry: int) -> str:
    """A match of both sides that begins where another one stood."""
    seats = [{"kind": "me"}, {"kind": "screen", "name": "the other side"}]
    wish = {"title": BARE, "seats": seats, "start": {"match": match_id, "entry": entry}}
    return str((await anna.post("/api/matches", wish))["table"]["id"])


def test_a_study_branches_has_comments_and_is_shared_by_its_link(server: ServerProcess) -> None:
    async def work() -> None:
        anna, bruno, match_id = await finished(server)
        made = await anna.post("/api/studies", {"match": match_id, "name": "A line"}, status=201)
        path = f"/api/studies/{made['id']}"
        said = {"revision": 1, "match": match_id, "entry": 2, "comment": "Too early."}
        assert (await anna.post(path, said))["comments"] == [
            {"match": match_id, "entry": 2, "text": "Too early."}
        ]
        branch = await played_on(anna, match_id, 2)
        told = await anna.post(path, {"revision": 2, "match": match_id, "entry": 2, "branch": branch})
        assert told["branches"] == [{"match": branch, "of": match_id, "entry": 2}]
        deeper = {"revision": 3, "match": branch, "entry": 0, "comment": "From here."}
        assert len((await anna.post(path, deeper))["comments"]) == 2, "a branch has comments of its own"
        stranger = Client(server.url)
        seen = await stranger.get(path)
        assert (seen["name"], seen["mine"], seen["revision"]) == ("A line", False, 4)
        assert seen["branches"] == told["branches"] and anna.id not in str(seen)
        theirs = await bruno.request("POST", path, {**said, "revision": 4})
        assert theirs.status_code == 403
        erased = {"revision": 4, "match": match_id, "entry": 2, "comment": " "}
        assert len((await anna.post(path, erased))["comments"]) == 1
        mine = (await anna.get("/api/studies"))["studies"]
        assert [one["id"] for one in mine] == [made["id"]]
        assert (await bruno.request("DELETE", path)).status_code == 404
        assert (await anna.request("DELETE", path)).status_code == 200
        assert (await anna.request("GET", path)).status_code == 404

    asyncio.run(work())


def test_nothing_that_a_study_is_told_is_trusted(server: ServerProcess) -> None:
    async def work() -> None:
        anna, _, match_id = await finished(server)
        running = (await two_at(server, BARE, 2))[2]
        assert (await anna.request("POST", "/api/studies", {"match": running})).status_code == 403
        path = f"/api/studies/{(await anna.post('/api/studies', {'match': match_id}))['id']}"
        elsewhere = await played_on(anna, match_id, 3)

        async def refused(**change: Any) -> int:
            body = {"revision": 1, "match": match_id, **change}
            return (await anna.request("POST", path, body)).status_code

        assert await refused(revision=7, comment="late") == 409
        assert await refused(match=running, comment="not of it") == 422
        assert await refused(entry=999, comment="no such moment") == 404
        assert await refused(comment="x" * 601) == 422
        assert await refused(entry=2, branch=elsewhere) == 422, "it begins from another moment"
        assert await refused(entry=2, branch=running) == 422
        kept = await anna.get(path)
        assert (kept["revision"], kept["comments"], kept["branches"]) == (1, [], [])

    asyncio.run(work())


def test_a_study_is_bounded() -> None:
    assert studies.BRANCHES * 100 + studies.COMMENTS * 700 < 300_000
