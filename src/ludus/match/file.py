"""The match file: one human-readable text file a match, which reads back to the same hash.

A finished match is written whole, with the key that proves its dice.  An unfinished one holds one
seat's faces only; a match on the same screen is written whole and says that all hands can be read.
Lines that begin with # are comments and are kept.  Boards, decks and prices that somebody typed in stand in
the file too, with their SHA-256, so that it can be replayed anywhere.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ludus.core.chance import CHANCE, SPECTATOR, Seeded, Source
from ludus.core.errors import FormatError, LudusError
from ludus.core.game import Game
from ludus.core.own import sha256
from ludus.core.title import Title

from . import fairness
from .entries import Entry, read_entry
from .match import Match, Setting, read_setting

MAGIC = "ludus match"
FORMAT = 1
WHOLE = "whole"
SAME_SCREEN = "same screen: all hands, and the key of dice to come, can be read in this file"
ONE_SEAT = "seat {seat}: only what this seat saw, until the match is over"
SPECTATORS = "spectator: only what everybody saw, until the match is over"
MAX_CHARS = 4_000_000

FindTitle = Callable[[str], Title[Any, Any]]


@dataclass
class MatchFile:
    """What a match file says.  `match` is there when the file is whole, `faces` when it is not."""

    title: Title[Any, Any]
    setting: Setting
    scope: str
    match_id: str
    commitment: str
    faces: list[Entry] = field(default_factory=list)
    match: Match | None = None
    comments: dict[int, list[str]] = field(default_factory=dict)  # by the entry they follow

    @property
    def whole(self) -> bool:
        return self.match is not None


# -- writing ----------------------------------------------------------------------------------------


def write_match(match: Match, seat: int = SPECTATOR, comments: dict[int, list[str]] | None = None) -> str:
    """The match file of a match.

    Whole when it is over or on the same screen, else what `seat` may know.
    """
    whole = match.over or match.same_screen
    lines = [f"{MAGIC} {FORMAT}", *_header(match, seat, whole), ""]
    notes = comments or {}
    lines.extend(_comment_lines(notes, 0))
    for entry, face in match.faces(seat):
        text = entry.text if whole or face is None else face.text
        lines.append(Entry(entry.number, entry.who, text).line())
        lines.extend(_comment_lines(notes, entry.number))
    lines.append("")
    if match.over:
        lines.append(f"result: {' '.join(str(r) for r in match.result or ())}")
        lines.append(f"ending: {match.ending}")
    if whole:
        if match.key:
            lines.append(f"key: {match.key.hex()}")
        lines.append(f"hash: {match.game.hash()}")
    return "\n".join([*lines, f"entries: {len(match.entries)}", "end", ""])


def _header(match: Match, seat: int, whole: bool) -> Iterator[str]:
    setting = match.setting
    title = setting.title
    yield f"title: {title.name}"
    yield f"rules: {title.version}"
    yield f"seats: {setting.seats}"
    yield f"names: {json.dumps(list(setting.names), ensure_ascii=False)}"
    yield f"options: {' '.join(f'{k}={v}' for k, v in setting.options.items())}".rstrip()
    if setting.box_name:
        yield f"boxname: {setting.box_name}"
    if setting.data:
        yield f"datahash: {sha256(setting.data)}"
        yield f"data: {setting.data}"
    yield f"box: {setting.box_hash()}"
    yield f"scope: {_scope(match, seat, whole)}"
    if match.seed is not None:
        yield f"seed: {match.seed}"
    else:
        yield f"match: {match.match_id}"
        yield f"commitment: {fairness.commitment(match.match_id, match.key)}"
        yield f"nonces: {' '.join(n.hex() for n in match.nonces)}"


def _scope(match: Match, seat: int, whole: bool) -> str:
    if match.over:
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
    setting = read_setting(game.title, game.seats, options, (), box_name, data)
    match = Match(setting, Seeded(game.seed), seed=game.seed, same_screen=True, replaying=True)
    for number, played in enumerate(game.line, 1):
        match.read_entry(Entry(number, played.seat, game.title.codes.text(played.code, game.labels)))
    return write_match(match, comments={0: [note]} if note else None)


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
    _read_tail(file, tail, lines.entry)
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
    title = find(_need(head, "title"))
    _check_version(title, _whole_number(head, "rules"))
    options = dict(pair.split("=", 1) for pair in _need(head, "options").split() if "=" in pair)
    names = _read_names(_need(head, "names"))
    data = _read_data(head)
    setting = read_setting(title, _whole_number(head, "seats"), options, names, head.get("boxname", ""), data)
    if setting.data != data:
        raise FormatError("the data in this file are not written as a match carries them")
    if setting.box_hash() != _need(head, "box"):
        told = "the data of this title have changed since the match was written (box differs)"
        raise FormatError(told, key="changed")
    scope = _need(head, "scope")
    file = MatchFile(title, setting, scope, head.get("match", ""), head.get("commitment", ""))
    if scope in (WHOLE, SAME_SCREEN):
        file.match = _new_match(setting, head, scope == SAME_SCREEN)
    elif not scope.startswith(("seat ", "spectator:")):
        raise FormatError(f"unknown scope {scope!r:.60}")
    return file


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


def _check_version(title: Title[Any, Any], version: int) -> None:
    if version > title.version:
        raise FormatError(
            f"rules version {version} of {title.name} is newer than this Ludus, which has {title.version}",
            key="newer",
        )
    if version < title.version:
        raise FormatError(
            f"rules version {version} of {title.name} is older than this Ludus, which has "
            f"{title.version}; the match would replay differently",
            key="older",
        )


def _read_names(text: str) -> list[str]:
    try:
        names = json.loads(text)
    except ValueError:
        names = None
    if not isinstance(names, list) or not all(isinstance(n, str) for n in names):
        raise FormatError(f"names must be a list of texts in quotes, not {text!r:.60}")
    return names


def _new_match(setting: Setting, head: dict[str, str], same_screen: bool) -> Match:
    if "seed" in head:
        seed = _whole_number(head, "seed")
        source: Source = Seeded(seed)
        return Match(setting, source, seed=seed, same_screen=same_screen, replaying=True)
    nonces = [_bytes(part, "nonces") for part in _need(head, "nonces").split()]
    _need(head, "match")
    _need(head, "commitment")
    return Match(setting, Seeded(0), head["match"], nonces=nonces, same_screen=same_screen, replaying=True)


def _read_row(file: MatchFile, entry: Entry) -> None:
    if file.match is not None:
        file.match.read_entry(entry)
    else:
        file.faces.append(entry)


def _read_tail(file: MatchFile, tail: dict[str, str], entries: int) -> None:
    if _whole_number(tail, "entries") != entries:
        raise FormatError(f"the file has {entries} entries and says {tail['entries']}")
    match = file.match
    if match is None:
        return
    if match.game.hash() != _need(tail, "hash"):
        raise FormatError("the last position is not the one that the match had (hash differs)", key="hash")
    result = " ".join(str(r) for r in match.result) if match.result is not None else ""
    if tail.get("result", "") != result:
        raise FormatError(f"the result is {result or 'open'}, the file says {tail.get('result') or 'open'}")
    if tail.get("ending", "") != match.ending:
        raise FormatError(f"the ending is {match.ending or 'open'}, the file says {tail.get('ending')}")
    if file.scope == WHOLE and not match.over:
        raise FormatError("the file says that the match is over, and it is not")
    if "key" in tail:
        match.key = _bytes(tail["key"], "key")
        match.game.source = fairness.source(match.key, match.nonces)


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
