"""Running the server: uvicorn with our settings."""

from __future__ import annotations

import gc
import math
import socket
import sys
import threading
import webbrowser

import uvicorn

from ludus.core.errors import LudusError

from . import logs
from .app import make_app
from .connections import Config, Lines
from .settings import Settings
from .socket import MAX_MESSAGE

BACKLOG = 256  # connections that the system accepts before we look
PLACES = 8000
FILES = 128  # that the server itself has open: database, bots, pages


class CannotListen(LudusError):
    """The port is taken, or the address is not ours."""


def serve(settings: Settings, browser: bool = False) -> None:
    """Serve until Ctrl-C or SIGTERM; people's sockets are closed politely and come back later."""
    logs.set_up(settings.log)
    listener = _listen(settings)
    port = listener.getsockname()[1]
    app = make_app(settings)
    lines = Lines(
        settings.connections or places(),
        settings.patience,
        settings.limits,
        settings.proxies(),
        app.state.server.metrics,
    )
    config = Config(
        app,
        lines,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # the guard decides whom to believe
        ws_max_size=MAX_MESSAGE,
        ws_per_message_deflate=False,
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        timeout_keep_alive=math.ceil(3 * settings.patience),
        timeout_graceful_shutdown=5,
    )
    shown = f"http://{'127.0.0.1' if settings.host in ('0.0.0.0', '::') else settings.host}:{port}/"
    print(f"Ludus: {settings.public_url or shown}   (Ctrl-C ends it)", flush=True)
    if browser:
        threading.Timer(0.8, webbrowser.open, [shown]).start()
    _tame_the_collector()
    uvicorn.Server(config).run(sockets=[listener])


def places() -> int:
    """How many connections the system lets us hold, and as many files as it may give us."""
    if sys.platform == "win32":
        return 400
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = PLACES + BACKLOG + FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft == resource.RLIM_INFINITY:
        return PLACES
    return max(16, min(PLACES, soft - BACKLOG - FILES))


def _tame_the_collector() -> None:
    """Full collections stop everybody for as long as it takes to look at every object of every match.

    What is loaded now stays for ever and is not looked at again; the rest is seldom garbage in a circle,
    so full collections come by the hour (`background`), not by the number of new objects.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 1_000_000)


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise CannotListen(f"cannot listen on {settings.host}:{settings.port}: {error.strerror}") from None
    listener.set_inheritable(False)
    return listener
