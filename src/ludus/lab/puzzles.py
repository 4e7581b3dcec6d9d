"""Puzzles out of games of the strongest bots: found, checked, graded and written.

A position becomes a puzzle if one choice, or a few that are as good, is better than everything else by a
margin, and still is when it is judged again with other luck and four times as much of it.  What the seat
cannot know is dealt anew before anything is judged.  Each rung of the ladder then tries it several times:
what even the weakest always find is left out, what the strongest does not find as well.  Nothing here judges
by itself: all chances are those of `title.evaluate`.

A search is numbered games; what a game gives depends on its number and the seed alone, so that a search can
be spread over processes, stopped, taken up again and repeated (`Journal`).  Only where its time is short does
it depend on the machine how far a game was searched; what was found by then is the beginning of what it
gives.
"""

from __future__ import annotations

import hashlib
import json
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import exp, inf, log
from pathlib import Path
from typing import Any, NamedTuple

from ludus import titles as registry
from ludus.bots import Bot, Chair, make_bot
from ludus.bots.centurio import Centurio
from ludus.bots.legatus import Legatus
from ludus.core.chance import CHANCE
from ludus.core.compilation import has_numba
from ludus.core.errors import FormatError, LudusError
from ludus.core.game import Game
from ludus.core.scene import make_scene, say_position, set_up
from ludus.core.title import Title
from ludus.puzzles.puzzle import GOOD, Asked, read_puzzles

from .arena import compile_for
from .workers import spread

MARGIN = 5.0  # points by which everything else is worse: what an analysis calls a mistake
FIRST_LOOK = 0.6  # of the margin, where little was thought
GLANCED = 1.0  # of the margin, at a glance
LEAST = 4  # choices there must be
DILEMMA = 2  # where the title says that two are enough (`Title.dilemmas`)
STEPS = 4  # decisions of one puzzle at most
A_GAME = 5  # puzzles of one game at most
APART = 3  # turns between them at least
FEW = 2  # choices that are as good as each other at most, and a third of all
TRIES = 6  # of each rung
SAME = 6  # puzzles with the same best choice at most
ALIKE = 0.7  # of what is said of two positions in common: too much
LONGEST = 3000  # actions of a game that are played at most
GUESSED = 0.3  # who draws lots must not find it as often as that, but where two choices are enough
EASY = 0.8  # nor both of the weakest rungs as often as that
# How strong who tries is, on the scale of ratings: about the ladder of docs/ladder.md over a random 400.
STRENGTHS = {"random": 400, "tiro": 1075, "miles": 1300, "discens": 1250, "optio": 1500, "centurio": 1700}
STRONGEST = "legatus"
STRENGTHS[STRONGEST] = 1850


class _Player(Legatus):
    """Legatus with a number of lucks in place of a clock: the same game everywhere."""

    lucks = 2


@dataclass(frozen=True)
class PuzzleSetting:
    """In which games is looked."""

    title: str
    seats: int
    options: tuple[tuple[str, Any], ...] = ()
    bot: str = "legatus"  # who plays
    at: tuple[str, ...] = ()  # prompts at which alone is looked; everywhere where none is named

    def file_name(self) -> str:
        """What the file of its puzzles is called."""
        words = [str(value) for _, value in self.options]
        default = min(registry.title(self.title).seats)
        return "-".join([self.title, *words, *([str(self.seats)] if self.seats != default else [])])


def player(name: str, title: Title[Any, Any]) -> Bot:
    """A bot that plays and tries; the strongest by numbers, not by the clock."""
    return _Player(title) if name == STRONGEST and _Player.can_play(title) else make_bot(name, title)


def settings_of(
    title: Title[Any, Any],
    seats: int | None,
    options: Mapping[str, Any],
    bot: str = STRONGEST,
    at: tuple[str, ...] = (),
) -> list[PuzzleSetting]:
    """The one that is named; else one for each net of the title, without what only simulations need."""
    from .calibrating import settings_of as all_of

    if seats is not None or options:
        count, _ = title.read_setting(seats, options)
        return [PuzzleSetting(title.name, count, tuple(options.items()), bot, at)]
    found = all_of(title.name, None, {})
    own = set(title.simulation)
    return [
        PuzzleSetting(one.title, one.seats, tuple((k, v) for k, v in one.options if k not in own), bot, at)
        for one in found
    ]


# -- whether something is clear -----------------------------------------------------------------------------


def clear_choice(chances: Mapping[str, float], margin: float) -> list[str]:
    """The choices that are as good as the best, the best first, if everything else is worse by a margin.

    >>> clear_choice({"a": 70.0, "b": 50.0, "c": 60.0}, 5.0)
    ['a']
    >>> clear_choice({"a": 70.0, "b": 6.0, "c": 67.0}, 5.0)
    []
    >>> clear_choice({"fight_on": 70.0, "withdraw": 50.0}, 5.0)
    ['fight_on']
    """
    best = max(chances, key=lambda choice: chances[choice])
    step = Asked((), best, chances)
    good = step.good
    if len(good) > max(1, min(FEW, len(chances) // 3)) or step.margin < margin:
        return []
    return good


def asks_enough(game: Game[Any, Any]) -> bool:
    """Whether there are as many choices as make a puzzle where the game is now."""
    return len(game.legal_codes()) >= (LEAST if not is_dilemma(game) else DILEMMA)


def is_dilemma(game: Game[Any, Any]) -> bool:
    """Whether the title says that two choices are enough for what is asked."""
    return bool(game.title.dilemmas) and prompt_of(game) in game.title.dilemmas


def prompt_of(game: Game[Any, Any]) -> str:
    return game.title.talk.prompt(game.sight(game.to_move))


def chances_of(game: Game[Any, Any], budget: str, seed: int) -> dict[str, float]:
    """What every choice comes to for the seat to move by what it knows, in points."""
    found = game.title.evaluate(game, seat=game.to_move, budget=budget, seed=seed)
    return {one.action.text: round(100 * one.chance, 1) for one in found.actions}


def judged(game: Game[Any, Any], seed: int) -> dict[str, float] | None:
    """Chances of all choices where one is clearly best, on a look, at usual length and with other and four
    times as much luck; None where it is not, or not always the same."""
    if not asks_enough(game):
        return None
    looked = clear_choice(chances_of(game, "quick", seed), MARGIN * FIRST_LOOK)
    if not looked:
        return None
    usual = clear_choice(chances_of(game, "usual", seed + 1), MARGIN)
    if not usual:
        return None
    deep = chances_of(game, "deep", seed + 2)
    last = clear_choice(deep, MARGIN)
    if not last or last[0] not in usual or usual[0] not in last:
        return None
    return deep


# -- finding -------------------------------------------------------------------------------------------------


class Searched(NamedTuple):
    """What one game gave, or its beginning where time was over."""

    found: list[dict[str, Any]]
    whole: bool = True


def search_game(setting: PuzzleSetting, seed: int, until: float = inf) -> Searched:
    """The puzzles of one game, as far as there is time (`time.time`)."""
    title = registry.title(setting.title)
    form = "compiled" if has_numba() else "plain"
    game = title.new(seed=seed, seats=setting.seats, form=form, **dict(setting.options))
    bot, glance = player(setting.bot, title), _FirstGlance(title)
    memories: list[dict[str, Any]] = [{} for _ in range(setting.seats)]
    found: list[dict[str, Any]] = []
    next_turn, met = 0, 0
    while not game.over and len(game.line) < LONGEST and len(found) < A_GAME:
        if time.time() >= until:
            return Searched(found, whole=False)
        seat = game.to_move
        chair = Chair(game, seat, seed * 8 + seat, bot.budget, memories[seat])
        if chair.turn >= next_turn and asks_enough(game) and is_wanted(setting, game):
            met += 1
            promising = is_dilemma(game) or glance.is_promising(game, seed * 1000 + met)
            puzzle = make_puzzle(setting, game, seed * 1000 + met) if promising else None
            if puzzle is not None and (is_dilemma(game) or not _repeated(puzzle, found)):
                found.append(puzzle)
                next_turn = chair.turn + APART
        game.apply(bot.choose(chair).code)
    return Searched(found)


def is_wanted(setting: PuzzleSetting, game: Game[Any, Any]) -> bool:
    return not setting.at or prompt_of(game) in setting.at


class _FirstGlance:
    """A glance before a look, where turns are planned as a whole and a look takes long: how the turns end
    that centurio thinks of, by what they begin with."""

    def __init__(self, title: Title[Any, Any]) -> None:
        self.whole_turns = title.inputs is not None and title.inputs.whole_turns
        self.bot = Centurio(title) if self.whole_turns else None

    def is_promising(self, game: Game[Any, Any], seed: int) -> bool:
        if self.bot is None:
            return True
        seat, search = game.to_move, Centurio.whole_turns
        chair = Chair(game, seat, seed)
        planner = self.bot.planner(chair)
        if planner is None:
            return True
        base = planner.sit(chair)
        count = planner.propose(seat, base, search, 1)
        planner.compare(seat, base, planner.clear(count), range(search.lucks), search)
        best: dict[int, float] = {}
        for number in range(count):
            plan, value = planner.plan(number), float(planner.room.sums[number]) / search.lucks
            if plan:
                best[plan[0]] = max(value, best.get(plan[0], 0.0))
        ranked = sorted(best.values(), reverse=True)
        return len(ranked) > 1 and 100 * (ranked[0] - ranked[min(FEW, len(ranked) - 1)]) >= GLANCED * MARGIN


def make_puzzle(setting: PuzzleSetting, game: Game[Any, Any], seed: int) -> dict[str, Any] | None:
    """The puzzle at a position, as data of its scene; None where it makes none."""
    seat = game.to_move
    if not clear_choice(chances_of(game, "quick", seed), MARGIN * FIRST_LOOK):
        return None  # before anything is written down: most positions are not clear
    try:
        position = say_position(game.imagine(seat, seed))
    except FormatError:
        return None
    row: dict[str, Any] = {"position": position}
    told = _set_up(setting, {**row, "step": []})
    steps = _line(told, seat, seed)
    if not steps:
        return None
    row["step"] = [{"seat": seat, **steps[0]}, *steps[1:]]
    row["found"] = grade(setting, row)
    few = len(row["step"][0]["chances"]) < LEAST
    if is_trivial(row, few) or row["found"].get(STRONGEST, 1.0) < 0.5:
        return None
    row["rating"] = rating_of(row["found"], TRIES)
    row["name"] = hashlib.sha256(json.dumps(row, sort_keys=True).encode()).hexdigest()[:8]
    return row


def _set_up(setting: PuzzleSetting, row: Mapping[str, Any], form: str = "") -> Game[Any, Any]:
    title = registry.title(setting.title)
    data = {"title": title.name, "name": "", "seats": setting.seats, "options": dict(setting.options)}
    scene = make_scene(Path(), {**data, "position": row["position"], "step": row["step"]}, lambda _: title)
    return set_up(scene, form or ("compiled" if has_numba() else "plain"))


def _line(game: Game[Any, Any], seat: int, seed: int) -> list[dict[str, Any]]:
    """The decisions from here as long as one choice is clearly best and nothing happens that nobody chose."""
    steps: list[dict[str, Any]] = []
    led: list[str] = []
    while game.to_move == seat and len(steps) < STEPS:
        chances = judged(game, seed + 10 * len(steps))
        if chances is None:
            return steps
        best = max(chances, key=lambda choice: chances[choice])
        steps.append({**({"play": led} if led else {}), "best": best, "chances": _sorted(chances)})
        turn = Chair(game, seat).turn
        game.play(best)
        led = [best]
        while game.to_move == seat and len(codes := game.legal_codes()) == 1:
            led.append(game.action(codes[0]).text)
            game.apply(codes[0])
        if any(played.reveals or played.seat == CHANCE for played in game.line):
            return steps
        if game.to_move != seat or Chair(game, seat).turn != turn:
            return steps
    return steps


def _sorted(chances: Mapping[str, float]) -> dict[str, float]:
    return dict(sorted(chances.items(), key=lambda pair: -pair[1]))


# -- how hard ------------------------------------------------------------------------------------------------


def grade(setting: PuzzleSetting, row: Mapping[str, Any]) -> dict[str, float]:
    """Which share of their tries those on the ladder solve it in, the weakest first."""
    title = registry.title(setting.title)
    found: dict[str, float] = {}
    for name in STRENGTHS:
        if name == "random":
            found[name] = round(guessed(row["step"]), 3)
            continue
        try:
            bot = player(name, title)
        except LudusError:
            continue
        solved = sum(_solves(setting, row, bot, 1000 + n) for n in range(TRIES))
        found[name] = round(solved / TRIES, 2)
    return found


def guessed(steps: Sequence[Mapping[str, Any]]) -> float:
    """How often somebody solves it who draws lots."""
    share, reached = 0.0, 1.0
    for number, step in enumerate(steps):
        asked = Asked((), step["best"], step["chances"])
        last = number == len(steps) - 1
        share += reached * (len(asked.good) - (not last)) / len(asked.chances)
        reached /= len(asked.chances)
    return share


def _solves(setting: PuzzleSetting, row: Mapping[str, Any], bot: Bot, seed: int) -> bool:
    game = _set_up(setting, row)
    seat = game.to_move
    memory: dict[str, Any] = {}
    for number, step in enumerate(row["step"]):
        for text in step.get("play", ())[1 if number else 0 :]:
            game.play(text)
        asked = Asked((), step["best"], step["chances"])
        choice = bot.choose(Chair(game, seat, seed, bot.budget, memory)).text
        if choice != asked.best:
            return choice in asked.chances and asked.is_good(choice)
        game.play(choice)
    return True


def is_trivial(row: Mapping[str, Any], few: bool = False) -> bool:
    """Whether anybody finds it: by lots, where there are not few choices, or both of the weakest rungs."""
    found = row["found"]
    weakest = [found[name] for name in STRENGTHS if name in found and name != "random"][:2]
    return (found["random"] >= GUESSED and not few) or all(share >= EASY for share in weakest)


def rating_of(found: Mapping[str, float], tries: int) -> int:
    """The rating at which those who tried would find it as often as they did: every try is a game between
    somebody of known strength and the puzzle; one won and one lost against a 1500 are added.

    >>> rating_of({"tiro": 0.0, "centurio": 0.5}, 6) > rating_of({"tiro": 0.5, "centurio": 1.0}, 6)
    True
    """
    games = [(float(STRENGTHS[name]), share) for name, share in found.items()]
    low, high = 400.0, 2800.0
    for _ in range(40):
        rating = (low + high) / 2
        slope = sum(tries * (share - _expected(who, rating)) for who, share in games)
        slope += 1.0 - 2 * _expected(1500.0, rating)
        low, high = (rating, high) if slope < 0 else (low, rating)  # found too seldom: it is harder
    return round(low)


def _expected(who: float, rating: float) -> float:
    return 1 / (1 + exp((rating - who) * log(10) / 400))


# -- a search that can be stopped ----------------------------------------------------------------------------


class Journal:
    """What the games of a search gave, a line a game; a search that was stopped goes on with those that are
    missing or were not searched to their end."""

    def __init__(self, path: Path, setting: PuzzleSetting, seed: int) -> None:
        self.path = path
        title = registry.title(setting.title)
        self.head = {
            "title": setting.title, "rules": title.version, "seats": setting.seats,
            "options": dict(setting.options), "bot": setting.bot, "seed": seed, "margin": MARGIN,
            **({"at": list(setting.at)} if setting.at else {}),
        }  # fmt: skip
        self.games: dict[int, Searched] = {}
        if path.exists():
            self._read()

    def _read(self) -> None:
        lines = self.path.read_text(encoding="utf-8").splitlines(keepends=True)
        whole = [line for line in lines if line.endswith("\n")]  # the last may have been cut off
        try:
            head, *rows = [json.loads(line) for line in whole]
            games = {row["game"]: Searched(row["found"], row["whole"]) for row in rows}
        except (ValueError, TypeError, KeyError):
            raise FormatError("this is no journal of a search", source=str(self.path)) from None
        if head != self.head:
            raise FormatError("this is the journal of another search", source=str(self.path))
        self.games = games
        if len(whole) < len(lines):
            self.path.write_text("".join(whole), encoding="utf-8")

    def keep(self, number: int, searched: Searched) -> None:
        new = not self.path.exists()
        line = {"game": number, **searched._asdict()}
        with self.path.open("a", encoding="utf-8") as file:
            for row in [self.head, line] if new else [line]:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
        self.games[number] = searched

    def found(self) -> list[list[dict[str, Any]]]:
        """The puzzles of each game, in the order of their numbers."""
        return [self.games[number].found for number in sorted(self.games)]


@dataclass(frozen=True)
class Effort:
    """How long is searched: for so many puzzles, in so many games and minutes at most, on so many cores."""

    want: int
    games: int
    minutes: float = inf
    cores: int = 1


def search(
    setting: PuzzleSetting,
    seed: int,
    effort: Effort,
    journal: Journal,
    tell: Callable[[int, int], None],
    before: Sequence[dict[str, Any]] = (),
) -> list[dict[str, Any]]:
    """Those before and so many puzzles more, or what so many games give; `tell` hears how many of both there
    are.  Games that were begun when there are enough are searched to their end, and kept for another time.
    """
    chosen = choose([before, *journal.found()])
    wanted = len(before) + effort.want

    def left() -> Iterator[int]:
        for number in range(effort.games):
            if len(chosen) >= wanted or time.time() >= until:
                return
            if number not in journal.games or not journal.games[number].whole:
                yield number

    if effort.cores > 1:
        compile_for(setting.title, [name for name in STRENGTHS if _plays(name, setting.title)])
    until = time.time() + 60 * effort.minutes
    for number, searched in spread(partial(_numbered, setting, seed, until), left(), effort.cores):
        journal.keep(number, searched)
        chosen = choose([before, *journal.found()])
        tell(len(journal.games), len(chosen) - len(before))
    return chosen[:wanted]


def _numbered(setting: PuzzleSetting, seed: int, until: float, number: int) -> Searched:
    return search_game(setting, seed * 1_000_003 + number, until)


def _plays(name: str, title: str) -> bool:
    try:
        player(name, registry.title(title))
    except LudusError:
        return False
    return True


def choose(games: Sequence[Sequence[dict[str, Any]]]) -> list[dict[str, Any]]:
    """The puzzles of some games in their order, without those too much like an earlier one."""
    chosen: list[dict[str, Any]] = []
    for row in (row for game in games for row in game):
        if not any(alike(row, other) for other in chosen) and _repeated(row, chosen) < SAME:
            chosen.append(row)
    return chosen


def _repeated(row: Mapping[str, Any], chosen: Sequence[Mapping[str, Any]]) -> int:
    return sum(row["step"][0]["best"] == other["step"][0]["best"] for other in chosen)


def alike(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two puzzles ask the same in positions of which most is the same."""
    if one["step"][0]["best"] != other["step"][0]["best"]:
        return False
    a, b = (set(map(str, row["position"].items())) for row in (one, other))
    return len(a & b) >= ALIKE * max(1, min(len(a), len(b)))


# -- writing and checking ------------------------------------------------------------------------------------


def read_back(path: Path, title: Title[Any, Any]) -> tuple[list[dict[str, Any]], str]:
    """The puzzles of a file as a search gives them, and what it says about how it was made."""
    if not path.exists():
        return [], ""
    found, wrong = read_puzzles(path, title)
    if wrong:
        raise FormatError(wrong[0], source=str(path))
    rows = [
        {
            "name": one.name, "rating": one.rating, "found": dict(one.found),
            "position": dict(one.scene.position), "step": [dict(step) for step in one.scene.steps],
        }
        for one in found
    ]  # fmt: skip
    return rows, str(tomllib.loads(path.read_text(encoding="utf-8")).get("made", ""))


def write_file(setting: PuzzleSetting, rows: Sequence[Mapping[str, Any]], made: str) -> str:
    """The text of a file of puzzles, the easiest first."""
    title = registry.title(setting.title)
    head = [f"title = {_toml(title.name)}", f"version = {title.version}", f"made = {_toml(made)}"]
    if setting.seats != min(title.seats):
        head.append(f"seats = {setting.seats}")
    if setting.options:
        head.append(f"options = {_toml(dict(setting.options))}")
    ordered = sorted(rows, key=lambda row: (row["rating"], row["name"]))
    return "\n".join([*head, *(line for row in ordered for line in _written(row))]) + "\n"


def _written(row: Mapping[str, Any]) -> Iterator[str]:
    yield ""
    yield "[[puzzle]]"
    for key in ("name", "rating", "found", "position"):
        yield f"{key} = {_toml(row[key])}"
    for step in row["step"]:
        yield "[[puzzle.step]]"
        yield from (f"{key} = {_toml(value)}" for key, value in step.items())


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)} = {_toml(inner)}" for key, inner in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False)


def _key(key: str) -> str:
    bare = key.isascii() and key.replace("_", "").replace("-", "").isalnum()
    return key if bare else json.dumps(key, ensure_ascii=False)


def judged_again(title: Title[Any, Any], row: Any, seed: int) -> str:
    """What a judge of today says against a puzzle (`puzzles.puzzle.Puzzle`); "" where it agrees."""
    game = set_up(row.scene, "compiled" if has_numba() else "plain")
    for number, asked in enumerate(row.asked, 1):
        for text in asked.play:
            game.play(text)
        chances = chances_of(game, "deep", seed)
        best = max(chances, key=lambda choice: chances[choice])
        now = Asked((), best, chances)
        if asked.best not in now.good or any(asked.cost(choice) > 2 * GOOD for choice in now.good):
            return f"step {number}: {best} is better now by {now.cost(asked.best):.1f} points"
        if now.margin < MARGIN / 2:
            return f"step {number}: {asked.best} is better by {now.margin:.1f} points only"
    return ""
