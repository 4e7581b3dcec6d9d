"""How fast the engine is: random games of every title, and of other people's games beside them.

A decision is one action of a seat, drawn uniformly from the list that `legal` wrote.  Outcomes of
chance are not counted as decisions; the time they take, through the same `odds`, is.  Every
measurement is made in several rounds, all of them in turn, so that a busy minute of the machine
falls on everybody; the median of the rounds counts.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from threading import Event
from time import perf_counter
from types import SimpleNamespace
from typing import Any

from ludus.core import compilation, loops
from ludus.core.batch import apart
from ludus.core.binding import bind_plain
from ludus.core.chance import below, seed_rng
from ludus.core.contract import MAX_SEATS
from ludus.core.engine import ENGINE
from ludus.core.errors import LudusError
from ludus.core.forms import PlainForm
from ludus.core.process import child_environment, say
from ludus.core.title import Title

from .figures import short
from .peers import Peer, Play, Sample

ROUNDS = 3
PORTION_S = 0.01  # how long one call of compiled code lasts: Ctrl-C is heard between calls
COPIES = 1 << 14  # copies a call

RING = 64  # positions that `loops.copies` copies among


@dataclass(frozen=True)
class TitleFigures:
    """What was measured of a title.  None: needs the compiled form, and Numba is not installed."""

    decisions_per_second: float | None
    decisions_per_second_all_threads: float | None
    actions_per_second: float | None
    plain_decisions_per_second: float
    game_plies_per_second: float | None
    plain_game_plies_per_second: float
    copies_per_second: float | None
    decisions_per_game: float
    chance_per_game: float
    mean_legal: float
    forced_share: float
    state_bytes: int
    cold_compile_s: float | None
    warm_start_s: float | None


@dataclass(frozen=True)
class PeerFigures:
    """What was measured of somebody else's game; `ratio` is ours / theirs, by title."""

    decisions_per_second: float = 0.0
    how: str = ""
    ratio: dict[str, float | None] = field(default_factory=dict)
    missing: str = ""

    def json(self) -> dict[str, Any]:
        if self.missing:
            return {"missing": self.missing}
        return {"decisions_per_second": self.decisions_per_second, "how": self.how, "ratio": self.ratio}


@dataclass(frozen=True)
class EngineFigures:
    titles: dict[str, TitleFigures]
    peers: dict[str, PeerFigures]
    threads: int

    def json(self) -> dict[str, Any]:
        return {
            "titles": {name: asdict(figures) for name, figures in self.titles.items()},
            "peers": {name: figures.json() for name, figures in self.peers.items()},
        }


@dataclass(frozen=True)
class Measurement:
    """One piece of the work: `weight` is about how many seconds it takes."""

    label: str
    weight: float
    run: Callable[[], str]  # gives what it found, for the progress bar


def rate_text(rate: float) -> str:
    return f"{short(rate)}/s"


def seconds_text(seconds: float) -> str:
    return f"{seconds:.2f} s"


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# -- random games of one title ----------------------------------------------------------------------


def options_of(title: Title[Any, Any]) -> dict[str, Any]:
    """The seats and options that are measured."""
    return {**title.simulation, **title.bench}


class Games:
    """One thread's random games of a title, in one form: all its arrays, and what it counted."""

    def __init__(self, title: Title[Any, Any], space: SimpleNamespace, compiled: bool, stream: int) -> None:
        box, size = title.box_for(**options_of(title)), title.codes.size
        self._play, self._length = space.playouts, title.length
        self._seed, self._portion = stream << 32, 1
        self.tally: Any
        begin = PlainForm(title, box).new()
        if compiled:
            import numpy as np

            self._begin: Any = np.frombuffer(title.position.pack(begin), title.position.dtype).copy()
            B = np.frombuffer(title.box.pack(box), title.box.dtype).copy()
            out, weight, rng = apart(size, np.int32), apart(size, np.int32), apart(4, np.int64)
            self._place = apart(1, title.position.dtype)
            self._store: tuple[Any, ...] = (B, out, weight, rng)
            self._results: tuple[Any, ...] = (
                np.zeros((1, MAX_SEATS), np.int32),
                apart(1, np.int32),
                np.zeros(0, np.float64),
            )
            self.tally = apart(loops.TALLY, np.int64)
        else:
            self._begin = [begin]
            self.tally = [0] * loops.TALLY
            self._place = [title.position.plain()]
            self._store = ([box], [0] * size, [0] * size, [0] * 4)
            self._results = ([[0] * MAX_SEATS], [0], [])
        self.played = 0
        self.cut = 0  # games that did not end within the title's length

    def run(self, seconds: float, halt: Event | None = None) -> Sample:
        """Whole games for about so long, one portion at the least."""
        before, start, spent = int(self.tally[loops.DECISIONS]), perf_counter(), 0.0
        while True:
            self._play_portion()
            last, spent = spent, perf_counter() - start
            if spent >= seconds or (halt is not None and halt.is_set()):
                return Sample(int(self.tally[loops.DECISIONS]) - before, spent)
            if spent - last < PORTION_S / 2:
                self._portion *= 2

    def _play_portion(self) -> None:
        limits = (self._seed, self._length, self.tally)
        self.cut += self._play(
            self._place, self._begin, 0, self._portion, *self._store, *limits, *self._results
        )
        self.played += self._portion
        self._seed += 1  # a seed stands for a whole portion: no game is played twice


def run_together(crew: Sequence[Games], seconds: float) -> Sample:
    """One thread for each of the crew; the time is that of the whole, to the last one's end."""
    halt = Event()
    with ThreadPoolExecutor(len(crew)) as pool:
        start = perf_counter()
        jobs = [pool.submit(games.run, seconds, halt) for games in crew]
        try:
            count = sum(job.result().count for job in jobs)
        finally:
            halt.set()
        return Sample(count, perf_counter() - start)


class ApiGames:
    """Random games through `Game`, one call from Python an action: the plies of a script or a server."""

    def __init__(self, title: Title[Any, Any], form: str) -> None:
        self._title, self._form = title, form
        self._seed = 0

    def run(self, seconds: float) -> Sample:
        """Whole games for about so long, one at the least; outcomes of chance are plies too."""
        start, count, rng = perf_counter(), 0, [0, 0, 0, 0]
        while True:
            self._seed += 1
            seed_rng(rng, self._seed, 0)
            game = self._title.new(seed=self._seed, form=self._form, **options_of(self._title))
            while not game.over:
                codes = game.legal_codes()
                game.apply(codes[below(rng, len(codes))])
            count += len(game.line)
            spent = perf_counter() - start
            if spent >= seconds:
                return Sample(count, spent)


class Copies:
    """Copies of positions inside compiled code."""

    def __init__(self, title: Title[Any, Any], space: SimpleNamespace) -> None:
        import numpy as np

        self._copies = space.copies
        self._from, self._to = (np.zeros(RING, title.position.dtype) for _ in range(2))

    def run(self, seconds: float) -> Sample:
        start, count = perf_counter(), 0
        while True:
            self._copies(self._from, self._to, COPIES)
            count += COPIES
            spent = perf_counter() - start
            if spent >= seconds:
                return Sample(count, spent)


# -- starting: a process of its own -------------------------------------------------------------------

_FIRST_PLAYOUT = """
import sys, ludus
ludus.title(sys.argv[1]).batch(1, form="compiled").playouts()
print("played", flush=True)
"""


def first_playout(title: Title[Any, Any], cache: Path) -> float:
    """Seconds from the start of a fresh process to the end of its first compiled game."""
    settings = child_environment(LUDUS_CACHE_DIR=str(cache))
    start = perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-c", _FIRST_PLAYOUT, title.name],
        env=settings,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None and process.stderr is not None
        line = process.stdout.readline()
        spent = perf_counter() - start
        errors = process.stderr.read().strip().splitlines()
    finally:
        process.kill()
        process.communicate()
    if line.strip() != "played":
        raise LudusError(f"{title.name} could not be compiled: {errors[-1] if errors else 'no message'}")
    return spent


# -- one title --------------------------------------------------------------------------------------


class TitleBench:
    """All measurements of one title, and what they gave so far."""

    def __init__(self, title: Title[Any, Any], threads: int) -> None:
        self.title, self.threads = title, threads
        self.samples: dict[str, list[float]] = {}
        self.starts: list[float] = []
        self.plain = Games(title, bind_plain(title, ENGINE), False, 0)
        self.api = {form: ApiGames(title, form) for form in ("plain", "compiled")}
        self.crew: list[Games] = []

    def loading(self) -> Measurement:
        """Compile the rules in this process, or load them from the user's cache."""

        def run() -> str:
            start = perf_counter()
            space = compilation.bind_compiled(self.title)
            self.crew = [Games(self.title, space, True, stream) for stream in range(self.threads)]
            self.copies = Copies(self.title, space)
            return seconds_text(perf_counter() - start)

        weight = 1.0 if compilation.is_ready(self.title) else 20.0
        return Measurement(f"{self.title.name}: loading the rules", weight, run)

    def start_up(self, cache: Path) -> list[Measurement]:
        """A cold start with an empty cache, then warm ones with what it left there."""
        name = self.title.name

        def run() -> str:
            self.starts.append(first_playout(self.title, cache / name))
            return seconds_text(self.starts[-1])

        warm = [Measurement(f"{name}: warm start", 1.5, run) for _ in range(ROUNDS)]
        return [Measurement(f"{name}: cold compile", 20.0, run), *warm]

    def round(self, seconds: float) -> list[Measurement]:
        """Every rate once."""
        steps = [
            self._step("plain", self.plain.run, seconds),
            self._step("plain, through Game", self.api["plain"].run, seconds),
        ]
        if compilation.has_numba():
            steps += [
                self._step("one thread", lambda s: self.crew[0].run(s), seconds),
                self._step("through Game", self.api["compiled"].run, seconds),
                self._step("all threads", lambda s: run_together(self.crew, s), seconds),
                self._step("copies", lambda s: self.copies.run(s), seconds),
            ]
        return steps

    def _step(self, what: str, measure: Play, seconds: float) -> Measurement:
        def run() -> str:
            rate = measure(seconds).rate
            self.samples.setdefault(what, []).append(rate)
            return rate_text(rate)

        return Measurement(f"{self.title.name}: {what}", seconds, run)

    def _rate(self, what: str) -> float | None:
        return round(median(self.samples[what])) if what in self.samples else None

    def figures(self) -> TitleFigures:
        """Shares and means are over all compiled games, or all plain ones where there is no other."""
        runs = self.crew or [self.plain]
        total = [sum(int(games.tally[k]) for games in runs) for k in range(loops.TALLY)]
        played = sum(games.played for games in runs)
        decisions, chances = max(1, total[loops.DECISIONS]), total[loops.CHANCES]
        self._warn_of_endless(runs)
        single = self._rate("one thread")
        return TitleFigures(
            decisions_per_second=single,
            decisions_per_second_all_threads=self._rate("all threads"),
            actions_per_second=None if single is None else round(single * (1 + chances / decisions)),
            plain_decisions_per_second=self._rate("plain") or 0.0,
            game_plies_per_second=self._rate("through Game"),
            plain_game_plies_per_second=self._rate("plain, through Game") or 0.0,
            copies_per_second=self._rate("copies"),
            decisions_per_game=round(decisions / played, 3),
            chance_per_game=round(chances / played, 3),
            mean_legal=round(total[loops.LEGAL] / decisions, 3),
            forced_share=round(total[loops.FORCED] / decisions, 4),
            state_bytes=self.title.position.bytes,
            cold_compile_s=round(self.starts[0], 2) if self.starts else None,
            warm_start_s=round(median(self.starts[1:]), 2) if self.starts else None,
        )

    def _warn_of_endless(self, runs: Sequence[Games]) -> None:
        cut = sum(games.cut for games in runs) + self.plain.cut
        if cut:
            say(f"{cut} games of {self.title.name} were cut off at {self.title.length} actions")


# -- one peer ---------------------------------------------------------------------------------------


class PeerBench:
    """The measurements of one peer; why there are none, when it cannot be had."""

    def __init__(self, peer: Peer) -> None:
        self.peer, self.rates = peer, list[float]()
        self._play: Play | None = None
        self.missing = peer.missing()

    def round(self, seconds: float) -> list[Measurement]:
        def run() -> str:
            if self._play is None:
                self._play = self.peer.make()
            self.rates.append(self._play(seconds).rate)
            return rate_text(self.rates[-1])

        return [] if self.missing else [Measurement(self.peer.name, seconds, run)]

    def figures(self, titles: dict[str, TitleFigures]) -> PeerFigures:
        if self.missing:
            return PeerFigures(missing=self.missing)
        rate = median(self.rates)
        ours = {name: figures.decisions_per_second for name, figures in titles.items()}
        ratio = {name: None if own is None else round(own / rate, 2) for name, own in ours.items()}
        return PeerFigures(round(rate), self.peer.how(), ratio)


# -- the whole --------------------------------------------------------------------------------------


class EngineBench:
    """The plan of a run (`steps`, to be run in order) and, after that, its `report`."""

    def __init__(self, titles: Sequence[Title[Any, Any]], peers: Sequence[Peer], seconds: float) -> None:
        self.threads = cores()
        self._titles = [TitleBench(title, self.threads) for title in titles]
        self._peers = [PeerBench(peer) for peer in peers]
        self._seconds = seconds / ROUNDS

    def steps(self, cache: Path) -> list[Measurement]:
        """What is to be done.  `cache` is an empty folder for the machine code of cold starts."""
        steps: list[Measurement] = []
        if compilation.has_numba():
            for bench in self._titles:
                steps += bench.start_up(cache)
                steps.append(bench.loading())
        for _ in range(ROUNDS):
            for bench in self._titles:
                steps += bench.round(self._seconds)
            for peer in self._peers:
                steps += peer.round(self._seconds)
        return steps

    def report(self) -> EngineFigures:
        titles = {bench.title.name: bench.figures() for bench in self._titles}
        peers = {bench.peer.name: bench.figures(titles) for bench in self._peers}
        return EngineFigures(titles, peers, self.threads)
