"""One WebSocket a viewer: what happens comes in, commands go out, and nobody slow holds up others."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from ludus.core.chance import SPECTATOR
from ludus.core.errors import LudusError
from ludus.core.words import TONGUES
from ludus.store import StoreDown

from . import changing, chatting, errors, hints, logs, peace, questions, threats, watching
from .limiter import TooMany
from .models import (
    AdviceQuery,
    AnswerPeace,
    Command,
    HintQuery,
    LookThrough,
    OfferPeace,
    Say,
    WarningQuery,
    WhatIfQuery,
    WhyNotQuery,
)
from .viewer import Viewer
from .wire import decode

if TYPE_CHECKING:
    from ludus.store.people import Person

    from .server import Server

MAX_MESSAGE = 32 * 1024
POLICY, TRY_LATER = 1008, 1013
# What a person may ask for; who only looks on is told what happens.
KINDS = frozenset(
    (
        "command",
        "chat",
        "peace",
        "answer_peace",
        "what_if",
        "gestures",
        "advice",
        "why_not",
        "warning",
        "hint",
        "threats",
    )
)


async def serve(server: Server, socket: WebSocket, match_id: str, person: Person | None) -> None:
    """The whole life of a socket."""
    query = socket.query_params
    limiter = server.limiter
    await socket.accept()
    viewer = Viewer(socket, person, SPECTATOR, _lang(query.get("lang", "en")))
    keys = [("sockets_address", viewer.address)]
    if person is not None:
        keys += [("sockets", person.id), ("sockets_match", f"{person.id} {match_id}")]
    entered: list[tuple[str, str]] = []
    try:
        for rule, key in keys:
            limiter.enter(rule, key)
            entered.append((rule, key))
        await watching.watch(
            server, viewer, match_id, _number(query.get("seat")), _number(query.get("since"))
        )
        await _listen(server, viewer, match_id)
    except (WebSocketDisconnect, asyncio.CancelledError):
        pass
    except TooMany as error:
        server.metrics.count("limited", error.rule)
        viewer.close(POLICY, str(error))
    except StoreDown as error:
        server.metrics.count("store_errors")
        logs.store_down(error)
        viewer.close(TRY_LATER, logs.DOWN)
    except LudusError as error:
        status, body = errors.answer(error)
        viewer.send_json(type="error", **body)
        viewer.close(4000 + status, body["reason"][:100])
    finally:
        watching.unwatch(server, viewer, match_id)
        for rule, key in entered:
            limiter.exit(rule, key)
        viewer.close(1000, "")
        with contextlib.suppress(asyncio.TimeoutError, asyncio.CancelledError):
            assert viewer.closed is not None
            await asyncio.wait_for(viewer.closed, 2.0)
        logs.line(
            "socket closed", match=match_id, code=viewer.close_code, person=person.id if person else None
        )


def _lang(given: str) -> str:
    return given if given in TONGUES else "en"


def _number(given: str | None) -> int | None:
    if given is None or not given.isascii() or not given.isdigit() or len(given) > 7:
        return None
    return int(given)


async def _listen(server: Server, viewer: Viewer, match_id: str) -> None:
    while True:
        message = await viewer.socket.receive()
        if message["type"] == "websocket.disconnect" or viewer.close_code:
            return
        server.limiter.take("watch_message" if viewer.eye == SPECTATOR else "seat_message", viewer.id)
        text = message.get("text")
        try:
            data = decode(text) if text is not None and len(text) <= MAX_MESSAGE else None
        except ValueError:
            data = None
        if not isinstance(data, dict) or not isinstance(data.get("type"), str):
            viewer.send_json(type="error", error="malformed", reason="a message is a JSON object with a type")
            continue
        # To the end, answer included: it goes out together with what it has made happen.
        await server.to_the_end(_answer(server, viewer, match_id, data))


async def _answer(server: Server, viewer: Viewer, match_id: str, data: dict[str, Any]) -> None:
    """Answer one message; whatever is wrong with it, the socket goes on."""
    kind = data.pop("type")
    client = data.get("client") if isinstance(data.get("client"), str) else None
    told: dict[str, Any] = {"type": "answer", "to": kind[:30]}
    if client is not None:
        told["client"] = client[:64]
    try:
        told.update(ok=True, **await _do(server, viewer, match_id, kind, data))
    except ValidationError as error:
        told.update(ok=False, error="invalid", reason=explain(error))
    except TooMany as error:
        server.metrics.count("limited", error.rule)
        told.update(ok=False, error="too many", reason=str(error))
    except StoreDown as error:
        server.metrics.count("store_errors")
        logs.store_down(error)
        told.update(ok=False, error="try again", reason=logs.DOWN)
    except LudusError as error:
        told.update(ok=False, **errors.answer(error)[1])
        if told["error"] == "stale":
            told["state"] = await questions.state(server, match_id, viewer.person, viewer.eye, viewer.lang)
    except Exception as error:
        server.metrics.count("failures")
        logs.failure("fault", error, route="socket", match=match_id)
        told.update(ok=False, error="fault", reason="something is wrong with the server; it was noted")
    if viewer.socket.client_state == WebSocketState.CONNECTED:
        viewer.send_json(**told)


async def _do(
    server: Server, viewer: Viewer, match_id: str, kind: str, data: dict[str, Any]
) -> dict[str, Any]:
    person = viewer.person
    if kind == "ping":
        return {}
    if kind == "look":
        eye = LookThrough.model_validate(data)
        await watching.look(server, viewer, match_id, eye.seat, eye.since)
        return {}
    if kind not in KINDS:
        raise errors.Invalid(f"there is no message {kind!r:.30}")
    if person is None:
        raise errors.NoIdentity("this needs an identity: POST /api/guest first")
    if kind == "command":
        done = await changing.command(server, person, match_id, Command.model_validate(data))
        return {"entry": done.entry, "repeated": done.repeated}
    if kind == "chat":
        return await chatting.say(server, person, match_id, Say.model_validate(data))
    if kind == "peace":
        return await peace.offer(server, person, match_id, OfferPeace.model_validate(data))
    if kind == "answer_peace":
        return await peace.answer(server, person, match_id, AnswerPeace.model_validate(data))
    if kind == "why_not":
        return await questions.why_not(server, person, match_id, WhyNotQuery.model_validate(data))
    if kind == "warning":
        return await questions.warning(server, person, match_id, WarningQuery.model_validate(data))
    if kind == "threats":
        return await threats.threats(server, person, match_id, HintQuery.model_validate(data))
    if kind == "hint":
        return await hints.hint(server, person, match_id, HintQuery.model_validate(data))
    if kind == "gestures":
        return await questions.gestures(server, person, match_id, WhatIfQuery.model_validate(data))
    if kind == "advice":
        return await questions.advice(server, person, match_id, AdviceQuery.model_validate(data))
    return await questions.what_if(server, person, match_id, WhatIfQuery.model_validate(data))


def explain(error: ValidationError) -> str:
    """What is wrong with a message, without repeating what was sent."""
    first = error.errors(include_input=False, include_url=False, include_context=False)[0]
    place = ".".join(str(p) for p in first["loc"])
    return f"{place[:60]}: {first['msg'][:160]}" if place else str(first["msg"])[:200]
