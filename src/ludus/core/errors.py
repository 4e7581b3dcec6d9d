"""What can go wrong, each with a sentence for the person who caused it."""

from __future__ import annotations

from collections.abc import Sequence


class LudusError(Exception):
    """Base of every error that is meant to be read by a person."""


class LayoutError(LudusError):
    """A position or a box does not fit its layout."""


class OptionError(LudusError):
    """An option that a title does not have, a value that it does not take, or (by a rule) values that do
    not go together."""

    def __init__(self, what: str, rule: str = "") -> None:
        self.rule = rule
        super().__init__(what)


class FormatError(LudusError):
    """A file or text that cannot be read: where, and why; `key` names a reason that other languages have."""

    def __init__(self, reason: str, line: int = 0, source: str = "", key: str = "") -> None:
        self.reason, self.line, self.source, self.key = reason, line, source, key
        place = f"line {line}" if line else ""
        where = ", ".join(part for part in (source, place) if part)
        super().__init__(f"{where}: {reason}" if where else reason)


class IllegalAction(LudusError):
    """An action that may not be played now: what is wrong, which rule says so, what is legal."""

    def __init__(self, what: str, rule: str = "", legal: Sequence[str] = ()) -> None:
        self.what, self.rule, self.legal = what, rule, tuple(legal)
        shown = ", ".join(self.legal[:12]) + (", ..." if len(self.legal) > 12 else "")
        said = f"{what} (rule {rule})" if rule else what
        stop = "" if said.endswith((".", "!", "?", ")")) else "."
        super().__init__(f"{said}{stop} Legal now: {shown}." if shown else said)
