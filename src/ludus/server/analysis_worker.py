"""The process in which a finished match is analysed: a line of JSON in, lines of progress and a result out.

It works at a low priority, on one core, and is the first to go when memory is short.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from pathlib import Path
from typing import Any, TextIO

from .bot_worker import end_with

EVERY = 1.0  # seconds between two lines of progress
AS_BOTS = 10  # how far it steps back to load its rules, or to make machine code of them
PATIENCE = 5  # and so much further to think


def work(job: dict[str, Any], out: TextIO) -> None:
    """Analyse what a job says, from the rows that are known already."""
    from ludus import titles as registry
    from ludus.analysis.analysis import NotAnalysed, match_of, put_together, weigh_all
    from ludus.analysis.judges import make_judge
    from ludus.analysis.keeping import make_task, read_done
    from ludus.core.errors import LudusError
    from ludus.match.file import read_match

    try:
        match = match_of(read_match(job["file"], registry.title))
        task = make_task(match, job["depth"], job["seed"], job["form"])
        judge = make_judge(task.title, task.bound(), task.depth)
    except NotAnalysed as error:
        _say(out, {"problem": error.key})
        return
    except LudusError as error:
        _say(out, {"problem": "failed", "reason": str(error)[:200]})
        return
    step_back()
    head = task.head(judge)
    rows, total = read_done(head, job["part"]), len(task.walk.steps)
    done, fresh, told = len(rows), [], 0.0
    lines = [json.dumps(head), *(json.dumps({"n": n, "row": row}) for n, row in rows.items())]
    _say(out, {"done": done, "total": total, "lines": lines})

    def tell(n: int, row: Any) -> None:
        nonlocal done, told
        done += 1
        fresh.append(json.dumps({"n": n, "row": row}))
        if time.monotonic() - told >= EVERY:
            _say(out, {"done": done, "total": total, "more": fresh})
            fresh.clear()
            told = time.monotonic()

    found = put_together(task, judge, weigh_all(task, rows, tell))
    del found["names"]  # of whom may be forgotten one day; a match knows its own
    _say(out, {"found": found})


def _say(out: TextIO, line: dict[str, Any]) -> None:
    out.write(json.dumps(line) + "\n")
    out.flush()


def step_back() -> None:
    """Behind the bots as well, once everything is loaded.  Not at the very end of the line: on a busy machine
    whoever stands there waits for hours."""
    with contextlib.suppress(OSError):
        os.nice(PATIENCE)


def main() -> None:
    end_with(os.getppid())
    with contextlib.suppress(OSError):
        os.nice(AS_BOTS)
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("900", encoding="ascii")
    out = sys.stdout
    sys.stdout = sys.stderr
    work(json.loads(sys.stdin.readline()), out)


if __name__ == "__main__":
    main()
