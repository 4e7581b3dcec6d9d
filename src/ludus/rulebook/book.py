"""A rulebook in one language: the chapters of a title with its rules, things, examples and options woven in.

Where a title has no chapters in a language, its page is made from its rules in words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ludus.core.errors import FormatError
from ludus.core.option import Option
from ludus.core.title import Title

from .chapters import Block, Chapter, Spans, read_chapters
from .examples import PAGE_WORDS, PRINTED, PlayedExample, play_example, scene_path
from .rules import ORIGINS, Rule, rules_of


@dataclass(frozen=True)
class Thing:
    """A card, a piece, a disc: what it is called and does.  `id` is what the title's drawing knows it by."""

    id: str
    name: str
    text: str = ""
    facts: tuple[str, ...] = ()

    @property
    def anchor(self) -> str:
        return self.id.replace(":", "-").replace("=", "-")


@dataclass(frozen=True)
class ToldOption:
    """An option as it is told beside a rule: its values, the usual one first."""

    name: str
    help: str
    values: tuple[str, ...]
    disputed: bool
    rules: tuple[str, ...] = ()
    span: bool = False  # the values are first and last of a row of numbers


@dataclass(frozen=True)
class ToldRule:
    number: str
    sentence: str
    origins: tuple[str, ...]
    choices: tuple[ToldOption, ...]


@dataclass(frozen=True)
class Example:
    scene: str
    shows: Spans
    printed: bool
    played: PlayedExample


@dataclass(frozen=True)
class Part:
    """A part of a chapter, ready to be shown: text, points, pieces, list, example, rules, options."""

    kind: str
    lines: tuple[Spans, ...] = ()
    things: tuple[Thing, ...] = ()
    rules: tuple[ToldRule, ...] = ()
    choices: tuple[ToldOption, ...] = ()
    example: Example | None = None


@dataclass
class Section:
    anchor: str
    heading: str
    parts: list[Part] = field(default_factory=list)


@dataclass
class Book:
    title: Title[Any, Any]
    lang: str
    name: str
    blurb: str
    sections: list[Section] = field(default_factory=list)
    things: dict[str, Thing] = field(default_factory=dict)  # that are told somewhere, by id
    named: dict[str, Thing] = field(default_factory=dict)  # that are spoken of, by how a chapter names them
    origins: tuple[str, ...] = ()  # that occur

    def parts(self, kind: str) -> Iterator[Part]:
        return (part for section in self.sections for part in section.parts if part.kind == kind)

    def rules(self) -> list[ToldRule]:
        return [rule for part in self.parts("rules") for rule in part.rules]

    def examples(self) -> list[Example]:
        return [part.example for part in self.parts("example") if part.example is not None]

    def say(self, key: str, /, **fields: Any) -> str:
        """A text of the page itself."""
        return PAGE_WORDS.say(self.lang, key, **fields)


def source_of(title: Title[Any, Any], lang: str) -> Path:
    """Where the chapters of a title in a language stand."""
    return title.folder / "rulebook" / f"{lang[:2]}.md"


def book_of(title: Title[Any, Any], lang: str) -> Book:
    """The rulebook of a title; FormatError where what is written cannot be woven together."""
    path = source_of(title, lang)
    weaver = _Weaver(title, lang)
    book = Book(title, lang, title.words.say(lang, "name"), title.words.say(lang, "blurb"))
    book.sections = (
        [weaver.section(chapter, path) for chapter in read_chapters(path)] if path.is_file() else []
    )
    rest = [rule for number, rule in weaver.rules.items() if number not in weaver.told]
    if rest:
        key = "rest" if book.sections else "rules"
        parts = [Part("rules", rules=tuple(weaver.rule(rule) for rule in rest))]
        book.sections.append(Section(key, PAGE_WORDS.say(lang, f"chapter.{key}"), parts))
    if title.options:
        parts = [Part("options", choices=tuple(weaver.choice(option) for option in title.options))]
        book.sections.append(Section("options", PAGE_WORDS.say(lang, "chapter.options"), parts))
    book.named = weaver.named
    book.things = {thing.id: thing for part in book.parts("list") for thing in part.things}
    book.origins = tuple(o for o in ORIGINS if any(o in rule.origins for rule in book.rules()))
    return book


class _Weaver:
    """Puts together what chapters name."""

    def __init__(self, title: Title[Any, Any], lang: str) -> None:
        self.title, self.lang, self.words = title, lang, title.words
        self.rules = rules_of(title)
        self.told: set[str] = set()
        self.named: dict[str, Thing] = {}
        self.options = {option.name: option for option in title.options}

    def section(self, chapter: Chapter, path: Path) -> Section:
        section = Section(chapter.anchor, chapter.heading)
        for block in chapter.blocks:
            try:
                section.parts.append(self._part(block))
            except FormatError as error:
                raise FormatError(f"line {block.line}: {error.reason}", source=str(path)) from None
        return section

    def _part(self, block: Block) -> Part:
        for span in (span for line in block.lines for span in line):
            if span.kind == "rule":
                self._known(span.text)
            elif span.kind == "thing":
                self.thing(span.text)
        if block.kind == "pieces":
            return Part("pieces", things=tuple(self.thing(name) for name in block.names))
        if block.kind == "list":
            return Part("list", things=tuple(t for group in block.names for t in self._group(group)))
        if block.kind == "rules":
            return Part("rules", rules=tuple(self._tell(block.names)))
        if block.kind == "example":
            return Part("example", block.lines, example=self._example(block))
        return Part(block.kind, block.lines)

    # -- rules ---------------------------------------------------------------------------------------

    def _known(self, number: str) -> Rule:
        if number not in self.rules:
            raise FormatError(f"{self.title.name} has no rule {number}; its RULES.md says which there are")
        return self.rules[number]

    def _tell(self, names: Sequence[str]) -> Iterator[ToldRule]:
        order = list(self.rules)
        for name in names:
            first, _, last = name.partition("..")
            ends = [order.index(self._known(end).number) for end in (first, last or first)]
            for number in order[ends[0] : ends[1] + 1]:
                if number in self.told:
                    raise FormatError(f"rule {number} is told twice")
                self.told.add(number)
                yield self.rule(self.rules[number])

    def rule(self, rule: Rule) -> ToldRule:
        choices = tuple(self.choice(self.options[name]) for name in rule.options)
        return ToldRule(rule.number, self.words.say(self.lang, f"rule.{rule.number}"), rule.origins, choices)

    def choice(self, option: Option) -> ToldOption:
        words, lang = self.words, self.lang
        key = f"option.{option.name}"
        told = [value for value in option.values if words.has(f"{key}.value.{value}")]
        span = not told and len(option.values) > 5
        values = (option.values[0], option.values[-1]) if span else option.values
        rest = [v for v in values if v != option.default or span]
        said = tuple(
            words.say(lang, f"{key}.value.{v}") if v in told else str(v).replace("_", " ")
            for v in (option.default, *rest)
        )
        by = tuple(rule.number for rule in self.rules.values() if option.name in rule.options)
        name, text = words.say(lang, f"{key}.name"), words.say(lang, f"{key}.help")
        return ToldOption(name, text, said, option.disputed, by, span)

    # -- things --------------------------------------------------------------------------------------

    def thing(self, name: str) -> Thing:
        if name not in self.named:
            self.named[name] = self._thing(name)
        return self.named[name]

    def _thing(self, name: str) -> Thing:
        what, _, key = name.partition("=")
        group, _, label = what.partition(":")
        key = key or f"label.{group}.{label}"
        if not self.words.has(key):
            raise FormatError(f"the words of {self.title.name} have no {key}")
        text = self.words.say(self.lang, f"effect.{label}") if self.words.has(f"effect.{label}") else ""
        return Thing(what, self.words.say(self.lang, key), text, tuple(self._facts(label)))

    def _group(self, group: str) -> Iterator[Thing]:
        """All things of a kind, in the order of the words; or one that is named."""
        if ":" in group:
            return iter((self.thing(group),))
        found = [key.split(".")[2] for key in self.words.written("en") if key.startswith(f"label.{group}.")]
        named = [label for label in found if label != "none" and self.words.name(self.lang, group, label)]
        if not named:
            raise FormatError(f"the words of {self.title.name} name no {group}")
        return (self.thing(f"{group}:{label}") for label in named)

    def _facts(self, label: str) -> Iterable[str]:
        """What is printed on a thing, as far as the words of the table say such a thing."""
        printed = (things[label] for things in self.title.printed().values() if label in things)
        for name, value in ((n, v) for facts in printed for n, v in facts.items()):
            if isinstance(value, str) and self.words.has(f"label.{name}.{value}"):
                yield self.words.name(self.lang, name, value)
            elif "n" in self.words.fields(self.lang, f"web.{name}"):
                yield self.words.say(self.lang, f"web.{name}", n=value)

    # -- examples ------------------------------------------------------------------------------------

    def _example(self, block: Block) -> Example:
        scene, *called = block.names
        if scene_path(self.title, scene) is None:
            raise FormatError(f"{self.title.name} has no scene {scene}")
        played = play_example(self.title, scene, self.lang, called)
        return Example(scene, block.lines[0], scene.startswith(PRINTED), played)
