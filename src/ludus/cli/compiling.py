"""`ludus compile` (not shown in the help): fill the cache of compiled rules."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated

import typer

from ludus import titles as registry
from ludus.core.process import child_environment, say

Names = Annotated[list[str] | None, typer.Argument(help="Titles (default: all).", show_default=False)]


def compile_titles(names: Names = None) -> None:
    """Compile the rules of titles now, on all cores, so that nobody waits later."""
    from ludus.core import compilation

    if not compilation.has_numba():
        say("Numba is not installed, so there is nothing to compile")
        return
    chosen = names or registry.title_names()
    if len(chosen) == 1:
        _compile(chosen[0])
        return
    longest_first = sorted(chosen, key=_size, reverse=True)
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        codes = list(pool.map(_in_a_process, longest_first))
    failed = [name for name, code in zip(longest_first, codes, strict=True) if code]
    if failed:
        raise typer.Exit(1)


def _compile(name: str) -> None:
    from ludus.bots.judging import JUDGE
    from ludus.core.compilation import bind_compiled

    title = registry.title(name)
    bind_compiled(title)
    if title.value is not None:
        bind_compiled(title, JUDGE)
    typer.echo(f"{name}: compiled")


def _size(name: str) -> int:
    """How much there is to compile, roughly: the bytes of the rules."""
    folder = registry.title(name).folder
    return sum(path.stat().st_size for path in [*folder.glob("rules.py"), *folder.glob("rules/*.py")])


def _in_a_process(name: str) -> int:
    command = [sys.executable, "-m", "ludus", "compile", name]
    return subprocess.run(command, env=child_environment(), check=False).returncode
