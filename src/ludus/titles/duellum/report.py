"""The balance report of Antike Duellum: who wins by side and by who began, on every board and edition.

The first space of each side is drawn at random, so that the report can say what each is worth; after that
the bot plays.  Sentences about borders and the coin are chosen by the figures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import hypot
from random import Random
from statistics import median
from typing import Any

from ludus.lab.reports import Facts, Found, Variation, new_game, player_of, rows_of, share, wilson

from . import TITLE

NO_COIN = "[start]\nsecond_coins = 0\n"
SETTINGS = (
    Variation("Rome and Carthage", (("board", "rome_carthage"),)),
    Variation("Greece and Persia", (("board", "greece_persia"),)),
    Variation("Casus Belli", (("edition", "casus_belli"),)),
    Variation("Rome and Carthage, no coin", (("board", "rome_carthage"),), data=NO_COIN),
    Variation("Greece and Persia, no coin", (("board", "greece_persia"),), data=NO_COIN),
)
PAIRS = tuple((s.name, f"{s.name}, no coin") for s in SETTINGS[:2])  # with and without the coin
SIDES = {"Greece and Persia": ("Persia", "Greece")}  # beige and brown; elsewhere Rome and Carthage
STRICT = 3.2  # normal deviations: about 1 in 700, because some thirty spaces are looked at together


def play(setting: Variation, bot: str, seed: int) -> dict[str, Any]:
    """One game; `winner` is -1 at the cap, `legal` counts how often so many actions were legal."""
    game, choose = new_game(TITLE, setting, seed), player_of(TITLE, bot)
    first, dice = ["", ""], Random(seed)
    legal: Counter[int] = Counter()
    while not game.over:
        seat, actions = game.to_move, game.legal()
        legal[len(actions)] += 1
        if not first[seat] and actions[0].kind == "go":
            action = dice.choice([a for a in actions if a.kind == "go"])
            first[seat] = action.text.removeprefix("go ").removesuffix("_ii")
        else:
            action = choose(game, seed * 2 + seat)
        game.play(action.code)
    s = game.position
    held = s.persons[s.winner] if s.winner >= 0 else [0] * len(game.labels["person"])
    return {
        "winner": int(s.winner),
        "starter": int(s.starter),
        "turns": int(s.turns),
        "persons": dict(zip(game.labels["person"], (int(n) for n in held), strict=True)),
        "first": first,
        "legal": {str(n): times for n, times in sorted(legal.items())},
    }


# -- what the games say -------------------------------------------------------------------------------------


class Tally:
    """The games of one setting, counted."""

    def __init__(self, games: Sequence[Facts]) -> None:
        won = [g for g in games if g["winner"] >= 0]
        self.games, self.won = len(games), len(won)
        self.beige = sum(g["winner"] == 0 for g in won)
        self.starter = sum(g["winner"] == g["starter"] for g in won)
        turns = sorted(g["turns"] for g in won) or [0]
        self.turns = turns[len(turns) // 10], int(median(turns)), turns[-1 - len(turns) // 10]
        names = games[0]["persons"]
        self.persons = {k: sum(g["persons"][k] for g in won) / max(1, len(won)) for k in names}
        self.first = Counter(space for g in won for space in g["first"])
        self.first_won = Counter(g["first"][g["winner"]] for g in won)
        self.legal: Counter[int] = Counter()
        for game in games:
            self.legal.update({int(n): times for n, times in game["legal"].items()})

    def legal_at(self, part: float) -> int:
        """The length that this part of all legal lists does not exceed."""
        wanted, seen = part * self.legal.total(), 0
        for length, times in sorted(self.legal.items()):
            seen += times
            if seen >= wanted:
                return length
        return 0


def markdown(found: Found, bot: str) -> str:
    rows = {name: Tally(games) for name, games in found.items()}
    parts = [
        f"The bot *{bot}* plays itself; the first space of each side is drawn. Intervals are of 95 %.",
        _main_table(rows),
        "How often the side won that began with this space:",
        _first_table(rows),
        "## What it says",
        "\n".join(f"- {sentence}" for sentence in sentences(rows)),
    ]
    return "\n\n".join(parts)


def _main_table(rows: dict[str, Tally]) -> str:
    names = list(next(iter(rows.values())).persons)
    head = ["setting", "games", "beige wins", "starter wins", "at the cap", "turns: 10 %, median, 90 %"]
    head += [*names, "legal list: median, 99 %, longest"]
    cells = []
    for name, row in rows.items():
        legal = (row.legal_at(0.5), row.legal_at(0.99), max(row.legal))
        cells.append(
            [name, str(row.games), share(row.beige, row.won), share(row.starter, row.won)]
            + [str(row.games - row.won), _numbers(row.turns)]
            + [f"{row.persons[k]:.1f}" for k in names]
            + [_numbers(legal)]
        )
    return rows_of(head, cells)


def _numbers(numbers: Sequence[int]) -> str:
    return ", ".join(str(n) for n in numbers)


def _first_table(rows: dict[str, Tally]) -> str:
    spaces = sorted({space for row in rows.values() for space in row.first})
    cells = [[n, *(share(r.first_won[s], r.first[s]) for s in spaces)] for n, r in rows.items()]
    return rows_of(["setting", *(space.upper() for space in spaces)], cells)


# -- sentences ----------------------------------------------------------------------------------------------


def sentences(rows: dict[str, Tally]) -> list[str]:
    """What the figures allow to say, and no more."""
    return [
        *(_side_sentence(name, row) for name, row in rows.items()),
        "**The reconstructed borders**: nearly all borders of the three boards are ours, so what is said "
        "here of sides is said of those borders, or of the bot, not of the printed game. Whoever has the "
        "printed board can type it in (`docs/own-data.md`) and let bots play on it.",
        *(_coin_sentence(name, rows[name], rows[other]) for name, other in PAIRS),
        _first_sentence(rows),
        _length_sentence(rows),
        "A bot against itself says what suits that bot; a stronger one may find another game. The same seeds "
        "serve every setting, so the rows are not independent of each other.",
    ]


def _side_sentence(name: str, row: Tally) -> str:
    low, high = wilson(row.beige, row.won)
    beige, brown = SIDES.get(name.removesuffix(", no coin"), ("Rome", "Carthage"))
    if low <= 0.5 <= high:
        return f"**{name}**: no side is clearly ahead; the interval of {beige} (beige) contains one half."
    ahead, colour = (beige, "beige") if low > 0.5 else (brown, "brown")
    number = row.beige if low > 0.5 else row.won - row.beige
    return f"**{name}**: {ahead} ({colour}) wins more often, {share(number, row.won)}."


def _coin_sentence(name: str, with_coin: Tally, without: Tally) -> str:
    """The change of the starter's share when the second player's coin is left out (Newcombe's interval)."""
    a, b = with_coin.starter / max(1, with_coin.won), without.starter / max(1, without.won)
    (low_a, high_a), (low_b, high_b) = (wilson(r.starter, r.won) for r in (with_coin, without))
    low, high = 100 * (b - a - hypot(b - low_b, high_a - a)), 100 * (b - a + hypot(high_b - b, a - low_a))
    change = f"{100 * (b - a):+.0f} points ({low:+.0f} to {high:+.0f})"
    told = f"**The starting coin, {name}**: without it the share of who began changes by {change}"
    if low <= 0 <= high:
        return f"{told}: no effect of the coin can be seen."
    return f"{told}: the coin {'helps' if low > 0 else 'harms'} the second player."


def _first_sentence(rows: dict[str, Tally]) -> str:
    told = []
    for name, row in rows.items():
        for space, times in sorted(row.first.items()):
            low, high = wilson(row.first_won[space], times, STRICT)
            if low > 0.5 or high < 0.5:
                told.append(f"{space.upper()} {'wins' if low > 0.5 else 'loses'} more often ({name})")
    begun = "**First turns**: each space was drawn, so its share is its worth as a beginning. "
    if not told:
        return begun + "None differs from one half by more than chance among so many spaces would explain."
    return begun + "Beyond what chance among so many spaces would explain: " + "; ".join(told) + "."


def _length_sentence(rows: dict[str, Tally]) -> str:
    middles = [row.turns[1] for row in rows.values()]
    capped, games = sum(r.games - r.won for r in rows.values()), sum(r.games for r in rows.values())
    names = next(iter(rows.values())).persons
    won = max(1, sum(r.won for r in rows.values()))
    means = {k: sum(r.persons[k] * r.won for r in rows.values()) / won for k in names}
    most = ", ".join(f"{k} {n:.1f}" for k, n in sorted(means.items(), key=lambda pair: -pair[1]))
    return (
        f"**Length and personages**: medians lie between {min(middles)} and {max(middles)} turns of both "
        f"seats together; {capped} of {games} games reached the cap of turns, which is no rule; such games "
        f"count for neither. A winner has on average: {most}."
    )


# -- the picture --------------------------------------------------------------------------------------------

INK, BEIGE, BROWN, GREY, PAPER = "#3b2f24", "#d9b97c", "#8a5a34", "#b9b2a8", "#faf6ee"
LEFT, SPAN, TURNS, TURN_SPAN = 230, 330, 600, 170  # where shares and turns are drawn, and how wide


def picture(found: Found, bot: str) -> str:
    """Left the shares of beige and of who began, with their intervals around one half; right the length."""
    rows = {name: Tally(games) for name, games in found.items()}
    height = 76 + 56 * len(rows)
    longest = max(row.turns[2] for row in rows.values()) or 1
    middle = LEFT + SPAN / 2
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 {height}" font-family="Georgia, serif">',
        f"<title>Antike Duellum: {bot} against itself</title>",
        f'<rect width="800" height="{height}" fill="{PAPER}"/>',
        _text(20, 28, INK, f"Antike Duellum: {bot} against itself", 17),
        _text(LEFT, 52, BROWN, "● beige wins"),
        _text(LEFT + 120, 52, INK, "■ who began wins"),
        _text(TURNS, 52, INK, "turns: 10 %, median, 90 %"),
        f'<path d="M {middle} 60 V {height - 12}" stroke="{GREY}" stroke-dasharray="4 3"/>',
    ]
    for n, (name, row) in enumerate(rows.items()):
        y = 78 + 56 * n
        parts.append(_text(20, y + 16, INK, name))
        parts += [*_bar(row.beige, row.won, y, BROWN), *_bar(row.starter, row.won, y + 20, INK)]
        parts += _length(row.turns, longest, y + 6)
    return "\n".join([*parts, "</svg>", ""])


def _text(x: float, y: float, colour: str, words: str, size: int = 14) -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" fill="{colour}" font-size="{size}">{words}</text>'


def _bar(hits: int, of: int, y: int, colour: str) -> Iterator[str]:
    low, high = wilson(hits, of)
    left, width, middle = LEFT + SPAN * low, SPAN * (high - low), LEFT + SPAN * hits / max(1, of)
    yield f'<rect x="{left:.0f}" y="{y}" width="{width:.0f}" height="12" fill="{BEIGE}"/>'
    if colour == INK:
        yield f'<rect x="{middle - 5:.0f}" y="{y + 1}" width="10" height="10" fill="{colour}"/>'
    else:
        yield f'<circle cx="{middle:.0f}" cy="{y + 6}" r="5" fill="{colour}"/>'


def _length(turns: Sequence[int], longest: int, y: int) -> Iterator[str]:
    low, middle, high = (TURNS + TURN_SPAN * n / longest for n in turns)
    yield f'<rect x="{low:.0f}" y="{y + 4}" width="{max(1, high - low):.0f}" height="12" fill="{GREY}"/>'
    yield f'<rect x="{middle - 2:.0f}" y="{y}" width="4" height="20" fill="{INK}"/>'
    yield _text(middle - 10, y + 34, INK, str(turns[1]), 12)
