"""Reading JSON from strangers: what is let in can be stored, and said again to others."""

from __future__ import annotations

import json
from typing import Any


def read_json(text: str | bytes) -> Any:
    r"""The data, or ValueError: also for half a character ("\ud800"), which cannot be encoded again.

    >>> read_json('["\\ud83c\\udfdb"]')
    ['🏛']
    >>> read_json('["\\ud83c"]')
    Traceback (most recent call last):
        ...
    ValueError: half a character
    """
    try:
        data = json.loads(text)
        if may_hold_half_characters(text):
            json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("half a character") from None
    except RecursionError:
        raise ValueError("too deep") from None
    return data


def may_hold_half_characters(text: str | bytes) -> bool:
    r"""Whether it is worth looking: they come as \ud800 to \udfff only, the text itself is UTF-8."""
    return ("\\ud" in text.lower()) if isinstance(text, str) else (b"\\ud" in text.lower())
