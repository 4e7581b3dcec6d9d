"""Games as data: what stands in the rows, the same bytes on all cores, nothing broken after a kill."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from conftest import all_titles
from ludus.bots import Bot, Chair
from ludus.cli import app
from ludus.core.errors import FormatError, LudusError
from ludus.core.game import Action
from ludus.core.process import child_environment
from ludus.lab import arena, dataset, recording
from samples import LARGE, PLANNED, SMALL, WIDE

# Options with which a game of bots is soon over.
SHORT: dict[str, dict[str, Any]] = {SMALL: {"rounds": 2}, WIDE: {"max_rounds": 5}, PLANNED: {"turn_cap": 200}}


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDUS_PLAIN", "1")


def make_plan(games: int = 6, bots: tuple[str, ...] = ("miles", "tiro"), **options: Any) -> arena.Plan:
    return arena.make_plan(SMALL, [*bots], games, 3, {"rounds": 2, **options})


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def rewrite(path: Path, **columns: Any) -> None:
    """Put other values into a shard."""
    table = pq.read_table(path)
    for name, change in columns.items():
        values = change(table[name].to_pylist())
        place = table.schema.get_field_index(name)
        table = table.set_column(
            place, table.schema.field(name), pa.array(values, table.schema.field(name).type)
        )
    pq.write_table(table, path)


# -- what is written ----------------------------------------------------------------------------------------


def test_a_row_is_a_decision(tmp_path: Path) -> None:
    plan = make_plan(3, ("miles", "tiro", "tiro"))
    written = recording.run(plan, tmp_path, workers=1)
    rows = pq.read_table(tmp_path).to_pylist()
    assert written == len(rows)
    assert [*rows[0]] == [
        "game",
        "ply",
        "seat",
        "bot",
        "observation",
        "legal",
        "action",
        "evaluation",
        "result",
    ]
    played = arena.run(plan, workers=1)
    for number, game in enumerate(played):
        found = [row for row in rows if row["game"] == number]
        assert [sum(row["seat"] == p for row in found) for p in range(3)] == list(game.moves)
        assert {row["seat"]: row["bot"] for row in found} == dict(enumerate(game.bots))
        assert {row["seat"]: row["result"] for row in found} == dict(enumerate(game.returns))
        plies = [row["ply"] for row in found]
        assert plies == sorted(plies) and plies[-1] < game.length, "chance has plies of its own"
    assert all(row["action"] in row["legal"] and row["evaluation"] is None for row in rows)
    header = dataset.read_header(tmp_path / dataset.shard_name(0))
    assert {len(row["observation"]) for row in rows} == {len(header.observation)}
    assert header.observation[:2] == ("to move", "seat")


@pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)
def test_games_of_every_title_come_out_as_recorded(title: Any, tmp_path: Path) -> None:
    plan = arena.make_plan(title.name, ["random"], 2, 1, SHORT.get(title.name, {}))
    recording.run(plan, tmp_path, workers=1)
    found = dataset.check(tmp_path, 2)
    assert (found.games, found.replayed, found.faults) == (2, 2, ())
    assert found.decisions == sum(sum(game.moves) for game in arena.run(plan, workers=1))


def test_what_a_bot_thinks_of_its_chances_stands_beside_its_choice(tmp_path: Path) -> None:
    plan = arena.make_plan(LARGE, ["centurio", "random"], 1, 1, {})
    recording.run(plan, tmp_path, workers=1)
    rows = pq.read_table(tmp_path).to_pylist()
    thought = [row for row in rows if row["evaluation"] is not None]
    assert {row["bot"] for row in thought} == {"centurio"}
    assert all(0 <= row["evaluation"] <= 1 for row in thought)
    assert len(thought) == sum(row["bot"] == "centurio" and len(row["legal"]) > 1 for row in rows)


# -- on all cores, and killed -------------------------------------------------------------------------------


def test_the_same_bytes_on_any_number_of_cores(tmp_path: Path) -> None:
    plan = make_plan(7)
    for cores in (1, 2):
        recording.run(plan, tmp_path / str(cores), shard=2, workers=cores)
    one, two = files_of(tmp_path / "1"), files_of(tmp_path / "2")
    assert sorted(one) == [dataset.shard_name(n) for n in range(4)]
    assert one == two


class Waits(Bot):
    """Plays a while, then waits for ever."""

    chosen = 0

    def choose(self, chair: Chair) -> Action:
        Waits.chosen += 1
        if Waits.chosen > 40 and os.environ.get("LUDUS_TEST_WAIT"):
            time.sleep(3600)
        return chair.legal()[0]


def test_a_run_that_is_killed_leaves_whole_shards_and_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "ludus", "lab", "record", SMALL, "--option", "rounds=2", "--bots"]
    words += ["test_recording:Waits", "--games", "6", "--shard", "2", "--cores", "1", "--out"]
    tests = str(Path(__file__).parent)
    paths = os.pathsep.join([tests, str(Path(recording.__file__).parents[2])])
    here = child_environment(PYTHONPATH=paths, LUDUS_PLAIN="1")
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    with subprocess.Popen([*words, str(killed)], env={**here, "LUDUS_TEST_WAIT": "1"}) as process:
        while not (dataset.shards_in(killed) and [*killed.glob(".games-*.part")]):
            assert process.poll() is None, "it ended before it was killed"
            time.sleep(0.02)
        process.kill()
    left = files_of(killed)
    assert any(name.endswith(".part") for name in left), "it was in the middle of a shard"
    finished = dataset.shards_in(killed)
    assert 0 < len(finished) < 3
    assert pq.read_table(killed).num_rows == sum(pq.read_table(path).num_rows for path in finished)
    assert dataset.check(killed, 9).faults == ()
    for folder in (killed, whole):
        subprocess.run([*words, str(folder)], env=here, check=True, capture_output=True)
    assert files_of(killed) == files_of(whole)


def test_a_shard_that_fails_leaves_nothing(tmp_path: Path) -> None:
    plan = arena.make_plan(SMALL, ["test_recording:Fails"], 2, 1, {"rounds": 2})
    with pytest.raises(LudusError, match="the bot test_recording:Fails failed"):
        recording.run(plan, tmp_path, workers=1)
    assert files_of(tmp_path) == {}


class Boasts(Bot):
    def choose(self, chair: Chair) -> Action:
        chair.evaluation = 1.5
        return chair.legal()[0]


def test_a_chance_is_from_nothing_to_all(tmp_path: Path) -> None:
    plan = arena.make_plan(SMALL, ["test_recording:Boasts"], 2, 1, {"rounds": 2})
    with pytest.raises(LudusError, match=r"Boasts gives 1\.5 as its chance; it must be from 0 to 1"):
        recording.run(plan, tmp_path, workers=1)


class Fails(Bot):
    def choose(self, chair: Chair) -> Action:
        raise ValueError("no idea")


def test_more_games_are_added_and_other_games_are_refused(tmp_path: Path) -> None:
    recording.run(make_plan(3), tmp_path, shard=2, workers=1)
    before = files_of(tmp_path)
    assert recording.run(make_plan(3), tmp_path, shard=2, workers=1) == 0, "nothing is played again"
    recording.run(make_plan(5), tmp_path, shard=2, workers=1)
    after = files_of(tmp_path)
    assert len(after) == 3 and after[dataset.shard_name(0)] == before[dataset.shard_name(0)]
    assert dataset.check(tmp_path, 9).games == 5
    with pytest.raises(FormatError, match="holds more than 3 games already"):
        recording.run(make_plan(3), tmp_path, shard=2, workers=1)
    for other, shard in (
        (make_plan(5, rounds=3), 2),
        (make_plan(5, ("tiro", "miles")), 2),
        (make_plan(5), 3),
    ):
        with pytest.raises(FormatError, match="this folder holds other games"):
            recording.run(other, tmp_path, shard=shard, workers=1)
    assert files_of(tmp_path) == after


# -- checking -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "change", "told"),
    [
        ("action", lambda v: [*v[:3], 48, *v[4:]], "action 48 is not legal"),
        ("legal", lambda v: [v[0][:-1], *v[1:]], "ply 0: legal is not as recorded"),
        ("observation", lambda v: [*v[:2], v[0], *v[3:]], "observation is not as recorded"),
        ("seat", lambda v: [1 - v[0], *v[1:]], "seat is not as recorded"),
        ("result", lambda v: [2 - r for r in v], "the result is not as recorded"),
        ("game", lambda v: [v[0]] * len(v), "comes after its end"),
        ("ply", lambda v: [p + 1 for p in v], "ply is not as recorded"),
    ],
)
def test_what_is_not_true_is_found(column: str, change: Any, told: str, tmp_path: Path) -> None:
    recording.run(make_plan(2), tmp_path, workers=1)
    rewrite(tmp_path / dataset.shard_name(0), **{column: change})
    assert any(told in fault for fault in dataset.check(tmp_path, 2).faults)


def test_shards_that_are_missing_cut_off_or_of_other_rules_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recording.run(make_plan(6), tmp_path, shard=2, workers=1)
    middle, last = (tmp_path / dataset.shard_name(n) for n in (1, 2))
    whole = middle.read_bytes()
    middle.unlink()
    assert dataset.check(tmp_path, 2).faults == ("games 2 to 3 are missing",)
    for damaged in (whole[:-9], b"", b"PAR1 nothing PAR1"):
        middle.write_bytes(damaged)
        with pytest.raises(FormatError, match="no shard of recorded games"):
            dataset.check(tmp_path, 2)
    middle.write_bytes(whole)
    recording.run(make_plan(6, rounds=3), tmp_path / "other", shard=2, workers=1)
    last.write_bytes((tmp_path / "other" / last.name).read_bytes())
    assert dataset.check(tmp_path, 2).faults == (f"{last.name} holds other games than games-00000.parquet",)
    monkeypatch.setattr(dataset, "FORMAT", 2)
    with pytest.raises(FormatError, match="it is of format 1, this Ludus reads 2"):
        dataset.check(tmp_path, 2)


@pytest.mark.parametrize(
    ("fact", "value", "told"),
    [
        ("rules", 99, "recorded by version 99 of the rules"),
        ("title", "nonsense", "nonsense"),
        ("shard", 0, "no shard of recorded games"),
        ("first", "x", "no shard of recorded games"),
        ("options", {"rounds": "many"}, "rounds"),
        ("more", 1, "no shard of recorded games"),
    ],
)
def test_a_header_that_somebody_wrote_is_checked(fact: str, value: Any, told: str, tmp_path: Path) -> None:
    recording.run(make_plan(2), tmp_path, workers=1)
    path = tmp_path / dataset.shard_name(0)
    table = pq.read_table(path)
    facts = {**json.loads(table.schema.metadata[dataset.KEY]), fact: value}
    pq.write_table(table.replace_schema_metadata({dataset.KEY: json.dumps(facts)}), path)
    with pytest.raises(LudusError, match=told):
        dataset.check(tmp_path, 2)


# -- the commands -------------------------------------------------------------------------------------------


def command(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["lab", *words], env={"COLUMNS": "200"})
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.output


def test_one_command_checks_nets_of_titles_and_games_of_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ("--option", "rounds=2", "--games", "4", "--shard", "2", "--cores", "1", "--out", SMALL)
    status, told = command("record", SMALL, *words)
    assert status == 0 and f"{SMALL}: 4 games; " in told
    status, told = command("check", f"./{SMALL}", "--sample", "3")
    assert status == 0 and "4 games, " in told and "3 games played again: all as recorded" in told
    with pytest.raises(LudusError, match=r"no features\.py"):
        command("check", SMALL)  # the title, though there is a folder of that name
    assert command("check", LARGE)[1].endswith("fits\n")
    rewrite(tmp_path / SMALL / dataset.shard_name(1), result=lambda v: [2 - r for r in v])
    assert command("check", f"./{SMALL}")[0] == 1
    with pytest.raises(LudusError, match="'nonsense' is neither a folder nor a title"):
        command("check", "nonsense")
    (tmp_path / "empty").mkdir()
    with pytest.raises(FormatError, match="no recorded games in this folder"):
        command("check", "empty")


def test_without_pyarrow_a_sentence_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(LudusError, match=r'pip install "ludus-antiquus\[record\]"'):
        command("record", SMALL, "--out", str(tmp_path / "x"))
    assert not (tmp_path / "x").exists()
