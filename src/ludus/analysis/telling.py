"""An analysis in words: what was chosen and what would have been better, what the dice did, how it adds
up."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from ludus.core.chance import CHANCE, SPECTATOR
from ludus.core.codes import label
from ludus.core.game import Game
from ludus.core.telling import say_choice
from ludus.match.match import Match
from ludus.match.moments import packed_positions
from ludus.match.story import Story

from .analysis import ENDING, WORDS, Row
from .judges import NET
from .verdicts import CLASSES, points
from .walk import CHOICE, THROW

FEWEST = 20  # decisions from which the strength of play is told
SAID = 4  # actions of a plan that are told
FOLLOWED = 24  # actions of a plan that are looked through for ways on the board,
WAYS = 6  # of which so many are told
BESIDE = ("button:", "amount:")  # touches that lie beside the board, not on it


def say_points(lang: str, value: int, sign: bool = False) -> str:
    """Millionths as points, as a language writes them.

    >>> say_points("en", 123_456), say_points("de", -50_000, sign=True)
    ('12.3', '−5,0')
    >>> say_points("en", -20, sign=True)
    '0.0'
    """
    said = f"{points(value):+.1f}" if sign else f"{points(value):.1f}"
    return _number(lang, "0.0" if said in ("+0.0", "-0.0") else said)


def _number(lang: str, said: str) -> str:
    said = said.replace("-", "−")  # as printers write it; a hyphen would be too short
    return said if lang[:2] == "en" else said.replace(".", ",")


class Teller:
    """Tells one analysis of a match in one language."""

    def __init__(self, found: Row, match: Match, lang: str) -> None:
        self.found, self.match, self.lang, self.names = found, match, lang, match.names
        self._packed = packed_positions(match, 0, len(match.entries))
        self._rows = Story(match, SPECTATOR, lang, whole=True)
        self._rows.grow()
        self._told = [row.sentences for row in self._rows.rows()]

    def name(self, seat: int) -> str:
        return self.names[seat] if seat >= 0 else ""

    def plan(self, row: Row, plan: Sequence[int], most: int = SAID) -> list[str]:
        """The first actions of a plan in words; where the truth does not let it go on, it ends."""
        return [
            say_choice(game, self.lang, code, game.sight(game.to_move), self.names)
            for game, code in islice(self._along(row, plan), most)
        ]

    def firsts(self, row: Row, codes: Sequence[int]) -> list[str]:
        """Choices of which only the first action is kept, in words."""
        if not codes:
            return []
        game = self._game_before(row["entry"])
        sight = game.sight(row["seat"])
        return [say_choice(game, self.lang, code, sight, self.names) for code in codes]

    def _along(
        self, row: Row, plan: Sequence[int], forced: bool = False
    ) -> Iterator[tuple[Game[Any, Any], int]]:
        """The game before each action of a plan, also of those that are `forced` if wanted; where the truth
        does not let it go on, it ends."""
        game = self._game_before(row["entry"])
        for code in plan:
            while len(codes := game.legal_codes()) == 1 and code not in codes:
                if forced:
                    yield game, codes[0]
                game.apply(codes[0])
            if code not in codes or game.to_move != row["seat"]:
                return
            yield game, code
            game.apply(code)
        while forced and game.to_move == row["seat"] and len(codes := game.legal_codes()) == 1:
            yield game, codes[0]
            game.apply(codes[0])

    def told_of(self, row: Row, k: int) -> Sequence[int]:
        """What is told of an option.  Where single actions are judged, a plan goes on as the judge would:
        of the one that was played only its first action is told where the seat then went on otherwise."""
        plan: Sequence[int] = row["options"][k]["plan"]
        if k != row["played"] or self.found["unit"] == "turn":
            return plan
        first = bisect_left(self.match.standing, row["entry"])
        line = [played.code for played in self.match.game.line[first:] if played.seat == row["seat"]]
        return plan if line[: len(plan)] == [*plan] else plan[:1]

    def ways(self, row: Row, plan: Sequence[int]) -> list[list[str]]:
        """Where a plan is touched on the board, the first of its ways: each the touches of an action, and of
        those that lead on what it began (`MARCHES` in the title's `gestures.py`), so that a march is one way.
        Where single actions are judged, only the first one is the choice."""
        whole, found = self.found["unit"] == "turn", list[list[str]]()
        marches: Mapping[str, Sequence[str]] = getattr(self.match.setting.title.gestures, "MARCHES", {})
        at, onward = 0, tuple[str, ...]()  # the way that may be led on, and by which kinds
        for game, code in islice(self._along(row, plan, forced=True), FOLLOWED if whole else 1):
            kind = game.title.codes.kind(code)
            touched = [*game.title.talk.touches(game.sight(row["seat"]), code)]
            if kind in onward:
                del found[at + 1 :]  # who goes along
                found[at] += (one for one in touched if not one.startswith(BESIDE))
                continue
            if kind in marches:
                at, onward = len(found), tuple(marches[kind])
            found.append(touched)
        return [way for way in found if not all(one.startswith(BESIDE) for one in way)][:WAYS]

    def _game_before(self, entry: int) -> Game[Any, Any]:
        game = self.match.game.fork()
        game.auto, game.line = False, []
        game.s = game.form.unpack(self._packed[entry - 1])
        return game

    def step(self, row: Row) -> dict[str, Any]:
        """What a page shows of a step beside its numbers."""
        if row["kind"] == CHOICE:
            return {
                "class": WORDS.say(self.lang, f"class.{row['class']}"),
                "plans": [self.plan(row, self.told_of(row, k)) for k in range(len(row["options"]))],
                "others": self.firsts(row, [code for code, _ in row.get("others", ())]),
                "ways": [self.ways(row, self.told_of(row, k)) for k in range(len(row["options"]))],
            }
        if row["kind"] == THROW:
            return {"told": self.thrown(row)}
        return {"told": self.sentence(row)}

    def thrown(self, row: Row) -> str:
        """What was told of a throw; of one die of several, with the last of them."""
        entries, last = self.match.entries, row["until"]
        said = [s for n in range(row["entry"], last + 1) for s in self._told[n - 1]]
        while not said and last < len(entries) and entries[last].who == CHANCE:
            said = list(self._told[last])
            last += 1
        return " ".join(said)

    def sentence(self, row: Row) -> str:
        """A decisive step as a sentence."""
        if row["kind"] == THROW:
            return self._throw(row)
        if row["kind"] == ENDING:
            return self._say("ending", seat=self.name(row["seat"]), points=say_points(self.lang, row["cost"]))
        return self._choice(row)

    def _throw(self, row: Row) -> str:
        brought = row["brought"]
        seat = row["seat"] if row["seat"] >= 0 else max(range(len(brought)), key=lambda p: brought[p])
        key = "throw_good" if brought[seat] >= 0 else "throw_bad"
        told = self.thrown(row) or f"({row['entry']})"
        amount = say_points(self.lang, abs(brought[seat]))
        return self._say(key, told=told, seat=self.name(seat), points=amount)

    def _choice(self, row: Row) -> str:
        """Where turns are compared, the first action in which the better one differs."""
        played, best = row["options"][row["played"]]["plan"], row["options"][0]["plan"]
        whole = self.found["unit"] == "turn"
        both = [[*plan, -1] for plan in (played, best)]
        at = next((k for k, (a, b) in enumerate(zip(*both, strict=False)) if a != b), 0) if whole else 0
        said = [self.plan(row, plan[: at + 1], at + 1) for plan in (played, best)]
        mine, other = ((words[-1] if words else "…") for words in said)
        return self._say(
            "turn" if whole else "choice", seat=self.name(row["seat"]), played=mine, best=other,
            entry=row["entry"], points=say_points(self.lang, row["cost"]),
        )  # fmt: skip

    def _say(self, key: str, **fields: Any) -> str:
        return WORDS.say(self.lang, f"said.{key}", **fields)

    def decisive(self) -> dict[str, list[str]]:
        """The decisions and the throws that decided the match, as sentences."""
        rows = self.found["rows"]
        return {
            name: [self.sentence(rows[n]) for n in places]
            for name, places in self.found["decisive"].items()
        }  # fmt: skip

    def rough(self) -> str:
        """A sentence where the judge was rough, else nothing."""
        if not self.found["rough"]:
            return ""
        return self._say("rough", by=self._say(self.found["by"]))

    def judged(self) -> str:
        """A sentence where chances were compared with results, but no net judged; else nothing."""
        if self.found["rough"] or self.found["by"] == NET:
            return ""
        return self._say("judged", by=self._say(self.found["by"]))

    def sums(self) -> list[str]:
        """For each seat how the result came about, what its decisions cost and how strong that was."""
        said = []
        for p, seat in enumerate(self.found["seats"]):
            said.append(self._sum(p, seat))
            if seat["decisions"]:
                error = _number(self.lang, f"{seat['error']:.2f}")
                named = (
                    f"{WORDS.say(self.lang, f'class.{name}')} {seat['classes'][name]}"
                    for name in CLASSES
                    if name in seat["classes"]
                )
                said.append(
                    self._say(
                        "errors", seat=self.name(p), decisions=seat["decisions"], error=error,
                        classes=", ".join(named),
                    )
                )  # fmt: skip
            if own := self._own_parts(p, seat):
                said.append(own)
            if seat["elo"] is not None:
                said.append(self._strength(p, seat))
        return said

    def _own_parts(self, p: int, seat: Row) -> str:
        """What the decisions of a seat add up from, where that is more than what they cost."""
        own = seat["skill"][p] if seat["skill"] else 0
        gave_up = sum(row["cost"] for row in self.found["rows"] if row["kind"] == ENDING and row["seat"] == p)
        if own == -seat["cost"]:
            return ""
        parts = {"own": own, "cost": -seat["cost"], "ending": -gave_up}
        parts["unseen"] = own + seat["cost"] + gave_up
        shown = {name: say_points(self.lang, value, sign=True) for name, value in parts.items()}
        return self._say("own_ended" if gave_up else "own", seat=self.name(p), **shown)

    def _strength(self, p: int, seat: Row) -> str:
        """How strong that was, and within which bounds; a few decisions say nothing about it."""
        if seat["decisions"] < FEWEST:
            return self._say("few", seat=self.name(p), decisions=seat["decisions"])
        low, high = seat.get("between") or (seat["elo"], seat["elo"])
        known = {"elo": seat["elo"], "near": seat["near"], "low": low, "high": high}
        return self._say("rating" if low < high else "rating_end", seat=self.name(p), **known)

    def note(self) -> str:
        """Why the chances of the choices are others than those of the curve, where something is hidden."""
        return self._say("note") if self.match.setting.title.hides_something else ""

    def _sum(self, p: int, seat: Row) -> str:
        own = seat["skill"][p] if seat["skill"] else 0
        values = {"luck": seat["luck"], "own": own, "others": sum(seat["skill"]) - own}
        if seat["agreed"]:
            values["agreed"] = seat["agreed"]
        shown = {name: say_points(self.lang, value, sign=True) for name, value in values.items()}
        ends = {name: say_points(self.lang, self.found[name][p]) for name in ("start", "result")}
        return self._say("sum_agreed" if seat["agreed"] else "sum", seat=self.name(p), **shown, **ends)

    def dice(self) -> list[dict[str, Any]]:
        """Dice statistics: faces by their names, how often each came, and how often it was to be expected.
        Dice are what the title's words call so (`dice.KIND`)."""
        words = self.match.game.words
        return [
            {
                "of": self.name(one["seat"]),
                "called": words.say(self.lang, f"dice.{one['kind']}"),
                "outcomes": [[self._face(text), count, mean] for text, count, mean in one["outcomes"]],
            }
            for one in self.found["dice"]
            if words.has(f"dice.{one['kind']}")
        ]

    def _face(self, text: str) -> str:
        game = self.match.game
        kind, values = game.title.codes.split(game.title.codes.read(text, game.labels))
        arg = game.title.codes.kinds[kind].args[-1]
        name = label(arg.labels, values[-1], game.labels)
        return game.words.name(self.lang, arg.labels, name) if arg.labels else name


def tell(found: Row, match: Match, lang: str) -> Row:
    """All that a page shows of an analysis in one language, beside its numbers."""
    teller = Teller(found, match, lang)
    return {
        "rough": teller.rough(),
        "judged": teller.judged(),
        "note": teller.note(),
        "decisive": teller.decisive(),
        "sums": teller.sums(),
        "dice": teller.dice(),
        "steps": [teller.step(row) for row in found["rows"]],
    }
