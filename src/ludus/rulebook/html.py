"""A rulebook as a page: HTML that reads and prints without a script; `js/rules.js` adds boards and search."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

from ludus.core.words import LANGUAGES, LATIN

from .book import Book, Example, Part, Section, Thing, ToldOption, ToldRule
from .chapters import Spans
from .examples import PAGE_WORDS

NAMES = {"en": "English", "fr": "Français", "it": "Italiano", "de": "Deutsch"}
HEAD = """<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#efe4cb">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#1b1613">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/css/base.css">
<link rel="stylesheet" href="/css/dialogs.css">
<link rel="stylesheet" href="/css/pages.css">
<link rel="stylesheet" href="/css/table.css">
<link rel="stylesheet" href="/css/panel.css">
<link rel="stylesheet" href="/css/messages.css">
<link rel="stylesheet" href="/css/plain.css">
<link rel="stylesheet" href="/css/aside.css">
<link rel="stylesheet" href="/css/sheet.css">
<link rel="stylesheet" href="/css/rules.css">
<script type="module" src="/js/rules.js"></script>"""


def glued(text: str) -> str:
    """French sets a blank before some signs; a line must not break there."""
    for sign in ":;?!»":
        text = text.replace(f" {sign}", f"\u00a0{sign}")
    return text.replace("« ", "«\u00a0")


def escape(text: str) -> str:
    return html.escape(glued(text))


def book_page(book: Book, picture: str = "", style: str = "", script: str = "") -> str:
    """The whole document.  `picture` is the SVG of the title's picture, `style` the address of its styles,
    `script` that of what draws its pieces."""
    drawn = picture.replace("<svg", '<svg class="picture" aria-hidden="true"', 1)
    lead = [
        f'<div class="booklead">{drawn}',
        f"<div><h1>{escape(book.name)}</h1><p>{escape(book.blurb)}</p></div></div>",
        _search(book),
    ]
    body = [*lead, _contents(book), *(_section(book, section) for section in book.sections)]
    heading = book.say("heading", title=book.name)
    return _document(book.lang, heading, book.title.name, book.name, "\n".join(body), style, script)


def plain_page(lang: str, heading: str, sentence: str, links: Sequence[tuple[str, str]]) -> str:
    """A page that says one thing and leads on: the list of rulebooks, or what was wrong with an address."""
    items = "".join(f'<li><a href="{escape(href)}">{escape(name)}</a></li>' for href, name in links)
    said = f"<p>{escape(sentence)}</p>" if sentence else ""
    return _document(
        lang, heading, "", "", f'<h1>{escape(heading)}</h1>{said}<ul class="booklinks">{items}</ul>'
    )


def _document(
    lang: str, heading: str, name: str, called: str, body: str, style: str = "", script: str = ""
) -> str:
    code, latin = lang[:2], f"-{LATIN}" if lang.endswith(f"-{LATIN}") else ""
    say = PAGE_WORDS.say
    current = ' aria-current="true"'
    languages = "".join(
        f'<a href="?lang={other}{latin}" hreflang="{other}" lang="{other}"'
        f'{current if other == code else ""} title="{NAMES[other]}">{other}</a>'
        for other in LANGUAGES
    )
    status = f"<b>{escape(called)}</b><span>{escape(say(lang, 'page'))}</span>" if called else ""
    own = f'\n<link rel="stylesheet" href="{escape(style)}">' if style else ""
    data = f' data-title="{escape(name)}"' if name else ""
    data += f' data-pieces="{escape(script)}"' if script else ""
    return f"""<!doctype html>
<html lang="{code}" data-tongue="{lang}">
<head>
<title>{escape(heading)} – Ludus</title>
{HEAD}{own}
</head>
<body class="book">
<header class="top"><a class="brand" href="/" aria-label="Ludus – {escape(say(lang, "home"))}">LVDVS</a>
<span class="status">{status}</span>
<nav class="booklangs" aria-label="{escape(say(lang, "language"))}">{languages}</nav></header>
<main id="main" class="bookpage"{data}>
{body}
<footer class="bookfoot"><a href="/rules?lang={lang}">{escape(say(lang, "all_titles"))}</a></footer>
</main>
</body>
</html>
"""


def _search(book: Book) -> str:
    label = escape(book.say("search"))
    nothing = escape(book.say("nothing_found"))
    return (
        f'<form class="booksearch" role="search" hidden data-nothing="{nothing}" '
        f'data-step="{escape(book.say("step"))}">'
        f'<input type="search" id="find" aria-label="{label}" placeholder="{label}" autocomplete="off">'
        f'<button type="button" class="secondary small" id="print">{escape(book.say("print"))}</button>'
        '<ul id="found" aria-live="polite"></ul></form>'
    )


def _contents(book: Book) -> str:
    items = "".join(f'<li><a href="#{s.anchor}">{escape(s.heading)}</a></li>' for s in book.sections)
    return f'<nav class="bookcontents" aria-label="{escape(book.say("contents"))}"><ol>{items}</ol></nav>'


def _section(book: Book, section: Section) -> str:
    alone = len(section.parts) == 1
    parts = "\n".join(
        _rules(book, part.rules, fold=False) if alone and part.kind == "rules" else _part(book, part)
        for part in section.parts
    )
    head = f"<h2>{escape(section.heading)}</h2>"
    return f'<section id="{section.anchor}" data-find="chapter">{head}\n{parts}\n</section>'


def _part(book: Book, part: Part) -> str:
    if part.kind == "text":
        return f"<p>{_line(book, part.lines[0])}</p>"
    if part.kind == "points":
        return "<ul>" + "".join(f"<li>{_line(book, line)}</li>" for line in part.lines) + "</ul>"
    if part.kind == "pieces":
        return '<ul class="bookpieces">' + "".join(_piece(book, thing) for thing in part.things) + "</ul>"
    if part.kind == "list":
        return '<ul class="booklist">' + "".join(_listed(thing) for thing in part.things) + "</ul>"
    if part.kind == "rules":
        return _rules(book, part.rules, fold=True)
    if part.kind == "options":
        return _options(book, part.choices)
    assert part.example is not None
    return _example(book, part.example)


def _line(book: Book, spans: Spans) -> str:
    said = []
    for span in spans:
        if span.kind == "rule":
            said.append(_to_rule(span.text))
        elif span.kind == "thing":
            thing = book.named[span.text]
            name = escape(thing.name)
            said.append(f'<a href="#{thing.anchor}">{name}</a>' if thing.id in book.things else name)
        elif span.kind in ("strong", "em"):
            said.append(f"<{span.kind}>{escape(span.text)}</{span.kind}>")
        else:
            said.append(escape(span.text))
    return "".join(said)


def _to_rule(number: str) -> str:
    return f'<a class="rulelink" href="#{number}">{_called(number)}</a>'


def _called(number: str) -> str:
    """What a rule is called where it is told; an identifier without a number is of no language."""
    return number if any(sign.isdigit() for sign in number) else "§"


def _piece(book: Book, thing: Thing) -> str:
    name = escape(thing.name)
    named = f'<a href="#{thing.anchor}">{name}</a>' if thing.id in book.things else name
    own = "" if thing.id in book.things else f' id="{thing.anchor}" data-find="piece"'
    return f'<li{own}><span class="bookpiece" data-piece="{thing.id}"></span><b>{named}</b></li>'


def _listed(thing: Thing) -> str:
    facts = f"<small>{escape(' · '.join(thing.facts))}</small>" if thing.facts else ""
    return (
        f'<li id="{thing.anchor}" data-find="piece"><span class="bookpiece" data-piece="{thing.id}"></span>'
        f"<div><b>{escape(thing.name)}</b>{facts}<p>{escape(thing.text)}</p></div></li>"
    )


# -- rules and options ------------------------------------------------------------------------------------


def _rules(book: Book, rules: Sequence[ToldRule], fold: bool) -> str:
    """All rules of a part; folded where the text above them has told what matters."""
    told = '<dl class="bookrules">' + "".join(_rule(book, rule) for rule in rules) + "</dl>"
    if not fold:
        return told
    summary = escape(book.say("in_full", n=len(rules)))
    return f'<details class="bookfold" open><summary>{summary}</summary>{told}</details>'


def _rule(book: Book, rule: ToldRule) -> str:
    where = "".join(
        f'<span class="origin {origin}" title="{escape(book.say(f"origin_help.{origin}"))}">'
        f"{escape(book.say(f'origin.{origin}'))}</span>"
        for origin in rule.origins
    )
    choices = "".join(
        f'<p class="bookoption">{escape(book.say("changed_by", option=choice.name))} '
        f"{_values(book, choice)}</p>"
        for choice in rule.choices
    )
    called = _called(rule.number)
    label = escape(book.say("rule", number=called))
    return (
        f'<div id="{rule.number}" data-find="rule">'
        f'<dt><a href="#{rule.number}" aria-label="{label}">{called}</a></dt>'
        f"<dd>{escape(rule.sentence)} {where}{choices}</dd></div>"
    )


def _values(book: Book, choice: ToldOption) -> str:
    return escape(told_values(book, choice))


def told_values(book: Book, choice: ToldOption) -> str:
    """The usual value of an option and the others, in a sentence."""
    usual, *others = choice.values
    return book.say("values", usual=usual, others=("–" if choice.span else ", ").join(others)) + "."


def origins_told(book: Book) -> list[tuple[str, str]]:
    """What the marks beside rules mean, as far as they occur."""
    return [(book.say(f"origin.{o}"), book.say(f"origin_help.{o}")) for o in book.origins]


def _options(book: Book, choices: Sequence[ToldOption]) -> str:
    told = [f"<p>{escape(book.say('options.lead'))}</p>"]
    for key, disputed in (("free", False), ("disputed", True)):
        group = [choice for choice in choices if choice.disputed == disputed]
        if group:
            told.append(f'<h3>{escape(book.say(f"options.{key}"))}</h3><dl class="bookoptions">')
            told += [_option(book, choice) for choice in group] + ["</dl>"]
    marks = [
        f'<li><span class="origin {origin}">{escape(name)}</span> {escape(text)}</li>'
        for origin, (name, text) in zip(book.origins, origins_told(book), strict=True)
    ]
    if marks:
        told.append(
            f'<p>{escape(book.say("origin_help.lead"))}</p><ul class="bookorigins">{"".join(marks)}</ul>'
        )
    return "".join(told)


def _option(book: Book, choice: ToldOption) -> str:
    rules = " ".join(_to_rule(number) for number in choice.rules)
    return (
        f"<div><dt>{escape(choice.name)}</dt><dd>{escape(choice.help)} "
        f'<span class="bookvalues">{_values(book, choice)}</span> {rules}</dd></div>'
    )


# -- examples ---------------------------------------------------------------------------------------------


def _example(book: Book, example: Example) -> str:
    kind = "printed_example" if example.printed else "example"
    steps = "".join(
        f"<li>{escape(' '.join(moment.said))}{' ' + _to_rule(moment.rule) if moment.rule else ''}</li>"
        for moment in example.played.moments
        if moment.said
    )
    rules = " ".join(_to_rule(number) for number in example.played.rules)
    return (
        f'<figure class="bookexample" id="{example.scene}" data-find="example" '
        f'data-example="{example.scene}"><figcaption><b>{escape(book.say(kind))}</b> '
        f'<span class="shows">{_line(book, example.shows)}</span> {rules}</figcaption>'
        f'<button type="button" class="secondary small" hidden>{escape(book.say("board"))}</button>'
        f"<details open><summary>{escape(book.say('begin'))} …</summary><ol>{steps}</ol></details></figure>"
    )


def example_json(book: Book, example: Example) -> dict[str, Any]:
    """What the board needs to show an example: names, options, and views moment by moment."""
    played = example.played
    moments = [
        {"view": m.view, "said": glued(" ".join(m.said)), "rule": m.rule, "rows": m.rows}
        for m in played.moments
    ]
    return {
        "scene": example.scene,
        "title": book.title.name,
        "seats": list(played.names),
        "options": played.options,
        "moments": moments,
    }
