"""Vectors: many games side by side, each of them the game that it would be alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import ludus
from conftest import all_titles
from ludus.core.contract import DRAW
from ludus.core.errors import IllegalAction
from ludus.core.kit.observing import vector_differs
from ludus.core.loops import BEGIN, CUT_OFF, ENDED, WAIT
from ludus.core.title import Title
from ludus.core.vector import Vector, VectorStep
from samples import LARGE


def some_legal(step: VectorStep, chooser: np.random.Generator) -> Any:
    return (chooser.random(step.mask.shape) * step.mask).argmax(1)


def history(vector: Vector[Any, Any], steps: int) -> list[tuple[Any, ...]]:
    """Everything that was shown along random steps."""
    chooser = np.random.default_rng(4)
    step, shown = vector.start(), []
    for _ in range(steps):
        shown.append(tuple(array.copy() for array in (*step, vector.tensor())))
        step = vector.step(some_legal(step, chooser))
    return shown


def same(a: list[tuple[Any, ...]], b: list[tuple[Any, ...]]) -> bool:
    pairs = [(x, y) for p, q in zip(a, b, strict=True) for x, y in zip(p, q, strict=True)]
    return all(np.allclose(x, y, atol=1e-6) for x, y in pairs)


@pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)
def test_a_vector_shows_what_single_games_show(title: Title[Any, Any]) -> None:
    assert vector_differs(title, seed=5, compiled=True) == []


def test_the_kit_notices_a_vector_that_shows_something_else(
    sample: Title[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    start = Vector.start

    def wrong(self: Vector[Any, Any]) -> VectorStep:
        step = start(self)
        step.observation[0, 3] += 1
        return step

    monkeypatch.setattr(Vector, "start", wrong)
    assert "the observation" in vector_differs(sample, seed=5, compiled=False)[0]


def test_plain_and_compiled_and_any_number_of_threads_give_the_same(sample: Title[Any, Any]) -> None:
    plain = history(sample.vector(600, seed=2, form="plain"), 30)
    assert same(plain, history(sample.vector(600, seed=2, form="compiled", threads=1), 30))
    assert same(plain, history(sample.vector(600, seed=2, form="compiled", threads=3), 30))
    assert not same(plain, history(sample.vector(600, seed=3, form="compiled"), 30))


def test_a_game_that_ends_tells_its_result_and_another_one_begins(sample: Title[Any, Any]) -> None:
    vector = sample.vector(50, seed=1, form="compiled", rounds=2)
    chooser = np.random.default_rng(1)
    step, ends, won = vector.start(), 0, 0
    for _ in range(60):
        step = vector.step(some_legal(step, chooser))
        over = step.ended == ENDED
        ends += int(over.sum())
        won += int((step.results[over] >= DRAW).any(axis=1).sum())
        assert (step.results[over].max(axis=1) >= DRAW).all(), "somebody has won, or some share it"
        assert not step.results[~over].any()
        assert (step.mask.sum(axis=1) > 0).all()
    assert ends > 100
    assert won == ends, "every result names a first place"


def test_games_of_one_place_have_chance_of_their_own() -> None:
    vector = ludus.title(LARGE).vector(4, seed=1, form="plain")
    first = vector.start().observation.copy()
    assert len({row.tobytes() for row in first}) == 4
    assert (vector.start().observation == first).all(), "start begins the same again"


def test_a_game_that_lasts_too_long_is_cut_off(sample: Title[Any, Any]) -> None:
    vector = replace(sample, length=3).vector(2, form="plain")
    step = vector.start()
    chooser = np.random.default_rng(1)
    seen = []
    for _ in range(3):
        step = vector.step(some_legal(step, chooser))
        seen.append(step.ended.tolist())
    assert seen == [[0, 0], [0, 0], [CUT_OFF, CUT_OFF]]
    assert not step.results.any()


def test_what_is_not_legal_is_refused_and_nothing_is_played(sample: Title[Any, Any]) -> None:
    vector = sample.vector(3, form="compiled")
    before = [array.copy() for array in vector.start()]
    stake, show = sample.codes.read("stake 1", {}), sample.codes.read("show 1", {})
    with pytest.raises(IllegalAction, match=r"game 1: 'show 1' is not legal.*stake 1"):
        vector.step([stake, show, stake])
    with pytest.raises(IllegalAction, match=r"game 2: code 9999 is not legal"):
        vector.step([stake, stake, 9999])
    with pytest.raises(IllegalAction, match=r"game 0: code -1 is not legal"):
        vector.step([-1, stake, stake])
    for wrong in ([stake], [[stake] * 3], [0.5, 1.0, 1.0]):
        with pytest.raises(ValueError, match="a step takes 3 whole numbers"):
            vector.step(wrong)
    assert all((a == b).all() for a, b in zip(before, vector.now, strict=True))


@pytest.mark.parametrize("form", ["plain", "compiled"])
def test_games_wait_or_begin_again_while_others_go_on(sample: Title[Any, Any], form: str) -> None:
    vector = sample.vector(3, seed=1, form=form)
    step = vector.start()
    step = vector.step(step.mask.argmax(1))
    before: list[Any] = [array.copy() for array in step]
    legal = int(step.mask[0].argmax())
    after = vector.step([legal, WAIT, BEGIN])
    assert (after.observation[0] != before[0][0]).any()
    shown: tuple[Any, ...] = after
    for was, now in zip(before, shown, strict=True):
        assert (was[1] == now[1]).all(), "nothing was played there"
    assert after.mask[2].argmax() == sample.codes.read("stake 1", {}), "dropped: another one begins"
    assert not after.ended.any()
    again = vector.step([int(after.mask[0].argmax()), int(after.mask[1].argmax()), WAIT])
    assert (again.mask[2] == vector.now.mask[2]).all()
    assert (again.mask.sum(axis=1) > 0).all()


def test_a_vector_of_nothing_or_of_another_form_is_refused(sample: Title[Any, Any]) -> None:
    with pytest.raises(ValueError, match="at least one game, not 0"):
        sample.vector(0)
    with pytest.raises(ValueError, match="there is no form 'gpu'"):
        sample.vector(1, form="gpu")


def test_arrays_are_written_in_place(sample: Title[Any, Any]) -> None:
    vector = sample.vector(3, form="compiled")
    first = vector.start()
    second = vector.step(first.mask.argmax(1))
    assert all(a is b for a, b in zip(first, second, strict=True))
    out = np.zeros((3, vector.observer.tensor_size), np.float32)
    assert vector.tensor(out) is out
