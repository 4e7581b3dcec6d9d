"""Recording: bots play, and every decision becomes a row of a Parquet file (`dataset`).

Which games stand in which shard depends on the plan alone, and a shard is written by one core, under another
name until it is whole: the same plan gives the same bytes on any number of cores, and a run that was killed
goes on with the shards that are missing.
"""

from __future__ import annotations

import os
import tempfile
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from ludus import titles as registry
from ludus.bots import Chair, make_bot
from ludus.core.errors import FormatError, LudusError
from ludus.core.game import Game

from .arena import Plan, compile_for, play_game
from .dataset import arrow, first_game, header_of, read_header, schema_of, shard_name, shards_in
from .workers import spread

SHARD = 100  # games
GROUP = 20_000  # decisions after which a row group is written, at the end of a game
PARTIAL = ".part"


def run(
    plan: Plan,
    folder: Path,
    shard: int = SHARD,
    progress: Callable[[int], None] = lambda games: None,
    workers: int | None = None,
) -> int:
    """Play a plan on all cores and write its games into a folder; how many decisions were written.

    Shards that are there already are not played again.
    """
    arrow()
    if shard < 1:
        raise FormatError(f"a shard has at least one game, not {shard}")
    _make_folder(folder)
    left = _left(plan, folder, shard)
    progress(plan.games - sum(_end(plan, shard, n) - n * shard for n in left))
    cores = workers or os.cpu_count() or 1
    if left and cores > 1:
        compile_for(plan.title, plan.bots)
    decisions = 0
    for number, written in spread(partial(write_shard, plan, folder, shard), left, cores):
        decisions += written
        progress(_end(plan, shard, number) - number * shard)
    return decisions


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path in folder.glob(f".games-*{PARTIAL}"):  # of a run that was killed
            path.unlink()
    except OSError as error:
        raise LudusError(f"{folder}: {error.strerror}") from None


def _end(plan: Plan, shard: int, number: int) -> int:
    return min(plan.games, (number + 1) * shard)


def _left(plan: Plan, folder: Path, shard: int) -> list[int]:
    """The shards that are not there yet.  One that has fewer games than it should now is made anew."""
    wanted = {shard_name(n): n for n in range(-(-plan.games // shard))}
    done = set()
    for path in shards_in(folder):
        header, number = read_header(path), wanted.get(path.name)
        if not header.same_games(header_of(plan, shard, 0, 0)):
            raise FormatError("this folder holds other games; choose another one", source=str(folder))
        if number is None or header.end > _end(plan, shard, number):
            raise FormatError(f"this folder holds more than {plan.games} games already", source=str(folder))
        if header.end == _end(plan, shard, number):
            done.add(number)
    return [n for n in wanted.values() if n not in done]


def write_shard(plan: Plan, folder: Path, shard: int, number: int) -> int:
    """Play the games of a shard and write it; how many decisions it has."""
    games = range(number * shard, _end(plan, shard, number))
    observer = first_game(plan).observer
    schema = schema_of(header_of(plan, shard, games.start, games.stop), observer)
    rows, written = Rows(schema), 0
    title = registry.title(plan.title)
    bots = {name: make_bot(name, title) for name in plan.bots}
    try:
        with _shard_file(folder / shard_name(number), schema) as writer:
            for game in games:
                names = plan.seated(game % plan.seats)
                rows.begin(game, names)
                seed = plan.seed_of(game // plan.seats)
                rows.end(play_game(title, plan, bots, names, seed, rows.note).returns)
                if rows.count >= GROUP or game == games[-1]:
                    written += rows.count
                    writer.write_table(rows.table(), row_group_size=rows.count)
                    rows = Rows(schema)
    finally:
        for bot in bots.values():
            bot.close()
    return written


@contextmanager
def _shard_file(path: Path, schema: Any) -> Iterator[Any]:
    """A file that has its name when it is whole; until then no reader takes it for one of the shards."""
    pa = arrow()
    handle, name = tempfile.mkstemp(PARTIAL, f".{path.stem}-", path.parent)
    partial_path = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            with pa.parquet.ParquetWriter(file, schema, compression="zstd") as writer:
                yield writer
            file.flush()
            os.fsync(file.fileno())
        partial_path.chmod(0o644)
        partial_path.replace(path)
    except BaseException:
        partial_path.unlink(missing_ok=True)
        raise


def _evaluation(chair: Chair, name: str) -> float | None:
    """What a bot wrote; one of somebody's own may write anything."""
    found: object = chair.evaluation
    if found is None or (isinstance(found, int | float) and 0 <= found <= 1):
        return found
    raise LudusError(f"the bot {name} gives {found!r:.40} as its chance; it must be from 0 to 1, or None")


class Rows:
    """Decisions of whole games, column by column."""

    def __init__(self, schema: Any) -> None:
        self._schema = schema
        self._columns: dict[str, list[Any]] = {name: [] for name in schema.names}
        wide = schema.field("observation").type.value_type.bit_width == 64
        self._seen = array("q" if wide else "i")  # lists would take ten times the room

    @property
    def count(self) -> int:
        return len(self._columns["game"])

    def begin(self, game: int, names: tuple[str, ...]) -> None:
        self._game, self._names = game, names

    def note(self, game: Game[Any, Any], chair: Chair, code: int) -> None:
        """A choice that is going to be played."""
        row = {
            "game": self._game, "ply": len(game.line), "seat": chair.seat, "bot": self._names[chair.seat],
            "legal": game.legal_codes(), "action": code,
            "evaluation": _evaluation(chair, self._names[chair.seat]),
        }  # fmt: skip
        self._seen.extend(game.observation(chair.seat))
        for name, value in row.items():
            self._columns[name].append(value)

    def end(self, returns: tuple[int, ...]) -> None:
        """The game is over: its rows are told what it brought their seat."""
        results = self._columns["result"]
        results += [returns[seat] for seat in self._columns["seat"][len(results) :]]

    def table(self) -> Any:
        pa = arrow()
        columns = {field.name: pa.array(self._columns[field.name], field.type) for field in self._schema}
        kind = self._schema.field("observation").type
        numbers = pa.Array.from_buffers(
            kind.value_type, len(self._seen), [None, pa.py_buffer(self._seen)]
        )  # fmt: skip
        columns["observation"] = pa.FixedSizeListArray.from_arrays(numbers, type=kind)
        return pa.table(columns, schema=self._schema)
