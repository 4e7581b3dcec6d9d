"""`ludus conquest odds`: the exact odds of a battle."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from ludus.core.errors import FormatError

from .odds import Odds, Simulation, battle_odds, read_army, sea_odds

ORDERS = {"cheap": (0, 1, 2), "cavalry": (1, 0, 2), "catapults": (2, 0, 1), "dear": (2, 1, 0)}

Attackers = Annotated[
    str, typer.Argument(help="The attacking army, like 5i2c1k2l: infantry, cavalry, catapults, leaders.")
]
Defenders = Annotated[str, typer.Argument(help="The defending army, written alike.")]
Walls = Annotated[bool, typer.Option("--walls", help="The defender stands in a fortified city.")]
Sea = Annotated[bool, typer.Option("--sea", help="A sea battle: both sides are numbers of galleys.")]
Losses = Annotated[str, typer.Option("--losses", help="What falls first: cheap, cavalry, catapults or dear.")]
Simulate = Annotated[
    int, typer.Option("--simulate", min=0, max=1_000_000, help="Also play so many battles by the rules.")
]
AsJson = Annotated[bool, typer.Option("--json", help="For programs: one JSON object.")]


def odds(
    attackers: Attackers,
    defenders: Defenders,
    walls: Walls = False,
    sea: Sea = False,
    losses: Losses = "cheap",
    simulate: Simulate = 0,
    as_json: AsJson = False,
) -> None:
    """The exact chances of a battle fought to the end, and the losses to be expected.

    Nobody retreats; lines are infantry, then cavalry, then catapults.

    Examples: ludus conquest odds 5i1l 5i1l --walls; ludus conquest odds 2 1 --sea
    """
    if losses not in ORDERS:
        raise FormatError(f"losses are one of {', '.join(ORDERS)}, not {losses!r:.20}")
    exact, played = (
        _sea(attackers, defenders, simulate) if sea else _land(attackers, defenders, walls, losses, simulate)
    )
    if as_json:
        found = {"exact": asdict(exact), "simulated": asdict(played) if played else None}
        typer.echo(json.dumps(found))
        return
    _print(exact, played, simulate)


def _land(
    attackers: str, defenders: str, walls: bool, losses: str, simulate: int
) -> tuple[Odds, Odds | None]:
    order = ORDERS[losses]
    own, foreign = read_army(attackers), read_army(defenders)
    exact = battle_odds(own, foreign, walls, order)
    played = Simulation("auto", order).battle(own, foreign, walls, simulate) if simulate else None
    return exact, played


def _sea(attackers: str, defenders: str, simulate: int) -> tuple[Odds, Odds | None]:
    numbers = [int(n) if n.isascii() and n.isdigit() and len(n) < 3 else 0 for n in (attackers, defenders)]
    if not all(1 <= n <= 24 for n in numbers):
        raise FormatError(
            f"at sea both sides are 1 to 24 galleys, not {attackers!r:.20} and {defenders!r:.20}"
        )
    own, foreign = numbers
    exact = sea_odds(own, foreign)
    return exact, Simulation("auto").sea(own, foreign, simulate) if simulate else None


def _print(exact: Odds, played: Odds | None, times: int) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0))
    for head in ("", "exact", *([f"{times} played"] if played else [])):
        table.add_column(head, justify="left" if not head else "right")
    for name, field in (
        ("attacker wins", "attacker"),
        ("defender wins", "defender"),
        ("both destroyed", "both"),
        ("undecided", "neither"),
    ):
        rows = [getattr(found, field) for found in (exact, played) if found]
        if field != "neither" or any(rows):
            table.add_row(name, *(f"{value:.2%}" for value in rows))
    kinds = ("infantry", "cavalry", "catapults") if len(exact.attacker_losses) == 3 else ("galleys",)
    for side in ("attacker", "defender"):
        for number, kind in enumerate(kinds):
            rows = [getattr(found, f"{side}_losses")[number] for found in (exact, played) if found]
            if any(rows):
                table.add_row(f"{side} loses {kind}", *(f"{value:.2f}" for value in rows))
    Console().print(table)


COMMANDS = {"odds": odds}
