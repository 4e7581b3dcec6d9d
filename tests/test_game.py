"""The game API: what a stranger meets first."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

import ludus
from conftest import all_titles
from ludus import CHANCE, OVER, SPECTATOR, IllegalAction, OptionError
from ludus.core.boxes import Boxes
from ludus.core.kit.run import single_game
from ludus.core.title import Title
from samples import LARGE


def finish(game: ludus.Game[Any, Any], step: int = 7) -> None:
    while not game.over:
        legal = game.legal()
        game.play(legal[(len(game.line) * step) % len(legal)])


def test_the_same_seed_is_the_same_game(sample: Title[Any, Any]) -> None:
    games = [sample.new(seed=5, seats=4, rounds=9) for _ in range(2)]
    for game in games:
        finish(game)
    assert games[0].hash() == games[1].hash()
    assert [p.code for p in games[0].line] == [p.code for p in games[1].line]
    other = sample.new(seed=6, seats=4, rounds=9)
    finish(other)
    assert [p.code for p in other.line if p.seat == CHANCE] != [
        p.code for p in games[0].line if p.seat == CHANCE
    ]


def test_an_action_is_played_by_object_code_or_text(sample: Title[Any, Any]) -> None:
    game = sample.new(seed=1)
    action = game.legal()[1]
    assert (action.text, action.kind, action.arguments) == ("stake 2", "stake", (2,))
    for given in (action, action.code, action.text):
        again = sample.new(seed=1)
        again.play(given)
        assert again.position.stake == 2


def test_a_game_by_codes_is_the_same_game() -> None:
    large = ludus.title(LARGE)
    by_action, by_code = large.new(seed=3), large.new(seed=3)
    while not by_action.over:
        codes = by_code.legal_codes()
        assert codes == [action.code for action in by_action.legal()]
        code = codes[len(by_code.line) % len(codes)]
        by_action.play(by_action.action(code).text)
        by_code.apply(code)
    assert by_code.line == by_action.line
    assert (by_code.hash(), by_code.outcome) == (by_action.hash(), by_action.outcome)
    assert by_code.legal_codes() == []


def test_a_code_that_is_not_legal_is_refused_in_words(sample: Title[Any, Any]) -> None:
    game = sample.new(seed=1)
    with pytest.raises(IllegalAction, match="'show 3' is not legal"):
        game.apply(sample.codes.code("show", 3))
    with pytest.raises(IllegalAction, match="there is no action 4711"):
        game.apply(4711)
    assert not game.line


def test_who_changes_the_list_of_codes_changes_no_game(sample: Title[Any, Any]) -> None:
    game = sample.new(seed=1)
    game.legal_codes().clear()
    assert game.legal()[0].text == "stake 1"


class Counting:
    """A form that counts what it is asked."""

    def __init__(self, form: Any) -> None:
        self.form, self.asked = form, Counter[str]()

    def __getattr__(self, name: str) -> Any:
        self.asked[name] += 1
        return getattr(self.form, name)


def test_a_ply_asks_for_legality_once_and_unpacks_nothing() -> None:
    game = ludus.title(LARGE).new(seed=4)
    form = Counting(game.form)
    game.form = form
    turns, before = 0, len(game.line)
    while turns < 40 and not game.over:
        legal = game.legal()
        game.apply(legal[turns % len(legal)].code)
        turns += 1
    assert form.asked["legal"] == turns > 20
    assert form.asked["step"] == len(game.line) - before
    for slow in ("pack", "plain", "odds", "to_move", "seen", "copy"):
        assert form.asked[slow] == 0, slow


def test_texts_are_made_when_they_are_read(sample: Title[Any, Any]) -> None:
    game = sample.new(seed=1)
    action = game.legal()[0]
    assert action == game.legal()[0] != game.legal()[1]
    assert len({action, game.legal()[0], game.action(action.code)}) == 1
    assert repr(action) == "Action(0, 'stake 1')"


def test_what_is_not_legal_says_what_is_wrong_which_rule_and_what_is_legal(sample: Title[Any, Any]) -> None:
    game = sample.new(seed=1)
    with pytest.raises(IllegalAction) as error:
        game.play("show 3")
    assert error.value.rule == "M2"
    assert "'show 3' is not legal: A round begins with its leader" in str(error.value)
    assert error.value.legal == ("stake 1", "stake 2", "stake 3", "stake 4", "stake 5")
    with pytest.raises(IllegalAction, match="no action is called 'jump'"):
        game.play("jump 3")
    with pytest.raises(IllegalAction, match="there is no action 4711"):
        game.play(4711)
    assert not game.line


def test_a_list_of_actions_is_played_all_or_none(sample: Title[Any, Any]) -> None:
    game = sample.new(seed=1)
    before = game.hash()
    with pytest.raises(IllegalAction):
        game.play("stake 2", "show 2", "show 3")
    assert game.hash() == before
    assert not game.line
    game.play("stake 2", "show 2")
    assert len(game.line) == 2


def test_nothing_can_be_played_when_it_is_over(sample: Title[Any, Any]) -> None:
    game = sample.new(seed=2, rounds=1)
    finish(game)
    assert game.to_move == OVER
    assert game.legal() == []
    with pytest.raises(IllegalAction, match="over"):
        game.play("stake 1")


def test_chance_by_hand(sample: Title[Any, Any]) -> None:
    game = sample.new(seed=1, seats=2, chance="manual")
    game.play("stake 1", "show 1", "guess 2", "show 1", "guess 2")
    assert game.to_move == CHANCE
    assert [(a.text, w) for a, w in game.odds()] == [(f"roll {v}", 1) for v in range(1, 7)]
    assert game.legal() == []
    with pytest.raises(IllegalAction, match="no possible outcome"):
        game.play("stake 1")
    game.play("roll 5", "roll 2")
    assert game.position.coins[:2] == [11, 9]


def test_options_are_checked_and_explained(sample: Title[Any, Any]) -> None:
    with pytest.raises(OptionError, match="option rounds cannot be 99; it takes 1 to 20"):
        sample.new(rounds=99)
    with pytest.raises(OptionError, match="no option 'colour'; there are: rounds"):
        sample.new(colour="red")
    with pytest.raises(OptionError, match="for 2 to 6 seats, not 9"):
        sample.new(seats=9)
    assert sample.new(rounds="3").box.rounds == 3


def test_an_unknown_title_names_the_known_ones() -> None:
    with pytest.raises(
        ludus.LudusError, match=f"no title 'chess'; there are: {', '.join(ludus.title_names())}"
    ):
        ludus.title("chess")


def test_a_copy_goes_its_own_way(sample: Title[Any, Any]) -> None:
    game = sample.new(seed=1)
    game.play("stake 1")
    twin = game.copy()
    twin.play("show 1")
    assert len(game.line) == 1
    assert game.hash() != twin.hash()


def dice_to_come(game: ludus.Game[Any, Any]) -> list[int]:
    """What chance gives while the first legal action is played again and again."""
    before = len(game.line)
    while len(game.line) < before + 60 and not game.over:
        game.apply(game.legal_codes()[0])
    return [played.code for played in game.line[before:] if played.seat == CHANCE]


def test_a_copy_does_not_know_the_dice_to_come() -> None:
    game = ludus.title(LARGE).new(seed=9)
    copies = [dice_to_come(game.copy()) for _ in range(3)]
    again = [dice_to_come(twin) for twin in (game.copy(seed=5), game.copy(seed=5))]
    same = dice_to_come(game.fork())
    truth = dice_to_come(game)
    assert same == truth
    assert again[0] == again[1]
    assert len({tuple(dice) for dice in [*copies, again[0], truth]}) == 5


def test_copies_of_one_seed_draw_the_same_in_every_run() -> None:
    games = [ludus.title(LARGE).new(seed=9) for _ in range(2)]
    runs = [[dice_to_come(game.copy().copy()), dice_to_come(game.copy())] for game in games]
    assert runs[0] == runs[1]
    assert runs[0][0] != runs[0][1]


def test_an_imagined_game_is_what_a_seat_could_believe(sample: Title[Any, Any]) -> None:
    game = sample.new(seed=1, seats=2)
    game.play("stake 1", "show 4", "guess 6")
    other = sample.new(seed=1, seats=2)
    other.play("stake 1", "show 1", "guess 3")
    imagined = [game.imagine(1, seed) for seed in range(12)]
    assert all(twin.view(1) == game.view(1) and twin.legal() == game.legal() for twin in imagined)
    assert len({twin.hash() for twin in imagined}) > 3
    assert [twin.hash() for twin in imagined] == [other.imagine(1, seed).hash() for seed in range(12)]
    assert imagined[0].line == [] and len(game.line) == 3, "what was played before would tell the truth"
    twin = imagined[0]
    twin.play("show 2")
    twin.rewind(0)
    assert twin.view(1) == game.view(1)
    with pytest.raises(ludus.LudusError, match="there is no seat 2; seats are 0 to 1"):
        game.imagine(2, 0)


@pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)
def test_both_forms_play_the_same_game(title: Title[Any, Any]) -> None:
    plain, compiled = (title.new(seed=4, form=form) for form in ("plain", "compiled"))
    for _ in range(150):
        assert plain.hash() == compiled.hash()
        if plain.over:
            break
        code = plain.legal()[len(plain.line) % len(plain.legal())].code
        plain.play(code)
        compiled.play(code)
    assert plain.outcome == compiled.outcome


@pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)
def test_batches_agree_in_every_form_and_on_any_number_of_threads(title: Title[Any, Any]) -> None:
    plain = title.batch(20, seed=3, form="plain").playouts()
    compiled = title.batch(20, seed=3, form="compiled").playouts()
    assert plain.digest == compiled.digest
    assert plain.returns == compiled.returns.tolist()
    one, two = (title.batch(9000, seed=3).playouts(threads=n) for n in (1, 2))
    assert one.digest == two.digest
    assert (one.returns == two.returns).all()
    assert one.unfinished == 0


@pytest.mark.parametrize("form", ["plain", "compiled"])
def test_a_game_that_ends_on_its_last_allowed_action_has_ended(sample: Title[Any, Any], form: str) -> None:
    lengths = single_lengths(sample, 40)
    exact = replace(sample, length=max(lengths))
    assert exact.batch(40, seed=8, form=form, rounds=1).playouts().unfinished == 0
    shorter = replace(sample, length=max(lengths) - 1)
    assert shorter.batch(40, seed=8, form=form, rounds=1).playouts().unfinished == lengths.count(max(lengths))


def single_lengths(title: Title[Any, Any], games: int) -> list[int]:
    """How long the games of `batch(games, seed=8, rounds=1)` are, played one by one."""
    return [len(single_game(title, title.box_for(rounds=1), 8, i).line) for i in range(games)]


def first_legal(s: Any, box: Any, out: Any, n: int, rng: Any) -> int:
    return 0


def test_a_policy_is_a_function_in_the_style_of_the_rules(sample: Title[Any, Any]) -> None:
    plain = sample.batch(50, seats=3, form="plain").playouts(first_legal)
    compiled = sample.batch(50, seats=3, form="compiled").playouts(first_legal)
    assert plain.digest == compiled.digest
    with pytest.raises(ValueError, match="a policy is 'random' or a module-level function"):
        sample.batch(5).playouts("clever")
    with pytest.raises(ValueError, match="these weights go nowhere: the policy takes no sixth argument"):
        sample.batch(5).playouts(first_legal, weights=[1.0])


def by_weights(s: Any, box: Any, out: Any, n: int, rng: Any, weights: Any) -> int:
    """The action whose kind of number has the greatest weight."""
    best = 0
    for i in range(n):
        if weights[out[i] % len(weights)] > weights[out[best] % len(weights)]:
            best = i
    return best


def test_a_policy_takes_weights_that_change_without_compiling(sample: Title[Any, Any]) -> None:
    digests = {}
    for weights in ([1.0, 2.0, 3.0], [3.0, 2.0, 1.0]):
        plain = sample.batch(50, seats=3, form="plain").playouts(by_weights, weights=weights)
        compiled = sample.batch(50, seats=3, form="compiled").playouts(by_weights, weights=weights)
        assert plain.digest == compiled.digest
        digests[tuple(weights)] = plain.digest
    assert len(set(digests.values())) == 2


def test_the_view_of_a_spectator_shows_no_secret(sample: Title[Any, Any]) -> None:
    game = sample.new(seed=1, seats=2)
    game.play("stake 1", "show 4", "guess 6")
    assert game.view(0)["board"]["fingers"] == [4, None]
    assert game.view(SPECTATOR)["board"]["fingers"] == [None, None]
    assert json.dumps(game.view(1)) == json.dumps(other_choice(sample).view(1))
    assert [f.text for f in game.faces(1)] == ["stake 1", "show ?", "guess ?"]
    assert [f.text for f in game.faces(0)] == ["stake 1", "show 4", "guess 6"]


def other_choice(sample: Title[Any, Any]) -> ludus.Game[Any, Any]:
    game = sample.new(seed=1, seats=2)
    game.play("stake 1", "show 1", "guess 3")
    return game


def test_what_if_stops_at_a_reveal_and_stores_nothing(sample: Title[Any, Any]) -> None:
    game = sample.new(seed=1, seats=2)
    game.play("stake 1", "show 4", "guess 6")
    before = game.hash()
    answer = game.what_if(["show 2"])
    assert (answer.played, answer.stopped) == (1, "")
    assert [a.text for a in answer.legal] == [f"guess {v}" for v in range(3, 8)]
    answer = game.what_if(["show 2", "guess 3"])
    assert (answer.played, answer.stopped) == (1, "reveal")
    assert answer.view["board"]["shown"] == [0, 0]
    with pytest.raises(IllegalAction):
        game.what_if(["show 9"])
    assert game.hash() == before


def test_what_if_stops_at_another_seat(sample: Title[Any, Any]) -> None:
    game = sample.new(seed=1, seats=2)
    answer = game.what_if(["stake 1", "show 2", "guess 4", "show 1"])
    assert (answer.played, answer.stopped, answer.legal) == (3, "other seat", [])


def test_the_plain_form_refuses_what_the_compiled_width_could_not_hold(sample: Title[Any, Any]) -> None:
    game = sample.new(seed=1)
    game.s.coins[0] = 40_000
    game.play("stake 1")
    for ask in (game.packed, game.hash, game.view):
        with pytest.raises(ludus.LayoutError, match="coins holds 40000"):
            ask()


def test_boxes_are_shared_by_setting_bounded_and_watched(sample: Title[Any, Any]) -> None:
    boxes = Boxes(sample.box, most=2)
    first = boxes.get("a", sample.box.plain)
    for key in "bac":
        boxes.get(key, sample.box.plain)
    assert len(boxes) == 2 and boxes.get("a", sample.box.plain) is first
    assert boxes.get("b", sample.box.plain) is not first
    assert boxes.changed() == []
    boxes.get("b", sample.box.plain).box.seats = 5
    assert boxes.changed() == ["b"]
    assert sample.box_for(3, rounds=5) is sample.box_for(3, rounds=5)
    assert sample.box_for(3, rounds=5) is not sample.box_for(2, rounds=5)
