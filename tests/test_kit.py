"""The kit over every title, and the kit itself: does it notice a title that breaks a promise?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

import ludus
from conftest import LONG, all_titles
from ludus.core.chance import SPECTATOR
from ludus.core.contract import EVERYONE, FUNCTIONS
from ludus.core.kit import golden
from ludus.core.kit.faults import judge_as_it_is, read_faults, try_fault
from ludus.core.kit.findings import Failure
from ludus.core.kit.run import Kit, Shelf, batch_differs, boxes_of, other_process_differs, run_kit
from ludus.core.title import Title
from samples import BARE, SMALL


def shelf_cases() -> list[Any]:
    cases = []
    for title in all_titles():
        for number, shelf in enumerate(boxes_of(title)):
            cases.append(pytest.param(title, shelf, number, id=f"{title.name}-{shelf}"))
    return cases


@pytest.mark.parametrize(("title", "shelf", "number"), shelf_cases())
def test_every_promise_holds_on_every_box(title: Title[Any, Any], shelf: Shelf, number: int) -> None:
    kit = Kit(title, seed=number + 1)
    least = (3000 if shelf.small else 1000) // (1 if LONG else 20)
    failure = kit.play_box(shelf, least, seed=number * 100)
    assert failure is None, str(failure)


@pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)
def test_a_run_over_all_boxes(title: Title[Any, Any]) -> None:
    """Every hidden number was changed by some redeal; refusals name rules; other processes agree."""
    report = run_kit(title, 20_000 if LONG else 1000, seed=77, compiled=False)
    assert report.passed, f"{report.failure} {report.problems}"
    assert report.counts.explained_share >= 0.95
    assert report.counts.oracle_positions > 0 or not title.position.hidden(SPECTATOR, max(title.seats))


@pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)
def test_golden_playthroughs(title: Title[Any, Any]) -> None:
    assert golden.compare(title, title.folder / "golden") == []


def fault_cases() -> list[Any]:
    cases = []
    for title in all_titles():
        faults = read_faults(title)
        chosen = faults if LONG else faults[::20]
        cases += [pytest.param(title, fault, id=f"{title.name}-{fault.id}") for fault in chosen]
    return cases


@pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)
def test_without_a_planted_fault_nothing_is_noticed(title: Title[Any, Any]) -> None:
    """Scenes and kit of every title pass, as the tests above say; the process that judges says so too."""
    assert read_faults(title)
    if LONG or title.name in (SMALL, BARE):
        assert judge_as_it_is(title).words() == "nothing"


@pytest.mark.parametrize(("title", "fault"), fault_cases())
def test_planted_faults_are_noticed(title: Title[Any, Any], fault: Any) -> None:
    verdict = try_fault(title, fault, plies=300)
    assert verdict.noticed, f"{fault.note}: {verdict.words()}"


# -- the kit itself -----------------------------------------------------------------------------------


def broken(**functions: Callable[..., Any]) -> Title[Any, Any]:
    """The small title with some functions of its contract or its talk replaced."""
    title = ludus.title(SMALL)
    rules = {f.__name__: getattr(title.rules, f.__name__) for f in FUNCTIONS}
    rules.update({k: v for k, v in functions.items() if k in rules})
    talk = {k: getattr(title.talk, k) for k in ("view", "prompt", "touches", "why_not", "reveals", "log")}
    talk.update({k: v for k, v in functions.items() if k in talk})
    return replace(title, rules=SimpleNamespace(**rules), talk=SimpleNamespace(**talk))


def test_a_batch_that_differs_from_single_games_is_noticed() -> None:
    title = ludus.title(SMALL)
    asked = []

    def forgetful(s: Any, box: Any, out: Any) -> None:
        asked.append(1)
        title.rules.returns(s, box, out)
        if len(asked) > 3:
            out[0], out[1] = out[1], out[0]

    assert batch_differs(title, seed=5) == []
    problems = batch_differs(broken(returns=forgetful), seed=5)
    assert any("alone and" in problem for problem in problems)


def first_failure(title: Title[Any, Any], plies: int = 500) -> Failure:
    kit = Kit(title, compiled=False)
    for number, shelf in enumerate(boxes_of(title)):
        if shelf.small or number == 1:
            failure = kit.play_box(shelf, plies, seed=1)
            if failure is not None:
                return failure
    raise AssertionError("the kit noticed nothing")


RULES = ludus.title(SMALL).rules
TALK = ludus.title(SMALL).talk


def twice(s: Any, box: Any, out: Any) -> int:
    n = RULES.legal(s, box, out)
    out[n] = out[0]
    return n + 1


def dead_end(s: Any, box: Any, out: Any) -> int:
    return 0 if s.round == 2 else RULES.legal(s, box, out)


def peeking(s: Any, box: Any, out: Any) -> int:
    n = RULES.legal(s, box, out)
    return n - 1 if n > 1 and s.fingers[(s.turn + 1) % box.seats] > 1 else n


def changing(s: Any, box: Any, out: Any) -> int:
    s.stake = (s.stake + 1) % 3
    return RULES.legal(s, box, out)


def scribbling(s: Any, box: Any) -> None:
    RULES.new(s, box)
    box.max_stake = 1


def zero_weight(s: Any, box: Any, out: Any, weight: Any) -> int:
    n = RULES.odds(s, box, out, weight)
    weight[0] = 0
    return n


def coins_vanish(s: Any, box: Any, code: int) -> None:
    RULES.apply(s, box, code)
    if s.round == 2 and s.phase == 0 and s.coins[0] > 1:
        s.coins[0] -= 1


def standing_still(s: Any, box: Any, code: int) -> None:
    if s.phase != 1:
        RULES.apply(s, box, code)


def never_over(s: Any, box: Any, code: int) -> None:
    RULES.apply(s, box, code)
    if s.phase == 4:
        s.phase = s.round = 0
        s.coins[:] = [0] * len(s.coins)
        RULES.new(s, box)


def too_large(s: Any, box: Any, code: int) -> None:
    RULES.apply(s, box, code)
    if s.round == 2:
        s.coins[0] = 40_000


def mask_by_secret(s: Any, box: Any, code: int) -> int:
    return EVERYONE if s.fingers[0] > 1 else RULES.seen(s, box, code)


def redeal_nothing(s: Any, box: Any, seat: int, rng: Any) -> None:
    pass


def redeal_too_much(s: Any, box: Any, seat: int, rng: Any) -> None:
    RULES.redeal(s, box, seat, rng)
    s.fingers[seat] = s.fingers[seat] % 2 + 1 if s.fingers[seat] else 0


def redeal_by_truth(s: Any, box: Any, seat: int, rng: Any) -> None:
    for p in range(box.seats):
        if p != seat and s.chosen[p] == 1:
            s.fingers[p] = s.fingers[p] % box.max_fingers + 1


def redeal_impossible(s: Any, box: Any, seat: int, rng: Any) -> None:
    for p in range(box.seats):
        if p != seat and s.chosen[p]:
            s.fingers[p] = 0


def talking_view(sight: Any) -> dict[str, Any]:
    return {**TALK.view(sight), "prompted": sight.box.rounds}


def one_path(sight: Any, code: int) -> tuple[str, ...]:
    return ("button:go",)


def beginning_path(sight: Any, code: int) -> tuple[str, ...]:
    path = TALK.touches(sight, code)
    return path[:1] if path[-1].endswith(":1") else (path[0], "amount:9", path[-1])


def no_reveal(s: Any, box: Any, code: int) -> bool:
    return False


def unknown_rule(sight: Any, code: int) -> str:
    return "M99"


@pytest.mark.parametrize(
    ("functions", "promise"),
    [
        ({"legal": twice}, "codes are unique"),
        ({"legal": dead_end}, "no dead end"),
        ({"legal": peeking}, "secrets stay hidden"),
        ({"legal": changing}, "asking changes nothing"),
        ({"new": scribbling}, "the box stays as it is"),
        ({"odds": zero_weight}, "odds are positive"),
        ({"apply": coins_vanish}, "invariants hold"),
        ({"apply": standing_still}, "nothing repeats for free"),
        ({"apply": never_over}, "games end"),
        ({"apply": too_large}, "everything can be played and said"),
        ({"seen": mask_by_secret}, "secrets stay hidden"),
        ({"redeal": redeal_nothing}, "redeal forgets what was there"),
        ({"redeal": redeal_too_much}, "redeal keeps the view"),
        ({"redeal": redeal_by_truth}, "redeal forgets what was there"),
        ({"redeal": redeal_impossible}, "redeal gives a possible position"),
        ({"touches": one_path}, "paths of touches"),
        ({"touches": beginning_path}, "paths of touches"),
        ({"reveals": no_reveal}, "reveals are declared"),
        ({"why_not": unknown_rule}, "reasons are written down"),
    ],
    ids=lambda value: value if isinstance(value, str) else next(iter(value.values())).__name__,
)
def test_the_kit_notices(functions: dict[str, Callable[..., Any]], promise: str) -> None:
    failure = first_failure(broken(**functions))
    assert failure.promise in (promise, *ALSO.get(promise, ())), str(failure)


ALSO = {
    # What depends on a secret is found by whichever of the checks meets it first.
    "redeal forgets what was there": ("redeal reaches everything",),
    "secrets stay hidden": ("redeal keeps the view",),
}


def test_the_kit_notices_a_view_that_differs_where_nothing_is_hidden() -> None:
    """The server makes such a view once for everybody."""
    title = ludus.title(BARE)
    talk = {k: getattr(title.talk, k) for k in ("view", "prompt", "touches", "why_not", "reveals", "log")}
    talk["view"] = lambda sight: {**title.talk.view(sight), "me": sight.seat}
    failure = first_failure(replace(title, talk=SimpleNamespace(**talk)))
    assert failure.promise == "what lies open looks the same to all"


def test_the_kit_notices_what_is_ones_own_and_not_said_to_be() -> None:
    """The server would show a seat its own things as spectators see them."""
    title = ludus.title(SMALL)
    talk = {k: getattr(title.talk, k) for k in ("view", "prompt", "touches", "why_not", "reveals", "log")}
    failure = first_failure(replace(title, talk=SimpleNamespace(**talk, own_view=lambda sight: {})))
    assert failure.promise == "what is one's own is told apart"


def test_the_kit_notices_a_form_that_differs() -> None:
    from ludus.core.kit.plies import Twin

    title = ludus.title(SMALL)
    game = title.new(seed=1, chance="manual")
    twin = Twin(title.new(seed=1, form="compiled", chance="manual").form)
    twin.check(game, game.form.legal(game.s), game.legal()[0].code)
    game.play(game.legal()[1])
    with pytest.raises(Exception, match="plain and compiled agree: stake: plain 2, compiled 1"):
        twin.check(game, game.form.legal(game.s), None)


def test_a_harmless_view_passes() -> None:
    """The parametrised faults above are noticed for what they are, not for being replaced."""
    report = run_kit(broken(view=talking_view), 200, compiled=False)
    assert report.failure is None


def test_other_processes_play_the_same() -> None:
    assert other_process_differs(ludus.title(SMALL), 5) == []
