"""Over many matches: beginnings of public ones, and what somebody's analysed play comes to."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

import ludus
from conftest import all_titles
from ludus.analysis import calibration
from ludus.analysis.calibration import FOLDER
from ludus.analysis.depth import DEPTHS
from ludus.analysis.judges import make_judge
from ludus.analysis.strength import FEWEST, WIDEST
from ludus.core.title import Title
from ludus.core.words import LANGUAGES
from ludus.server.exploring import COUNTED, KEPT, strengths
from ludus.server.testing import Client, ServerProcess
from samples import BARE, SMALL
from server.test_server_analysis import SETTINGS, made, two_at


def test_of_people_only_public_matches_that_are_over_are_counted_and_called_by_name(tmp_path: Path) -> None:
    async def work(server: ServerProcess) -> None:
        anna, _, private = await two_at(server, BARE, 4)
        await anna.command(private, do="resign", seat=0)
        await two_at(server, BARE, 4, public=True)  # goes on
        host, _, public = await two_at(server, BARE, 4, public=True)
        await host.command(public, do="resign", seat=0)
        found = await anna.get(f"/api/titles/{BARE}/beginnings?lang=de")
        people = found["people"]
        assert people["games"] == 1, "what is not public is nobody's business, and what goes on has no result"
        assert {row["seat"]: (row["games"], row["score"]) for row in people["rows"]} == {
            0: (1, 0),
            1: (1, 100),
        }
        assert all(row["told"][0] and row["told"] != row["texts"] for row in people["rows"])
        assert (await anna.request("GET", "/api/titles/nothing/beginnings")).status_code == 404

    with ServerProcess(str(tmp_path / "a.db"), SETTINGS) as process:
        asyncio.run(work(process))


@pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)
def test_every_title_has_beginnings_of_bots_that_are_called_by_name(
    server: ServerProcess, title: Title[Any, Any]
) -> None:
    """`ludus lab explore TITLE --keep` has been run, and by the present rules all of it can be said."""

    async def work() -> None:
        kept = json.loads((title.folder / FOLDER / KEPT).read_text(encoding="utf-8"))
        assert kept["command"].startswith(f"ludus lab explore {title.name}") and kept["games"] >= 100
        for lang in LANGUAGES:
            bots = (await Client(server.url).get(f"/api/titles/{title.name}/beginnings?lang={lang}"))["bots"]
            assert bots["games"] == kept["games"] and len(bots["rows"]) == len(kept["rows"]) > 1
            assert all(all(row["told"]) for row in bots["rows"])

    asyncio.run(work())


def test_a_kind_of_decision_is_told_without_which_of_several_it_was() -> None:
    counted = 0
    for title in all_titles():
        for lang in LANGUAGES:
            for key in title.words.written(lang):
                if key.startswith("prompt.") and "steps" in title.words.fields(lang, key):
                    told = COUNTED.sub("", title.words.say(lang, key, step="…", steps="…"))
                    assert "…" not in told and told[-1] in ".?", told
                    assert not any(mark in told for mark in ("  ", " .", ": .", "(")), told
                    counted += 1
    assert counted >= 3 * len(LANGUAGES)


def test_strength_is_told_over_matches_where_one_of_them_has_too_few_decisions() -> None:
    """Of decisions that were judged as they would be now; each net has a scale of its own."""
    title = ludus.title(SMALL)
    form: Any = title.new(seed=1, seats=2).form
    known = calibration.load(title, SMALL)
    judge = make_judge(title, form, DEPTHS["usual"]).digest
    assert known.fits(judge, 2) and len(known.rungs) > 1
    best = max(known.rungs, key=lambda rung: rung.elo)
    costs = [best.error] * (FEWEST - 1)
    setting: tuple[int, tuple[Any, ...], str] = (2, (), judge)
    assert strengths(title, {setting: costs}, "en") == []
    told = {lang: strengths(title, {setting: [*costs, best.error]}, lang) for lang in LANGUAGES}
    assert all(len(said) == 1 and f"{best.elo:.0f}" in said[0] for said in told.values())
    assert len({said[0] for said in told.values()}) == len(LANGUAGES)
    assert strengths(title, {(2, (), "an older judge"): costs * 2}, "en") == []
    assert strengths(title, {(3, (), judge): costs * 2}, "en") == [], "of three nothing is known"
    assert strengths(title, {(2, (("gone", "on"),), judge): costs * 2}, "en") == []
    middle = sorted(known.rungs, key=lambda rung: rung.elo)[1]
    wild = [0.0, 2 * middle.error] * (FEWEST // 2)
    assert len(known.rungs) > WIDEST and strengths(title, {setting: wild}, "en") == [], "it may be any level"


def test_my_play_has_luck_errors_and_where_i_lose(server: ServerProcess) -> None:
    async def work() -> None:
        anna, bruno, match_id = await two_at(server, BARE, 6)
        await anna.command(match_id, do="resign", seat=0)
        path = f"/api/matches/{match_id}/analysis"
        await anna.post(path, status=202)
        numbers = (await made(anna, path))["found"]
        for seat, person in enumerate((anna, bruno)):
            (one,) = (await person.get("/api/me/play?lang=it"))["titles"]
            (match,) = one["matches"]
            own = numbers["seats"][seat]
            assert (match["luck"], match["error"]) == (own["luck"], own["error"])
            assert sum(row["cost"] for row in one["phases"]) == own["cost"]
            assert sum(row["decisions"] for row in one["kinds"]) == own["decisions"]
            assert all(row["told"] for row in one["kinds"])
            assert one["strengths"] == [], "so few decisions say nothing"

    asyncio.run(work())
