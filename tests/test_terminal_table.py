"""The table without a terminal: random keys, keys of choices, the story, drawings of every title."""

from __future__ import annotations

import io
import random
import re
import string
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from rich.text import Text

import ludus
from conftest import all_titles, count
from ludus import titles as registry
from ludus.bots import default_bot
from ludus.bots.miles import Miles
from ludus.core.chance import SPECTATOR, Seeded
from ludus.core.game import Action
from ludus.core.title import Title
from ludus.core.touches import paths, trie
from ludus.core.words import LANGUAGES
from ludus.match.match import Match, read_setting
from ludus.terminal import drawings, generic
from ludus.terminal import keyboard as k
from ludus.terminal.app import App
from ludus.terminal.choices import COMMANDS, Keys, Menu, forced, leaves, menu_of
from ludus.terminal.keyboard import Interruption
from ludus.terminal.opponents import Opponents, Warming
from ludus.terminal.picture import picture, table_in_play
from ludus.terminal.saves import Save
from ludus.terminal.screen import Canvas, Parts, Screen, compose
from ludus.terminal.seating import PERSON, Seating
from ludus.terminal.speech import TABLE_WORDS, Speech
from ludus.terminal.table import TerminalTable
from ludus.terminal.why import Answers, rules_behind
from samples import LARGE, SMALL

TITLES = pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)
LONGEST = 300  # choices of a whole game; larger titles are left in their middle
ODD_KEYS = [
    k.ENTER, k.ESC, k.BACKSPACE, k.TAB, k.UP, k.DOWN, k.LEFT, k.RIGHT, k.PAGE_UP, k.PAGE_DOWN, k.HOME, k.END,
    k.OTHER, *"uls?h", *"0123456789", *"xyzé#~ <",
]  # fmt: skip


class Window(Screen):
    """A window of a size of its own that keeps what is painted."""

    def __init__(self, columns: int = 80, rows: int = 24) -> None:
        super().__init__(io.StringIO(), full=True)
        self.columns, self.rows = columns, rows
        self.painted: list[str] = []

    def size(self) -> tuple[int, int]:
        return self.columns, self.rows

    def _paint(self, lines: list[str]) -> None:
        self.painted = [Text.from_ansi(line).plain for line in lines]

    def _write(self, text: str) -> None:
        pass


class Script:
    """Keys that were thought of before."""

    by_line = False

    def __init__(self, keys: list[str]) -> None:
        self.keys, self.interruption = keys, Interruption()

    def read(self) -> str:
        return self.keys.pop(0) if self.keys else k.EOF

    def line(self) -> str | None:
        return None

    def discard(self) -> None:
        pass


def make_table(
    title: Title[Any, Any],
    tmp_path: Path,
    *keys: str,
    players: tuple[str, ...] = (),
    lang: str = "en",
    seed: int = 3,
    screen: Screen | None = None,
    auto: bool = False,
) -> TerminalTable:
    seats = title.seats[0]
    seating = Seating(players or (PERSON, *["tiro"] * (seats - 1)))
    names = [f"Name{p}" for p in range(len(seating.players))]
    setting = read_setting(title, len(seating.players), {}, names)
    match = Match(setting, Seeded(seed), seed=seed)
    speech = Speech(title, match.game.labels, lang, match.names)
    app = App(screen or Window(), Script(list(keys)))
    save = Save(tmp_path / "a.match")
    return TerminalTable(app, match, seating, speech, Opponents(title, seating, seed), save, {}, auto)


# -- random keys -----------------------------------------------------------------------------------


@TITLES
def test_random_keys_never_break_the_table(title: Title[Any, Any], tmp_path: Path) -> None:
    rng = random.Random(title.name)
    for number in range(count(30)):
        window = Window(rng.choice((20, 47, 80, 80, 120)), rng.choice((6, 13, 24, 24, 45)))
        lang = LANGUAGES[number % 4]
        table = make_table(title, tmp_path, lang=lang, seed=number, screen=window)
        for _ in range(60):
            while table.busy and not table.done:
                table.step()
            if table.done:
                break
            keys = [choice.key[0] for choice in table._menu.choices]
            key = rng.choice(keys) if keys and rng.random() < 0.7 else rng.choice(ODD_KEYS)
            table.app.keys.keys = [k.ESC, k.ESC]  # type: ignore[attr-defined]
            table.press(key)
            window.show(table.parts(*window.size()))
            assert len(window.painted) == window.rows
            assert max(cell_len(line) for line in window.painted) <= window.columns, window.painted


@TITLES
def test_a_whole_game_by_the_first_key_shown(title: Title[Any, Any], tmp_path: Path) -> None:
    table = make_table(title, tmp_path)
    for _ in range(min(title.length, LONGEST)):
        while table.busy:
            table.step()
        if table.done:
            break
        choice = table._menu.choices[len(table.match.entries) % len(table._menu.choices)]
        for key in choice.key:
            table.press(key)
        if table.typed:
            table.press(k.ENTER)
    assert table.match.over or title.length > LONGEST
    assert (tmp_path / "a.match").read_text(encoding="utf-8").rstrip().endswith("end")


# -- choices ---------------------------------------------------------------------------------------


@TITLES
def test_every_legal_action_can_be_reached_by_keys(title: Title[Any, Any]) -> None:
    rng, keys = random.Random(5), Keys()
    game = title.new(seed=5)
    speech = Speech(title, game.labels, "en", ["A", "B", "C", "D", "E", "F"])

    def say_touch(touch: str, actions: Sequence[Action]) -> str:
        return speech.element(touch)

    for _ in range(count(600)):
        if game.over:
            game = title.new(seed=rng.randrange(1000))
        root, sight = trie(paths(game)), game.sight(game.to_move)
        pending, reached = [root], set()
        while pending:
            node = pending.pop()
            menu = menu_of(node, speech, lambda a, s=sight: speech.action(a, s), say_touch, keys)  # type: ignore[misc]
            found = [choice.key for choice in menu.choices]
            assert len(set(found)) == len(found), "two choices share a key"
            assert not set(found) & set(COMMANDS), "a choice hides a command"
            letters = [key for key in found if not key.isdigit()]
            assert not any(a != b and b.startswith(a) for a in letters for b in letters)
            for choice in menu.choices:
                assert choice.label
                below = node.next[choice.value]
                if below.action is not None:
                    reached.add(below.action.code)
                else:
                    pending.append(below)
        assert reached == {action.code for action in game.legal()}
        game.play(rng.choice(game.legal()))


def test_keys_are_mnemonic_and_stay() -> None:
    keys = Keys()
    cards = [
        ("card:forum", ["Forum"]),
        ("card:legat", ["Legat"]),
        ("die:4", ["die 4"]),
        ("card:fama", ["Fama"]),
    ]
    assert keys.give(cards) == ["f", "e", "4", "a"]
    assert keys.give(cards[3:]) == ["a"]  # it keeps what it was given first
    assert keys.give([("button:end", ["end"]), *cards]) == ["n", "f", "e", "4", "a"]


def test_many_choices_get_two_letters() -> None:
    given = Keys().give([(f"region:{a}{b}", [a + b]) for a in string.ascii_lowercase for b in "abc"])
    assert len(set(given)) == 78 and {len(key) for key in given} == {2}


def test_only_inner_touches_are_skipped() -> None:
    game = ludus.title(SMALL).new(seed=1)
    assert forced(trie(paths(game))) == ["button:stake"]
    one = trie(dict(list(paths(game).items())[:1]))
    assert forced(one) == ["button:stake"] and len(leaves(one)) == 1  # the amount itself stays a choice


def test_what_is_the_only_action_is_played_by_itself_only_with_auto(tmp_path: Path) -> None:
    title = ludus.title(LARGE)
    for auto in (False, True):
        table = make_table(title, tmp_path, auto=auto, seed=3)
        for _ in range(8):  # the set-up: its last choices are no choices
            while table.busy:
                table.step()
            table.press(table._menu.choices[0].key)
            if table.path:
                table.press(table._menu.choices[0].key)
        own = sum(entry.who == 0 for entry in table.match.entries)
        assert (own >= 6) and not table.done


def test_amounts_are_one_line() -> None:
    game = ludus.title(SMALL).new(seed=1)
    speech = Speech(game.title, game.labels, "en", ["A", "B"])
    node = trie(paths(game)).next["button:stake"]
    menu = menu_of(node, speech, str, lambda touch, actions: touch, Keys())
    assert (menu.span(), menu.default and menu.default.key) == ("1-5", "1")
    assert Menu(menu.choices[::2]).span() == "1, 3, 5"


# -- undo ------------------------------------------------------------------------------------------


def test_undo_ends_where_something_is_revealed(tmp_path: Path) -> None:
    table = make_table(ludus.title(SMALL), tmp_path)
    for key in ("3", "2", "u"):
        table.press(key)
    assert [e.text for e in table.match.entries] == ["stake 3", "show 2", "undo 0 1"]
    table.press("u")
    assert table.match.entries[-1].text == "undo 0 0"
    table.press("u")
    assert table.refused and table.message == TABLE_WORDS.say("en", "undo.nothing")
    for key in ("3", "2", "5"):
        table.press(key)
    while table.busy:
        table.step()
    before = len(table.match.entries)
    table.press("u")
    assert table.refused and len(table.match.entries) == before


def test_a_turn_ends_with_one_choice_and_is_taken_back_with_one(tmp_path: Path) -> None:
    """Titles whose turn has several stretches: a deed plays them all, and undo takes all of it back."""
    found = 0
    for title in all_titles():
        table = make_table(title, tmp_path)
        for _ in range(60):
            while table.busy:
                table.step()
            if table.done:
                break
            several = [deed for deed in table._deeds if len(deed.codes) > 1]
            ends = [deed for deed in several if deed.ends]
            assert len(ends) <= 1
            if several:
                before, deed = table.match.game.hash(), several[0]
                table._play(deed)
                if table.match.game.to_move == 0 and table.match.game.line[-1].seat == 0:
                    table.press("u")
                    assert table.refused or table.match.game.hash() == before, deed.said
                found += 1
            else:
                table.press(table._menu.choices[-1].key)
    assert found


def test_what_cannot_be_saved_is_said_and_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "matches").write_text("no folder", encoding="utf-8")
    table = make_table(ludus.title(SMALL), tmp_path)
    table.save = Save(tmp_path / "matches" / "a.match")
    table.press("3")
    assert "could not be saved" in table.message
    assert table.match.entries[-1].text == "stake 3"
    table.press("2")
    assert len(table.match.entries) == 2


# -- what is told ----------------------------------------------------------------------------------


def test_why_names_rules_and_reasons() -> None:
    game = ludus.title(SMALL).new(seed=1)
    assert rules_behind(game) == ["M2"]
    answers = Answers(game, Speech(game.title, game.labels, "en", ["A", "B"]))
    assert "is allowed" in answers.answer("stake 2")
    assert "is allowed" in answers.answer(" STAKE 2 ")
    assert "neither" in answers.answer("unheard of") and "neither" in answers.answer("")
    assert "(Rule M2)" in answers.answer("stake 9") and "(Rule M2)" in answers.answer("call 4")
    assert answers.answer("m4").startswith("M4: Only a sum")
    assert "stake 1-9" in answers.answer("stake") and "stake 1-9" in answers.answer("stake x")


# -- drawings --------------------------------------------------------------------------------------


@TITLES
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_position_can_be_drawn_in_eighty_columns(title: Title[Any, Any], lang: str) -> None:
    rng = random.Random(7)
    canvas = Canvas(styled=False)
    game = title.new(seed=7, seats=title.seats[-1])
    speech = Speech(title, game.labels, lang, [f"Name{p}" for p in range(game.seats)])
    for _ in range(count(100)):
        if game.over:
            break
        for draw in (generic.draw, drawings.drawing_of(title.name).draw):
            for eye in (*range(game.seats), SPECTATOR):
                drawn = draw(drawings.look_at(game, eye, speech), 80, rng.choice((None, 8, 14, 30)))
                lines = [line for part in drawn for line in canvas.lines(part, 80)]
                assert lines and max(map(cell_len, lines)) <= 80
        game.play(rng.choice(game.legal()))


@TITLES
def test_a_drawing_shows_nothing_that_its_seat_cannot_know(title: Title[Any, Any]) -> None:
    """The same drawing, whatever everything hidden is replaced by."""
    rng = random.Random(3)
    canvas = Canvas(styled=False)
    game = title.new(seed=3)
    speech = Speech(title, game.labels, "en", [f"N{p}" for p in range(game.seats)])
    for _ in range(count(300)):
        if game.over:
            break
        for eye in range(game.seats):
            other = game.copy()
            other.form.redeal(other.s, eye, [rng.getrandbits(32) for _ in range(4)])
            seen = []
            for one in (game, other):
                drawn = drawings.drawing_of(title.name).draw(drawings.look_at(one, eye, speech), 80, None)
                seen.append([line for part in drawn for line in canvas.lines(part, 80)])
            assert seen[0] == seen[1]
        game.play(rng.choice(game.legal()))


def test_a_picture_of_the_table() -> None:
    svg = picture(table_in_play(LARGE, "en", actions=30))
    assert svg.startswith("<svg") and "Livia" in svg
    assert "http" not in svg.replace("http://www.w3.org", "")  # nothing to fetch


def test_parts_fill_the_window_exactly() -> None:
    parts = Parts(
        head=["head"],
        board=lambda rows: [f"board {n}" for n in range(30)],
        story=lambda rows: [f"story {n}" for n in range(rows or 9)],
        ask=["ask"],
        foot=["foot"],
        more=lambda above, below: f"{above} above, {below} below",
    )
    for height in range(60):
        lines = compose(parts, 80, height)
        assert len(lines) == height
        if height > 3:
            assert lines[-2:] == ["ask", "foot"]
    assert "0 above" in "\n".join(compose(parts, 80, 20))
    parts.scroll = 100
    assert ", 0 below" in "\n".join(compose(parts, 80, 20))


# -- words -----------------------------------------------------------------------------------------


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_the_words_of_the_table_are_complete_in_four_languages() -> None:
    wanted = TABLE_WORDS.keys("en")
    for lang in LANGUAGES:
        assert TABLE_WORDS.keys(lang) == wanted, sorted(TABLE_WORDS.keys(lang) ^ wanted)
    for key in wanted:
        texts = {lang: TABLE_WORDS.say(lang, key) for lang in LANGUAGES}
        assert len({frozenset(fields(text)) for text in texts.values()}) == 1, key
        for one, other in combinations(LANGUAGES, 2):
            if texts[one] == texts[other]:
                words = re.findall(r"[^\W\d_]+", re.sub(r"{.*?}", "", texts[one]))
                assert len(words) <= 3, f"{one}={other} {key}"


def labels_of(name: str) -> set[str]:
    """What a drawing may ask for by the name of a thing: the sign of a unit."""
    title = registry.title(name)
    return {item for items in title.labels(title.box_for()).values() for item in items}


def test_every_sentence_that_is_asked_for_exists_and_every_one_is_asked_for() -> None:
    folder = Path(drawings.__file__).parent
    source = "\n".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py")).replace("'", '"')
    asked = set(re.findall(r'(?:ui|ui_words|say|word)\(\s*(?:lang, |wish.lang, )?"([a-z_.]+)"', source))
    known = TABLE_WORDS.keys("en")
    for key in known:
        group = key.split(".")[0]
        last = key.split(".")[-1]
        if group in ("touch", "field", "foot", "help", "bot", "damaged"):
            continue  # asked for by names that are put together
        if group == "cover" and last.split("_")[-1] in ("space", "enter"):
            continue
        assert f'"{key}"' in source, f"{key} is never said"
    own = {key for key in asked if "." in key and key.split(".")[0] in {k.split(".")[0] for k in known}}
    assert not own - known, own - known


@pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)
def test_every_word_of_a_drawing_is_said_and_every_one_that_is_said_exists(title: Title[Any, Any]) -> None:
    path = title.folder / "terminal.py"
    source = path.read_text(encoding="utf-8").replace("'", '"') if path.exists() else ""
    asked = set(re.findall(r'\bword\(\s*"([a-z_.]+)"', source))
    known = {key.partition(".")[2] for key in title.words.keys("en") if key.startswith("terminal.")}
    assert not asked - known, asked - known
    unsaid = {key for key in known if f'"{key}"' not in source} - labels_of(title.name)
    assert not unsaid, unsaid


# -- bots ------------------------------------------------------------------------------------------


def test_bots_play_the_same_in_both_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LUDUS_PLAIN", raising=False)
    title = ludus.title(SMALL)
    game = title.new(seed=1, seats=3)
    game.play("stake 1", "show 2", "guess 5")
    bots = Opponents(title, Seating((PERSON, "miles", "miles")), seed=5, budget=60)
    plain = bots.choose(game, 1)
    assert bots.player(1)[1] == "plain"
    bots._warming["miles"]._run()  # what the thread does
    if bots._warming["miles"].ready:  # Numba is there
        assert bots.player(1)[1] == "compiled" and game.form.name == "plain"
        assert bots.choose(game, 1) == plain


def test_recruits_need_no_compiled_code() -> None:
    title = ludus.title(SMALL)
    assert not Opponents(title, Seating((PERSON, "tiro")), 1)._warming
    assert default_bot(title) == "tiro"
    stopped = Warming(Miles(title))
    stopped.stop()
    stopped._run()
    assert not stopped.ready
