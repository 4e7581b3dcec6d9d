"""The match file: one human-readable text file a match, which reads back to the same hash.

A finished match is written whole, with the key that proves its dice.  An unfinished one holds one
seat's faces only, whoever asks.  A save, which stays on the machine of those who play, is whole and says that
all hands can be read.
A file of an older rules version is played again like any other.  If it plays out as it was written, it is a
match as good as new; if not, what it says can still be read (`MatchFile.changed`).

A match that began from a position has it in the file with its SHA-256, where the file is whole; else it says
only that there was one, since hands may lie in it.
Lines that begin with # are comments and are kept.  Boards, decks and prices that somebody typed in stand in
the file too, with their SHA-256, so that it can be replayed anywhere.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ludus.core.chance import CHANCE, SPECTATOR, Seeded, Source
from ludus.core.errors import FormatError, LudusError
from ludus.core.game import Game
from ludus.core.own import sha256
from ludus.core.starting import write_start
from ludus.core.title import Title

from . import fairness
from .entries import Entry, read_entry
from .match import Match, Setting, read_setting

MAGIC = "ludus match"
FORMAT = 1
WHOLE = "whole"
SAME_SCREEN = "same screen: all hands, and the key of dice to come, can be read in this file"
ONE_SEAT = "seat {seat}: only what this seat saw, until the match is over"
START_HIDDEN = "hidden until the match is over"
SPECTATORS = "spectator: only what everybody saw, until the match is over"
MAX_CHARS = 4_000_000

FindTitle = Callable[[str], Title[Any, Any]]


@dataclass
class MatchFile:
    """What a match file says: its entries as they are written, and, where it is whole and the rules can play
    it again, the `match` that they stand for."""

    title: Title[Any, Any]
    setting: Setting
    rules: int  # the version of the rules that it was played with
    scope: str
    match_id: str
    commitment: str
    entries: list[Entry] = field(default_factory=list)
    match: Match | None = None
    changed: str = ""  # why rules that have changed since cannot play it again
    comments: dict[int, list[str]] = field(default_factory=dict)  # by the entry they follow

    @property
    def older(self) -> bool:
        return self.rules < self.title.version

    def give_up(self, reason: str) -> None:
        """The present rules do not play it as it was played: what is written remains."""
        self.match = None
        self.changed = (
            f"rules version {self.rules} of {self.title.name} is older than this Ludus, which has "
            f"{self.title.version}, and the match would replay differently: {reason}"
        )


# -- writing ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sheet:
    """What is written into a file, whether a match can still be played again or not."""

    title: str
    rules: int
    seats: int
    names: Sequence[str]
    options: Mapping[str, Any]
    box: str  # the hash of the box
    scope: str
    entries: Sequence[Entry]
    match_id: str = ""
    commitment: str = ""
    nonces: Sequence[str] = ()
    seed: int | None = None
    box_name: str = ""
    data: str = ""
    start: str = ""  # the position it began from, or START_HIDDEN
    result: str = ""  # "" while it goes on
    ending: str = ""
    key: str = ""  # "" while it is secret
    hash: str = ""  # of the last position; "" where only a part is written


def write_match(match: Match, seat: int = SPECTATOR, comments: dict[int, list[str]] | None = None) -> str:
    """The match file of a match: whole when it is over, else what `seat` may know."""
    return write_sheet(_sheet(match, seat, match.over), comments)


def save_match(match: Match, comments: dict[int, list[str]] | None = None) -> str:
    """All of a match, over or not, to go on with it: also the key of dice to come.  Never for a server."""
    return write_sheet(_sheet(match, SPECTATOR, whole=True), comments)


def _sheet(match: Match, seat: int, whole: bool) -> Sheet:
    setting, title = match.setting, match.setting.title
    simulated = match.seed is not None
    shown = (
        entry if whole or face is None else Entry(entry.number, entry.who, face.text)
        for entry, face in match.faces(seat)
    )
    return Sheet(
        title.name, title.version, setting.seats, setting.names, setting.options,
        box=setting.box_hash(),
        scope=scope_of(seat, match.over, whole),
        entries=list(shown),
        match_id=match.match_id,
        commitment="" if simulated else fairness.commitment(match.match_id, match.key),
        nonces=[nonce.hex() for nonce in match.nonces],
        seed=match.seed,
        box_name=setting.box_name,
        data=setting.data,
        start=shown_start(setting.start, whole),
        result=" ".join(str(r) for r in match.result or ()),
        ending=match.ending,
        key=match.key.hex() if whole else "",
        hash=match.game.hash() if whole else "",
    )  # fmt: skip


def shown_start(start: str, whole: bool) -> str:
    """What a file says of the position that a match began from: hands may lie in it."""
    return start if whole or not start else START_HIDDEN


def write_sheet(sheet: Sheet, comments: dict[int, list[str]] | None = None) -> str:
    """The text of a file."""
    lines = [f"{MAGIC} {FORMAT}", *_header(sheet), ""]
    notes = comments or {}
    lines.extend(_comment_lines(notes, 0))
    for entry in sheet.entries:
        lines.append(entry.line())
        lines.extend(_comment_lines(notes, entry.number))
    lines.append("")
    tail = {"result": sheet.result, "ending": sheet.ending, "key": sheet.key, "hash": sheet.hash}
    lines += [f"{key}: {value}" for key, value in tail.items() if value]
    return "\n".join([*lines, f"entries: {len(sheet.entries)}", "end", ""])


def _header(sheet: Sheet) -> Iterator[str]:
    yield f"title: {sheet.title}"
    yield f"rules: {sheet.rules}"
    yield f"seats: {sheet.seats}"
    yield f"names: {json.dumps(list(sheet.names), ensure_ascii=False)}"
    yield f"options: {' '.join(f'{k}={v}' for k, v in sheet.options.items())}".rstrip()
    if sheet.box_name:
        yield f"boxname: {sheet.box_name}"
    if sheet.data:
        yield f"datahash: {sha256(sheet.data)}"
        yield f"data: {sheet.data}"
    if sheet.start == START_HIDDEN:
        yield f"start: {START_HIDDEN}"
    elif sheet.start:
        yield f"starthash: {sha256(sheet.start)}"
        yield f"start: {sheet.start}"
    yield f"box: {sheet.box}"
    yield f"scope: {sheet.scope}"
    if sheet.seed is not None:
        yield f"seed: {sheet.seed}"
    else:
        yield f"match: {sheet.match_id}"
        yield f"commitment: {sheet.commitment}"
        yield f"nonces: {' '.join(sheet.nonces)}"


def scope_of(seat: int, over: bool, whole: bool) -> str:
    """How much a file tells."""
    if over:
        return WHOLE
    if whole:
        return SAME_SCREEN
    return SPECTATORS if seat == SPECTATOR else ONE_SEAT.format(seat=seat)


def _comment_lines(comments: dict[int, list[str]], number: int) -> Iterator[str]:
    for text in comments.get(number, ()):
        yield from (f"# {line}".rstrip() for line in text.splitlines() or [""])


def write_game(
    game: Game[Any, Any], options: Mapping[str, Any], box_name: str = "", note: str = "", data: str = ""
) -> str:
    """A game of the API or the kit as a match file: its dice come from its seed.

    The options, or the name of a small box, must be those that the game was made from.
    """
    began = game.title.position.unpack(game.start())
    start = "" if game.is_new else write_start(game.title, game.box, began)
    setting = replace(read_setting(game.title, game.seats, options, (), box_name, data), start=start)
    match = Match(setting, Seeded(game.seed), seed=game.seed, replaying=True)
    for number, played in enumerate(game.line, 1):
        match.read_entry(Entry(number, played.seat, game.title.codes.text(played.code, game.labels)))
    return save_match(match, {0: [note]} if note else None)


# -- reading ----------------------------------------------------------------------------------------


class _Lines:
    """The lines of a file with their numbers, comments taken out and kept."""

    def __init__(self, text: str) -> None:
        self.rows = text.splitlines()
        self.at = 0
        self.entry = 0
        self.comments: dict[int, list[str]] = {}

    def __iter__(self) -> Iterator[tuple[int, str]]:
        while self.at < len(self.rows):
            row = self.rows[self.at].rstrip()
            self.at += 1
            if row.startswith("#"):
                self.comments.setdefault(self.entry, []).append(row[1:].removeprefix(" "))
            elif row:
                yield self.at, row


def read_match(text: str, find: FindTitle, source: str = "") -> MatchFile:
    """Read a match file and play it again; FormatError names the line and the reason."""
    if len(text) > MAX_CHARS:
        raise FormatError(f"the file is longer than {MAX_CHARS} characters; no match is", source=source)
    lines = _Lines(text)
    try:
        return _read(lines, find)
    except FormatError as error:
        raise FormatError(error.reason, error.line or lines.at, source, error.key) from None
    except LudusError as error:
        raise FormatError(str(error), lines.at, source) from None


def _read(lines: _Lines, find: FindTitle) -> MatchFile:
    rows = iter(lines)
    _read_magic(next(rows, (1, ""))[1])
    head: dict[str, str] = {}
    tail: dict[str, str] = {}
    file: MatchFile | None = None
    for _, row in rows:
        if row == "end":
            break
        key, colon, value = row.partition(":")
        is_pair = bool(colon) and key.isalpha()
        if is_pair and file is None:
            head[key] = value.strip()
        elif is_pair:
            tail[key] = value.strip()
        else:
            file = file or _begin(head, find)
            lines.entry += 1
            _read_row(file, read_entry(row, lines.entry))
    else:
        raise FormatError("the file is cut off: the line 'end' is missing", key="cut_off")
    file = file or _begin({k: v for k, v in head.items() if k not in _TAIL}, find)
    tail = tail or {k: v for k, v in head.items() if k in _TAIL}
    _read_tail(file, tail)
    file.comments = lines.comments
    return file


_TAIL = ("result", "ending", "key", "hash", "entries")


def _read_magic(row: str) -> None:
    if not row.startswith(MAGIC + " "):
        raise FormatError(
            f"this is no match file: it should begin with '{MAGIC} {FORMAT}'", 1, key="no_match"
        )
    number = row.removeprefix(MAGIC).strip()
    if not (number.isascii() and number.isdigit()) or int(number) > FORMAT:
        told = f"format {number!r:.20} is newer than this Ludus, which reads format {FORMAT}"
        raise FormatError(told, 1, key="newer")


def _need(head: dict[str, str], key: str) -> str:
    if key not in head:
        raise FormatError(f"the line '{key}: ...' is missing")
    return head[key]


def _whole_number(head: dict[str, str], key: str) -> int:
    value = _need(head, key)
    if not value.isascii() or not value.isdigit() or len(value) > 30:
        raise FormatError(f"{key} must be a whole number, not {value!r:.30}")
    return int(value)


def _bytes(text: str, key: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise FormatError(f"{key} must be hexadecimal, not {text!r:.40}") from None


def _begin(head: dict[str, str], find: FindTitle) -> MatchFile:
    title, rules = find(_need(head, "title")), _whole_number(head, "rules")
    if rules > title.version:
        raise FormatError(
            f"rules version {rules} of {title.name} is newer than this Ludus, which has {title.version}",
            key="newer",
        )
    scope = _need(head, "scope")
    if scope not in (WHOLE, SAME_SCREEN) and not scope.startswith(("seat ", "spectator:")):
        raise FormatError(f"unknown scope {scope!r:.60}")
    file = MatchFile(
        title, _written_setting(title, head), rules, scope, head.get("match", ""), head.get("commitment", "")
    )
    try:
        file.setting = _setting(title, head)
    except LudusError as error:
        if not file.older:
            raise
        file.give_up(error.reason if isinstance(error, FormatError) else str(error))
    if scope in (WHOLE, SAME_SCREEN) and not file.changed:
        file.match = _new_match(file.setting, head)
    return file


def _options(head: dict[str, str]) -> dict[str, str]:
    return dict(pair.split("=", 1) for pair in _need(head, "options").split() if "=" in pair)


def _written_setting(title: Title[Any, Any], head: dict[str, str]) -> Setting:
    """What the file says that it was begun with, whether that is still possible or not."""
    names = _read_names(_need(head, "names"))
    data = _read_data(head)
    box_name = head.get("boxname", "")
    start = _read_start(head)
    return Setting(title, _whole_number(head, "seats"), _options(head), tuple(names), box_name, data, start)


def _setting(title: Title[Any, Any], head: dict[str, str]) -> Setting:
    """The same, checked."""
    written = _written_setting(title, head)
    options = title.recorded(written.options)
    start = "" if written.start == START_HIDDEN else written.start
    setting = read_setting(
        title, written.seats, options, written.names, written.box_name, written.data, start
    )
    if setting.start != start:
        raise FormatError("the position in this file is not written as a match carries it")
    if setting.data != written.data:
        raise FormatError("the data in this file are not written as a match carries them")
    if setting.box_hash() != _need(head, "box"):
        told = "the data of this title have changed since the match was written (box differs)"
        raise FormatError(told, key="changed")
    return setting


def _read_data(head: dict[str, str]) -> str:
    """The own data that a match carries: they must be those that it was played with."""
    if "data" not in head and "datahash" not in head:
        return ""
    text = _need(head, "data")
    if sha256(text) != _need(head, "datahash"):
        raise FormatError(
            "the data in this file are not those of the match: they were changed (SHA-256 differs)",
            key="changed",
        )
    return text


def _read_start(head: dict[str, str]) -> str:
    """The position that a match began from: it must be the one that it was played from."""
    if "start" not in head and "starthash" not in head:
        return ""
    text = _need(head, "start")
    if text != START_HIDDEN and sha256(text) != _need(head, "starthash"):
        raise FormatError(
            "the position that this match began from was changed (SHA-256 differs)", key="changed"
        )
    return text


def _read_names(text: str) -> list[str]:
    try:
        names = json.loads(text)
    except ValueError:
        names = None
    if not isinstance(names, list) or not all(isinstance(n, str) for n in names):
        raise FormatError(f"names must be a list of texts in quotes, not {text!r:.60}")
    return names


def _new_match(setting: Setting, head: dict[str, str]) -> Match:
    if "seed" in head:
        seed = _whole_number(head, "seed")
        source: Source = Seeded(seed)
        return Match(setting, source, seed=seed, replaying=True)
    nonces = [_bytes(part, "nonces") for part in _need(head, "nonces").split()]
    _need(head, "match")
    _need(head, "commitment")
    return Match(setting, Seeded(0), head["match"], nonces=nonces, replaying=True)


def _read_row(file: MatchFile, entry: Entry) -> None:
    file.entries.append(entry)
    if file.match is None:
        return
    try:
        file.match.read_entry(entry)
    except LudusError as error:
        if not file.older:
            raise
        file.give_up(f"entry {entry.number}: {error}")


def _read_tail(file: MatchFile, tail: dict[str, str]) -> None:
    if _whole_number(tail, "entries") != len(file.entries):
        raise FormatError(f"the file has {len(file.entries)} entries and says {tail['entries']}")
    match = file.match
    if match is None:
        return
    try:
        _compare(match, tail, file.scope)
    except FormatError as error:
        if not file.older:
            raise
        file.give_up(error.reason)
    if "key" in tail:
        match.key = _bytes(tail["key"], "key")
        match.game.source = fairness.source(match.key, match.nonces)


def _compare(match: Match, tail: dict[str, str], scope: str) -> None:
    """What came out must be what the file says."""
    if match.game.hash() != _need(tail, "hash"):
        raise FormatError("the last position is not the one that the match had (hash differs)", key="hash")
    result = " ".join(str(r) for r in match.result) if match.result is not None else ""
    if tail.get("result", "") != result:
        raise FormatError(f"the result is {result or 'open'}, the file says {tail.get('result') or 'open'}")
    if tail.get("ending", "") != match.ending:
        raise FormatError(f"the ending is {match.ending or 'open'}, the file says {tail.get('ending')}")
    if scope == WHOLE and not match.over:
        raise FormatError("the file says that the match is over, and it is not")


# -- the proof of the dice ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Proof:
    """What verifying a file found: how many outcomes were derived again, and what is wrong."""

    outcomes: int
    problem: str = ""
    entry: int = 0

    @property
    def good(self) -> bool:
        return not self.problem


def verify(file: MatchFile) -> Proof:
    """Derive every outcome of chance again from the key and the nonces, or from the seed.

    Undone outcomes count too: taking back never gives new dice.
    """
    match = file.match
    if file.changed:
        return Proof(0, file.changed)
    if match is None:
        return Proof(0, "this file holds one seat's faces only; the dice can be verified when it is over")
    if match.seed is None and not match.key:
        return Proof(0, "the match is not over, so its key is still secret")
    if match.seed is None and fairness.commitment(match.match_id, match.key) != file.commitment:
        return Proof(0, "the key does not belong to the commitment that was published before the match")
    source: Source = fairness.source(match.key, match.nonces) if match.seed is None else Seeded(match.seed)
    again = Match(file.setting, source, seed=0, replaying=True)
    outcomes = 0
    for entry in match.entries:
        if entry.who == CHANCE:
            drawn = again.game.title.codes.text(again.game.draw(), again.game.labels)
            if drawn != entry.text:
                return Proof(
                    outcomes, f"the dice gave {drawn!r}, the record says {entry.text!r}", entry.number
                )
            outcomes += 1
        again.read_entry(entry)
    return Proof(outcomes)
