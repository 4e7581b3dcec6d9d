"""Rulebooks: every rule is told in every language, every example steps, and nothing is named that is not."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import ludus
from conftest import all_titles
from ludus.core.errors import FormatError
from ludus.core.scene import play_step, read_scene, set_up
from ludus.core.title import Title
from ludus.core.words import LANGUAGES
from ludus.rulebook.book import Book, book_of, source_of
from ludus.rulebook.chapters import read_chapters, spans
from ludus.rulebook.examples import PAGE_WORDS, printed_examples, scene_path
from ludus.rulebook.html import book_page, example_json, plain_page
from ludus.rulebook.rules import origins_in
from ludus.terminal.rulebook import show_book, show_found
from samples import LARGE, SMALL
from tictactoe import TITLE as TICTACTOE

TITLES = pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)
BOOKS = pytest.mark.parametrize(
    ("title", "lang"),
    [pytest.param(t, lang, id=f"{t.name}-{lang}") for t in all_titles() for lang in LANGUAGES],
)
ROW = re.compile(r"^\| \**([A-Z]+\d+\w*|\d+\.\d+|phases|order|borders)\** \|", re.M)


@cache
def _book(name: str, lang: str) -> Book:
    return book_of(ludus.title(name), lang)


def the_book(title: Title[Any, Any], lang: str) -> Book:
    """Every test looks at the same book."""
    return _book(title.name, lang)


def numbers_in(title: Title[Any, Any]) -> list[str]:
    """The rules of RULES.md, found as `test_scenes` finds them."""
    return ROW.findall((title.folder / "RULES.md").read_text(encoding="utf-8"))


@BOOKS
def test_every_rule_is_told_once_with_its_number(title: Title[Any, Any], lang: str) -> None:
    assert source_of(title, lang).is_file(), "a title of ours has chapters in every language"
    book = the_book(title, lang)
    told = [rule.number for rule in book.rules()]
    assert sorted(told) == sorted(numbers_in(title)), "told once each, and no other"
    assert not any(section.anchor == "rest" for section in book.sections), "every rule has its chapter"
    page = book_page(book)
    for rule in book.rules():
        assert page.count(f'id="{rule.number}"') == 1
        assert rule.sentence != f"rule.{rule.number}"
        assert rule.origins, f"{rule.number} does not say where it comes from"
    called = re.findall(r'href="#([a-z]+)"[^>]*>([a-z]+)</a>', page)
    assert not [name for to, name in called if name == to], "an identifier is of no language"


@TITLES
def test_all_languages_tell_the_same_in_the_same_order(title: Title[Any, Any]) -> None:
    def shape(book: Book) -> list[Any]:
        return [
            (
                section.anchor,
                part.kind,
                len(part.lines),
                [t.id for t in part.things],
                [r.number for r in part.rules],
            )
            for section in book.sections
            for part in section.parts
        ]

    books = {lang: the_book(title, lang) for lang in LANGUAGES}
    for lang, book in books.items():
        assert shape(book) == shape(books["en"]), lang
        named = re.findall(r"\[([\w., ]+)\]", source_of(title, lang).read_text(encoding="utf-8"))
        first = re.findall(r"\[([\w., ]+)\]", source_of(title, "en").read_text(encoding="utf-8"))
        assert named == first, f"{lang} points to other rules"
    texts = [[s.heading for s in book.sections] for book in books.values()]
    assert len({tuple(headings) for headings in texts}) == len(LANGUAGES), (
        "two languages share their headings"
    )


@TITLES
def test_the_chapters_come_in_the_order_in_which_one_learns(title: Title[Any, Any]) -> None:
    """What it is about, how one wins, ... a turn, everything else."""
    anchors = [section.anchor for section in the_book(title, "en").sections]
    assert anchors[:2] == ["about", "winning"]
    assert "turn" in anchors[:4]


@TITLES
def test_every_option_is_told_beside_its_rules(title: Title[Any, Any]) -> None:
    book = the_book(title, "en")
    (options,) = book.parts("options")
    assert len(options.choices) == len(title.options)
    for choice in options.choices:
        assert not choice.disputed or choice.rules, f"{choice.name} is disputed, but no rule names it"
    for rule in book.rules():
        assert "unless this match is set" not in rule.sentence or rule.choices, rule.number


@BOOKS
def test_every_printed_example_steps_to_its_end(title: Title[Any, Any], lang: str) -> None:
    book = the_book(title, lang)
    shown = {example.scene: example for example in book.examples()}
    assert set(printed_examples(title)) <= set(shown)
    for name, example in shown.items():
        path = scene_path(title, name)
        assert path is not None
        scene = read_scene(path, ludus.title)
        game = set_up(scene)
        played = example.played
        assert played.moments[0].view == game.view(played.eye), "it begins as the scene does"
        for step in scene.steps:
            play_step(game, step)
        assert played.moments[-1].view == game.view(played.eye), "it ends as the scene does"
        assert len([row for m in played.moments for row in m.rows]) == len(game.line), "no action is left out"
        assert len(played.moments) > 1, f"{name} has nothing to step to"
        assert all(m.said for m in played.moments[1:-1]), f"{name}: a step of which nothing is said"
        told = example_json(book, example)
        assert len(told["seats"]) == game.seats
        assert len(told["moments"]) == len(played.moments)


@BOOKS
def test_every_link_of_a_page_leads_somewhere(title: Title[Any, Any], lang: str) -> None:
    page = book_page(the_book(title, lang))
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids)), sorted(i for i in ids if ids.count(i) > 1)
    for target in re.findall(r'href="#([^"]+)"', page):
        assert target in ids, target
    assert "{" not in re.sub(r'data-(nothing|step)="[^"]*"', "", page), "a field that nobody has filled"
    assert ' style="' not in page, "the CSP forbids it"


def test_words_of_the_page() -> None:
    """All languages say the same things, with the same fields, each in its own words."""
    for lang in LANGUAGES:
        written = PAGE_WORDS.written(lang)
        assert written.keys() == PAGE_WORDS.written("en").keys()
        for key in written:
            assert sorted(PAGE_WORDS.fields(lang, key)) == sorted(PAGE_WORDS.fields("en", key)), (lang, key)


def a_folder_like(real: Title[Any, Any], folder: Path, *names: str) -> Title[Any, Any]:
    """A title of the same rules, with these files of it alone."""
    for name in names:
        (folder / name).symlink_to(real.folder / name)
    return replace(real, folder=folder)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("files", [("words", "RULES.md"), ("words",)])
def test_a_title_without_chapters_has_a_page_from_its_rules_in_words(
    lang: str, files: tuple[str, ...], tmp_path: Path
) -> None:
    real = ludus.title(SMALL)
    book = book_of(a_folder_like(real, tmp_path, *files), lang)
    assert {rule.number for rule in book.rules()} == set(numbers_in(real))
    assert [section.anchor for section in book.sections] == ["rules", "options"]
    page = unescape(book_page(book)).replace("\u00a0", " ")
    assert all(rule.sentence.replace("\u00a0", " ") in page for rule in book.rules())


def test_a_title_without_rules_in_words_still_has_a_page() -> None:
    book = book_of(TICTACTOE, "it")
    assert book.name in book_page(book)
    assert book.rules() == []


def test_origins_are_read_from_the_words_of_a_source() -> None:
    sources = {"silent": ["B is silent"], "printed": ["A", "B"], "read": ["follows"], "ours": ["ours"]}
    assert origins_in("A, page 3", sources) == ("printed",)
    assert origins_in("B is silent; ours", sources) == ("ours",)
    assert origins_in("A; follows", sources) == ("printed",), "what is printed needs no reader"
    assert origins_in("Bad; follows; ours", sources) == ("read", "ours")


def test_lines_are_taken_apart() -> None:
    found = [(s.kind, s.text) for s in spans("**Pay** one [R1, 2.3] for *it* or {card:x}.")]
    assert found == [
        ("strong", "Pay"),
        ("text", " one "),
        ("rule", "R1"),
        ("text", ", "),
        ("rule", "2.3"),
        ("text", " for "),
        ("em", "it"),
        ("text", " or "),
        ("thing", "card:x"),
        ("text", "."),
    ]


# -- wrong chapters -------------------------------------------------------------------------------------

WRONG = {
    "no heading": ("Hello.", "line 1: the first line is the heading of a chapter"),
    "no anchor": ("## A turn", "line 1: a chapter is headed"),
    "two anchors": ("## A {#a}\n\n## B {#a}", "two chapters have the same anchor"),
    "unknown line": ("## A {#a}\n\n!paint x", "line 3: there is no !paint"),
    "nothing named": ("## A {#a}\n!rules", "line 2: !rules names something"),
    "no caption": ("## A {#a}\n!example M6-paid", "line 2: !example names a scene and says what it shows"),
    "no such rule": ("## A {#a}\n\nSee [M99].", "line 3: .* has no rule M99"),
    "no such rules": ("## A {#a}\n!rules M1 M98..M99", "line 2: .* has no rule M98"),
    "told twice": ("## A {#a}\n!rules M1..M3 M2", "line 2: rule M2 is told twice"),
    "no such scene": ("## A {#a}\n!example nowhere A caption.", "line 2: .* has no scene nowhere"),
    "wrong names": ("## A {#a}\n!example M6-paid (Ada, Bo) Who?", "line 2: .* has 3 seats, and 2 names"),
    "no such thing": ("## A {#a}\n!pieces card:none_such", "line 2: .* have no label.card.none_such"),
    "no such kind": ("## A {#a}\n!list nobody", "line 2: .* name no nobody"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_chapter_that_is_wrong_says_where(case: str, tmp_path: Path) -> None:
    text, reason = WRONG[case]
    title = a_folder_like(ludus.title(SMALL), tmp_path, "words", "scenes", "RULES.md")
    (tmp_path / "rulebook").mkdir()
    path = tmp_path / "rulebook" / "en.md"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=reason):
        book_of(title, "en")


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "en.md"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FormatError, match="no text file"):
        read_chapters(path)


def test_what_somebody_typed_is_shown_as_text() -> None:
    page = plain_page("en", "<b>", "<script>alert(1)</script>", [('/x?"', "<i>")])
    assert "<script>alert" not in page
    assert "<i>" not in page


# -- in the terminal ------------------------------------------------------------------------------------


def told(book: Book, what: str | None = None) -> str:
    console = Console(file=io.StringIO(), width=100, highlight=False)
    if what is None:
        show_book(console, book)
    else:
        show_found(console, book, what)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@BOOKS
def test_the_terminal_tells_every_rule(title: Title[Any, Any], lang: str) -> None:
    book = the_book(title, lang)
    lines = told(book).splitlines()
    for rule in book.rules():
        assert any(line.startswith(rule.number + " ") for line in lines), rule.number
    for section in book.sections:
        assert any(section.heading in line for line in lines)


def test_looking_something_up_in_the_terminal() -> None:
    book = the_book(ludus.title(LARGE), "en")
    rule = book.rules()[0]
    found = told(book, rule.number.lower())
    assert found.split()[0] == rule.number
    assert len(found.split()) < 60, "that rule and no other"
    thing = next(iter(book.things.values()))
    assert thing.name in told(book, thing.name.lower())
    with pytest.raises(FormatError, match="xyzzy"):
        told(book, "xyzzy")
