"""Levels for people: offered everywhere, named in every language, played at once, in time, from memory."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ludus
from conftest import ROOT, all_titles
from ludus.bots import Bot, Chair, default_bot, levels_for, make_bot, programs_for, substitute, who_plays
from ludus.bots import legatus as legatus_module
from ludus.bots.centurio import Centurio
from ludus.bots.judging import JUDGE
from ludus.bots.legatus import Legatus
from ludus.bots.levels import LEVELS, STRONGEST
from ludus.bots.miles import Miles
from ludus.bots.planner import Planner, Search
from ludus.bots.planning import PLANNING
from ludus.core import compilation
from ludus.core.engine import ENGINE
from ludus.core.game import Action, Game
from ludus.core.title import Title
from ludus.match.match import Match
from ludus.server import bot_worker
from ludus.server.bots import MAX_MEMORY, BotPool, Memories, Thought, make_job
from ludus.terminal.opponents import Opponents
from ludus.terminal.seating import PERSON, CannotSit, Seating, find_level, name_players, seat_people
from ludus.terminal.speech import TABLE_WORDS
from ludus.terminal.start import CannotGoOn, Wish
from samples import LARGE, SMALL, WIDE

WORDS = ROOT / "src" / "ludus" / "web" / "static" / "words"
LANGUAGES = ("en", "fr", "it", "de")
SIX = [*LEVELS, STRONGEST]


@pytest.fixture
def large() -> Title[Any, Any]:
    return ludus.title(LARGE)


# -- which there are ----------------------------------------------------------------------------------------


def test_people_choose_from_five_levels_and_the_strongest(large: Title[Any, Any]) -> None:
    assert levels_for(large) == ["tiro", "discens", "optio", "centurio", "legatus", "imperator"]
    assert (default_bot(large), substitute(large)) == ("tiro", "optio")


def test_a_title_whose_value_judges_turns_offers_all_levels_too() -> None:
    wide = ludus.title(WIDE)
    assert not (wide.folder / "nets").exists() and levels_for(wide) == SIX
    assert wide.inputs is not None
    without = replace(wide, inputs=replace(wide.inputs, by_value=False))
    assert levels_for(without) == ["tiro", "miles"]


def test_a_title_without_a_net_offers_who_can_play(sample: Title[Any, Any]) -> None:
    assert levels_for(sample) == ["tiro", "miles"]
    assert (default_bot(sample), substitute(sample)) == ("tiro", "miles")
    valueless = replace(sample, value=None)
    assert levels_for(valueless) == ["tiro"] and substitute(valueless) == "tiro"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_level_has_a_name_and_a_line_what_to_expect(lang: str) -> None:
    offered = {name for title in all_titles() for name in levels_for(title)}
    web = json.loads((WORDS / f"{lang}.json").read_text(encoding="utf-8"))
    names = [web[f"bot.{name}"] for name in sorted(offered)]
    assert len(set(names)) == len(offered)
    for name, shown in zip(sorted(offered), names, strict=True):
        assert TABLE_WORDS.say(lang, f"bot.name.{name}") == shown, "one word for one thing"
        line = TABLE_WORDS.say(lang, f"bot.help.{name}")
        assert web[f"bot.{name}.help"].lower() == f"{line.lower()}."


# -- in the terminal ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", SIX)
def test_every_level_is_seated_in_the_terminal(large: Title[Any, Any], level: str) -> None:
    number = str(SIX.index(level) + 1)
    assert find_level(number, large, "en") == find_level(level.capitalize(), large, "en") == level
    assert seat_people(large, 2, None, [level], False, "en").players == (PERSON, level)
    assert Wish(title=LARGE, level=number).at(large).bots == (level,)


@pytest.mark.parametrize("given", ["0", "3", "random", "legatus", "²", ""])
def test_a_level_that_is_none_is_told_what_there_is(sample: Title[Any, Any], given: str) -> None:
    with pytest.raises(CannotSit, match=r"is no level of this title; there are: 1 tiro, 2 miles"):
        find_level(given, sample, "en")


def test_a_level_and_bots_are_one_too_many(large: Title[Any, Any]) -> None:
    with pytest.raises(CannotGoOn, match="give one of them"):
        Wish(title=LARGE, level="2", bots=("tiro",)).at(large)


def test_bots_are_called_in_the_language_of_the_table() -> None:
    seating = Seating((PERSON, "centurio", "centurio"))
    assert name_players(seating, ["Anna"], "it") == ["Anna", "Centurione", "Centurione II"]


# -- at once ------------------------------------------------------------------------------------------------


def planned(title: Title[Any, Any]) -> Title[Any, Any]:
    """A title whose turns are planned as a whole."""
    assert title.inputs is not None
    return replace(title, inputs=replace(title.inputs, whole_turns=True))


def test_the_rung_below_plays_until_machine_code_lies_ready(
    large: Title[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compilation, "has_numba", lambda: True)
    monkeypatch.setattr(legatus_module, "has_numba", lambda: True)
    monkeypatch.setattr(compilation, "is_ready", lambda title, program=ENGINE: False)
    assert type(who_plays(make_bot("legatus", large))) is Centurio
    assert who_plays(make_bot("centurio", large)).form() == "plain"
    for name in ("discens", "centurio", "legatus", "imperator"):
        assert type(who_plays(make_bot(name, planned(large)))) is Miles, "a whole turn takes too long"
    waiting = Opponents(large, Seating((PERSON, "legatus")), 1)
    assert (type(waiting.player(1)[0]), waiting.player(1)[1]) == (Centurio, "plain")
    place = bot_worker._Place("legatus", LARGE)
    assert type(place.player()[0]) is Centurio
    monkeypatch.setattr(compilation, "is_ready", lambda title, program=ENGINE: True)
    place._again = 0.0  # the time to look again has come
    assert (type(place.player()[0]), place.player()[1]) == (Legatus, "compiled")
    waiting._warming["legatus"].ready = True
    assert (type(waiting.player(1)[0]), waiting.player(1)[1]) == (Legatus, "compiled")


def test_without_numba_everybody_plays_in_plain_form(
    large: Title[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LUDUS_PLAIN", "1")
    for name in ("discens", "optio", "centurio", "legatus", "imperator"):
        bot = make_bot(name, large)
        assert who_plays(bot) is bot and bot.form() == "plain"


def test_what_a_bot_needs_is_made_once_in_the_background(
    sample: Title[Any, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LUDUS_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(compilation, "has_numba", lambda: True)
    started: list[Sequence[str]] = []

    class Compiling:
        pid = os.getpid()  # it runs as long as we do

        def __init__(self, command: Sequence[str], **how: Any) -> None:
            started.append(command[3:])

    monkeypatch.setattr(subprocess, "Popen", Compiling)
    compilation.compile_in_background(sample)
    compilation.compile_in_background(sample, Miles.programs)
    compilation.compile_in_background(sample, Miles.programs)
    assert started == [
        ["compile", SMALL, "--program=engine"],
        ["compile", SMALL, "--program=judge"],
    ]


def test_only_bots_with_nets_need_the_large_program(large: Title[Any, Any], sample: Title[Any, Any]) -> None:
    assert programs_for(sample) == [ENGINE, JUDGE]
    assert programs_for(large) == [ENGINE, JUDGE, PLANNING]
    assert not make_bot("tiro", large).programs, "nothing is compiled for a newcomer's first game"


# -- in time ------------------------------------------------------------------------------------------------

THIN = Search(wide=4, more=0, soldier=0, heat=0.0, turns=0)


class Counted(Legatus):
    """Legatus with few plans, who counts how often he thinks anew."""

    actions = THIN
    lucks = 1
    searches = 0

    def search(self, chair: Chair, planner: Planner) -> list[int]:
        self.searches += 1
        return super().search(chair, planner)


class Timed(Counted):
    lucks = 0


class Clock:
    """Goes on by a step whenever somebody looks at it."""

    def __init__(self, step: float) -> None:
        self.now, self.step = 100.0, step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


def in_the_middle(title: Title[Any, Any]) -> Game[Any, Any]:
    """A seat that has several things to do in its turn."""
    game = title.new(seed=4)
    bot = make_bot("random", title)
    while len(game.line) < 40 or len(game.legal()) < 8:
        game.play(bot.choose(Chair(game, game.to_move, seed=len(game.line))))
    return game


@pytest.mark.parametrize("budget", [0.1, 0.3, 60.0])
def test_a_search_ends_before_its_time(
    large: Title[Any, Any], monkeypatch: pytest.MonkeyPatch, budget: float
) -> None:
    """Looks at the clock are all the time there is: so it is never over, however slow the machine."""
    game = in_the_middle(large)
    bot = Timed(large)
    chair = Chair(game, game.to_move, seed=1, budget=budget)
    given = bot.share(chair)
    assert given == min(budget, bot.seconds / 2)
    clock = Clock(given / 20)
    monkeypatch.setattr(legatus_module, "monotonic", clock)
    bot.choose(chair)
    assert 100.0 + given / 2 < clock.now <= 100.0 + given + 2 * clock.step


def test_a_turn_gets_its_seconds_once(large: Title[Any, Any]) -> None:
    chair = Chair(in_the_middle(large), 0, budget=60.0)
    bot = Legatus(large)
    assert bot.share(chair) == bot.seconds / 2
    chair.memory["spent"] = bot.seconds * 0.8
    assert bot.share(chair) == pytest.approx(bot.seconds * 0.1)
    chair.memory["spent"] = bot.seconds * 3
    assert bot.share(chair) == bot.seconds / 50
    chair.memory["turn"] = -5
    assert bot.share(chair) == bot.seconds / 2, "another turn"


def test_the_server_gives_a_bot_what_it_wants_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    import asyncio

    given: list[float] = []

    async def ask(pool: BotPool, worker: Any, job: dict[str, Any], seconds: float) -> Thought:
        given.append(job["seconds"])
        return Thought("", "played")

    monkeypatch.setattr(BotPool, "_ask", ask)

    async def work() -> None:
        pool = BotPool(workers=1, seconds=10.0, think=5.0)
        pool.start()
        for name in ("miles", "legatus", "imperator"):
            await pool.think({"bot": name})
        pool.waiting = 3  # a line: everybody has less
        await pool.think({"bot": "imperator"})

    asyncio.run(work())
    assert given == [0.5, 1.0, 5.0, 1.25]


# -- from memory --------------------------------------------------------------------------------------------


def test_a_plan_is_played_on_until_something_else_happens(large: Title[Any, Any]) -> None:
    game = in_the_middle(large)
    seat, bot, memory = game.to_move, Counted(large), {}  # type: tuple[int, Counted, dict[str, Any]]
    first = bot.choose(Chair(game, seat, seed=1, memory=memory))
    assert bot.searches == 1
    memory = json.loads(json.dumps(memory))  # as a table keeps it
    assert memory["others"] == sum(played.seat != seat for played in game.line)
    legal = [action.code for action in game.legal()]
    memory["plan"] = [code for code in legal if code != first.code][:1]
    again = bot.choose(Chair(game, seat, seed=1, memory=dict(memory)))
    assert (bot.searches, again.code) == (1, memory["plan"][0])
    others = memory["others"] + 1
    assert bot.choose(Chair(game, seat, seed=1, memory=dict(memory), others=others)) == first
    assert bot.searches == 2, "something happened that the plan did not know"
    illegal = next(code for code in range(large.codes.size) if code not in legal)
    assert bot.choose(Chair(game, seat, seed=1, memory={**memory, "plan": [illegal]})) == first
    assert bot.searches == 3


class Diary(Bot):
    """Writes down how often it was asked."""

    def choose(self, chair: Chair) -> Action:
        chair.memory["asked"] = chair.memory.get("asked", 0) + 1
        return chair.legal()[0]


def test_a_table_keeps_what_a_bot_wrote_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_worker, "_step_back", lambda: None)
    match = Match.simulated(ludus.title(SMALL), 1, seats=2)
    memories = Memories()
    for asked in (1, 2, 3):
        job = make_job(match, 0, "test_levels:Diary", memories.of(match, 0, "test_levels:Diary"))
        sent = json.loads(json.dumps({**job, "seconds": 1.0, "limit": 2.0, "cores": 1}))
        answer = json.loads(json.dumps(bot_worker.think(sent)))
        assert answer["memory"] == {"asked": asked} and answer["action"] in job["legal"]
        memories.keep(match, 0, "test_levels:Diary", answer["memory"])
        assert memories.of(match, 0, "test_levels:Diary") == {}, "it is not played yet"
        match.play(0, [answer["action"]])
    assert memories.of(match, 0, "test_levels:Diary") == {"asked": 3}
    others = memories.of(match, 0, "tiro"), memories.of(match, 1, "test_levels:Diary")
    assert others == ({}, {}), "nobody reads another's"


def test_a_memory_that_is_too_large_is_forgotten() -> None:
    match, memories = Match.simulated(ludus.title(SMALL), 1, seats=2), Memories()
    for length, kept in ((1, True), (MAX_MEMORY, False)):
        memories.keep(match, 0, "tiro", {"a": "x" * length})
        match.play(0, [match.game.legal()[0].text])
        assert bool(memories.of(match, 0, "tiro")) == kept


def test_what_others_did_counts_also_when_it_was_taken_back() -> None:
    """Else a plan of before an undo would be played on after it."""
    match = Match.simulated(ludus.title(SMALL), 1, seats=2)
    before = make_job(match, 0, "tiro")["others"]
    match.play(0, ["stake 1", "show 2"])
    assert make_job(match, 0, "tiro")["others"] == before
    match.undo(0, 0)
    assert make_job(match, 0, "tiro")["others"] == before + 1


def test_the_terminal_keeps_what_a_bot_wrote_down(sample: Title[Any, Any]) -> None:
    game = sample.new(seed=1, seats=2)
    bots = Opponents(sample, Seating(("test_levels:Diary", "test_levels:Diary")), 1)
    for _ in range(2):
        game.play(bots.choose(game, 0))
    assert bots._memories[0, "test_levels:Diary"] == {"asked": 2}
