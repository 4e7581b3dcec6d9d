"""The chapters of a rulebook as they are written: `rulebook/LANGUAGE.md` in the folder of a title.

A small part of Markdown, and four lines of our own that weave in what is written elsewhere already::

    ## A turn {#turn}                   a chapter; its anchor is the same in every language
    Paragraphs with **bold**, *italic*, [R12] and [R12, R14] for rules, {card:forum} for a thing by its name.
    - a point of a list
    !pieces disc:money card:forum       things as the table draws them
    !list card disc:money               all things of a kind, or one, drawn, with what they do
    !example SCENE What it shows.       a scene, played step by step
    !example SCENE (Ada, Bo) What ...   the same, with the names of the players
    !rules R1 R5..R9                    these rules with their numbers; a span in the order of RULES.md

A thing is GROUP:LABEL and called by `label.GROUP.LABEL` of the title's words, or `ID=KEY`, called by the text
KEY.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ludus.core.errors import FormatError

_HEADING = re.compile(r"## (.+?) \{#([a-z][a-z0-9_-]*)\}$")
_PLAYERS = re.compile(r"\(([^()]+)\) ")
_SPAN = re.compile(
    r"\*\*(?P<strong>[^*]+)\*\*|\*(?P<em>[^*]+)\*"
    r"|\[(?P<rule>[\w.]+(?:, [\w.]+)*)\](?!\()|\{(?P<thing>\w+:\w+|[\w:]+=[\w.]+)\}"
)


@dataclass(frozen=True)
class Span:
    """A piece of a line: text, strong, em, rule (its number) or thing (its id)."""

    kind: str
    text: str


Spans = tuple[Span, ...]


@dataclass(frozen=True)
class Block:
    """A part of a chapter: text, points, pieces, list, example or rules."""

    kind: str
    lines: tuple[Spans, ...] = ()  # of text and points; of an example what it shows
    names: tuple[str, ...] = ()  # things, groups, rules, or a scene and who plays it
    line: int = 0


@dataclass
class Chapter:
    anchor: str
    heading: str
    blocks: list[Block] = field(default_factory=list)


def read_chapters(path: Path) -> list[Chapter]:
    """The chapters of a file; FormatError says what is wrong and in which line."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise FormatError("this is no text file", source=str(path)) from None
    chapters: list[Chapter] = []
    for number, part in _parts(text.splitlines()):
        if part[0].startswith("## "):
            heading = _HEADING.match(part[0])
            if heading is None:
                raise _problem(path, number, "a chapter is headed: ## Heading {#anchor}")
            chapters.append(Chapter(heading[2], heading[1]))
        elif not chapters:
            raise _problem(path, number, "the first line is the heading of a chapter")
        else:
            chapters[-1].blocks.append(_block(path, number, part))
    anchors = [chapter.anchor for chapter in chapters]
    if len(set(anchors)) < len(anchors):
        raise FormatError("two chapters have the same anchor", source=str(path))
    return chapters


def _problem(path: Path, line: int, reason: str) -> FormatError:
    return FormatError(f"line {line}: {reason}", source=str(path))


def _parts(lines: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Lines that belong together, with the number of the first: headings and `!` stand alone."""
    part: list[str] = []
    for number, raw in enumerate([*lines, ""], 1):
        line = raw.rstrip()
        alone = line.startswith(("## ", "!"))
        breaks = part and line.startswith("- ") and not part[0].startswith("- ")
        if part and (alone or breaks or not line):
            yield number - len(part), part
            part = []
        if alone:
            yield number, [line]
        elif line:
            part.append(line)


def _block(path: Path, number: int, part: list[str]) -> Block:
    first = part[0]
    if first.startswith("- "):
        points: list[str] = []
        for line in part:
            if line.startswith("- "):
                points.append(line[2:])
            else:
                points[-1] += " " + line.strip()
        return Block("points", tuple(spans(point) for point in points), line=number)
    if not first.startswith("!"):
        return Block("text", (spans(" ".join(part)),), line=number)
    kind, _, rest = first[1:].partition(" ")
    names = tuple(rest.split())
    if kind not in ("pieces", "list", "example", "rules"):
        raise _problem(path, number, f"there is no !{kind}; there are !pieces, !list, !example and !rules")
    if not names:
        raise _problem(path, number, f"!{kind} names something")
    if kind == "example":
        scene, _, shows = rest.partition(" ")
        players = _PLAYERS.match(shows)
        called = players[1].split(", ") if players else []
        shows = shows[players.end() :] if players else shows
        if not shows:
            raise _problem(path, number, "!example names a scene and says what it shows")
        return Block(kind, (spans(shows),), (scene, *called), number)
    return Block(kind, (), names, number)


def spans(text: str) -> Spans:
    """A line taken apart."""
    found: list[Span] = []
    at = 0
    for match in _SPAN.finditer(text):
        if match.start() > at:
            found.append(Span("text", text[at : match.start()]))
        kind = str(match.lastgroup)
        if kind == "rule":
            for k, number in enumerate(match[kind].split(", ")):
                found += [Span("text", ", ")] if k else []
                found.append(Span("rule", number))
        else:
            found.append(Span(kind, match[kind]))
        at = match.end()
    if at < len(text):
        found.append(Span("text", text[at:]))
    return tuple(found)
