"""Recorded games as data: Parquet files with a row a decision (docs/research.md), and whether they are true.

A folder holds shards, `games-00000.parquet` and so on.  Each is a whole file with what it needs to be played
again in its metadata, and whole games in its row groups.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from ludus import titles as registry
from ludus.core.errors import FormatError, LudusError
from ludus.core.game import Game
from ludus.core.observation import Observer

from .arena import Plan

FORMAT = 1  # rises when a column is added, taken away or means something else
KEY = b"ludus"  # under which the header stands in the metadata of a file


def arrow() -> Any:
    """pyarrow, or a sentence about how to get it."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise LudusError('recorded games need pyarrow: pip install "ludus-antiquus[record]"') from None
    return pyarrow


@dataclass(frozen=True)
class DataHeader:
    """What the metadata of a shard say: how its games are played again."""

    format: int
    title: str
    rules: int  # the version of the rules
    bots: tuple[str, ...]  # by seat in game 0; each game after it has them one seat further, in turn
    seed: int
    options: dict[str, Any]
    data: str  # the text of own data, "" where there is none
    budget: float | None
    shard: int  # how many games a whole shard has
    first: int  # its first game, and the one after its last
    end: int
    observation: tuple[str, ...]  # what each number of an observation is

    @property
    def plan(self) -> Plan:
        return Plan(self.title, self.bots, self.end, self.seed, self.options, self.data, self.budget)

    def same_games(self, other: DataHeader) -> bool:
        """Whether both are shards of one folder."""
        return replace(self, first=0, end=0) == replace(other, first=0, end=0)


def header_of(plan: Plan, shard: int, first: int, end: int) -> DataHeader:
    title = registry.title(plan.title)
    options = title.read_setting(plan.seats, plan.options)[1]
    observer = first_game(plan).observer
    return DataHeader(
        FORMAT, plan.title, title.version, plan.bots, plan.seed, dict(options), plan.data, plan.budget,
        shard, first, end, observer.names,
    )  # fmt: skip


def first_game(plan: Plan, number: int = 0, form: str = "plain") -> Game[Any, Any]:
    """A game of a plan, before its first decision."""
    title, seed = registry.title(plan.title), plan.seed_of(number // plan.seats)
    return title.new(seed=seed, seats=plan.seats, form=form, data=plan.data, **plan.options)


def schema_of(header: DataHeader, observer: Observer[Any]) -> Any:
    """The columns, in the words of Arrow."""
    pa = arrow()
    number = pa.int64() if observer.width == "i8" else pa.int32()
    columns = {
        "game": pa.int64(), "ply": pa.int32(), "seat": pa.int8(), "bot": pa.string(),
        "observation": pa.list_(pa.field("element", number, nullable=False), observer.size),
        "legal": pa.list_(pa.field("element", pa.int32(), nullable=False)),
        "action": pa.int32(), "evaluation": pa.float32(), "result": pa.int8(),
    }  # fmt: skip
    fields = [pa.field(name, kind, nullable=name == "evaluation") for name, kind in columns.items()]
    return pa.schema(fields, {KEY: json.dumps(asdict(header), sort_keys=True).encode()})


# -- reading ------------------------------------------------------------------------------------------------


def shard_name(number: int) -> str:
    return f"games-{number:05}.parquet"


def shards_in(folder: Path) -> list[Path]:
    return sorted(folder.glob("games-*.parquet"))


def read_header(path: Path) -> DataHeader:
    """FormatError where this is no shard of recorded games, or one that was cut off."""
    pa = arrow()
    try:
        said = pa.parquet.read_metadata(path).metadata or {}
        facts = json.loads(said[KEY])
        if facts["format"] != FORMAT:
            raise FormatError(
                f"it is of format {facts['format']!r:.20}, this Ludus reads {FORMAT}", source=str(path)
            )
        facts |= {"bots": tuple(facts["bots"]), "observation": tuple(facts["observation"])}
        header = DataHeader(**facts)
        first, end, size = header.first, header.end, header.shard
        if not (isinstance(header.options, dict) and 0 <= first < end <= first + size and first % size == 0):
            raise ValueError("its header makes no sense")
    except FormatError:
        raise
    except (OSError, pa.ArrowException, ValueError, KeyError, TypeError, ZeroDivisionError) as error:
        raise FormatError(f"this is no shard of recorded games ({error!s:.80})", source=str(path)) from None
    return header


@dataclass(frozen=True)
class CheckedData:
    """What a look at a folder came to."""

    header: DataHeader
    shards: int
    games: int
    decisions: int
    replayed: int
    faults: tuple[str, ...]


def check(folder: Path, sample: int, seed: int = 1) -> CheckedData:
    """Whether all shards are there, and whether some of their games, drawn by lot, come out as recorded."""
    pa = arrow()
    paths = shards_in(folder)
    if not paths:
        raise FormatError("there are no recorded games in this folder", source=str(folder))
    headers = [read_header(path) for path in paths]
    header, total = headers[0], sum(h.end - h.first for h in headers)
    _require_known(header, paths[0])
    faults = [
        f"{path.name} holds other games than {paths[0].name}"
        for path, h in zip(paths, headers, strict=True)
        if not h.same_games(header)
    ]
    faults = faults or list(_gaps(headers))
    decisions = sum(pa.parquet.read_metadata(path).num_rows for path in paths)
    if faults:
        return CheckedData(header, len(paths), total, decisions, 0, tuple(faults))
    chosen = sorted(Random(seed).sample(range(total), min(sample, total)))
    for game in chosen:
        number = next(k for k, h in enumerate(headers) if h.first <= game < h.end)
        fault = replay(header.plan, game, _rows(paths[number], game))
        faults += [f"{paths[number].name}: game {game}: {fault}"] if fault else []
    return CheckedData(header, len(paths), total, decisions, len(chosen), tuple(faults))


def _require_known(header: DataHeader, path: Path) -> None:
    title = registry.title(header.title)
    if header.rules != title.version:
        raise FormatError(
            f"recorded by version {header.rules!r:.20} of the rules of {title.name}, now {title.version}",
            source=str(path),
        )
    title.box_for(len(header.bots), header.data, **header.options)


def _gaps(headers: Sequence[DataHeader]) -> Iterator[str]:
    """Games that are missing between the first and the last one."""
    wanted = 0
    for header in headers:
        if header.first > wanted:
            yield f"games {wanted} to {header.first - 1} are missing"
        wanted = header.end


def _rows(path: Path, game: int) -> list[dict[str, Any]]:
    """The rows of one game."""
    pa = arrow()
    try:
        found: list[dict[str, Any]] = pa.parquet.read_table(path, filters=[("game", "=", game)]).to_pylist()
    except (OSError, pa.ArrowException) as error:
        raise FormatError(f"it cannot be read ({error!s:.80})", source=str(path)) from None
    return found


def replay(plan: Plan, number: int, rows: Sequence[dict[str, Any]]) -> str:
    """Play a game again by its recorded actions; what is not as recorded, "" if all is."""
    game = first_game(plan, number)
    names = plan.seated(number % plan.seats)
    try:
        for row in rows:
            if game.over:
                return f"ply {row['ply']} comes after its end"
            seat = game.to_move
            legal = game.legal_codes()
            true = {
                "ply": len(game.line), "seat": seat, "bot": names[seat], "legal": legal,
                "observation": game.observation(seat),
            }  # fmt: skip
            for column, value in true.items():
                if row[column] != value:
                    return f"ply {len(game.line)}: {column} is not as recorded"
            if row["action"] not in legal:
                return f"ply {len(game.line)}: action {row['action']} is not legal"
            game.apply(row["action"])
    except KeyError as error:
        return f"there is no column {error}"
    if game.outcome is None:
        return f"it does not end after {len(rows)} decisions"
    if any(row.get("result") != game.outcome.returns[row["seat"]] for row in rows):
        return "the result is not as recorded"
    return ""
