"""What leaves, to whom, and who may ask: every route as stranger, watcher, other player and seat."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Coroutine
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from ludus.server.app import make_app
from ludus.server.limiter import RATES
from ludus.server.settings import Settings
from ludus.server.testing import Client, ServerProcess
from samples import SMALL

EYES = ("stranger", "watcher", "other", "seat")
# What each kind of person gets on each route: stranger, watcher, other player, seat (whose turn it is).
# A route that is not here fails the test: somebody must decide.
EXPECTED = {
    "GET /api/titles/{name}/beginnings": (200, 200, 200, 200),
    "POST /api/titles/{name}/position": (200, 200, 200, 200),
    "POST /api/titles/{name}/position/scene": (200, 200, 200, 200),
    "POST /api/titles/{name}/position/report": (401, 422, 422, 422),
    "GET /api/matches/{match_id}/moments/{number}/position": (403, 403, 200, 200),
    "POST /api/matches/{match_id}/threats": (401, 403, 403, 403),
    "GET /api/me/play": (401, 200, 200, 200),
    "GET /api/me/strength": (401, 200, 200, 200),
    "GET /api/me/progress/{kind}": (401, 403, 403, 403),
    "POST /api/me/progress/{kind}": (401, 403, 403, 403),
    "GET /api/studies": (401, 200, 200, 200),
    "POST /api/studies": (401, 404, 404, 404),
    "GET /api/studies/{study_id}": (404, 404, 404, 404),
    "POST /api/studies/{study_id}": (401, 404, 404, 404),
    "DELETE /api/studies/{study_id}": (401, 404, 404, 404),
    "GET /api/titles": (200, 200, 200, 200),
    "GET /api/titles/{name}": (200, 200, 200, 200),
    "GET /api/titles/{name}/examples/{scene}": (200, 200, 200, 200),
    "POST /api/titles/{name}/lesson": (200, 200, 200, 200),
    "POST /api/titles/{name}/lesson/ask": (200, 200, 200, 200),
    "GET /api/titles/{name}/puzzles": (200, 200, 200, 200),
    "GET /api/titles/{name}/puzzles/{puzzle}": (404, 404, 404, 404),
    "GET /api/puzzles/client": (200, 200, 200, 200),
    "POST /api/puzzles/file": (422, 422, 422, 422),
    "POST /api/titles/{name}/puzzle": (404, 404, 404, 404),
    "POST /api/titles/{name}/puzzle/ask": (404, 404, 404, 404),
    "GET /api/me": (401, 200, 200, 200),
    "POST /api/guest": (200, 200, 200, 200),
    "POST /api/account": (401, 422, 422, 422),
    "POST /api/login": (403, 403, 403, 403),
    "POST /api/me/name": (401, 422, 422, 422),
    "POST /api/me/pass": (401, 200, 200, 200),
    "POST /api/pass": (403, 403, 409, 409),
    "POST /api/me/password": (401, 401, 401, 401),
    "GET /api/matches": (401, 200, 200, 200),
    "POST /api/matches": (401, 201, 201, 201),
    "GET /api/matches/open": (200, 200, 200, 200),
    "GET /api/matches/live": (200, 200, 200, 200),
    "GET /api/matches/{match_id}": (200, 200, 200, 200),
    "POST /api/matches/{match_id}/join": (401, 409, 200, 200),
    "POST /api/matches/{match_id}/leave": (401, 409, 409, 409),
    "POST /api/matches/{match_id}/nonce": (401, 403, 403, 409),
    "POST /api/matches/{match_id}/commands": (401, 403, 403, 200),
    "POST /api/matches/{match_id}/what-if": (401, 403, 403, 200),
    "POST /api/matches/{match_id}/gestures": (401, 403, 403, 200),
    "POST /api/matches/{match_id}/advice": (401, 403, 403, 200),
    "POST /api/matches/{match_id}/why-not": (401, 403, 403, 200),
    "POST /api/matches/{match_id}/warning": (401, 403, 403, 200),
    "POST /api/matches/{match_id}/hint": (401, 403, 403, 403),
    "GET /api/matches/{match_id}/course": (403, 403, 403, 403),
    "GET /api/matches/{match_id}/chances": (403, 403, 403, 403),
    "POST /api/matches/{match_id}/analysis": (401, 403, 403, 403),
    "GET /api/matches/{match_id}/analysis": (200, 200, 200, 200),
    "DELETE /api/matches/{match_id}/analysis": (401, 404, 404, 404),
    "GET /api/matches/{match_id}/analysis/file": (404, 404, 404, 404),
    "GET /api/matches/{match_id}/entries": (200, 200, 200, 200),
    "GET /api/matches/{match_id}/moments/{number}": (200, 200, 200, 200),
    "GET /api/matches/{match_id}/file": (200, 200, 200, 200),
    "POST /api/matches/{match_id}/again": (401, 403, 409, 409),
    "GET /api/matches/{match_id}/chat": (200, 200, 200, 200),
    "POST /api/matches/{match_id}/chat": (401, 201, 201, 201),
    "POST /api/qr": (401, 422, 422, 422),
    "POST /api/matches/{match_id}/peace": (401, 422, 422, 422),
    "POST /api/matches/{match_id}/peace/answer": (401, 422, 422, 422),
    "GET /api/matches/{match_id}/note": (401, 200, 200, 200),
    "PUT /api/matches/{match_id}/note": (401, 200, 200, 200),
    "DELETE /api/me": (401, 200, 200, 200),
    "POST /api/logout": (200, 200, 200, 200),
    "GET /healthz": (200, 200, 200, 200),
    "GET /metrics": (200, 200, 200, 200),
}
BODIES: dict[str, dict[str, Any]] = {
    "POST /api/guest": {"bearer": True},
    "POST /api/account": {"name": "Somebody", "password": "short"},
    "POST /api/login": {"name": "nobody at all", "password": "wrong"},
    "POST /api/me/name": {"name": ""},
    "POST /api/pass": {"code": "AAAAA-AAAAA"},
    "POST /api/me/password": {"old": "a", "new": "b"},
    "POST /api/matches": {"title": SMALL},
    "POST /api/matches/{match_id}/nonce": {"seat": 0, "nonce": "0" * 32},
    "POST /api/matches/{match_id}/commands": {
        "client": "walk",
        "seat": 0,
        "expect": 3,
        "actions": ["show 5"],
    },
    "POST /api/matches/{match_id}/what-if": {"seat": 0, "actions": []},
    "POST /api/matches/{match_id}/gestures": {"seat": 0, "actions": []},
    "POST /api/matches/{match_id}/advice": {"seat": 0, "about": "button:done", "actions": []},
    "POST /api/matches/{match_id}/why-not": {"seat": 0, "touches": ["button:nothing"]},
    "POST /api/matches/{match_id}/hint": {"seat": 0},
    "POST /api/matches/{match_id}/threats": {"seat": 0},
    "POST /api/me/progress/{kind}": {"data": {}},
    "POST /api/studies": {"match": "nobodyplayedit"},
    "POST /api/studies/{study_id}": {"revision": 1},
    "POST /api/puzzles/file": {"text": "no puzzles"},
    "POST /api/titles/{name}/puzzle": {"puzzle": "nobody-made-it"},
    "POST /api/titles/{name}/puzzle/ask": {"at": {"puzzle": "nobody-made-it"}, "touches": ["button:nothing"]},
    "POST /api/titles/{name}/lesson/ask": {"at": {}, "touches": ["button:nothing"]},
    "POST /api/matches/{match_id}/chat": {"text": "salve"},
    "POST /api/qr": {"link": "https://elsewhere.example/m/a"},
    "POST /api/matches/{match_id}/peace": {"to": 1, "rounds": 1},
    "POST /api/matches/{match_id}/peace/answer": {"offer": 1, "yes": True},
    "PUT /api/matches/{match_id}/note": {"text": "a note"},
}


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


def filled(path: str, match_id: str, number: int) -> str:
    """A route with something real in it."""
    path = path.replace("{match_id}", match_id).replace("{number}", str(number))
    path = path.replace("{kind}", "lesson").replace("{study_id}", "nobody-began-it")
    path = path.replace("{puzzle}", "nobody-made-it")
    return path.replace("{name}", SMALL).replace("{scene}", "M6-paid")


def all_routes(tmp: Any) -> list[str]:
    document = make_app(Settings(db=str(tmp / "routes.db"), log="off")).openapi()
    return [f"{m.upper()} {path}" for path, ways in document["paths"].items() for m in ways]


def test_every_route_is_decided_for_everybody(tmp_path: Any) -> None:
    assert set(all_routes(tmp_path)) == set(EXPECTED)


async def a_match_with_a_secret(url: str) -> tuple[str, dict[str, Client]]:
    """Seat 1 has shown 4 and called 7, which nobody else may know; seat 0 is to show."""
    seat, other, watcher = [await Client.guest(url) for _ in range(3)]
    wish = {"title": SMALL, "seats": [{"kind": "open"}, {"kind": "me"}], "public": True}
    match_id = (await other.post("/api/matches", wish))["table"]["id"]
    await seat.post(f"/api/matches/{match_id}/join")
    for who, actions in ((seat, ["stake 2"]), (seat, ["show 1", "guess 2"])):
        now = await who.get(f"/api/matches/{match_id}")
        await who.command(match_id, expect=now["entry"], actions=actions)
    return match_id, {"stranger": Client(url), "watcher": watcher, "other": other, "seat": seat}


def test_every_route_as_stranger_watcher_other_player_and_seat(server: ServerProcess) -> None:
    async def work() -> None:
        for k, eye in enumerate(EYES):
            match_id, people = await a_match_with_a_secret(server.url)
            # seat 0 has chosen in secret; now it is seat 1's turn.
            people["seat"], people["other"] = people["other"], people["seat"]
            person = people[eye]
            for route, statuses in EXPECTED.items():
                method, path = route.split()
                path = filled(path, match_id, 3)
                body = {**BODIES.get(route, {})} if method != "GET" else None
                if body and "seat" in body:
                    body["seat"] = 1
                answer = await person.request(method, path, body)
                assert answer.status_code == statuses[k], (eye, route, answer.status_code, answer.text[:300])
                if eye in ("stranger", "watcher") and "/beginnings" not in route:  # those are games of bots
                    assert "show 1" not in re.sub(r'"legal":\[.*?\]', "", answer.text), route

    run(work())


def test_nobody_looks_through_the_eyes_of_another_seat(server: ServerProcess) -> None:
    async def work() -> None:
        match_id, people = await a_match_with_a_secret(server.url)
        for eye, person in people.items():
            for path in ("", "/entries", "/moments/2", "/file"):
                for seat in (0, 1):
                    mine = (eye, seat) in (("seat", 0), ("other", 1))
                    answer = await person.request("GET", f"/api/matches/{match_id}{path}?seat={seat}")
                    assert answer.status_code == (200 if mine else 403), (eye, path, seat)
                answer = await person.request("GET", f"/api/matches/{match_id}{path}?seat=9")
                assert answer.status_code == 404
            whole = await person.request("GET", f"/api/matches/{match_id}/entries?whole=true")
            assert whole.status_code == 403
            if eye != "seat":
                async with person.watch(match_id, seat=0) as socket:
                    assert (await socket.receive())["error"] == "forbidden"

    run(work())


def test_no_get_changes_anything(tmp_path: Any) -> None:
    """Every route that changes something is a POST, PUT or DELETE: reading leaves the tables as they were."""
    from sqlalchemy import select

    from ludus.store.schema import metadata

    settings = Settings(db=str(tmp_path / "get.db"), log="off", limits=False, form="plain")
    app = make_app(settings)

    async def work() -> None:
        transport = httpx.ASGITransport(app)
        client = Client("http://ludus.test", transport=transport)
        token = (await client.post("/api/guest", {"bearer": True}))["token"]
        client.http.headers["authorization"] = f"Bearer {token}"
        seats = [{"kind": "me"}, {"kind": "screen"}]
        match_id = (await client.post("/api/matches", {"title": SMALL, "seats": seats}))["table"]["id"]
        await client.command(match_id, seat=0, expect=0, actions=["stake 1", "show 2"])

        def dump() -> str:
            with app.state.server.store.read() as db:
                return json.dumps([[str(r) for r in db.execute(select(t))] for t in metadata.sorted_tables])

        before = dump()
        for route in EXPECTED:
            method, path = route.split()
            if method == "GET":
                path = filled(path, match_id, 1)
                assert (await client.request("GET", path)).status_code in (200, 401, 403, 404)
        assert dump() == before
        await app.state.server.close()

    run(work())


def test_headers_of_every_answer(server: ServerProcess) -> None:
    for path in ("/api/titles", "/api/me", "/nowhere", "/healthz", "/api/matches/unknown-match"):
        headers = httpx.get(server.url + path).headers
        policy = headers["content-security-policy"]
        assert "script-src 'self'" in policy and "unsafe" not in policy
        assert "object-src 'none'" in policy and "base-uri 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert "server" not in headers
        if path.startswith("/api"):
            assert headers["cache-control"] == "no-store"


def test_https_cookies_are_bound_to_the_host(tmp_path: Any) -> None:
    settings = Settings(db=str(tmp_path / "s.db"), public_url="https://ludus.example", log="off")
    app = make_app(settings)

    async def work() -> None:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://inside") as client:
            answer = await client.post("/api/guest", json={})
            cookie = answer.headers["set-cookie"]
            assert cookie.startswith("__Host-ludus=") and "Secure" in cookie
            assert "max-age=31536000" in answer.headers["strict-transport-security"]
            for origin, status in (("https://ludus.example", 200), ("http://inside", 403), ("null", 403)):
                answer = await client.post("/api/guest", json={}, headers={"origin": origin})
                assert answer.status_code == status, origin
        await app.state.server.close()

    run(work())


def test_other_peoples_pages_can_send_nothing(server: ServerProcess) -> None:
    evil = {"origin": "https://evil.example"}
    assert httpx.post(f"{server.url}/api/guest", json={}, headers=evil).status_code == 403
    form = {"content-type": "application/x-www-form-urlencoded"}
    assert httpx.post(f"{server.url}/api/guest", content="a=b", headers=form).status_code == 415
    assert (
        httpx.post(
            f"{server.url}/api/guest", content="{}", headers={"content-type": "text/plain"}
        ).status_code
        == 415
    )
    cross = {"sec-fetch-site": "cross-site"}
    assert httpx.post(f"{server.url}/api/guest", json={}, headers=cross).status_code == 403
    same = {"origin": server.url}
    assert httpx.post(f"{server.url}/api/guest", json={}, headers=same).status_code == 200

    async def work() -> None:
        anna = await Client.guest(server.url)
        match_id = (await anna.post("/api/matches", {"title": SMALL}))["table"]["id"]
        with pytest.raises((InvalidStatus, ConnectionClosed)):
            async with anna.watch(match_id, origin="https://evil.example") as socket:
                await socket.receive()
        async with anna.watch(match_id, origin=server.url) as socket:
            assert (await socket.receive())["type"] == "state"

    run(work())


def test_only_the_named_proxy_is_believed(tmp_path: Any) -> None:
    settings = Settings(db=str(tmp_path / "p.db"), proxy="10.0.0.0/8", log="off", metrics="local")
    app = make_app(settings)
    seen: list[tuple[str, str]] = []

    @app.get("/probe")
    async def probe(request: Any) -> dict[str, str]:  # pragma: no cover
        return {}

    from ludus.server.security import Guard

    async def note(scope: Any, receive: Any, send: Any) -> None:
        seen.append((scope["state"]["address"], scope["scheme"]))
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    guard = Guard(note, settings, app.state.server.limiter, app.state.server.metrics)

    async def ask(peer: str, forwarded: str) -> tuple[str, str]:
        headers = [(b"host", b"localhost"), (b"x-forwarded-for", forwarded.encode())]
        headers.append((b"x-forwarded-proto", b"https"))
        scope = {"type": "http", "method": "GET", "path": "/", "scheme": "http", "headers": headers}

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b""}

        async def send(_message: Any) -> None:
            pass

        await guard({**scope, "client": (peer, 1)}, receive, send)
        return seen[-1]

    async def work() -> None:
        assert await ask("192.0.2.1", "203.0.113.9") == ("192.0.2.1", "http"), "a stranger says so"
        assert await ask("10.1.2.3", "203.0.113.9") == ("203.0.113.9", "https")
        assert await ask("10.1.2.3", "6.6.6.6, 203.0.113.9, 10.9.9.9") == ("203.0.113.9", "https")
        assert await ask("10.1.2.3", "nonsense") == ("10.1.2.3", "https")
        await app.state.server.close()

    run(work())


def test_a_club_behind_one_address_opens_its_pages_at_once(tmp_path: Any) -> None:
    """A page asks for some seventy files: they are counted apart, and leave room for what else is asked."""
    process = ServerProcess(str(tmp_path / "l.db"), {"limits": "on"})
    with process:

        async def work() -> None:
            anna = await Client.guest(process.url)
            files = [(await anna.request("GET", "/js/dom.js")).status_code for _ in range(500)]
            assert files == [200] * 500 and RATES["request"].many < 500
            assert (await anna.request("GET", "/api/me")).status_code == 200

        run(work())


def test_limits_hold_and_others_are_not_slowed(tmp_path: Any) -> None:
    process = ServerProcess(str(tmp_path / "l.db"), {"limits": "on"})
    with process:

        async def work() -> None:
            anna, bruno = await Client.guest(process.url), await Client.guest(process.url)
            match_id = (await anna.post("/api/matches", {"title": SMALL}))["table"]["id"]
            await bruno.post(f"/api/matches/{match_id}/join")
            many = RATES["seat_message"].many
            with pytest.raises(ConnectionClosed) as closed:
                async with anna.watch(match_id) as socket:
                    for _ in range(many + 10):
                        await socket.send(type="ping")
                    while True:
                        await socket.receive()
            assert closed.value.rcvd is not None and closed.value.rcvd.code == 1008
            async with bruno.watch(match_id) as socket:
                assert (await socket.receive())["type"] == "state"
            chat = f"/api/matches/{match_id}/chat"
            said = [(await anna.request("POST", chat, {"text": "salve"})).status_code for _ in range(40)]
            assert said.count(201) == RATES["chat"].many and said[-1] == 429
            assert (await bruno.request("POST", chat, {"text": "salve"})).status_code == 201
            made = [
                (await bruno.request("POST", "/api/matches", {"title": SMALL})).status_code for _ in range(12)
            ]
            assert made.count(201) == RATES["match"].many and made[-1] == 429
            wrong = {"name": "Caesar", "password": "brutus brutus"}
            tries = [await anna.request("POST", "/api/login", wrong) for _ in range(7)]
            assert [t.status_code for t in tries] == [403] * 5 + [429] * 2
            assert int(tries[-1].headers["retry-after"]) >= 1

        run(work())


def test_malformed_oversized_and_unknown_messages_get_a_clear_answer(server: ServerProcess) -> None:
    async def work() -> None:
        match_id, people = await a_match_with_a_secret(server.url)
        anna = people["seat"]
        async with anna.watch(match_id) as socket:
            await socket.wait_for("state")
            for bad in ("", "not json", "[]", "{}", '{"type": 7}', "[" * 20000, '"\\ud800"', "null"):
                await socket.ws.send(bad)
                assert (await socket.wait_for("error"))["error"] == "malformed", bad[:20]
            await socket.ws.send(b"\x00\xff")
            assert (await socket.wait_for("error"))["error"] == "malformed"
            for message, error in (
                ({"type": "dance"}, "invalid"),
                ({"type": "command"}, "invalid"),
                ({"type": "command", "client": "a", "expect": -1, "actions": ["x"]}, "invalid"),
                ({"type": "command", "client": "a", "expect": 3, "actions": ["x" * 300]}, "invalid"),
                ({"type": "command", "client": "a", "expect": 3, "actions": []}, "invalid"),
                ({"type": "command", "client": "a b", "expect": 3, "actions": ["x"]}, "invalid"),
                ({"type": "command", "client": "a", "expect": True, "actions": ["x"]}, "invalid"),
                ({"type": "command", "client": "a", "expect": 999, "actions": ["show 1"]}, "stale"),
                (
                    {"type": "command", "client": "a", "expect": 3, "seat": 1, "actions": ["show 1"]},
                    "forbidden",
                ),
                ({"type": "command", "client": "a", "expect": 3, "actions": ["show 1"]}, "not allowed"),
                ({"type": "command", "client": "a", "do": "vote", "yes": True, "proposal": 1}, "stale"),
                ({"type": "command", "client": "a", "do": "undo", "expect": 3, "to": 3}, "not allowed"),
                ({"type": "look", "seat": 1}, "forbidden"),
                ({"type": "look", "seat": 77}, "unknown"),
                ({"type": "chat", "text": ""}, "invalid"),
                ({"type": "chat", "text": "\u0000"}, "invalid"),
            ):
                await socket.send(**message)
                answer = await socket.wait_for("answer")
                assert (answer["ok"], answer["error"]) == (False, error), (message, answer)
            await socket.send(type="ping")
            assert (await socket.wait_for("answer"))["ok"]
            with pytest.raises(ConnectionClosed) as closed:
                await socket.ws.send("x" * 200_000)
                while True:
                    await socket.receive()
            assert closed.value.rcvd is None or closed.value.rcvd.code == 1009
        async with anna.watch("no-such-match") as socket:
            assert (await socket.receive())["error"] == "unknown"
        big = await anna.request("POST", f"/api/matches/{match_id}/chat", {"text": "x" * 100_000})
        assert big.status_code == 413
        headers = {"content-type": "application/json"}
        for body in (
            b"",
            b"{",
            b"[]",
            b"null",
            b'{"text": "\\ud800"}',
            b"\xff\xfe",
            b'{"text":' + b"[" * 9000,
        ):
            said = await anna.http.post(f"/api/matches/{match_id}/chat", content=body, headers=headers)
            assert said.status_code in (400, 422), (body[:20], said.status_code)
        assert (await anna.get(f"/api/matches/{match_id}"))["entry"] == 3, "nothing was lost"
        other = people["other"]
        assert (await other.command(match_id, expect=3, actions=["show 1"])).status_code == 200

    run(work())


def test_strangers_without_identity_may_watch_and_nothing_else(server: ServerProcess) -> None:
    async def work() -> None:
        match_id, people = await a_match_with_a_secret(server.url)
        async with people["stranger"].watch(match_id) as socket:
            first = await socket.receive()
            assert first["eye"] is None and first["legal"] == []
            assert first["view"]["board"]["fingers"] == [None, None]
            for kind in ("command", "chat", "what_if"):
                await socket.send(type=kind, client="x", text="salve", do="resign", actions=[])
                assert (await socket.wait_for("answer"))["error"] == "identity"

    run(work())


def test_log_lines_hold_no_face_view_or_secret(tmp_path: Any) -> None:
    log = tmp_path / "log"
    with ServerProcess(str(tmp_path / "g.db"), {"log": "info"}, log=log) as process:

        async def work() -> None:
            match_id, people = await a_match_with_a_secret(process.url)
            for person in people.values():
                await person.request("GET", f"/api/matches/{match_id}?invite=letmein")
                await person.command(match_id, expect=3, actions=["show 4", "guess 7"])

        run(work())
        lines = [json.loads(row) for row in log.read_text(encoding="utf-8").splitlines()]
    text = log.read_text(encoding="utf-8")
    assert {"request", "command", "start"} <= {row["event"] for row in lines}
    for forbidden in ("show", "guess", "fingers", "letmein", "Bearer", "board"):
        assert forbidden not in text, forbidden
    assert sum(row["event"] == "command" for row in lines) == 5
