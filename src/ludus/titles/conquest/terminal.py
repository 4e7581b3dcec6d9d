"""The table of Conquest of the Empire: the players, what is going on, and every province that is not free.

Whose something is, is said by three letters of a home, never by colour alone.  Provinces stand in two columns
where there is room; free ones and seas in a line each.  The atlas lists every area with its neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from ludus.core.game import Action
from ludus.terminal.drawings import GLUE, Look

from .board import Battle, Board, Offer, Province, Ship

TWO_COLUMNS = 72  # columns from which provinces stand side by side
NAME, CODE = 12, 3  # cells for the name of a province and for whose it is
CITY = {"open": "⌂", "fortified": "▣"}
UNITS = ("infantry", "cavalry", "catapult")
GENERAL, EMPEROR, SHIP, ROAD = "★", "♛", "≈", "═"


def draw(look: Look, width: int, rows: int | None) -> Sequence[RenderableType]:
    table = _Table(look)
    lines: list[RenderableType] = [*table.players(), table.facts(), *table.present()]
    lines += table.provinces(width)
    lines += table.rest()
    legend = Text(table.legend(), style="quiet")
    return lines if rows is not None and len(lines) >= rows else [*lines, legend]


def caption(look: Look, action: Action) -> str:
    """What the words of an action leave to the table: what a purchase costs, who stands in a province."""
    table, labels = _Table(look), look.sight.labels
    goods = {"launch": "galley", "found": "city", "fortify": "wall", "pave": "road"}.get(action.kind)
    if action.kind == "recruit":
        return table.word("price", talents=table.price(action.arguments[0]) * action.arguments[2])
    if goods:
        return table.word("price", talents=table.price(labels["goods"].index(goods)))
    if action.kind in ("march", "battle", "voyage"):
        return table.enemies(labels["area"][action.arguments[0]])
    return ""


def touch_caption(look: Look, touch: str, actions: Sequence[Action]) -> str:
    """What one piece costs."""
    kind, _, name = touch.partition(":")
    if kind != "goods":
        return ""
    table = _Table(look)
    return table.word("price", talents=table.price(look.sight.labels["goods"].index(name)))


def atlas(look: Look) -> list[RenderableType]:
    """Every province: what stands there, and where land, arrows and seas lead."""
    table = _Table(look)
    lines: list[RenderableType] = [Text(table.legend(), style="quiet"), Text()]
    for p, name in enumerate(table.areas[: len(table.board["provinces"])]):
        lines += [table.cell(name, 76), *table.ways(p)]
    return lines


class _Table:
    """A view of Conquest, asked for what is to be drawn."""

    def __init__(self, look: Look) -> None:
        self.look, self.speech = look, look.speech
        self.board: Board = look.view["board"]
        self.areas = look.sight.labels["area"]
        self.codes = [self.code(seat) for seat in range(len(self.board["seats"]))]

    def word(self, key: str, **fields: Any) -> str:
        return self.speech.say(f"terminal.{key}", **fields)

    def area(self, name: str) -> str:
        return self.speech.thing(name, "area")

    def code(self, seat: int) -> str:
        """Three letters: the home, or the number of the seat before homes are drawn."""
        home = self.board["seats"][seat]["home"]
        return str(home)[:CODE].upper() if home else f"  {seat + 1}"

    def price(self, goods: int) -> int:
        return int(self.look.sight.box.base_price[goods]) * int(self.board["price"])

    def style(self, seat: int | None) -> str:
        if seat is None:
            return "quiet"
        return "you" if seat == self.look.eye else "them"

    # -- players and the state of things ---------------------------------------------------------------

    def players(self) -> list[Text]:
        longest = max(len(self.speech.seat(n)) for n in range(len(self.codes)))
        return [self.player(n, min(14, longest)) for n in range(len(self.codes))]

    def player(self, seat: int, room: int) -> Text:
        facts = self.board["seats"][seat]
        line = Text(no_wrap=True, overflow="ellipsis")
        line.append("▸" if self.look.view["to_move"] == seat else " ")
        line.append(f"{self.codes[seat]} {self.speech.seat(seat)[:room]:<{room}}", style=self.style(seat))
        if facts["home"] and facts["emperor"] is None:
            return line.append(f"  {self.word('fallen')}", style="quiet")
        for key in ("tribute", "talents"):
            line.append(f"  {self.word(key)} ", style="quiet").append(str(facts[key]), style="points")
        pieces = facts["pieces"]
        shown = [f"{pieces[unit]}{self.word(unit)}" for unit in UNITS if pieces[unit]]
        shown += [f"{SHIP}{pieces['galley']}"] if pieces["galley"] else []
        line.append(f"  {' '.join(shown)}")
        held = sum(facts["captives"].values())
        if held:
            line.append(f"  {self.word('captives')} {held}", style="quiet")
        return line

    def facts(self) -> Text:
        """The round, prices and the coming inflation, and what is left of the common stock."""
        board = self.board
        coming = [step for step in board["inflation"] if step["state"] == "announced"]
        parts = [
            (self.word("round"), str(board["round"])),
            (self.word("prices"), f"×{board['price']}"),
            *((self.word("inflation"), f"{step['at']} {self.codes[step['by']]}") for step in coming),
            *((self.word(key), str(board["stock"][key])) for key in ("city", "wall", "road")),
        ]
        line = Text(" ")
        for place, (name, told) in enumerate(parts):
            line.append("   " if place else "")
            line.append(f"{name}{GLUE}".replace(" ", GLUE), style="quiet").append(told.replace(" ", GLUE))
        return line

    def present(self) -> list[Text]:
        """What is being moved, fought or offered just now."""
        lines = []
        if moving := self.board["moving"]:
            where, along = self.area(moving["here"]), ""
            if "along" in moving:
                heap = {
                    k: moving["along"].get(k, 0) + moving["riding"].get(k, 0) for k in self.labels("piece")
                }
                along = ", ".join(f"{n} {self.speech.thing(k, 'piece')}" for k, n in heap.items() if n)
            told = self.word("moving", where=where, points=moving["points"])
            lines.append(Text(f" {told}{'  + ' + along if along else ''}", style="prompt"))
        if battle := self.board["battle"]:
            lines += self.battle(battle)
        return lines + (self.terms(offer) if (offer := self.board["offer"]) else [])

    def terms(self, offer: Offer) -> list[Text]:
        """What either side of a bargain would get."""
        lines = []
        for seat, general in ((self.board["active"], offer["gets"]), (offer["partner"], offer["gives"])):
            what = [] if general is None else [self.word("general", name=self.codes[general])]
            if offer["talents"] and offer["payer"] != seat:
                what.append(self.word("price", talents=offer["talents"]))
            if what:
                told = self.word("gets", name=self.codes[seat], what=", ".join(what))
                lines.append(Text(f" {told}", style="prompt"))
        return lines

    def labels(self, group: str) -> Sequence[str]:
        return self.look.sight.labels[group]

    def battle(self, battle: Battle) -> list[Text]:
        sides = [self.codes[battle["attacker"]], self.codes[battle["defender"]]]
        told = self.word("battle", where=self.area(battle["field"]), round=battle["round"])
        head = Text(f" {told}: {sides[0]} → {sides[1]}", style="prompt")
        faces = ", ".join(f"{n} {self.speech.thing(face, 'face')}" for face, n in battle["faces"].items())
        if faces:
            head.append(f"   {self.word('dice')} {faces}", style="")
        lines = [head]
        for side, line in enumerate(battle.get("lines", ())):
            units = self.army({unit: line[unit] for unit in UNITS if line[unit]})
            if units:
                hits = battle["hits"][side]
                struck = f"   {self.word('hits')} {hits}" if hits else ""
                lines.append(Text(f"   {sides[side]} {units}{struck}"))
        return lines

    # -- provinces and seas ----------------------------------------------------------------------------

    def army(self, pieces: dict[str, int]) -> str:
        """`5i 2c 1k ★2 ♛`, with the letters of the language."""
        shown = [f"{pieces[unit]}{self.word(unit)}" for unit in UNITS if pieces.get(unit)]
        shown += [f"{GENERAL}{pieces['general']}"] if pieces.get("general") else []
        shown += [EMPEROR] if pieces.get("emperor") else []
        return " ".join(shown)

    def ships(self, area: str) -> dict[int, list[Ship]]:
        found: dict[int, list[Ship]] = {}
        for ship in self.board["ships"]:
            if ship["area"] == area:
                found.setdefault(ship["owner"], []).append(ship)
        return found

    def provinces(self, width: int) -> list[Text]:
        """Those that somebody owns, stands in or lies at, in the order of the board."""
        names = [name for name, facts in self.board["provinces"].items() if not self.is_free(name, facts)]
        if width < TWO_COLUMNS:
            return [self.cell(name, width) for name in names]
        room, half = (width - 1) // 2, -(-len(names) // 2)
        lines = []
        for row in range(half):
            line = self.cell(names[row], room)
            if row + half < len(names):
                line.append("│", style="quiet").append_text(self.cell(names[row + half], room))
            line.no_wrap = True
            lines.append(line)
        return lines

    def is_free(self, name: str, facts: Province) -> bool:
        bare = facts["owner"] is None and "armies" not in facts and "city" not in facts
        return bare and not self.ships(name)

    def cell(self, name: str, room: int) -> Text:
        """One province: name, whose, worth, city, armies and galleys."""
        facts = self.board["provinces"][name]
        owner, touched = facts["owner"], f"region:{name}" in self.look.touched
        text = Text(no_wrap=True, overflow="ellipsis")
        text.append(f" {self.area(name)[:NAME]:<{NAME}}", style="touched" if touched else "")
        text.append(f" {'·' * CODE if owner is None else self.codes[owner]}", style=self.style(owner))
        worth = facts.get("worth", facts["value"])
        text.append(f" {worth:>2}{CITY.get(facts.get('city', ''), ' ')}", style="quiet")
        for q, pieces in facts.get("armies", {}).items():
            mark = "" if int(q) == owner else f"{self.codes[int(q)]} "
            text.append(f" {mark}{self.army(pieces)}", style=self.style(int(q)))
        for seat, ships in self.ships(name).items():
            mark = "" if seat == owner else f"{self.codes[seat]} "
            text.append(f" {mark}{SHIP}{len(ships)}", style=self.style(seat))
        text.truncate(room, overflow="ellipsis", pad=True)
        return text

    def rest(self) -> list[RenderableType]:
        """Galleys at sea, roads, free provinces."""
        lines: list[RenderableType] = []
        for sea in self.areas[len(self.board["provinces"]) :]:
            for seat, ships in self.ships(sea).items():
                text = Text(f" {self.area(sea)} ")
                text.append(f"{self.codes[seat]} {SHIP}{len(ships)}", style=self.style(seat))
                holds = ", ".join(told for ship in ships if (told := self.army(ship["hold"])))
                lines.append(text.append(f" ({holds})" if holds else ""))
        if self.board["roads"]:
            told = ", ".join(
                ROAD.join(self.area(end) for end in road.split("-")) for road in self.board["roads"]
            )
            lines.append(self.named("roads", told))
        free = [
            f"{self.area(name)} {facts['value']}".replace(" ", GLUE)
            for name, facts in self.board["provinces"].items()
            if self.is_free(name, facts)
        ]
        if free:
            lines.append(self.named("free", ", ".join(free)))
        return lines

    def named(self, key: str, told: str) -> Text:
        return Text.assemble(" ", (f"{self.word(key)} ", "quiet"), told)

    def enemies(self, name: str) -> str:
        """Whose units stand in a province, for those who think of going there."""
        facts = self.board["provinces"].get(name)
        armies = facts.get("armies", {}) if facts else {}
        mover = self.board["active"]
        return ", ".join(f"{self.codes[int(q)]} {self.army(a)}" for q, a in armies.items() if int(q) != mover)

    def ways(self, p: int) -> list[Text]:
        box = self.look.sight.box
        near = list(zip(box.near[p], box.near_edge[p], strict=True))[: box.near_count[p]]
        ways = {
            "by_land": [q for q, edge in near if edge >= 0],
            "by_arrow": [q for q, edge in near if edge < 0],
            "by_sea": box.shore[p][: box.shore_count[p]],
        }
        return [
            Text(f"    {self.word(key)} {', '.join(self.area(self.areas[q]) for q in places)}", style="quiet")
            for key, places in ways.items()
            if places
        ]

    def legend(self) -> str:
        units = "  ".join(f"{self.word(unit)} {self.speech.thing(unit, 'unit')}" for unit in UNITS)
        return f" {units}  {self.word('legend')}"
