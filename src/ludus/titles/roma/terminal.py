"""The table of Roma: two rows of six cards around the dice discs, one's own row nearest.

Everything comes from the view of the seat that looks; prices are printed on the cards, so they are read
off the box.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from ludus.core.game import Action
from ludus.terminal.drawings import GLUE, Look

from .board import Board

DISCS = range(1, 7)
NARROWEST_CELL, WIDEST_CELL = 12, 18
TALL = 18  # rows from which cards have a third line
HOUSE = "⌂"  # marks buildings where there is no room for the word


def draw(look: Look, width: int, rows: int | None) -> Sequence[RenderableType]:
    table = _Table(look)
    cell = min(WIDEST_CELL, (width - 7) // 6)
    if cell < NARROWEST_CELL:
        return table.as_list(width)
    full = table.as_cards(cell, rows is None or rows >= TALL)
    return full if rows is None or len(full) <= rows or rows < 8 else table.as_list(width)


def caption(look: Look, action: Action) -> str:
    """What the words of an action leave to the table: which card lies on the disc it names."""
    table = _Table(look)
    if action.kind == "activate":
        return table.own_card(action.arguments[0], idle=action.arguments[0] in table.board.get("idle", ()))
    if action.kind == "target":
        return table.their_card(action.arguments[0])
    if action.kind in ("lay", "place"):
        return table.covered(action.arguments[1])
    if action.kind == "block":
        return table.their_card(action.arguments[0], armed=False)
    return ""


def touch_caption(look: Look, touch: str, actions: Sequence[Action]) -> str:
    """In one's turn: what a card costs, and which card a die would activate."""
    kinds = {action.kind for action in actions}
    kind, _, name = touch.partition(":")
    table = _Table(look)
    if kind == "card" and table.board["phase"] == "act":
        return table.cost(name)
    return table.own_card(int(name)) if kind == "die" and "activate" in kinds else ""


class _Table:
    """A view of Roma, asked for what is to be drawn."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self.board: Board = look.view["board"]
        self.near = max(0, look.eye)
        self.far = 1 - self.near
        self.names = list(look.sight.labels["card"])

    def word(self, key: str, **fields: Any) -> str:
        return self.look.speech.say(f"terminal.{key}", **fields)

    # -- cards -------------------------------------------------------------------------------------

    def card(self, seat: int, disc: int) -> str:
        """The id of a card that lies open, or ""."""
        return str(self.board["board"][seat].get(str(disc), ""))

    def said(self, card: str) -> str:
        return self.look.speech.thing(card, "card")

    def price(self, card: str) -> int:
        return int(self.look.sight.box.price[self.names.index(card)])

    def kind(self, card: str) -> str:
        kinds = self.look.sight.labels["kind"]
        return str(kinds[self.look.sight.box.kind[self.names.index(card)]])

    def defence(self, seat: int, disc: int, card: str) -> int:
        present = self.board["defence"][seat].get(str(disc))
        return int(self.look.sight.box.defence[self.names.index(card)] if present is None else present)

    def cost(self, card: str) -> str:
        return self.word("price", price=self.price(card))

    def own_card(self, disc: int, idle: bool = False) -> str:
        card = self.card(self.near, disc)
        name = self.said(card) if card else ""
        return f"{name}, {self.word('idle')}" if idle else name

    def their_card(self, disc: int, armed: bool = True) -> str:
        card = self.card(self.far, disc)
        if not card:
            return self.word("empty")
        if not armed:
            return self.said(card)
        return f"{self.said(card)}, {self.word('defence', defence=self.defence(self.far, disc, card))}"

    def covered(self, disc: int) -> str:
        card = self.card(self.near, disc)
        return self.word("covers", card=self.said(card)) if card else ""

    # -- drawn as cards ----------------------------------------------------------------------------

    def as_cards(self, cell: int, tall: bool) -> list[RenderableType]:
        def rule(left: str, middle: str, right: str) -> Text:
            return Text(left + middle.join("─" * cell for _ in DISCS) + right, style="quiet", no_wrap=True)

        return [
            self.player(self.far),
            rule("┌", "┬", "┐"),
            *self.row(self.far, cell, tall),
            self.discs(cell),
            *self.row(self.near, cell, tall),
            rule("└", "┴", "┘"),
            self.player(self.near),
            *self.below(),
        ]

    def row(self, seat: int, cell: int, tall: bool) -> list[Text]:
        cells = [self.cell(seat, disc, cell, tall) for disc in DISCS]
        lines = []
        for number in range(3 if tall else 2):
            line = Text(no_wrap=True)
            for lines_of_card in cells:
                line.append("│", style="quiet").append_text(lines_of_card[number])
            lines.append(line.append("│", style="quiet"))
        return lines

    def cell(self, seat: int, disc: int, width: int, tall: bool) -> list[Text]:
        """The two or three lines of a place on the table."""
        card, down = self.card(seat, disc), disc in self.board["down"][seat]
        hidden = self.board["facedown"][seat]
        if down and not card:
            own = hidden.get(str(disc)) if isinstance(hidden, dict) else None
            name = Text(self.said(str(own))) if own else Text("▒" * (width - 2))
            lines = [name, Text(self.word("face_down"), style="quiet"), Text()]
        elif card:
            lines = self.open_card(seat, disc, card, width, tall)
        else:
            lines = [Text(), Text(), Text()]
        if self.is_touched(seat, disc):
            for line in lines:
                line.stylize("touched")
        return [_padded(_set_in(line, width), width) for line in lines[: 3 if tall else 2]]

    def open_card(self, seat: int, disc: int, card: str, width: int, tall: bool) -> list[Text]:
        kind = self.kind(card)
        facts = f"{self.cost(card)} {self.word('defence', defence=self.defence(seat, disc, card))}"
        if not tall:
            facts = f"{HOUSE if kind == 'building' else ' '} {facts}"
        name = Text(shortened(self.said(card), width), style=kind)
        kind_name = self.look.speech.thing(kind, "kind")
        return [name, Text(facts), Text(kind_name, style="quiet")]

    def is_touched(self, seat: int, disc: int) -> bool:
        touched = self.look.touched
        return f"side{seat}:{disc}" in touched or (seat == self.near and f"disc:{disc}" in touched)

    def discs(self, cell: int) -> Text:
        """The row of dice discs; what is blocked is said beside the number, towards its side."""
        line = Text(no_wrap=True)
        for disc in DISCS:
            line.append("├" if disc == 1 else "┼", style="quiet")
            mark = f" {disc} "
            above = disc in self.board["blocked"][self.far]
            beneath = disc in self.board["blocked"][self.near]
            mark += f"{'▲' if above else ''}{'▼' if beneath else ''}"
            mark += f"{self.word('blocked')} " if above or beneath else ""
            left = max(0, (cell - len(mark)) // 2)
            line.append("─" * left, style="quiet").append(
                mark[:cell], style="blocked" if above or beneath else "title"
            )
            line.append("─" * max(0, cell - left - len(mark)), style="quiet")
        return line.append("┤", style="quiet")

    # -- drawn as a list, for small windows --------------------------------------------------------

    def as_list(self, width: int) -> list[RenderableType]:
        half = max(8, (width - 6) // 2)
        sides = Text("   ", no_wrap=True, overflow="ellipsis")
        sides.append_text(_padded(Text(self.look.speech.seat(self.near), style="quiet"), half))
        sides.append(f" │ {self.look.speech.seat(self.far)}", style="quiet")
        lines: list[RenderableType] = [self.player(self.far), self.player(self.near), sides]
        for disc in DISCS:
            line = Text(no_wrap=True, overflow="ellipsis")
            line.append(f" {disc} ", style="title")
            line.append_text(_padded(self.in_short(self.near, disc), half)).append(" │ ", style="quiet")
            line.append_text(_padded(self.in_short(self.far, disc), half))
            lines.append(line)
        return [*lines, *self.below()]

    def in_short(self, seat: int, disc: int) -> Text:
        card = self.card(seat, disc)
        text = Text(no_wrap=True, overflow="ellipsis")
        if card:
            text.append(self.said(card), style=self.kind(card))
            text.append(f" {self.word('defence', defence=self.defence(seat, disc, card))}")
        elif disc in self.board["down"][seat]:
            hidden = self.board["facedown"][seat]
            own = hidden.get(str(disc)) if isinstance(hidden, dict) else None
            text.append(f"{self.said(str(own))} " if own else "").append(
                self.word("face_down"), style="quiet"
            )
        else:
            text.append("–", style="quiet")
        if disc in self.board["blocked"][seat]:
            text.append(f" {self.word('blocked')}", style="blocked")
        return text

    # -- beside the board --------------------------------------------------------------------------

    def player(self, seat: int) -> Text:
        """Name, points, money, and how many cards the other holds."""
        speech, near = self.look.speech, seat == self.near
        line = Text(no_wrap=True, overflow="ellipsis")
        line.append(f"{'▸' if self.look.view['to_move'] == seat else ' '}{speech.seat(seat)}")
        line.stylize("you" if near and self.look.eye == seat else "them")
        line.append(f"   {self.word('points')} ", style="quiet").append(
            str(self.board["points"][seat]), style="points"
        )
        line.append(f"   {self.word('money')} ", style="quiet").append(
            str(self.board["money"][seat]), style="points"
        )
        hand = self.board["hand"][seat]
        if "count" in hand:
            line.append(f"   {self.word('hand')} ", style="quiet").append(str(hand["count"]), style="points")
            known = (self.board.get("known") or [{}, {}])[seat]  # those who watch are not told
            if known:
                line.append(f"   {self.word('known')} ", style="quiet").append(self.heap(known))
        return line

    def below(self) -> list[RenderableType]:
        """Dice, piles, the hand, and what is being done with cards."""
        first = Text(no_wrap=True, overflow="ellipsis")
        dice = [die for die in self.board["dice"] if die]
        if dice:
            first.append(f" {self.word('dice')} ", style="quiet")
            self.add_dice(first, dice)
        if self.board["thrown"]:
            first.append(f" {self.word('battle')} ", style="quiet").append(
                f"[{self.board['thrown']}]", style="title"
            )
        for key, value in (
            ("stock", self.board["stock"]),
            ("deck", self.board["deck_size"]),
            ("discard", sum(self.board["discard"].values())),
        ):
            first.append(f"   {self.word(key)} ", style="quiet").append(str(value), style="points")
        discarded = self.board["discard"]
        if discarded:
            first.append(f" ({self.heap(discarded)})", style="quiet")
        lines: list[RenderableType] = [first]
        hand = self.board["hand"][self.near]
        if "count" not in hand and self.look.eye == self.near:
            lines.append(self.pile("hand", hand, priced=True))
        aside = self.board["aside"][self.near]
        if aside and "count" not in aside:
            lines.append(self.pile("aside", aside))
        lifted = [card for card in self.board["lifted"] if card != "none"]
        if lifted:
            lines.append(self.pile("lifted", dict.fromkeys(lifted, 1)))
        return lines

    def add_dice(self, line: Text, dice: Iterable[int]) -> None:
        touched = [t.partition(":")[2] for t in self.look.touched if t.startswith("die:")]
        for die in dice:
            used = str(die) in touched
            if used:
                touched.remove(str(die))
            line.append(f"[{die}]", style="touched" if used else "title").append(" ")

    def pile(self, key: str, cards: dict[str, int], priced: bool = False) -> Text:
        line = Text()
        line.append(f" {self.word(key)} ", style="quiet")
        if not cards:
            return line.append("–", style="quiet")
        for place, (card, number) in enumerate(cards.items()):
            line.append("  " if place else "")
            line.append(self.said(card).replace(" ", GLUE), style=self.kind(card))
            line.append(f"{GLUE}×{number}" if number > 1 else "")
            if priced:
                line.append(f" {self.cost(card)}".replace(" ", GLUE), style="quiet")
        return line

    def heap(self, cards: dict[str, int]) -> str:
        return ", ".join(f"{self.said(c)} ×{n}" if n > 1 else self.said(c) for c, n in cards.items())


def shortened(name: str, width: int) -> str:
    """A name that fits: first words are cut before the last one is.

    >>> shortened("Tribunus Plebis", 12), shortened("Forum", 12)
    ('Trib. Plebis', 'Forum')
    """
    if len(name) <= width:
        return name
    *first, last = name.split()
    room = width - len(last) - 2 * len(first)
    if not first or room < len(first):
        return name[: width - 1] + "…"
    share = room // len(first)
    return " ".join([*(f"{word[:share]}." for word in first), last])


def _set_in(line: Text, width: int) -> Text:
    """A blank before the text of a card, where the longest names leave room for it."""
    return Text(" ").append_text(line) if width > NARROWEST_CELL + 1 else line


def _padded(text: Text, width: int) -> Text:
    text.truncate(width, overflow="ellipsis", pad=True)
    return text
