"""One structured line a request and a command: JSON on standard error, never a face, view or secret.

At a terminal somebody reads: there a line is a sentence, and only what is wrong is told, unless JSON is asked
for.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from typing import Any

_log = logging.getLogger("ludus.server")
# Only these may be written: a new field is a decision, not an accident.
FIELDS = frozenset(
    {"event", "method", "route", "status", "ms", "address", "person", "match", "do", "seat", "entry"}
    | {"repeated", "code", "reason", "problem", "version", "db", "port", "matches", "seconds"}
    | {"bot", "title", "worker"}
)


# What is wrong, in words; the fields that follow say the rest.
_SAID = {
    "store": "the database does not answer",
    "fault": "something is wrong with Ludus itself; the match goes on",
    "rules": "rules could not be compiled, and run as they are",
    "title": "a title cannot be used",
    "lesson": "a lesson does not fit the rules, and is left out",
    "puzzle": "a puzzle does not fit the rules, and is left out",
    "bot": "a bot has failed, and another one played for it",
    "stuck": "a match cannot be played on (ludus admin stuck tells why)",
    "full": "too many connections; the one that waited longest was closed",
    "socket": "a connection was refused",
}
_readable = False


def set_up(level: str) -> None:
    """Lines to standard error; `off` for tests."""
    global _readable
    _readable = level == "auto" and sys.stderr.isatty()
    if level == "auto":
        level = "warning" if _readable else "info"
    _log.handlers.clear()
    _log.propagate = False
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(message)s"))
    _log.addHandler(handler)
    _log.setLevel({"info": logging.INFO, "warning": logging.WARNING}.get(level, logging.CRITICAL + 1))


def line(event: str, warning: bool = False, **facts: Any) -> None:
    """Write one line."""
    unknown = facts.keys() - FIELDS
    if unknown:
        raise ValueError(f"no log line may hold {', '.join(sorted(unknown))}")
    level = logging.WARNING if warning else logging.INFO
    if _log.isEnabledFor(level):
        kept = {k: v for k, v in facts.items() if v is not None}
        _log.log(level, _sentence(event, kept) if _readable else _json(event, kept))


def _json(event: str, facts: dict[str, Any]) -> str:
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime()) + "Z"
    return json.dumps({"time": stamp, "event": event, **facts}, ensure_ascii=False)


def _sentence(event: str, facts: dict[str, Any]) -> str:
    told = ", ".join(f"{name} {value}" for name, value in facts.items())
    said = _SAID.get(event, event)
    return f"{time.strftime('%H:%M:%S')}  {said}: {told}" if told else f"{time.strftime('%H:%M:%S')}  {said}"


DOWN = "the database does not answer; nothing was changed, try again"
_last_down = 0.0


def store_down(error: BaseException) -> None:
    """The database is away: once a second is enough.  Clients are told `DOWN`, not where it is."""
    global _last_down
    if time.monotonic() - _last_down > 1.0:
        _last_down = time.monotonic()
        line("store", warning=True, reason=str(error))


def failure(event: str, error: BaseException, **facts: Any) -> None:
    """A fault of ours: the kind of error and its place, never its text, which may hold a position."""
    place = ""
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        place = f"{code.co_filename.rsplit('/', 1)[-1]}:{trace.tb_lineno} {code.co_name}"
        trace = trace.tb_next
    line(event, warning=True, problem=f"{type(error).__name__} at {place}", **facts)
