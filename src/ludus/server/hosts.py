"""By which names this server may be called.

A page of anybody can give its own name the address of this machine (DNS rebinding) and then talks to us as
if it were ours.  So a request must name us in a way that only this machine, its network or whoever runs the
server can give: an address, a name without a dot, a local name, or one that was named in the settings.
"""

from __future__ import annotations

import re
import socket
from ipaddress import ip_address
from urllib.parse import urlsplit

from .settings import Settings

# Endings that no public name server answers for (RFC 6761, 6762, 8375; "internal" is reserved by ICANN).
LOCAL = (".localhost", ".local", ".home.arpa", ".internal", ".test")
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(:[0-9]{1,5})?")


def name_in(host: str) -> str:
    """The name or address in a Host header, without its port; nothing if it is none.

    >>> name_in("Ludus.Example:8000"), name_in("[::1]:8000"), name_in("a b"), name_in("")
    ('ludus.example', '::1', '', '')
    """
    found = _HOST.fullmatch(host.strip().lower())
    return found[1].strip("[]").rstrip(".") if found else ""


class Hosts:
    def __init__(self, settings: Settings) -> None:
        given = [part.strip() for part in settings.allow_host.split(",")]
        self.any = "*" in given
        pages = [urlsplit(origin).hostname or "" for origin in settings.allowed_origins()]
        self.names = {name_in(name) for name in (socket.gethostname(), *given, *pages)} - {""}

    def knows(self, host: str) -> bool:
        name = name_in(host)
        if not name:
            return False
        return self.any or name in self.names or "." not in name or name.endswith(LOCAL) or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
