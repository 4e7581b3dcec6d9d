"""Running the server: uvicorn with our settings."""

from __future__ import annotations

import errno
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
from .greeting import address, greeting, has_display
from .settings import Settings
from .socket import MAX_MESSAGE

BACKLOG = 256  # connections that the system accepts before we look
PLACES = 8000
SWITCH = 0.001  # seconds after which a thread that wants to write need not wait for the event loop any longer
PING = 10.0  # seconds between two pings of a socket, and until the answer must be there
TRIES = 20  # ports that are tried one after the other where none was asked for
FILES = 128  # that the server itself has open: database, bots, pages


class CannotListen(LudusError):
    """The port is taken, or the address is not ours."""


def serve(settings: Settings, browser: bool = False, search: bool = False) -> None:
    """Serve until Ctrl-C or SIGTERM; people's sockets are closed politely and come back later.

    `search`: nobody asked for this port, so where it is taken one of the next will do.
    """
    logs.set_up(settings.log)
    listener = _listen(settings, TRIES if search else 1)
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
        ws_ping_interval=PING,
        ws_ping_timeout=PING,
        timeout_keep_alive=math.ceil(3 * settings.patience),
        timeout_graceful_shutdown=5,
    )
    person = sys.stdout.isatty()
    if person:
        print("\n".join(greeting(settings, port, app.state.server.store, has_display())), flush=True)
    else:
        print(f"Ludus: {address(settings, port)}   (Ctrl-C ends it)", flush=True)
    if browser and has_display():
        threading.Timer(0.8, _open_browser, [address(settings, port)]).start()
    _tame_the_collector()
    sys.setswitchinterval(SWITCH)
    try:
        uvicorn.Server(config).run(sockets=[listener])
    except KeyboardInterrupt:  # it has closed everything by now
        if person:
            print("\nLudus is closed; all matches are kept.", flush=True)


def _open_browser(shown: str) -> None:
    if not webbrowser.open(shown):
        print(f"No browser could be opened: open {shown} yourself.", flush=True)


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
    so full collections come by the hour (`background`), not by the number of new objects.  New ones are
    looked at a few at a time: of 50,000 at once, all of them told stories, it took a fifth of a second.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 200, 1_000_000)


def _listen(settings: Settings, tries: int = 1) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    for port in range(settings.port, settings.port + tries):
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((settings.host, port))
            listener.listen(BACKLOG)
        except OSError as error:
            listener.close()
            if error.errno != errno.EADDRINUSE or port + 1 == settings.port + tries:
                raise CannotListen(_what_to_do(settings, error)) from None
        else:
            listener.set_inheritable(False)
            return listener
    raise AssertionError("the last try returns or raises")


def _what_to_do(settings: Settings, error: OSError) -> str:
    host, port = settings.host, settings.port
    if error.errno == errno.EADDRINUSE:
        return (
            f"port {port} is taken, perhaps by Ludus itself: look at {address(settings, port)}, "
            f"or take another port: --port {port + 1}, --port 0 for any that is free"
        )
    if error.errno == errno.EACCES:
        return f"port {port} is not for everybody: take one from 1024 on, --port 8000 for example"
    if error.errno == errno.EADDRNOTAVAIL:
        return (
            f"{host} is no address of this machine: --host 127.0.0.1 opens Ludus for this machine alone, "
            "--host 0.0.0.0 for its network"
        )
    return f"cannot listen on {host}:{port}: {error.strerror}"
