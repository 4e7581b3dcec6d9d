"""`ludus scene`: run scene files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from ludus import titles as registry
from ludus.core.errors import FormatError

Paths = Annotated[list[Path], typer.Argument(help="Scene files, or folders of them.", show_default=False)]
FormName = Annotated[str, typer.Option("--form", help="plain, compiled or both.")]
AsJson = Annotated[bool, typer.Option("--json", help="For programs: one JSON object.")]


def scene(paths: Paths, form: FormName = "plain", as_json: AsJson = False) -> None:
    """Play scenes through and compare with what they expect.

    Ends with a line 'N passed, N failed'; the exit status is 1 if any scene fails.

    Example: ludus scene src/ludus/titles/TITLE/scenes
    """
    from ludus.core.scene import read_scene, run_scene, scene_files

    forms = {"both": ["plain", "compiled"]}.get(form, [form])
    if form not in ("plain", "compiled", "both"):
        raise FormatError(f"the form is plain, compiled or both, not {form!r:.20}")
    results: list[dict[str, Any]] = []
    for path in scene_files(*paths):
        failures: list[str] = []
        try:
            read = read_scene(path, registry.title)
            for name in forms:
                failures += [f"{name}: {f}" for f in run_scene(read, name).failures]
        except FormatError as error:
            failures.append(str(error))
        results.append({"file": str(path), "failures": failures})
        if failures and not as_json:
            typer.echo(f"FAILED {path}")
            for failure in failures:
                typer.echo(f"   {failure}")
    failed = sum(bool(r["failures"]) for r in results)
    if as_json:
        typer.echo(json.dumps({"passed": len(results) - failed, "failed": failed, "scenes": results}))
    else:
        typer.echo(f"{len(results) - failed} passed, {failed} failed")
    if failed:
        raise typer.Exit(1)
