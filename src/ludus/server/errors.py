"""What a client did wrong, each with the status that HTTP has for it."""

from __future__ import annotations

from ludus.core.errors import IllegalAction, LudusError
from ludus.core.starting import BadPosition
from ludus.match.match import NotAllowed, Stale
from ludus.store.names import BadName
from ludus.store.opening import Unplayable
from ludus.store.people import NameTaken


class Refusal(LudusError):
    """A request that cannot be granted."""

    status, code = 409, "not allowed"


class Unknown(Refusal):
    status, code = 404, "unknown"


class NoIdentity(Refusal):
    status, code = 401, "identity"


class Forbidden(Refusal):
    status, code = 403, "forbidden"


class Invalid(Refusal):
    status, code = 422, "invalid"


STATUS: dict[type[LudusError], tuple[int, str]] = {
    Stale: (409, "stale"),
    NotAllowed: (409, "not allowed"),
    IllegalAction: (422, "illegal"),
    Unplayable: (409, "unplayable"),
    NameTaken: (409, "name taken"),
    BadName: (422, "invalid"),
}


def answer(error: LudusError) -> tuple[int, dict[str, str]]:
    """The status and body of an error.  An illegal action names the rule that forbids it,
    an impossible position the field and the invariant."""
    if isinstance(error, Refusal):
        return error.status, {"error": error.code, "reason": str(error)}
    status, code = STATUS.get(type(error), (422, "invalid"))
    body = {"error": code, "reason": getattr(error, "what", str(error))}
    if rule := getattr(error, "rule", ""):
        body["rule"] = rule
    if isinstance(error, BadPosition):
        body |= {"field": error.field, "invariant": str(error.invariant or "")}
    return status, body
