"""One match: what happens between a first deal and a result, whoever sits at the table.

The record is the truth: every change is an entry, and a match is rebuilt by playing its entries
again.  Nothing here knows clocks, networks or files; a server, a terminal and a test use it alike.
`docs/library.md` has an example.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ludus.core.chance import CHANCE, OVER, SPECTATOR, Seeded, Source
from ludus.core.contract import DRAW, LOSS, WIN
from ludus.core.errors import FormatError, IllegalAction, LudusError
from ludus.core.game import Face, Game, Played
from ludus.core.starting import checked_start, read_start
from ludus.core.title import Title

from . import fairness
from .entries import HOUSE, OLDER, Entry, house_text, read_house

NAME_LENGTH = 40
GONE = {"resign": "resigned", "leave": "left", "time_out": "timed_out", "forfeit": "forfeited"}
GIVEN_UP = ("resigned", "forfeited")  # who has lost before the end
FRAMES = 32  # positions after so many latest entries, and after every so many-th, stay at hand


class Stale(LudusError):
    """A command that was made for an earlier moment of the match."""


class NotAllowed(LudusError):
    """Something that this seat may not do now."""


@dataclass(frozen=True)
class Setting:
    """What a match is begun with."""

    title: Title[Any, Any]
    seats: int
    options: Mapping[str, Any]
    names: tuple[str, ...]
    box_name: str = ""  # a box of the title's own that no options make
    data: str = ""  # own data, complete: what `Title.read_own` makes of a file
    start: str = (
        ""  # the position it begins from, complete: what `core.starting` makes of one; "": a new game
    )

    def called(self, lang: str) -> str:
        """What the match is called."""
        return self.title.called(lang, self.options)

    def box(self) -> Any:
        if self.box_name:
            return self.title.small_boxes()[self.box_name]
        return self.title.box_for(self.seats, self.data, **self.options)

    def first(self) -> bytes | None:
        """The position it begins from, packed; None for that of a new game."""
        if not self.start:
            return None
        return self.title.position.pack(read_start(self.title, self.box(), self.start))

    def box_hash(self) -> str:
        if self.box_name:
            return self.title.box.hash(self.box())
        return self.title.kept_box(self.seats, self.data, **self.options).hash


def read_setting(
    title: Title[Any, Any],
    seats: int | None,
    options: Mapping[str, Any],
    names: Sequence[str],
    box_name: str = "",
    data: str = "",
    start: str = "",
) -> Setting:
    """Check what somebody wants to begin; names may be fewer than seats, `data` the text of a data file,
    `start` that of a position."""
    number, values = title.read_setting(seats, options)
    if box_name and box_name not in title.small_boxes():
        raise NotAllowed(f"{title.name} has no box called {box_name!r:.40}")
    if len(names) > number:
        raise NotAllowed(f"{len(names)} names for {number} seats")
    full = tuple(_name(names[p] if p < len(names) else "", p) for p in range(number))
    own = title.read_own(data, values) if data else ""
    setting = Setting(title, number, values, full, box_name, own)
    return replace(setting, start=checked_start(title, setting.box(), start)) if start else setting


def _named(vote: Sequence[str], asked: Proposal) -> int:
    """The entry of the proposal that a vote answers."""
    return asked.entry if len(vote) == OLDER["vote"] else int(vote[2])


def _name(given: str, seat: int) -> str:
    name = " ".join("".join(c for c in given if c.isprintable()).split())[:NAME_LENGTH]
    return name or f"Seat {seat}"


class Proposal(NamedTuple):
    """What a seat asks the others: "draw", or "undo" back to entry `to`.  Answers name its own `entry`."""

    kind: str
    seat: int
    to: int
    entry: int


class Match:
    """A record and the game that it stands for.

    `entries` only grows.  `match_id`, `key` and `nonces` prove the dice; a simulated match has a
    seed instead.
    """

    def __init__(
        self,
        setting: Setting,
        source: Source,
        match_id: str = "",
        key: bytes = b"",
        nonces: Sequence[bytes] = (),
        seed: int | None = None,
        replaying: bool = False,
        form: str = "plain",
    ) -> None:
        self.setting, self.match_id, self.key, self.nonces = setting, match_id, key, tuple(nonces)
        self.seed = seed
        self.names = list(setting.names)
        self.entries: list[Entry] = []
        self.game: Game[Any, Any] = Game(
            setting.title,
            setting.box(),
            seed=0,
            chance="manual",
            source=source,
            form=form,
            start=setting.first(),
        )
        self.standing: list[int] = []  # the entry number of each action of the game's line
        self._played: dict[int, Played] = {}  # by entry number, also what was taken back
        self.status = ["playing"] * setting.seats  # playing, resigned, left, timed_out, forfeited
        self.agreed_draw = False
        self.abandoned = False  # by the last person, who has lost
        self.proposal: Proposal | None = None
        self.votes: set[int] = set()
        self._by_older_rule = False  # somebody has voted as in records of before
        self.frames: dict[int, bytes] = {}  # the position after an entry: a cache for those who look back
        self._note_frame()
        if not replaying:
            self._run_chance()

    @classmethod
    def fair(
        cls,
        setting: Setting,
        match_id: str,
        key: bytes,
        nonces: Sequence[bytes],
        form: str = "plain",
    ) -> Match:
        """A match with provable dice: every seat has seen the commitment and given its nonce."""
        if len(nonces) != setting.seats or any(len(n) != fairness.NONCE_BYTES for n in nonces):
            raise NotAllowed(f"{setting.seats} nonces of {fairness.NONCE_BYTES} bytes are needed")
        source = fairness.source(key, nonces)
        return cls(setting, source, match_id, key, nonces, form=form)

    @classmethod
    def simulated(
        cls,
        title: Title[Any, Any],
        seed: int,
        seats: int | None = None,
        names: Sequence[str] = (),
        **options: Any,
    ) -> Match:
        """A match whose dice come from a seed: for tests and the laboratory, not for people."""
        return cls(read_setting(title, seats, options, names), Seeded(seed), seed=seed)

    def fork(self) -> Match:
        """The same match, to go on with: whatever happens to the one is not seen by the other."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.game = self.game.fork()
        twin.names, twin.entries, twin.standing = self.names[:], self.entries[:], self.standing[:]
        twin._played, twin.frames = self._played.copy(), self.frames.copy()
        twin.status, twin.votes = self.status[:], self.votes.copy()
        return twin

    # -- asking -------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        ended = self.agreed_draw or self.abandoned
        return ended or self.game.to_move == OVER or self._sole_seat() is not None

    @property
    def ending(self) -> str:
        """How it ended: played, agreed, abandoned, resigned, timed_out, or "" while it goes on."""
        if self.agreed_draw:
            return "agreed"
        if self.abandoned:
            return "abandoned"
        if self.game.to_move == OVER:
            return "played"
        if self._sole_seat() is None:
            return ""
        return "timed_out" if self.entries[-1].text.startswith("forfeit") else "resigned"

    @property
    def result(self) -> tuple[int, ...] | None:
        """LOSS, DRAW or WIN for each seat, or None."""
        if self.agreed_draw or self.abandoned:
            return tuple(LOSS if s in GIVEN_UP else DRAW for s in self.status)
        sole = self._sole_seat()
        if self.game.to_move != OVER and sole is not None:
            return tuple(WIN if p == sole else LOSS for p in range(len(self.status)))
        if self.game.outcome is None:
            return None
        return self._without_given_up(self.game.outcome.returns)

    def _sole_seat(self) -> int | None:
        left = [p for p, status in enumerate(self.status) if status not in GIVEN_UP]
        return left[0] if len(left) == 1 else None

    def _without_given_up(self, returns: Sequence[int]) -> tuple[int, ...]:
        """A seat that resigned or forfeited has lost, even if the bot that played on for it came first."""
        kept = [LOSS if self.status[p] in GIVEN_UP else r for p, r in enumerate(returns)]
        if max(kept) == LOSS:
            kept = [LOSS if s in GIVEN_UP else DRAW for s in self.status]
        return tuple(kept)

    def faces(self, seat: int = SPECTATOR) -> list[tuple[Entry, Face | None]]:
        """Every entry as `seat` may see it; house entries have no face.

        Actions that were taken back keep the face they had when they were played.
        """
        return [(entry, self.face(entry, seat)) for entry in self.entries]

    def face(self, entry: Entry, seat: int = SPECTATOR) -> Face | None:
        """One entry as `seat` may see it; None for a house entry."""
        return None if entry.who == HOUSE else self.game.face(self._played[entry.number], seat)

    def played(self, number: int) -> Played | None:
        """The action that an entry stands for, also if it was taken back; None for a house entry."""
        return self._played.get(number)

    def stands(self, number: int) -> bool:
        """Whether an entry stands: an action that was taken back does not, a house entry always does."""
        if number not in self._played:
            return True
        place = bisect_left(self.standing, number)
        return place < len(self.standing) and self.standing[place] == number

    # -- playing ------------------------------------------------------------------------------------

    def play(self, seat: int, actions: Sequence[str], expect: int | None = None) -> None:
        """Play actions of a seat, all or none; then dice and decks until a seat is to move.

        `expect` is the number of the last entry that the player saw.  Nothing may follow an action that
        shows the player something: a list that fails behind it would be taken back, and seen.
        """
        if expect is not None and expect != len(self.entries):
            raise Stale(f"the match has {len(self.entries)} entries by now, not {expect}")
        self._refuse_when_over()
        before, counted = len(self.game.line), len(self.entries)
        try:
            for text in actions:
                # First, so that the answer is the same whatever was revealed.
                if len(self.game.line) > before and self.game.line[-1].reveals:
                    raise NotAllowed(
                        f"{text!r:.60} must be a command of its own: something is revealed first"
                    )
                if self.game.to_move != seat:
                    raise NotAllowed(f"it is not the turn of seat {seat}")
                self._add_action(seat, text)
        except LudusError:
            self.game.rewind(before)
            for number in range(counted + 1, len(self.entries) + 1):
                del self._played[number]
                self.frames.pop(number, None)
            del self.entries[counted:], self.standing[before:]
            raise
        self.proposal = None
        self._run_chance()

    def _refuse_when_over(self) -> None:
        if self.over:
            raise NotAllowed("the match is over; nothing can be changed any more")

    def _add_action(self, who: int, action: str | int) -> None:
        self.game.play(action)
        played = self.game.line[-1]
        self._append(who, self.game.common.text(played.code))
        self.standing.append(len(self.entries))
        self._played[len(self.entries)] = played
        self._note_frame()

    def _note_frame(self) -> None:
        now = len(self.entries)
        self.frames[now] = self.game.packed()
        if (now - FRAMES) % FRAMES:
            self.frames.pop(now - FRAMES, None)

    def _append(self, who: int, text: str) -> None:
        self.entries.append(Entry(len(self.entries) + 1, who, text))

    def _run_chance(self) -> None:
        while self.game.to_move == CHANCE:
            self._add_action(CHANCE, self.game.draw())

    # -- the house ----------------------------------------------------------------------------------

    def undo(self, seat: int, to: int) -> None:
        """Take back one's own latest actions, back to entry `to`, without asking anybody."""
        self._refuse_when_over()
        keep = self._kept(to)
        if keep < self.game.undo_limit(seat):
            raise NotAllowed(
                "this can be taken back only if the others agree: since then dice or cards were drawn, "
                "something was revealed, or another seat has played"
            )
        self._house("undo", seat, to)

    def _kept(self, to: int) -> int:
        """How many actions stand when everything after entry `to` is taken back."""
        if not 0 <= to < len(self.entries):
            raise NotAllowed(f"there is no entry {to} to go back to; the last is {len(self.entries)}")
        keep = sum(number <= to for number in self.standing)
        if keep == len(self.standing):
            raise NotAllowed(f"nothing has been played since entry {to}")
        return keep

    def propose(self, seat: int, kind: str, to: int = 0) -> None:
        """Ask the others for a draw, or to take back to entry `to`."""
        self._refuse_when_over()
        self._require_seat(seat)
        if kind not in ("undo", "draw"):
            raise NotAllowed(f"a proposal is undo or draw, not {kind!r:.20}")
        if kind == "undo":
            self._kept(to)
        absent = self._overruled(kind, to)
        if absent is not None:
            raise NotAllowed(
                f"nobody sits at seat {absent} to be asked: what it has played, or what was drawn or "
                "revealed, cannot be taken back without it, nor a draw agreed"
            )
        self._house(*(("propose_undo", seat, to) if kind == "undo" else ("propose_draw", seat)))

    def vote(self, seat: int, yes: bool, proposal: int) -> None:
        """Answer the proposal of an entry; when all seats that must be asked have agreed, it happens."""
        self._refuse_when_over()
        self._require_seat(seat)
        asked = self.proposal
        if asked is None or asked.entry != proposal:
            raise Stale(f"what was proposed by entry {proposal} does not stand any more")
        if seat in self.votes:
            raise NotAllowed("there is nothing to vote on for this seat")
        self._house("vote", seat, "yes" if yes else "no", proposal)
        if yes and self._all_agree(asked):
            self._house(*(("draw",) if asked.kind == "draw" else ("undo", asked.seat, asked.to)))

    def _all_agree(self, asked: Proposal) -> bool:
        agreed = all(p in self.votes for p, status in enumerate(self.status) if status == "playing")
        return agreed and (self._by_older_rule or self._overruled(asked.kind, asked.to) is None)

    def _overruled(self, kind: str, to: int) -> int | None:
        """An empty seat over whose head this would be done.

        It agrees to no draw, and lets nothing be taken back that it has played itself, or that was drawn
        or revealed.
        """
        empty = [p for p, status in enumerate(self.status) if status in ("left", "timed_out")]
        if empty and (kind == "draw" or self.shown_since(to)):
            return empty[0]
        back = {played.seat for played in self.game.line[self._kept(to) :]} if empty else set()
        return next((p for p in empty if p in back), None)

    def shown_since(self, to: int) -> bool:
        """Whether dice or cards that stand were drawn, or something was revealed, after entry `to`."""
        return any(played.seat == CHANCE or played.reveals for played in self.game.line[self._kept(to) :])

    def resign(self, seat: int) -> None:
        self._change_status(seat, "resign")

    def leave(self, seat: int) -> None:
        self._change_status(seat, "leave")

    def time_out(self, seat: int) -> None:
        self._change_status(seat, "time_out")

    def forfeit(self, seat: int) -> None:
        """Who has run out of time has lost: the last one left wins, of several the others play on."""
        self._change_status(seat, "forfeit")

    def abandon(self) -> None:
        """Whoever has lost was the last person, and nobody watches how bots play on: it ends undecided
        between them."""
        self._refuse_when_over()
        self._require_given_up()
        self._house("abandon")

    def _require_given_up(self) -> None:
        if not any(status in GIVEN_UP for status in self.status):
            raise NotAllowed("nobody has given up: no match ends undecided between those who play")

    def _change_status(self, seat: int, kind: str) -> None:
        self._refuse_when_over()
        self._require_seat(seat)
        if not self._can_go(seat, kind):
            why = "has not run out of time" if kind == "forfeit" else "is not playing any more"
            raise NotAllowed(f"seat {seat} {why}")
        self._house(kind, seat)

    def _can_go(self, seat: int, kind: str) -> bool:
        """An empty seat can still run out of time; only who has run out of time forfeits."""
        if kind == "forfeit":
            return self.status[seat] == "timed_out"
        return self.status[seat] == "playing" or (kind == "time_out" and self.status[seat] == "left")

    def claim(self, seat: int, name: str) -> None:
        """A person takes a seat whose player has left, with the time that the seat has; or their own again
        from the bot that has played on in it (whose that was the house knows)."""
        if 0 <= seat < self.setting.seats and self.status[seat] == "timed_out":
            raise NotAllowed(f"seat {seat} ran out of time: a bot can play on for it, nobody else")
        self._fill_seat(seat, name, "claim")

    def take_over(self, seat: int, name: str) -> None:
        """A bot takes a seat whose player has left or run out of time, or plays on for one that has lost."""
        self._fill_seat(seat, name, "take_over")

    def _fill_seat(self, seat: int, name: str, kind: str) -> None:
        self._refuse_when_over()
        self._require_seat(seat)
        if not self._can_fill(seat, kind) or (kind == "claim" and self.status[seat] in GIVEN_UP):
            raise NotAllowed(f"seat {seat} is not free")
        self._house(kind, seat, _name(name, seat))

    def _can_fill(self, seat: int, kind: str) -> bool:
        return self.status[seat] != "playing" or (kind == "claim" and self._was_taken_over(seat))

    def _was_taken_over(self, seat: int) -> bool:
        """Whether a bot has come to a seat last."""
        came = [f"{kind} {seat} " for kind in ("claim", "take_over")]
        last = next((e.text for e in reversed(self.entries) if e.text.startswith(tuple(came))), "")
        return last.startswith("take_over")

    def _require_seat(self, seat: int) -> None:
        if not 0 <= seat < self.setting.seats:
            raise NotAllowed(f"there is no seat {seat}")

    def _house(self, kind: str, *arguments: object) -> None:
        self._append(HOUSE, house_text(kind, *arguments))
        self._obey(kind, [str(a) for a in arguments])
        if kind == "undo":
            self._run_chance()

    def _obey(self, kind: str, arguments: list[str]) -> None:
        """What a house entry changes; the same when it is made and when it is read again."""
        seat = int(arguments[0]) if arguments else -1
        if kind == "undo":
            keep = sum(number <= int(arguments[1]) for number in self.standing)
            self.game.rewind(keep)
            del self.standing[keep:]
            self.proposal = None
        elif kind in ("propose_undo", "propose_draw"):
            to = int(arguments[1]) if kind == "propose_undo" else 0
            self.proposal = Proposal(kind.removeprefix("propose_"), seat, to, len(self.entries))
            self.votes, self._by_older_rule = {seat}, False
        elif kind == "vote" and arguments[1] == "yes":
            self.votes.add(seat)
            self._by_older_rule |= len(arguments) == OLDER["vote"]
        elif kind == "vote":
            self.proposal = None
        elif kind == "draw":
            self.agreed_draw = True
        elif kind == "abandon":
            self.abandoned = True
        elif kind in GONE:
            self.status[seat] = GONE[kind]
        elif kind in ("claim", "take_over"):
            self.names[seat] = arguments[1]
            if self.status[seat] not in GIVEN_UP:
                self.status[seat] = "playing"
        self._note_frame()

    # -- snapshots ------------------------------------------------------------------------------------

    def snapshot(self) -> dict[str, Any]:
        """All that reading the record again would give, as plain data.

        A cache, never the truth: it holds codes, so it is good only for the rules that made it.
        """
        return {
            "entries": len(self.entries),
            "position": self.game.packed().hex(),
            "played": [[n, p.seat, p.code, p.seen, int(p.reveals)] for n, p in self._played.items()],
            "standing": self.standing,
            "status": self.status,
            "names": self.names,
            "agreed_draw": self.agreed_draw,
            "abandoned": self.abandoned,
            "proposal": self.proposal,
            "votes": sorted(self.votes),
            "frames": {str(n): data.hex() for n, data in self.frames.items() if n % FRAMES == 0},
        }

    def resume(self, entries: Sequence[Entry], snapshot: Mapping[str, Any]) -> None:
        """Stand where a snapshot of this record stood; `entries` are those it was made from.

        Only for a match that was begun with `replaying` and has read nothing yet.
        """
        if len(entries) != snapshot["entries"] or self.entries:
            raise FormatError("the snapshot does not belong to these entries")
        self.entries = list(entries)
        self._played = {n: Played(seat, code, seen, bool(r)) for n, seat, code, seen, r in snapshot["played"]}
        self.standing = list(snapshot["standing"])
        self.status, self.names = list(snapshot["status"]), list(snapshot["names"])
        self.agreed_draw, self.votes = bool(snapshot["agreed_draw"]), set(snapshot["votes"])
        self.abandoned = bool(snapshot.get("abandoned", False))  # snapshots of before have none
        proposal = snapshot["proposal"]
        self.proposal = Proposal(*proposal) if proposal else None
        game = self.game
        game.s = game.form.unpack(bytes.fromhex(snapshot["position"]))
        game.line = [self._played[n] for n in self.standing]
        game.chances = sum(p.seat == CHANCE for p in game.line)
        self.frames.update({int(n): bytes.fromhex(data) for n, data in snapshot["frames"].items()})
        self._note_frame()

    # -- reading a record again -----------------------------------------------------------------------

    def read_entry(self, entry: Entry) -> None:
        """Play an entry of a stored record again; LudusError when it could not have happened."""
        if self.over:
            raise NotAllowed("the match was over before this entry")
        if entry.who == HOUSE:
            kind, arguments = read_house(entry.text)
            self._could_have(kind, arguments)
            self._append(HOUSE, entry.text)
            self._obey(kind, arguments)
        elif entry.who != self.game.to_move:
            raise IllegalAction(f"it was not the turn of {'chance' if entry.who == CHANCE else entry.who}")
        else:
            self._add_action(entry.who, entry.text)
            if self.entries[-1].text != entry.text:
                raise FormatError(f"{entry.text!r:.40} is written {self.entries[-1].text!r}")
            if entry.who != CHANCE:
                self.proposal = None  # as when it was played: a move answers what was proposed

    def _could_have(self, kind: str, arguments: list[str]) -> None:
        """Refuse a house entry that the house could not have made here."""
        asked = self.proposal
        if kind == "draw":
            if asked is None or asked.kind != "draw" or not self._all_agree(asked):
                raise NotAllowed("not all seats had agreed to a draw")
            return
        if kind == "abandon":
            self._require_given_up()
            return
        seat = int(arguments[0])
        self._require_seat(seat)
        if kind == "propose_undo":
            self._kept(int(arguments[1]))
        elif kind == "undo":
            to = int(arguments[1])
            agreed = asked is not None and asked[:3] == ("undo", seat, to) and self._all_agree(asked)
            if self._kept(to) < self.game.undo_limit(seat) and not agreed:
                raise NotAllowed(f"seat {seat} could not take this back alone")
        elif kind == "vote":
            if asked is None or seat in self.votes or _named(arguments, asked) != asked.entry:
                raise NotAllowed("there was nothing to vote on")
        elif kind in GONE and not self._can_go(seat, kind):
            raise NotAllowed(f"seat {seat} was not playing any more")
        elif kind in ("claim", "take_over") and not self._can_fill(seat, kind):
            raise NotAllowed(f"seat {seat} was not free")
