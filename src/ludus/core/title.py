"""A title: the fast half, the talking half and the facts about them, in one object."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from . import contract, defaults
from .boxes import Boxes, KeptBox
from .codes import Codes, Labels
from .contract import MAX_SEATS, Rules
from .errors import FormatError, LudusError, OptionError
from .layout import PUBLIC, Layout
from .option import Option, Value, read_options
from .own import MAX_CHARS, OwnData
from .sight import Sight
from .words import Words

if TYPE_CHECKING:
    from .batch import Batch
    from .game import Game

P = TypeVar("P")
B = TypeVar("B")


_LEFT_OUT: Any = None  # filled in from the other parts (core/defaults.py)


class Talk(Protocol):
    """The talking half of a title: a module `view.py`.  All of it sees a `Sight`, never more.

    A title may leave out all of it or some; `core.defaults.PlainTalk` says what happens then.
    """

    def view(self, sight: Sight[Any, Any]) -> dict[str, Any]:
        """The JSON that this seat may see."""

    def prompt(self, sight: Sight[Any, Any]) -> str:
        """The key of the sentence that says what is to be done now (`prompt.KEY` in the words)."""

    def touches(self, sight: Sight[Any, Any], code: int) -> tuple[str, ...]:
        """The path of touches of one legal action."""

    def why_not(self, sight: Sight[Any, Any], code: int) -> str:
        """The number of the rule that forbids an action, or "" for no more than "not now"."""

    def reveals(self, s: Any, box: Any, code: int) -> bool:
        """Whether the acting seat learns something hidden by this action (undo ends there)."""

    def log(self, before: Any, seat: int, kind: str, args: tuple[int, ...] | None, after: Any) -> list[Any]:
        """The log lines of one action: what was seen before, the face, what is seen after."""


@dataclass(frozen=True)
class Title(Generic[P, B]):
    """A game one can play.  Built once, in the title's package, from its files (`from_package`).

    `make_box(options, seats)` and `small_boxes()` make boxes; `settle` fills in what a scene did not
    say.  `length` is the greatest number of actions, chance included, that a game can take.
    `advise(sight, touch)` is for planning: reach, chances, dangers, as JSON of the title's own shape.
    `own` is there when the title can be played with data that somebody typed in.
    """

    name: str
    version: int  # the rules version: rises when any stored record would replay differently
    folder: Path
    position: Layout[P]
    codes: Codes
    rules: Rules
    seats: Sequence[int]
    length: int
    options: tuple[Option, ...] = ()
    box: Layout[B] = _LEFT_OUT
    talk: Talk = _LEFT_OUT
    make_box: Callable[[Mapping[str, Value], int], B] = _LEFT_OUT
    seats_of: Callable[[B], int] = _LEFT_OUT
    labels: Callable[[B], Labels] = defaults.no_labels
    settle: Callable[[P, B, frozenset[str]], None] = defaults.nothing_to_settle
    small_boxes: Callable[[], Mapping[str, B]] = defaults.no_small_boxes
    value: Callable[[P, B, int], int] | None = None  # what the bot miles judges positions by
    advise: Callable[[Sight[P, B], str], dict[str, Any] | None] | None = None  # what a touch could lead to
    meant: Callable[[Sight[P, B], tuple[str, ...]], int | str | None] | None = None  # see core/touches.py
    own: OwnData | None = None
    bench: Mapping[str, Any] = field(
        default_factory=dict
    )  # seats and options that `ludus bench engine` plays

    def __post_init__(self) -> None:
        if not self.seats or max(self.seats) > MAX_SEATS:
            raise ValueError(f"{self.name}: seats must lie in 1..{MAX_SEATS}")
        self._set("rules", defaults.fill_rules(self.name, self.position, self.rules))
        if self.box is _LEFT_OUT:
            self._set("box", defaults.box_of(self.options))
        if self.make_box is _LEFT_OUT:
            self._set("make_box", defaults.box_maker(self))
        if self.seats_of is _LEFT_OUT:
            self._set("seats_of", defaults.seats_counter(self))
        self._set("talk", defaults.fill_talk(self, self.talk))

    def _set(self, part: str, found: Any) -> None:
        object.__setattr__(self, part, found)

    @classmethod
    def from_package(cls, package: str, **facts: Any) -> Title[Any, Any]:
        """The title whose parts are the files of a package, called `from_package(__name__, ...)` in it.

        `facts` are further fields of a title, such as `version`, `seats` and `length`.
        """
        parts = {**defaults.gather(package), **facts}
        missing = [f"{name}=..." for name in ("version", "seats", "length") if name not in parts]
        if missing:
            raise LudusError(f"{package}: Title.from_package(__name__, ...) needs {defaults.listed(missing)}")
        return cls(**parts)

    @cached_property
    def words(self) -> Words:
        """What the title says in every game; see `words_for`."""
        return Words(self.folder / "words")

    def check_words(self) -> None:
        """FormatError where the words lack what every list of titles shows."""
        missing = [key for key in ("name", "blurb") if not self.words.has(key)]
        if missing:
            path = self.folder / "words" / "en.toml"
            raise FormatError(f"the words of every title have {defaults.listed(missing)}", source=str(path))

    @cached_property
    def hides_something(self) -> bool:
        """Whether seats may know different things: only then are hands covered, for instance."""
        fields = any(f.who is not PUBLIC for f in self.position.fields)
        return fields or self.rules.seen is not contract.seen

    @cached_property
    def has_chance(self) -> bool:
        """Whether there are dice or cards, and so something to prove."""
        return self.rules.odds is not contract.odds

    def read_setting(self, seats: int | None, given: Mapping[str, Any]) -> tuple[int, dict[str, Value]]:
        """The number of seats and every option, checked; OptionError says what is wrong."""
        number = self.seats[0] if seats is None else seats
        if number not in self.seats:
            wanted = " or ".join(dict.fromkeys(str(n) for n in (min(self.seats), max(self.seats))))
            span = wanted if len(self.seats) < 3 else f"{min(self.seats)} to {max(self.seats)}"
            raise OptionError(f"{self.name} is for {span} seats, not {number}")
        return number, read_options(self.options, given)

    def box_for(self, seats: int | None = None, data: str = "", **options: Any) -> B:
        """The box of these options, and of the text of somebody's own data.  All who ask for the same get the
        same: it must not be written to (`make_box` makes one of one's own)."""
        return self.kept_box(seats, data, **options).box

    def kept_box(self, seats: int | None = None, data: str = "", **options: Any) -> KeptBox[B]:
        """The same with its hash."""
        number, values = self.read_setting(seats, options)

        def make() -> B:
            if not data:
                return self.make_box(values, number)
            box: B = self.own_data.make_box(values, number, self.read_own(data, values))
            return box

        return self.boxes.get((number, data, tuple(values.items())), make)

    @cached_property
    def boxes(self) -> Boxes[B]:
        """The boxes that were made lately."""
        return Boxes(self.box)

    @property
    def own_data(self) -> OwnData:
        """What reads somebody's own data; FormatError when the title has no such thing."""
        if self.own is None:
            raise FormatError(f"{self.name} is not played with data of one's own")
        return self.own

    def read_own(self, data: str, options: Mapping[str, Value]) -> str:
        """The one text that stands for own data, checked; FormatError says what is wrong."""
        if len(data) > MAX_CHARS:
            raise FormatError(f"the data are longer than {MAX_CHARS} characters; no board and deck are")
        return self.own_data.complete(data, options)

    def words_for(self, box: B) -> Words:
        """The words of a game: those of the title, and names that own data bring along."""
        more = self.own.names(box) if self.own is not None else {}
        return self.words.with_more(more) if more else self.words

    def new(
        self,
        seed: int | None = None,
        seats: int | None = None,
        form: str = "plain",
        chance: str = "auto",
        data: str = "",
        **options: Any,
    ) -> Game[P, B]:
        """A new game.  See `Game`."""
        from .game import Game

        box = self.box_for(seats, data, **options)
        return Game(self, box, seed=seed, form=form, chance=chance)

    def batch(
        self, n: int, seed: int = 0, seats: int | None = None, form: str = "auto", **options: Any
    ) -> Batch[P, B]:
        """`n` games at once, for millions of random or policy playouts.  See `Batch`."""
        from .batch import Batch

        return Batch(self, self.box_for(seats, **options), n, seed=seed, form=form)
