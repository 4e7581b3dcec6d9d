"""A game being played, as a stranger meets it first (`docs/library.md`)."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, NamedTuple, TypedDict, TypeVar

from . import information
from .chance import CHANCE, OVER, SPECTATOR, Fresh, Seeded, Source, mixed, seed_rng
from .codes import HIDDEN, Codes, Labels
from .common import Common, common_of
from .contract import DRAW, WIN
from .errors import FormatError, IllegalAction, LudusError
from .observation import Observer
from .sight import Sight, look_into, sees
from .title import Title
from .words import Words

P = TypeVar("P")
B = TypeVar("B")


class Action:
    """One small choice of a seat, or one outcome of chance.

    A code that knows its table: text, kind and arguments are worked out when somebody asks.
    """

    __slots__ = ("_codes", "_labels", "code")

    def __init__(self, code: int, codes: Codes, labels: Labels) -> None:
        self.code, self._codes, self._labels = code, codes, labels

    @property
    def text(self) -> str:
        return self._codes.text(self.code, self._labels)

    @property
    def kind(self) -> str:
        return self._codes.split(self.code)[0]

    @property
    def arguments(self) -> tuple[int, ...]:
        return self._codes.split(self.code)[1]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Action({self.code}, {self.text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Action) and self.code == other.code and self._codes is other._codes

    def __hash__(self) -> int:
        return hash(self.code)


class Face(NamedTuple):
    """What one seat may see of an action: its whole text, or its kind alone."""

    seat: int  # who acted; CHANCE for dice and decks
    kind: str
    text: str
    arguments: tuple[int, ...] | None  # None when they are hidden


@dataclass(slots=True)  # not frozen: one is made a ply, and freezing takes as long as a ply of the rules
class Played:
    """One action that stands: who played it, who saw it, whether it showed the actor something."""

    seat: int
    code: int
    seen: int
    reveals: bool


@dataclass(frozen=True)
class Outcome:
    """The result of a finished game: WIN, DRAW or LOSS a seat."""

    returns: tuple[int, ...]

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats on the first place; several share it after a draw."""
        return tuple(p for p, r in enumerate(self.returns) if r in (WIN, DRAW))


class Game(Generic[P, B]):
    """A position with the actions that led to it.

    `chance="auto"` plays dice and decks from `seed` until a seat is to move; with "manual" the
    outcomes are listed by `odds()` and played like any action.
    """

    def __init__(
        self,
        title: Title[P, B],
        box: B,
        seed: int | None = None,
        form: str = "plain",
        chance: str = "auto",
        source: Source | None = None,
        start: bytes | None = None,
    ) -> None:
        if chance not in ("auto", "manual"):
            raise ValueError(f"chance is auto or manual, not {chance!r}")
        self.title, self.box, self.auto = title, box, chance == "auto"
        self.seed = secrets.randbits(63) if seed is None else seed
        self.source: Source = source or Seeded(self.seed)
        self._share(form)
        self._start = start
        self.told: Mapping[int, information.Known] = {}  # what seats knew already when the line began
        self._copies = 0
        self._begin()
        self._run_chance()

    def _share(self, form: str) -> None:
        """Take what all games of this box and form have in common."""
        common = common_of(self.title, self.box, form)
        self.common: Common[P, B] = common
        self.seats, self.labels, self.form, self._hides = (
            common.seats,
            common.labels,
            common.form,
            common.hides,
        )

    def _begin(self) -> None:
        self.s = self.form.new() if self._start is None else self.form.unpack(self._start)
        self.line: list[Played] = []
        self._known: dict[int, information.Known] = {}
        self.chances = 0  # standing chance outcomes: the index of the next number of the source

    @property
    def s(self) -> Any:
        """The position in the game's form.  To put another one here is allowed, to change it is not:
        what was worked out about it would stay."""
        return self._s

    @s.setter
    def s(self, s: Any) -> None:
        self._s = s
        self._moved(None)

    def _moved(self, mover: int | None) -> None:
        """Forget what was worked out about the position before; None: not even who is to move is known."""
        self._mover = mover
        self._codes: list[int] | None = None
        self._packed: bytes | None = None
        self._sights: dict[int, Sight[P, B]] | None = None
        self._unpacked: P | None = None

    # -- asking -----------------------------------------------------------------------------------

    @property
    def words(self) -> Words:
        """What this game says: the title's words, and the names of own data."""
        return self.common.words

    @property
    def to_move(self) -> int:
        """The seat to move, CHANCE or OVER."""
        if self._mover is None:
            self._mover = self.form.to_move(self._s)
        return self._mover

    @property
    def over(self) -> bool:
        return self.to_move == OVER

    @property
    def outcome(self) -> Outcome | None:
        """The result, or None while the game is going on."""
        return Outcome(tuple(self.form.returns(self.s))) if self.over else None

    @property
    def position(self) -> P:
        """The whole truth in plain form.  A copy may be shared with the game: do not change it."""
        return self.form.plain(self.s)

    def action(self, code: int) -> Action:
        return Action(code, self.title.codes, self.labels)

    def legal(self) -> list[Action]:
        """All legal actions of the seat to move; none while CHANCE is to move or the game is over."""
        codes, labels = self.title.codes, self.labels
        return [Action(code, codes, labels) for code in self.legal_codes()]

    def legal_codes(self) -> list[int]:
        """The codes of `legal()`: for `apply`."""
        return self._listed()[:] if self.to_move >= 0 else []

    def _listed(self) -> list[int]:
        """Every code that can be played now, of a seat or of chance: worked out once a position."""
        if self._codes is None:
            mover = self.to_move
            if mover >= 0:
                self._codes = self.form.legal(self._s)
            else:
                self._codes = [] if mover == OVER else [code for code, _ in self.form.odds(self._s)]
        return self._codes

    def odds(self) -> list[tuple[Action, int]]:
        """While CHANCE is to move: all outcomes with their weights."""
        if self.to_move != CHANCE:
            return []
        return [(self.action(code), weight) for code, weight in self.form.odds(self.s)]

    def packed(self) -> bytes:
        """The bytes of the position, the same in both forms; LayoutError when a number does not fit."""
        if self._packed is None:
            self._packed = self.form.pack(self._s)
        return self._packed

    def hash(self) -> str:
        return self.title.position.hash(self.position)

    # -- what a seat may know -------------------------------------------------------------------

    def sight(self, seat: int) -> Sight[P, B]:
        """All that a seat, or SPECTATOR, may know of the position.  Made once: do not change it."""
        found = self.sights.get(seat)
        if found is None:
            layout = self.title.position
            if self._unpacked is None:
                self._unpacked = layout.unpack(self.packed())
            s, mover = self._unpacked, self.to_move
            found = look_into(layout, s, self.box, seat, self.seats, mover, self.labels)
            self.sights[seat] = found
        return found

    @property
    def sights(self) -> dict[int, Sight[P, B]]:
        """What has been looked at of this position so far; another one has a dictionary of its own."""
        if self._sights is None:
            self._sights = {}
        return self._sights

    def view(self, seat: int = SPECTATOR) -> View:
        """The JSON that a seat, or a spectator, may see."""
        return view_of(self.title, self.sight(seat), self.outcome)

    def observation(self, seat: int) -> list[int]:
        """The same as whole numbers, a row of one size for all seats; `observer.names` says what each is."""
        return self.observer.observe(self.packed(), self.to_move, seat)

    def tensor(self, seat: int) -> list[float]:
        """The observation as real numbers from -1 to 1: what a net takes."""
        return self.observer.encode(self.observation(seat))

    @property
    def observer(self) -> Observer[P]:
        return self.common.observer

    def legal_mask(self) -> list[int]:
        """1 for every code that is legal now, 0 for the others."""
        mask = [0] * self.title.codes.size
        for code in self.legal_codes():
            mask[code] = 1
        return mask

    def information_state(self, seat: int) -> str:
        """All that a seat has been told since the game began: the same text for two lines of play exactly if
        it cannot tell them apart."""
        known = self._known.get(seat) or self.told.get(seat) or information.beginning(self, seat)
        known = information.follow(self, seat, known)
        self._known = {**self._known, seat: known}  # not written to: forks share it
        return information.text(seat, known)

    @property
    def is_new(self) -> bool:
        """Whether it began like every new game, and not from a position."""
        return self._start is None

    def start(self) -> bytes:
        """The position before the first action, packed."""
        return self.form.pack(self.form.new()) if self._start is None else self._start

    def face(self, played: Played, seat: int) -> Face:
        """What `seat` sees of an action of the line."""
        return make_face(self, played, seat)

    def faces(self, seat: int) -> list[Face]:
        return [self.face(played, seat) for played in self.line]

    # -- playing ----------------------------------------------------------------------------------

    def code_of(self, action: Action | int | str) -> int:
        """The code of a legal action given as object, code or text; IllegalAction otherwise."""
        if isinstance(action, Action):
            code = action.code
        elif isinstance(action, str):
            try:
                code = self.title.codes.read(action, self.labels)
            except FormatError as error:
                raise IllegalAction(str(error), legal=[a.text for a in self.legal()]) from None
        else:
            code = action
        self._require_legal(code)
        return code

    def _require_legal(self, code: int) -> None:
        if code in self._listed():
            return
        if self.to_move == OVER:
            raise IllegalAction("The game is over; nothing can be played any more.")
        if self.to_move == CHANCE:
            outcomes = [self.action(listed).text for listed in self._listed()]
            raise IllegalAction(f"{self._named(code)} is no possible outcome of chance now.", legal=outcomes)
        raise self.refusal(code)

    def _named(self, code: int) -> str:
        """A code by its text, or as a number where it is none of the title's."""
        try:
            return repr(self.title.codes.text(code, self.labels))
        except ValueError:
            return str(code)

    def refusal(self, code: int) -> IllegalAction:
        """Why an action that is not legal is not: in words, by rule, with what is legal instead."""
        legal = [a.text for a in self.legal()]
        try:
            text = self.title.codes.text(code, self.labels)
        except ValueError as error:
            return IllegalAction(f"{error}.", legal=legal)
        rule = self.title.talk.why_not(self.sight(self.to_move), code)
        reason = self.title.words.say("en", f"rule.{rule}") if rule else "it is not possible now."
        return IllegalAction(f"{text!r} is not legal: {reason}", rule, legal)

    def play(self, *actions: Action | int | str) -> None:
        """Play actions one after the other, all or none.

        Checks that each is legal.  That every number still fits its width is checked by whoever packs the
        position: a match at every entry, a view, the kit.
        """
        before = len(self.line)
        try:
            for action in actions:
                self._play(self.code_of(action))
            self._run_chance()
        except LudusError:
            self.rewind(before)
            raise

    def apply(self, code: int) -> None:
        """Play one action by its code: `play` for loops in a hurry."""
        self._require_legal(code)
        self._play(code)
        self._run_chance()

    def _play(self, code: int) -> None:
        seat = self.to_move
        reveals = seat >= 0 and self._hides and self._reveals(code)
        seen, mover = self.form.step(self._s, code)
        self._moved(mover)
        self.line.append(Played(seat, code, seen, reveals))
        if seat == CHANCE:
            self.chances += 1

    def _reveals(self, code: int) -> bool:
        return self.title.talk.reveals(self.form.glance(self._s), self.box, code)

    def draw(self) -> int:
        """The code of the outcome that the source gives next.  Only while CHANCE is to move."""
        return self.form.draw(self._s, self.source.u32(self.chances))

    def _run_chance(self) -> None:
        while self.auto and self.to_move == CHANCE:
            self._play(self.draw())

    # -- going back and looking ahead -------------------------------------------------------------

    def undo_limit(self, seat: int) -> int:
        """How many actions must stand: `seat` may alone take back what came after.

        Back to the last chance outcome, other seat's action, or action that revealed something.
        """
        n = len(self.line)
        while n > 0 and self.line[n - 1].seat == seat and not self.line[n - 1].reveals:
            n -= 1
        return n

    def rewind(self, n: int) -> None:
        """Back to the first `n` actions.  Does not check that anybody may do that."""
        if n == len(self.line):
            return
        kept = self.line[:n]
        self._begin()
        for played in kept:
            self.form.apply(self._s, played.code)
        self._moved(None)
        self.line = kept
        self.chances = sum(p.seat == CHANCE for p in kept)

    def change_form(self, form: str) -> None:
        """Go on in the other form: a table starts plain and changes when compiled code lies ready."""
        data = self.packed()
        self._share(form)
        self.s = self.form.unpack(data)

    def fork(self) -> Game[P, B]:
        """The same game twice, dice to come included: for whoever keeps the real one."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._s, twin.line = self.form.copy(self._s), self.line[:]
        twin._packed, twin._sights, twin._unpacked = None, None, None
        return twin

    def after(self, code: int) -> Game[P, B]:
        """A twin in which an action is played and chance has not answered yet.  Does not check that it is
        legal."""
        twin = self.fork()
        twin.auto = False
        twin._play(code)
        return twin

    def copy(self, seed: int | None = None) -> Game[P, B]:
        """An independent copy, at the price of a memcpy in compiled form.

        Its dice and decks are its own: a search that plays copies on must not see the real outcomes to
        come.  Without `seed` they follow from this game's seed and the number of its copies so far.
        """
        twin = self.fork()
        self._copies += 1
        twin.seed = mixed(~self.seed, self._copies) if seed is None else seed
        twin.source, twin._copies = Fresh(twin.seed), 0
        return twin

    def imagine(self, seat: int, seed: int | None = None, remember: bool = False) -> Game[P, B]:
        """A game that `seat` could believe in: what it knows is true, the rest is dealt anew.

        It begins here, with an empty line: what was played before could tell what is hidden.  With `remember`
        the information states of `seat` go on from what it has been told in this game.
        """
        if not 0 <= seat < self.seats:
            raise LudusError(f"there is no seat {seat}; seats are 0 to {self.seats - 1}")
        if remember:
            self.information_state(seat)
        twin = self.copy(seed)
        rng = [0, 0, 0, 0]
        seed_rng(rng, twin.seed, seat)
        self.form.redeal(twin._s, seat, rng)
        twin._start, twin.line, twin.chances = self.form.pack(twin._s), [], 0
        twin.told = {seat: self._known[seat].moved_to(twin._start)} if remember else {}
        twin._known = {}
        twin._moved(None)
        return twin

    def what_if(self, actions: Sequence[Action | int | str]) -> WhatIf:
        """What the seat to move would see after some actions of its own, storing nothing.

        Stops before an action that reveals something, and as soon as CHANCE or another seat is to
        move: what follows is not for this seat to know yet.
        """
        seat = self.to_move
        twin = self.copy()
        twin.auto = False
        played = 0
        stopped = "" if seat >= 0 else "nobody to ask"
        for action in actions:
            if stopped:
                break
            code = twin.code_of(action)
            if twin._hides and twin._reveals(code):
                stopped = "reveal"
                break
            twin._play(code)
            played += 1
            if twin.to_move != seat:
                stopped = {CHANCE: "chance", OVER: "over"}.get(twin.to_move, "other seat")
        choices = twin.legal() if twin.to_move == seat else []
        return WhatIf(played, stopped, choices, twin.view(seat))


@dataclass(frozen=True)
class WhatIf:
    """How far a what-if went, why it stopped, and what would be legal and visible there."""

    played: int
    stopped: str
    legal: list[Action]
    view: View


class View(TypedDict):
    """What a seat may know of a position, as JSON."""

    title: str
    seat: int | None  # whoever looks; None for a spectator
    seats: int
    to_move: int | Literal["chance", "over"]
    prompt: str
    result: list[int] | None
    out: list[int]  # the seats that have no turn to come while the others play on
    board: Any  # what the title alone has: the type that its `view` declares (core/schema.py)


_NOBODY: dict[int, Literal["chance", "over"]] = {CHANCE: "chance", OVER: "over"}


def view_of(
    title: Title[Any, Any],
    sight: Sight[Any, Any],
    outcome: Outcome | None,
    board: Mapping[str, Any] | None = None,
) -> View:
    """The JSON of a sight: what every title has in common, and under `board` what it alone has.

    `board` where that is known already.
    """
    return {
        "title": title.name,
        "seat": None if sight.seat == SPECTATOR else sight.seat,
        "seats": sight.seats,
        "to_move": _NOBODY.get(sight.to_move, sight.to_move),
        "prompt": title.talk.prompt(sight),
        "result": list(outcome.returns) if outcome else None,
        "out": list(title.talk.out(sight)),
        "board": title.talk.view(sight) if board is None else board,
    }


def make_face(game: Game[Any, Any], played: Played, seat: int) -> Face:
    codes = game.title.codes
    kind, arguments = codes.split(played.code)
    if sees(played.seen, seat):
        return Face(played.seat, kind, game.common.text(played.code), arguments)
    text = codes.hidden_text(played.code)
    return Face(played.seat, kind, text, None if text.endswith(HIDDEN) else ())
