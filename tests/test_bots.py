"""Bots: they know only what their seat knows, and the arena counts them fairly."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import ludus
from conftest import LONG, ROOT, all_titles, count
from ludus.bots import Bot, Chair, bot_names, bots_for, find_bot, make_bot
from ludus.bots.centurio import NetBot
from ludus.bots.planner import Search
from ludus.cli import app
from ludus.core.chance import next_u32, seed_rng
from ludus.core.game import Action
from ludus.core.title import Title
from ludus.lab import arena
from ludus.server import bots as server_bots
from ludus.terminal.seating import PERSON, CannotSit, name_players, read_comment, seat_people
from samples import LARGE, SMALL

CASES = [(title, name) for title in all_titles() for name in bots_for(title)]
EVERY_BOT = pytest.mark.parametrize(("title", "name"), CASES, ids=lambda v: getattr(v, "name", v))
# The machine code of nets takes a minute a title to make: they are compared in the long run.
COMPILED = [(t, n) for t, n in CASES if LONG or not issubclass(find_bot(n), NetBot)]
TRIED = {"discens": 15, "optio": 15, "centurio": 15, "legatus": 2, "imperator": 1}  # in plain form
THIN = Search(wide=1, more=1, soldier=1, heat=0.05, turns=0)


def steady(name: str, title: Title[Any, Any]) -> Bot:
    """A bot that does not look at the clock: the same choice on every machine."""
    bot = find_bot(name)
    if issubclass(bot, NetBot):  # who plans little, too
        bot = type(name, (bot,), {"lucks": 1, "actions": THIN, "whole_turns": THIN, "replied": THIN})
    return bot(title)


@EVERY_BOT
def test_a_choice_does_not_depend_on_what_is_hidden(title: Title[Any, Any], name: str) -> None:
    """Everything hidden from the seat is re-dealt before it is asked: the same seed, the same choice."""
    bot, most = steady(name, title), TRIED.get(name, 60)
    if title.inputs is not None and title.inputs.whole_turns and issubclass(find_bot(name), NetBot):
        most = 1
    rng = [0, 0, 0, 0]
    seed_rng(rng, 11, 0)
    checked = 0
    for seed in range(2):
        game = title.new(seed=seed)
        while not game.over and checked < count(10 * most) * (seed + 1):
            seat = game.to_move
            choice = bot.choose(Chair(game, seat, seed=seed, budget=1e9))
            twin = game.copy()
            twin.form.redeal(twin.s, seat, [next_u32(rng) for _ in range(4)])
            assert bot.choose(Chair(twin, seat, seed=seed, budget=1e9)) == choice
            game.play(choice)
            checked += 1


@pytest.mark.parametrize(("title", "name"), COMPILED, ids=lambda v: getattr(v, "name", v))
def test_both_forms_choose_the_same(title: Title[Any, Any], name: str) -> None:
    bot = steady(name, title)
    plain, compiled = (title.new(seed=3, form=form) for form in ("plain", "compiled"))
    for _ in range(count(10 * TRIED.get(name, 30))):
        if plain.over:
            break
        choices = [bot.choose(Chair(g, g.to_move, seed=9, budget=1e9)) for g in (plain, compiled)]
        assert choices[0] == choices[1]
        for game in (plain, compiled):
            game.play(choices[0])


def test_a_chair_shows_nothing_when_it_is_not_its_turn(sample: Title[Any, Any]) -> None:
    game = sample.new(seed=1, seats=2)
    game.play("stake 1", "show 3", "guess 5")
    chair = Chair(game, seat=0)
    assert chair.legal() == []
    other = Chair(game, seat=1)
    assert other.view()["board"]["fingers"] == [None, 0]
    samples = {tuple(game.form.plain(other.sample(other.random())).fingers) for _ in range(60)}
    assert len(samples) == 5  # every number of fingers that seat 0 could show, the true one among them


def test_a_bot_plays_imagined_games_to_their_end(sample: Title[Any, Any]) -> None:
    game = sample.new(seed=1, seats=2, chance="manual")
    game.play("stake 1", "show 3", "guess 5")
    chair = Chair(game, seat=1, seed=4)
    ends = []
    for _ in range(20):
        imagined = chair.imagine()
        assert imagined.view(1) == chair.view()
        while not imagined.over:
            imagined.apply(imagined.legal_codes()[-1])
        ends.append(imagined.hash())
    assert len(set(ends)) > 5 and len(game.line) == 3


def test_random_is_uniform(sample: Title[Any, Any]) -> None:
    game = sample.new(seed=1)
    bot = make_bot("random", sample)
    seen = [bot.choose(Chair(game, 0, seed=seed)).text for seed in range(500)]
    assert {text: 60 < seen.count(text) < 140 for text in set(seen)} == {
        f"stake {v}": True for v in range(1, 6)
    }


def test_every_seed_is_played_in_every_rotation() -> None:
    plan = arena.make_plan(SMALL, ["miles", "tiro", "tiro"], 9, 4, {"rounds": "2"})
    games = arena.run(plan, workers=1)
    assert len(games) == 9
    assert [g.bots.index("miles") for g in games] == [0, 2, 1] * 3
    again = arena.run(plan, workers=2)
    assert [(g.bots, g.returns, g.length) for g in games] == [(g.bots, g.returns, g.length) for g in again]


def test_a_stopped_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = arena.make_plan(SMALL, ["miles", "tiro"], 12, 4, {})
    whole = arena.run(plan, workers=1)
    path = tmp_path / "a.jsonl"
    arena.run(plan, path, workers=1)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:4]) + lines[4][:30], encoding="utf-8")  # three seeds and a half
    asked: list[int] = []
    real = arena.play_seed

    def counting(plan: arena.Plan, number: int) -> list[arena.PlayedGame]:
        asked.append(number)
        return real(plan, number)

    monkeypatch.setattr(arena, "play_seed", counting)
    resumed = arena.run(plan, path, workers=1)
    assert asked == [3, 4, 5]
    assert [g.returns for g in resumed] == [g.returns for g in whole]
    other = arena.make_plan(SMALL, ["miles", "tiro"], 12, 5, {})
    with pytest.raises(ludus.FormatError, match="holds another tournament"):
        arena.run(other, path, workers=1)


def test_the_json_of_the_command(tmp_path: Path) -> None:
    words = ["arena", SMALL, "--bots", "miles,tiro", "--games", "6", "--seed", "2", "--json"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    facts = ["title", "games", "seed", "budget", "bots", "elo", "sprt", "mean_length", "length", "turns"]
    assert list(data) == facts
    assert list(data["bots"]) == ["miles", "tiro"]
    shares = ["win_rate", "low", "high", "draws", "score", "score_low", "score_high", "fair"]
    assert list(data["bots"]["tiro"]) == [*shares, "ms_per_move", "cpu_ms_per_move"]
    rates = [data["bots"][n]["win_rate"] for n in ("miles", "tiro")]
    assert sum(rates) + data["bots"]["tiro"]["draws"] == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--bots", "caesar"], "there is no bot 'caesar'; there are: random, tiro, miles"),
        (["--bots", ","], "needs at least one name"),
        (["--option", "rounds"], "an option is given as name=value"),
        (["--option", "rounds=0"], "option rounds cannot be '0'"),
        (["--bots", "tiro,tiro,tiro,tiro,tiro,tiro,tiro"], "for 2 to 6 seats, not 7"),
    ],
)
def test_bad_input_gets_a_sentence(words: list[str], sentence: str) -> None:
    result = CliRunner().invoke(app, ["arena", SMALL, *words])
    assert result.exit_code != 0
    assert sentence in str(result.exception)


# -- the registry ---------------------------------------------------------------------------------------


class Last(Bot):
    """A bot of somebody's own."""

    def choose(self, chair: Chair) -> Action:
        return chair.legal()[-1]


class Fails(Bot):
    def choose(self, chair: Chair) -> Action:
        raise KeyError("where is my table")


class Cheats(Bot):
    def choose(self, chair: Chair) -> Action:
        return replace_code(chair, -1)


class OnlyLarge(Last):
    @classmethod
    def can_play(cls, title: Title[Any, Any]) -> bool:
        return title.name == LARGE


def replace_code(chair: Chair, code: int) -> Action:
    return Action(code, chair.title.codes, {})


NO_BOT = 3
BOTS = ["random", "tiro", "miles", "discens", "optio", "centurio", "legatus", "imperator"]


def valueless() -> Title[Any, Any]:
    return replace(ludus.title(SMALL), value=None)


def test_only_who_can_play_sits_down() -> None:
    assert bots_for(ludus.title(SMALL)) == ["random", "tiro", "miles"]
    assert bots_for(ludus.title(LARGE)) == bot_names()
    assert bots_for(valueless()) == ["random", "tiro"]
    with pytest.raises(ludus.LudusError, match=f"miles cannot play {SMALL}; these can: random, tiro"):
        make_bot("miles", valueless())


def test_terminal_server_and_arena_ask_the_same_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ludus.titles, "title", lambda name: valueless())
    assert server_bots.bot_names(SMALL) == ["random", "tiro"]
    assert server_bots.level_names(SMALL) == ["tiro"]
    assert server_bots.default_bot(SMALL) == server_bots.substitute(SMALL) == "tiro"
    with pytest.raises(ludus.LudusError, match=f"miles cannot play {SMALL}"):
        arena.make_plan(SMALL, ["miles"], 1, 1, {})
    with pytest.raises(CannotSit, match="miles"):
        seat_people(valueless(), 2, None, ["miles"], False, "en")
    assert seat_people(valueless(), 2, None, [], False, "en").players == (PERSON, "tiro")
    assert read_comment(["ludus play: person miles"], valueless(), 2) is None


def test_a_bot_of_ones_own_sits_down_by_its_path(sample: Title[Any, Any]) -> None:
    game = sample.new(seed=1)
    assert make_bot("test_bots:Last", sample).choose(Chair(game, 0)).text == "stake 5"
    seating = seat_people(sample, 2, None, ["test_bots:Last"], False, "en")
    assert seating.players == (PERSON, "test_bots:Last")
    assert name_players(seating, ["Anna"], "en") == ["Anna", "Last"]
    with pytest.raises(
        ludus.LudusError, match=f"test_bots:OnlyLarge cannot play {SMALL}; these can: random, tiro, miles"
    ):
        make_bot("test_bots:OnlyLarge", sample)
    with pytest.raises(CannotSit):
        seat_people(sample, 2, None, ["test_bots:OnlyLarge"], False, "en")


def test_a_file_cannot_make_ludus_import_anything() -> None:
    assert read_comment(["ludus play: person test_bots:Last"], ludus.title(SMALL), 2) is None


@pytest.mark.parametrize(
    ("path", "told"),
    [
        (
            "caesar",
            "there is no bot 'caesar'; there are: " + ", ".join(BOTS) + ", and your own as module:Class",
        ),
        ("no_such_module:Bot", "no_such_module:Bot cannot be loaded: ModuleNotFoundError: No module named"),
        ("test_bots:Nobody", "cannot be loaded: test_bots has no Nobody"),
        ("test_bots:", "cannot be loaded: test_bots has no class of that name"),
        ("test_bots:NO_BOT", "test_bots:NO_BOT is no bot: it must be a class made from ludus.bots.Bot"),
    ],
)
def test_a_path_that_is_no_bot_is_told(path: str, told: str) -> None:
    with pytest.raises(ludus.LudusError, match=re.escape(told)):
        find_bot(path)


def test_a_house_names_more_bots_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDUS_BOTS", "last=test_bots:Last, local=test_bots:OnlyLarge")
    assert server_bots.bot_names(SMALL) == ["random", "tiro", "miles", "last"]
    assert server_bots.level_names(SMALL) == ["tiro", "miles", "last"]
    assert server_bots.level_names(LARGE)[-2:] == ["last", "local"]
    assert server_bots.default_bot(LARGE) == "tiro"


OWN_BOT = """
from ludus.bots import Bot

class First(Bot):
    def choose(self, chair):
        return chair.legal()[0]
"""


def test_bots_of_ones_own_in_the_arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_bots.py").write_text(OWN_BOT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    words = [
        "arena",
        SMALL,
        "--bots",
        "own_bots:First,tiro",
        "--games",
        "4",
        "--option",
        "rounds=2",
        "--json",
    ]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert list(json.loads(done.stdout)["bots"]) == ["own_bots:First", "tiro"]


@pytest.mark.parametrize(
    ("bot", "told"),
    [
        (
            "Fails",
            r"the bot test_bots:Fails failed: KeyError: 'where is my table' \(test_bots.py, line \d+\)",
        ),
        ("Cheats", "the bot test_bots:Cheats chose action -1, which is not legal"),
    ],
)
def test_the_arena_says_which_bot_failed(bot: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDUS_PLAIN", "1")
    plan = arena.make_plan(SMALL, [f"test_bots:{bot}"], 1, 1, {})
    with pytest.raises(ludus.LudusError, match=told):
        arena.play_seed(plan, 0)


# -- the page about bots ----------------------------------------------------------------------------------


@pytest.fixture
def bots_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The modules of docs/new-bot.md as files in the folder one is in."""
    text = (ROOT / "docs" / "new-bot.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n# (\w+\.py)\n(.*?)\n```", text, re.S)
    assert [name for name, _ in blocks] == ["first.py", "seer.py", "augur.py"]
    for name, code in blocks:
        (tmp_path / name).write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.usefixtures("bots_of_the_page")
def test_the_bots_of_the_page_enter_the_arena() -> None:
    words = ["arena", SMALL, "--bots", "augur:Augur,seer:Seer,first:First", "--games", "3"]
    done = CliRunner().invoke(app, [*words, "--option", "rounds=2", "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["games"] == 3


@pytest.mark.usefixtures("bots_of_the_page")
def test_a_program_of_ones_own_chooses_the_same_in_both_forms(sample: Title[Any, Any]) -> None:
    augur = make_bot("augur:Augur", sample)
    games = [sample.new(seed=3, seats=3, form=form) for form in ("plain", "compiled")]
    for _ in range(8):
        plain, compiled = (augur.choose(Chair(game, game.to_move, seed=9)) for game in games)
        assert plain == compiled
        for game in games:
            game.play(plain)
