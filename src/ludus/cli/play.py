"""`ludus play`: a game in the terminal, against bots or with several persons on one screen."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from .common import DataFile, read_bots, read_language, read_own_data

Name = Annotated[
    str | None,
    typer.Argument(metavar="TITLE", help="What to play; asked when left out.", show_default=False),
]
Seats = Annotated[int | None, typer.Option("--seats", help="How many play.", show_default=False)]
Seat = Annotated[int | None, typer.Option("--seat", help="Your own seat, from 0 on.", show_default=False)]
Bots = Annotated[
    str | None,
    typer.Option(
        "--bots", help="Opponents, with commas between: tiro, legatus, module:Class.", show_default=False
    ),
]
Level = Annotated[
    str | None,
    typer.Option(
        "--level",
        help="How strong the opponents are: from 1 to 6, or a name.",
        show_default=False,
    ),
]
HotSeat = Annotated[
    bool, typer.Option("--hot-seat", help="Several persons on one screen; hands are covered between turns.")
]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option", help="An option of the title, as name=value; may be repeated.", show_default=False
    ),
]
Names = Annotated[
    str | None, typer.Option("--names", help="Names of the persons, with commas between.", show_default=False)
]
Lang = Annotated[str | None, typer.Option("--lang", help="en, fr, it or de.", show_default=False)]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed", min=0, help="Dice from a seed: for trials, nothing is proved.", show_default=False
    ),
]
Resume = Annotated[
    Path | None, typer.Option("--resume", help="Go on with the match of a file.", show_default=False)
]
New = Annotated[bool, typer.Option("--new", help="A new game, without asking about an unfinished one.")]
Auto = Annotated[bool, typer.Option("--auto", help="Play by itself what is the only possible action.")]
Plain = Annotated[bool, typer.Option("--plain", help="Lines instead of a window: typed choices and Enter.")]
Picture = Annotated[Path | None, typer.Option("--picture", hidden=True, show_default=False)]


def play(
    title: Name = None,
    seats: Seats = None,
    seat: Seat = None,
    level: Level = None,
    bots: Bots = None,
    hot_seat: HotSeat = False,
    option: Options = None,
    data: DataFile = None,
    names: Names = None,
    lang: Lang = None,
    seed: Seed = None,
    resume: Resume = None,
    new: New = False,
    auto: Auto = False,
    plain: Plain = False,
    picture: Picture = None,
) -> None:
    """Play in the terminal: against bots, or several persons on one screen.

    Everything is saved after every action; an unfinished game is offered
    at the next start. Dice and cards come from a key that is promised at
    the beginning and proved at the end.

    Examples: ludus play; ludus play TITLE --level 3;
    ludus play TITLE --seats 3 --hot-seat --names Anna,Bruno,Carla
    """
    language = read_language(lang)
    if picture is not None:
        from ludus import titles as registry
        from ludus.terminal.picture import save_picture

        save_picture(picture, title or registry.title_names()[0], language)
        return
    from ludus.terminal import start

    wish = start.Wish(
        title=title,
        seats=seats,
        seat=seat,
        bots=tuple(read_bots(bots or "")),
        level=level or "",
        hot_seat=hot_seat,
        options=start.read_options(option or [], language),
        data=read_own_data(title, data),
        names=_split(names),
        lang=language,
        seed=seed,
        resume=resume,
        new=new,
        auto=auto,
        plain=plain,
    )
    raise typer.Exit(start.play(wish, sys.stdin, sys.stdout))


def _split(given: str | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in (given or "").split(",") if part.strip())
