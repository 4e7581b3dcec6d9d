"""`ludus kit`: put a title through the tests that every title must pass."""

from __future__ import annotations

import json
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludus import titles as registry
from ludus.core.title import Title

from .common import progress_bar

SAMPLE = 200  # mutants of the rules that `--faults` tries without `--long`

if TYPE_CHECKING:
    from ludus.core.kit import KitReport
    from ludus.core.kit.findings import Failure

Name = Annotated[str, typer.Argument(help="The title to test.", show_default=False)]
Plies = Annotated[int, typer.Option("--plies", min=1, help="How many actions to check, all boxes together.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Where the random games begin.")]
Faults = Annotated[
    bool, typer.Option("--faults", help="Make rules wrong one by one, and see what scenes and kit notice.")
]
Long = Annotated[bool, typer.Option("--long", help="With --faults: all mutants of the rules, not a sample.")]
Every = Annotated[int, typer.Option("--every", min=1, help="With --faults: every so many-th planted fault.")]
Golden = Annotated[bool, typer.Option("--write-golden", help="Write the golden playthroughs anew.")]
Everything = Annotated[
    bool, typer.Option("--everything", help="Also run the scenes and compare playthroughs.")
]
Scenes = Annotated[
    bool, typer.Option("--scenes", help="Run the scenes first, and play at random only if all of them pass.")
]
Out = Annotated[Path, typer.Option("--out", help="Where a failing run leaves what reproduces it.")]
AsJson = Annotated[bool, typer.Option("--json", help="For programs: one JSON object.")]


def kit(
    name: Name,
    plies: Plies = 2000,
    seed: Seed = 1,
    faults: Faults = False,
    long: Long = False,
    every: Every = 1,
    write_golden: Golden = False,
    everything: Everything = False,
    scenes: Scenes = False,
    out: Out = Path(),
    as_json: AsJson = False,
) -> None:
    """Random play with every promise of the contract checked at every action.

    A failing run leaves a match file and a scene that reproduce it.

    Examples: ludus kit TITLE --plies 20000; ludus kit TITLE --faults --long
    """
    title = registry.title(name)
    if faults:
        _try_faults(title, long, every, as_json)
    elif write_golden:
        from ludus.core.kit import golden

        names = golden.write(title, title.folder / "golden")
        typer.echo(f"{len(names)} playthroughs written: {', '.join(names)}")
    else:
        _check(title, plies, seed, everything, scenes, out, as_json)


def _check(
    title: Title[Any, Any], plies: int, seed: int, everything: bool, scenes: bool, out: Path, as_json: bool
) -> None:
    result: dict[str, Any] = {"title": title.name, "crash": "", "failure": "", "problems": []}
    if everything or scenes:
        result.update(_scenes(title))
    report = None
    if everything or not result.get("scenes_failed"):
        report = _play(title, plies, seed, as_json, result)
    if everything:
        result.update(_golden(title, result["crash"]))
    _tell(result, report, out, as_json)


def _play(
    title: Title[Any, Any], plies: int, seed: int, as_json: bool, result: dict[str, Any]
) -> KitReport | None:
    try:
        report = _run(title, plies, seed, as_json)
        result.update(_facts(report))
    except typer.Exit:
        raise
    except Exception as error:
        # The rules themselves raised: a crash is reported as such, with its line.
        result["crash"] = result["crash"] or f"{type(error).__name__}: {error} ({_last_line(error)})"
        return None
    return report


def _tell(result: dict[str, Any], report: KitReport | None, out: Path, as_json: bool) -> None:
    passed = not (
        result["crash"]
        or result["failure"]
        or result["problems"]
        or result.get("scenes_failed")
        or result.get("golden_differs")
    )
    if report is not None and report.failure is not None and not as_json:
        _leave_behind(report.failure, out)
    if as_json:
        typer.echo(json.dumps({**result, "passed": passed}))
    else:
        _print(result, passed)
    if not passed:
        raise typer.Exit(1)


def _run(title: Title[Any, Any], plies: int, seed: int, quiet: bool) -> KitReport:
    from ludus.core.kit import run_kit

    with progress_bar(quiet) as bar:
        task = bar.add_task(title.name, total=None, rate="boxes")
        return run_kit(
            title, plies, seed, progress=lambda done, of: bar.update(task, completed=done, total=of)
        )


def _last_line(error: Exception) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    return f"{Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else ""


def _facts(report: KitReport) -> dict[str, Any]:
    counts = report.counts
    return {
        "plies": counts.plies,
        "games": counts.games,
        "mean_legal": round(counts.mean_legal, 2),
        "most_legal": counts.most_legal,
        "refusals": counts.refusals,
        "explained": round(counts.explained_share, 4),
        "oracle_positions": counts.oracle_positions,
        "failure": str(report.failure) if report.failure else "",
        "problems": report.problems,
    }


def _scenes(title: Title[Any, Any]) -> dict[str, Any]:
    from ludus.core.scene import read_scene, run_scene, scene_files

    failed: dict[str, list[str]] = {}
    crash = ""
    scenes = title.folder / "scenes"
    for path in scene_files(scenes) if scenes.is_dir() else []:  # a title in the making has none yet
        try:
            read = read_scene(path, registry.title)
            if not run_scene(read).passed:
                failed[path.stem] = list(read.rules)
        except Exception as error:
            crash = f"{path.stem}: {type(error).__name__}: {error}"
    return {"scenes_failed": failed, "crash": crash}


def _golden(title: Title[Any, Any], crash: str) -> dict[str, Any]:
    from ludus.core.kit import golden

    try:
        return {"golden_differs": golden.compare(title, title.folder / "golden")}
    except Exception as error:
        return {"golden_differs": [], "crash": crash or f"golden: {type(error).__name__}: {error}"}


def _leave_behind(failure: Failure, out: Path) -> None:
    """Write the match file and the scene that reproduce a failure."""
    from ludus.core.scene import write_scene
    from ludus.match.file import write_game

    game = failure.game
    stem = f"{game.title.name}-{game.seed}-{len(game.line)}"
    note = f"{failure.promise}: {failure.detail}\nafter {failure.action!r}"
    match_file, scene_file = out / f"{stem}.match", out / f"{stem}.toml"
    match_file.write_text(write_game(game, failure.options, failure.box_name, note), encoding="utf-8")
    before = game.copy()
    if before.line:
        before.rewind(len(before.line) - 1)
    text = write_scene(before, failure.promise, failure.box_name, failure.options, failure.action)
    scene_file.write_text(text, encoding="utf-8")
    typer.echo(f"What reproduces it: {match_file} and {scene_file}")


def _print(result: dict[str, Any], passed: bool) -> None:
    if "plies" in result:
        typer.echo(
            f"{result['title']}: {result['plies']} actions in {result['games']} games checked; "
            f"legal actions: {result['mean_legal']} on average, {result['most_legal']} at most; "
            f"{result['explained']:.0%} of {result['refusals']} refusals name a rule; "
            f"{result['oracle_positions']} beliefs compared with the oracle"
        )
    for key in ("crash", "failure"):
        if result[key]:
            typer.echo(f"{key}: {result[key]}")
    for problem in [*result["problems"], *result.get("golden_differs", ())]:
        typer.echo(f"problem: {problem}")
    for scene in result.get("scenes_failed", ()):
        typer.echo(f"scene failed: {scene}")
    typer.echo("passed" if passed else "failed")


def _try_faults(title: Title[Any, Any], long: bool, every: int, as_json: bool) -> None:
    """Mutants of the rules first, then the faults that somebody planted by hand."""
    mutants = _try_mutants(title, 0 if long else SAMPLE, as_json)
    planted = _try_planted(title, every, as_json)
    if as_json:
        typer.echo(json.dumps({"title": title.name, **mutants, **planted}))
    if mutants["holes"] or mutants["outdated"] or mutants["unheld"] or planted["missed"]:
        raise typer.Exit(1)


def _try_mutants(title: Title[Any, Any], sample: int, as_json: bool) -> dict[str, Any]:
    from ludus.core.kit.mutation import Fate, listing, try_mutants

    with progress_bar(as_json) as bar:
        task = bar.add_task(f"{title.name} mutants", total=None, rate="")

        def show(fate: Fate) -> None:
            bar.advance(task)

        found = try_mutants(title, sample, progress=show)
    if not as_json:
        for line in listing(found, title.folder):
            typer.echo(line)
    return {
        "mutants": len(found.fates),
        "survivors": [str(mutant) for mutant in found.survivors],
        "holes": [f"{mutant.file}:{mutant.line} {mutant}" for mutant in found.holes],
        "outdated": found.outdated,
        "unheld": list(found.unheld),
    }


def _try_planted(title: Title[Any, Any], every: int, as_json: bool) -> dict[str, Any]:
    from ludus.core.kit.faults import Verdict, read_faults, try_faults

    total = len(read_faults(title)[::every])
    if not total:
        return {"faults": {}, "missed": []}
    with progress_bar(as_json) as bar:
        task = bar.add_task(f"{title.name} faults", total=total, rate="")

        def show(verdict: Verdict) -> None:
            bar.advance(task)
            if not as_json:
                mark = "noticed" if verdict.noticed else "MISSED "
                bar.console.print(f"{mark} {verdict.fault.id}: {verdict.words()}", soft_wrap=True)

        verdicts = try_faults(title, every=every, progress=show)
    missed = [v.fault.id for v in verdicts if not v.noticed]
    if not as_json:
        typer.echo(f"{len(verdicts) - len(missed)} of {len(verdicts)} planted faults noticed")
    rows = {v.fault.id: {"noticed": v.noticed, "by": v.words()} for v in verdicts}
    return {"faults": rows, "missed": missed}
