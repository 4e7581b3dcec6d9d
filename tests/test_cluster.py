"""Arena and training on a Ray of two workers: the same games as without, to the last one, whoever dies."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import ray
from typer.testing import CliRunner

from ludus.bots import Bot, Chair
from ludus.bots.net import Net
from ludus.cli import app
from ludus.core.errors import LudusError
from ludus.core.game import Action
from ludus.lab import arena, cluster, training
from ludus.lab.cluster import LOCAL, Cluster
from ludus.lab.scoring import Sequential
from samples import SMALL

SMALL_NET = {"hidden": 4.0, "policy": 4.0, "round": 3.0, "stray": 0.3}


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A Ray of two workers, for all tests of this file: to begin one takes seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LUDUS_PLAIN", "1")
        patch.setenv("HOME", str(tmp_path_factory.mktemp("home")))  # where Ray keeps its token
        patch.setenv("LUDUS_TITLES", "taught=taught,mortal=mortal")
        patch.setenv("LUDUS_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("MORTAL", str(tmp_path_factory.mktemp("mortal") / "dead"))
        with Cluster(LOCAL, cores=2) as found:
            yield found
    assert not ray.is_initialized()


@pytest.fixture
def dead(two: Cluster) -> Path:
    """Is there when a worker has died."""
    place = Path(os.environ["MORTAL"])
    place.unlink(missing_ok=True)
    return place


def games(played: list[arena.PlayedGame]) -> list[tuple[Any, ...]]:
    """Everything of games but how long the bots thought."""
    return [(g.bots, g.returns, g.length, g.moves, g.turns) for g in played]


def differs(one: Net, other: Net) -> list[str]:
    return [name for name, part in one.parts.items() if (part != other.parts[name]).any()]


def test_the_arena_plays_the_same_games_when_a_worker_dies(two: Cluster, dead: Path, tmp_path: Path) -> None:
    plan = arena.make_plan(SMALL, ["mortal:Mortal", "miles"], 21, 5, {"rounds": 3})
    told: list[int] = []
    found = arena.run(plan, tmp_path / "games.jsonl", told.append, cluster=two)
    assert dead.exists(), "a worker has died"
    assert games(found) == games(arena.run(plan, workers=1))
    assert sum(told) == 21, "one bar: every game is counted once"
    assert arena.run(plan, tmp_path / "games.jsonl") == found, "all are kept"


def test_a_sequential_test_stops_at_the_same_game(two: Cluster) -> None:
    plan = arena.make_plan(SMALL, ["miles", "tiro"], 400, 1, {"rounds": 2})
    test = Sequential(-900, 0)
    found = arena.run(plan, test=test, cluster=two)
    assert games(found) == games(arena.run(plan, workers=1, test=test))
    assert len(found) < 200


@pytest.mark.parametrize("again", [0.0, 2.0])
def test_a_training_comes_to_the_same_net_when_a_worker_dies(
    again: float, two: Cluster, dead: Path, tmp_path: Path
) -> None:
    """Also where pupils go through lessons of earlier rounds."""
    lesson = training.make_lesson("mortal", None, {}, 1, 2, {**SMALL_NET, "again": again})

    def teach(name: str, where: Cluster | None) -> Net:
        return training.train(lesson, tmp_path / f"{name}.npz", games=18, check_games=0, cluster=where)

    found = teach("apart", two)
    assert dead.exists(), "a worker has died"
    assert differs(teach("here", None), found) == []


def test_what_goes_wrong_in_a_worker_is_said_as_here(two: Cluster) -> None:
    plan = arena.make_plan(SMALL, ["test_cluster:Fails"], 4, 1, {"rounds": 2})
    with pytest.raises(LudusError, match=r"^the bot test_cluster:Fails failed: ValueError: no idea") as error:
        arena.run(plan, cluster=two)
    assert type(error.value) is LudusError


class Fails(Bot):
    def choose(self, chair: Chair) -> Action:
        raise ValueError("no idea")


def test_who_kills_every_worker_comes_to_an_end(two: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(two, "_work", ray.remote(max_retries=1)(cluster._work))
    monkeypatch.setattr(cluster, "AGAIN", 1)
    plan = arena.make_plan(SMALL, ["mortal:Doomed"], 1, 1, {"rounds": 2})
    with pytest.raises(LudusError, match="begun 2 times on the cluster and never ended"):
        arena.run(plan, cluster=two)


def test_a_machine_with_other_sources_is_refused(two: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "sources", lambda title: "others")
    plan = arena.make_plan(SMALL, ["tiro"], 2, 1, {"rounds": 2})
    with pytest.raises(LudusError, match=f"has another Ludus or another {SMALL} than here: install the same"):
        arena.run(plan, cluster=two)


def test_the_commands_say_what_they_say_without(
    two: Cluster, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With the Ray that runs already."""

    class Same:
        def __init__(self, address: str, cores: int | None) -> None:
            assert (address, cores) == (LOCAL, 2)

        def __enter__(self) -> Cluster:
            return two

        def __exit__(self, *error: object) -> None:
            pass

    monkeypatch.setattr(cluster, "Cluster", Same)

    def told(*words: str) -> Any:
        done = CliRunner().invoke(app, words, catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.stdout

    words = ("arena", SMALL, "--option", "rounds=2", "--games", "10", "--json")
    on_ray, here = (
        json.loads(told(*words, *more)) for more in (("--ray", LOCAL, "--cores", "2"), ("--cores", "1"))
    )
    for row in (*on_ray["bots"].values(), *here["bots"].values()):
        del row["ms_per_move"], row["cpu_ms_per_move"]
    assert on_ray == here
    taught = (
        "lab",
        "train",
        "taught",
        "--games",
        "12",
        "--cores",
        "2",
        "--rival",
        "random",
        "--check-games",
        "2",
    )
    settings = [f"--set={name}={value}" for name, value in SMALL_NET.items()]
    one, other = (tmp_path / name / "net.npz" for name in ("one", "other"))
    assert (
        told(*taught, *settings, "--out", str(one), "--ray", LOCAL).splitlines()[0].partition(",")[2]
        == (told(*taught, *settings, "--out", str(other)).splitlines()[0].partition(",")[2])
    )


def test_where_no_cluster_is_or_no_ray_a_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        LudusError, match=r"no Ray cluster can be reached at 'nonsense:1'.*--ray local begins one"
    ):
        Cluster("nonsense:1")
    with pytest.raises(LudusError, match="no Ray cluster can be reached"):
        Cluster("127.0.0.1:1")
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(LudusError, match=r'--ray needs Ray: pip install "ludus-antiquus\[ray\]"'):
        Cluster(LOCAL)


def test_a_ray_of_our_own_asks_for_a_token(two: Cluster) -> None:
    assert (Path(os.environ["HOME"]) / ".ray" / "auth_token").exists()
