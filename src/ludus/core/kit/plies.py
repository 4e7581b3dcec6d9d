"""What must hold at every ply, whoever may see it: codes, texts, copies, forms, undo, touches."""

from __future__ import annotations

from typing import Any

from ..chance import CHANCE, OVER, below
from ..contract import DRAW, LOSS, WIN
from ..forms import Form
from ..game import Game
from ..touches import faulty
from .findings import Broken, Counts


def check_listing(game: Game[Any, Any]) -> list[int]:
    """The legal list, or the outcomes of chance: there are some, unique, readable both ways."""
    form, title = game.form, game.title
    before = form.pack(game.s)
    mover = form.to_move(game.s)
    if mover == OVER:
        return []
    if mover == CHANCE:
        outcomes = form.odds(game.s)
        codes = [code for code, _ in outcomes]
        if any(weight < 1 for _, weight in outcomes):
            raise Broken("odds are positive", f"{outcomes}")
    else:
        codes = form.legal(game.s)
    if not codes:
        raise Broken("no dead end", f"nothing can be played and the game is not over (to move: {mover})")
    if len(set(codes)) != len(codes):
        raise Broken("codes are unique", f"{sorted(codes)}")
    for code in codes:
        if not 0 <= code < title.codes.size:
            raise Broken("codes exist", f"{code} was listed; codes are 0 to {title.codes.size - 1}")
        text = title.codes.text(code, game.labels)
        if title.codes.read(text, game.labels) != code or title.codes.code(*_parts(game, code)) != code:
            raise Broken("text and code both ways", f"{code} is written {text!r}")
        form.seen(game.s, code)
    form.check(game.s)
    if form.pack(game.s) != before:
        raise Broken("asking changes nothing", "legal, odds, seen, to_move or check changed the position")
    return codes


def _parts(game: Game[Any, Any], code: int) -> tuple[Any, ...]:
    kind, arguments = game.title.codes.split(code)
    return kind, *arguments


def check_position(game: Game[Any, Any]) -> None:
    """Invariants, and every form of the position reads back to the same bytes."""
    form, layout = game.form, game.title.position
    broken = form.check(game.s)
    if broken:
        raise Broken("invariants hold", game.title.words.say("en", f"invariant.{broken}"))
    data = form.pack(game.s)
    plain = form.plain(game.s)
    copy = form.copy(game.s)
    if form.pack(copy) != data or form.pack(form.unpack(data)) != data:
        raise Broken("copies are equal", "a copy or the position read back from bytes differs")
    if layout.pack(layout.read(layout.text(plain))) != data:
        raise Broken("the text reads back", layout.text(plain)[:200])
    if not layout.equal(layout.from_json(layout.json(plain)), plain):
        raise Broken("the JSON reads back", str(layout.json(plain))[:200])


def check_copy_is_independent(game: Game[Any, Any], code: int) -> None:
    """Playing on a copy leaves the original as it was."""
    data = game.form.pack(game.s)
    copy = game.form.copy(game.s)
    game.form.apply(copy, code)
    if game.form.pack(game.s) != data:
        raise Broken("copies are independent", "playing on a copy changed the original")


def check_result(game: Game[Any, Any]) -> None:
    """A game that is over says what came of it: somebody has won, or some share the first place."""
    returns = game.form.returns(game.s)
    if not set(returns) <= {LOSS, DRAW, WIN}:
        raise Broken("a game has a result", f"returns wrote {returns}; each is LOSS, DRAW or WIN")
    if len(returns) > 1 and set(returns) == {LOSS}:
        raise Broken("a game has a result", "it is over, and returns wrote neither WIN nor DRAW for any seat")


class Twin:
    """The other form, walking along: equal lists, masks, movers and bytes at every ply."""

    def __init__(self, form: Form[Any]) -> None:
        self.form = form
        self.s = form.new()

    def check(self, game: Game[Any, Any], listed: list[int], code: int | None) -> None:
        """Compare before `code` is played, then play it on this side too."""
        mover = self.form.to_move(self.s)
        if mover != game.form.to_move(game.s) or self.form.check(self.s) != game.form.check(game.s):
            raise Broken("plain and compiled agree", "to_move or check differ")
        if self.form.pack(self.s) != game.form.pack(game.s):
            raise Broken("plain and compiled agree", self._first_difference(game))
        if mover == CHANCE:
            if self.form.odds(self.s) != game.form.odds(game.s):
                raise Broken("plain and compiled agree", "odds differ")
        elif mover != OVER and self.form.legal(self.s) != listed:
            raise Broken("plain and compiled agree", "legal lists differ")
        if mover == OVER and self.form.returns(self.s) != game.form.returns(game.s):
            raise Broken("plain and compiled agree", "returns differ")
        if code is not None:
            if self.form.seen(self.s, code) != game.form.seen(game.s, code):
                raise Broken("plain and compiled agree", "seen differs")
            self.form.apply(self.s, code)

    def _first_difference(self, game: Game[Any, Any]) -> str:
        here, there = game.form.plain(game.s), self.form.plain(self.s)
        for f in game.title.position.fields:
            a, b = getattr(here, f.name), getattr(there, f.name)
            if a != b:
                return f"{f.name}: {game.form.name} {a}, {self.form.name} {b}"
        return "bytes differ, fields do not"


def check_undo(game: Game[Any, Any], packed: list[bytes], rng: list[int]) -> None:
    """As far back as the last seat may go, and to a place on the way; `packed` are the bytes before
    each action."""
    if not game.line:
        return
    seat = game.line[-1].seat
    limit = game.undo_limit(seat) if seat >= 0 else len(game.line)
    depth = len(game.line) - limit
    for n in {limit, limit + below(rng, depth)} if depth else set():
        twin = game.copy()
        twin.rewind(n)
        if twin.form.pack(twin.s) != packed[n]:
            raise Broken("undo goes back exactly", f"to action {n} of {len(game.line)}")
    for played in game.line[limit:]:
        if played.seat != seat or played.reveals:
            raise Broken("undo stops in time", "an action of another seat or a reveal could be taken back")


def check_touches(game: Game[Any, Any]) -> None:
    problem = faulty(game)
    if problem:
        raise Broken("paths of touches", problem)


def ask_why_not(game: Game[Any, Any], listed: list[int], rng: list[int], counts: Counts) -> None:
    """Ask for the reason of one random action that is not legal; chance's own kinds are not asked."""
    code = below(rng, game.title.codes.size)
    if code in listed:
        return
    rule = game.title.talk.why_not(game.sight(game.to_move), code)
    counts.refusals += 1
    if rule:
        counts.explained += 1
        if not game.title.words.has(f"rule.{rule}"):
            raise Broken("reasons are written down", f"rule {rule!r} has no words")
