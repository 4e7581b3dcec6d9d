"""A run of the kit: random games on shipped and small boxes, everything checked at every ply."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from .. import compilation
from ..chance import CHANCE, OVER, below, next_u32, seed_rng
from ..errors import LayoutError, LudusError
from ..forms import make_form
from ..game import Game
from ..process import child_environment
from ..telling import tell
from ..title import Title
from ..words import LANGUAGES
from . import plies
from .findings import Broken, Counts, Failure
from .observing import check_observation, vector_differs
from .oracle import Oracle
from .saying import faulty_words
from .secrets import Secrets, view_bytes

FIRST_PLIES = 30  # in plain form, before anything is compiled
ORACLE_ACTIONS = 60  # of each game on a small box


@dataclass(frozen=True)
class Shelf:
    """A box to play with, and how to name it again."""

    box: Any
    options: Mapping[str, Any]
    seats: int
    small: str = ""  # the name of a small box
    varied: str = ""  # the option whose value is not the default

    def __str__(self) -> str:
        chosen = " ".join(f"{k}={v}" for k, v in self.options.items())
        return f"small box {self.small!r}" if self.small else f"seats={self.seats} {chosen}".strip()


@dataclass
class KitReport:
    """What a run found: counts, and the first failure."""

    title: str
    counts: Counts
    failure: Failure | None = None
    problems: list[str] = field(default_factory=list)  # found over the whole run, not at one ply

    @property
    def passed(self) -> bool:
        return self.failure is None and not self.problems


def boxes_of(title: Title[Any, Any]) -> Iterator[Shelf]:
    """The default box, every number of seats, every value of every option, every small box."""
    first, defaults = title.read_setting(None, {})
    for seats in title.seats:
        yield Shelf(title.box_for(seats), defaults, seats)
    for option in title.options:
        for value in option.values:
            if value != option.default:
                chosen = {**defaults, **dict(option.along), option.name: value}
                yield Shelf(title.make_box(chosen, first), chosen, first, varied=option.name)
    for name, box in title.small_boxes().items():
        yield Shelf(box, {}, title.seats_of(box), name)


class Kit:
    """The kit for one title.  `compiled` says whether the compiled form walks along."""

    def __init__(self, title: Title[Any, Any], seed: int = 1, compiled: bool | None = None) -> None:
        self.title, self.seed = title, seed
        self.compiled = compilation.has_numba() if compiled is None else compiled
        self.counts = Counts()
        self.secrets = Secrets()
        self.rng = [0, 0, 0, 0]
        seed_rng(self.rng, seed, 99)

    def play_box(self, shelf: Shelf, least: int, seed: int) -> Failure | None:
        """Random games on one box until `least` plies were checked."""
        done, box = 0, self.title.box.pack(shelf.box)
        while done < least:
            game = Game(self.title, shelf.box, seed=seed, chance="manual")
            seed += 1
            failure = self._play_game(game, shelf, least - done, box)
            if failure is not None:
                return failure
            done += len(game.line)
        return None

    def _play_game(self, game: Game[Any, Any], shelf: Shelf, most: int, box: bytes) -> Failure | None:
        walk = _Walk(self, game, shelf)
        try:
            walk.go(most)
            if self.title.box.pack(shelf.box) != box:
                raise Broken("the box stays as it is", "this game wrote to it, and others share it")
        except Broken as broken:
            return walk.failure(broken.promise, broken.detail)
        except LudusError as error:
            return walk.failure("everything can be played and said", str(error))
        return None


class _Walk:
    """One random game, checked as it goes."""

    def __init__(self, kit: Kit, game: Game[Any, Any], shelf: Shelf) -> None:
        self.kit, self.game, self.shelf = kit, game, shelf
        self.twin = plies.Twin(make_form(game.title, game.box, "compiled")) if kit.compiled else None
        self.packed: list[bytes] = []
        self.turn: set[bytes] = set()
        self.action = ""
        self.oracles = [Oracle(game, p) for p in range(game.seats)] if shelf.small else []
        seed_rng(kit.rng, game.seed, 7)

    def failure(self, promise: str, detail: str) -> Failure:
        shelf = self.shelf
        return Failure(promise, detail, self.game, shelf.small, shelf.options, self.action)

    def go(self, most: int) -> None:
        game, kit = self.game, self.kit
        kit.counts.games += 1
        while True:
            listed = plies.check_listing(game)
            plies.check_position(game)
            self._check_repetition()
            kit.secrets.check(game, listed, kit.rng)
            check_observation(game)
            if game.to_move == OVER or len(game.line) >= most:
                break
            if len(game.line) >= game.title.length:
                raise Broken("games end", f"not over after {game.title.length} actions")
            code = self._choose(listed)
            self.action = game.title.codes.text(code, game.labels)
            plies.check_copy_is_independent(game, code)
            if self.twin is not None:
                self.twin.check(game, listed, code)
            self._play(code)
            plies.check_undo(game, self.packed, kit.rng)
        if self.twin is not None:
            self.twin.check(game, listed, None)
        if game.to_move == OVER:
            plies.check_result(game)
        self._check_words()

    def _choose(self, listed: list[int]) -> int:
        game, counts, rng = self.game, self.kit.counts, self.kit.rng
        counts.plies += 1
        if game.to_move == CHANCE:
            return game.draw()
        counts.decisions += 1
        counts.legal += len(listed)
        counts.most_legal = max(counts.most_legal, len(listed))
        plies.check_touches(game)
        plies.ask_why_not(game, listed, rng, counts)
        code = listed[below(rng, len(listed))]
        self.kit.secrets.check_reveals(game, code, rng)
        return code

    def _play(self, code: int) -> None:
        game, counts = self.game, self.kit.counts
        kind = game.title.codes.kind(code)
        counts.kinds[kind] = counts.kinds.get(kind, 0) + 1
        mover = game.to_move
        self.packed.append(game.form.pack(game.s))
        game.play(code)
        try:
            game.packed()
        except LayoutError:
            game.rewind(len(game.line) - 1)  # what is left behind can be written and read
            raise
        if game.to_move != mover or mover == CHANCE:
            self.turn.clear()
        if len(game.line) <= ORACLE_ACTIONS:
            self._ask_oracles()

    def _check_repetition(self) -> None:
        data = self.game.form.pack(self.game.s)
        if data in self.turn:
            raise Broken("nothing repeats for free", "the same position came back within one turn")
        self.turn.add(data)

    def _ask_oracles(self) -> None:
        for oracle in self.oracles:
            oracle.follow(self.game.line[-1], view_bytes(self.game, self.game.position, oracle.seat))
            self.kit.counts.oracle_positions += oracle.check(self.kit.rng)

    def _check_words(self) -> None:
        """Every log line of every language can be said, for a seat and for a spectator."""
        names = [f"<{p}>" for p in range(self.game.seats)]
        for lang in LANGUAGES:
            for sentence in tell(self.game, 0, lang, names):
                if "{" in sentence or sentence.startswith(("log.", "log_hidden.", "event.", "joined.")):
                    raise Broken("log lines have words", f"{lang}: {sentence}")


def run_kit(
    title: Title[Any, Any],
    plies_wanted: int = 2000,
    seed: int = 1,
    compiled: bool | None = None,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> KitReport:
    """Spread `plies_wanted` plies over all boxes of a title; half of them on the small ones."""
    kit = Kit(title, seed, compiled)
    shelves = list(boxes_of(title))
    small = [shelf for shelf in shelves if shelf.small]
    report = KitReport(title.name, kit.counts, problems=faulty_words(title))
    if kit.compiled:  # what is wrong in both forms is found in the plain one, which names the line
        report.failure = Kit(title, seed, compiled=False).play_box(shelves[0], FIRST_PLIES, seed * 1000)
        if report.failure is not None:
            return report
    for number, shelf in enumerate(shelves):
        among = len(small) if shelf.small else len(shelves) - len(small)
        share = max(30, plies_wanted // (2 if small else 1) // among)
        report.failure = kit.play_box(shelf, share, seed * 1000 + number)
        progress(number + 1, len(shelves))
        if report.failure is not None:
            return report
    # Only a long enough run can say that something was never touched.
    if kit.counts.plies >= 1000 and (unmoved := kit.secrets.unmoved()):
        report.problems.append(f"hidden numbers that no redeal ever changed: {', '.join(unmoved[:12])}")
    report.problems += batch_differs(title, seed)
    report.problems += vector_differs(title, seed, kit.compiled)
    report.problems += other_process_differs(title, seed)
    return report


def trail(title: Title[Any, Any], seed: int) -> str:
    """A hash along one random game: the same in every process, or play is not repeatable."""
    return str(title.batch(3, seed=seed, form="plain").playouts().digest)


def single_game(title: Title[Any, Any], box: Any, seed: int, stream: int) -> Game[Any, Any]:
    """The random game that a batch of this seed plays as number `stream`, played by itself."""
    game = Game(title, box, seed=seed, chance="manual")
    rng = [0, 0, 0, 0]
    seed_rng(rng, seed, stream)
    while not game.over and len(game.line) <= title.length:
        if game.to_move == CHANCE:
            game.apply(game.form.draw(game.s, next_u32(rng)))
        else:
            codes = game.legal_codes()
            game.apply(codes[below(rng, len(codes))])
    return game


def batch_differs(title: Title[Any, Any], seed: int, games: int = 3) -> list[str]:
    """A batch gives what the same games give one by one, also if the last action is the last allowed."""
    singles = [single_game(title, title.box_for(**title.simulation), seed, i) for i in range(games)]
    exact = replace(title, length=max(len(game.line) for game in singles))
    found = exact.batch(games, seed=seed, form="plain").playouts()
    problems = []
    if found.unfinished:
        problems.append(f"{found.unfinished} of {games} games of a batch did not end, played alone they do")
    for i, game in enumerate(singles):
        if game.outcome is not None and list(game.outcome.returns) != found.returns[i]:
            told = f"game {i} of seed {seed} ended {list(game.outcome.returns)} alone and {found.returns[i]}"
            problems.append(f"{told} in a batch")
    return problems


def other_process_differs(title: Title[Any, Any], seed: int) -> list[str]:
    """Play the same games in other processes with other hash seeds."""
    here = trail(title, seed)
    script = "import sys, ludus; from ludus.core.kit.run import trail; "
    script += f"print(trail(ludus.title({title.name!r}), {seed}))"
    problems = []
    for hash_seed in ("0", "4242"):
        environment = child_environment(PYTHONHASHSEED=hash_seed)
        done = subprocess.run(
            [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False
        )
        if done.stdout.strip() != here:
            problems.append(f"another process (hash seed {hash_seed}) plays differently {done.stderr[-200:]}")
    return problems
