"""Connections: what a stranger may send, hold and leave unread before anybody knows what is wanted.

The guard sees a request only when its head has come in whole.  Until then, and after an answer that nobody
reads, these protocols (uvicorn's own, with bounds) keep count: of bytes, headers, frames, time and places.
"""

from __future__ import annotations

import asyncio
import math
import struct
from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any

import uvicorn
from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import State

from . import logs
from .limiter import AT_ONCE, RATES, SIZES, network
from .metrics import Metrics
from .settings import Network, is_within

SLICE = 4096  # bytes of a socket that are read at once: the shortest frames in it take some milliseconds
FINAL_TEXT = 0x81  # the first byte of a frame that is a whole message of text
QUIET = 10.0  # seconds between two log lines about a full server


class Caller:
    """One connection: whose it is, and until when it may do nothing that is of use."""

    def __init__(self, lines: Lines, transport: asyncio.Transport, peer: str) -> None:
        self.lines, self.transport, self.address = lines, transport, network(peer)
        self.is_proxy = is_within(peer, lines.proxies)
        self.until = math.inf
        self.drop: Callable[[int, str], None] = lambda _status, _reason: transport.abort()

    def wait(self, patience: float) -> None:
        """Something must come from the other end, within so many times the patience of the server."""
        if self in self.lines.of.get(self.address, ()):
            self.until = self.lines.now() + patience * self.lines.patience
            self.lines.waiting.pop(self, None)
            self.lines.waiting[self] = None

    def work(self) -> None:
        """Now it is our turn."""
        self.until = math.inf
        self.lines.waiting.pop(self, None)


class Lines:
    """All connections.  When there is no place left, whoever has kept us waiting longest makes room."""

    def __init__(
        self,
        places: int,
        patience: float,
        limits: bool,
        proxies: Iterable[Network],
        metrics: Metrics,
    ) -> None:
        self.places, self.patience, self.proxies, self.metrics = places, patience, list(proxies), metrics
        self.of_one = min(AT_ONCE["connections"], max(1, places // 2)) if limits else places
        self.of: dict[str, dict[Caller, None]] = {}  # by address, the oldest first
        self.waiting: dict[Caller, None] = {}  # the one that has waited longest first
        self.by_transport: dict[asyncio.BaseTransport, Caller] = {}
        self._told = -QUIET
        self._sweeping = False

    @staticmethod
    def now() -> float:
        return asyncio.get_running_loop().time()

    def enter(self, transport: asyncio.Transport, peer: str) -> Caller:
        """A place for a newcomer; call `make_room` next."""
        line = Caller(self, transport, peer)
        self.of.setdefault(line.address, {})[line] = None
        self.by_transport[transport] = line
        line.wait(1)
        if not self._sweeping:
            self._sweeping = True
            self._sweep()
        return line

    def make_room(self, line: Caller) -> None:
        """Let one go if there are too many, the newcomer itself where nobody else waits for anything."""
        mine = self.of[line.address]
        if len(mine) > self.of_one and not line.is_proxy:
            self._let_go(next(one for one in mine if one in self.waiting), line, "connections")
        elif len(self.by_transport) > self.places:
            self._let_go(next(iter(self.waiting)), line, "all connections")

    def leave(self, line: Caller) -> None:
        line.work()
        self.by_transport.pop(line.transport, None)
        mine = self.of.get(line.address, {})
        mine.pop(line, None)
        if not mine:
            self.of.pop(line.address, None)

    def _let_go(self, one: Caller, newcomer: Caller, rule: str) -> None:
        self.metrics.count("limited", rule)
        if self.now() - self._told > QUIET:
            self._told = self.now()
            logs.line("full", warning=True, reason=rule, address=newcomer.address)
        if one is newcomer:
            one.drop(503, "the server has no place left; try again in a minute")
        else:
            one.drop(408, "the request did not arrive in time")
        self.leave(one)

    def _sweep(self) -> None:
        """End what took too long; also connections that were closed and whose last words nobody reads."""
        now = self.now()
        for line in list(self.by_transport.values()):
            if line.until < now:
                self.metrics.count("limited", "patience")
                line.work()
                line.drop(408, "the request did not arrive in time")
            elif line.until == math.inf and line.transport.is_closing():
                line.wait(1)
        asyncio.get_running_loop().call_later(min(1.0, self.patience / 4), self._sweep)


class Config(uvicorn.Config):
    """The configuration of uvicorn, and what its connections share."""

    def __init__(self, app: Any, lines: Lines, **options: Any) -> None:
        super().__init__(app, http=Requests, ws=Messages, **options)
        self.lines = lines


class Phase(Enum):
    HEAD = "head"  # a request is awaited, or has come in half
    BODY = "body"
    WORK = "work"  # it is here, and being answered


class TooLong(Exception):
    """Raised inside the parser, to stop it."""


class Requests(HttpToolsProtocol):
    """HTTP with bounds."""

    config: Config

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.phase = Phase.HEAD
        self.begun = False  # whether something of the awaited request has come
        self.came = self.head = 0  # bytes of the present phase on the wire; of names and values of headers
        self.requests = 0
        self.refusal: tuple[int, str] | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        lines = self.config.lines
        self.line = lines.enter(transport, self.client[0] if self.client else "local")
        self.line.drop = self.drop
        lines.make_room(self.line)

    def connection_lost(self, exc: Exception | None) -> None:
        self.config.lines.leave(self.line)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        before = (self.phase, self.requests)
        super().data_received(data)
        if (self.phase, self.requests) != before or self.transport.is_closing():
            return
        self.came += len(data)
        if self.phase is Phase.HEAD and self.came > SIZES["head"]:
            self.drop(431, f"the head of a request has at most {SIZES['head']} bytes")
        elif self.phase is Phase.BODY and self.came > SIZES["body on the wire"]:
            self.drop(413, f"a request has at most {SIZES['body']} bytes")

    # -- what the parser finds --------------------------------------------------------------------------

    def _enter(self, phase: Phase, patience: float) -> None:
        self.phase, self.came = phase, 0
        self.line.wait(patience)

    def on_message_begin(self) -> None:
        if len(self.pipeline) >= AT_ONCE["pipelined"]:
            raise self._too_long(429, "too many requests at once on one connection")
        super().on_message_begin()
        self.begun, self.head, self.requests = True, 0, self.requests + 1
        self._enter(Phase.HEAD, 1)

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        if len(self.url) > SIZES["url"]:
            raise self._too_long(414, f"an address has at most {SIZES['url']} bytes")

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        self.head += len(name) + len(value)
        if self.head > SIZES["head"] or len(self.headers) > SIZES["headers"]:
            most = f"{SIZES['headers']} headers and {SIZES['head']} bytes of them"
            raise self._too_long(431, f"a request has at most {most}")

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self._enter(Phase.BODY, 2)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self.begun, self.phase = False, Phase.WORK
        self.line.work()
        if (
            self.cycle is not None and self.cycle.response_complete
        ):  # it was answered before it had come in whole
            self._enter(Phase.HEAD, 3)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.phase is Phase.WORK and not self.pipeline and self.timeout_keep_alive_task is not None:
            self._enter(Phase.HEAD, 3)

    # -- ending -----------------------------------------------------------------------------------------

    def _too_long(self, status: int, reason: str) -> TooLong:
        self.refusal = (status, reason)
        return TooLong(reason)

    def send_400_response(self, msg: str) -> None:
        self.drop(*(self.refusal or (400, "this is not a request of HTTP")))

    def drop(self, status: int, reason: str) -> None:
        """End the connection, with a word if a request is unanswered and nothing else is being said."""
        if self._is_between_words() or (status == 408 and not self.begun):
            self.transport.abort()
            return
        if self.phase is Phase.BODY:  # whoever reads the body need not wait any longer
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        body = reason.encode("ascii")
        told = [STATUS_LINE[status]]
        told += [name + b": " + value + b"\r\n" for name, value in self.server_state.default_headers]
        told += [b"content-type: text/plain; charset=utf-8\r\nx-content-type-options: nosniff\r\n"]
        told += [b"content-length: %d\r\nconnection: close\r\n\r\n" % len(body), body]
        self.transport.write(b"".join(told))
        self.transport.close()

    def _is_between_words(self) -> bool:
        """Whether another answer is being made, sent or still unread, or this one was given already."""
        if self.transport.is_closing() or self.transport.get_write_buffer_size() or self.pipeline:
            return True
        if self.cycle is None:
            return False
        if self.phase is Phase.BODY:
            return self.cycle.response_started
        return not self.cycle.response_complete

    # -- an answer that is not read ---------------------------------------------------------------------

    def pause_writing(self) -> None:
        super().pause_writing()
        self.line.wait(2)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.phase is Phase.WORK:
            self.line.work()


class Messages(WebSocketsSansIOProtocol):
    """WebSocket with bounds: a slice at a time, few frames that say nothing, and the last pong only."""

    config: Config

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.unread = bytearray()
        self.pong: bytes = b""  # to be sent when there is room
        self.ready: list[bytes] = []  # frames to be written as soon as nobody adds to them and there is room
        self.empty_frames, self.counted_since = 0, self.loop.time()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.line = self.config.lines.by_transport[transport]
        self.line.drop = lambda _status, _reason: self.transport.abort()
        self.line.work()

    def connection_lost(self, exc: Exception | None) -> None:
        self.config.lines.leave(self.line)
        super().connection_lost(exc)

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["state"]["outlet"] = self

    # -- what comes in ------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        self.unread += data
        self._read()

    def _read(self) -> None:
        """Read on, until there is a message to be answered first."""
        while self.unread and not self.read_paused and not self.transport.is_closing():
            piece = bytes(self.unread[:SLICE])
            del self.unread[:SLICE]
            super().data_received(piece)

    async def receive(self) -> ASGIReceiveEvent:
        message = await super().receive()
        self._read()
        return message

    def _count_empty(self) -> None:
        """Pings, pongs and parts of a message: the limits of messages do not see them."""
        rate, now = RATES["frame"], self.loop.time()
        if now - self.counted_since > rate.seconds:
            self.empty_frames, self.counted_since = 0, now
        self.empty_frames += 1
        if self.empty_frames > rate.many:
            self.config.lines.metrics.count("limited", "frame")
            self.transport.abort()

    def send_receive_event_to_app(self) -> None:
        if self.close_sent:  # it is thrown away, so nobody else counts it
            self._count_empty()
        super().send_receive_event_to_app()

    def handle_cont(self, event: Frame) -> None:
        self._count_empty()
        super().handle_cont(event)

    def handle_pong(self, event: Frame) -> None:
        self._count_empty()
        super().handle_pong(event)

    def handle_ping(self) -> None:
        self._count_empty()
        if self.writable.is_set():
            super().handle_ping()
        elif pongs := self.conn.data_to_send():
            self.pong = pongs[-1]

    # -- what goes out --------------------------------------------------------------------------------------

    def put(self, text: bytes) -> None:
        """Send a message, if anybody is there, together with those that come right after it: to write costs
        more than to make them."""
        if self.conn.state is State.OPEN and not self.close_sent:
            if not self.ready:
                self.loop.call_soon(self._write_all)
            self.ready.append(frame(text))

    @property
    def waiting(self) -> int:
        return len(self.ready)

    def _write_all(self) -> None:
        if self.conn.state is not State.OPEN or self.transport.is_closing():
            self.ready.clear()
        elif self.ready and self.writable.is_set():
            self.transport.write(b"".join(self.ready))
            self.ready.clear()

    async def send(self, message: ASGISendEvent) -> None:
        """What is no message: it comes after all that was put."""
        self._write_all()
        await super().send(message)

    def shutdown(self) -> None:
        self._write_all()
        super().shutdown()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.line.wait(2)

    def resume_writing(self) -> None:
        super().resume_writing()
        self.line.work()
        self._write_all()
        if self.pong and not self.close_sent:
            self.transport.write(self.pong)
        self.pong = b""


def frame(text: bytes) -> bytes:
    """A whole message of text as RFC 6455 frames what a server sends."""
    size = len(text)
    if size < 126:
        return bytes((FINAL_TEXT, size)) + text
    if size < 1 << 16:
        return struct.pack("!BBH", FINAL_TEXT, 126, size) + text
    return struct.pack("!BBQ", FINAL_TEXT, 127, size) + text
