"""The application: routes put together, and what starts and stops with it."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

import ludus
from ludus.core.errors import LudusError
from ludus.match.match import Stale
from ludus.store import Store, StoreDown, open_store

from . import (
    background,
    drawings,
    errors,
    logs,
    questions,
    routes_analysis,
    routes_exploring,
    routes_lessons,
    routes_matches,
    routes_people,
    routes_positions,
    routes_progress,
    routes_puzzles,
    routes_rules,
    routes_studies,
    thinking,
)
from .asking import PLAIN_TEXT, PROBLEMS, TheServer, the_identities, the_server
from .identity import Identities
from .limiter import TooMany
from .security import Guard
from .server import Server
from .settings import Settings
from .wire import Json

STATIC = Path(__file__).parents[1] / "web" / "static"
INDEX = STATIC / "index.html"

# -- the server itself ---------------------------------------------------------------------------------------

plain = APIRouter()


@plain.get("/healthz", responses={503: PROBLEMS[503]})
async def healthz(server: TheServer) -> dict[str, Any]:
    """Whether the server answers and its database reads and writes."""
    server.health.check()
    await server.reading(server.store.ping)
    return {"ok": True, "version": ludus.__version__}


@plain.get("/metrics", response_class=Response, responses={**PLAIN_TEXT, 403: PROBLEMS[403]})
async def metrics(request: Request, server: TheServer) -> Response:
    """Numbers for a monitor."""
    wanted = server.settings.metrics
    state = request.scope["state"]
    local = state["address"] in ("127.0.0.1", "::1", "local", "testclient") and not state["proxied"]
    if wanted == "off" or (wanted == "local" and not local):
        raise errors.Forbidden("the numbers are not for everybody")
    return PlainTextResponse(server.metrics.text(server.gauges()))


# -- putting it together ------------------------------------------------------------------------------


def make_app(settings: Settings, store: Store | None = None) -> FastAPI:
    """The ASGI application.  A store that is given stays open when the application ends."""
    opened = store or open_store(settings.db)
    server = Server(settings, opened)
    server.after_change.append(partial(thinking.wake_bots, server))
    identities = Identities(server)

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        logs.line("start", version=ludus.__version__, db=opened.name, port=settings.port)
        background.start(server)
        yield
        await server.close()
        identities.close()
        if store is None:
            opened.close()
        logs.line("stop", seconds=round(time.monotonic() - server.began, 1))

    app = FastAPI(
        title="Ludus",
        version=ludus.__version__,
        description="Play the strategy games of the ancient world: the same API for people, bots and tools.",
        lifespan=life,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.state.server, app.state.identities, app.state.settings = server, identities, settings
    app.include_router(routes_people.api)
    app.include_router(routes_progress.api)
    app.include_router(routes_matches.api)
    app.include_router(routes_analysis.api)
    app.include_router(routes_studies.api)
    app.include_router(routes_exploring.api)
    app.include_router(routes_rules.api)
    app.include_router(routes_lessons.api)
    app.include_router(routes_positions.api)
    app.include_router(routes_puzzles.api)
    app.include_router(routes_rules.pages)
    app.include_router(plain)
    _handle_errors(app)
    app.mount(drawings.PLACE, drawings.TitleFiles(), name="titles")
    if STATIC.is_dir():
        app.mount("/", Pages(server), name="web")
    app.add_middleware(Packed)
    app.add_middleware(Guard, settings=settings, limiter=server.limiter, metrics=server.metrics)
    return app


class Packed:
    """Compresses what is the same for everybody: the client and the words of titles.

    Nothing else: how well a secret compresses beside somebody's own text tells something about it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app, self.packing = app, GZipMiddleware(app, minimum_size=1000, compresslevel=6)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        same = scope["type"] == "http" and (path.startswith("/api/titles") or not path.startswith("/api"))
        await (self.packing if same else self.app)(scope, receive, send)


class Pages(StaticFiles):
    """The client.  An address that is no file is a place in the client: it gets the first page."""

    def __init__(self, server: Server) -> None:
        super().__init__(directory=STATIC, html=True)
        self.server = server

    async def get_response(self, path: str, scope: Any) -> Response:
        try:
            return await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code != 404 or "." in path.rsplit("/", 1)[-1] or path.startswith("api"):
                raise
        title = await self._title(path[2:]) if path.startswith("m/") else ""
        if title:
            return HTMLResponse(
                INDEX.read_text(encoding="utf-8").replace("</head>", drawings.needs(title) + "\n</head>", 1)
            )
        return await super().get_response("index.html", scope)

    async def _title(self, match_id: str) -> str:
        """The title of a match; of one that cannot be opened none: the client tells what is wrong."""
        try:
            _, standing = await self.server.now(match_id)
            return standing.row.title
        except LudusError:
            return ""


def _handle_errors(app: FastAPI) -> None:
    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, LudusError)
        if isinstance(error, (StoreDown, TooMany)):
            raise error  # the guard answers these
        status, body = errors.answer(error)
        told: dict[str, Any] = dict(body)
        if isinstance(error, Stale):
            told["state"] = await _present_state(request)
        return Json(told, status)

    async def invalid(_request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        first = error.errors()[0]
        place = ".".join(str(p) for p in first["loc"])
        reason = f"{place[:80]}: {first['msg'][:160]}"
        return JSONResponse({"error": "invalid", "reason": reason}, 422)

    async def http(_request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        reason = {404: "there is no such page", 405: "not this way"}.get(error.status_code, error.detail)
        return JSONResponse({"error": "http", "reason": reason}, error.status_code, headers=error.headers)

    app.add_exception_handler(LudusError, refused)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, http)


async def _present_state(request: Request) -> dict[str, Any]:
    """What a stale command gets back: where the match stands."""
    server = the_server(request)
    person = await the_identities(request).who(request)
    return await questions.state(server, request.path_params["match_id"], person, None, "en")
