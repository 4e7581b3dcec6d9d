"""`ludus lab`: teaching nets, recording games, checking both, and weighing sides against each other."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludus.core.errors import FormatError, LudusError

from .common import DataFile, RayAddress, on_cluster, progress_bar, read_bots, read_own_data, read_pairs

if TYPE_CHECKING:
    from ludus.core.title import Title

app = typer.Typer(
    help="Teach nets to play, record games, check both, and weigh sides.",
    no_args_is_help=True,
    add_completion=False,
)

Name = Annotated[str, typer.Argument(help="The title.", show_default=False)]
Options = Annotated[
    list[str] | None, typer.Option("--option", help="An option of the title: name=value.", show_default=False)
]
Seats = Annotated[int | None, typer.Option("--seats", help="How many play.", show_default=False)]
Minutes = Annotated[float, typer.Option("--minutes", min=0.01, help="How long to teach.")]
Games = Annotated[
    int, typer.Option("--games", min=0, help="Teach for so many games instead: repeats a training exactly.")
]
Cores = Annotated[int, typer.Option("--cores", min=0, help="0: all of them.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Where the games come from.")]
Resume = Annotated[bool, typer.Option("--resume", help="Go on where a training was stopped.")]
Large = Annotated[bool, typer.Option("--large", help="The net of imperator: larger, beside the usual one.")]
Start = Annotated[Path | None, typer.Option("--start", help="Begin with this net.", show_default=False)]
Out = Annotated[
    Path | None,
    typer.Option("--out", help="Where the net goes (default: where the bots look).", show_default=False),
]
Settings = Annotated[
    list[str] | None, typer.Option("--set", help="How it is taught: name=number.", show_default=False)
]
Rival = Annotated[str, typer.Option("--rival", help="Against whom its strength is measured on the way.")]
CheckGames = Annotated[int, typer.Option("--check-games", min=0, help="In so many games; 0: not at all.")]
Check = Annotated[float, typer.Option("--check", min=1.0, help="Every so many seconds.")]


@app.command("train")
def train(
    name: Name,
    minutes: Minutes = 8.0,
    games: Games = 0,
    seats: Seats = None,
    option: Options = None,
    cores: Cores = 0,
    seed: Seed = 1,
    resume: Resume = False,
    large: Large = False,
    start: Start = None,
    out: Out = None,
    settings: Settings = None,
    rival: Rival = "miles",
    check: Check = 60.0,
    check_games: CheckGames = 100,
    ray: RayAddress = "",
) -> None:
    """Teach a net by self-play.  It is kept with its learning curve and what made it.

    Examples: ludus lab train TITLE --minutes 8; ludus lab train TITLE --resume; ludus lab train TITLE
    --option board=... --set hidden=128 --large
    """
    from ludus import titles as registry
    from ludus.bots.net import load_net
    from ludus.bots.planner import net_path
    from ludus.lab import curves, training

    given = {key: _number(key, value) for key, value in read_pairs(settings or []).items()}
    title = registry.title(name)
    options = read_pairs(option or [])
    facts = {"command": " ".join(["ludus", *sys.argv[1:]]), "commit": _commit()}
    with progress_bar() as bar, on_cluster(ray, cores or None) as cluster:
        pupils = cores or (cluster.cores if cluster else os.cpu_count() or 1)
        lesson = training.make_lesson(
            name, seats, options, seed, pupils, ({"hidden": 192.0} if large else {}) | given
        )
        path = out or net_path(title, title.box_for(lesson.seats, **options), "-large" if large else "")
        task = bar.add_task(f"{name}: compiling", total=100, rate="")

        def tell(row: dict[str, float], part: float) -> None:
            score = f"{100 * row['score']:.0f} % against {rival}, " if "score" in row else ""
            typer.echo(
                f"{row['seconds']:.0f} s, {row['games']:.0f} games: {score}"
                f"{row['turns']:.0f} turns a game, error {row['error']:.3f}"
            )
            bar.update(task, completed=100 * part, description=f"{name}: {row['games']:.0f} games")

        training.train(
            lesson,
            path,
            minutes,
            games,
            check=check,
            rival=rival,
            check_games=check_games,
            resume=resume,
            start=load_net(start) if start else None,
            facts=facts,
            tell=tell,
            cluster=cluster,
        )
    curves.draw(path)
    typer.echo(f"{path} and its learning curve, {path.with_suffix('.svg').name}")


def _number(key: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise FormatError(f"--set {key} needs a number, not {value!r:.40}") from None


def _commit() -> str:
    """The commit that is worked in, where there is one."""
    try:
        found = subprocess.run(
            ["git", "describe", "--always", "--dirty"],
            cwd=Path(__file__).parent, capture_output=True, text=True, check=False, timeout=5,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return ""
    return found.stdout.strip()


Recorded = Annotated[Path, typer.Option("--out", help="The folder for the games.", show_default=False)]
Shard = Annotated[int, typer.Option("--shard", min=1, help="How many games a file.")]
RecordedGames = Annotated[int, typer.Option("--games", min=1, help="How many games in all.")]
Seated = Annotated[str, typer.Option("--bots", help="Bots by seat, as for ludus arena.")]
Thinking = Annotated[
    float | None,
    typer.Option("--budget", help="Seconds a decision; else what each bot is used to.", show_default=False),
]


@app.command("record")
def record(
    name: Name,
    out: Recorded,
    bots: Seated = "miles,tiro",
    games: RecordedGames = 100,
    seed: Seed = 1,
    option: Options = None,
    data: DataFile = None,
    budget: Thinking = None,
    shard: Shard = 100,
    cores: Cores = 0,
) -> None:
    """Let bots play and keep every decision as a row of Parquet files (docs/research.md).

    Seeds and seats are those of ludus arena.  A run that was stopped goes on; one with more games adds them.

    Examples: ludus lab record TITLE --bots centurio,miles --games 1000 --out games; ludus lab check games
    """
    from ludus.lab import arena, recording

    own = read_own_data(name, data)
    names = read_bots(bots)
    if not names:
        raise FormatError("--bots needs at least one name, for instance miles,tiro")
    plan = arena.make_plan(name, names, games, seed, read_pairs(option or []), own, budget)
    with progress_bar() as bar:
        task = bar.add_task(f"{name}: {' - '.join(plan.bots)}", total=games, rate="games")
        written = recording.run(plan, out, shard, lambda n: bar.advance(task, n), cores or None)
    typer.echo(f"{out}: {games} games; {written} decisions were written now")


Checked = Annotated[
    str, typer.Argument(metavar="TITLE|FOLDER", help="Whose nets, or which games.", show_default=False)
]
Sample = Annotated[int, typer.Option("--sample", min=1, help="Of a folder: how many games to play again.")]


@app.command("check")
def check(name: Checked, sample: Sample = 20, seed: Seed = 1) -> None:
    """Whether the nets of a TITLE fit its present rules and inputs, or the recorded games of a FOLDER are
    whole and come out as recorded.

    The name of a title is the title; a folder of that name is ./NAME.
    """
    from ludus import titles as registry

    if name in registry.title_names():
        _check_nets(name)
    elif Path(name).is_dir():
        _check_games(Path(name), sample, seed)
    else:
        known = ", ".join(registry.title_names())
        raise LudusError(f"{name!r:.60} is neither a folder nor a title; titles are: {known}")


def _check_games(folder: Path, sample: int, seed: int) -> None:
    from ludus.lab import dataset

    found = dataset.check(folder, sample, seed)
    header, bots = found.header, " - ".join(found.header.bots)
    typer.echo(
        f"{folder}: {header.title}, rules version {header.rules}, {bots}: "
        f"{found.games} games, {found.decisions} decisions in {found.shards} files"
    )
    for fault in found.faults:
        typer.echo(fault)
    if found.faults:
        raise typer.Exit(1)
    typer.echo(f"{found.replayed} games played again: all as recorded")


def _check_nets(name: str) -> None:
    from ludus import titles as registry

    title = registry.title(name)
    if title.inputs is None:
        raise LudusError(f"{name} has no features.py, so it has no nets")
    paths = sorted((title.folder / "nets").glob("*.npz"))
    if not paths:
        raise LudusError(f"{name} has no nets yet: ludus lab train {name}")
    wrong = 0
    for path in paths:
        faults = net_faults(title, path)
        wrong += bool(faults)
        typer.echo(f"{path.stem}: {'; '.join(faults) or 'fits'}")
    if wrong:
        raise typer.Exit(1)


def net_faults(title: Title[Any, Any], path: Path) -> list[str]:
    """What does not fit, in words; nothing when all does."""
    from ludus.bots.net import load_net

    assert title.inputs is not None
    try:
        net = load_net(path)
    except FormatError as error:
        return [error.reason]
    faults = []
    if net.inputs != title.inputs.size:
        faults.append(f"it has {net.inputs} inputs, features.py has {title.inputs.size}")
    if net.codes != title.codes.size:
        faults.append(f"its policy knows {net.codes} actions, the title has {title.codes.size}")
    if net.facts.get("rules") != title.version:
        faults.append(f"it was taught rules version {net.facts.get('rules')}, now it is {title.version}")
    if path.stat().st_size > 1_000_000:
        faults.append(f"it is {path.stat().st_size} bytes large, more than a million")
    return faults


BotNames = Annotated[str, typer.Option("--bots", help="Whom to ask, with commas between.")]


@app.command("choices")
def choices(name: Name, bots: BotNames = "centurio,legatus") -> None:
    """Put the positions with an obvious choice to bots; the exit status is 1 when one errs too often."""
    from ludus import titles as registry
    from ludus.bots import make_bot
    from ludus.lab import choices as lab

    title = registry.title(name)
    failed = False
    for bot in read_bots(bots):
        found = lab.put_to(title, make_bot(bot, title))
        right = sum(not choice.wrong for choice in found)
        for choice in found:
            if choice.wrong:
                typer.echo(f"  {choice.name}: {bot} played {choice.played}; {choice.wrong}")
        typer.echo(f"{name}: {bot} is right in {right} of {len(found)} ({100 * right / len(found):.0f} %)")
        failed |= right < lab.WANTED * len(found)
    if failed:
        raise typer.Exit(1)


Explored = Annotated[int, typer.Option("--games", min=1, help="Games of the bots.")]
Playing = Annotated[str, typer.Option("--bots", help="Who plays (default: the strongest quick rung).")]
Keep = Annotated[bool, typer.Option("--keep", help="Keep it with the title, for the page /explore/TITLE.")]


@app.command("explore")
def explore(
    name: Name, games: Explored = 200, bots: Playing = "", option: Options = None, seed: Seed = 1,
    keep: Keep = False,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:  # fmt: skip
    """Say what beginnings bots play at a title, how often, and how they score.

    Examples: ludus lab explore TITLE; ludus lab explore TITLE --bots centurio --games 1000 --keep
    """
    from ludus import titles as registry
    from ludus.analysis.beginnings import in_words
    from ludus.lab import calibrating, exploring

    title = registry.title(name)
    playing = read_bots(bots) or calibrating.bots_of(name, [])[-1:]
    with progress_bar(as_json) as bar:
        task = bar.add_task(name, total=games, rate="")
        given = read_pairs(option or [])
        found = exploring.explore(name, playing, games, seed, lambda n: bar.update(task, advance=n), given)
    if as_json:
        typer.echo(json.dumps(found.to_json(), ensure_ascii=False))
    for row in [] if as_json else in_words(title, found.to_json(), "en")["rows"]:
        said = "; ".join(row["told"])
        typer.echo(f"seat {row['seat'] + 1}  {row['games']:5d} games  {row['score']:5.1f} %  {said}")
    if keep:
        facts = {"command": " ".join(["ludus", *sys.argv[1:]]), "commit": _commit(), "bots": playing}
        typer.echo(str(exploring.keep(name, found, facts)))


Pairs = Annotated[
    int, typer.Option("--games", min=0, help="Games of each pair of rungs; 0: what was fitted before stays.")
]
Analysed = Annotated[
    int, typer.Option("--analysed", min=0, help="Games of each rung; 0: what its decisions cost stays.")
]
Followed = Annotated[
    int,
    typer.Option(
        "--followed",
        min=0,
        help="Games of each rung in which one sees how much of a difference between plans comes true.",
    ),
]
Weighed = Annotated[int, typer.Option("--decisions", min=1, help="Decisions of each rung, about.")]
Rungs = Annotated[str, typer.Option("--bots", help="Rungs that play (default: those that are quick).")]
WriteDocs = Annotated[bool, typer.Option("--write-docs", help="Fill docs/analysis.md and draw its pictures.")]
KeptGames = Annotated[
    Path | None,
    typer.Option(
        "--kept",
        help="Folder where games are kept: they are not played again, and a stopped run goes on.",
        show_default=False,
    ),
]


@app.command("calibrate")
def calibrate(
    name: Name,
    games: Pairs = 400,
    analysed: Analysed = 6,
    followed: Followed = 0,
    decisions: Weighed = 300,
    bots: Rungs = "",
    seats: Seats = None,
    option: Options = None,
    cores: Cores = 0,
    seed: Seed = 1,
    write_docs: WriteDocs = False,
    kept: KeptGames = None,
) -> None:
    """Fit the chances of the analysis to games between rungs, and say how well they come true.

    Examples: ludus lab calibrate TITLE --write-docs; ludus lab calibrate TITLE --games 2000
    """
    from ludus import titles as registry
    from ludus.analysis.calibration import path_of
    from ludus.lab import calibrating as lab
    from ludus.lab.foretelling import pairs_of

    title, playing = registry.title(name), lab.bots_of(name, read_bots(bots))
    settings, workers = lab.settings_of(name, seats, read_pairs(option or [])), lab.cores_or_all(cores)
    facts = {"command": " ".join(["ludus", *sys.argv[1:]]), "commit": _commit()}
    with progress_bar() as bar:
        for setting in settings:
            total = games * len(pairs_of(playing)) + analysed * lab.rungs_played(setting)
            total += followed * len(playing)
            task = bar.add_task(f"{name}, {setting.name}", total=total, rate="")

            def tell(played: int, task: Any = task) -> None:
                bar.update(task, advance=played)

            made = lab.calibrate(
                setting, playing, games, analysed, seed, workers, facts, tell, kept, decisions, followed
            ).calibration  # fmt: skip
            shifts = ", ".join(f"{shift:+.2f}" for shift in made.shifts)
            typer.echo(
                f"{setting.name}: slope {made.slope:.2f}, shifts {shifts}, lapse {100 * made.lapse:.1f} %; "
                f"calibration error {made.ece:.1f} points over {made.facts['decisions']} decisions, "
                f"{made.facts['games']} games"
            )
            for rung in made.rungs:
                typer.echo(f"  {rung.name}: {rung.error:.2f} points a decision")
            typer.echo(f"  {path_of(title, setting.name)}")
    if write_docs:
        typer.echo(", ".join(lab.write(name, lab.kept(name), workers)))


Played = Annotated[int, typer.Option("--games", min=1, help="How many games, a seed each.")]
Player = Annotated[str, typer.Option("--bot", help="Who plays all sides.")]
Changes = Annotated[
    list[str] | None,
    typer.Option("--change", help="A change of what is ours (see --list).", show_default=False),
]
Screen = Annotated[
    bool, typer.Option("--screen", help="Draw changes by lot for each game, and tell what each does.")
]
List = Annotated[bool, typer.Option("--list", help="Which changes there are; no game is played.")]
AsJson = Annotated[bool, typer.Option("--json", help="As JSON.")]


@app.command("balance")
def balance(
    name: Name,
    option: Options = None,
    games: Played = 100,
    seed: Seed = 1,
    bot: Player = "centurio",
    change: Changes = None,
    screen: Screen = False,
    listed: List = False,
    cores: Cores = 0,
    as_json: AsJson = False,
) -> None:
    """Let equal bots play, and say how often each side wins: as it is, or with some of what is ours changed.

    Examples: ludus lab balance TITLE --games 1000; ludus lab balance TITLE --list; ludus lab balance TITLE
    --screen --games 500; ludus lab balance TITLE --change "..." --change "..."
    """
    import json

    from ludus import titles as registry
    from ludus.bots import make_bot
    from ludus.lab import balance as lab
    from ludus.lab.variations import variations_of

    title = registry.title(name)
    setting = lab.Equals(name, tuple(read_pairs(option or []).items()), bot, tuple(change or ()))
    parts, values = variations_of(name), setting.values
    parts.varied(values, setting.changes)
    if listed:
        for line in parts.declared(values):
            typer.echo(line)
        return
    make_bot(bot, title)
    with progress_bar(as_json) as bar:
        task = bar.add_task(f"{name}: {bot} against itself", total=games, rate="")
        results = lab.run(
            setting, games, seed, screen, cores or None, lambda n: bar.update(task, advance=n)
        )  # fmt: skip
    found = lab.report(setting, results)
    effects = lab.effects(results) if screen else []
    if as_json:
        found["effects"] = [vars(effect) for effect in effects]
        typer.echo(json.dumps(found, indent=1))
        return
    for side, share in found["sides"].items():
        low, high = 100 * share["low"], 100 * share["high"]
        typer.echo(
            f"{side} wins {100 * share['share']:.1f} % ({low:.1f} to {high:.1f}) of {found['games']} games"
        )
    turns = found["turns"]
    typer.echo(
        f"turns: {turns['median']:.0f} at the median, {turns['tenth']:.0f} to {turns['ninth']:.0f} in eight "
        f"of ten games, {turns['worst']} at most"
    )
    for effect in effects:
        typer.echo(
            f"{effect.change}: {100 * effect.share:+.0f} points for {next(iter(found['sides']))} "
            f"(about {100 * effect.about:.0f} either way), {effect.turns:+.0f} turns"
        )


Want = Annotated[int, typer.Option("--want", min=1, help="How many puzzles of each setting.")]
MostGames = Annotated[int, typer.Option("--games", min=1, help="In so many games at most.")]
Folder = Annotated[
    Path | None,
    typer.Option("--out", help="The folder for the files (default: the title's own).", show_default=False),
]
JournalFolder = Annotated[
    Path | None,
    typer.Option("--journal", help="Keep what was found here, and go on from it.", show_default=False),
]
SearchMinutes = Annotated[
    float, typer.Option("--minutes", min=0.0, help="So long for each setting at most; 0: without end.")
]
Add = Annotated[
    bool, typer.Option("--add", help="Keep the puzzles that the file has; --want counts those beside them.")
]
Puzzler = Annotated[str, typer.Option("--bot", help="Who plays the games that are searched.")]
AskedAt = Annotated[
    list[str] | None,
    typer.Option("--at", help="Only where this is asked, as the title's prompts are named: decide, losses."),
]
CheckOnly = Annotated[
    bool, typer.Option("--check", help="Say which of the puzzles no longer fit; nothing is written.")
]
Judged = Annotated[bool, typer.Option("--judge", help="With --check: also whether the judge still agrees.")]


@app.command("puzzles")
def puzzles(
    name: Name,
    want: Want = 50,
    games: MostGames = 1000,
    seats: Seats = None,
    option: Options = None,
    seed: Seed = 1,
    bot: Puzzler = "legatus",
    at: AskedAt = None,
    minutes: SearchMinutes = 0.0,
    cores: Cores = 1,
    add: Add = False,
    out: Folder = None,
    journal: JournalFolder = None,
    check: CheckOnly = False,
    judge: Judged = False,
) -> None:
    """Find puzzles in games of the strongest bots, or check those that there are (docs/puzzles.md).

    Examples: ludus lab puzzles TITLE --want 150; ludus lab puzzles TITLE --seed 2 --add --minutes 5 --cores
    0; ludus lab puzzles TITLE --check; ludus lab puzzles TITLE --check --judge
    """
    from ludus import titles as registry
    from ludus.lab import puzzles as lab
    from ludus.puzzles.puzzle import FOLDER

    title = registry.title(name)
    if check:
        _check_puzzles(title, judge, seed)
        return
    folder = out or title.folder / FOLDER
    kept = journal or folder
    for made in (folder, kept):
        made.mkdir(parents=True, exist_ok=True)
    effort = lab.Effort(want, games, minutes or inf, cores or os.cpu_count() or 1)
    with progress_bar() as bar:
        for setting in lab.settings_of(title, seats, read_pairs(option or []), bot, tuple(at or ())):
            called = setting.file_name()
            task = bar.add_task(called, total=want, rate="")

            def tell(played: int, found: int, task: Any = task, called: str = called) -> None:
                bar.update(task, completed=found, description=f"{called}: {played} games")

            pages = lab.Journal(kept / f"{called}.jsonl", setting, seed)
            path = folder / f"{called}.toml"
            before, how = lab.read_back(path, title) if add else ([], "")
            rows = lab.search(setting, seed, effort, pages, tell, before)
            where = "".join(f" --at {one}" for one in setting.at)
            command = f"ludus lab puzzles {name} --bot {bot} --seed {seed}{where}"
            text = lab.write_file(setting, rows, "; ".join(filter(None, (how, command))))
            path.write_text(text, encoding="utf-8")
            typer.echo(f"{path}: {len(rows)} puzzles of {len(pages.games)} games, {len(text)} bytes")


def _check_puzzles(title: Title[Any, Any], judge: bool, seed: int) -> None:
    from ludus.lab import puzzles as lab
    from ludus.puzzles.puzzle import fitting_puzzles

    found, wrong = fitting_puzzles(title)
    if judge:
        said = [(one, lab.judged_again(title, one, seed)) for one in found]
        wrong += [f"{one.scene.path.name}: puzzle {one.name}: {problem}" for one, problem in said if problem]
    for line in wrong:
        typer.echo(line)
    typer.echo(f"{title.name}: {len(found)} puzzles fit the rules; {len(wrong)} lines above")
    if wrong:
        raise typer.Exit(1)
