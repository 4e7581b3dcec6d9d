"""An analysis in words: what was chosen and what would have been better, what the dice did, how it adds
up."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import islice
from typing import Any

from ludus.bots import bot_names
from ludus.core.chance import CHANCE, SPECTATOR
from ludus.core.codes import label
from ludus.core.game import Game
from ludus.core.telling import say_choice
from ludus.match.match import Match
from ludus.match.moments import packed_positions
from ludus.match.story import Story

from .analysis import ENDING, WORDS, Row
from .calibration import calibration_name, load
from .judges import NET
from .strength import Performance
from .verdicts import CLASSES, WHOLE, in_tenths, points
from .walk import CHOICE, THROW

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


def say_amount(lang: str, said: str) -> str:
    """A number of points with its noun, as a language counts: only a whole 1 is one, in French all below 2.

    >>> say_amount("en", "1"), say_amount("en", "1.0"), say_amount("fr", "1,25"), say_amount("fr", "2,0")
    ('1 percentage point', '1.0 percentage points', '1,25 point', '2,0 points')
    """
    one = abs(float(said.replace(",", ".").replace("−", "-"))) < 2 if lang[:2] == "fr" else said == "1"
    return f"{said} {WORDS.say(lang, 'points.one' if one else 'points.many')}"


def bots_called(names: Sequence[str], also: Collection[str] = ()) -> set[int]:
    """The seats of which the names say that a bot sits there; `also`: what else bots are called.

    >>> sorted(bots_called(["Anna", "miles II (bot)", "Tiro", "Tiro Magnus", "Recrue III"], ["Recrue"]))
    [1, 2, 4]
    """
    known = {name.lower() for name in (*bot_names(), *also)}

    def is_bot(name: str) -> bool:
        base, _, count = name.lower().rpartition(" ")
        return name.endswith(" (bot)") or name.lower() in known or (base in known and not count.strip("ivx"))

    return {p for p, name in enumerate(names) if is_bot(name)}


def _number(lang: str, said: str) -> str:
    said = said.replace("-", "−")  # as printers write it; a hyphen would be too short
    return said if lang[:2] == "en" else said.replace(".", ",")


class Teller:
    """Tells one analysis of a match in one language: to whoever played as seat `me`, where that is one seat,
    else in the third person.  `bots`: the seats at which bots play, where their names do not say it."""

    def __init__(
        self, found: Row, match: Match, lang: str, me: int | None = None, bots: Collection[int] | None = None
    ) -> None:
        self.found, self.match, self.lang, self.names = found, match, lang, match.names
        self.me, self.two = me, match.setting.seats == 2
        self.bots = bots_called(match.names) if bots is None else bots
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

    def listed(self, row: Row, plan: Sequence[int]) -> list[str]:
        """The same as a page lists it: what is left out is hinted at."""
        said = self.plan(row, plan, SAID + 1)
        return [*said[:SAID], "…"] if len(said) > SAID else said

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
                "plans": [self.listed(row, self.told_of(row, k)) for k in range(len(row["options"]))],
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
            return self._of(row["seat"], "ending", points=say_points(self.lang, row["cost"]))
        return self._choice(row)

    def _throw(self, row: Row) -> str:
        brought = row["brought"]
        seat = row["seat"] if row["seat"] >= 0 else max(range(len(brought)), key=lambda p: brought[p])
        if self.two and self.me is not None:
            seat = self.me  # what it gave to one it took from the other
        key = "throw_good" if brought[seat] >= 0 else "throw_bad"
        told = self._my_dice(row) or self.thrown(row) or f"({row['entry']})"
        return self._of(seat, key, told=told, points=self._amount(abs(brought[seat])))

    def _my_dice(self, row: Row) -> str:
        """My own throw of nothing but dice, of which the record tells by my name; else nothing."""
        codes, match = self.match.game.title.codes, self.match
        line = zip(match.standing, match.game.line, strict=True)
        thrown = [one.code for entry, one in line if row["entry"] <= entry <= row["until"]]
        kinds = {codes.kind(code) for code in thrown}
        if row["seat"] != self.me or self.name(row["seat"]) not in self.thrown(row):
            return ""
        if not all(match.game.words.has(f"dice.{kind}") for kind in kinds):
            return ""
        faces = ", ".join(self._face(codes.text(code, match.game.labels)) for code in thrown)
        return WORDS.say(self.lang, "you.thrown", faces=faces)

    def _choice(self, row: Row) -> str:
        """Where turns are compared, the first action in which the better one differs."""
        played, best = row["options"][row["played"]]["plan"], row["options"][0]["plan"]
        whole = self.found["unit"] == "turn"
        both = [[*plan, -1] for plan in (played, best)]
        at = next((k for k, (a, b) in enumerate(zip(*both, strict=False)) if a != b), 0) if whole else 0
        said = [self.plan(row, plan[: at + 1], at + 1) for plan in (played, best)]
        mine, other = ((words[-1] if words else "…") for words in said)
        return self._of(
            row["seat"], "turn" if whole else "choice", played=mine, best=other, entry=row["entry"],
            points=self._amount(row["cost"]),
        )  # fmt: skip

    def _say(self, key: str, **fields: Any) -> str:
        return WORDS.say(self.lang, f"said.{key}", **fields)

    def _of(self, p: int, key: str, **fields: Any) -> str:
        """A sentence about a seat, or to who plays as it."""
        if p >= 0 and p == self.me:
            return WORDS.say(self.lang, f"you.{key}", **fields)
        return self._say(key, seat=self.name(p), **fields)

    def _amount(self, value: int) -> str:
        return say_amount(self.lang, say_points(self.lang, value))

    def headline(self) -> str:
        """How it ended, what the decisions cost, and what luck did, in one sentence."""
        result = self.found["result"]
        ahead = [p for p, share in enumerate(result) if share > 0]
        p = ahead[0] if self.me is None else self.me
        if self.me is None and len(ahead) > 1:
            names = ", ".join(self.name(q) for q in ahead)
            return self._head("shared", False, seats=names) + "."
        if len(ahead) == 1 and self.me is None:
            how = self._head("won", False, seat=self.name(p))
        else:
            how = self._head("lost" if not result[p] else "won" if result[p] == WHOLE else "shared", True)
        said, colon = self._costs(p), "\u00a0: " if self.lang[:2] == "fr" else ": "
        if any(row["kind"] == THROW for row in self.found["rows"]):
            luck = self.found["seats"][p]["luck"]
            key = "lucky" if round(points(luck)) > 0 else "unlucky" if round(points(luck)) < 0 else "even"
            said.append(self._head(key, self.me is not None and key != "even", p, abs(luck)))
        return f"{how}{colon}{', '.join(said)}."

    def _costs(self, p: int) -> list[str]:
        """What the decisions of a seat cost, and those of the other one of two."""
        mine, seats = self.me is not None, self.found["seats"]
        amount = say_amount(self.lang, f"{points(seats[p]['cost']):.0f}")
        name = self.name(p)
        said = [WORDS.say(self.lang, "head.cost_you" if mine else "head.cost", seat=name, points=amount)]
        if gave_up := self._gave_up(p):
            said.append(self._head("ending", False, p, gave_up))
        if self.two:
            said.append(self._head("other", mine, 1 - p, seats[1 - p]["cost"]))
            if gave_up := self._gave_up(1 - p):
                said.append(self._head("other_end", mine, 1 - p, gave_up))
        return said

    def _head(self, key: str, mine: bool, p: int = CHANCE, value: int = 0, **fields: Any) -> str:
        """A part of the headline; the unit stands in the first one."""
        shown = {"seat": self.name(p), "points": f"{points(value):.0f}"} | fields
        return WORDS.say(self.lang, f"head.{key}_you" if mine else f"head.{key}", **shown)

    def _gave_up(self, p: int) -> int:
        """What a seat lost by giving up."""
        return sum(row["cost"] for row in self.found["rows"] if row["kind"] == ENDING and row["seat"] == p)

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
        """For each seat how the result came about, and what its decisions cost; one's own first."""
        said = []
        seats = self.found["seats"]
        for p in sorted(range(len(seats)), key=lambda p: p != self.me):
            seat = seats[p]
            if not self.two or self.me in (None, p):  # of two the other one's are the same, turned round
                said.append(self._sum(p, seat))
            if seat["decisions"]:
                error = _number(self.lang, f"{seat['error']:.2f}")
                named = (
                    f"{WORDS.say(self.lang, f'class.{name}')} {seat['classes'][name]}"
                    for name in CLASSES
                    if name in seat["classes"]
                )
                amount = say_amount(self.lang, error)
                said.append(
                    self._of(
                        p, "errors", decisions=seat["decisions"], points=amount, classes=", ".join(named)
                    )
                )
            if own := self._own_parts(p, seat):
                said.append(own)
        return said

    def _own_parts(self, p: int, seat: Row) -> str:
        """What the decisions of a seat add up from, where that is more than what they cost."""
        own, gave_up = seat["skill"][p] if seat["skill"] else 0, self._gave_up(p)
        if own == -seat["cost"]:
            return ""
        shown_own = self._parts(p, seat)[2]
        values = in_tenths([-seat["cost"], -gave_up, own + seat["cost"] + gave_up], shown_own)
        parts = {"own": shown_own, **dict(zip(("cost", "ending", "unseen"), values, strict=True))}
        shown = {name: say_points(self.lang, value, sign=True) for name, value in parts.items()}
        hidden = self.match.setting.title.hides_something
        rest = WORDS.say(self.lang, "rest.hidden" if hidden else "rest.open")
        return self._of(p, "own_ended" if gave_up else "own", rest=rest, **shown)

    def strengths(self) -> list[str]:
        """How strong each person played, one's own first; of bots that is known."""
        seats = self.found["seats"]
        return [
            self._strength(p, seats[p])
            for p in sorted(range(len(seats)), key=lambda p: p != self.me)
            if seats[p]["elo"] is not None and p not in self.bots
        ]

    def _strength(self, p: int, seat: Row) -> str:
        """How strong that was, and within which bounds; a few decisions say nothing about it, nor do those
        that may be of several levels."""
        low, high = seat.get("between") or (seat["elo"], seat["elo"])
        setting, found = self.match.setting, Performance(seat["elo"], low, high, seat["near"])
        rungs = load(setting.title, calibration_name(setting.title, setting.box())).rungs
        if not found.is_told(seat["decisions"], rungs):
            return self._of(p, "few", decisions=seat["decisions"])
        return self._of(p, "rating" if low < high else "rating_end", **asdict(found))

    def note(self) -> str:
        """Why the chances of the choices are others than those of the curve, where something is hidden."""
        return self._say("note") if self.match.setting.title.hides_something else ""

    def _sum(self, p: int, seat: Row) -> str:
        start, *parts = self._parts(p, seat)
        names = ("luck", "own", "others", "agreed")
        shown = {
            name: say_points(self.lang, value, sign=True) for name, value in zip(names, parts, strict=True)
        }
        ends = {"start": start, "result": self.found["result"][p]}
        shown |= {name: say_points(self.lang, value) for name, value in ends.items()}
        shown["whose"] = WORDS.say(self.lang, "whose.two" if self.two else "whose.many")
        return self._of(p, "sum_agreed" if seat["agreed"] else "sum", **shown)

    def _parts(self, p: int, seat: Row) -> list[int]:
        """The start, luck, own decisions, those of others and what was agreed, as they are shown."""
        own = seat["skill"][p] if seat["skill"] else 0
        found, others = self.found, sum(seat["skill"]) - own
        return in_tenths([found["start"][p], seat["luck"], own, others, seat["agreed"]], found["result"][p])

    def dice(self) -> list[dict[str, Any]]:
        """Dice statistics: faces by their names, how often each came, and how often it was to be expected.
        Dice are what the title's words call so (`dice.KIND`)."""
        words = self.match.game.words
        return [
            {
                "of": WORDS.say(self.lang, "you.name") if one["seat"] == self.me else self.name(one["seat"]),
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


def tell(
    found: Row, match: Match, lang: str, me: int | None = None, bots: Collection[int] | None = None
) -> Row:
    """All that a page shows of an analysis in one language, beside its numbers."""
    teller = Teller(found, match, lang, me, bots)
    return {
        "headline": teller.headline(),
        "rough": teller.rough(),
        "judged": teller.judged(),
        "note": teller.note(),
        "decisive": teller.decisive(),
        "strengths": teller.strengths(),
        "sums": teller.sums(),
        "dice": teller.dice(),
        "steps": [teller.step(row) for row in found["rows"]],
    }
