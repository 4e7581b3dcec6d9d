"""Antike Duellum and Casus Belli: what is not a scene.  Tests are named after their rules."""

from __future__ import annotations

import random
from statistics import median
from typing import Any

import pytest

import ludus
from conftest import count
from ludus.core.errors import OptionError
from ludus.core.expecting import texts
from ludus.core.game import Game
from ludus.core.layout import PUBLIC
from ludus.core.scene import read_scene, set_up
from ludus.core.telling import tell
from ludus.core.words import LANGUAGES
from ludus.lab.arena import make_plan
from ludus.match.file import read_match, write_match
from ludus.match.match import Match
from ludus.titles.duellum import TITLE
from ludus.titles.duellum import data as duellum_data
from ludus.titles.duellum import layout as at
from ludus.titles.duellum import own as duellum_own
from ludus.titles.duellum.box import LONGEST
from ludus.titles.duellum.layout import CODES, POSITION
from ludus.titles.duellum.rules.turn import navigation

BOARDS = ("rome_carthage", "greece_persia", "casus_belli")


def title() -> Any:
    return TITLE


def random_game(seed: int, **options: Any) -> Game[Any, Any]:
    return Game(title(), title().box_for(2, **options), seed=seed)


def defaults() -> dict[str, Any]:
    return dict(title().read_setting(2, {})[1])


# -- rules ----------------------------------------------------------------------------------------------


def test_r9_nothing_passes_between_the_players() -> None:
    """No action of a seat gives goods to the other; only cards take some away."""
    dice = random.Random(9)
    for seed in range(count(40)):
        game = random_game(seed)
        while not game.over and len(game.line) < 600:
            seat = game.to_move
            before = [sum(row) for row in POSITION.copy(game.position).goods]
            turn = game.position.active
            game.play(dice.choice(game.legal()))
            after = [sum(row) for row in game.position.goods]
            assert after[1 - turn] <= before[1 - turn] or seat != turn


def test_r40_simulations_have_a_cap_and_persons_have_none() -> None:
    batch = title().batch(2, form="plain")
    assert batch.box.turn_cap == title().simulation["turn_cap"] == 400
    assert title().batch(2, form="plain", turn_cap=200).box.turn_cap == 200
    assert make_plan("duellum", ["tiro"], 1, 1, {}).options["turn_cap"] == 400
    assert title().box_for(2).turn_cap == LONGEST
    assert "turn_cap" not in random_game(1).view(0)["board"]
    assert random_game(1, turn_cap=200).view(0)["board"]["turn_cap"] == 200


def test_r40_random_games_end_at_the_cap() -> None:
    found = title().batch(count(300), seed=4, form="auto").playouts()
    assert found.unfinished == 0
    for row in found.returns:
        assert sorted(row) in ([0, 2], [1, 1])


def test_a_record_of_before_there_was_a_choice_keeps_its_cap() -> None:
    """Options that a record does not name are those that all games had when it was written."""
    match = Match.simulated(title(), seed=3, turn_cap=400)
    match.play(match.game.to_move, ["go ferrum"])
    text = write_match(match)
    older = text.replace(" turn_cap=400", "").replace(" pieces=edition", "").replace("rules: 2", "rules: 1")
    assert older.count("turn_cap") == 0
    assert read_match(older, ludus.title).setting.options["turn_cap"] == 400


def story_of(scene: str) -> list[str]:
    """What a scene's actions are told as."""
    read = read_scene(TITLE.folder / "scenes" / f"{scene}.toml", ludus.title)
    game = set_up(read)
    for step in read.steps:
        for text in texts(step.get("play", ())):
            game.play(text)
    return tell(game, 0, "en", ["Anna", "Bruno"])


def test_the_story_tells_tolls_and_coins() -> None:
    assert "Anna pays 1 iron." in story_of("P15-two-duellum-spaces")
    assert story_of("EX-five-cities-aurum")[-2:] == ["Anna receives 4 gold.", "Anna receives 1 coin."]
    assert story_of("card-tax_collectors")[-1] == "Anna receives 2 coins."
    assert "coin" not in " ".join(story_of("R8-bank-out-of-coins"))


def test_the_story_tells_who_wins_at_the_cap() -> None:
    assert ": Bruno has more personages" in story_of("R40-personages-decide-at-the-cap")[-1]
    assert "a draw by the limit" in story_of("R40-the-cap")[-1]


def test_r44_everything_is_open() -> None:
    """No field is hidden, so every seat and spectator sees the same board."""
    assert all(field.who is PUBLIC for field in POSITION.fields)
    game = random_game(3)
    assert game.view(0)["board"] == game.view(1)["board"] == game.view()["board"]


@pytest.mark.parametrize(
    "options", [{"board": "greece_persia"}, {"special_units": "it"}, {"special_units": "fr"}]
)
def test_r48_pairs_of_options_that_are_refused(options: dict[str, str]) -> None:
    with pytest.raises(OptionError, match="Casus Belli"):
        title().box_for(2, edition="casus_belli", **options)


def test_r48_pieces_of_antike_are_refused_in_antike_duellum() -> None:
    with pytest.raises(OptionError, match="go with Casus Belli"):
        title().box_for(2, pieces="antike")


def test_r48_defaults_by_edition() -> None:
    duellum, casus = title().box_for(2), title().box_for(2, edition="casus_belli")
    assert (duellum.battle, duellum.protect_last, duellum.leader_unit) == (at.FORCED, 0, [0, 0])
    assert (casus.battle, casus.protect_last) == (at.ON_DEMAND, 1)
    assert title().box_for(2, edition="casus_belli", battle="forced").battle == at.FORCED


def test_every_ruling_has_a_scene_or_a_test_named_after_it() -> None:
    """The 59 rulings, the seven contradictions that were decided, the variant."""
    scenes = [path.stem for path in (TITLE.folder / "scenes").glob("*.toml")]
    tests = [name for name in globals() if name.startswith("test_")]
    wanted = [
        *(f"R{n}" for n in range(1, 60)),
        *(f"C{n}" for n in range(1, 8)),
        *(f"V{n}" for n in range(1, 6)),
    ]
    for rule in wanted:
        held = any(name.startswith(f"{rule}-") or f"-{rule}-" in name for name in scenes)
        assert held or any(name.startswith(f"test_{rule.lower()}_") for name in tests), rule


def test_the_rondel_lies_opposite() -> None:
    """Each use lies opposite its resource, and DUELLUM opposite DUELLUM."""
    pairs = ((at.MARMOR, at.TEMPLUM_SPACE), (at.FERRUM, at.MILITIA_SPACE), (at.AURUM, at.SCIENTIA_SPACE))
    for one, other in (*pairs, (at.DUELLUM_SPACE, at.DUELLUM_II)):
        assert (other - one) % 8 == 4


def test_supplies_and_prices_are_those_of_the_texts() -> None:
    box = title().box_for(2)
    assert box.pieces == [12, 12]
    assert box.tokens == [0, 12, 12, 10]
    assert (box.temples, box.coins, box.goal, box.display) == (12, 30, 9, 3)
    assert box.stack == [6, 4, 5, 4, 2]
    assert [mark for mark, wall in enumerate(box.wall_at) if wall] == [0, 1, 2, 3, 5, 7]
    assert box.know_first == [5, 6, 7, 8, 9]
    assert box.know_second == [2, 3, 3, 4, 4]
    assert title().box_for(2, know_how="navigatio_seven").know_first[at.NAVIGATIO] == 7
    assert title().box_for(2, coins=20).coins == 20


def test_legal_lists_are_short() -> None:
    """Median below 30, 99th percentile below 150, along games of the bot that plays for gain."""
    from ludus.bots import Chair, make_bot

    miles, lengths = make_bot("miles", title()), []
    for seed in range(count(10)):
        game = title().new(seed=seed, form="auto")
        while not game.over and len(game.line) < 900:
            lengths.append(len(game.legal()))
            game.play(miles.choose(Chair(game, game.to_move, seed=seed)).code)
    lengths.sort()
    assert median(lengths) < 30
    assert lengths[int(len(lengths) * 0.99)] < 150


# -- boards -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BOARDS)
def test_shipped_boards_are_playable(name: str) -> None:
    data = duellum_data.shipped_data(name)
    assert duellum_data.problems(data) == []
    borders = data.borders()
    assert all(borders[b, a] == way for (a, b), way in borders.items())
    assert {b["status"] for b in data.board["borders"]} == {"printed", "reconstructed"}


def test_boards_have_the_printed_facts() -> None:
    a = duellum_data.shipped_data("rome_carthage").borders()
    for city in ("roma", "ancona", "croton", "syracusae"):
        assert ("neapolis", city) in a
    assert {way for (one, _), way in a.items() if one == "zama"} == {"land"}
    assert a["roma", "corsica"] == "sea"
    b = duellum_data.shipped_data("greece_persia").borders()
    assert b["mare_aegaeum", "lemnos"] == b["lemnos", "ainos"] == b["lesbos", "ainos"] == "sea"
    assert ("mare_aegaeum", "ainos") not in b
    casus = duellum_data.shipped_data("casus_belli")
    assert "alpes" not in casus.regions
    assert casus.borders()["massilia", "genua"] == "both"
    assert all(r["city"] or r.get("galley_symbol") for r in casus.board["regions"])


@pytest.mark.parametrize("name", BOARDS)
def test_four_galleys_but_not_three_make_seven_points(name: str) -> None:
    options = {"edition": "casus_belli"} if name == "casus_belli" else {"board": name}
    box = title().box_for(2, **options)
    best = sorted(box.nav, reverse=True)
    assert sum(best[:4]) >= 7 > sum(best[:3])
    assert sum(best[:12]) >= 14
    game = title().new(seed=1, **options)
    assert navigation(game.position, box, 0) == 0


def test_free_sites_within_one_step() -> None:
    """The figures of docs/duellum-report.md: four for Rome, six for Carthage."""
    data = duellum_data.shipped_data("rome_carthage")
    starts = {r["id"]: r["start"]["side"] for r in data.board["regions"] if "start" in r}
    sites = {r["id"] for r in data.board["regions"] if r["city"]} - set(starts)
    near = {
        side: {b for a, b in data.borders() if starts.get(a) == side and b in sites} for side in data.sides
    }
    assert {side: len(found) for side, found in near.items()} == {"rome": 4, "carthage": 6}


# -- cards and words ----------------------------------------------------------------------------------------


def test_four_cards_are_printed_and_the_others_are_called_house_cards() -> None:
    cards = duellum_data.shipped("events")["card"]
    assert [c["id"] for c in cards if c["status"] == "printed"] == [
        "academy",
        "burglary",
        "earthquake",
        "fortress",
    ]
    assert sum(c["copies"] for c in cards) == 25
    for card in cards:
        for lang in LANGUAGES:
            marked = duellum_own.HOUSE[lang] in card["name"][lang]
            assert marked == (card["status"] == "house"), card["id"]


def typed(text: str) -> str:
    """As somebody types it: with the signs of a keyboard."""
    return text.replace("\u00a0", " ").replace("’", "'")


# Said better since.  The data stay as they are: they are part of every stored match, by their hash.
REWORDED = {
    ("academy", "it"), ("library", "it"), ("desertion", "it"), ("storm", "it"),
    ("burglary", "en"), ("intrigue", "en"),
    ("caravan", "fr"), ("forced_march", "fr"), ("fair_winds", "fr"),
}  # fmt: skip


def test_names_of_cards_are_those_of_the_data_and_every_region_has_one() -> None:
    words = title().words
    for card in duellum_data.shipped("events")["card"]:
        for lang in LANGUAGES:
            said = words.name(lang, "card", card["id"]), words.say(lang, f"effect.{card['id']}")
            in_data = typed(card["name"][lang]), typed(card["text"][lang])
            same = tuple(typed(text) for text in said) == in_data
            assert same != ((card["id"], lang) in REWORDED), (card["id"], lang)
            assert typed(said[0]) == in_data[0]
    for board in BOARDS:
        for region in duellum_data.shipped(board)["board"]["regions"]:
            for lang in (*LANGUAGES, "en-la"):
                assert words.name(lang, "region", region["id"]) != region["id"], (lang, region["id"])


def test_every_option_value_has_a_name() -> None:
    for option in title().options:
        for value in option.values:
            assert title().words.has(f"option.{option.name}.value.{value}"), (option.name, value)


def test_every_phase_has_a_prompt_and_every_invariant_words() -> None:
    goods = [f"pay_{good}" for good in at.GOODS[:3]]  # a payment says what for
    for prompt in [phase for phase in at.PHASES if phase != "pay"] + goods:
        assert title().words.has(f"prompt.{prompt}")
    assert all(title().words.has(f"invariant.{n}") for n in range(1, 15))


def test_codes_are_few() -> None:
    assert CODES.size < 1700
    assert POSITION.bytes < 4096
