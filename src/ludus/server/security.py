"""The guard in front of everything: whose request it is, from which page, how large, how often.

Plain ASGI, so that it stands before sockets as well.  It also writes the log line of each request and
turns whatever goes wrong inside into an answer that tells nothing.
"""

from __future__ import annotations

import json
import time
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.utils import ClientDisconnected

from ludus.store import StoreDown

from . import logs
from .hosts import Hosts, name_in
from .limiter import SIZES, Limiter, TooMany
from .metrics import Metrics
from .settings import Settings, is_within
from .wire import decode

SAFE = ("GET", "HEAD", "OPTIONS")
# One page asks for dozens of these, and they cost next to nothing.
FILES = ("/js/", "/css/", "/fonts/", "/titles/")
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "media-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": CSP,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
HSTS = "max-age=31536000"


class Refused(Exception):
    """A request that is answered before it reaches a route."""

    def __init__(self, status: int, error: str, reason: str, wait: float = 0.0) -> None:
        self.status, self.error, self.reason, self.wait = status, error, reason, wait
        super().__init__(reason)


def too_large() -> Refused:
    return Refused(413, "too large", f"a request has at most {SIZES['body']} bytes")


class Guard:
    """ASGI middleware."""

    def __init__(self, app: ASGIApp, settings: Settings, limiter: Limiter, metrics: Metrics) -> None:
        self.app, self.limiter, self.metrics = app, limiter, metrics
        self.hosts, self.origins = Hosts(settings), settings.allowed_origins()
        self.proxies = settings.proxies()
        self.https = settings.public_url.startswith("https:")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = {k.decode("latin-1").lower(): v.decode("latin-1") for k, v in scope["headers"]}
        state = scope.setdefault("state", {})
        state["address"], proxied = self._address(scope, headers)
        state["proxied"] = proxied
        if self.https:
            scope["scheme"] = "wss" if scope["type"] == "websocket" else "https"
        elif proxied and headers.get("x-forwarded-proto") in ("http", "https"):
            secure = headers["x-forwarded-proto"] == "https"
            plain, safe = ("ws", "wss") if scope["type"] == "websocket" else ("http", "https")
            scope["scheme"] = safe if secure else plain
        if scope["type"] == "websocket":
            await self._socket(scope, headers, receive, send)
        else:
            await self._request(scope, headers, receive, send)

    # -- who asks ---------------------------------------------------------------------------------

    def _address(self, scope: Scope, headers: dict[str, str]) -> tuple[str, bool]:
        """The address of whoever asks; what a proxy says counts only if it is a proxy of ours."""
        peer = scope["client"][0] if scope.get("client") else "local"
        if not is_within(peer, self.proxies):
            return peer, False
        for part in reversed(headers.get("x-forwarded-for", "").split(",")):
            told = part.strip()
            if not told:
                break
            try:
                ip_address(told)
            except ValueError:
                break
            if not is_within(told, self.proxies):
                return told, True
        return peer, True

    def _same_origin(self, headers: dict[str, str]) -> bool:
        """Whether the page that asks is one of ours; a program sends no Origin and no cookies of others."""
        origin = headers.get("origin")
        if origin is None:
            return headers.get("sec-fetch-site", "none") in ("none", "same-origin")
        if origin.lower().rstrip("/") in self.origins:
            return True
        # Behind a named public address only that one counts: no other name may point here.
        return not self.origins and urlsplit(origin).netloc.lower() == headers.get("host", "").lower()

    def _check_host(self, scope: Scope, headers: dict[str, str]) -> None:
        """By which name we are asked: exactly one, and one of ours."""
        host = headers.get("host", "")
        name = name_in(host)
        if not name or sum(key.lower() == b"host" for key, _ in scope["headers"]) != 1:
            raise Refused(400, "host", "a request names the host that it asks, once: Host: NAME")
        if not self.hosts.knows(host):
            how = f"whoever runs it can allow the name: ludus serve --allow-host {name[:100]}"
            raise Refused(421, "host", f"this server is not known by the name that was asked; {how}")

    # -- requests -----------------------------------------------------------------------------------

    async def _request(self, scope: Scope, headers: dict[str, str], receive: Receive, send: Send) -> None:
        began = time.perf_counter()
        status = 0
        started = False

        async def answer(message: Message) -> None:
            nonlocal status, started
            if message["type"] == "http.response.start":
                status, started = message["status"], True
                message["headers"] = [*message["headers"], *self._headers(scope, message["headers"])]
            try:
                await send(message)
            except RuntimeError as error:  # uvloop, after a line has ended and before anybody heard of it
                if "the handler is closed" not in str(error):
                    raise
                raise ClientDisconnected from None

        try:
            self._admit(scope, headers)
            with self.limiter.at_once("requests", scope["state"]["address"]):
                safe = scope["method"] in SAFE
                await self.app(scope, receive if safe else await self._whole(receive), answer)
        except ClientDisconnected:  # who asked has gone
            pass
        except Refused as refused:
            status = await _answer(answer, refused) if not started else status
        except TooMany as error:
            self.metrics.count("limited", error.rule)
            many = Refused(429, "too many", str(error), error.wait)
            status = await _answer(answer, many) if not started else status
        except StoreDown as error:
            self.metrics.count("store_errors")
            logs.store_down(error)
            status = await _answer(answer, Refused(503, "try again", logs.DOWN, 1.0)) if not started else 503
        except Exception as error:
            self.metrics.count("failures")
            logs.failure("fault", error, route=_route(scope), method=scope["method"])
            fault = Refused(500, "fault", "something is wrong with the server; it was noted")
            status = await _answer(answer, fault) if not started else 500
        spent = time.perf_counter() - began
        self.metrics.count("requests", f"{status // 100}xx")
        self.metrics.time("request", spent)
        person = scope["state"].get("person")
        logs.line(
            "request",
            method=scope["method"],
            route=_route(scope),
            status=status,
            ms=round(spent * 1000, 1),
            address=scope["state"]["address"],
            person=person,
            match=scope.get("path_params", {}).get("match_id"),
        )

    def _admit(self, scope: Scope, headers: dict[str, str]) -> None:
        self.limiter.take("file" if _is_file(scope) else "request", scope["state"]["address"])
        self._check_host(scope, headers)
        if scope["method"] in SAFE:
            return
        if not self._same_origin(headers):
            raise Refused(403, "origin", "this page may not send commands here")
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > SIZES["body"]:
            raise too_large()
        has_body = length != "0" or "transfer-encoding" in headers
        if has_body and headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
            raise Refused(415, "not json", "a request must be of type application/json")

    async def _whole(self, receive: Receive) -> Receive:
        """Wait for the body: a refusal that were raised inside a route would get another meaning there."""
        came, more = bytearray(), True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise Refused(408, "gone", "the request did not arrive")
            came += message.get("body", b"")
            more = message.get("more_body", False)
            if len(came) > SIZES["body"]:
                raise too_large()
        body = bytes(came)
        if b"\\ud" in body.lower():  # half a character comes so, and in no other way
            try:
                decode(body)
            except ValueError:
                raise Refused(400, "malformed", "the body is not JSON of whole characters") from None
        told = False

        async def whole() -> Message:
            nonlocal told
            if told:
                return await receive()
            told = True
            return {"type": "http.request", "body": body, "more_body": False}

        return whole

    def _headers(self, scope: Scope, present: Any) -> list[tuple[bytes, bytes]]:
        have = {k.lower() for k, _ in present}
        wanted = dict(HEADERS)
        if scope["scheme"] == "https":
            wanted["strict-transport-security"] = HSTS
        if scope["path"].startswith("/api"):
            wanted["cache-control"] = "no-store"
        return [(k.encode(), v.encode()) for k, v in wanted.items() if k.encode() not in have]

    # -- sockets --------------------------------------------------------------------------------------

    async def _socket(self, scope: Scope, headers: dict[str, str], receive: Receive, send: Send) -> None:
        refused: Refused | None = None
        try:
            self.limiter.take("socket", scope["state"]["address"])
            self._check_host(scope, headers)
            if not self._same_origin(headers):
                refused = Refused(403, "origin", "this page may not open a socket here")
        except TooMany as error:
            self.metrics.count("limited", error.rule)
            refused = Refused(429, "too many", str(error))
        except Refused as error:
            refused = error
        if refused is not None:
            await receive()  # websocket.connect
            await send({"type": "websocket.close", "code": 1008, "reason": refused.reason[:100]})
            logs.line("socket", warning=True, reason=refused.error, address=scope["state"]["address"])
            return
        try:
            await self.app(scope, receive, send)
        except ClientDisconnected:  # whoever knocked went away before they were let in
            pass
        except Exception as error:
            self.metrics.count("failures")
            logs.failure("fault", error, route=_route(scope))


def _is_file(scope: Scope) -> bool:
    return scope["method"] in SAFE and str(scope["path"]).startswith(FILES)


def _route(scope: Scope) -> str:
    """The route, not the address: what follows the question mark may be an invitation."""
    route = scope.get("route")
    path = getattr(route, "path", None)
    return str(path) if path else "-"


async def _answer(send: Send, refused: Refused) -> int:
    body = json.dumps({"error": refused.error, "reason": refused.reason}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if refused.wait:
        headers.append((b"retry-after", str(max(1, round(refused.wait))).encode()))
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
    return refused.status
