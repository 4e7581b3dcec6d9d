"""Requests and messages that are wrong in ways a browser never is, and names that are not ours."""

from __future__ import annotations

import asyncio
import contextlib
import socket

import httpx
import pytest

from ludus.server.hosts import Hosts
from ludus.server.settings import Settings
from ludus.server.testing import Client, ServerProcess
from samples import SMALL

SURROGATES = (
    '{"type": "\\ud800"}',
    '{"type": "ping", "client": "\\uDFFF"}',
    '{"type": "command", "client": "a", "do": "\\ud800"}',
    '{"type": "command", "client": "a", "\\ud800": 1}',
    '{"type": "chat", "text": "\\ud83d"}',
    '{"type": "look", "seat": {"deep": ["\\udc00"]}}',
)


# What a person may say over a socket, with all its fields; and what stands in none of them.
MESSAGES: dict[str, tuple[str, ...]] = {
    "command": ("client", "do", "seat", "expect", "actions", "to", "kind", "yes", "proposal", "bot"),
    "chat": ("text", "to", "seat"),
    "peace": ("to", "rounds", "answers", "seat"),
    "answer_peace": ("offer", "yes"),
    "what_if": ("seat", "actions", "lang"),
    "gestures": ("seat", "actions", "lang"),
    "advice": ("about", "seat", "actions"),
    "why_not": ("touches", "seat", "lang"),
    "warning": ("seat", "lang"),
    "look": ("seat", "since"),
    "ping": ("client",),
}
GOOD = {"client": "c", "do": "undo", "to": 1, "text": "ave", "rounds": 1, "offer": 1, "yes": True}
GOOD |= {"actions": ["stake 1"], "about": "x", "touches": ["x"], "lang": "en", "kind": "draw", "expect": 0}
ODD = (-1, 0, 16, 99, 2**31, 2**63, 10**30, 0.5, 1e308, True, None, "", "0", "x" * 600, "\u202e", "\x00")
ODD += ([], [[]], ["x"] * 101, ["x" * 201], [None], {}, {"a": {"b": []}})  # type: ignore[assignment]


def ask(server: ServerProcess, request: bytes) -> tuple[int, str]:
    """The status and the body of what a real server says to these bytes."""
    heard = b""
    with socket.create_connection(("127.0.0.1", server.port), 20.0) as connection:
        connection.sendall(request)
        with contextlib.suppress(ConnectionError):
            while got := connection.recv(65536):
                heard += got
    head, _, body = heard.partition(b"\r\n\r\n")
    return int(head.split(b" ", 2)[1]), body.decode()


@pytest.mark.parametrize("kind", MESSAGES)
def test_no_message_is_a_fault_whatever_stands_in_it(server: ServerProcess, kind: str) -> None:
    """Neither of a player nor of a stranger; and the socket goes on."""

    async def work() -> None:
        anna = await Client.guest(server.url)
        wish = {"title": SMALL, "seats": [{"kind": "me"}, {"kind": "screen"}]}
        match_id = (await anna.post("/api/matches", wish))["table"]["id"]
        for person in (anna, await Client.guest(server.url), Client(server.url)):
            async with person.watch(match_id) as socket:
                for field in MESSAGES[kind]:
                    for odd in ODD:
                        good = {name: GOOD[name] for name in MESSAGES[kind] if name in GOOD}
                        await socket.send(type=kind, **{**good, field: odd})
                        answer = await socket.wait_for("answer", "error")
                        assert answer.get("error") not in ("fault", "try again"), (field, odd, answer)
                await socket.send(type="ping")
                assert (await socket.wait_for("answer"))["ok"]

    asyncio.run(work())


def test_a_lone_surrogate_is_refused_and_the_socket_goes_on(server: ServerProcess) -> None:
    async def work() -> None:
        anna = await Client.guest(server.url)
        match_id = (await anna.post("/api/matches", {"title": SMALL}))["table"]["id"]
        async with anna.watch(match_id) as socket:
            await socket.wait_for("state")
            for text in SURROGATES:
                await socket.ws.send(text)
                assert (await socket.wait_for("error", "answer"))["error"] == "malformed", text
                await socket.send(type="ping")
                assert (await socket.wait_for("answer"))["ok"], text
            await socket.ws.send('{"type": "\\ud83c\\udfdb"}')
            assert (await socket.wait_for("answer"))["to"] == "🏛"
        url = f"/api/matches/{match_id}/commands"
        for text in SURROGATES:
            headers = {"content-type": "application/json"}
            said = await anna.http.post(url, content=text, headers=headers)
            assert said.status_code == 400 and said.json()["error"] == "malformed", text
        await anna.close()

    asyncio.run(work())


def test_a_body_that_is_too_large_is_told_so_however_it_is_sent(server: ServerProcess) -> None:
    head = "POST /api/guest HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    head += "Content-Type: application/json\r\n"
    fill = " " * 70_000
    parts = (fill[:1000], fill[1000:], "{}", "")
    chunks = "".join(f"{len(part):x}\r\n{part}\r\n" for part in parts)
    chunked = head + "Transfer-Encoding: chunked\r\n\r\n"
    assert ask(server, (chunked + chunks).encode())[0] == 413
    assert ask(server, f"{head}Content-Length: 70000\r\n\r\n{fill}".encode())[0] == 413
    assert ask(server, (chunked + "2\r\n{}\r\n0\r\n\r\n").encode())[0] == 200


@pytest.mark.parametrize("version", ["1.0", "1.1"])
@pytest.mark.parametrize(
    "hosts", ["", "Host: \r\n", "Host: localhost\r\nHost: evil.example\r\n", "Host: a b\r\n"]
)
def test_a_request_names_one_host(version: str, hosts: str, server: ServerProcess) -> None:
    for line in ("GET /api/titles", "POST /api/guest"):
        request = f"{line} HTTP/{version}\r\n{hosts}Origin: null\r\nConnection: close\r\n\r\n"
        assert ask(server, request.encode())[0] == 400


def test_a_name_that_anybody_can_point_here_is_refused(server: ServerProcess) -> None:
    """DNS rebinding: a page of evil.example whose name suddenly means this machine is not one of ours."""
    here = {"host": f"evil.example:{server.port}", "origin": f"http://evil.example:{server.port}"}
    for answer in (
        httpx.get(f"{server.url}/metrics", headers=here),
        httpx.get(f"{server.url}/", headers=here),
        httpx.post(f"{server.url}/api/guest", json={}, headers=here),
    ):
        assert answer.status_code == 421
        assert "--allow-host evil.example" in answer.json()["reason"]
    shake = (
        "GET /api/matches/none/socket HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {'A' * 22}==\r\n"
    )
    assert ask(server, f"{shake}Host: evil.example\r\nOrigin: http://evil.example\r\n\r\n".encode())[0] == 403
    for name in ("localhost", "my-pc", "my-pc.local", "[::1]", "192.0.2.7", socket.gethostname()):
        own = {"host": f"{name}:{server.port}", "origin": f"http://{name}:{server.port}"}
        assert httpx.post(f"{server.url}/api/guest", json={}, headers=own).status_code == 200, name


def test_which_names_are_ours() -> None:
    """Names that only this machine or its network can give, and those in the settings."""
    plain = Hosts(Settings())
    for name in ("127.0.0.1", "[2001:db8::1]:8000", "LOCALHOST:8000", "pc", "pc.local.", "pc.home.arpa"):
        assert plain.knows(name), name
    for name in ("evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "x.notlocal", "", "a/b"):
        assert not plain.knows(name), name
    named = Hosts(
        Settings(
            public_url="https://ludus.example",
            origins="https://club.example:444",
            allow_host="a.example, B.example",
        )
    )
    for name in ("ludus.example", "club.example", "a.example:1", "b.example"):
        assert named.knows(name), name
    assert not named.knows("evil.example")
    assert Hosts(Settings(allow_host="*")).knows("evil.example")


def test_a_socket_whose_address_is_no_ascii_is_refused_quietly(server: ServerProcess) -> None:
    shake = (
        "GET /api/matches/é/socket HTTP/1.1\r\nHost: localhost\r\n"
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: {'A' * 22}==\r\n\r\n"
    )
    assert ask(server, shake.encode())[0] == 400
