"""Hints: what a bot would do, only against bots, only in one's own turn."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ludus.core.chance import CHANCE, Seeded
from ludus.core.game import Game
from ludus.core.reasons import Reason
from ludus.core.scene import Scene, read_scene, read_scene_text, set_up
from ludus.core.starting import write_start
from ludus.core.words import LANGUAGES
from ludus.match.match import Match, read_setting
from ludus.server import bot_worker, replies, threats
from ludus.server.hints import adviser, rest_of_turn, what_changes, why_so, win_first
from ludus.server.testing import Client, ServerProcess
from ludus.titles import title as find_title
from samples import BARE, LARGE, SMALL
from server.conftest import HERE, SETTINGS

FILL = find_title(LARGE).folder / "choices" / "save-fill-the-only-empty-disc.toml"


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
    match = from_scene(read_scene(FILL, find_title))
    said = {lang: why_so(match, 0, "lay consul 6", lang) for lang in ("en", "de")}
    assert said["en"] == ["costs 3 sesterces", "puts 1 more card to work"]
    assert said["de"][0] == "kostet 3 Sesterzen"


def test_no_reason_repeats_what_the_choice_is_called() -> None:
    title = find_title(LARGE)
    game = title.new(seed=3)
    while not any(action.kind == "money" for action in game.legal()):
        game.play(game.legal()[0])
    match = from_game(game)
    action = next(action for action in match.game.legal() if action.kind == "money")
    for lang in LANGUAGES:
        assert why_so(match, match.game.to_move, action.text, lang) == []
    assert what_changes(match, match.game.to_move, action.text) == {"gain": 0, "others": 0}
    brings = Reason("points.more", 1)
    assert brings.is_said_by(title.words, "en", "Buy 1 point.")
    assert not brings.is_said_by(title.words, "en", "buy 11 points"), "another number"


WINNING = f"""
title = "{LARGE}"
name = "Whoever ends the turn wins: the other side pays its last points for empty discs"
[position]
turn = 15
points = [14, 2]
dice = [DICE]
money = [0, 0]
board.0 = {{ 1 = "onager", 2 = "basilica", 3 = "forum", 4 = "legionarius", 5 = "turris" }}
board.1 = {{ 1 = "architectus", 3 = "senator", 4 = "machina" }}
[[step]]
seat = 0
play = "end"
"""


def test_a_choice_that_wins_says_so_first() -> None:
    match = from_scene(read_scene_text(WINNING.replace("DICE", "0, 0, 0"), find_title))
    said = {lang: why_so(match, 0, "end", lang)[0] for lang in LANGUAGES}
    assert said == {
        "en": "wins the game",
        "fr": "gagne la partie",
        "it": "vince la partita",
        "de": "gewinnt das Spiel",
    }


def test_a_turn_that_wins_says_so_first_and_nothing_is_told_twice() -> None:
    match = from_scene(read_scene_text(WINNING.replace("DICE", "4, 0, 0"), find_title))
    here: Any = SimpleNamespace(bots=OwnBots())
    turn = asyncio.run(rest_of_turn(here, match, 0, [match.game.code_of("money 4")], "en")).brings
    assert turn[0] == "wins the game"
    assert win_first(["a"], turn, "wins the game") == (["wins the game", "a"], turn[1:])
    assert win_first(["a"], ["b"], "wins the game") == (["a"], ["b"])
    text = WINNING.replace("DICE", "4, 0, 0").replace("[14, 2]", "[10, 10]")
    match = from_scene(
        read_scene_text(
            text.replace('4 = "machina"', '2 = "machina", 4 = "turris", 5 = "onager", 6 = "forum"'),
            find_title,
        )
    )
    assert asyncio.run(rest_of_turn(here, match, 0, [match.game.code_of("money 4")], "en")).brings == [], (
        "the whole turn brings the same"
    )


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
        answer = told.json()
        assert answer["tries"] >= threats.LEAST and len(answer["threats"]) <= threats.MOST
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


def threatened(match: Match, seat: int, lang: str) -> tuple[list[dict[str, Any]], int]:
    here: Any = SimpleNamespace(bots=OwnBots())
    found, tries = asyncio.run(threats.find_blows(here, match, seat, lang))
    return threats.tell_threats(match, lang, found), tries


TRIBUNE = f"""
title = "{LARGE}"
name = "The only card over there that hurts"
[position]
turn = 15
points = [10, 10]
dice = [0, 0, 0]
money = [0, 0]
board.0 = {{ 1 = "onager", 2 = "basilica", 3 = "forum", 4 = "legionarius", 5 = "turris" }}
board.1 = {{ 1 = "architectus", 2 = "tribunus_plebis", 3 = "senator", 4 = "machina", 6 = "basilica" }}
[[step]]
seat = 0
play = "end"
"""


def test_a_threat_is_a_choice_and_what_it_costs_but_no_throw(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over many rolls the one card that hurts is named, where it lies, and how often it struck."""
    monkeypatch.setattr(threats, "SECONDS", 60.0)
    match = from_scene(read_scene_text(TRIBUNE, find_title))
    match.names = ["Anna", "Bruno"]
    rows, tries = threatened(match, 0, "en")
    assert tries == threats.TRIES and len(rows) <= threats.MOST
    tribune = next(row for row in rows if "Tribunus" in row["said"])
    assert tribune["said"].startswith("Bruno activates Tribunus Plebis with a 2: you lose 1 point")
    assert tribune["touches"] == ["side1:2"], "the other side's card, no die or disc of one's own"
    assert 1 <= tribune["tries"] < tries, "not every roll has a 2"
    assert not any("roll" in row["said"] or "takes" in row["said"] for row in rows), rows
    for lang, wanted in {
        "fr": "vous perdez 1 point",
        "de": "du verlierst 1 Punkt",
        "it": "perdi 1 punto",
    }.items():
        assert any(wanted in row["said"] for row in threatened(match, 0, lang)[0])


def test_where_nothing_hurts_no_turn_is_invented(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threats, "SECONDS", 60.0)
    match = Match(read_setting(find_title(BARE), None, {}, ()), Seeded(1))
    assert threatened(match, 0, "en") == ([], threats.TRIES)


def test_a_harm_is_told_with_what_led_to_it_and_the_worst_first() -> None:
    """A target can be chosen once somebody is at work; what is done nowhere is left out."""

    def ply(seat: int, code: int, legal: set[int], place: str = "") -> Any:
        places = (place,) if place else ()
        return SimpleNamespace(
            face=SimpleNamespace(seat=seat), code=code, legal=frozenset(legal), places=places
        )

    plies = [
        ply(CHANCE, 9, set()),
        ply(1, 1, {1, 2, 3}, "side1:4"),  # one at work
        ply(1, 7, {6, 7}, "side0:2"),  # its target
        ply(CHANCE, 9, set()),
        ply(0, 5, {5}, "side0:5"),  # an answer of the seat's own
        ply(1, 2, {2, 3}, "side1:6"),  # another, which could have been first
        ply(1, 8, {8}),  # with one die more
    ]
    assert threats._led_to(plies, 3, 0) == [1, 2]
    assert threats._led_to(plies, 5, 0) == [5]
    assert threats._led_to(plies, 6, 0) == [5]
    match = from_scene(read_scene_text(TRIBUNE, find_title))

    def blow(said: str, what: str, n: int, loss: int) -> threats.Blow:
        return threats.Blow((f"{said}.",), (), (Reason(what, n),), loss)

    found = [(0, blow("A", "points.less", 1, 5)), (1, blow("A", "points.less", 3, 9))]
    found += [(0, blow("B", "board.less", 1, 50)), (0, blow("C", "game.theirs_more", 1, 1))]
    rows = threats.tell_threats(match, "en", found)
    assert [row["said"] for row in rows] == [
        "C: the opponent wins the game",
        "B: you lose 1 card on your discs",
        "A: you lose 1–3 points",
    ]
    assert [row["tries"] for row in rows] == [1, 1, 2]


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


@pytest.fixture(autouse=True)
def _bots_alone_step_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not these tests, where bots think in their process."""
    monkeypatch.setattr(bot_worker, "_step_back", lambda: None)


class OwnBots:
    """Bots that think in this process."""

    async def think(self, job: dict[str, Any]) -> Any:
        answered = bot_worker.answer({**job, "seconds": 0.1, "limit": 2.0, "cores": 1})
        return SimpleNamespace(action=answered["action"], memory=answered.get("memory", {}))


def from_scene(scene: Scene) -> Match:
    return from_game(set_up(scene), dict(scene.options))


def from_game(game: Game[Any, Any], options: Mapping[str, Any] | None = None) -> Match:
    start = write_start(game.title, game.box, game.position)
    return Match(read_setting(game.title, game.seats, options or {}, (), start=start), Seeded(1))


def saved(match: Match, action: str, lang: str, bot: str = "") -> list[str]:
    here: Any = SimpleNamespace(bots=OwnBots())
    bot = bot or adviser(match.setting.title.name, quick=True)
    codes = [match.game.code_of(action)]
    work = replies.what_is_saved(here, match, match.game.to_move, codes, bot, lang)
    return asyncio.run(work)


def test_a_hint_says_what_it_saves_the_seat_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replies, "SECONDS", 60.0)
    match = from_scene(read_scene_text(CLOSING, find_title))
    said = {lang: saved(match, "place a 3", lang) for lang in LANGUAGES}
    assert said["en"] == ["keeps the other side from winning"]
    assert all(len(parts) == 1 for parts in said.values()) and len({*map(tuple, said.values())}) == 4
    assert saved(match, "place c 1", "en") == [], "black closes the line all the same"


def test_what_is_saved_is_what_would_be_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """One card lies ready for the only empty disc, and an empty disc costs a point when the turn begins.  The
    others are played by who does not take that point by force: after that nothing would be saved."""
    monkeypatch.setattr(replies, "SECONDS", 60.0)
    match = from_scene(read_scene(FILL, find_title))
    assert saved(match, "lay consul 6", "en", "miles") == ["saves 1 point"]
    assert saved(match, "lay consul 6", "de", "miles") == ["rettet 1 Punkt"]


def test_nothing_is_said_to_be_saved_where_there_was_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replies, "SECONDS", 0.0)
    assert saved(from_scene(read_scene_text(CLOSING, find_title)), "place a 3", "en") == []


def test_a_hint_and_threats_carry_it_to_the_table(tmp_path: Path) -> None:
    """On a server that waits for its bots: after a second, another one gives a legal action for an answer."""

    async def work(server: ServerProcess) -> None:
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
        worst = threat["threats"][0]
        assert worst["said"].endswith(": the other side wins the game") and worst["tries"] == threat["tries"]
        assert worst["touches"] == ["board:a-3"], "where it happens"

    settings = {**SETTINGS, "bot_seconds": "30"}
    with ServerProcess(str(tmp_path / "hints.db"), settings, paths=[HERE]) as process:
        asyncio.run(work(process))


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
        said = [row["said"] for row in told.json()["threats"]]
        assert not any("empty discs" in line for line in said), said
        assert not any("you pay" in line or "brings" in line for line in said), said

    asyncio.run(work())
