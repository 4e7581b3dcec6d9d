"""A title: the fast half, the talking half and the facts about them, in one object."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
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
from .pieces import read_pieces
from .sight import Sight
from .words import Words

if TYPE_CHECKING:
    from .batch import Batch
    from .evaluation import Evaluation
    from .game import Game
    from .gestures import Gestures
    from .telling import Line
    from .vector import Vector

P = TypeVar("P")
B = TypeVar("B")


_LEFT_OUT: Any = None  # filled in from the other parts (core/defaults.py)


@dataclass(frozen=True)
class Beginning:
    """How a game is begun: so many actions of a kind, of each seat; `apart`: each one stands for itself."""

    kind: str
    count: int
    apart: bool = False


class Talk(Protocol):
    """The talking half of a title: a module `view.py`.  All of it sees a `Sight`, never more.

    A title may leave out all of it or some; `core.defaults.PlainTalk` says what happens then.
    """

    def view(self, sight: Sight[Any, Any]) -> Mapping[str, Any]:
        """The JSON that this seat may see: a TypedDict of the title's own, from which the types of its
        drawing are written.  Where the layout hides nothing, all seats see the same."""

    own_view: Callable[[Sight[Any, Any]], Mapping[str, Any]] | None
    """Where something is hidden: those parts of a view that are not what a spectator sees.  Whoever shows a
    position to several then makes the rest once.  None: every view is made whole."""

    def prompt(self, sight: Sight[Any, Any]) -> str:
        """The key of the sentence that says what is to be done now (`prompt.KEY` in the words)."""

    def touches(self, sight: Sight[Any, Any], code: int) -> tuple[str, ...]:
        """The path of touches of one legal action."""

    def places(self, sight: Sight[Any, Any], code: int) -> tuple[str, ...]:
        """Where everybody sees an action done, by touches that mean the same thing for all eyes: where it
        arrives, if it is left out."""

    def why_not(self, sight: Sight[Any, Any], code: int) -> str:
        """The number of the rule that forbids an action, or "" for no more than "not now"."""

    def because(self, sight: Sight[Any, Any], code: int) -> Line | None:
        """What stands against an action at this moment, with its numbers: "you have 0 sesterces, ..."."""

    def reveals(self, s: Any, box: Any, code: int) -> bool:
        """Whether the acting seat learns something hidden by this action (undo ends there)."""

    def score(self, sight: Sight[Any, Any]) -> Sequence[int]:
        """How each seat stands, in whole numbers that everybody may know: what lists of matches show, and the
        course of a match at its end.  Empty: nothing is counted.  `score` of the words says what the numbers
        are, `reached` says one of them."""

    def out(self, sight: Sight[Any, Any]) -> Sequence[int]:
        """The seats that have no turn to come while the others play on; left out: none."""

    def tally(self, sight: Sight[Any, Any]) -> Mapping[str, Sequence[int]]:
        """What each seat has, by names, where no field with a row a seat says it (`tally.py`): whose the
        temples are, who has won.  For the words of reasons (core/reasons.py)."""

    def log(self, before: Any, seat: int, kind: str, args: tuple[int, ...] | None, after: Any) -> list[Any]:
        """The log lines of one action: what was seen before, the face, what is seen after."""

    news: frozenset[str]
    """The keys of those log lines that a digest of a turn tells; where there are none, it tells the last."""

    def choice_line(self, sight: Sight[Any, Any], code: int) -> Any:
        """What a legal action is called, as a `Line`; None where `action.KIND` with its arguments says it."""

    beginning: Beginning | None
    """What a beginning is, for those who compare them (`BEGINNING`); None: the first choice of each seat."""

    def turn(self, sight: Sight[Any, Any]) -> tuple[int, int]:
        """Whose turn it is, also while another seat answers, and in which round; below 0 where all play at
        once or nobody does, 0 where rounds are not counted.  Left out: whoever is to move."""


@dataclass(frozen=True)
class Inputs:
    """What a net is told of a position (`features.py` of a title), and how the title is played by it."""

    size: int  # how many inputs there are
    most: int  # how many are not 0 at the same time, at most
    features: Callable[[Any, Any, int, Any, Any], int]
    turn: Callable[[Any, Any], int]
    net_name: Callable[[Any], str]  # which net judges a box
    from_value: bool = False  # the first input is the hand-made value, from which learning begins
    by_value: bool = False  # where there is no net, that value judges how turns end
    whole_turns: bool = False  # a turn is planned as a whole; else every action for itself
    aims: Callable[[Any, Any, int, Any], int] = contract.aims  # what a turn could be after: `aims.py`
    urge: Callable[[Any, Any, int, int], int] = contract.urge
    replies: float = 0.0  # turns are compared after everybody's reply; plans lean by so much of the value
    heats: tuple[float, float, float] | None = None  # how warm the three weakest levels are: bots/levels.py
    recipe: Mapping[str, float] = field(default_factory=dict)  # how its net is taught: see lab/selfplay.py


@dataclass(frozen=True)
class Title(Generic[P, B]):
    """A game one can play.  Built once, in the title's package, from its files (`from_package`).

    `make_box(options, seats)` and `small_boxes()` make boxes; `settle` fills in what a scene did not
    say.  `length` is the greatest number of actions, chance included, that a game can take.
    `advise(sight, touch)` is for planning: reach, chances, dangers, as JSON of the title's own shape.
    `own` is there when the title can be played with data that somebody typed in.  `round_of(sight)` and
    `hostile(before, after)`, which says who has attacked whom, are for peace between seats; `bargained`
    says which offer of the game was answered, `would_agree` what a bot says to peace and why, `keep_word`
    what a bot plays that keeps it.
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
    printed: Callable[[], Mapping[str, Any]] = defaults.nothing_printed  # what drawings show of its things
    value: Callable[[P, B, int], int] | None = None  # what the bot miles judges positions by
    precious: int = 0  # points of that value which nobody gives away at once, however weak; 0: not said
    inputs: Inputs | None = None  # what a net is told; see bots/net.py
    advise: Callable[[Sight[P, B], str], dict[str, Any] | None] | None = None  # what a touch could lead to
    meant: Callable[[Sight[P, B], tuple[str, ...]], int | str | None] | None = None  # see core/touches.py
    round_of: Callable[[Sight[P, B]], int] | None = None  # which round it is; see `hostile`
    hostile: Callable[[Sight[P, B], Sight[P, B]], Sequence[tuple[int, int]]] | None = None
    bargained: Callable[[Sight[P, B], Sight[P, B]], tuple[int, int, bool] | None] | None = None
    would_agree: Callable[[Sight[P, B], int, int, int], tuple[bool, str]] | None = None
    keep_word: Callable[[Sight[P, B], int, Sequence[int], Set[int]], int] | None = None
    gestures: Any = None  # the module `gestures.py`: which actions are one gesture; see `grouping`
    own: OwnData | None = None
    bench: Mapping[str, Any] = field(
        default_factory=dict
    )  # seats and options that `ludus bench engine` plays
    simulation: Mapping[str, Any] = field(
        default_factory=dict
    )  # options of games without people, where nothing else is said: a cap of turns, for instance
    ladder: Sequence[Mapping[str, Any]] = ({},)  # the same for each setting of `ludus arena ladder`
    dilemmas: Set[str] = frozenset()  # prompts at which two choices are enough for a puzzle: lab/puzzles.py

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

    @cached_property
    def pieces(self) -> dict[str, list[str]]:
        """Which rules speak of which piece; see `core/pieces.py`."""
        return read_pieces(self.folder, self.words)

    def called(self, lang: str, options: Mapping[str, Any]) -> str:
        """What a match with these options is called: like the title, or like the game that an option makes
        of it."""
        for option in self.options:
            value = options.get(option.name, option.default)
            if option.games and value != option.default:
                return self.words.say(lang, f"option.{option.name}.value.{value}")
        return self.words.say(lang, "name")

    def games(self, lang: str) -> list[tuple[dict[str, Value], str]]:
        """The games of their own that options make of the title: the option, and what is said of it."""
        return [
            ({option.name: value}, self.words.say(lang, f"option.{option.name}.blurb.{value}"))
            for option in self.options
            for value in option.values
            if option.games and value != option.default
        ]

    def check_words(self) -> None:
        """FormatError where the words lack what every list of titles shows."""
        missing = [key for key in ("name", "blurb") if not self.words.has(key)]
        if missing:
            path = self.folder / "words" / "en.toml"
            raise FormatError(f"the words of every title have {defaults.listed(missing)}", source=str(path))

    @cached_property
    def grouping(self) -> Gestures:
        """Which actions are one gesture (core/gestures.py), with defaults for what is left out."""
        found: Gestures = defaults.fill_gestures(self.gestures)
        return found

    @property
    def warns(self) -> bool:
        """Whether it may say what stands open at the end of a turn."""
        return hasattr(self.gestures, "warning")

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

    def recorded(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """The options of a record, with what held before there were those that it does not name."""
        return {**{o.name: o.before for o in self.options if o.before is not None}, **options}

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

    def evaluate(
        self, game: Game[P, B], seat: int | None = None, budget: str = "usual", seed: int = 0
    ) -> Evaluation:
        """What a position of the title is worth: the chances of all seats, and of each choice of the seat to
        move.  See `ludus.analysis.evaluation`, which is found by its name: core knows nobody above it."""
        found = import_module("ludus.analysis.evaluation")
        evaluation: Evaluation = found.evaluate(game, seat, budget, seed)
        return evaluation

    def batch(
        self, n: int, seed: int = 0, seats: int | None = None, form: str = "auto", **options: Any
    ) -> Batch[P, B]:
        """`n` games at once, for millions of random or policy playouts; options that are not given are those
        of a simulation.  See `Batch`."""
        box = self.box_for(seats, **{**self.simulation, **options})
        if form == "cuda":
            from .cuda_batch import CudaBatch

            return CudaBatch(self, box, n, seed=seed)
        from .batch import Batch

        return Batch(self, box, n, seed=seed, form=form)

    def vector(
        self,
        n: int,
        seed: int = 0,
        seats: int | None = None,
        form: str = "auto",
        threads: int = 0,
        **options: Any,
    ) -> Vector[P, B]:
        """`n` games side by side that are stepped from outside, with observations and masks; options that are
        not given are those of a simulation.  See `Vector`."""
        box = self.box_for(seats, **{**self.simulation, **options})
        if form == "cuda":
            from .cuda_vector import CudaVector

            return CudaVector(self, box, n, seed=seed)
        from .vector import Vector

        return Vector(self, box, n, seed=seed, form=form, threads=threads)
