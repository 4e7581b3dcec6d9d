"""What somebody at a terminal is told when the server opens: where it is, who can join, how to stop."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Mapping
from pathlib import Path

from ludus.store import Store

from .settings import Settings

EVERYWHERE = ("0.0.0.0", "::")
HERE = ("127.0.0.1", "::1", "localhost")


def address(settings: Settings, port: int) -> str:
    """What to type into a browser on this machine."""
    return settings.public_url or _url("127.0.0.1" if settings.host in EVERYWHERE else settings.host, port)


def greeting(settings: Settings, port: int, store: Store, display: bool) -> list[str]:
    """The lines for a person."""
    lines = [f"Ludus is open: {address(settings, port)}", ""]
    if port != settings.port and settings.port:
        lines.insert(1, f"(Port {settings.port} is taken, so this is {port}.)")
    facts = {
        "Friends": _friends(settings, port),
        "Browser": "" if display else _no_display(settings, port),
        "Matches": f"are kept in {_kept(store)}",
        "Stop": "with Ctrl-C; matches go on next time",
    }
    return lines + [f"  {name:<8} {told}" for name, told in facts.items() if told]


def has_display(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> bool:
    """Whether a browser could open a window; else the system would look for one in the terminal."""
    if platform in ("darwin", "win32"):
        return True
    return any(environment.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"))


def network_address() -> str:
    """The address of this machine in its network, "" where there is none.  Nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(("192.0.2.1", 9))
            found = str(asking.getsockname()[0])
        except OSError:
            return ""
    return "" if found.startswith(("127.", "0.")) else found


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _friends(settings: Settings, port: int) -> str:
    if settings.public_url:
        return f"open {settings.public_url}"
    if settings.host not in (*EVERYWHERE, *HERE):
        return f"on the same network open {_url(settings.host, port)}"
    found = network_address()
    if not found:
        return "this machine has no network; with one, `ludus serve --host 0.0.0.0` lets them in"
    if settings.host in EVERYWHERE:
        return f"on the same network open {_url(found, port)}"
    asked = "" if port == 8000 else f" --port {port}"
    return (
        f"on the same network: stop, start `ludus serve --host 0.0.0.0{asked}`; they open {_url(found, port)}"
    )


def _no_display(settings: Settings, port: int) -> str:
    told = "there is no display here: open the address above yourself"
    if settings.host not in HERE:
        return told
    return f"{told}, from another machine after `ssh -L {port}:127.0.0.1:{port} {socket.gethostname()}`"


def _kept(store: Store) -> str:
    if not store.sqlite:
        return store.name
    path, home = Path(str(store.url.database)).resolve(), Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)
