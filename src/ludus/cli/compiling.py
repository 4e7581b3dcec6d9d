"""`ludus compile`: fill the cache of compiled rules."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated

import typer

from ludus import titles as registry
from ludus.core.process import child_environment, say

Names = Annotated[list[str] | None, typer.Argument(help="Titles (default: all).", show_default=False)]
Bots = Annotated[
    bool, typer.Option("--bots", help="What every bot and the analysis need, too: some minutes more.")
]
Programs = Annotated[
    list[str] | None,
    typer.Option("--program", help="These alone: engine, judge, planning.", show_default=False),
]


def compile_titles(names: Names = None, bots: Bots = False, program: Programs = None) -> None:
    """Compile the rules of titles now, on all cores, so that nobody waits later."""
    from ludus.core import compilation

    if not compilation.has_numba():
        say("Numba is not installed, so there is nothing to compile")
        return
    chosen = names or registry.title_names()
    if len(chosen) == 1:
        _compile(chosen[0], bots, program)
        return
    longest_first = sorted(chosen, key=_size, reverse=True)
    more = [*(["--bots"] if bots else []), *(f"--program={name}" for name in program or [])]
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        codes = list(pool.map(lambda name: _in_a_process(name, more), longest_first))
    failed = [name for name, code in zip(longest_first, codes, strict=True) if code]
    if failed:
        raise typer.Exit(1)


def _compile(name: str, bots: bool, only: list[str] | None) -> None:
    """The rules and what miles needs; with `bots` what any of our bots and the analysis need."""
    from ludus.analysis.judges import programs_of
    from ludus.bots import programs_for
    from ludus.bots.judging import JUDGE
    from ludus.core.compilation import bind_compiled
    from ludus.core.engine import ENGINE

    title = registry.title(name)
    known = list({program.name: program for program in (*programs_for(title), *programs_of(title))}.values())
    if only:
        _step_back()
        chosen = [program for program in known if program.name in only]
    else:
        chosen = [program for program in known if bots or program in (ENGINE, JUDGE)]
    for program in chosen:
        bind_compiled(title, program)
    typer.echo(f"{name}: compiled")


def _step_back() -> None:
    """In the background people come first, then the bots that play meanwhile."""
    with contextlib.suppress(OSError, AttributeError):
        os.nice(15)


def _size(name: str) -> int:
    """How much there is to compile, roughly: the bytes of the rules."""
    folder = registry.title(name).folder
    return sum(path.stat().st_size for path in [*folder.glob("rules.py"), *folder.glob("rules/*.py")])


def _in_a_process(name: str, more: list[str]) -> int:
    command = [sys.executable, "-m", "ludus", "compile", name, *more]
    return subprocess.run(command, env=child_environment(), check=False).returncode
