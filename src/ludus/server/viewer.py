"""Somebody who looks at a match through one eye, over a socket."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from typing import TYPE_CHECKING, Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from .wire import encode

if TYPE_CHECKING:
    from ludus.store.people import Person

    from .standing import Mark

OUTBOX = 200  # messages that may wait for a slow client; then it is let go and comes back by itself
TOO_SLOW = 1013


class Viewer:
    """Somebody who looks at a match through one eye."""

    def __init__(self, socket: WebSocket, person: Person | None, eye: int, lang: str) -> None:
        self.socket, self.person, self.eye, self.lang = socket, person, eye, lang
        self.id = secrets.token_hex(6)
        self.address: str = socket.scope["state"]["address"]
        self.told: Mark | None = None  # where the match stood when it was last told; None: not yet
        self._outbox: asyncio.Queue[bytes | None] = asyncio.Queue(OUTBOX)
        self.close_code = 0
        self.close_reason = ""

    @property
    def asker(self) -> str:
        """Who is asked not to ask too much."""
        return self.person.id if self.person is not None else self.address

    def send(self, message: bytes) -> None:
        """Never waits: a client that does not read is closed."""
        try:
            self._outbox.put_nowait(message)
        except asyncio.QueueFull:
            self.close(TOO_SLOW, "too slow; come back with the last entry you have")

    def send_json(self, **message: Any) -> None:
        self.send(encode(message))

    def close(self, code: int, reason: str) -> None:
        if not self.close_code:
            self.close_code, self.close_reason = code, reason
            while self._outbox.full():
                self._outbox.get_nowait()
            self._outbox.put_nowait(None)

    async def pump(self) -> None:
        """Send what waits, until the viewer is closed."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
            while (message := await self._outbox.get()) is not None:
                await self.socket.send_text(message.decode())
            await self.socket.close(self.close_code or 1000, self.close_reason)
