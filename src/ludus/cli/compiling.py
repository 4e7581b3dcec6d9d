"""`ludus compile` (not shown in the help): fill the cache of compiled rules."""

from __future__ import annotations

from typing import Annotated

import typer

from ludus import titles as registry

Names = Annotated[
    list[str] | None, typer.Argument(help="Titles; all when none is named.", show_default=False)
]


def compile_titles(names: Names = None) -> None:
    """Compile the rules of titles now, so that nobody waits later."""
    from ludus.bots.judging import JUDGE
    from ludus.core import compilation

    if not compilation.has_numba():
        compilation.say("Numba is not installed, so there is nothing to compile")
        return
    for name in names or registry.title_names():
        title = registry.title(name)
        compilation.bind_compiled(title)
        if title.value is not None:
            compilation.bind_compiled(title, JUDGE)
        typer.echo(f"{name}: compiled")
