"""Somebody who looks at a match through one eye, over a socket."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from typing import TYPE_CHECKING, Any, Protocol

from starlette.websockets import WebSocket, WebSocketDisconnect

from .wire import encode

if TYPE_CHECKING:
    from ludus.store.people import Person

    from .standing import Mark

OUTBOX = 200  # messages that may wait for a slow client; then it is let go and comes back by itself
TOO_SLOW = 1013


class Outlet(Protocol):
    """The line of a socket (`connections.Messages`), for those who do not wait until a message has left."""

    def put(self, text: bytes) -> None: ...

    @property
    def waiting(self) -> int:
        """Messages that the other end has not made room for yet."""


class Viewer:
    """Somebody who looks at a match through one eye."""

    def __init__(self, socket: WebSocket, person: Person | None, eye: int, lang: str) -> None:
        self.socket, self.person, self.eye, self.lang = socket, person, eye, lang
        self.id = secrets.token_hex(6)
        self.address: str = socket.scope["state"]["address"]
        self.told: Mark | None = None  # where the match stood when it was last told; None: not yet
        self._outlet: Outlet = socket.scope["state"]["outlet"]
        self.close_code = 0
        self.closed: asyncio.Task[None] | None = None

    @property
    def asker(self) -> str:
        """Who is asked not to ask too much."""
        return self.person.id if self.person is not None else self.address

    def send(self, message: bytes) -> None:
        """Never waits: a client that does not read is closed."""
        if self._outlet.waiting >= OUTBOX:
            self.close(TOO_SLOW, "too slow; come back with the last entry you have")
        if not self.close_code:
            self._outlet.put(message)

    def send_json(self, **message: Any) -> None:
        self.send(encode(message))

    def close(self, code: int, reason: str) -> None:
        """Once what was sent has left."""
        if not self.close_code:
            self.close_code = code
            self.closed = asyncio.create_task(self._close(reason))

    async def _close(self, reason: str) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
            await self.socket.close(self.close_code, reason)
