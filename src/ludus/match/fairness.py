"""Fair dice: a commitment before, a proof after.

The house draws a 128-bit key and shows SHA-256(match id | key) before any client gives its nonce.
Outcome i comes from HMAC-SHA256(key, nonces | i).  So the house cannot choose the dice after it has
seen the nonces, and no client can know them before the key is shown, when the match is over.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence

from ludus.core.chance import Keyed

KEY_BYTES = 16
NONCE_BYTES = 16


def new_key() -> bytes:
    return secrets.token_bytes(KEY_BYTES)


def new_nonce() -> bytes:
    """What a client contributes; a client may make its own."""
    return secrets.token_bytes(NONCE_BYTES)


def commitment(match_id: str, key: bytes) -> str:
    """What is published before the nonces are given."""
    return hashlib.sha256(match_id.encode() + key).hexdigest()


def source(key: bytes, nonces: Sequence[bytes]) -> Keyed:
    """The numbers of a match whose seats gave these nonces, in the order of the seats."""
    return Keyed(key, nonces)
