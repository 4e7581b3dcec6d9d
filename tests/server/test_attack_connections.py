"""Connections of strangers: what they send without end, what they never finish, and what they never read.

Every attack goes over real sockets to a real server; afterwards a newcomer must be served.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import socket
import struct
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from starlette.types import Message, Receive, Scope, Send
from websockets.frames import Frame, Opcode

from ludus.server import connections
from ludus.server.limiter import Limiter
from ludus.server.metrics import Metrics
from ludus.server.security import Guard
from ludus.server.settings import Settings
from ludus.server.testing import Client, ServerProcess
from samples import SMALL

MIB = 1024 * 1024
FLOOD = 32 * MIB  # more than all buffers on the way hold
SOON = 20.0  # how long a test waits for what must happen
HEAD = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST /api/guest HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
SIZED = POST + b"Content-Length: 99\r\n\r\n{"


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server that waits half a second for a request."""
    folder = tmp_path_factory.mktemp("hasty")
    with ServerProcess(str(folder / "h.db"), {"patience": "0.5"}, log=folder / "log") as process:
        yield process
    assert "Traceback" not in (folder / "log").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with room for 40 connections, 20 of one address, that waits for ever; one proxy is named."""
    folder = tmp_path_factory.mktemp("narrow")
    settings = {"patience": "600", "connections": "40", "limits": "on", "proxy": "127.0.0.9"}
    with ServerProcess(str(folder / "n.db"), settings, log=folder / "log") as process:
        yield process
    assert "Traceback" not in (folder / "log").read_text(encoding="utf-8")


def connected(server: ServerProcess, own: str = "127.0.0.1") -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), SOON, (own, 0))


def answer(connection: socket.socket) -> bytes:
    """All that the server says until it ends the connection."""
    heard = b""
    with contextlib.suppress(ConnectionError):
        while got := connection.recv(65536):
            heard += got
    return heard


def status(heard: bytes) -> int:
    return int(heard.split(b" ", 2)[1]) if heard else 0


def flood(connection: socket.socket, begin: bytes, piece: bytes) -> bool:
    """Whether the server ended the connection before all was sent."""
    block = piece * (65536 // len(piece) + 1)
    try:
        connection.sendall(begin)
        for _ in range(FLOOD // len(block)):
            connection.sendall(block)
    except ConnectionError:
        return True
    return False


def memory(server: ServerProcess) -> int:
    assert server.process is not None
    text = Path(f"/proc/{server.process.pid}/statm").read_text(encoding="ascii")
    return int(text.split()[1]) * os.sysconf("SC_PAGE_SIZE")


def serves(server: ServerProcess, own: str = "127.0.0.1") -> bool:
    with connected(server, own) as newcomer:
        newcomer.sendall(HEAD + b"Connection: close\r\n\r\n")
        return status(answer(newcomer)) == 200


ENDLESS = {
    "url": (b"GET /", b"a"),
    "query": (b"GET /?", b"a=b&"),
    "empty lines": (b"", b"\r\n"),
    "header": (HEAD + b"X: ", b"a"),
    "name of a header": (HEAD, b"a"),
    "headers": (HEAD, b"a: b\r\n"),
    "chunk": (CHUNKED + b"fffffff\r\n", b"a"),
    "small chunks": (CHUNKED, b"1\r\n \r\n"),
    "extension of a chunk": (CHUNKED + b"1;", b"a"),
    "trailer": (CHUNKED + b"0\r\nX: ", b"a"),
    "trailers": (CHUNKED + b"0\r\n", b"a: b\r\n"),
    "body of a GET": (HEAD + b"Content-Length: 999999999\r\n\r\n", b"a"),
    "pipelined requests": (b"", b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"),
}


@pytest.mark.parametrize("what", ENDLESS)
def test_nothing_is_read_without_end(what: str, narrow: ServerProcess) -> None:
    before = memory(narrow)
    with connected(narrow) as stranger:
        assert flood(stranger, *ENDLESS[what]), "everything was read"
    assert memory(narrow) - before < 8 * MIB
    assert serves(narrow)


TOO_LARGE = {
    "url": (b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 414),
    "header": (HEAD + b"X: " + b"a" * 40_000 + b"\r\n\r\n", 431),
    "headers": (HEAD + b"a: b\r\n" * 200 + b"\r\n", 431),
}


@pytest.mark.parametrize("what", TOO_LARGE)
def test_a_request_that_is_too_large_is_told_so(what: str, narrow: ServerProcess) -> None:
    request, expected = TOO_LARGE[what]
    with connected(narrow) as stranger:
        stranger.sendall(request)
        assert status(answer(stranger)) == expected


UNFINISHED = (
    (b"", 0),
    (b"\r\n", 0),
    (b"GET /heal", 408),
    (HEAD, 408),
    (HEAD + b"X: a", 408),
    (SIZED, 408),
    (CHUNKED + b"5\r\nab", 408),
    (HEAD + b"\r\n", 200),  # and then idle
    (HEAD + b"\r\n\r\n", 200),
    (HEAD + b"Content-Length: 9\r\n\r\n", 200),
)


def test_a_request_that_does_not_arrive_is_not_awaited(hasty: ServerProcess) -> None:
    with contextlib.ExitStack() as stack:
        strangers = [stack.enter_context(connected(hasty)) for _ in UNFINISHED]
        for stranger, (begin, _) in zip(strangers, UNFINISHED, strict=True):
            stranger.sendall(begin)
        for stranger, (begin, expected) in zip(strangers, UNFINISHED, strict=True):
            assert status(answer(stranger)) == expected, begin


def test_an_answer_that_nobody_reads_is_thrown_away(hasty: ServerProcess) -> None:
    with connected(hasty) as stranger:
        stranger.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        poll = select.poll()
        poll.register(stranger, select.POLLHUP | select.POLLERR)
        request = b"GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
        stranger.setblocking(False)
        with contextlib.suppress(BlockingIOError, ConnectionError):
            while not poll.poll(1):
                stranger.send(request)
        assert poll.poll(SOON * 1000), "the connection is kept"


def test_a_thousand_unfinished_requests_keep_nobody_out(narrow: ServerProcess) -> None:
    with contextlib.ExitStack() as stack:
        for k in range(1000):
            own = f"127.0.1.{k % 200 + 1}"
            stranger = stack.enter_context(connected(narrow, own))
            with contextlib.suppress(ConnectionError):
                stranger.sendall(HEAD if k % 2 else b"")
            if k % 100 == 99:
                assert serves(narrow), k
        assert serves(narrow, "127.0.1.1")


def test_the_sockets_of_one_address_leave_room_for_others(narrow: ServerProcess) -> None:
    async def work() -> None:
        anna = await Client.guest(narrow.url)
        match_id = (await anna.post("/api/matches", {"title": SMALL, "public": True}))["table"]["id"]
        await anna.close()
        with contextlib.ExitStack() as stack:
            mine = [stack.enter_context(a_socket(narrow, match_id, "127.0.0.5")) for _ in range(20)]
            assert all(status(s.recv(4096)) == 101 for s in mine)
            assert not serves(narrow, "127.0.0.5"), "all of its places are taken, and all in use"
            assert serves(narrow, "127.0.0.6")
            mine.pop().close()
            async with asyncio.timeout(SOON):
                while not serves(narrow, "127.0.0.5"):
                    await asyncio.sleep(0.01)

    asyncio.run(work())


def test_the_proxy_is_not_counted_as_one_stranger(narrow: ServerProcess) -> None:
    async def work() -> None:
        anna = await Client.guest(narrow.url)
        match_id = (await anna.post("/api/matches", {"title": SMALL, "public": True}))["table"]["id"]
        await anna.close()
        with contextlib.ExitStack() as stack:
            for k in range(30):
                behind = f"X-Forwarded-For: 203.0.113.{k}\r\n"
                one = stack.enter_context(a_socket(narrow, match_id, "127.0.0.9", behind))
                assert status(one.recv(4096)) == 101
            assert serves(narrow)

    asyncio.run(work())


# -- sockets ------------------------------------------------------------------------------------------


def a_socket(
    server: ServerProcess, match_id: str, own: str = "127.0.0.1", more: str = "", read: int = 0
) -> socket.socket:
    """A WebSocket without a library: the request for it has been sent."""
    stranger = socket.socket()
    if read:
        stranger.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, read)
    stranger.settimeout(SOON)
    stranger.bind((own, 0))
    stranger.connect(("127.0.0.1", server.port))
    request = (
        f"GET /api/matches/{match_id}/socket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
        f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {'A' * 22}==\r\n{more}\r\n"
    )
    stranger.sendall(request.encode())
    return stranger


def frame(opcode: int, payload: bytes = b"", last: bool = True) -> bytes:
    return struct.pack("!BBI", opcode | (0x80 if last else 0), 0x80 | len(payload), 0) + payload


FRAMES = {
    "pings": (b"", frame(9, b"p" * 125)),
    "empty pings": (b"", frame(9)),
    "pongs": (b"", frame(10)),
    "empty parts of a message": (frame(1, b"", last=False), frame(0, b"", last=False)),
    "messages": (b"", frame(1, b"x")),
}


@pytest.fixture(scope="module")
def public_match(narrow: ServerProcess) -> str:
    token = httpx.post(f"{narrow.url}/api/guest", json={"bearer": True}).json()["token"]
    bearer = {"authorization": f"Bearer {token}"}
    wish = {"title": SMALL, "public": True}
    made = httpx.post(f"{narrow.url}/api/matches", json=wish, headers=bearer)
    return str(made.json()["table"]["id"])


@pytest.mark.parametrize("what", FRAMES)
def test_a_socket_that_sends_without_end_and_never_reads_is_ended(
    what: str, narrow: ServerProcess, public_match: str
) -> None:
    before = memory(narrow)
    with a_socket(narrow, public_match, read=4096) as stranger:
        assert status(stranger.recv(100)) == 101
        assert flood(stranger, *FRAMES[what]), "everything was read"
    assert memory(narrow) - before < 8 * MIB
    assert serves(narrow)


def test_a_ping_now_and_then_is_answered(narrow: ServerProcess, public_match: str) -> None:
    with a_socket(narrow, public_match) as stranger:
        heard = stranger.recv(4096)
        assert status(heard) == 101
        for word in (b"ave", b"vale"):
            stranger.sendall(frame(9, word))
            while bytes([0x8A, len(word)]) + word not in heard:
                got = stranger.recv(65536)
                assert got, "the socket was ended"
                heard += got


def test_who_leaves_before_being_let_in_is_no_fault_of_ours(narrow: ServerProcess, public_match: str) -> None:
    """Whoever likes could fill the log with faults that are none."""
    token = httpx.post(f"{narrow.url}/api/guest", json={"bearer": True}).json()["token"]
    for _ in range(30):
        a_socket(narrow, public_match, more=f"Authorization: Bearer {token}\r\n").close()
    assert serves(narrow)
    assert narrow.log is not None and '"event": "fault"' not in narrow.log.read_text(encoding="utf-8")


@pytest.mark.parametrize(("problem", "faults"), [("the handler is closed", 0), ("another one", 1)])
def test_a_line_that_ends_while_it_is_answered_is_no_fault_of_ours(problem: str, faults: int) -> None:
    """uvloop complains until the end of the line is known: a moment that cannot be met from outside."""

    async def app(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(_message: Message) -> None:
        raise RuntimeError(f"unable to perform operation on <TCPTransport closed=True>; {problem}")

    async def receive() -> Message:
        raise AssertionError("a GET has no body")

    metrics = Metrics()
    guard = Guard(app, Settings(db="", log="off"), Limiter(), metrics)
    headers = [(b"host", b"localhost")]
    scope = {"type": "http", "method": "GET", "path": "/", "headers": headers, "scheme": "http"}
    with contextlib.suppress(RuntimeError):  # of the answer that something is wrong
        asyncio.run(guard({**scope, "client": ("127.0.0.1", 1)}, receive, send))
    assert metrics.counts["failures"].total() == faults


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65535, 65536, 70000])
def test_a_message_is_framed_as_the_library_frames_it(size: int) -> None:
    text = b"x" * size
    assert connections.frame(text) == Frame(Opcode.TEXT, text).serialize(mask=False)
