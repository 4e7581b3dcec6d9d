"""Who wins when equals play, and what of our data moves that: `ludus lab balance`.

A title says in its `variations.py` what of its data is ours and may be varied (`declared`, `varied`).
One bot plays all sides of a seed: to change seats between equals would be to play the same game again.  A
screening gives every game some of the declared changes, drawn by lot, so that each game tells of all of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median, quantiles
from typing import Any

from ludus import titles as registry
from ludus.bots import Bot, make_bot
from ludus.bots.centurio import NetBot
from ludus.bots.planner import find_net
from ludus.core.errors import FormatError, LudusError
from ludus.core.option import Value
from ludus.core.title import Title

from .arena import Plan, compile_for, play_game
from .scoring import Z, credits_of, wilson
from .variations import drawn_changes, variations_of
from .workers import spread

SOME = 0.15  # of the declared changes, a game of a screening has


@dataclass(frozen=True)
class Equals:
    """What is played; `changes` hold in every game."""

    title: str
    options: tuple[tuple[str, Any], ...]
    bot: str
    changes: tuple[str, ...] = ()

    @property
    def values(self) -> dict[str, Value]:
        """Every option, those of simulations among them."""
        title = registry.title(self.title)
        return title.read_setting(None, {**title.simulation, **dict(self.options)})[1]


@dataclass(frozen=True)
class Result:
    """One game: what each side has of it, how many turns it took, which changes it had besides."""

    credits: tuple[float, ...]
    turns: int
    changes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Effect:
    """What a change does to the first side: to its share, with half the interval, and to the length."""

    change: str
    share: float
    about: float
    turns: float


# -- games --------------------------------------------------------------------------------------------------


def play(setting: Equals, seed: int, more: tuple[str, ...] = ()) -> Result:
    """One game of the bot against itself, with some changes."""
    title, values = registry.title(setting.title), setting.values
    changes = (*setting.changes, *more)
    data = variations_of(setting.title).varied(values, changes) if changes else ""
    seats = title.read_setting(None, values)[0]
    plan = Plan(setting.title, (setting.bot,) * seats, 1, seed, values, data)
    bot = _bot(title, setting.bot, values)
    try:
        found = play_game(title, plan, {setting.bot: bot}, plan.bots, seed)
    finally:
        bot.close()
    return Result(credits_of(found.returns), found.turns or found.length, more)


def _bot(title: Title[Any, Any], name: str, values: Mapping[str, Value]) -> Bot:
    """The bot, with the net of the data as they are: a varied board has none of its own."""
    bot = make_bot(name, title)
    net = find_net(title, title.box_for(None, "", **values), bot.size) if isinstance(bot, NetBot) else None
    return type(bot)(title, net=net) if isinstance(bot, NetBot) and net is not None else bot


def drawn(setting: Equals, seed: int) -> tuple[str, ...]:
    """The changes that a game of a screening has, beside those of all games."""
    return drawn_changes(setting.title, setting.values, seed, SOME, setting.changes)


def run(
    setting: Equals,
    games: int,
    seed: int,
    screen: bool = False,
    workers: int | None = None,
    progress: Callable[[int], None] = lambda games: None,
) -> list[Result]:
    """So many games on so many cores, in the order of their seeds."""
    seeds, cores = [seed * 1_000_003 + n for n in range(games)], workers or os.cpu_count() or 1
    compile_for(setting.title, (setting.bot,))
    found: dict[int, Result] = {}
    for number, result in _all(setting, seeds, screen, cores):
        found[number] = result
        progress(1)
    return [found[number] for number in sorted(found)]


def _one(setting: Equals, screen: bool, seed: int) -> Result | None:
    """None where changes drawn by lot do not go together."""
    more = drawn(setting, seed) if screen else ()
    try:
        if more:
            variations_of(setting.title).varied(setting.values, (*setting.changes, *more))
    except FormatError:
        return None
    return play(setting, seed, more)


def _all(
    setting: Equals, seeds: Sequence[int], screen: bool, workers: int
) -> Iterator[tuple[int, Result]]:  # fmt: skip
    for seed, result in spread(partial(_one, setting, screen), seeds, workers):
        if result is not None:
            yield seed, result


# -- what they say ------------------------------------------------------------------------------------------


def report(setting: Equals, results: Sequence[Result]) -> dict[str, Any]:
    """The JSON of `ludus lab balance`: the share of each side with its interval, and the length."""
    if not results:
        raise LudusError("no game could be played")
    names, games = variations_of(setting.title).sides(setting.values), len(results)
    shares = {}
    for seat, name in enumerate(names):
        won = sum(result.credits[seat] for result in results)
        low, high = wilson(won, games)
        shares[name] = {"share": round(won / games, 4), "low": round(low, 4), "high": round(high, 4)}
    turns = sorted(result.turns for result in results)
    tenths = quantiles(turns, n=10, method="inclusive") if games > 1 else [turns[0]] * 9
    return {
        "title": setting.title,
        "options": dict(setting.options),
        "bot": setting.bot,
        "changes": list(setting.changes),
        "games": games,
        "sides": shares,
        "turns": {"tenth": tenths[0], "median": median(turns), "ninth": tenths[8], "worst": turns[-1]},
    }


def effects(results: Sequence[Result]) -> list[Effect]:
    """What every change of a screening does, by the games with and without it; the largest first."""
    found = []
    for change in sorted({name for result in results for name in result.changes}):
        having = [result for result in results if change in result.changes]
        others = [result for result in results if change not in result.changes]
        if len(having) > 1 and len(others) > 1:
            shares = [_mean([result.credits[0] for result in part]) for part in (having, others)]
            turns = [_mean([result.turns for result in part]) for part in (having, others)]
            spread = sum(
                max(share * (1 - share), 1 / len(part)) / len(part)
                for share, part in zip(shares, (having, others), strict=True)
            )
            found.append(Effect(change, shares[0] - shares[1], Z * spread**0.5, turns[0] - turns[1]))
    return sorted(found, key=lambda effect: -abs(effect.share))


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)
