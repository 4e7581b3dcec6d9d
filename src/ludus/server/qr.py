"""A link of this server as a QR code, for the camera of a phone."""

from __future__ import annotations

from io import BytesIO
from urllib.parse import urlsplit

import segno

from .errors import Invalid

OURS = ("/m/", "/pass")  # what is worth a picture: a table, and one's own way to another device


def draw(link: str, host: str) -> str:
    """The code as SVG, black on white with its quiet zone; Invalid for a link that is not ours.

    >>> draw("https://ludus.example/m/abc#invite=x", "ludus.example").startswith("<svg ")
    True
    """
    parts = urlsplit(link)
    ours = parts.netloc == host and parts.path.startswith(OURS)
    if parts.scheme not in ("http", "https") or not ours:
        raise Invalid("only links to a table of this server, or to take a seat along, become a picture")
    out = BytesIO()
    code = segno.make(link, error="m", micro=False)
    code.save(out, kind="svg", xmldecl=False, nl=False, border=4, light="#fff", omitsize=True)
    return out.getvalue().decode()
