"""Mutation: do the scenes and the kit notice each small thing that could be wrong in the rules?

Every mutant (`mutants`) is planted alone.  The scenes that pass its line are played in plain form; where
none of them fails, the kit plays at random.  A mutant that nobody notices survives: a hole in the tests, or
nothing that anybody could notice.  `mutants.toml` in the title's folder says why such a survivor is no hole.
"""

from __future__ import annotations

import os
import random
import re
import signal
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_all_start_methods, get_context
from pathlib import Path
from time import process_time
from types import CodeType, FrameType
from typing import Any

from ..errors import FormatError
from ..scene import Scene, read_scene, run_scene, scene_files
from ..title import Title
from .mutants import Mutant, mutants_of, planted, rule_modules
from .run import Kit, boxes_of

# Seconds of the processor: a mutant that never ends is stopped, and so noticed.  A scene has many times what
# it takes by the right rules, and a little more.
SCENE_S, SCENE_TIMES, KIT_S = 0.25, 10, 30.0
PLIES = 150  # of the kit, on each small box and on the usual one
SEED = 15
CALLS = 200  # of one function in one scene that pass nothing new, until it is no longer followed


@dataclass(frozen=True)
class Explained:
    """What `mutants.toml` says: files and functions that hold no rule of play (`rules.py`, `rules.py check`),
    and survivors that are no hole."""

    skipped: Mapping[str, str] = field(default_factory=dict)
    survivors: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Fate:
    """What became of a mutant: the scene that fails, or what else noticed it."""

    mutant: Mutant
    scene: str = ""
    kit: str = ""

    @property
    def noticed(self) -> bool:
        return bool(self.scene or self.kit)


@dataclass(frozen=True)
class Findings:
    """All that a run found."""

    fates: Sequence[Fate]
    explained: Explained
    unheld: tuple[str, ...] = ()  # rules that no scene of theirs holds: see `rules_unheld`

    @property
    def survivors(self) -> list[Mutant]:
        return [fate.mutant for fate in self.fates if not fate.noticed]

    @property
    def holes(self) -> list[Mutant]:
        """Survivors that nobody has explained."""
        return [mutant for mutant in self.survivors if str(mutant) not in self.explained.survivors]

    @property
    def outdated(self) -> list[str]:
        """Explanations of mutants that are noticed by now."""
        noticed = {str(fate.mutant) for fate in self.fates if fate.noticed}
        return [name for name in self.explained.survivors if name in noticed]


def read_explained(title: Title[Any, Any]) -> Explained:
    """The explanations of a title; FormatError where one is of no mutant there is."""
    path = title.folder / "mutants.toml"
    if not path.exists():
        return Explained()
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        skipped = {" ".join((row["file"], *_function(row))): row["why"] for row in data.get("skip", ())}
        survivors = {row["mutant"]: row["why"] for row in data.get("survivor", ())}
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        told = f"[[skip]] takes file and why, and may name a function, [[survivor]] mutant and why ({error})"
        raise FormatError(told, source=str(path)) from None
    names = {str(mutant) for mutant in mutants_of(title, frozenset(skipped))}
    for name in survivors:
        if name not in names:
            raise FormatError(f"there is no such mutant any more: {name}", source=str(path))
    return Explained(skipped, survivors)


def _function(row: Mapping[str, str]) -> list[str]:
    return [row["function"]] if "function" in row else []


# -- who passes where -------------------------------------------------------------------------------------


class Witnesses:
    """The scenes of a title, with the lines of the rules that each passes and how long it takes.

    Files that are skipped are not looked at: invariants are asked after every step.
    """

    def __init__(self, title: Title[Any, Any], skipped: Set[str] = frozenset()) -> None:
        folder = title.folder / "scenes"
        self.title = title
        self.scenes = {
            path.stem: read_scene(path, lambda name: title)
            for path in (scene_files(folder) if folder.is_dir() else ())
        }
        self._passing: dict[tuple[str, int], list[str]] = defaultdict(list)
        self._of: dict[tuple[str, frozenset[int]], list[str]] = {}
        self.seconds: dict[str, float] = {}
        modules = rule_modules(title)
        self._files = {str(module.__file__): file for file, module in modules if file not in skipped}
        for name, scene in self.scenes.items():
            self._watch(name, scene)

    def _watch(self, name: str, scene: Scene) -> None:
        passed: set[tuple[str, int]] = set()
        begun, before = process_time(), sys.gettrace()
        sys.settrace(self._tracer(passed))
        try:
            report = run_scene(scene)
        finally:
            sys.settrace(before)
        if not report.passed:
            raise FormatError(f"fails without any mutant: {report.failures[0]}", source=str(scene.path))
        self.seconds[name] = process_time() - begun
        for place in passed:
            self._passing[place].append(name)

    def _tracer(self, passed: set[tuple[str, int]]) -> Callable[[FrameType, str, Any], Any]:
        """Notes lines as they are passed.  A function that has shown nothing new for long is left alone: what
        a seat could believe is asked by hundreds of redeals."""
        calls: Counter[CodeType] = Counter()  # since something new was passed

        def follow(frame: FrameType, event: str, arg: Any) -> Any:
            if event == "line":
                place = (self._files[frame.f_code.co_filename], frame.f_lineno)
                if place not in passed:
                    passed.add(place)
                    calls[frame.f_code] = 0
            return follow

        def enter(frame: FrameType, event: str, arg: Any) -> Any:
            if frame.f_code.co_filename not in self._files:
                return None
            calls[frame.f_code] += 1
            return follow if calls[frame.f_code] <= CALLS else None

        return enter

    def of(self, mutant: Mutant) -> list[str]:
        """The scenes that pass the line of a mutant, the quickest first."""
        statement = mutant.file, mutant.lines
        if statement not in self._of:
            found = {name for line in mutant.lines for name in self._passing.get((mutant.file, line), ())}
            self._of[statement] = sorted(found, key=lambda name: self.seconds[name])
        return self._of[statement]


# -- one mutant -------------------------------------------------------------------------------------------


class Endless(BaseException):
    """Play with a mutant does not come to an end."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Stop what takes longer, by the time of the processor; without such a timer nothing is stopped."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise Endless

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def judge(witnesses: Witnesses, mutant: Mutant, kit: bool = True) -> Fate:
    """Plant a mutant and see who notices: the first scene, or the kit where no scene does."""
    try:
        with planted(mutant):
            for name in witnesses.of(mutant):
                if _fails(witnesses, name):
                    return Fate(mutant, scene=name)
            return Fate(mutant, kit=_ask_kit(witnesses.title) if kit else "")
    except Endless:
        return Fate(mutant, kit="endless")


def _fails(witnesses: Witnesses, name: str) -> bool:
    try:
        with limited(SCENE_S + SCENE_TIMES * witnesses.seconds[name]):
            return not run_scene(witnesses.scenes[name]).passed
    except Exception:  # wrong rules may raise anything
        return True


def _ask_kit(title: Title[Any, Any]) -> str:
    """What the kit says: all small boxes, where more happens and an oracle looks on, then the usual one."""
    first, *others = boxes_of(title)
    shelves = [*(shelf for shelf in others if shelf.small), first]
    try:
        for number, shelf in enumerate(shelves):
            with limited(KIT_S):
                failure = Kit(title, SEED, compiled=False).play_box(shelf, PLIES, SEED + number)
            if failure is not None:
                return failure.promise
    except Exception as error:  # wrong rules may raise anything
        return type(error).__name__
    return ""


# -- all of them ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Work:
    """What is to be done: which mutants, and whether all of the title's are tried or a sample."""

    witnesses: Witnesses
    mutants: Sequence[Mutant]
    explained: Explained
    whole: bool

    def fate(self, number: int) -> Fate:
        """Only a whole run asks whether the kit notices what is explained."""
        mutant = self.mutants[number]
        asks_kit = self.whole or str(mutant) not in self.explained.survivors
        return judge(self.witnesses, mutant, kit=asks_kit)


def try_mutants(
    title: Title[Any, Any],
    sample: int = 0,
    seed: int = SEED,
    workers: int | None = None,
    progress: Callable[[Fate], None] = lambda fate: None,
) -> Findings:
    """Try all mutants of a title, or a sample of so many; on all cores where processes can be forked."""
    explained = read_explained(title)
    mutants = mutants_of(title, frozenset(explained.skipped))
    whole = not 0 < sample < len(mutants)
    chosen = mutants if whole else random.Random(seed).sample(mutants, sample)
    work = Work(Witnesses(title, frozenset(explained.skipped)), chosen, explained, whole)
    fates = []
    for fate in _fates(work, workers or os.cpu_count() or 1):
        progress(fate)
        fates.append(fate)
    return Findings(fates, explained, tuple(rules_unheld(work.witnesses, mutants)))


def _fates(work: Work, workers: int) -> Iterator[Fate]:
    numbers = range(len(work.mutants))
    if workers == 1 or "fork" not in get_all_start_methods():
        yield from map(work.fate, numbers)
        return
    # Forked, so that scenes, boxes and functions are those of this process.
    _shared.append(work)
    try:
        with get_context("fork").Pool(workers) as pool:
            for number, scene, kit in pool.imap(_shared_fate, numbers, chunksize=8):
                yield Fate(work.mutants[number], scene, kit)
    finally:
        _shared.clear()


_shared: list[Work] = []


def _shared_fate(number: int) -> tuple[int, str, str]:
    """In another process: functions and syntax trees stay at home, so a number stands for the mutant."""
    fate = _shared[0].fate(number)
    return number, fate.scene, fate.kit


def rules_unheld(witnesses: Witnesses, mutants: Sequence[Mutant]) -> Iterator[str]:
    """Rules that no scene of theirs holds: no mutant of the functions that say they hold a rule breaks a
    scene that its row of RULES.md names.  A rule that no function names, because it follows from others or
    stands in the data, needs a scene that any mutant breaks.  What has no scene at all is held by a test."""
    scenes = named_scenes(witnesses)
    for rule in sorted(scenes):
        own = [mutant for mutant in mutants if rule in mutant.rules]
        if not any(_breaks(witnesses, mutant, scenes[rule]) for mutant in own or mutants):
            yield rule


def named_scenes(witnesses: Witnesses) -> Mapping[str, Set[str]]:
    """The scenes of each rule that a scene names: those in its row of RULES.md, where there is that page."""
    scenes: dict[str, set[str]] = defaultdict(set)
    for name, scene in witnesses.scenes.items():
        for rule in scene.rules:
            scenes[rule].add(name)
    page = witnesses.title.folder / "RULES.md"
    if page.exists():
        rows: dict[str, set[str]] = defaultdict(set)
        for line in page.read_text(encoding="utf-8").splitlines():
            rule = line.split("|")[1].strip(" *") if line.startswith("|") else ""
            rows[rule].update(re.findall(r"scenes/([\w.-]+)\.toml", line))
        scenes = {rule: named & rows[rule] for rule, named in scenes.items()}
    return scenes


def _breaks(witnesses: Witnesses, mutant: Mutant, scenes: Set[str]) -> bool:
    passing = [name for name in witnesses.of(mutant) if name in scenes]
    if not passing:
        return False
    try:
        with planted(mutant):
            return any(_fails(witnesses, name) for name in passing)
    except Endless:
        return True


def listing(findings: Findings, folder: Path) -> Iterator[str]:
    """A run in words: each hole with its file and line, then the count."""
    for mutant in findings.holes:
        yield f"SURVIVES {folder / mutant.file}:{mutant.line} {mutant}"
    for name in findings.outdated:
        yield f"explained, but noticed by now: {name}"
    if findings.unheld:
        yield f"rules that no scene of theirs holds against mutants: {', '.join(findings.unheld)}"
    count, survive = len(findings.fates), len(findings.survivors)
    told = f"{count - survive} of {count} mutants noticed; {survive} survive ({survive / max(1, count):.1%})"
    yield f"{told}, {survive - len(findings.holes)} of them explained"
