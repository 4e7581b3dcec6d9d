"""Roma: which numbered rule forbids an action.  The numbers stand in RULES.md and in the words."""

from __future__ import annotations

from ludus.core.codes import label
from ludus.core.sight import Sight
from ludus.core.telling import Line

from . import layout as at
from .layout import Box, Position
from .rules.dice import dice_left, has_die
from .rules.legal import gains_something

Seen = Sight[Position, Box]

MOVED = (at.SECOND_DIE, at.THIRD_DIE, at.EXTRA_DIE, at.CHANGE_DIE)
TURN_ACTS = ("money", "cards", "activate", "lay", "end")
# Where an action belongs, and the rule to name when it is tried elsewhere.
HOME: dict[str, tuple[tuple[int, ...], str]] = {
    "pass": ((at.PASS,), "R2"),
    "place": ((at.PLACE,), "R3"),
    "accept": ((at.TRIPLE,), "R8"),
    "rethrow": ((at.TRIPLE,), "R8"),
    "keep": ((at.KEEP,), "R17"),
    "add": ((at.SECOND_DIE, at.THIRD_DIE, at.EXTRA_DIE), "P12"),
    "decline": ((at.THIRD_DIE, at.EXTRA_DIE), "P12"),
    "raise": ((at.CHANGE_DIE,), "R54"),
    "lower": ((at.CHANGE_DIE,), "R54"),
    "target": ((at.TARGET,), "P13"),
    "block": ((at.BLOCK,), "R44"),
    "copy": ((at.COPY,), "R48"),
    "buy": ((at.BUY,), "R30"),
    "take": ((at.SEARCH, at.FETCH), "P14"),
    "done": ((at.FREE_LAY,), "P15"),
}


def why_not(sight: Seen, code: int) -> str:
    """Asked only for actions that are not legal."""
    kind, args = at.CODES.split(code)
    s = sight.s
    if kind in ("draw", "roll", "battle"):
        return "P4"
    if s.phase == at.ENDED:
        return "R64"
    if kind in TURN_ACTS:
        return _not_in_turn(sight, kind) or _not_this_act(sight, kind, args)
    phases, rule = HOME[kind]
    if s.phase not in phases:
        return _not_yet(s, kind) or rule
    return _not_this_choice(sight, kind, args)


def _not_yet(s: Position, kind: str) -> str:
    """The set-up comes first; and what was possible a moment ago may be over."""
    if s.phase in (at.PASS, at.PLACE) and kind not in ("pass", "place"):
        return "P10"
    if s.phase == at.SECOND_DIE and kind == "decline":
        return "R33"
    if s.phase == at.ACT and kind in ("accept", "rethrow"):
        return "R74"
    return ""


def _not_in_turn(sight: Seen, kind: str) -> str:
    """Why phase 3 with its four possibilities is not going on."""
    phase = sight.s.phase
    if phase in (at.PASS, at.PLACE):
        return "P10"
    if phase == at.TRIPLE:
        return "R74"
    if phase == at.KEEP:
        return "R17"
    if phase in (at.FREE_LAY, at.RELAY):
        return "" if kind == "lay" else "R73"
    return "" if phase == at.ACT else "P11"


def _not_this_act(sight: Seen, kind: str, args: tuple[int, ...]) -> str:
    s = sight.s
    if kind == "lay":
        return _not_this_lay(sight, *args)
    if kind == "end":  # always legal in phase 3
        return "R10"
    if not has_die(s, args[0]):
        return "P5"
    if kind == "cards":
        return "R20"
    return _not_this_card(sight, args[0])


def _not_this_card(sight: Seen, disc: int) -> str:
    """R15 in its many forms."""
    s = sight.s
    card = s.board[s.player][disc]
    if card == at.NONE:
        return "R15"
    if s.blocked[s.player][disc]:
        return "R44"
    if card == at.SCAENICUS:
        return "R70"
    if card == at.HARUSPEX:
        return "R71"
    if card in (at.FORUM, at.CONSUL):
        return "R33" if card == at.FORUM else "R54"
    return "R15" if gains_something(s, card) else "R16"


def _not_this_lay(sight: Seen, card: int, disc: int) -> str:
    s, box = sight.s, sight.box
    if s.phase == at.RELAY:
        if card not in s.lifted:
            return "R73"
        return "R56" if s.relaid[disc] else "P16"
    if s.hand[s.player][card] == 0:
        return "P9"
    if s.phase == at.FREE_LAY:
        wanted = at.BUILDING if s.effect == at.ARCHITECTUS else at.PERSON
        return "R73" if box.kind[card] != wanted else ""
    return "R21"


def _not_this_choice(sight: Seen, kind: str, args: tuple[int, ...]) -> str:
    """The action belongs to this phase, but not with these arguments."""
    s, box = sight.s, sight.box
    if kind in ("pass", "place"):
        return "P9" if s.hand[s.player][args[0]] == 0 else "R3"
    if kind == "keep":
        return "R17"
    if kind == "add":
        return "P5"
    if kind in ("raise", "lower"):
        return "R54" if has_die(s, args[0]) else "P5"
    if kind == "target":
        return "P13"
    if kind == "copy":
        return _not_this_copy(sight, args[0])
    if kind == "buy":
        affordable = args[0] <= min(s.money[s.player] // at.MERCATOR_PRICE, s.points[1 - s.player])
        return "R16" if affordable and box.zero_gain_refused else "R30"
    return "F5" if s.phase == at.SEARCH else "R62"  # take


def _not_this_copy(sight: Seen, card: int) -> str:
    s = sight.s
    if card not in s.board[s.player] or sight.box.kind[card] != at.PERSON:
        return "R48"
    return "R50" if card == at.SCAENICUS else "R70"


# -- at this moment -----------------------------------------------------------------------------------


def because(sight: Seen, code: int) -> Line | None:
    """What stands against an action now, with its numbers."""
    kind, args = at.CODES.split(code)
    s = sight.s
    if s.phase == at.ACT and kind == "lay" and s.hand[s.player][args[0]]:
        price, money = sight.box.price[args[0]], s.money[s.player]
        fields = {"money": money, "price": price, "card": _named(sight, args[0])}
        return Line("because.price", fields) if price > money else None
    if s.phase == at.ACT and kind in ("money", "cards", "activate"):
        return _die_lacks(sight, kind, args[0])
    if s.phase == at.PLACE and kind == "place" and s.facedown[s.player][args[1]]:
        return Line("because.taken", {"disc": args[1]})
    if s.phase == at.BUY and kind == "buy":
        return Line("because.buy", {"money": s.money[s.player], "points": s.points[1 - s.player]})
    return None


def _die_lacks(sight: Seen, kind: str, die: int) -> Line | None:
    s = sight.s
    if not has_die(s, die):
        return Line("because.die", {"die": die})
    if kind != "activate":
        return None
    card = s.board[s.player][die]
    if card == at.NONE:
        return Line("because.empty", {"disc": die})
    if s.blocked[s.player][die]:
        return Line("because.blocked", {"disc": die})
    if card in (at.FORUM, at.CONSUL) and dice_left(s) == 1:
        return Line("because.last_die", {"card": _named(sight, card)})
    return None


def _named(sight: Seen, card: int) -> tuple[str, str]:
    return ("card", label("card", card, sight.labels))


# -- what was touched ---------------------------------------------------------------------------------


def meant(sight: Seen, path: tuple[str, ...]) -> int | str | None:
    """A die or card on a disc, or one thing alone: the action that it tries, or the rule of what is none."""
    *before, (kind, _, name) = (touch.partition(":") for touch in path)
    carried, _, thing = before[-1] if before else ("", "", "")
    s, on_disc = sight.s, kind == "disc" or kind.startswith("side")
    if carried == "die" and on_disc:
        return _die_to(sight, thing, name)
    if carried == "card" and on_disc:
        if not name.isdigit() or kind == f"side{1 - s.player}":
            return "R21"
        return _read(sight, f"{'place' if s.phase == at.PLACE else 'lay'} {thing} {name}")
    if kind == "card":
        return _read(sight, _of_card(s.phase, name))
    if kind == "die":
        return _read(sight, f"{'add' if s.phase in MOVED else 'money'} {name}")
    if kind == "disc" and not name.isdigit():
        return "P5"
    if kind in ("disc", f"side{s.player}"):
        block = s.phase == at.BLOCK and kind == "disc"
        return _read(sight, f"{'block' if block else 'activate'} {name}")
    return _read(sight, f"target {name}") if on_disc else None


def _read(sight: Seen, text: str) -> int:
    return at.CODES.read(text, sight.labels)


def _die_to(sight: Seen, die: str, disc: str) -> int | str:
    if disc in ("money", "cards"):
        return _read(sight, f"{disc} {die}")
    return _read(sight, f"activate {die}") if die == disc else "P8"


def _of_card(phase: int, card: str) -> str:
    if phase in (at.PASS, at.KEEP):
        return f"{at.PHASES[phase]} {card}"
    if phase in (at.SEARCH, at.FETCH):
        return f"take {card}"
    return f"{'place' if phase == at.PLACE else 'lay'} {card} 1"
