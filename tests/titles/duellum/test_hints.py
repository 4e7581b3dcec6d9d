"""Antike Duellum: hints and threats speak of what the other side could do, whether or not a bot would."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from ludus.bots import Chair, make_bot
from ludus.core.game import Game
from ludus.core.scene import read_scene_text
from ludus.match.match import Match
from ludus.server import replies, threats
from ludus.server.hints import as_offered, rest_of_turn
from ludus.titles import title as find_title
from server.test_server_hints import from_scene, threatened


class PlainBots:
    """Bots that think in this process, with the rules in plain form: no machine code need lie ready."""

    async def think(self, job: dict[str, Any]) -> Any:
        title = find_title(job["title"])
        box = title.box_for(job["seats"], job["data"], **job["options"])
        game: Game[Any, Any] = Game(title, box, chance="manual", start=bytes.fromhex(job["position"]))
        chair = Chair(game, job["seat"], job["seed"], 0.2, job["memory"], job["others"])
        action = make_bot(job["bot"], title).choose(chair).text
        return SimpleNamespace(action=action, memory=chair.memory)


class Planned:
    """Who plays on by a plan, and without one ends the turn."""

    async def think(self, job: dict[str, Any]) -> Any:
        plan = list(job["memory"].get("plan") or ())
        title = find_title(job["title"])
        box = title.box_for(job["seats"], job["data"], **job["options"])
        game: Game[Any, Any] = Game(title, box, chance="manual", start=bytes.fromhex(job["position"]))
        action = game.common.text(plan[0]) if plan else "done"
        return SimpleNamespace(action=action, memory={"plan": plan[1:]})


DANGER = """
title = "duellum"
name = "Three legions at Neapolis can take Rome with its temple, unless the one marble goes into a wall"
[position]
temple = { roma = 1 }
army.1.legion = { neapolis = 3 }
persons = [[0, 0, 0, 0, 0], [0, 0, 4, 3, 1]]
goods = [[1, 0, 0, 0], [0, 0, 0, 0]]
stone = ["ferrum", "militia"]
[[step]]
seat = 0
play = "go aurum"
"""
OPEN = (
    DANGER.replace("temple = { roma = 1 }", "")
    .replace("neapolis = 3", "neapolis = 1, aquileia = 1")
    .replace("[[0, 0, 0, 0, 0], [0, 0, 4, 3, 1]]", "[[0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]")
    .replace("[1, 0, 0, 0]", "[2, 2, 0, 0]")
)


@pytest.fixture(autouse=True)
def _time_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threats, "SECONDS", 120.0)
    monkeypatch.setattr(replies, "SECONDS", 120.0)
    monkeypatch.setattr(threats, "TRIES", 5)
    monkeypatch.setattr(threats, "adviser", lambda title, quick: "miles")
    monkeypatch.setattr("server.test_server_hints.OwnBots", PlainBots)


def at(text: str) -> Match:
    match = from_scene(read_scene_text(text, find_title))
    match.names = ["Anna", "Bruno"]
    return match


def saved(match: Match, *actions: str) -> list[str]:
    game, codes = match.game.copy(seed=1), []
    game.auto = False
    for action in actions:
        codes.append(game.code_of(action))
        game.play(action)
    here: Any = SimpleNamespace(bots=PlainBots())
    return asyncio.run(replies.what_is_saved(here, match, 0, codes, "miles", "en"))


@pytest.mark.parametrize("text", [DANGER, OPEN])
def test_a_city_that_could_be_taken_is_a_threat_also_where_no_bot_would_take_it(text: str) -> None:
    rows, _ = threatened(at(text), 0, "en")
    rome = next(row for row in rows if "conquest of Rome" in row["said"])
    assert "you lose 1 city" in rome["said"] and rome["touches"][-1] == "region:roma"
    assert rome["tries"] == 0, "how often somebody who is after it takes it says nothing"


def test_a_wall_saves_the_city_and_a_harvest_does_not() -> None:
    match = at(DANGER)
    assert {"saves 1 city", "saves 1 temple"} <= {*saved(match, "go templum", "wall roma")}
    assert saved(match, "go templum", "wall cremona") == []
    assert saved(match, "go aurum") == []
    assert not any("saves" in said for said in saved(at(OPEN), "go marmor")), "all three stay open"


def test_a_hint_says_the_whole_turn_of_its_plan() -> None:
    match = at(DANGER)
    after = match.game.copy(seed=1)
    after.auto = False
    after.play("go templum")
    codes, memory = as_offered(match, "go templum", {"plan": [after.code_of("wall roma")]})
    here: Any = SimpleNamespace(bots=Planned())
    rest = asyncio.run(rest_of_turn(here, match, 0, codes, "en", "centurio", memory))
    assert rest.then[:1] == (["build a wall in Rome"] if len(codes) == 1 else [])
    game = match.game.copy(seed=1)
    game.auto = False
    for code in rest.codes:
        game.apply(code)
    assert "wall roma" in [game.common.text(played.code) for played in game.line]


def test_a_hint_goes_along_with_the_plan_as_far_as_one_touch_does() -> None:
    """Of two gestures that begin alike, the one that does what is planned and nothing else."""
    match = at(DANGER)
    game = match.game
    first = game.code_of("go templum")
    after = game.copy(seed=1)
    after.auto = False
    after.play("go templum")
    wall = after.code_of("wall roma")
    codes, memory = as_offered(match, "go templum", {"plan": [wall], "evaluation": 0.5})
    assert codes[0] == first
    left = [wall] if wall not in codes else []
    assert memory["plan"] == left, "nothing but the plan was done, and the rest of it is left"
    assert as_offered(match, "go aurum", {})[0][0] == game.code_of("go aurum")
