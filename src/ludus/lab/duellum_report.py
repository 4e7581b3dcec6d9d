"""Balance of Antike Duellum: miles against itself on every board and edition, as a table and a picture.

    python -m ludus.lab.duellum_report --games 60 --write-docs

Who wins by side and by who began, how long it takes, which personages the winner has, and what the first
turn was spent on; with and without the coin of the second player.  The first space of each side is
drawn at random, so that the table can say what each is worth; after that the bot plays.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import median
from typing import Annotated, Any

import typer

from ludus import titles as registry
from ludus.bots import Chair, make_bot
from ludus.core import compilation
from ludus.core.game import Game

from .arena import wilson

BEGIN, END = "<!-- ludus duellum report -->", "<!-- end -->"
PAGE, PICTURE = Path("docs/duellum-report.md"), Path("docs/pictures/duellum-report.svg")
BOT = "miles"


@dataclass(frozen=True)
class Setting:
    """One row of the report."""

    name: str
    options: tuple[tuple[str, str], ...]
    second_coins: int


SETTINGS = (
    Setting("Rome and Carthage", (("board", "rome_carthage"),), 1),
    Setting("Greece and Persia", (("board", "greece_persia"),), 1),
    Setting("Casus Belli", (("edition", "casus_belli"),), 1),
    Setting("Rome and Carthage, no coin", (("board", "rome_carthage"),), 0),
    Setting("Greece and Persia, no coin", (("board", "greece_persia"),), 0),
)


@dataclass(frozen=True)
class Played:
    """What one game showed.  `winner` is -1 at the cap."""

    winner: int
    starter: int
    turns: int
    actions: int
    persons: dict[str, int]  # of the winner
    first: tuple[str, str]  # the first space of each side


def play(setting: Setting, seed: int) -> Played:
    """One game of the bot against itself."""
    title = registry.title("duellum")
    box = title.box_for(None, **dict(setting.options))
    box.second_coins = setting.second_coins
    form = "compiled" if compilation.has_numba() else "plain"
    game = Game(title, box, seed=seed, form=form)
    bot, first, dice = make_bot(BOT, title), ["", ""], Random(seed)
    while not game.over:
        seat = game.to_move
        action = bot.choose(Chair(game, seat, seed=seed * 2 + seat))
        if not first[seat] and game.position.active == seat:
            action = dice.choice([a for a in game.legal() if a.kind == "go"])
            first[seat] = action.text.removeprefix("go ").removesuffix("_ii")
        game.play(action.code)
    s = game.position
    names = game.labels["person"]
    held = s.persons[s.winner] if s.winner >= 0 else [0] * len(names)
    persons = dict(zip(names, (int(n) for n in held), strict=True))
    return Played(s.winner, s.starter, s.turns, len(game.line), persons, (first[0], first[1]))


def run(games: int, seed: int, out: Path | None = None) -> dict[str, list[Played]]:
    """Every setting, on all cores.  With `out`, games that are there already are not played again."""
    jobs = [(setting, seed * 100_003 + n) for n in range(games) for setting in SETTINGS]
    known = _read(out)
    left = [job for job in jobs if (job[0].name, job[1]) not in known]
    if left and compilation.has_numba():
        play(SETTINGS[0], 0)  # compiled once, before the workers start
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        for (setting, number), played in zip(left, pool.map(_play, left), strict=True):
            known[setting.name, number] = played
            _keep(out, setting.name, number, played)
    return {
        setting.name: [known[s.name, number] for s, number in jobs if s == setting] for setting in SETTINGS
    }


def _play(job: tuple[Setting, int]) -> Played:
    return play(*job)


def _read(out: Path | None) -> dict[tuple[str, int], Played]:
    if out is None or not out.exists():
        return {}
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    return {
        (r["setting"], r["seed"]): Played(**{**r["game"], "first": tuple(r["game"]["first"])}) for r in rows
    }


def _keep(out: Path | None, setting: str, seed: int, played: Played) -> None:
    if out is not None:
        with out.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"setting": setting, "seed": seed, "game": asdict(played)}) + "\n")


# -- the table ----------------------------------------------------------------------------------------------


def share(hits: int, of: int) -> str:
    """A share with its 95 % interval."""
    low, high = wilson(hits, of)
    return f"{100 * hits / max(1, of):.0f} % ({100 * low:.0f} to {100 * high:.0f})"


def facts(games: Sequence[Played]) -> dict[str, Any]:
    won = [g for g in games if g.winner >= 0]
    turns = sorted(g.turns for g in won) or [0]
    return {
        "games": len(games),
        "beige": sum(g.winner == 0 for g in won),
        "starter": sum(g.winner == g.starter for g in won),
        "won": len(won),
        "capped": len(games) - len(won),
        "turns": (turns[len(turns) // 10], int(median(turns)), turns[-1 - len(turns) // 10]),
        "persons": {k: sum(g.persons[k] for g in won) / max(1, len(won)) for k in games[0].persons},
        "first": Counter(space for g in won for space in g.first),
        "first_won": Counter(g.first[g.winner] for g in won),
    }


def table(found: dict[str, list[Played]]) -> str:
    names = list(next(iter(found.values()))[0].persons)
    head = [
        "setting",
        "games",
        "beige wins",
        "starter wins",
        "at the cap",
        "turns: 10 %, median, 90 %",
        *names,
    ]
    lines = [f"| {' | '.join(head)} |", "| --- " * len(head) + "|"]
    for name, games in found.items():
        f = facts(games)
        cells = [name, str(f["games"]), share(f["beige"], f["won"]), share(f["starter"], f["won"])]
        cells += [str(f["capped"]), ", ".join(str(n) for n in f["turns"])]
        cells += [f"{f['persons'][k]:.1f}" for k in names]
        lines.append(f"| {' | '.join(cells)} |")
    spaces = sorted({space for games in found.values() for g in games for space in g.first})
    lines += ["", "How often the side won that began with this space:", ""]
    lines += [
        f"| setting | {' | '.join(space.upper() for space in spaces)} |",
        "| --- " * (len(spaces) + 1) + "|",
    ]
    for name, games in found.items():
        f = facts(games)
        cells = [share(f["first_won"][space], f["first"][space]) for space in spaces]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


# -- the picture --------------------------------------------------------------------------------------------

INK, BEIGE, BROWN, GREY = "#3b2f24", "#d9b97c", "#8a5a34", "#b9b2a8"


def picture(found: dict[str, list[Played]]) -> str:
    """Bars of 95 % intervals around one half: beige's share, and the starter's."""
    rows = list(found)
    height = 70 + 56 * len(rows)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 {height}" font-family="Georgia, serif">',
        f'<rect width="760" height="{height}" fill="#faf6ee"/>',
        _text(20, 28, INK, f"Antike Duellum: {BOT} against itself, shares of won games", 17),
        _text(240, 50, BROWN, "beige side"),
        _text(330, 50, INK, "who began"),
        f'<line x1="490" y1="40" x2="490" y2="{height - 12}" stroke="{GREY}" stroke-dasharray="4 3"/>',
    ]
    for n, name in enumerate(rows):
        y = 78 + 56 * n
        f = facts(found[name])
        parts.append(_text(20, y + 12, INK, name))
        parts += _bar(f["beige"], f["won"], y, BROWN)
        parts += _bar(f["starter"], f["won"], y + 20, INK)
    return "\n".join([*parts, "</svg>", ""])


def _text(x: int, y: int, colour: str, words: str, size: int = 14) -> str:
    return f'<text x="{x}" y="{y}" fill="{colour}" font-size="{size}">{words}</text>'


def _bar(hits: int, of: int, y: int, colour: str) -> Iterator[str]:
    low, high = wilson(hits, of)
    left, width, middle = 240 + 500 * low, 500 * (high - low), 240 + 500 * hits / max(1, of)
    yield f'<rect x="{left:.0f}" y="{y}" width="{width:.0f}" height="12" fill="{BEIGE}"/>'
    yield f'<circle cx="{middle:.0f}" cy="{y + 6}" r="5" fill="{colour}"/>'


# -- the command --------------------------------------------------------------------------------------------

Games = Annotated[int, typer.Option("--games", min=1, help="Games of each setting.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Where the seeds begin.")]
Out = Annotated[
    Path | None,
    typer.Option("--out", help="Keep games here; a run that was stopped goes on.", show_default=False),
]
WriteDocs = Annotated[bool, typer.Option("--write-docs", help="Fill the page and the picture in docs/.")]
AsJson = Annotated[bool, typer.Option("--json", help="For programs: one JSON object.")]


def report(
    games: Games = 60,
    seed: Seed = 1,
    out: Out = None,
    write_docs: WriteDocs = False,
    as_json: AsJson = False,
) -> None:
    """Balance of Antike Duellum: win rates by side and by who began, length, personages, first turns.

    Example: python -m ludus.lab.duellum_report --games 60 --write-docs
    """
    found = run(games, seed, out)
    if as_json:
        typer.echo(json.dumps({name: [asdict(g) for g in rows] for name, rows in found.items()}))
        return
    typer.echo(table(found))
    if write_docs:
        write(found, PAGE, PICTURE, f"`python -m ludus.lab.duellum_report --games {games} --seed {seed}`")


def write(found: dict[str, list[Played]], page: Path, drawing: Path, command: str) -> None:
    """Put the table between its two marks, and the picture beside it."""
    text = page.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    told = f"{BEGIN}\n\nWritten by {command}.\n\n{table(found)}\n\n{END}"
    page.write_text(before + told + after, encoding="utf-8")
    drawing.parent.mkdir(exist_ok=True)
    drawing.write_text(picture(found), encoding="utf-8")


if __name__ == "__main__":
    typer.run(report)
