"""The proof of the dice: all chance of all titles follows from key, nonces and the weights that are told."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from conftest import all_titles
from finished import finished_match, outcomes_of
from ludus.core.chance import SPECTATOR, pick
from ludus.core.title import Title
from ludus.match import fairness
from ludus.server.course import course
from ludus.server.proof import chances
from ludus.server.testing import Client, ServerProcess


@pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)
def test_every_outcome_follows_from_what_is_told(title: Title[Any, Any]) -> None:
    match = finished_match(title)
    told = chances(match)
    source, derived = fairness.source(match.key, match.nonces), 0
    standing: list[int] = []
    for row in told["rows"]:
        if "back_to" in row:
            standing = [n for n in standing if n <= row["back_to"]]
            continue
        outcomes = told["outcomes"][row["outcomes"]]
        place = pick(source.u32(len(standing)), [weight for _, weight in outcomes], len(outcomes))
        assert outcomes[place][0] == row["text"], row
        standing.append(row["n"])
        derived += 1
    assert derived == outcomes_of(match)
    assert not derived or any("back_to" in row for row in told["rows"])


@pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)
def test_the_course_of_a_match_adds_up(title: Title[Any, Any]) -> None:
    """Turn after turn to the end, how far each seat has come; as many dice are expected as were thrown."""
    match = finished_match(title)
    told = course(match, "en")
    ends = [turn["n"] for turn in told["turns"]]
    assert ends == sorted(set(ends)) and ends[-1] == match.standing[-1]
    if score := list(title.talk.score(match.game.sight(SPECTATOR))):
        assert told["turns"][-1]["reached"] == score
        assert len(told["reached"]) == match.game.seats and told["margin"]
    for table in told["dice"]:
        for seat in range(match.game.seats):
            thrown = sum(row["thrown"][seat] for row in table["rows"])
            expected = sum(row["expected"][seat] for row in table["rows"])
            assert thrown == pytest.approx(expected, abs=0.05 * len(table["rows"]) + 0.01)


def test_weights_and_rules_are_told_to_those_who_may_ask(server: ServerProcess) -> None:
    """What dice were drawn from when the match is over; why not while it is one's turn."""

    async def work() -> None:
        anna, bruno = [await Client.guest(server.url) for _ in range(2)]
        seats = [{"kind": "me"}, {"kind": "open"}]
        made = await anna.post("/api/matches", {"title": server_title(), "seats": seats})
        match_id = made["table"]["id"]
        path = f"/api/matches/{match_id}"
        await bruno.post(f"{path}/join")
        people = (anna, bruno)
        to_move = (await anna.get(path))["table"]["to_move"]
        asked = {"touches": ["nothing:here"]}
        answer = await people[to_move].post(f"{path}/why-not", asked)
        assert (answer["action"], answer["rule"]) == ("", "")
        assert (await people[1 - to_move].request("POST", f"{path}/why-not", asked)).status_code == 403
        assert (await anna.request("POST", f"{path}/why-not", {"touches": []})).status_code == 422
        assert (await people[to_move].post(f"{path}/warning", {}))["warning"] == ""
        assert (await people[1 - to_move].request("POST", f"{path}/warning", {})).status_code == 403
        for what in ("chances", "course"):
            assert (await anna.request("GET", f"{path}/{what}")).status_code == 403
        await bruno.command(match_id, do="resign")
        assert set(await anna.get(f"{path}/chances")) == {"outcomes", "rows"}
        assert {"turns", "dice"} <= set(await anna.get(f"{path}/course"))

    asyncio.run(work())


def server_title() -> str:
    return all_titles()[0].name
