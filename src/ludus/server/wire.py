"""JSON as it goes over the wire."""

from __future__ import annotations

from typing import Any

import orjson
from fastapi.responses import Response


def encode(message: Any) -> bytes:
    """A message as bytes.  Numbers and lists of the rules' own kinds are written as what they are."""
    return orjson.dumps(message, option=orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_NON_STR_KEYS)


def decode(text: str | bytes) -> Any:
    r"""The message of a text; ValueError when it is none, or holds half a character ("\ud800"), which nobody
    could be told again."""
    return orjson.loads(text)


class Json(Response):
    """An answer that is JSON already, or becomes it without being looked through first."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return content if isinstance(content, bytes) else encode(content)
