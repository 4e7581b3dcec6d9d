"""The proof of the dice in a browser: every outcome of every title is derived, and a forged one found."""

from __future__ import annotations

import json
from collections.abc import Callable

from playwright.sync_api import Page

from conftest import all_titles
from finished import finished_match, outcomes_of
from ludus.server.proof import chances

NewPage = Callable[..., Page]
PROVE = """async ([fairness, chances]) => {
  const { prove } = await import("/js/match/verify.js");
  return prove(fairness, chances);
}"""


def test_all_chance_of_all_titles_is_derived(new_page: NewPage, url: str) -> None:
    page = new_page()
    page.goto(url)
    for title in all_titles():
        match = finished_match(title)
        told = json.loads(json.dumps(chances(match)))
        fairness = {"key": match.key.hex(), "nonces": [nonce.hex() for nonce in match.nonces]}
        proofs = page.evaluate(PROVE, [fairness, told])
        assert len(proofs) == outcomes_of(match)
        assert all(proof["good"] for proof in proofs), title.name
        for row in told["rows"]:
            outcomes = told["outcomes"][row["outcomes"]] if "text" in row else ()
            other = next((text for text, _ in outcomes if text != row["text"]), None)
            if other is not None:
                row["text"] = other
                forged = page.evaluate(PROVE, [fairness, told])
                assert [proof["n"] for proof in forged if not proof["good"]] == [row["n"]], title.name
                break
