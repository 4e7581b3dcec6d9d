"""Routes: the rulebooks of titles as pages, and their examples as boards to step through."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi import Path as PathParameter
from fastapi.responses import HTMLResponse, Response

from ludus import titles as registry
from ludus.core.errors import LudusError
from ludus.core.words import LANGUAGES, TONGUES
from ludus.rulebook.book import Book, book_of
from ludus.rulebook.examples import PAGE_WORDS
from ludus.rulebook.html import NAMES, book_page, example_json, plain_page

from . import drawings
from .asking import PROBLEMS, LangQuery
from .errors import Unknown
from .server import title_of
from .wire import Json, encode

KEPT = 64  # pages and books that are kept ready: every title in every language
AskedLang = Annotated[str | None, Query(alias="lang", max_length=40)]
NamePath = Annotated[str, PathParameter(max_length=40)]
pages = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api", responses=PROBLEMS, tags=["rules"])


@pages.get("/rules")
def all_rules(request: Request, lang: AskedLang = None) -> Response:
    """The rulebooks there are."""
    tongue = _tongue(request, lang)
    if tongue is None:
        return _no_language(request, str(lang))
    return _answer(request, plain_page(tongue, PAGE_WORDS.say(tongue, "all_titles"), "", _books(tongue)))


@pages.get("/rules/{name}")
def rules(request: Request, name: NamePath, lang: AskedLang = None) -> Response:
    """The rulebook of a title in a language: asked for, else the browser's, else English."""
    tongue = _tongue(request, lang)
    if tongue is None:
        return _no_language(request, str(lang))
    try:
        title_of(name)
    except Unknown:
        wrong = PAGE_WORDS.say(tongue, "wrong.no_title", name=name)
        page = plain_page(tongue, PAGE_WORDS.say(tongue, "wrong.title"), wrong, _books(tongue))
        return _answer(request, page, 404)
    return _answer(request, _page(name, tongue))


@api.get("/titles/{name}/examples/{scene}")
def example(
    name: NamePath, scene: Annotated[str, PathParameter(max_length=80)], lang: LangQuery = "en"
) -> Response:
    """An example of a title's rulebook, moment by moment: views, sentences, which rule forbids what."""
    title_of(name)
    return Json(_example(name, scene, lang), headers={"cache-control": "no-cache"})


# -- made once --------------------------------------------------------------------------------------------


@lru_cache(KEPT)
def _book(name: str, lang: str) -> Book:
    return book_of(title_of(name), lang)


@lru_cache(KEPT)
def _page(name: str, lang: str) -> str:
    title = title_of(name)
    style, script = drawings.rulebook_style(title), drawings.rulebook_script(title)
    return book_page(_book(name, lang), drawings.picture_of(title), style, script)


@lru_cache(4 * KEPT)
def _example(name: str, scene: str, lang: str) -> bytes:
    book = _book(name, lang)
    found = next((e for e in book.examples() if e.scene == scene), None)
    if found is None:
        raise Unknown(f"the rulebook of {name} has no example {scene!r:.80}")
    return encode(example_json(book, found))


def _books(lang: str) -> list[tuple[str, str]]:
    found = []
    for name in registry.title_names():
        try:
            found.append((f"/rules/{name}?lang={lang}", title_of(name).words.say(lang, "name")))
        except LudusError:  # a title that is broken must not take the others with it
            continue
    return found


# -- which language, and whether it is known already -----------------------------------------------------


def _tongue(request: Request, asked: str | None) -> str | None:
    """The language that was asked for, None where there is no such; else the first that the browser likes."""
    if asked is not None:
        return asked if asked in TONGUES else None
    for liked in request.headers.get("accept-language", "").split(","):
        if (code := liked.strip()[:2].lower()) in LANGUAGES:
            return code
    return "en"


def _no_language(request: Request, asked: str) -> Response:
    lang = _tongue(request, None) or "en"
    links = [(f"{request.url.path}?lang={code}", NAMES[code]) for code in LANGUAGES]
    wrong = PAGE_WORDS.say(lang, "wrong.no_language", lang=asked)
    return _answer(request, plain_page(lang, PAGE_WORDS.say(lang, "wrong.title"), wrong, links), 404)


def _answer(request: Request, page: str, status: int = 200) -> Response:
    """A page; a browser that has it already is told so."""
    headers: dict[str, Any] = {"cache-control": "no-cache", "vary": "accept-language"}
    headers["etag"] = f'"{hashlib.sha256(page.encode()).hexdigest()[:32]}"'
    if status == 200 and request.headers.get("if-none-match") == headers["etag"]:
        return Response(status_code=304, headers=headers)
    return HTMLResponse(page, status, headers=headers)
