"""The table of Antike Duellum: both peoples, the rondel, and the cities of each side by side.

Whose a piece is, is said by a mark (● or ○), never by colour alone.  Cities stand in columns where there is
room, else they flow, and in the lowest windows cards and empty regions are left to the atlas, which lists
every region with its neighbours.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from ludus.core.game import Action
from ludus.terminal.drawings import GLUE, Look

from .board import Board

MARKS = ("●", "○")  # seat 0 and seat 1
NARROWEST = 72  # columns from which cities stand side by side and the rondel is a ring
GAP = "  "
# The ring of eight spaces, by their places on the rondel: a top row, two sides, a bottom row.
TOP, RIGHT, BOTTOM, LEFT = (0, 1, 2), 3, (6, 5, 4), 7


def draw(look: Look, width: int, rows: int | None) -> Sequence[RenderableType]:
    table = _Table(look)
    ways = [table.in_columns(width)] if width >= NARROWEST else []
    ways += [table.flowing(), table.in_short()]
    way = ways[0] if rows is None else next((w for w in ways if _height(w, width) <= rows), ways[-1])
    return [_set_in(line) for line in way]


def caption(look: Look, action: Action) -> str:
    """What the words of an action leave to the table: what a space or a know-how costs, what stands where."""
    table = _Table(look)
    labels = look.sight.labels
    if action.kind == "go":
        toll = table.board.get("tolls", {}).get(labels["space"][action.arguments[0]], 0)
        return table.word("toll", number=toll) if toll else ""
    if action.kind == "develop":
        return table.know_price(action.arguments[0])
    if action.kind == "conquer":
        needed = table.board.get("needed", {}).get(labels["region"][action.arguments[0]], 0)
        return table.word("needed", number=needed) if needed else ""
    return ""


def atlas(look: Look) -> list[RenderableType]:
    """Every region: what stands there, and where roads and sea ways lead."""
    table = _Table(look)
    lines: list[RenderableType] = [Text(table.legend(), style="quiet"), Text()]
    lines += [*(_set_in(line) for line in table.piles()), Text()]
    for region in look.sight.labels["region"]:
        lines += [table.place(region), *(_set_in(line) for line in table.ways(region))]
    return lines


class _Table:
    """A view of Antike Duellum, asked for what is to be drawn."""

    def __init__(self, look: Look) -> None:
        self.look, self.speech = look, look.speech
        self.board: Board = look.view["board"]
        self.near = max(0, look.eye)
        self.seats = (self.near, 1 - self.near)
        self.regions = list(look.sight.labels["region"])

    def word(self, key: str, **fields: Any) -> str:
        return self.speech.say(f"terminal.{key}", **fields)

    def thing(self, name: str, group: str) -> str:
        return self.speech.thing(name, group)

    # -- the two ways to draw it ---------------------------------------------------------------------

    def in_columns(self, width: int) -> list[Text]:
        half = (width - 3) // 2
        left, right = ([self.heading(seat), *self.cities(seat, half)] for seat in self.seats)
        rows = [_beside(a, b, half) for a, b in zip_longest(left, right, fillvalue=Text())]
        peoples = [line for seat in self.seats for line in (*self.player(seat), *self.held(seat))]
        return [*peoples, *self.ring(), *rows, *self.elsewhere(), *self.events()]

    def flowing(self) -> list[Text]:
        peoples = [
            line for p in self.seats for line in (*self.player(p), *self.held(p), self.cities_in_line(p))
        ]
        return [*peoples, self.spaces_in_line(), *self.elsewhere(), *self.events()]

    def in_short(self) -> list[Text]:
        peoples = [line for p in self.seats for line in (*self.player(p), self.cities_in_line(p))]
        return [self.spaces_in_line(), *peoples, *self.elsewhere(empty=False)]

    # -- peoples -------------------------------------------------------------------------------------

    def player(self, seat: int) -> list[Text]:
        """Name, score and personages; then goods and the units that wait beside the map."""
        board, mover = self.board, self.look.view["to_move"] == seat
        first = Text(no_wrap=True, overflow="ellipsis")
        side = self.thing(board["sides"][seat], "side")
        first.append(f"{'▸' if mover else ' '}{MARKS[seat]} {self.speech.seat(seat)}, {side}")
        first.stylize("you" if seat == self.look.eye else "them")
        first.append(GAP).append(self.word("score", score=board["score"][seat], goal=board["goal"]), "points")
        first.append(GAP).append(self.counted(board["persons"][seat], "person") or "–")
        second = Text("   ", no_wrap=True, overflow="ellipsis")
        goods = self.look.sight.labels["good"]
        second.append(
            GAP.join(f"{self.thing(good, 'good')} {board['goods'][seat].get(good, 0)}" for good in goods)
        )
        for key, pile in (("box", board["recruits"][seat]), ("supply", board["supply"][seat])):
            second.append(f"{GAP}{self.word(key)} ", style="quiet").append(self.units_in(pile))
        return [first, second]

    def held(self, seat: int) -> list[Text]:
        """Know-hows and event cards, where there are any."""
        board = self.board
        known = [_glue(self.thing(name, "know")) for name in board["know"][seat]]
        cards = self.cards(board["hand"][seat])
        line = Text("   " if known else "  ").append(" ".join(known), style="title")
        if cards:
            line.append(" " if known else "").append_text(_flow(self.word("hand"), cards))
        return [line] if known or cards else []

    def counted(self, pile: dict[str, int], group: str) -> str:
        return ", ".join(f"{self.thing(name, group)} {n}" for name, n in pile.items())

    def units_in(self, pile: dict[str, int]) -> str:
        told = [f"{self.word(unit)}{n}" for unit, n in pile.items() if n]
        return " ".join(told) or "–"

    def know_price(self, know: int) -> str:
        box, s = self.look.sight.box, self.look.sight.s
        first = not any(s.know[seat][know] for seat in range(2))
        return self.word("gold", number=(box.know_first if first else box.know_second)[know])

    # -- the rondel ----------------------------------------------------------------------------------

    def space(self, place: int, width: int = 0) -> Text:
        """A space with the stones on it and what it costs to go there."""
        name = self.look.sight.labels["space"][place]
        stones = "".join(MARKS[seat] for seat in range(2) if self.board["stone"][seat] == name)
        toll = self.board.get("tolls", {}).get(name, 0)
        text = Text(self.thing(name, "space").split(" (")[0], style="title" if stones else "")
        text.append(f" {stones}" if stones else "", style="title")
        text.append(f" +{toll}" if toll else "", style="quiet")
        if f"space:{name}" in self.look.touched:
            text.stylize("touched")
        text.append(" " * max(0, width - text.cell_len))
        return text

    def ring(self) -> list[Text]:
        """Three rows, to be read clockwise from the left of the top row."""
        top, middle, bottom = (Text(" " * n, no_wrap=True, overflow="ellipsis") for n in (8, 3, 8))
        for row, places in ((top, TOP), (bottom, BOTTOM)):
            for place, width in zip(places, (15, 15, 21), strict=True):
                row.append_text(self.space(place, width))
        middle.append_text(self.space(LEFT, 40)).append_text(self.space(RIGHT, 16))
        return [row.append_text(told) for row, told in zip((top, middle, bottom), self.bank(), strict=True)]

    def spaces_in_line(self) -> Text:
        return _flow(self.word("rondel"), [_glued(self.space(place)) for place in range(8)])

    def bank(self) -> list[Text]:
        """What is left in the bank: coins, temples, city tokens."""
        board = self.board
        tokens = " ".join(f"{self.thing(k, 'token')[:2]}{n}" for k, n in board["bank_tokens"].items())
        facts = ((self.word("bank"), board["bank_coins"]), (self.word("temples"), board["bank_temples"]))
        return [
            *(Text.assemble((f"{name} ", "quiet"), str(number)) for name, number in facts),
            Text.assemble((f"{self.word('tokens')} ", "quiet"), tokens),
        ]

    # -- regions -------------------------------------------------------------------------------------

    def owned(self, seat: int) -> list[str]:
        side = self.board["sides"][seat]
        return [name for name in self.regions if self.board["owner"].get(name) == side]

    def heading(self, seat: int) -> Text:
        """How many cities; walls in the supply and navigation points, which cities and galleys earn."""
        facts = [self.word(key, number=self.board[key][seat]) for key in ("cities", "walls", "navigation")]
        return Text(f"{MARKS[seat]} {', '.join(facts)}", style="quiet")

    def cities_in_line(self, seat: int) -> Text:
        cities = [_glued(self.city(name)) for name in self.owned(seat)]
        return _flow(f" {self.heading(seat).plain}:" if cities else f" {self.heading(seat).plain}", cities)

    def cities(self, seat: int, width: int) -> list[Text]:
        names = self.owned(seat)
        longest = max((len(self.thing(name, "region")) for name in names), default=0)
        goods = [self.thing(good, "token") for good in self.look.sight.labels["token"][1:]]
        widths = (min(longest, width - 22), max(len(good) for good in goods))
        return [self.city(name, *widths) for name in names]

    def city(self, name: str, name_width: int = 0, good_width: int = 0) -> Text:
        """Name, what it produces, temple and wall, defence, and who stands there."""
        board = self.board
        said = self.thing(name, "region")
        if name_width and len(said) > name_width:
            said = said[: name_width - 1] + "…"
        text = Text(no_wrap=True, overflow="ellipsis")
        text.append(f"{said:{name_width}} " if name_width else f"{said} ")
        good = self.thing(board["makes"].get(name, ""), "token")
        text.append(f"{good:{good_width}}" if good_width else good, style="quiet")
        built = [self.word(key) for key in ("temple", "wall") if board[key].get(name)]
        text.append(f" {''.join(built):2}" if name_width else f" {''.join(built)}" if built else "", "title")
        text.append(f" {board['defence'].get(name, 0)}", style="points")
        units = self.units_at(name)
        text.append(f" {units}" if units else "")
        if any(f"region:{name}" == touch or touch.endswith(f"@{name}") for touch in self.look.touched):
            text.stylize("touched")
        return text

    def units_at(self, name: str) -> str:
        """Units of both sides in a region: ●L2 ○G1, and * for a leader."""
        told = []
        for seat in range(2):
            here = {unit: where.get(name, 0) for unit, where in self.board["army"][seat].items()}
            leader = self.board.get("leader_at", ["", ""])[seat] == name
            if any(here.values()) or leader:
                units = self.units_in(here) if any(here.values()) else ""
                told.append(f"{MARKS[seat]}{units}{self.word('leader') if leader else ''}")
        return " ".join(told)

    def elsewhere(self, empty: bool = True) -> list[Text]:
        """Regions without a city: where units stand, then free sites, then what is left of the map."""
        free = [name for name in self.regions if name not in self.board["owner"]]
        units = {name: self.units_at(name) for name in free}
        site = self.look.sight.box.site
        groups: dict[str, list[str]] = {"elsewhere": [], "sites": [], "rest": []}
        for name in free:
            key = "elsewhere" if units[name] else "sites" if site[self.regions.index(name)] else "rest"
            groups[key].append(_glue(f"{self.thing(name, 'region')} {units[name]}".strip()))
        return [
            _flow(self.word(key), names)
            for key, names in groups.items()
            if names and (empty or key == "elsewhere")
        ]

    # -- cards ---------------------------------------------------------------------------------------

    def cards(self, pile: dict[str, int]) -> list[str]:
        return [
            _glue(self.thing(card, "card") + (f" ×{n}" if n > 1 else "")) for card, n in pile.items() if n
        ]

    def piles(self) -> list[Text]:
        """What stands beside the map: bank, open cards, and what both have in hand."""
        hands = [line for seat in self.seats for line in (self.player(seat)[0], *self.held(seat))]
        bank, *rest = self.bank()
        return [*hands, _flow(bank.plain, ["", *rest]), *self.events()]

    def events(self) -> list[Text]:
        display = self.cards(self.board["display"])
        return [_flow(self.word("display"), display)] if display else []

    # -- the atlas -----------------------------------------------------------------------------------

    def legend(self) -> str:
        units = self.look.sight.labels["unit"][: 3 if "leaders" in self.board else 2]
        names = ((self.word(unit), self.thing(unit, "unit")) for unit in units)
        signs = [
            *(f"{MARKS[seat]} {self.speech.seat(seat)}" for seat in range(2)),
            *(f"{sign} {name}" for sign, name in names),
            f"{self.word('temple')} {self.word('a_temple')}",
            f"{self.word('wall')} {self.word('a_wall')}",
        ]
        return " · ".join(signs)

    def place(self, name: str) -> Text:
        if name in self.board["owner"]:
            side = self.board["sides"].index(self.board["owner"][name])
            return Text(f"{MARKS[side]} ", style="title").append_text(self.city(name))
        place = self.regions.index(name)
        box = self.look.sight.box
        what = "site" if box.site[place] else "symbol" if box.nav[place] == 2 else "open"
        text = Text(f"  {self.thing(name, 'region')}", style="title")
        text.append(f" {self.word(what)}", style="quiet")
        units = self.units_at(name)
        return text.append(f"  {units}" if units else "")

    def ways(self, name: str) -> list[Text]:
        """Roads for legions and sea ways for galleys, a line each."""
        box, place = self.look.sight.box, self.regions.index(name)
        lines = []
        for unit, key in enumerate(("roads", "sea_ways")):
            near = [self.regions[box.way[unit][place][n]] for n in range(box.way_n[unit][place])]
            if near:
                names = [_glue(self.thing(other, "region")) for other in near]
                lines.append(_flow(f"    {self.word(key)}", names))
        return lines


def _height(lines: Sequence[Text], width: int) -> int:
    """About how many rows lines need: those that may wrap, with a little room at each end."""
    return sum(1 if line.no_wrap else -(-line.cell_len // (width - 6)) for line in lines)


def _set_in(line: Text) -> RenderableType:
    """A line that may wrap, with all its rows as far in as its first."""
    if line.no_wrap:
        return line
    lead = len(line.plain) - len(line.plain.lstrip())
    return Padding(line[lead:], (0, 0, 0, lead))


def _glue(text: str) -> str:
    return text.replace(" ", GLUE)


def _glued(text: Text) -> Text:
    """The same text at whose blanks no line is broken."""
    glued = Text(_glue(text.plain))
    glued.spans = list(text.spans)
    return glued


def _flow(name: str, items: Iterable[str | Text]) -> Text:
    line = Text()
    line.append(f" {name}" if name.strip() == name else name, style="quiet")
    for place, item in enumerate(items):
        line.append("," if place else "").append(" ")
        line.append_text(item if isinstance(item, Text) else Text(item))
    return line


def _beside(left: Text, right: Text, half: int) -> Text:
    line = Text(" ", no_wrap=True, overflow="ellipsis")
    left, right = left.copy(), right.copy()
    left.truncate(half - 1, overflow="ellipsis", pad=True)
    right.truncate(half, overflow="ellipsis")
    return line.append_text(left).append(" │ ", style="quiet").append_text(right)
