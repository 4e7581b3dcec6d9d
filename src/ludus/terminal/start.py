"""From a wish to a game: asks what is open, seats everybody, promises the dice, plays, proves.

`Wish` is what the command line gives.  Everything that can be wrong with it is said in one sentence
before anything is drawn.
"""

from __future__ import annotations

import contextlib
import io
import secrets
import shlex
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TextIO

from rich.console import RenderableType
from rich.text import Text

from ludus import titles as registry
from ludus.bots import levels_for
from ludus.core.chance import Seeded
from ludus.core.errors import LudusError, OptionError
from ludus.core.option import Value
from ludus.core.title import Title
from ludus.match import fairness
from ludus.match.match import Match, Setting, read_setting

from . import pages
from .app import App, Leave
from .choices import Choice, Menu
from .ending import AGAIN, Ending
from .keyboard import LineKeys, RawKeys, has_raw_keys
from .opponents import Opponents
from .saves import Damaged, InUse, Save, Unfinished, claimed, last_unfinished, load, new_path
from .screen import Screen, printed, wants_window
from .seating import Seating, find_level, name_of_bot, name_players, read_comment, seat_people
from .speech import Speech, about_bot, ui_words
from .table import TerminalTable
from .views import OPTIONS, Question, Welcome, numbered


@dataclass(frozen=True)
class Wish:
    """What somebody asked for on the command line."""

    title: str | None = None
    seats: int | None = None
    seat: int | None = None
    bots: tuple[str, ...] = ()
    level: str = ""  # instead of bots: one for all
    hot_seat: bool = False
    options: Mapping[str, Value] = field(default_factory=dict)
    data: str = ""  # the text of own data
    names: tuple[str, ...] = ()
    lang: str = "en"
    seed: int | None = None
    resume: Path | None = None
    new: bool = False
    auto: bool = False
    plain: bool = False

    def at(self, title: Title[Any, Any]) -> Wish:
        """The same once the title is known: the level is a bot of it."""
        if not self.level:
            return replace(self, title=title.name)
        if self.bots:
            raise CannotGoOn(self.ui("sit.level_and_bots"))
        return replace(self, title=title.name, bots=(find_level(self.level, title, self.lang),), level="")

    def ui(self, key: str, /, **fields: Any) -> str:
        return ui_words(self.lang, key, **fields)


@dataclass
class MatchPlan:
    """A match that is about to begin, or to go on."""

    setting: Setting
    seating: Seating
    speech: Speech
    path: Path
    match: Match | None = None  # one that goes on
    match_id: str = ""
    key: bytes = b""
    comments: dict[int, list[str]] = field(default_factory=dict)
    data: str = ""  # own data as they were given, before options filled in the rest


class CannotGoOn(LudusError):
    """A file that no game can go on with, or an option that cannot be read."""

    def __init__(self, sentence: str) -> None:
        super().__init__(printed(sentence))


def play(wish: Wish, stdin: TextIO, stdout: TextIO) -> int:
    """The whole of `ludus play`; the exit status."""
    raw = has_raw_keys(stdin)
    screen = Screen(stdout, wants_window(raw, stdout, wish.plain))
    if wish.title is not None:
        wish = wish.at(registry.title(wish.title))
    if wish.resume is not None and wish.data:
        raise CannotGoOn(wish.ui("resume.own_data"))
    resumed = _resume(wish, wish.resume) if wish.resume is not None else None
    if resumed is None and wish.title is not None:
        _plan(wish, registry.title(wish.title))  # said at once, before anything is drawn
    keys = RawKeys(stdin, screen.leave, screen.enter) if screen.full else LineKeys(stdin)
    app = App(screen, keys)
    farewell: list[str] = []
    with contextlib.suppress(Leave), _window(screen), keys:
        _session(app, wish, resumed, raw, farewell)
    with contextlib.suppress(BrokenPipeError if app.lines else OSError):
        screen.say(*([""] if app.lines else []), *farewell)
    return 0


@contextlib.contextmanager
def _window(screen: Screen) -> Iterator[None]:
    """The window, while it is there; what others say meanwhile is kept until it is gone."""
    if not screen.full:
        yield
        return
    said = io.StringIO()
    screen.enter()
    try:
        with contextlib.redirect_stderr(said):
            yield
    finally:
        screen.leave()
        sys.stderr.write(said.getvalue())


def _session(app: App, wish: Wish, plan: MatchPlan | None, person: bool, farewell: list[str]) -> None:
    """Games one after the other, until somebody has had enough."""
    notes: list[str] = []
    if plan is None and person and not wish.new and not wish.data:
        plan = _offer(app, wish, notes)
    if plan is None:
        wish = wish if wish.title else _ask(app, wish)
        plan = _plan(wish, registry.title(wish.title or ""))
    while True:
        again = _play_one(app, wish, plan, notes, farewell)
        if again is None:
            return
        plan, notes = again, []


def _play_one(
    app: App, wish: Wish, plan: MatchPlan, notes: list[str], farewell: list[str]
) -> MatchPlan | None:
    """One match; the plan of the next where another game is wanted."""
    ui = wish.ui
    with claimed(Save(plan.path)) as save:
        fresh = plan.match is None
        match = plan.match or _begin(app, wish, plan, notes)
        comments = {**plan.comments, 0: [plan.seating.comment(), *plan.comments.get(0, [])]}
        seed = secrets.randbits(62) if match.seed is None else match.seed
        opponents = Opponents(plan.setting.title, plan.seating, seed, options=plan.setting.options)
        table = TerminalTable(app, match, plan.seating, plan.speech, opponents, save, comments, wish.auto)
        if not fresh:
            table.message = ui("resume.welcome", path=plan.path)
        opponents.start()
        farewell[:] = _how_to_go_on(wish, save)
        try:
            table.write()
            app.run(table)
            ending = Ending(table)
            farewell[:] = [] if app.lines else [ending.sentence, *ending.proof]
            if app.run(ending) == AGAIN:
                return _next_plan(wish, plan)
        finally:
            opponents.stop()
            if save.problem:
                told = [] if not match.over else farewell
                farewell[:] = [*told, ui("save.failed", path=save.path, reason=save.problem)]
    return None


def _how_to_go_on(wish: Wish, save: Save) -> list[str]:
    return [wish.ui("save.at", path=save.path), wish.ui("resume.how", path=shlex.quote(str(save.path)))]


# -- beginning --------------------------------------------------------------------------------------------


def _plan(wish: Wish, title: Title[Any, Any], seating: Seating | None = None) -> MatchPlan:
    """A new match of a title as wished; LudusError says what does not fit."""
    seats, values = title.read_setting(wish.seats, wish.options)
    seating = seating or seat_people(title, seats, wish.seat, wish.bots, wish.hot_seat, wish.lang)
    names = name_players(seating, wish.names, wish.lang)
    setting = read_setting(title, seats, values, names, data=wish.data)
    match_id = secrets.token_hex(16)
    path, key = new_path(title.name, match_id), fairness.new_key()
    speech = _speech(setting, wish.lang, setting.names)
    return MatchPlan(setting, seating, speech, path, None, match_id, key, data=wish.data)


def _speech(setting: Setting, lang: str, names: Sequence[str]) -> Speech:
    title, box = setting.title, setting.box()
    return Speech(title, title.labels(box), lang, names, title.words_for(box))


def _next_plan(wish: Wish, plan: MatchPlan) -> MatchPlan:
    """Another game with everybody one seat further."""
    options = dict(plan.setting.options)
    seed = None if wish.seed is None else wish.seed + 1
    again = replace(wish, seats=plan.setting.seats, options=options, data=plan.data, seed=seed)
    return _plan(again, plan.setting.title, plan.seating.turned())


def _begin(app: App, wish: Wish, plan: MatchPlan, notes: Sequence[str]) -> Match:
    """Show the promise, and only then let every seat give its nonce."""
    if wish.seed is None:
        promise = pages.Promise(fairness.commitment(plan.match_id, plan.key))
    else:
        promise = pages.Promise(seed=wish.seed)
    while True:
        text = pages.welcome_text(plan.speech, plan.seating, promise, plan.path, plan.setting, notes)
        if app.run(Welcome(app.screen.canvas, plan.speech.ui, text)) != OPTIONS:
            break
        _change_options(app, plan)
    setting = plan.setting
    if wish.seed is not None:
        return Match(setting, Seeded(wish.seed), seed=wish.seed)
    nonces = [fairness.new_nonce() for _ in range(setting.seats)]
    return Match.fair(setting, plan.match_id, plan.key, nonces)


def _change_options(app: App, plan: MatchPlan) -> None:
    """Each number turns one option to its next value, until Enter."""
    title, speech = plan.setting.title, plan.speech
    heading = [
        Text(plan.setting.called(speech.lang), style="title"),
        Text(),
        Text(speech.ui("ask.options"), style="prompt"),
    ]
    message = ""
    while True:
        values = dict(plan.setting.options)
        answers: list[tuple[str, str, object]] = [
            (pages.option_pair(o, values[o.name], speech), speech.say(f"option.{o.name}.help"), o)
            for o in title.options
        ]
        menu = Menu(numbered(answers).choices if answers else (), Choice("", "", None))
        view = Question(app.screen.canvas, speech.ui, heading, menu)
        view.foot, view.message = "foot.options", message
        option = app.run(view)
        if option is None:
            return
        place = option.values.index(values[option.name])
        values[option.name] = option.values[(place + 1) % len(option.values)]
        message = _take_options(plan, values)


def _take_options(plan: MatchPlan, values: Mapping[str, Value]) -> str:
    """Change the options of a plan; why they do not go together where they do not."""
    old = plan.setting
    try:
        setting = read_setting(old.title, old.seats, values, old.names, data=plan.data)
        plan.speech = _speech(setting, plan.speech.lang, setting.names)
    except OptionError as error:
        return plan.speech.rule(error.rule) or str(error)
    plan.setting = setting
    return ""


# -- going on ---------------------------------------------------------------------------------------------


def _resume(wish: Wish, path: Path) -> MatchPlan:
    """The match of a file; CannotGoOn says why it is none to go on with."""
    try:
        file = load(path)
    except Damaged as error:
        raise CannotGoOn(wish.ui("resume.damaged", path=path, reason=error.told(wish.lang))) from None
    if file.match is None:
        raise CannotGoOn(wish.ui("resume.one_seat", path=path))
    if file.match.over:
        raise CannotGoOn(wish.ui("resume.over", path=path))
    try:
        with claimed(Save(path)):
            pass
    except InUse:
        raise CannotGoOn(wish.ui("resume.in_use", path=path)) from None
    return _plan_of(wish, Unfinished(path, file))


def _plan_of(wish: Wish, found: Unfinished) -> MatchPlan:
    file, match = found.file, found.file.match
    assert match is not None
    title, seats = file.title, file.setting.seats
    comments = {number: list(texts) for number, texts in file.comments.items()}
    seating = read_comment(comments.get(0, []), title, seats)
    comments[0] = [text for text in comments.get(0, []) if seating is None or text != seating.comment()]
    if seating is None or wish.bots or wish.hot_seat or wish.seat is not None:
        seating = seat_people(title, seats, wish.seat, wish.bots, wish.hot_seat, wish.lang)
    speech = _speech(file.setting, wish.lang, match.names)
    return MatchPlan(
        file.setting, seating, speech, found.path, match, comments=comments, data=file.setting.data
    )


def _offer(app: App, wish: Wish, notes: list[str]) -> MatchPlan | None:
    """The last game that is not over, if somebody wants to go on with it."""
    found, damaged = last_unfinished(wish.title or "")
    notes += [wish.ui("resume.damaged", path=one.path, reason=one.told(wish.lang)) for one in damaged]
    if found is None:
        return None
    plan = _plan_of(wish, found)
    when = time.strftime("%d.%m.%Y %H:%M", time.localtime(found.path.stat().st_mtime))
    name, players = plan.setting.called(wish.lang), " · ".join(plan.setting.names)
    heading: list[RenderableType] = [Text(note, style="message") for note in notes]
    heading += [Text(wish.ui("resume.offer", title=name, players=players, when=when), style="prompt")]
    menu = numbered([(wish.ui("resume.yes"), "", True), (wish.ui("resume.no"), "", False)])
    if app.run(Question(app.screen.canvas, wish.ui, heading, menu)):
        return plan
    return None


# -- asking -----------------------------------------------------------------------------------------------


def _ask(app: App, wish: Wish) -> Wish:
    """What is to be played, and by whom; from every question one can go back to the one before."""
    while True:
        title, options = _ask_title(app, wish)
        asked = replace(wish.at(title), options={**options, **wish.options})
        chosen = _ask_players(app, asked, title)
        if chosen is not None:
            return chosen


def _ask_title(app: App, wish: Wish) -> tuple[Title[Any, Any], dict[str, Value]]:
    """A title, or a game of its own that an option makes of it, with that option."""
    answers: list[tuple[str, str, object]] = []
    for title in registry.sound_titles(wish.lang):
        words = title.words
        answers.append((words.say(wish.lang, "name"), words.say(wish.lang, "blurb"), (title.name, {})))
        for options, blurb in title.games(wish.lang):
            answers.append((title.called(wish.lang, options), blurb, (title.name, options)))
    heading = [Text("Ludus", style="title"), Text(), Text(wish.ui("ask.title"), style="prompt")]
    name, options = app.run(Question(app.screen.canvas, wish.ui, heading, numbered(answers)))
    return registry.title(name), options


def _ask_players(app: App, wish: Wish, title: Title[Any, Any]) -> Wish | None:
    """How many play, and against whom; what the command line said is not asked.  None: back."""
    while True:
        asked = wish.seats is None and len(title.seats) > 1
        seats = _ask_seats(app, wish, title) if asked else wish.seats or title.seats[0]
        if seats is None:
            return None
        if wish.bots or wish.hot_seat:
            return replace(wish, seats=seats)
        chosen = _ask_opponents(app, wish, title)
        if chosen is not None:
            return replace(wish, seats=seats, bots=(chosen,) if chosen else (), hot_seat=not chosen)
        if not asked:
            return None


def _ask_seats(app: App, wish: Wish, title: Title[Any, Any]) -> int | None:
    choices = tuple(Choice(str(n), wish.ui("ask.seats_n", seats=n), n) for n in title.seats)
    chosen: int | None = _ask_about(app, wish, title, "ask.seats", Menu(choices, choices[0]))
    return chosen


def _ask_opponents(app: App, wish: Wish, title: Title[Any, Any]) -> str | None:
    """The bot to play against, "" for several persons on one screen, None to go back."""
    answers: list[tuple[str, str, object]] = [
        (name_of_bot(bot, wish.lang), about_bot(wish.lang, bot), bot) for bot in levels_for(title)
    ]
    answers.append((wish.ui("ask.hot_seat"), wish.ui("ask.covered") if title.hides_something else "", ""))
    chosen: str | None = _ask_about(app, wish, title, "ask.opponents", numbered(answers))
    return chosen


def _ask_about(app: App, wish: Wish, title: Title[Any, Any], key: str, menu: Menu) -> Any:
    name = title.called(wish.lang, wish.options)
    heading = [Text(name, style="title"), Text(), Text(wish.ui(key), style="prompt")]
    return app.run(Question(app.screen.canvas, wish.ui, heading, menu, back=True))


def read_options(given: Sequence[str], lang: str) -> dict[str, Value]:
    """`name=value` pairs of the command line."""
    values: dict[str, Value] = {}
    for pair in given:
        name, equals, value = pair.partition("=")
        if not equals or not name.strip():
            raise CannotGoOn(ui_words(lang, "option.form", given=pair))
        values[name.strip()] = value.strip()
    return values
