"""The balance report of Conquest of the Empire: who wins by home, for 2 to 6 seats, and how games end.

Acclamation is off, so that every game is won on the board.  200 rounds is the longest
cap and stands for a game without one, 50 for a game with one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median
from typing import Any

from ludus.core.contract import WIN
from ludus.lab.reports import Facts, Found, Variation, new_game, player_of, rows_of, share, wilson

from . import TITLE

LONG, SHORT = 200, 50
STRICT = 3.2  # normal deviations: about 1 in 700, because forty shares are looked at together
SETTINGS = tuple(
    Variation(
        f"{seats} seats" if rounds == LONG else f"{seats} seats, {rounds} rounds",
        (("acclamation", "off"), ("max_rounds", rounds)),
        seats=seats,
    )
    for rounds in (LONG, SHORT)
    for seats in range(2, 7)
)


def play(setting: Variation, bot: str, seed: int) -> dict[str, Any]:
    """One game: the homes by seat, who won (-1: equal tribute at the cap), how it ended, how long it took."""
    game, choose, decisions = new_game(TITLE, setting, seed), player_of(TITLE, bot), 0
    while not game.over:
        decisions += 1
        game.play(choose(game, seed * 8 + game.to_move))
    assert game.outcome is not None
    board = game.view(0)["board"]
    won = [seat for seat, result in enumerate(game.outcome.returns) if result == WIN]
    return {
        "homes": [seat["home"] for seat in board["seats"]],
        "winner": won[0] if won else -1,
        "end": board["ended"],
        "rounds": int(game.position.round) - (board["ended"] == "capped"),
        "decisions": decisions,
        "alive": sum(seat["emperor"] is not None for seat in board["seats"]),
    }


# -- what the games say -------------------------------------------------------------------------------------


class Tally:
    """The games of one setting, counted."""

    def __init__(self, games: Sequence[Facts]) -> None:
        self.games = len(games)
        self.won = Counter(g["homes"][g["winner"]] for g in games if g["winner"] >= 0)
        self.played = Counter(home for g in games for home in g["homes"])
        self.ended = sum(g["end"] == "last_emperor" for g in games)
        self.drawn = sum(g["winner"] < 0 for g in games)
        rounds = sorted(g["rounds"] for g in games)
        self.rounds = rounds[len(rounds) // 10], int(median(rounds)), rounds[-1 - len(rounds) // 10]
        self.decisions = int(median(g["decisions"] for g in games))
        self.seats = len(games[0]["homes"])
        self.alive = sum(g["alive"] for g in games) / len(games)


def _rows(found: Found) -> dict[str, Tally]:
    return {name: Tally(games) for name, games in found.items()}


def _homes() -> tuple[str, ...]:
    """Every home, in the order of turns."""
    return tuple(TITLE.labels(TITLE.box_for(6))["home"])


def markdown(found: Found, bot: str) -> str:
    rows = _rows(found)
    parts = [
        f"The bot *{bot}* plays itself, acclamation off, homes drawn by lot. Intervals are of 95 %.",
        "How games end; rounds as 10 %, median, 90 %:",
        _endings(rows),
        "How often the seat won that began in this home (fair share: one by the number of seats):",
        _shares(rows),
        "## What it says",
        "\n".join(f"- {sentence}" for sentence in sentences(rows)),
    ]
    return "\n\n".join(parts)


def _endings(rows: dict[str, Tally]) -> str:
    head = ["setting", "games", "last emperor", "at the cap", "draws", "emperors left", "rounds", "decisions"]
    body = [
        [
            name, str(row.games), share(row.ended, row.games), str(row.games - row.ended), str(row.drawn),
            f"{row.alive:.1f}", ", ".join(str(n) for n in row.rounds), str(row.decisions),
        ]
        for name, row in rows.items()
    ]  # fmt: skip
    return rows_of(head, body)


def _shares(rows: dict[str, Tally]) -> str:
    homes = _homes()
    body = [
        [name, *(share(row.won[h], row.played[h]) if row.played[h] else "-" for h in homes)]
        for name, row in rows.items()
    ]
    return rows_of(["setting", *(home.capitalize() for home in homes)], body)


def sentences(rows: dict[str, Tally]) -> list[str]:
    """What the figures show, and what they are too few to show."""
    told = []
    for name, row in rows.items():
        strong, weak = [], []
        for home in row.played:
            low, high = wilson(row.won[home], row.played[home], STRICT)
            if low > 1 / row.seats:
                strong.append(home.capitalize())
            elif high < 1 / row.seats:
                weak.append(home.capitalize())
        if strong or weak:
            parts = [f"more than its share: {', '.join(strong)}"] if strong else []
            parts += [f"less: {', '.join(weak)}"] if weak else []
            told.append(f"**{name}**: {'; '.join(parts)}.")
        else:
            told.append(f"**{name}**: no home is clearly above or below its fair share ({row.games} games).")
    return told


# -- the picture --------------------------------------------------------------------------------------------

INK, SAND, RED, GREY, PAPER = "#3b2f24", "#d9b97c", "#8a3324", "#b9b2a8", "#faf6ee"
LEFT, SPAN, LINE = 190, 420, 18


def picture(found: Found, bot: str) -> str:
    """A bar for each home of each number of seats: its share of wins, the interval, the fair share."""
    rows = {name: row for name, row in _rows(found).items() if "," not in name}
    height = 60 + sum(34 + LINE * len(row.played) for row in rows.values())
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 {height}" font-family="Georgia, serif">',
        f"<title>Conquest of the Empire: {bot} against itself, wins by home</title>",
        f'<rect width="640" height="{height}" fill="{PAPER}"/>',
        _text(20, 28, INK, f"Conquest of the Empire: {bot} against itself, wins by home", 17),
    ]
    y = 60
    for name, row in rows.items():
        parts.append(_text(20, y, INK, f"{name}, {row.games} games", 14))
        fair = LEFT + SPAN / row.seats
        end = y + 10 + LINE * len(row.played)
        parts.append(f'<path d="M {fair:.0f} {y + 6} V {end}" stroke="{RED}" stroke-dasharray="4 3"/>')
        for n, home in enumerate(h for h in _homes() if row.played[h]):
            parts += _bar(home, row.won[home], row.played[home], y + 10 + LINE * n)
        y = end + 24
    return "\n".join([*parts, "</svg>", ""])


def _text(x: float, y: float, colour: str, words: str, size: int = 13) -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" fill="{colour}" font-size="{size}">{words}</text>'


def _bar(home: str, hits: int, of: int, y: int) -> Iterator[str]:
    low, high = wilson(hits, of)
    middle = LEFT + SPAN * hits / max(1, of)
    yield _text(60, y + 12, INK, home.capitalize())
    yield f'<rect x="{LEFT}" y="{y + 7}" width="{SPAN}" height="1" fill="{GREY}"/>'
    yield (
        f'<rect x="{LEFT + SPAN * low:.0f}" y="{y + 3}" width="{SPAN * (high - low):.0f}" '
        f'height="9" fill="{SAND}"/>'
    )
    yield f'<circle cx="{middle:.0f}" cy="{y + 7}" r="4" fill="{INK}"/>'
