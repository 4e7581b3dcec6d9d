"""What clients send and get, as the OpenAPI document shows it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

Lang = Literal["en", "fr", "it", "de", "en-la", "fr-la", "it-la", "de-la"]  # `words.TONGUES`
ClientId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.-]{1,64}$")]
MatchId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{8,32}$")]
Nonce = Annotated[str, StringConstraints(pattern=r"^[0-9a-fA-F]{32}$")]
Name = Annotated[str, StringConstraints(max_length=200)]
Password = Annotated[str, StringConstraints(max_length=200)]
SeatNumber = Annotated[int, Field(ge=0, le=15)]
EntryNumber = Annotated[int, Field(ge=0, le=10_000_000)]
Word = Annotated[str, StringConstraints(max_length=40)]
Action = Annotated[str, StringConstraints(max_length=200)]
Touch = Annotated[str, StringConstraints(min_length=1, max_length=80)]


class Model(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def only_text(cls, data: Any) -> Any:
        """Refuse what no database and no browser can hold: half characters, and the null character."""
        for text in _strings(data):
            if "\x00" in text or not (text.isascii() or all(c < "\ud800" or c > "\udfff" for c in text)):
                raise ValueError("a text holds characters that are none")
        return data


def _strings(data: Any, depth: int = 0) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict) and depth < 8:
        for key, value in data.items():
            yield from _strings(key, depth + 1)
            yield from _strings(value, depth + 1)
    elif isinstance(data, list) and depth < 8:
        for value in data:
            yield from _strings(value, depth + 1)


class NewGuest(Model):
    bearer: bool = Field(
        default=False, description="For programs: the token comes in the answer, not as a cookie."
    )


class NewAccount(Model):
    name: Name
    password: Password


class LogIn(Model):
    name: Name
    password: Password
    bearer: bool = False


class Rename(Model):
    name: Name


class ChangePassword(Model):
    old: Password
    new: Password


class Forget(Model):
    password: Password | None = Field(default=None, description="Needed by the holder of an account.")


class UsePass(Model):
    code: Word = Field(description="As it was shown; case, spaces and dashes do not matter.")
    bearer: bool = False


class Link(Model):
    link: Annotated[str, StringConstraints(max_length=500)] = Field(description="To a page of this server.")


class SeatWish(Model):
    kind: Literal["me", "open", "link", "bot", "screen"] = Field(
        description="me; open to anybody; by link; a bot; another person on the same screen as me"
    )
    bot: Word | None = None
    name: Name | None = Field(default=None, description="For a seat on the same screen.")


class ClockWish(Model):
    kind: Literal["none", "match", "move"] = "none"
    seconds: Annotated[int, Field(ge=0, le=60 * 86400)] = 0
    increment: Annotated[int, Field(ge=0, le=86400)] = 0


PositionText = Annotated[str, StringConstraints(max_length=48_000)]  # `core.starting.MAX_CHARS`


class StartWish(Model):
    """The position that a match begins from: a text, or the moment of a match after an entry."""

    position: PositionText | None = Field(default=None, description="As `GET .../position` gives it.")
    match: MatchId | None = None
    entry: EntryNumber | None = Field(default=None, description="With `match`: after this entry.")
    eyes: SeatNumber | None = Field(
        default=None, description="What this seat cannot know is dealt anew; of a match that runs, always."
    )


class NewMatch(Model):
    title: Word
    options: Annotated[dict[Word, int | Word], Field(max_length=60)] = {}
    seats: Annotated[list[SeatWish], Field(min_length=1, max_length=16)] | None = None
    public: bool = Field(
        default=False, description="Listed for everybody; else only who has the link finds it."
    )
    clock: ClockWish = ClockWish()
    start: StartWish | None = Field(
        default=None, description="Begin from this position instead of a new game; never rated."
    )
    hints: bool = Field(default=False, description="Hints for everybody at this table; never rated.")
    rated: bool = Field(
        default=False,
        description="Counts for the strength of both: two accounts, a clock, no help (docs/rated.md).",
    )
    own_nonce: bool = Field(
        default=False, description="My seats wait for nonces of mine: see the commitment first."
    )
    client: ClientId | None = Field(default=None, description="The same id again makes no second match.")


class Join(Model):
    seat: SeatNumber | None = None
    invite: Word | None = None
    nonce: Nonce | None = Field(
        default=None, description="My part of the dice, made after seeing the commitment."
    )


class GiveNonce(Model):
    seat: SeatNumber
    nonce: Nonce


class Command(Model):
    """What a seat does.  `play` and `undo` need `expect`, the number of the last entry that was seen."""

    client: ClientId = Field(description="An id of the client's own: sent twice, it happens once.")
    do: Literal["play", "undo", "propose", "vote", "resign", "leave", "claim", "take_over"] = "play"
    seat: SeatNumber | None = Field(default=None, description="Needed by somebody with several seats.")
    expect: EntryNumber | None = None
    actions: (
        Annotated[
            list[Annotated[str, StringConstraints(max_length=200)]], Field(min_length=1, max_length=100)
        ]
        | None
    ) = Field(default=None, description="play: all of them or none.")
    to: EntryNumber | None = Field(default=None, description="undo, propose undo: back to this entry.")
    kind: Literal["undo", "draw"] | None = Field(default=None, description="propose: what.")
    yes: bool | None = Field(default=None, description="vote: the answer.")
    proposal: EntryNumber | None = Field(default=None, description="vote: the entry of what is answered.")
    bot: Word | None = Field(default=None, description="take_over: which bot.")
    watch: bool = Field(
        default=False, description="resign, where only bots are left: they play on as long as I watch."
    )


class WhatIfQuery(Model):
    seat: SeatNumber | None = None
    actions: Annotated[list[Annotated[str, StringConstraints(max_length=200)]], Field(max_length=100)] = []
    lang: Lang = "en"


class AdviceQuery(Model):
    about: Annotated[str, StringConstraints(min_length=1, max_length=80)] = Field(
        description="A touch, or another subject that the title knows."
    )
    seat: SeatNumber | None = Field(default=None, description="Through the eyes of this seat.")
    actions: Annotated[list[Annotated[str, StringConstraints(max_length=200)]], Field(max_length=100)] = (
        Field(default=[], description="Asked for the position after these; only for the seat to move.")
    )


class WhyNotQuery(Model):
    touches: Annotated[list[Touch], Field(min_length=1, max_length=12)] = Field(
        description="A path of touches that is no choice now."
    )
    seat: SeatNumber | None = Field(default=None, description="Needed by somebody with several seats.")
    actions: Annotated[list[Annotated[str, StringConstraints(max_length=200)]], Field(max_length=100)] = (
        Field(default=[], description="Asked for the position after these, which were begun and not played.")
    )
    lang: Lang = "en"


class LessonMove(Model):
    """Where a learner is, and what is to be done there: `play` actions, or `read` what is said."""

    part: Annotated[int, Field(ge=0, le=50)] = 0
    step: Annotated[int, Field(ge=0, le=100)] = 0
    actions: Annotated[list[Action], Field(max_length=100)] = []
    name: Annotated[str, StringConstraints(max_length=40)] = ""
    play: Annotated[list[Action], Field(max_length=20)] = []
    read: bool = False


class LessonQuestion(Model):
    """What a learner asks at some place: exactly one of these is said."""

    at: LessonMove
    touches: Annotated[list[Touch], Field(max_length=12)] = []
    about: Annotated[str, StringConstraints(max_length=80)] = ""
    what_if: Annotated[list[Action], Field(max_length=20)] = []


PuzzleName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,40}$")]


class Strength(Model):
    """How strong somebody is said to be who has no account here: kept in their browser, and bounded."""

    rating: Annotated[float, Field(ge=0, le=4000)] = 1200.0
    deviation: Annotated[float, Field(ge=10, le=350)] = 350.0
    volatility: Annotated[float, Field(ge=0.01, le=0.2)] = 0.06


class PuzzleMove(Model):
    """Where somebody is with a puzzle, and what is done there: `play` actions, or `show` the solution."""

    puzzle: PuzzleName
    given: Annotated[str, StringConstraints(max_length=12_000)] | None = Field(
        default=None, description="A puzzle of a file, as `POST /api/puzzles/file` gave it; never rated."
    )
    actions: Annotated[list[Action], Field(max_length=40)] = []
    name: Annotated[str, StringConstraints(max_length=40)] = ""
    play: Annotated[list[Action], Field(max_length=20)] = []
    show: bool = False
    strength: Strength | None = Field(
        default=None, description="Of a guest whose first try this is; who has an account is known."
    )


class PuzzleFile(Model):
    """A file of puzzles from somebody's device."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=60_000)]


class PuzzleQuestion(Model):
    """What is asked at a puzzle: exactly one of these is said."""

    at: PuzzleMove
    touches: Annotated[list[Touch], Field(max_length=12)] = []
    about: Annotated[str, StringConstraints(max_length=80)] = ""
    what_if: Annotated[list[Action], Field(max_length=20)] = []
    warning: bool = Field(default=False, description="What would stand open if the turn ended now?")


class LookThrough(Model):
    seat: Annotated[int, Field(ge=0, le=99)] | None = None
    since: EntryNumber | None = None


class WarningQuery(Model):
    seat: SeatNumber | None = Field(default=None, description="Needed by somebody with several seats.")
    lang: Lang = "en"


class HintQuery(Model):
    seat: SeatNumber | None = Field(default=None, description="Needed by somebody with several seats.")
    quick: bool = Field(default=False, description="Ask a bot that answers at once, not the strongest one.")
    lang: Lang = "en"


class Say(Model):
    text: Annotated[str, StringConstraints(min_length=1, max_length=500)]
    to: SeatNumber | None = Field(
        default=None, description="To the person at this seat alone; nobody else ever reads it."
    )
    seat: SeatNumber | None = Field(default=None, description="Needed by somebody with several seats.")


class OfferPeace(Model):
    """A word that binds nobody; whoever breaks it is named."""

    to: SeatNumber
    rounds: Annotated[int, Field(ge=1, le=20)]
    answers: EntryNumber | None = Field(default=None, description="The offer that this one counters.")
    deal: bool = Field(
        default=False, description="A part of what is offered in the game; answered with that."
    )
    seat: SeatNumber | None = Field(default=None, description="Needed by somebody with several seats.")


class AnswerPeace(Model):
    offer: EntryNumber
    yes: bool


class Note(Model):
    text: Annotated[str, StringConstraints(max_length=10_000)]


class StudyWish(Model):
    """A study to be begun: of a match that is over."""

    match: MatchId
    name: str = Field(default="", max_length=80)


class StudyChange(Model):
    """One change of a study.  `revision`: of the study that it was thought out for."""

    revision: int = Field(ge=1, le=1_000_000_000)
    name: str | None = Field(default=None, max_length=80)
    match: MatchId | None = Field(default=None, description="Where: the match itself, or a branch of it.")
    entry: EntryNumber = 0
    comment: str | None = Field(default=None, max_length=600, description="Said of that moment; empty: none.")
    branch: MatchId | None = Field(default=None, description="A match that was begun from that moment.")


class ProgressDocument(Model):
    data: dict[str, Any] = Field(description="Entries by name, each with whole numbers `n` and `at`.")


class PositionAt(Model):
    """A position of one's own: of a setting, as a text; without one an empty box, or a game that is dealt."""

    seats: Annotated[int, Field(ge=1, le=16)] | None = None
    options: Annotated[dict[Word, int | Word], Field(max_length=60)] = {}
    position: PositionText | None = None


class PositionEdit(Model):
    """What is to be where: a number, or a name."""

    path: Annotated[str, StringConstraints(max_length=120)]
    value: int | Word


class PositionQuery(PositionAt):
    dealt: bool = Field(default=False, description="Without a position: a new game after its set-up.")
    scene: Annotated[str, StringConstraints(max_length=60_000)] | None = Field(
        default=None, description="The text of a scene file instead; it says seats and options itself."
    )
    edits: Annotated[list[PositionEdit], Field(max_length=60)] = []
    eye: SeatNumber | None = Field(default=None, description="Whose view is shown; else whose turn it is.")
    describe: bool = Field(default=False, description="Tell the fields, too.")


class PositionScene(PositionAt):
    name: Annotated[str, StringConstraints(max_length=120)] = ""
    note: Annotated[str, StringConstraints(max_length=2000)] = ""


class Problem(BaseModel):
    """Every answer that is no success."""

    model_config = ConfigDict(extra="allow")
    error: str
    reason: str


class Me(BaseModel):
    id: str
    name: str
    account: bool
    token: str | None = None


class Pass(BaseModel):
    code: str
    seconds: float


class Picture(BaseModel):
    svg: str


class Answer(BaseModel):
    """What became of a command.  `state` is what the seat sees now."""

    ok: bool
    repeated: bool = False
    entry: int
    state: dict[str, Any]
