"""An analysis as a file: rows are kept as they come, so that one that was killed goes on where it was."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ludus.core.compilation import has_numba
from ludus.core.errors import LudusError
from ludus.match.match import Match

from .analysis import Row, Task, check_over, put_together, to_json, weigh_all
from .depth import find_depth
from .judges import make_judge

PART = ".part"


def make_task(match: Match, depth: str, seed: int, form: str = "") -> Task:
    """What is to be done; NotAnalysed where it cannot be."""
    check_over(match)
    return Task(match, find_depth(depth), seed, form or ("compiled" if has_numba() else "plain"))


def read_done(head: Row, lines: list[str]) -> dict[int, Row]:
    """The rows that an earlier run has left, if it was the same; a line that was cut off is left out."""
    rows: dict[int, Row] = {}
    for number, line in enumerate(lines):
        try:
            found = json.loads(line)
        except ValueError:
            continue
        if number == 0 and found != head:
            return {}
        if number and isinstance(found, dict) and isinstance(found.get("n"), int):
            rows[found["n"]] = found["row"]
    return rows


def kept_result(head: Row, path: Path) -> Row | None:
    """The result that lies there already, if it is the one that would come out."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    same = isinstance(found, dict) and all(found.get(key) == value for key, value in head.items())
    return found if same and "rows" in found else None


def analyse_to(
    task: Task,
    out: Path,
    progress: Callable[[int, int], None] = lambda done, total: None,
    cores: int = 1,
) -> Row:
    """Analyse a match into a file, from where an earlier run was left; the same bytes for the same seed."""
    judge = make_judge(task.title, task.bound(), task.depth)
    head = task.head(judge)
    known = kept_result(head, out)
    if known is not None:
        return known
    part = out.with_name(out.name + PART)
    try:
        lines = part.read_text(encoding="utf-8", errors="replace").splitlines() if part.exists() else []
        rows = read_done(head, lines)
        _begin(part, head, rows)
        with part.open("a", encoding="utf-8") as file:
            rows = _weigh(task, rows, file, progress, cores)
        found = put_together(task, judge, rows)
        out.write_text(to_json(found), encoding="utf-8")
        part.unlink(missing_ok=True)  # another run of the same may have been the first
    except OSError as error:
        raise LudusError(f"{out}: {error.strerror}") from None
    return found


def _begin(part: Path, head: Row, rows: dict[int, Row]) -> None:
    """Write down what is known, whole lines only."""
    texts = [json.dumps(head), *(json.dumps({"n": n, "row": row}) for n, row in rows.items())]
    part.write_text("\n".join(texts) + "\n", encoding="utf-8")


def _weigh(
    task: Task, rows: dict[int, Row], file: Any, progress: Callable[[int, int], None], cores: int
) -> dict[int, Row]:  # fmt: skip
    total, done = len(task.walk.steps), len(rows)
    progress(done, total)

    def keep(n: int, row: Row) -> None:
        nonlocal done
        file.write(json.dumps({"n": n, "row": row}) + "\n")
        file.flush()
        done += 1
        progress(done, total)

    return weigh_all(task, rows, keep, cores)
