"""The table: a match on the screen, played touch by touch.

Whose eyes look is `eye`: the one person of a match, or in turn each of several, with a cover between
them.  Everything shown is made from that seat's view, sight and story.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rich.text import Text

from ludus.bots import substitute
from ludus.core.chance import SPECTATOR
from ludus.core.errors import LudusError
from ludus.core.game import Action
from ludus.core.touches import Node, trie
from ludus.match.match import Match
from ludus.match.story import Story

from . import keyboard as k
from . import pages
from .app import App, Leave, Quiet
from .choices import AMOUNT, COMMANDS, Choice, Keys, Menu, forced, leaves, menu_of, node_at
from .deeds import Deed, deeds
from .drawings import drawing_of, look_at
from .opponents import Opponents
from .saves import Save
from .screen import GLUE, Parts
from .seating import Seating, name_of_bot
from .speech import LEFT_OPEN, Speech, kept_together
from .views import Cover, Pager, Question, menu_lines, numbered
from .why import Answers, Why


class TerminalTable(Quiet):
    """One match, from the first choice to the result.  Done when it is over."""

    def __init__(
        self,
        app: App,
        match: Match,
        seating: Seating,
        speech: Speech,
        opponents: Opponents,
        save: Save,
        comments: dict[int, list[str]],
        auto: bool = False,
    ) -> None:
        super().__init__()
        self.app, self.match, self.seating, self.speech = app, match, seating, speech
        self.opponents, self.save, self.comments, self.auto = opponents, save, comments, auto
        self.eye = SPECTATOR if seating.hot_seat else seating.persons[0]
        self.path: list[str] = []
        self.typed, self.message, self.cursor = "", "", None  # type: str, str, int | None
        self.scroll = self.page = 0
        self._taken_at_once = False
        self.keys = Keys()
        self._since = _last_actions(match)  # what came after this entry is news to a seat
        self._stories: dict[int, Story] = {}
        self._root = Node()
        self._played = (0, 0)  # the entries before and after the last deed
        self._warned = ""
        self._menu = Menu(())
        self._drawing = drawing_of(match.setting.title.name)
        self._drawn: tuple[Any, list[str]] = (None, [])
        self._renew()

    # -- the match ---------------------------------------------------------------------------------

    @property
    def game(self) -> Any:
        return self.match.game

    @property
    def has_atlas(self) -> bool:
        return self._drawing.atlas is not None

    @property
    def own_turn(self) -> bool:
        return not self.match.over and self.game.to_move == self.eye and self.seating.is_person(self.eye)

    @property
    def busy(self) -> bool:
        """A bot is to move, a cover must come first, or something is played by itself."""
        return not self.done and (not self.own_turn or self._plays_itself())

    def _plays_itself(self) -> bool:
        return self.auto and len(self._deeds) == 1 and not self.typed

    def step(self) -> None:
        mover = self.game.to_move
        if self.own_turn:
            self._play(self._deeds[0])
        elif self.seating.is_person(mover):
            self._hand_over(mover)
        else:
            self.match.play(mover, [self.opponents.choose(self.game, mover)])
            if self.match.over or self.seating.is_person(self.game.to_move):
                self.write()
            self._renew()
            self._tell_excuse()

    def _tell_excuse(self) -> None:
        """A bot has failed for the first time, and another one plays in its place."""
        excuse, self.opponents.excuse = self.opponents.excuse, None
        if excuse is not None:
            told = {"reason": excuse.reason, "other": excuse.other}
            self.message = self.speech.ui("stands_in", name=self.speech.seat(excuse.seat), **told)

    def _hand_over(self, seat: int) -> None:
        """Another person's turn: nothing of the last one's hand may stay on the screen."""
        if not self.game.title.hides_something:
            self.eye = seat
            self._renew()
            return
        canvas, name = self.app.screen.canvas, self.speech.seat(seat)
        public = self.told(SPECTATOR, self._since[seat])
        self.eye = SPECTATOR
        self.app.screen.clear()
        self.app.discard()
        self.app.run(Cover(canvas, self.speech.ui, name, public, self.app.lines))
        self.app.screen.clear()
        self.eye = seat
        self._renew()

    def _renew(self) -> None:
        """The position has changed: everything is asked again."""
        if self.match.over:
            self.finish()
        found = deeds(self.game, self.speech.lang, self.match.names) if self.own_turn else {}
        self._deeds = list(found.values())
        self._root = trie(found)
        self._sight = self.game.sight(self.eye)
        self._look = look_at(self.game, self.eye, self.speech)
        self.cursor, self.typed, self.page, self.scroll = None, "", 0, 0
        self._go([])

    def _go(self, path: list[str], skip: bool = True) -> None:
        """Stand at a place of the trie, past what is no choice."""
        node = node_at(self._root, path)
        self.path = [*path, *(forced(node) if skip else [])]
        self.cursor, self.typed, self.page = None, "", 0
        node = node_at(self._root, self.path)
        self._menu = menu_of(node, self.speech, self._say_action, self._say_touch, self.keys)

    def _say_action(self, action: Action) -> str:
        """What a deed is called; what a drawing knows of it is true of this position alone."""
        said = action.said if isinstance(action, Deed) else self.speech.action(action, self._sight)
        now = not isinstance(action, Deed) or action.code == action.codes[0]
        added = self._drawing.caption(self._look, action) if now else ""
        return f"{said} ({added})" if added else said

    def _say_touch(self, touch: str, actions: Sequence[Action]) -> str:
        said = self.speech.element(touch)
        now = [one for one in actions if not isinstance(one, Deed) or one.code == one.codes[0]]
        added = self._drawing.touch_caption(self._look, touch, now) if now else ""
        return f"{said} ({added})" if added else said

    def _play(self, action: Action) -> None:
        if self._warns(action):
            return
        before = len(self.match.entries)
        codes = action.codes if isinstance(action, Deed) else (action.code,)
        self.match.play(self.eye, [self.game.action(code).text for code in codes], expect=before)
        self._since[self.eye] = before
        self._played = (before, before + len(codes))
        self.write()
        self._renew()

    def _warns(self, action: Action) -> bool:
        """Say what the end of the turn would leave open or undone: once, then it is meant."""
        title = self.game.title
        if not isinstance(action, Deed) or not action.ends or not title.warns or self._plays_itself():
            return False
        line = title.grouping.warning(self._sight)
        warning = self.speech.line(line) if line is not None else ""
        known, self._warned = self._warned, warning
        if not warning or warning == known:
            return False
        self._refuse(f"{warning} {self.speech.ui('warn.again')}")
        return True

    def write(self) -> None:
        """Save the match; a failure is said and stops nobody."""
        if not self.save.write(self.match, self.comments):
            self.message = self.speech.ui("save.failed", path=self.save.path, reason=self.save.problem)

    def told(self, eye: int, since: int = 0) -> list[str]:
        """What an eye may know of what happened after entry `since`, without what was taken back."""
        if eye not in self._stories:
            self._stories[eye] = Story(self.match, eye, self.speech.lang)
        return [kept_together(sentence) for sentence in self._stories[eye].sentences(since)]

    # -- keys --------------------------------------------------------------------------------------

    def press(self, key: str) -> None:
        confirmed, self._taken_at_once = self._taken_at_once and key == k.ENTER, False
        if confirmed:  # Enter out of habit, after an amount that was taken without it
            return
        self.message, self.refused = "", False
        commands: dict[str, Callable[[], None]] = {
            "u": self.undo, "l": self.show_log, "h": self.show_help, "s": self.say_saved,
            "q": self._quit, "M": self.show_atlas, "R": self.resign, "?": self.show_why,
            k.ESC: self.back, k.TAB: self._next_page,
            k.PAGE_DOWN: lambda: self._scroll(1), k.PAGE_UP: lambda: self._scroll(-1),
        }  # fmt: skip
        if key == k.OTHER:
            return
        if key == k.BACKSPACE and self.typed:
            self.typed = self.typed[:-1]
        elif key == k.ENTER:
            self._enter()
        elif key in (k.UP, k.DOWN, k.LEFT, k.RIGHT):
            self._move_cursor(-1 if key in (k.UP, k.LEFT) else 1)
        elif self._find(self.typed + key):
            self._type(key)
        elif self.typed and self._find(key):
            self.typed = ""
            self._type(key)
        elif key == k.BACKSPACE:
            self.back()
        elif key in commands or key.lower() in COMMANDS:
            self.typed = ""
            commands.get(key, commands.get(key.lower(), self._quit))()
        else:
            self._wrong(key)

    def _find(self, typed: str) -> bool:
        exact, longer = self._menu.find(typed)
        return exact is not None or longer

    def _type(self, key: str) -> None:
        """A key of a choice: taken at once when no longer one can be meant."""
        self.typed += key
        exact, longer = self._menu.find(self.typed)
        if exact is not None and (not longer or self.app.lines):
            self._choose(exact)
            self._taken_at_once = exact.group == AMOUNT and not self.app.lines

    def _enter(self) -> None:
        if self.typed:
            exact, _ = self._menu.find(self.typed)
            self._choose(exact) if exact is not None else self._wrong(self.typed)
        elif self.cursor is not None:
            self._choose(self._menu.choices[self.cursor])
        elif self._menu.default is not None:
            self._choose(self._menu.default)
        else:
            self._refuse(self.speech.ui("enter.nothing"))

    def _choose(self, choice: Choice) -> None:
        path = [*self.path, choice.value]
        found = leaves(node_at(self._root, path))
        if len(found) == 1 and found[0].action is not None:
            self._play(found[0].action)
        else:
            self._go(path)

    def _wrong(self, key: str) -> None:
        self.typed = ""
        self._refuse(self.speech.ui("wrong_key", key=key))

    def _refuse(self, sentence: str) -> None:
        self.message, self.refused = sentence, True

    def _move_cursor(self, by: int) -> None:
        """Arrows walk through the choices; Enter takes the one that is marked."""
        number = len(self._menu.choices)
        if not number:
            return
        start = -1 if by > 0 else number
        self.cursor = ((start if self.cursor is None else self.cursor) + by) % number
        choice = self._menu.choices[self.cursor]
        self.typed = choice.key if choice in self._menu.amounts else ""

    def _next_page(self) -> None:
        self.page += 1

    def _scroll(self, by: int) -> None:
        self.scroll = max(0, self.scroll + by * 5)

    def back(self) -> None:
        """One touch back; what was skipped as no choice is skipped again."""
        if self.typed:
            self.typed = ""
            return
        floor = len(forced(self._root))
        if len(self.path) <= floor:
            self._refuse(self.speech.ui("back.nothing"))
            return
        path = self.path[:-1]
        while len(path) > floor and len(node_at(self._root, path).next) == 1:
            path.pop()
        self._go(path)

    def undo(self) -> None:
        """Take back the last thing: a touch, else an action."""
        if len(self.path) > len(forced(self._root)):
            self.back()
            return
        line, seat = self.game.line, self.eye
        if not line or self.game.undo_limit(seat) == len(line):
            own = any(played.seat == seat for played in line)
            self._refuse(self.speech.ui("undo.refused" if own else "undo.nothing"))
            return
        taken = self.speech.action(self.game.action(line[-1].code), self._sight)
        begun, ended = self._played
        back = begun if ended == len(self.match.entries) else self.match.standing[-1] - 1  # all of a deed
        try:
            self.match.undo(seat, back)
        except LudusError:
            self._refuse(self.speech.ui("undo.refused"))
            return
        standing = self.match.standing
        self._since[seat] = min(self._since[seat], standing[-1] - 1 if standing else 0)
        self.write()
        self._renew()
        self.message = self.message or self.speech.ui("undo.done", action=taken)

    def say_saved(self) -> None:
        self.write()
        self.message = self.message or self.speech.ui("save.done", path=self.save.path)

    def show_log(self) -> None:
        told = self.told(self.eye)
        text = [Text(sentence) for sentence in told] or [Text(self.speech.ui("log.empty"))]
        canvas, ui = self.app.screen.canvas, self.speech.ui
        self.app.run(Pager(canvas, ui, ui("log.heading"), text, at_end=True))

    def show_help(self) -> None:
        canvas, ui = self.app.screen.canvas, self.speech.ui
        self.app.run(Pager(canvas, ui, ui("help.heading"), pages.help_text(self)))

    def show_why(self) -> None:
        if self.own_turn:
            node = node_at(self._root, self.path)
            self.app.run(Why(self.app.screen.canvas, self.game, self.speech, node))

    def show_atlas(self) -> None:
        """The whole map on a page, where the title's drawing has one."""
        if self._drawing.atlas is None:
            self._wrong("M")
            return
        canvas, ui = self.app.screen.canvas, self.speech.ui
        self.app.run(Pager(canvas, ui, ui("atlas.heading"), self._drawing.atlas(self._look)))

    def resign(self) -> None:
        """Give up, after a question.  Where others play on, a bot takes the seat."""
        seat, ui = self.eye, self.speech.ui
        playing = [p for p, status in enumerate(self.match.status) if status == "playing"]
        if len(playing) > 2 and not any(self.seating.is_person(p) for p in playing if p != seat):
            self._refuse(ui("resign.alone"))
            return
        menu = numbered([(ui("resign.no"), "", False), (ui("resign.yes"), "", True)])
        heading = [Text(ui("resign.ask"), style="prompt")]
        if not self.app.run(Question(self.app.screen.canvas, ui, heading, menu)):
            return
        self.match.resign(seat)
        if not self.match.over:
            self._give_to_bot(seat)
        self.write()
        self._renew()

    def _give_to_bot(self, seat: int) -> None:
        bot = substitute(self.match.setting.title)
        self.match.take_over(seat, name_of_bot(bot, self.speech.lang))
        old, self.seating = self.seating.comment(), self.seating.given_to(seat, bot)
        self.comments[0] = [self.seating.comment() if text == old else text for text in self.comments[0]]
        self.opponents.sit(seat, bot)
        if not self.seating.hot_seat:
            self.eye = self.seating.persons[0]

    def _quit(self) -> None:
        raise Leave

    # -- lines -------------------------------------------------------------------------------------

    def takes_line(self, text: str) -> bool:
        """A whole action (`stake 3`), or a question (`? stake 9`), typed as a line."""
        self.message, self.refused = "", False
        if not self.own_turn:
            return False
        if text.startswith("?") and text != "?":
            self.message = Answers(self.game, self.speech).answer(text[1:].strip())
            return True
        for action in self.game.legal():
            if text.lower() == action.text and text not in {c.key for c in self._menu.choices}:
                self._play(action)
                return True
        words = text.split()
        if len(words) > 1 and words[0].lower() in self.game.title.codes.kinds:
            self.message = Answers(self.game, self.speech).answer(text)
            return True
        return False

    # -- what is seen ------------------------------------------------------------------------------

    def parts(self, width: int, height: int) -> Parts:
        canvas = self.app.screen.canvas
        return Parts(
            head=canvas.lines(self._head(), width),
            board=lambda rows: self._board(width, rows),
            story=lambda rows: self._news(width, rows, bool(height)),
            ask=self._ask(width, height),
            foot=pages.foot(self.speech.ui, canvas, width, self.has_atlas) if height else [],
            scroll=self.scroll,
            more=lambda above, below: self._more(width, above, below),
        )

    def _more(self, width: int, above: int, below: int) -> str:
        told = self.speech.ui("board.more", above=above, below=below)
        text = Text(told, style="quiet", no_wrap=True, overflow="ellipsis")
        return self.app.screen.canvas.lines(text, width)[0]

    def _head(self) -> Text:
        names = self.match.names
        head = Text(no_wrap=True, overflow="ellipsis")
        head.append(self.match.setting.called(self.speech.lang), style="title")
        head.append("  ")
        for seat, name in enumerate(names):
            head.append(" · " if seat else "", style="quiet")
            mover = self.game.to_move == seat
            style = "you" if seat == self.eye else "them"
            head.append(f"{'▸' if mover else ''}{name}", style=style)
        return head

    def _board(self, width: int, rows: int | None) -> list[str]:
        key = (len(self.match.entries), self.eye, tuple(self.path), width, rows)
        if self._drawn[0] != key:
            look = look_at(self.game, self.eye, self.speech, tuple(self.path))
            canvas = self.app.screen.canvas
            drawn = self._drawing.draw(look, width, rows)
            self._drawn = (key, [line for part in drawn for line in canvas.lines(part, width)])
        return self._drawn[1]

    def _news(self, width: int, rows: int | None, fill: bool) -> list[str]:
        """What happened since this seat last chose: a line each, or flowing where room is short; older
        sentences above where there is room left."""
        canvas = self.app.screen.canvas
        new = self.told(self.eye, self._since.get(self.eye, 0))
        lines = [line for sentence in new for line in canvas.text(Text(sentence, style="new"), width)]
        if rows is not None and len(lines) > rows:
            lines = canvas.text(Text("  ".join(new), style="new"), width)
        if rows is None or not fill:
            return lines
        if len(lines) > rows:
            return [
                *canvas.text(Text(self.speech.ui("story.more"), style="quiet"), width),
                *lines[-rows + 1 :],
            ]
        told = self.told(self.eye)
        older = told[: len(told) - len(new)][-(rows - len(lines)) :] if rows > len(lines) else []
        above = [line for sentence in older for line in canvas.text(Text(sentence, style="old"), width)]
        return [*above, *lines][-rows:]

    def _ask(self, width: int, height: int) -> list[str]:
        canvas, ui = self.app.screen.canvas, self.speech.ui
        message = canvas.text(Text(self.message, style="message"), width) if self.message or height else []
        if not self.own_turn:
            told = ui("thinking", name=self.speech.seat(self.game.to_move)) if not self.match.over else ""
            return [*canvas.text(Text(told, style="quiet"), width), *message] if height else []
        prompt = Text(self.speech.prompt(self.game, self._sight), style="prompt")
        if len(self.path) > len(forced(self._root)):
            crumbs = " › ".join([*(self.speech.element(touch) for touch in self.path), LEFT_OPEN])
            prompt.append("  ").append(crumbs.replace(" ", GLUE), style="touched")
        if self.typed:
            prompt.append(f"  {self.typed}", style="key")
        most = max(2, height // 3 - 1) if height else 0
        choices = menu_lines(self._menu, ui, canvas, width, most, self.page, self.cursor)
        return [*canvas.text(prompt, width), *choices, *message]


def _last_actions(match: Match) -> dict[int, int]:
    """For each seat the entry before its last action: what came after is news to it."""
    since = dict.fromkeys(range(match.setting.seats), 0)
    for number, played in zip(match.standing, match.game.line, strict=True):
        if played.seat in since:
            since[played.seat] = number - 1
    return since
