"""Roma: what no scene can say.  Tests are named after the rules of titles/roma/RULES.md."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from typing import Any

import pytest

import ludus
from ludus.core.chance import CHANCE, SPECTATOR, below, seed_rng
from ludus.core.game import Game
from ludus.core.naming import assign
from ludus.core.scene import read_scene, set_up
from ludus.core.telling import tell
from ludus.titles import title
from ludus.titles.roma import layout as at
from ludus.titles.roma.box import card_names, data, small_box

ROMA = ludus.title("roma")
SCENES = ROMA.folder / "scenes"
PHASE = at.PHASES
RULES = [
    *(f"P{n}" for n in range(1, 19)),
    *(f"F{n}" for n in range(1, 10)),
    *(f"R{n}" for n in range(1, 76)),
]


def play_on(game: Game[Any, Any], rng: list[int], actions: int) -> Any:
    """Random actions, one at a time; yields the position before each and the action's kind."""
    for _ in range(actions):
        if game.over:
            return
        legal = game.legal()
        action = legal[below(rng, len(legal))]
        before = ROMA.position.copy(game.position)
        seat = game.to_move
        game.play(action)
        yield before, seat, action


def games(number: int, **options: Any) -> Any:
    """Random games with chance played by hand where needed; each with its generator."""
    for seed in range(number):
        rng = [0, 0, 0, 0]
        seed_rng(rng, seed, 1)
        yield ROMA.new(seed=seed, **options), rng


def at_scene(name: str) -> Game[Any, Any]:
    return set_up(read_scene(SCENES / f"{name}.toml", title))


def from_position(position: dict[str, Any], box: Any = None) -> Game[Any, Any]:
    """A game at a position given as in a scene, dice and cards to be chosen by hand."""
    game = Game(ROMA, box or ROMA.box_for(), seed=0, chance="manual")
    s = game.position
    for path, given in position.items():
        assign(ROMA.position, s, path, given, game.labels)
    ROMA.settle(s, game.box, frozenset(path.split(".")[0] for path in position))
    assert ROMA.rules.check(s, game.box) == 0
    return Game(ROMA, game.box, seed=0, chance="manual", start=ROMA.position.pack(s))


def redealt(game: Game[Any, Any], seat: int, times: int = 200) -> list[Any]:
    """Positions that `seat` could believe in."""
    found = []
    for k in range(times):
        rng = [0, 0, 0, 0]
        seed_rng(rng, k, seat)
        s = ROMA.position.copy(game.position)
        ROMA.rules.redeal(s, game.box, seat, rng)
        assert ROMA.rules.check(s, game.box) == 0
        found.append(s)
    return found


def heap(row: list[int]) -> dict[str, int]:
    return {card_names()[card]: n for card, n in enumerate(row) if n}


# -- the data and the rules page ------------------------------------------------------------------------


def test_card_data_adds_up() -> None:
    cards, sums = data()["cards"], data()["sums"]
    assert len(cards) == at.CARDS == 25
    assert sum(c["copies"] for c in cards) == sums["cards"] == 52
    assert sum(c["copies"] for c in cards if c["kind"] == "person") == sums["persons"] == 32
    assert sum(c["copies"] for c in cards if c["kind"] == "building") == sums["buildings"] == 20
    assert sum(c["copies"] * c["price"] for c in cards) == sums["price_by_copies"] == 264
    assert sum(c["copies"] * c["defence"] for c in cards) == sums["defence_by_copies"] == 204


def test_card_numbers_are_those_of_the_list() -> None:
    for number, name in enumerate(card_names()):
        assert getattr(at, name.upper()) == number


def test_every_rule_is_written_and_held() -> None:
    """Each rule has a row in RULES.md that names its scenes and tests, and all of them exist."""
    page = (ROMA.folder / "RULES.md").read_text(encoding="utf-8")
    rows = {m.group(1): m.group(0) for m in re.finditer(r"(?m)^\| ([PFR]\d+) \|.*$", page)}
    assert set(rows) == set(RULES)
    held: dict[str, set[str]] = {rule: set() for rule in RULES}
    for path in SCENES.glob("*.toml"):
        for rule in tomllib.loads(path.read_text(encoding="utf-8"))["rules"]:
            held[rule].add(path.stem)
    for name in globals():
        if m := re.match(r"test_([pfr]\d+)_", name):
            held[m.group(1).upper()].add(name)
    for rule in RULES:
        named = set(re.findall(r"`(?:scenes/|tests/titles/roma/test_rules.py::)([\w-]+)", rows[rule]))
        assert named == held[rule], rule
        assert named, f"{rule} is held by nothing"
        assert ROMA.words.has(f"rule.{rule}")


def test_every_card_and_printed_example_has_a_scene() -> None:
    stems = {path.stem for path in SCENES.glob("*.toml")}
    assert {f"card-{name.replace('_', '-')}" for name in card_names()[1:]} <= stems
    assert len([s for s in stems if s.startswith("example-")]) == 6
    for rule in RULES[18:]:
        assert any(s.startswith(f"{rule}-") for s in stems), rule


# -- dice, piles, turns ---------------------------------------------------------------------------------


def test_p1_what_the_game_begins_with() -> None:
    game = ROMA.new(seed=1, chance="manual")
    s = game.position
    assert (s.points, s.stock, s.money) == ([10, 10], 16, [0, 0])
    assert sum(s.points) + s.stock == 36


def test_p4_the_pile_gives_each_card_as_often_as_it_has_copies() -> None:
    game = ROMA.new(seed=1, chance="manual")
    weights = {action.arguments[0]: weight for action, weight in game.odds()}
    assert weights == {n: card["copies"] for n, card in enumerate(data()["cards"], 1)}
    game.play("draw sicarius")
    assert all(action.text != "draw sicarius" for action, _ in game.odds())


def test_p5_equal_dice_are_one_choice() -> None:
    game = from_position({"dice": [4, 4, 2], "board.0": {"4": "legat"}})
    texts = [a.text for a in game.legal()]
    assert texts.count("money 4") == texts.count("activate 4") == 1
    assert len(texts) == len(set(texts))


def test_r5_only_the_numbered_discs_hold_cards() -> None:
    for game, rng in games(10):
        for before, _, _ in play_on(game, rng, 200):
            assert all(row[0] == row[7] == 0 for row in before.board)


def test_r22_own_cards_leave_only_by_being_covered_moved_or_spent() -> None:
    """In phase 3 there are five kinds of act, and none takes a laid card off the table by itself."""
    for game, rng in games(25):
        for before, seat, action in play_on(game, rng, 300):
            if PHASE[before.phase] == "act":
                assert action.kind in ("money", "cards", "activate", "lay", "end")
            gone = [d for d in range(1, 7) if before.board[seat][d] and not game.position.board[seat][d]]
            spent = action.kind == "target"  # Sicarius and Nero
            lifted = action.kind in ("activate", "copy")  # Consiliarius and Machina
            assert not gone or spent or lifted or PHASE[before.phase] in ("pass", "place")


@pytest.mark.parametrize("option", ["mercatus", "triples", "zero_gain", "refill", "essedum", "relay"])
def test_r64_games_end_by_points_stock_or_cap(option: str) -> None:
    """Whatever the options: random games end, and only for one of the three reasons."""
    other = next(o.values[1] for o in ROMA.options if o.name == option)
    for game, rng in games(12, **{option: other}):
        for _ in play_on(game, rng, ROMA.length):
            pass
        s = game.position
        assert game.over
        assert 0 in s.points or s.stock == 0 or s.turn == at.MAX_TURNS


def test_r69_two_players_who_pass_for_ever() -> None:
    """Nobody does anything but end the turn: with full sides the cap ends the game."""
    sides = {
        "board.0": {str(d): "forum" for d in range(1, 7)},
        "board.1": {"1": "consul", "2": "consul", "3": "legat", "4": "legat", "5": "turris", "6": "turris"},
    }
    game = from_position(sides)
    turns = 0
    while not game.over:
        if game.to_move == CHANCE:
            game.play(f"roll {1 + len(game.line) % 2 * 3}")
        else:
            game.play("accept" if PHASE[game.position.phase] == "triple" else "end")
            turns += game.line[-1].code == at.END
    assert turns == 500
    assert game.outcome is not None
    assert game.outcome.returns == (1, 1)


def test_r65_points_written_down_only_at_the_end() -> None:
    seen_some = False
    for game, rng in games(60):
        for before, _, _ in play_on(game, rng, 2000):
            assert before.written == 0
        seen_some = seen_some or game.position.written > 0
    game = at_scene("R65-payout-beyond-the-stock")
    game.play("activate 2", "add 6")
    assert sum(game.position.points) + game.position.stock == 36 + game.position.written == 37
    assert seen_some or game.position.written


def test_p16_laying_again_never_reaches_a_position_twice() -> None:
    """The order of cards that are laid again means nothing, so it must not multiply the choices."""
    game = from_position(
        {
            "dice": [6, 1, 1],
            "board.0": {"1": "forum", "2": "forum", "3": "turris", "4": "legat", "6": "machina"},
        }
    )
    game.play("activate 6")
    found: Counter[bytes] = Counter()

    def explore(s: Any) -> None:
        if PHASE[s.phase] != "relay":
            found[ROMA.position.pack(s)] += 1
            return
        out = [0] * ROMA.codes.size
        for code in out[: ROMA.rules.legal(s, game.box, out)]:
            t = ROMA.position.copy(s)
            ROMA.rules.apply(t, game.box, code)
            explore(t)

    explore(game.position)
    assert set(found.values()) == {1}
    assert len(found) == 6 * 5 * (4 * 3 // 2)  # machina, turris, and two equal Forums on six discs


# -- what a seat knows of the other hand ------------------------------------------------------------------


def passed() -> Game[Any, Any]:
    game = at_scene("R2-passing-two-cards")
    game.play("pass forum", "pass legat", "pass turris", "pass consul")
    return game


def receipts(game: Game[Any, Any], eye: int) -> list[str]:
    return [line for line in tell(game, eye, "en", ["Anna", "Bruno"]) if "receives" in line]


def test_r2_each_seat_is_told_what_it_was_given_and_nobody_else() -> None:
    game = passed()
    assert receipts(game, 0) == ["Anna receives Consul.", "Anna receives Turris."]
    assert sorted(receipts(game, 1)) == ["Bruno receives Forum.", "Bruno receives Legat."]
    assert receipts(game, SPECTATOR) == []


def test_r2_a_card_given_away_and_received_again_is_told() -> None:
    game = Game(ROMA, ROMA.box_for(), seed=0, chance="manual")
    while game.to_move == CHANCE:
        game.play(
            "draw forum" if game.position.hand[game.position.player][at.FORUM] < 2 else game.odds()[-1][0]
        )
    game.play("pass forum", "pass forum", "pass forum", "pass forum")
    assert receipts(game, 1) == ["Bruno receives Forum."] * 2


def test_r75_passed_cards_are_known_to_the_giver() -> None:
    game = passed()
    for seat, given in ((0, {"forum", "legat"}), (1, {"turris", "consul"})):
        hands = [heap(s.hand[1 - seat]) for s in redealt(game, seat)]
        assert all(given <= set(hand) and sum(hand.values()) == 4 for hand in hands)
        assert len({tuple(sorted(hand.items())) for hand in hands}) > 50  # the other two are anything


def test_r2_nothing_is_known_before_both_have_passed() -> None:
    game = at_scene("R2-passing-two-cards")
    game.play("pass forum", "pass legat")
    asides = {tuple(sorted(heap(s.aside[0]).items())) for s in redealt(game, 1)}
    assert len(asides) > 50
    assert game.faces(1)[0].text == game.faces(SPECTATOR)[0].text == "pass ?"


def test_r3_face_down_cards_are_known_but_not_where() -> None:
    game = passed()
    game.play("place forum 1", "place nero 2", "place turris 3", "place consul 4")
    believed = redealt(game, 1, 400)
    places: Counter[int] = Counter()
    for s in believed:
        cards = [s.facedown[0][d] for d in range(1, 5)]
        assert at.TURRIS in cards
        assert at.CONSUL in cards
        assert s.facedown[0][5] == s.facedown[0][6] == 0
        places[cards.index(at.TURRIS)] += 1
    assert min(places[k] for k in range(4)) > 50
    assert game.faces(1)[-1].text == "place ?"


def test_r75_a_gladiators_victim_is_known() -> None:
    game = at_scene("R60-gladiator-to-the-hand")
    game.play("activate 6", "target 1")
    assert all(heap(s.hand[1]) == {"nero": 1} for s in redealt(game, 0, 20))


def test_r75_a_fetched_person_is_known() -> None:
    game = at_scene("R62-aesculapinum-persons-only")
    game.play("activate 6", "take centurio")
    assert all(heap(s.hand[0]) == {"centurio": 1} for s in redealt(game, 1, 20))


def test_r75_the_searcher_knows_the_hand_and_nobody_what_he_took() -> None:
    game = at_scene("R75-the-searcher-knows-the-hand")
    assert len({tuple(s.hand[1]) for s in redealt(game, 0)}) > 50
    game.play("activate 4")
    assert all(s.hand[1] == game.position.hand[1] for s in redealt(game, 0, 20))
    game.play("take turris")
    assert all(s.hand[1] == game.position.hand[1] for s in redealt(game, 0, 20))
    taken = {next(iter(heap(s.hand[0]))) for s in redealt(game, 1, 400)}
    assert len(taken) > 12
    assert game.faces(1)[-1].text == "take ?"


def test_r75_cards_drawn_later_are_not_known() -> None:
    game = at_scene("R75-the-searcher-knows-the-hand")
    game.play("activate 4", "take turris", "end", "roll 1", "roll 2", "roll 2", "cards 1", "draw sicarius")
    hands = {tuple(s.hand[1]) for s in redealt(game, 0, 400)}
    assert len(hands) > 12
    assert all(hand[at.LEGAT] >= 2 and hand[at.CENTURIO] >= 1 for hand in hands)
    assert game.faces(0)[-1].text == "draw ?"


def test_r75_a_pile_made_anew_shows_both_hands() -> None:
    game = at_scene("R75-the-pile-runs-out")
    game.play("cards 2")
    for seat in (0, 1):
        assert all(s.hand[1 - seat] == game.position.hand[1 - seat] for s in redealt(game, seat, 20))


def test_r75_a_pile_that_runs_out_in_mid_draw_shows_hand_and_draw_as_one() -> None:
    game = at_scene("R75-the-pile-runs-out-in-mid-draw")
    game.play("cards 3", "draw forum", "draw forum")
    believed = {(tuple(s.hand[0]), tuple(s.aside[0])) for s in redealt(game, 1)}
    hands = {next(iter(heap(list(hand)))) for hand, _ in believed}
    assert hands == {"haruspex", "forum"}
    for hand, aside in believed:
        assert heap([a + b for a, b in zip(hand, aside, strict=True)]) == {"haruspex": 1, "forum": 2}


def test_r75_a_hint_is_kept_to() -> None:
    """Discards that may be old or new: at least one of the two old cards is in the hand."""
    game = at_scene("R75-a-hint-remains")
    game.play("cards 3", "draw legat", "draw legat", "draw haruspex", "keep legat")
    hands = {tuple(sorted(heap(s.hand[0]).items())) for s in redealt(game, 1, 400)}
    assert all(dict(hand).keys() & {"legat", "haruspex"} for hand in hands)
    assert hands == {
        (("haruspex", 1), ("legat", 1)),
        (("forum", 1), ("legat", 1)),
        (("forum", 1), ("haruspex", 1)),
    }


def test_r75_reveals_are_exactly_the_learning_actions() -> None:
    """Undo stops at the last card passed, the last placed, and at a Haruspex who learns something."""
    game = ROMA.new(seed=3)
    while PHASE[game.position.phase] in ("pass", "place"):
        game.play(game.legal()[0])
    kinds = [(ROMA.codes.kind(p.code), p.reveals) for p in game.line if p.seat >= 0]
    assert kinds == [("pass", False)] * 3 + [("pass", True)] + [("place", False)] * 7 + [("place", True)]
    haruspex = {"dice": [4, 1, 1], "board.0": {"4": "haruspex"}}
    blind = from_position(haruspex | {"hand.1": {"legat": 1}})
    known = from_position(haruspex | {"hand.1": {"legat": 1}, "known.1": {"legat": 1}})
    for searching, learns in ((blind, True), (known, False)):
        searching.play("activate 4")
        assert searching.line[-1].reveals is learns


def test_r75_spectators_are_not_told_what_the_seats_know() -> None:
    game = passed()
    board = game.view(SPECTATOR)["board"]
    assert board["known"] is None
    assert board["hints"] is None
    assert game.view(0)["board"]["known"][1] == {"forum": 1, "legat": 1}


def test_r23_the_other_seat_sees_numbers_only() -> None:
    board = passed().view(1)["board"]
    assert board["hand"][0] == {"count": 4}
    assert "deck" not in board
    assert board["deck_size"] == 44


# -- boxes -------------------------------------------------------------------------------------------------


def test_r31_options_make_different_boxes() -> None:
    plain = ROMA.box.pack(ROMA.box_for())
    changed: list[dict[str, Any]] = [{o.name: o.values[1]} for o in ROMA.options]
    others = {ROMA.box.pack(ROMA.box_for(**options)) for options in changed}
    assert len(others) == len(ROMA.options) == 6
    assert plain not in others
    assert all(option.disputed for option in ROMA.options)


def test_other_decks_play_with_the_same_rules() -> None:
    """Numbers stand in the box: a deck of one kind of card, other prices, other hands."""
    box = small_box(6, 5, {"forum": 10, "turris": 10})
    box.price[at.FORUM] = box.cheapest = 0
    for seed in range(5):
        game = Game(ROMA, box, seed=seed)
        rng = [0, 0, 0, 0]
        seed_rng(rng, seed, 2)
        for _ in play_on(game, rng, 3000):
            assert ROMA.rules.check(game.position, box) == 0
        assert game.over
