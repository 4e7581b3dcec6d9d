"""Hints: what a bot would do, only against bots, only in one's own turn."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from ludus.core.chance import CHANCE, Seeded
from ludus.core.scene import Scene, read_scene, read_scene_text, set_up
from ludus.core.starting import write_start
from ludus.core.words import LANGUAGES
from ludus.match.match import Match, read_setting
from ludus.server import bot_worker, replies, threats
from ludus.server.hints import adviser, what_changes, why_so
from ludus.server.testing import Client, ServerProcess
from ludus.titles import title as find_title
from samples import BARE, LARGE, SMALL


async def new_match(client: Client, seats: list[dict[str, Any]]) -> dict[str, Any]:
    answer = await client.request("POST", "/api/matches", {"title": SMALL, "seats": seats})
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


def test_a_bot_says_what_it_would_do_against_bots_only(server: ServerProcess) -> None:
    async def work() -> None:
        me = await Client.guest(server.url)
        made = await new_match(me, [{"kind": "me"}, {"kind": "bot", "bot": "tiro"}])
        table = made["table"]["id"]
        for quick in (True, False):
            told = await me.request("POST", f"/api/matches/{table}/hint", {"quick": quick})
            assert told.status_code == 200, told.text
            assert told.json()["action"] in {choice["action"] for choice in made["legal"]}
        stranger = await Client.guest(server.url)
        assert (await stranger.request("POST", f"/api/matches/{table}/hint", {})).status_code == 403
        assert (await me.request("POST", f"/api/matches/{table}/hint", {"bot": "x"})).status_code == 422
        both = await new_match(me, [{"kind": "me"}, {"kind": "open"}])
        shared = both["table"]["id"]
        joined = await stranger.request("POST", f"/api/matches/{shared}/join", {})
        assert joined.status_code == 200, joined.text
        refused = await me.request("POST", f"/api/matches/{shared}/hint", {})
        assert refused.status_code == 403
        assert "bots only" in refused.json()["reason"]

    asyncio.run(work())


def test_the_quick_adviser_is_not_the_slowest() -> None:
    assert adviser(LARGE, quick=True) != adviser(LARGE, quick=False)


def test_what_changes_is_counted_by_the_title() -> None:
    title = find_title(LARGE)
    match = Match(read_setting(title, None, {}, ()), Seeded(1))
    action = match.game.legal()[0].text
    assert what_changes(match, match.game.to_move, action) == {"gain": 0, "others": 0}


def test_a_reason_is_told_in_words_of_the_title() -> None:
    title = find_title(LARGE)
    game = title.new(seed=3)
    while not any(action.kind == "money" for action in game.legal()):
        game.play(game.legal()[0])
    match = Match(
        read_setting(title, None, {}, (), start=write_start(title, game.box, game.position)), Seeded(1)
    )
    action = next(action for action in match.game.legal() if action.kind == "money")
    n = action.arguments[0]
    said = {lang: why_so(match, match.game.to_move, action.text, lang) for lang in ("en", "de")}
    assert said["en"] == [f"brings {n} {'sesterce' if n == 1 else 'sesterces'}"]
    assert said["de"] == [f"bringt {n} {'Sesterze' if n == 1 else 'Sesterzen'}"]


def test_a_hint_says_how_the_turn_goes_on(server: ServerProcess) -> None:
    """Of a turn of several actions; nothing of it is played."""

    async def work() -> None:
        me = await Client.guest(server.url)
        seats = [{"kind": "me"}, {"kind": "bot", "bot": "tiro"}]
        made = (await me.request("POST", "/api/matches", {"title": LARGE, "seats": seats})).json()
        table = made["table"]["id"]
        told: dict[str, Any] = {"then": []}
        for _ in range(60):
            now = (await me.request("GET", f"/api/matches/{table}")).json()
            if not now["legal"]:
                await asyncio.sleep(0.1)
                continue
            answer = await me.request("POST", f"/api/matches/{table}/hint", {"quick": True, "lang": "en"})
            assert answer.status_code == 200, answer.text
            told = answer.json()
            again = (await me.request("GET", f"/api/matches/{table}")).json()
            assert again["table"]["entries"] == told["entry"], "nothing is played"
            if told["then"]:
                break
            play = {"client": f"client-{told['entry']}", "expect": told["entry"], "do": "play"}
            done = await me.request(
                "POST", f"/api/matches/{table}/commands", play | {"actions": [told["action"]]}
            )
            assert done.status_code == 200, done.text
        assert 1 <= len(told["then"]) <= 2

    asyncio.run(work())


def test_threats_are_told_where_hints_are_given(server: ServerProcess) -> None:
    async def work() -> None:
        me, friend = await Client.guest(server.url), await Client.guest(server.url)
        made = await new_match(me, [{"kind": "me"}, {"kind": "bot", "bot": "tiro"}])
        table = made["table"]["id"]
        told = await me.request("POST", f"/api/matches/{table}/threats", {"lang": "fr"})
        assert told.status_code == 200, told.text
        assert told.json()["said"], "the other side does something after my turn"
        assert (await me.request("GET", f"/api/matches/{table}")).json()["table"]["entries"] == told.json()[
            "entry"
        ]
        refused = await friend.request("POST", f"/api/matches/{table}/threats", {})
        assert refused.status_code == 403

    asyncio.run(work())


def test_a_friendly_table_may_allow_hints(server: ServerProcess) -> None:
    async def work() -> None:
        me, friend = await Client.guest(server.url), await Client.guest(server.url)
        body = {"title": SMALL, "seats": [{"kind": "me"}, {"kind": "open"}], "hints": True}
        made = (await me.request("POST", "/api/matches", body)).json()
        table = made["table"]["id"]
        assert made["table"]["hints"] is True
        await friend.request("POST", f"/api/matches/{table}/join", {})
        state = (await me.request("GET", f"/api/matches/{table}")).json()
        mover = me if state["table"]["to_move"] == 0 else friend
        told = await mover.request("POST", f"/api/matches/{table}/hint", {"quick": True})
        assert told.status_code == 200, told.text
        stranger = await Client.guest(server.url)
        assert (await stranger.request("POST", f"/api/matches/{table}/hint", {})).status_code == 403

    asyncio.run(work())


def test_only_what_hurts_is_told_of_a_turn() -> None:
    """The choices that lead to it and what came of them; where nothing hurts, how the turn begins."""
    face = SimpleNamespace
    told: Any = [face(face=face(seat=seat)) for seat in (1, 1, CHANCE, CHANCE, 1)]
    sentences = [["draws"], ["attacks"], [], ["throws 2, 5", "a card falls"], ["ends"]]
    kept = threats._what_hurts(told, [False, False, False, True, False])
    assert kept == [1, 3]
    assert threats._worst_of(sentences, kept) == ["attacks", "throws 2, 5", "a card falls"]
    assert threats._what_hurts(told, [False] * 5) == []
    assert threats._worst_of(sentences, []) == ["draws", "attacks", "throws 2, 5"]


# -- what a choice saves ----------------------------------------------------------------------------------

CLOSING = f"""
title = "{BARE}"
name = "Black closes the upper line with the next stone, unless white lies there"
[position]
hand = [1, 1]
board = [["black", "black", "none"], ["white", "none", "none"], ["none", "none", "white"]]
turn = 0
[[step]]
seat = 0
play = "place a 3"
"""


class OwnBots:
    """Bots that think in this process."""

    async def think(self, job: dict[str, Any]) -> Any:
        answered = bot_worker.answer({**job, "seconds": 0.1, "limit": 2.0, "cores": 1})
        return SimpleNamespace(action=answered["action"])


def from_scene(scene: Scene) -> Match:
    game = set_up(scene)
    start = write_start(scene.title, game.box, game.position)
    return Match(read_setting(scene.title, scene.seats, dict(scene.options), (), start=start), Seeded(1))


def saved(match: Match, action: str, lang: str) -> list[str]:
    here: Any = SimpleNamespace(bots=OwnBots())
    bot = adviser(match.setting.title.name, quick=True)
    work = replies.what_is_saved(here, match, match.game.to_move, action, bot, lang)
    return asyncio.run(work)


def test_a_hint_says_what_it_saves_the_seat_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replies, "SECONDS", 60.0)
    match = from_scene(read_scene_text(CLOSING, find_title))
    said = {lang: saved(match, "place a 3", lang) for lang in LANGUAGES}
    assert said["en"] == ["keeps the other side from winning"]
    assert all(len(parts) == 1 for parts in said.values()) and len({*map(tuple, said.values())}) == 4
    assert saved(match, "place c 1", "en") == [], "black closes the line all the same"


def test_what_is_saved_is_what_would_be_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """One card lies ready for the only empty disc, and an empty disc costs a point when the turn begins."""
    monkeypatch.setattr(replies, "SECONDS", 60.0)
    scene = read_scene(
        find_title(LARGE).folder / "choices" / "save-fill-the-only-empty-disc.toml", find_title
    )
    match = from_scene(scene)
    assert saved(match, "lay consul 6", "en") == ["saves 1 point"]
    assert saved(match, "lay consul 6", "de") == ["rettet 1 Punkt"]


def test_nothing_is_said_to_be_saved_where_there_was_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replies, "SECONDS", 0.0)
    assert saved(from_scene(read_scene_text(CLOSING, find_title)), "place a 3", "en") == []


def test_a_hint_and_threats_carry_it_to_the_table(server: ServerProcess) -> None:
    async def work() -> None:
        me = await Client.guest(server.url)
        game = set_up(read_scene_text(CLOSING, find_title))
        start = {"position": write_start(find_title(BARE), game.box, game.position)}
        seats = [{"kind": "me"}, {"kind": "bot", "bot": "miles"}]
        made = await me.request("POST", "/api/matches", {"title": BARE, "seats": seats, "start": start})
        assert made.status_code == 201, made.text
        table = made.json()["table"]["id"]
        told = (await me.request("POST", f"/api/matches/{table}/hint", {"lang": "fr", "quick": True})).json()
        assert told["action"] == "place a 3"
        assert "empêche l’autre camp de gagner" in told["why"]
        threat = (await me.request("POST", f"/api/matches/{table}/threats", {"lang": "en"})).json()
        assert threat["why"] == ["lets the other side win"]
        assert threat["touches"] == ["board:a-3"], "where it happens"

    asyncio.run(work())


def test_what_the_seat_pays_in_its_own_next_turn_is_no_threat(server: ServerProcess) -> None:
    """A position in which every turn of the seat begins with a payment."""

    async def work() -> None:
        me = await Client.guest(server.url)
        title = find_title(LARGE)
        game = title.new(seed=3)
        while not any(action.kind == "money" for action in game.legal()):
            game.play(game.legal()[0])
        seats = [{"kind": "bot", "bot": "tiro"}, {"kind": "bot", "bot": "tiro"}]
        seats[game.to_move] = {"kind": "me"}
        start = {"position": write_start(title, game.box, game.position)}
        body = {"title": LARGE, "seats": seats, "start": start}
        made = await me.request("POST", "/api/matches", body)
        assert made.status_code == 201, made.text
        table = made.json()["table"]["id"]
        told = await me.request("POST", f"/api/matches/{table}/threats", {"lang": "en"})
        assert told.status_code == 200, told.text
        said, why = told.json()["said"], told.json()["why"]
        assert 0 < len(said) <= 8
        assert not any("empty discs" in line for line in said), said
        assert not any(line.startswith(("brings", "wins")) for line in why), why

    asyncio.run(work())
