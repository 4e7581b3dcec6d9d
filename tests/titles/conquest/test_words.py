"""What Conquest says, as a native would: people by name, galleys by their place, one of a kind as one."""

from __future__ import annotations

import re
from pathlib import Path

from ludus.core.chance import SPECTATOR
from ludus.core.scene import read_scene, set_up
from ludus.core.telling import say_choice, tell
from ludus.core.words import LANGUAGES
from ludus.titles import title as title_of
from ludus.titles.conquest import TITLE
from ludus.titles.conquest.peace import hostile, keep_word, would_agree

SCENES = Path(__file__).parents[2] / "browser/titles/conquest/scenes"
NAMES = ("Anna", "Bruno", "Carla", "Dario", "Elena", "Franz")
ODD = re.compile(
    r"[{}_×]|\b(galley|galère|galea|Galeere) \d|coast 0|\b1 (generals|généraux|generali|Generäle)\b"
)


def choices(scene: str, lang: str, *actions: str) -> dict[str, str]:
    """What the seat to move is offered in a scene, by the text of the action."""
    game = set_up(read_scene(SCENES / f"{scene}.toml", title_of))
    game.play(*actions)
    sight = game.sight(game.to_move)
    return {a.text: say_choice(game, lang, a.code, sight, NAMES) for a in game.legal()}


def test_opponents_are_called_by_their_names() -> None:
    assert choices("ransom", "en", "end_purchase")["ransom 1"] == "offer Bruno a ransom"
    assert choices("sea", "de", "end_move")["attack mare_libycum 1"] == "Bruno im Libyschen Meer angreifen"


def test_one_foot_soldier_is_declined_and_a_captive_redeemed_from_whoever_holds_him() -> None:
    assert choices("purchase", "de")["recruit infantry macedonia 1"] == "1 Mann Fußvolk in Makedonien kaufen"
    assert TITLE.words.say("de", "log.ransom").endswith("bei {other_seat} auslösen.")


def test_places_go_by_their_latin_names_where_somebody_wants_them() -> None:
    assert choices("sea", "de-la", "end_move")["attack mare_libycum 1"] == "Bruno in Mare Libycum angreifen"
    assert choices("purchase", "fr-la")["launch macedonia 0"].endswith("en Macedonia")
    assert choices("purchase", "it-la")["pave moesia-thracia"].endswith("Moesia – Thracia")


def attacks(scene: str) -> list[list[tuple[int, int]]]:
    """Who attacks whom by each action of the first step of a scene of the title."""
    read = read_scene(TITLE.folder / "scenes" / f"{scene}.toml", title_of)
    game, found = set_up(read), []
    game.auto = False
    for text in read.steps[0]["play"]:
        before = game.sight(SPECTATOR)
        game.play(text)
        found.append(hostile(before, game.sight(SPECTATOR)))
    return found


def test_who_throws_dice_or_takes_land_has_attacked() -> None:
    for scene in ("4.3-both-sides-roll", "6.1-conquest-is-immediate"):
        *earlier, last = attacks(scene)
        assert last == [(0, 1)] and not any(earlier), "a march can still be taken back"


def test_bots_answer_who_is_stronger_and_keep_their_word() -> None:
    game = set_up(read_scene(SCENES / "battle.toml", title_of))
    sight = game.sight(0)
    answers = [would_agree(sight, seat, 1 - seat, 2) for seat in range(2)]
    assert sorted(answers) == [(False, "last"), (True, "stronger")]
    assert would_agree(sight, 0, 1, 6) == (False, "long")
    game.play("lead syria general", "take infantry 4")
    attack = game.code_of("march palaestina")
    other = keep_word(game.sight(0), attack, game.legal_codes(), {1})
    assert game.action(other).text.startswith("march ") and other != attack
    assert keep_word(game.sight(0), attack, game.legal_codes(), set()) == attack, "it has given no word"


def test_terms_are_named_in_talents() -> None:
    terms = choices("ransom", "en", "end_purchase", "ransom 1")
    assert terms["amount 3"] == "15 talents"


def test_galleys_are_called_by_their_place_and_cargo() -> None:
    offered = choices("sea", "en")
    assert offered["sail 0"] == "sail the galley in the Libyan Sea with 1 general, 3 infantry, 1 cavalry"
    assert offered["sail 1"] == "sail the galley in the Libyan Sea"
    assert choices("purchase", "en")["launch macedonia 0"] == "build a galley in Macedonia"


def test_roads_are_called_by_their_ends() -> None:
    assert choices("purchase", "fr")["pave moesia-thracia"] == "construire une route : Mésie – Thrace"


def test_nothing_is_said_in_code() -> None:
    """All choices and the whole story of a long game: no field left open, no number of a galley."""
    game = TITLE.new(seed=5, seats=4, homes="seated", start_talents=100, max_rounds=5, broken_coasts="on")
    said: dict[str, set[str]] = {lang: set() for lang in LANGUAGES}
    while not game.over and len(game.line) < 500:
        legal, sight = game.legal(), game.sight(game.to_move)
        for lang, texts in said.items():
            texts |= {say_choice(game, lang, a.code, sight, NAMES) for a in legal}
        game.play(legal[(7 * len(game.line)) % len(legal)])
    for lang, texts in said.items():
        texts |= set(tell(game, 0, lang, NAMES))
        edges, chance = game.labels["edge"], TITLE.words.say(lang, "chance")
        wrong = [t for t in texts if ODD.search(t) or chance in t or any(edge in t for edge in edges)]
        assert not wrong, wrong[:10]


def test_what_is_offered_to_somebody_is_named_before_one_says_to_whom() -> None:
    """A button that leads on is else called after its action, cut where the name of the other stands."""
    words = TITLE.words
    for lang in LANGUAGES:
        for kind in ("ransom", "release", "gift", "exchange"):
            assert words.has(f"touch.{kind}") and "{" not in words.say(lang, f"touch.{kind}"), (lang, kind)
