"""Rulebooks over HTTP: pages, examples, languages, and what is wrong with an address."""

from __future__ import annotations

import asyncio
import re

from conftest import all_titles
from ludus.core.words import LANGUAGES
from ludus.rulebook.book import book_of
from ludus.server.testing import Client, ServerProcess
from samples import LARGE, SMALL


def test_every_title_has_its_page_in_every_language(server: ServerProcess) -> None:
    async def work() -> None:
        anybody = Client(server.url)
        for title in all_titles():
            for lang in LANGUAGES:
                answer = await anybody.request("GET", f"/rules/{title.name}?lang={lang}")
                assert answer.status_code == 200
                assert f'<html lang="{lang}"' in answer.text
                assert "default-src 'none'" in answer.headers["content-security-policy"]
        listed = await anybody.request("GET", "/rules?lang=fr")
        for title in all_titles():
            assert f"/rules/{title.name}?lang=fr" in listed.text

    asyncio.run(work())


def test_the_language_is_the_one_asked_for_or_the_browsers(server: ServerProcess) -> None:
    async def work() -> None:
        anybody = Client(server.url)
        for header, lang in (("it-IT,it;q=0.9", "it"), ("sv, de;q=0.5", "de"), ("sv", "en"), ("", "en")):
            answer = await anybody.http.get(f"/rules/{SMALL}", headers={"accept-language": header})
            assert f'<html lang="{lang}"' in answer.text, header
            assert "accept-language" in answer.headers["vary"]
        latin = await anybody.request("GET", f"/rules/{SMALL}?lang=fr-la")
        assert '<html lang="fr" data-tongue="fr-la"' in latin.text

    asyncio.run(work())


def test_who_has_the_page_already_is_told_so(server: ServerProcess) -> None:
    async def work() -> None:
        anybody = Client(server.url)
        first = await anybody.request("GET", f"/rules/{SMALL}?lang=en")
        known = {"if-none-match": first.headers["etag"]}
        again = await anybody.http.get(f"/rules/{SMALL}?lang=en", headers=known)
        assert (again.status_code, again.content) == (304, b"")
        other = await anybody.http.get(f"/rules/{SMALL}?lang=de", headers=known)
        assert other.status_code == 200

    asyncio.run(work())


def test_a_wrong_address_gets_a_page_that_leads_on(server: ServerProcess) -> None:
    async def work() -> None:
        anybody = Client(server.url)
        for path in ("/rules/nothing?lang=de", "/rules/%3Cscript%3E?lang=de", "/rules/..?lang=xx"):
            answer = await anybody.request("GET", path)
            assert "text/html" in answer.headers["content-type"]
            assert "<script>" not in answer.text
        nothing = await anybody.request("GET", "/rules/nothing?lang=de")
        assert nothing.status_code == 404
        assert "„nothing“" in nothing.text
        assert f"/rules/{LARGE}?lang=de" in nothing.text
        for path in ("/rules", f"/rules/{SMALL}"):
            unknown = await anybody.http.get(f"{path}?lang=xx", headers={"accept-language": "it"})
            assert unknown.status_code == 404
            assert "«xx»" in unknown.text
            offered = unknown.text.partition("booklinks")[2].partition("</ul>")[0]
            assert re.findall(rf'href="{path}\?lang=(\w+)"', offered) == list(LANGUAGES)
        for path in (f"/rules/{'a' * 500}", f"/rules/{SMALL}?lang={'a' * 500}"):
            assert (await anybody.request("GET", path)).status_code == 422

    asyncio.run(work())


def test_examples_are_told_moment_by_moment(server: ServerProcess) -> None:
    async def work() -> None:
        anybody = Client(server.url)
        for title in all_titles():
            for example in book_of(title, "it").examples():
                path = f"/api/titles/{title.name}/examples/{example.scene}"
                told = await anybody.get(f"{path}?lang=it")
                assert told["title"] == title.name
                assert len(told["moments"]) == len(example.played.moments)
        for path in (
            f"{SMALL}/examples/nothing",
            f"{SMALL}/examples/%2e%2e%2fM6-paid",
            "nothing/examples/nothing",
        ):
            assert (await anybody.request("GET", f"/api/titles/{path}")).status_code == 404
        # A scene that tests a rule is no example of the book.
        assert (await anybody.request("GET", f"/api/titles/{SMALL}/examples/M8-out")).status_code == 404

    asyncio.run(work())
