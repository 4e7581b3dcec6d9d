"""Planning in Conquest: reach, dangers and the odds of a battle that is being fought."""

from __future__ import annotations

from typing import Any

import pytest

from ludus.core.game import Game
from ludus.core.naming import assign
from ludus.titles import title
from ludus.titles.conquest import layout as at
from ludus.titles.conquest.advice import advise
from ludus.titles.conquest.odds import Army, battle_odds

CONQUEST = title("conquest")


def game_of(**position: Any) -> Game[Any, Any]:
    """Two seats in Aegyptus (0) and Hispania (1), and what is said besides."""
    game = CONQUEST.new(seats=2, homes="seated", acclamation="off", chance="manual")
    s, labels = game.position, game.labels
    for path, value in position.items():
        assign(CONQUEST.position, s, path.replace("__", "."), value, labels)
    CONQUEST.settle(s, game.box, frozenset())
    game.s = game.form.unpack(CONQUEST.position.pack(s))
    return game


def test_every_step_of_a_reach_is_legal() -> None:
    game = CONQUEST.new(seed=5, seats=4)
    s = game.position
    home = game.labels["area"][s.emperor[s.active]]
    found = advise(game.sight(s.active), f"leader:general@{home}")
    assert found is not None and found["along"] == ["take_all"]
    assert home not in found["reach"]
    for area, way in found["reach"].items():
        twin = game.copy()
        twin.play(*way["steps"])
        assert twin.position.generals[s.active][game.labels["area"].index(area)] == 1
        # Infantry goes one step: beyond that it stays on the way, which is said.
        came = {
            p: n[0] for p, n in enumerate(twin.position.units[s.active]) if n[0] and p != s.emperor[s.active]
        }
        there = game.labels["area"].index(area)
        said = {
            game.labels["area"].index(name): units["infantry"] for name, units in way.get("left", {}).items()
        }
        assert said == {p: n for p, n in came.items() if p != there}
    assert any("left" in way for way in found["reach"].values())


def test_a_province_names_its_neighbours_and_what_could_come() -> None:
    game = game_of(units__1__palaestina={"infantry": 7}, generals__1__palaestina=1)
    found = advise(game.sight(0), "region:aegyptus")
    assert found is not None
    assert set(found["land"]) >= {"cyrenaica", "palaestina"} and not found["strait"]
    [danger] = found["dangers"]
    assert danger["seat"] == 1 and danger["units"] == {"infantry": 7}
    units = game.position.units[0][game.labels["area"].index("aegyptus")]
    wanted = battle_odds(Army(7, leaders=1), Army(units[0], units[1], units[2], 5), walls=True)
    assert danger["odds"]["attacker"] == round(100 * wanted.attacker, 1)
    assert advise(game.sight(0), "region:britannia") == {
        "land": [], "strait": ["belgica"],
        "sea": ["oceanus_britannicus"], "dangers": [],
    }  # fmt: skip


def test_the_odds_of_a_battle_follow_its_dice_and_losses() -> None:
    game = game_of(
        units__0__cyrenaica={"infantry": 4, "cavalry": 1}, generals__0__cyrenaica=1,
        units__1__africa={"infantry": 3, "cavalry": 1}, generals__1__africa=1,
    )  # fmt: skip
    assert advise(game.sight(0), "battle") is None
    game.play("lead cyrenaica general", "take_all", "march africa", "end_move", "battle africa")
    game.play(*["roll infantry"] * 2, *["roll blank"] * 3)
    now = advise(game.sight(0), "battle")
    assert now is not None and sum(now["odds"].values()) == pytest.approx(100, abs=0.2)
    twin = game.copy()
    twin.play("lose infantry 1")
    other = advise(twin.sight(0), "battle")
    assert other is not None, "the dice of the defender are not thrown yet"
    assert other["odds"]["attacker"] > now["odds"]["attacker"], "cavalry is worth more than infantry"
    twin.play("roll blank")
    falling = advise(twin.sight(0), "battle")
    assert falling is not None and falling["odds"] is None
    game.play("lose infantry 2", *["roll blank"] * 4)
    left = advise(game.sight(0), "battle")
    wanted = battle_odds(Army(4, 1, leaders=1), Army(1, 1, leaders=1))
    assert left is not None and left["odds"]["attacker"] == round(100 * wanted.attacker, 1)
    assert left["odds"]["attacker"] > now["odds"]["attacker"]
    assert game.position.phase == at.DECIDE and "numidia" in left["retreats"]


@pytest.mark.parametrize(
    "about", ["", "region:atlantis", "leader:general@roma", "ship:99", "ship:x", "moving"]
)
def test_what_is_not_there_has_no_advice(about: str) -> None:
    assert advise(CONQUEST.new(seed=1, seats=3).sight(0), about) is None
