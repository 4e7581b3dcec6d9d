"""Conquest of the Empire: what scenes cannot say: data, odds, sizes, taking back, the command line."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from ludus.core.chance import CHANCE, OVER, below, seed_rng
from ludus.core.forms import PlainForm
from ludus.core.game import Game
from ludus.core.touches import paths
from ludus.match.file import read_match
from ludus.terminal.drawings import look_at
from ludus.terminal.speech import Speech
from ludus.titles import title as title_of
from ludus.titles.conquest import TITLE
from ludus.titles.conquest import layout as at
from ludus.titles.conquest.box import OPTIONS, areas, data, edges
from ludus.titles.conquest.commands import odds as odds_command
from ludus.titles.conquest.layout import CODES, POSITION
from ludus.titles.conquest.odds import (
    Army,
    Simulation,
    battle_odds,
    form_line,
    hit_chances,
    read_army,
    sea_odds,
    share_losses,
)
from ludus.titles.conquest.terminal import draw

FOLDER = Path(TITLE.folder)
FACES = ("infantry", "infantry", "cavalry", "catapult", "galley", "blank")


def new(seats: int = 2, **options: Any) -> Game[Any, Any]:
    return TITLE.new(seed=1, seats=seats, chance="manual", homes="seated", **options)


# -- the board ------------------------------------------------------------------------------------


def test_the_board_has_42_provinces_and_18_seas() -> None:
    board = data()
    assert (len(board["provinces"]), len(board["seas"]), len(areas())) == (42, 18, 60)
    assert sum(p["value"] for p in board["provinces"]) == 290
    assert len(board["straits"]) == 4 and ["sicilia", "neapolis"] in board["straits"]


def test_borders_go_both_ways_and_roads_run_on_land_only() -> None:
    box = TITLE.box_for(6)
    for p in range(at.PROVINCES):
        for i in range(box.near_count[p]):
            q, edge = box.near[p][i], box.near_edge[p][i]
            assert p in box.near[q][: box.near_count[q]]
            if edge >= 0:
                assert sorted(box.edge_end[edge]) == sorted((p, q))
            else:
                assert {areas()[p], areas()[q]} in [set(pair) for pair in data()["straits"]]
    assert box.edges == len(edges())


def test_every_place_can_be_reached_by_land_or_sea() -> None:
    box = TITLE.box_for(6)
    assert all(d < 40 for row in box.distance for d in row)
    assert box.distance[areas().index("aegyptus")][areas().index("hispania")] <= 8


def test_the_ways_that_bots_reckon_with() -> None:
    """On foot no island is reached, over an arrow a shore is; a galley needs two steps from port to port."""
    box, at_sea = TITLE.box_for(6), at.PROVINCES
    place = areas().index
    assert box.march[place("italia")][place("cyprus")] > at.PROVINCES
    assert box.march[place("neapolis")][place("sicilia")] == 1
    assert box.march[place("baetica")][place("tingitana")] == 1
    sea = place("mare_aegaeum") - at_sea
    assert box.voyages[sea][place("achaia")] == 1
    assert box.voyages[sea][place("hispania")] > 2


@pytest.mark.parametrize(
    ("seats", "homes"),
    [
        (2, "aegyptus hispania"),
        (3, "macedonia aegyptus hispania"),
        (4, "macedonia mesopotamia numidia hispania"),
        (5, "macedonia mesopotamia aegyptus hispania italia"),
        (6, "macedonia galatia aegyptus numidia hispania italia"),
    ],
)
def test_homes_of_each_number_of_players(seats: int, homes: str) -> None:
    game = new(seats)
    assert [game.view(0)["board"]["seats"][p]["home"] for p in range(seats)] == homes.split()


def test_the_battle_die() -> None:
    """12.1: two infantry faces of six."""
    game = new()
    s = game.position
    s.phase, s.dice, s.dice_for = at.ROLL, 1, at.FOR_ATTACK
    weights = {action.text: weight for action, weight in game.odds()}
    assert weights == {f"roll {face}": 1 + (face == "infantry") for face in set(FACES)}


# -- sizes ------------------------------------------------------------------------------------------


def test_positions_and_codes_stay_small() -> None:
    assert POSITION.bytes < 4096
    assert CODES.size < 4000


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_random_games_end_with_short_legal_lists(seats: int) -> None:
    box = TITLE.box_for(seats, acclamation="off", max_rounds=30)
    form, rng, sizes = PlainForm(TITLE, box), [0, 0, 0, 0], []
    for seed in range(2):
        s, n = form.new(), 0
        seed_rng(rng, seed, 3)
        while form.to_move(s) != OVER:
            chance = form.to_move(s) == CHANCE
            codes = [c for c, w in form.odds(s) for _ in range(w)] if chance else form.legal(s)
            if not chance:
                sizes.append(len(codes))
            form.apply(s, codes[below(rng, len(codes))])
            n += 1
        assert n < TITLE.length
        assert form.check(s) == 0
    sizes.sort()
    assert sizes[len(sizes) // 2] < 40
    assert sizes[len(sizes) * 99 // 100] < 250


@pytest.mark.parametrize("name", ["melee", "fierce"])
def test_random_play_of_the_kit_goes_deep(name: str) -> None:
    """Battles, retreats, galleys, captives, ransom and the fall of emperors come up on the small boxes."""
    form, rng = PlainForm(TITLE, TITLE.small_boxes()[name]), [0, 0, 0, 0]
    kinds: set[str] = set()
    falls, seed, plies = 0, 0, 0
    while plies < 4000:
        s = form.new()
        seed_rng(rng, seed, 7)
        seed += 1
        while form.to_move(s) != OVER:
            chance = form.to_move(s) == CHANCE
            codes = [c for c, w in form.odds(s) for _ in range(w)] if chance else form.legal(s)
            code = codes[below(rng, len(codes))]
            kinds.add(CODES.kind(code))
            form.apply(s, code)
            plies += 1
        falls += sum(place < 0 for place in s.emperor[:4])
    wanted = {"battle", "lose", "withdraw", "retreat", "keep", "remove", "voyage", "load", "ransom", "accept"}
    assert wanted <= kinds
    assert falls > 3


def test_purchases_and_what_goes_along_are_free_in_order() -> None:
    """Any order gives the same position; what was taken up at a stop is not put down there again."""
    ends = set()
    for texts in (
        ["recruit infantry aegyptus 2", "launch aegyptus 0", "recruit infantry aegyptus 1"],
        ["launch aegyptus 0", "recruit infantry aegyptus 3"],
    ):
        game = new(acclamation="off", start_talents=50)
        game.play("end_move", "end_razing", *texts)
        assert game.undo_limit(0) == 0
        ends.add(game.hash())
    assert len(ends) == 1
    hands = set()
    for texts in (
        ["take infantry 2", "take emperor 1"],
        ["take emperor 1", "take infantry 1", "take infantry 1"],
    ):
        game = new(acclamation="off")
        game.play("lead aegyptus general", *texts, "march cyrenaica")
        hands.add(game.hash())
        assert "drop emperor 1" in [action.text for action in game.legal()]
    assert len(hands) == 1


def test_a_whole_move_can_be_taken_back() -> None:
    """Until dice are thrown, one action after the other."""
    game = new(acclamation="off")
    before = game.hash()
    moves = ["lead aegyptus general", "take infantry 3", "march cyrenaica", "halt", "lead aegyptus emperor"]
    for text in moves:
        game.play(text)
    assert game.undo_limit(0) == 0
    game.rewind(0)
    assert game.hash() == before


def by_touches(game: Game[Any, Any], *path: str) -> None:
    game.play(paths(game)[path])


def test_an_exchange_is_offered_countered_and_accepted_by_touches() -> None:
    """5.5: a captive of a third player, talents from the other side; other terms; a yes."""
    game = new(3, start_talents=20)
    s = game.position
    s.phase, s.captives[0][2], s.captives[1][0] = at.DEAL, 1, 1
    s.generals[0][areas().index("macedonia")] -= 1
    s.generals[2][areas().index("hispania")] -= 1
    s.open_own[1] = 1
    assert game.form.check(s) == 0
    by_touches(game, "button:ransom", "partner:1")
    by_touches(game, "button:exchange", "captive:2")
    by_touches(game, "button:reverse")
    by_touches(game, "amount:5")
    assert game.to_move == 1
    offer = game.view(1)["board"]["offer"]
    assert (offer["by"], offer["gets"], offer["gives"], offer["payer"], offer["talents"]) == (0, 0, 2, 1, 5)
    speech = Speech(TITLE, game.labels, "en", ("Livia", "Marcus", "Aulus"))
    table = [str(part) for part in draw(look_at(game, 1, speech), 80, None)]
    assert " MAC gets: a general of MAC, 5 talents" in table and " AEG gets: a general of HIS" in table
    by_touches(game, "button:counter")
    by_touches(game, "button:exchange", "captive:2")
    by_touches(game, "amount:10")
    assert game.to_move == 0 and ("button:counter",) not in paths(game)
    by_touches(game, "button:accept")
    assert list(game.position.talents[:3]) == [10, 30, 20]
    assert game.position.captives[1][2] == 1 and game.position.captives[1][0] == 0


# -- scenes and rules -------------------------------------------------------------------------------


def test_a_match_of_rules_version_1_can_be_read() -> None:
    """Its options were others and its exchanges simpler: it is told as it was written."""
    file = read_match((Path(__file__).parent / "rules-1.match").read_text(encoding="utf-8"), title_of)
    assert file.older and file.match is None and "rules version 1" in file.changed
    assert [entry.text for entry in file.entries][-2:] == ["acclaim", "agree"]
    assert file.setting.options["retreat_conquers"] == "on"


def test_every_option_is_named_in_the_rules() -> None:
    text = (FOLDER / "RULES.md").read_text(encoding="utf-8")
    assert [o.name for o in OPTIONS if f"`{o.name}`" not in text] == []


# -- odds -------------------------------------------------------------------------------------------


def enumerated(line: tuple[int, int, int], catapults: int, dice: int) -> list[Fraction]:
    """The chances of hits, by looking at every throw."""
    found = [Fraction(0)] * (line[0] + line[1] + catapults + 1)
    for throw in product(FACES, repeat=dice):
        hits = min(throw.count("infantry"), line[0]) + min(throw.count("cavalry"), line[1])
        found[hits + min(throw.count("catapult"), catapults)] += Fraction(1, 6**dice)
    return found


@pytest.mark.parametrize(
    ("line", "catapults", "dice"), [((3, 1, 1), 1, 5), ((2, 0, 0), 2, 4), ((0, 2, 0), 0, 4)]
)
def test_hit_chances_are_exact(line: tuple[int, int, int], catapults: int, dice: int) -> None:
    assert hit_chances(line, catapults, dice) == pytest.approx(
        [float(x) for x in enumerated(line, catapults, dice)]
    )


def test_one_against_one_by_hand() -> None:
    """Each infantry hits with 1/3: who hits alone wins (2 of 9), both with 1 of 9, else again."""
    found = battle_odds(Army(1), Army(1))
    assert (found.attacker, found.defender, found.both) == pytest.approx((2 / 5, 2 / 5, 1 / 5))
    assert found.attacker_losses[0] == pytest.approx(3 / 5)


@pytest.mark.parametrize(
    ("own", "foreign", "walls", "wins"),
    [
        ("5i1l", "5i1l", False, 0.49),
        ("5i1l", "5i1l", True, 0.20),
        ("5i1k1l", "5i1l", True, 0.78),
        ("6i1l", "3i1k1l", False, 0.85),
    ],
)
def test_odds_agree_with_the_simulation_of_the_rulings(
    own: str, foreign: str, walls: bool, wins: float
) -> None:
    assert battle_odds(read_army(own), read_army(foreign), walls).attacker == pytest.approx(wins, abs=0.01)


def test_sea_odds() -> None:
    assert sea_odds(2, 1).attacker == pytest.approx(0.78, abs=0.005)
    assert sea_odds(2, 1).neither == pytest.approx(0.10, abs=0.01)
    assert sea_odds(1, 1).both == pytest.approx(0.16, abs=0.005)


@pytest.mark.parametrize(
    ("own", "foreign", "walls", "order"),
    [
        ("5i2c1k2l", "4i2c1l", False, (0, 1, 2)),
        ("7i1k1l", "6i1c", True, (1, 0, 2)),
        ("9i3c2l", "8i2k1l", True, (2, 1, 0)),
    ],
)
def test_odds_agree_with_battles_played_by_the_rules(
    own: str, foreign: str, walls: bool, order: tuple[int, int, int]
) -> None:
    """Four standard deviations of the battles played here; `ludus conquest odds --simulate` plays more."""
    times = 700
    exact = battle_odds(read_army(own), read_army(foreign), walls, order)
    played = Simulation("plain", order, seed=5).battle(read_army(own), read_army(foreign), walls, times)
    for name in ("attacker", "defender", "both"):
        chance = getattr(exact, name)
        spread = 4 * (max(chance * (1 - chance), 1e-3) / times) ** 0.5
        assert getattr(played, name) == pytest.approx(chance, abs=spread), name
    for side in ("attacker_losses", "defender_losses"):
        assert getattr(played, side) == pytest.approx(getattr(exact, side), abs=0.5), side


def test_sea_odds_agree_with_sea_battles_played_by_the_rules() -> None:
    exact, played = sea_odds(3, 2), Simulation("plain", seed=3).sea(3, 2, 700)
    assert played.attacker == pytest.approx(exact.attacker, abs=0.08)
    assert played.neither == pytest.approx(exact.neither, abs=0.06)


Fleets = dict[tuple[int, int], Fraction]


def after_sea_round(galleys: tuple[int, int]) -> Fleets:
    """What one round leaves, die by die: each sinks a galley of the other side with one face of six."""
    left: Fleets = {galleys: Fraction(1)}
    for struck in (1, 0):
        for _ in range(2 * galleys[1 - struck]):
            after: Fleets = {}
            for (own, foreign), chance in left.items():
                hit = (max(0, own - 1), foreign) if struck == 0 else (own, max(0, foreign - 1))
                after[hit] = after.get(hit, Fraction(0)) + chance / 6
                after[own, foreign] = after.get((own, foreign), Fraction(0)) + chance * 5 / 6
            left = after
    return left


@pytest.mark.parametrize("galleys", [(8, 8), (8, 5), (3, 7), (1, 1)])
def test_sea_odds_are_exact(galleys: tuple[int, int]) -> None:
    """Once more with whole numbers, a die at a time: what a simulation shows beside it is chance."""
    fleets: Fleets = {galleys: Fraction(1)}
    for _ in range(3):
        after: Fleets = {}
        for before, weight in fleets.items():
            left = after_sea_round(before) if all(before) else {before: Fraction(1)}
            for end, chance in left.items():
                after[end] = after.get(end, Fraction(0)) + weight * chance
        fleets = after
    assert sum(fleets.values()) == 1
    found = sea_odds(*galleys)
    ends = {
        "attacker": (True, False),
        "defender": (False, True),
        "both": (False, False),
        "neither": (True, True),
    }
    for name, end in ends.items():
        wanted = sum(p for (own, foreign), p in fleets.items() if (own > 0, foreign > 0) == end)
        assert getattr(found, name) == pytest.approx(float(wanted), abs=1e-14), name


@pytest.mark.parametrize("galleys", [(3, 2)])
def test_sea_odds_are_those_of_the_rules(galleys: tuple[int, int]) -> None:
    """Every throw of the rules themselves, not a sample of them: galley, or one of the five other faces."""
    simulation = Simulation("plain")
    form, weights = (
        simulation.form,
        {at.FACE + at.FACE_GALLEY: Fraction(1, 6), at.FACE + at.BLANK: Fraction(5, 6)},
    )
    mass, ends = {simulation.sea_ready(*galleys): Fraction(1)}, Fleets()
    while mass:
        after: dict[bytes, Fraction] = {}
        for packed, weight in mass.items():
            if form.to_move(form.unpack(packed)) != CHANCE:
                owners = form.plain(form.unpack(packed)).ship_owner
                end = owners.count(0), owners.count(1)
                ends[end] = ends.get(end, Fraction(0)) + weight
                continue
            for code, chance in weights.items():
                s = form.unpack(packed)
                form.apply(s, code)
                data = form.pack(s)
                after[data] = after.get(data, Fraction(0)) + weight * chance
        mass = after
    won = sum(p for (own, foreign), p in ends.items() if own and not foreign)
    assert sum(ends.values()) == 1
    assert sea_odds(*galleys).attacker == pytest.approx(float(won), abs=1e-14)
    assert sea_odds(*galleys).both == pytest.approx(float(ends[0, 0]), abs=1e-14)


def test_the_table_of_the_bots_holds_exact_odds() -> None:
    table = json.loads((FOLDER / "data" / "odds.json").read_text(encoding="utf-8"))["winning"]
    for own, foreign in ((1, 1), (5, 5), (9, 6), (15, 15), (3, 12)):
        army, other = Army(own, leaders=1), Army(foreign, leaders=1)
        assert table[0][own][foreign] == round(1000 * battle_odds(army, other).attacker)
        assert table[2][own][foreign] == round(1000 * battle_odds(army, other, True).attacker)
        siege = Army(own - 1, 0, 1, 1)
        assert table[1][own][foreign] == round(1000 * battle_odds(siege, other, True).attacker)


def test_lines_and_losses() -> None:
    assert form_line((4, 2, 3), 1) == (4, 2, 0)
    assert form_line((2, 1, 3), 0) == (2, 1, 2)
    assert share_losses((3, 2, 1), 4, (1, 0, 2)) == (2, 2, 0)
    assert share_losses((1, 0, 0), 9, (0, 1, 2)) == (1, 0, 0)


def command() -> typer.Typer:
    app = typer.Typer()
    app.command()(odds_command)
    return app


def test_the_command_tells_the_odds() -> None:
    done = CliRunner().invoke(command(), ["5i1l", "5i1l", "--walls", "--json"])
    assert done.exit_code == 0
    assert json.loads(done.stdout)["exact"]["attacker"] == pytest.approx(0.2024, abs=1e-4)
    shown = CliRunner().invoke(command(), ["2", "1", "--sea"])
    assert "78.00%" in shown.stdout and "undecided" in shown.stdout


def test_the_command_refuses_what_is_no_army() -> None:
    for words in (["5x", "5i"], ["0i", "1i"], ["5i", "5i", "--losses", "best"], ["0", "1", "--sea"]):
        assert CliRunner().invoke(command(), words).exit_code != 0
