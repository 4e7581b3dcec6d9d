"""Planted faults: do the tests of a title notice when a rule is wrong?

`faults.toml` in a title's folder lists small patches (a wrong number, owner or order, a missing
condition, a ruling reversed).  Each is applied alone to a copy of the package; the scenes, and the kit where
these notice nothing, run there in another process.  A crash is no merit of the tests and does not count;
golden playthroughs notice every change and are not asked.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import FormatError
from ..process import child_environment
from ..title import Title

SECONDS = 240  # a fault that makes play endless is stopped here


@dataclass(frozen=True)
class Fault:
    """One patch: in `file` (of the title's folder), `old` becomes `new`."""

    id: str
    file: str
    old: str
    new: str
    note: str
    ruling: str = ""


@dataclass(frozen=True)
class Verdict:
    """What noticed a fault: the scenes and the promises of the kit that failed."""

    fault: Fault
    scenes: dict[str, list[str]]  # scene -> the rules that it holds
    kit: str  # asked only if no scene has failed
    crash: str

    @property
    def noticed(self) -> bool:
        """By a scene, or by a promise of the kit; for a reversed ruling only a scene of it counts."""
        if self.fault.ruling:
            return any(self.fault.ruling in rules for rules in self.scenes.values())
        return bool(self.scenes or self.kit)

    def words(self) -> str:
        found = [f"scene {name}" for name in list(self.scenes)[:3]]
        found += [f"kit: {self.kit}"] if self.kit else []
        found += [f"crash: {self.crash}"] if self.crash else []
        return "; ".join(found) or "nothing"


def read_faults(title: Title[Any, Any]) -> list[Fault]:
    """The faults of a title; FormatError when a patch does not fit the present source."""
    path = title.folder / "faults.toml"
    if not path.exists():
        return []
    faults = []
    for row in tomllib.loads(path.read_text(encoding="utf-8"))["fault"]:
        fault = Fault(**row)
        source = (title.folder / fault.file).read_text(encoding="utf-8")
        if source.count(fault.old) != 1:
            raise FormatError(
                f"fault {fault.id}: its old text stands {source.count(fault.old)} times in {fault.file}",
                source=str(path),
            )
        if fault.old == fault.new:
            raise FormatError(f"fault {fault.id} changes nothing", source=str(path))
        faults.append(fault)
    return faults


def try_fault(title: Title[Any, Any], fault: Fault, plies: int) -> Verdict:
    """Plant a fault in a copy of the package and see what notices it."""
    package = Path(__file__).parents[2]
    with tempfile.TemporaryDirectory(prefix="ludus-fault-") as name:
        copy = Path(name) / package.name
        shutil.copytree(package, copy, ignore=shutil.ignore_patterns("__pycache__", "web"))
        target = copy / title.folder.relative_to(package) / fault.file
        text = target.read_text(encoding="utf-8")
        target.write_text(text.replace(fault.old, fault.new), encoding="utf-8")
        return _judge(fault, title.name, name, plies)


def judge_as_it_is(title: Title[Any, Any], plies: int = 300) -> Verdict:
    """What fails without any fault: that must be nothing, or noticing a fault means nothing."""
    nothing = Fault("none", "", "", "", "the title as it is")
    return _judge(nothing, title.name, str(Path(__file__).parents[3]), plies)


def _judge(fault: Fault, title: str, folder: str, plies: int) -> Verdict:
    command = [sys.executable, "-m", "ludus", "kit", title, "--plies", str(plies), "--scenes", "--json"]
    try:
        done = subprocess.run(
            command,
            env=child_environment(folder, LUDUS_PLAIN="1"),
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
            cwd=folder,
        )
        found = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        return Verdict(fault, {}, "", "endless")
    except ValueError:
        last = (done.stderr.strip().splitlines() or ["no answer"])[-1]
        return Verdict(fault, {}, "", last[:120])
    return Verdict(fault, found["scenes_failed"], found["failure"], found["crash"])


def try_faults(
    title: Title[Any, Any],
    plies: int = 300,
    every: int = 1,
    progress: Callable[[Verdict], None] = lambda verdict: None,
) -> list[Verdict]:
    """Try all faults of a title, or every so many-th of them, on all cores; told in order to `progress`."""
    clean = judge_as_it_is(title, plies)
    if clean.scenes or clean.kit or clean.crash:
        raise FormatError(f"{title.name} fails without any planted fault: {clean.words()}")
    verdicts = []
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for verdict in pool.map(lambda fault: try_fault(title, fault, plies), read_faults(title)[::every]):
            progress(verdict)
            verdicts.append(verdict)
    return verdicts
