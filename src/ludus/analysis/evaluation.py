"""`title.evaluate`: the chances of a position, and of every choice that the seat to move has there."""

from __future__ import annotations

from functools import lru_cache
from math import sqrt
from statistics import stdev
from typing import Any

from ludus.core.errors import LudusError
from ludus.core.evaluation import ActionChance, Evaluation
from ludus.core.game import Game

from .depth import USUAL, Depth, find_depth
from .judges import Judge, believed, make_judge, mean_of, turn_of

UNKNOWN = 0.05  # how far an estimate that was never compared with results is taken to be off
BELIEVED = 16  # positions that a seat could believe in


def evaluate(game: Game[Any, Any], seat: int | None = None, budget: str = USUAL, seed: int = 0) -> Evaluation:
    """What a position is worth: as it truly is, or from what `seat` knows of it.  The same for the same seed.

    `budget` is quick, usual or deep.  Choices are always judged by what the seat to move knows, and listed
    where it is that seat that asks, or nobody in particular.
    """
    if seat is not None and not 0 <= seat < game.seats:
        raise LudusError(f"there is no seat {seat}; seats are 0 to {game.seats - 1}")
    depth = find_depth(budget)
    form: Any = game.form
    judge = judge_for(form, depth)
    positions = [game.s] if seat is None else believed(form, game.s, seat, seed, BELIEVED)
    mid_turn = _goes_on(game)
    rows = judge.chances(positions, seed, mid_turn)
    spread = max((stdev(column) for column in zip(*rows, strict=True)), default=0.0) if len(rows) > 1 else 0.0
    off = UNKNOWN if judge.known.ece is None or judge.rough else judge.known.ece / 100
    listed = game.to_move >= 0 and seat in (None, game.to_move)
    chances = tuple(mean_of(rows))
    actions = _actions(judge, game, seed, mid_turn, chances[game.to_move]) if listed else ()
    doubt = sqrt(spread**2 / len(rows) + off**2)
    return Evaluation(chances, doubt, actions, judge.by, judge.rough)


def _goes_on(game: Game[Any, Any]) -> bool:
    """Whether the turn has begun before, where turns are planned as a whole; what began in the middle of one
    is taken for its beginning."""
    inputs, form = game.title.inputs, game.form
    if inputs is None or not inputs.whole_turns or not game.line:
        return False
    rules: Any = form
    before = rules.unpack(game.start())
    for played in game.line[:-1]:
        rules.apply(before, played.code)
    return turn_of(game.title, rules, before) == turn_of(game.title, rules, game.s)


def _actions(
    judge: Judge, game: Game[Any, Any], seed: int, mid_turn: bool, now: float
) -> tuple[ActionChance, ...]:
    """Every legal action with the best of the plans that begin with it."""
    form: Any = game.form
    if len(legal := game.legal()) == 1:  # nothing to plan: a plan may leave out what is forced
        seat = game.to_move
        chance = mean_of(judge.chances(believed(form, game.s, seat, seed, BELIEVED), seed, mid_turn))[seat]
        return (ActionChance(legal[0], chance, 0.0, (legal[0],)),)
    judged = judge.choices(game.s, game.to_move, (), seed, now, every=True)
    best: dict[int, ActionChance] = {}
    for plan, chance, doubt in zip(
        judged.plans, judged.outcome.chances, judged.outcome.doubts, strict=True
    ):  # fmt: skip
        if plan[0] not in best or best[plan[0]].chance < chance:
            actions = tuple(game.action(code) for code in plan)
            best[plan[0]] = ActionChance(actions[0], chance, doubt, actions)
    return tuple(sorted(best.values(), key=lambda one: -one.chance))


@lru_cache(maxsize=8)  # a net is read and loops are bound for a judge
def judge_for(form: Any, depth: Depth) -> Judge:
    """A judge for a form of a title's rules."""
    return make_judge(form.title, form, depth)
