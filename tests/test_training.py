"""`ludus lab train`: a net is taught, kept, and taught on where it was stopped; in plain form, with the
smallest title there is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ludus.bots.net import Net, load_net
from ludus.cli import app
from ludus.core.errors import FormatError, LudusError
from ludus.lab import training
from ludus.lab.training import Lesson, checkpoint_of, make_lesson, train
from samples import BARE

SMALL = {"hidden": 4.0, "policy": 4.0, "round": 3.0, "stray": 0.3}


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A cache folder of its own, and the title, in plain form."""
    monkeypatch.setenv("LUDUS_TITLES", "taught=taught")
    monkeypatch.setenv("LUDUS_PLAIN", "1")
    monkeypatch.setenv("LUDUS_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def lesson() -> Lesson:
    return make_lesson("taught", None, {}, seed=1, cores=1, given=SMALL)


def differs(one: Net, other: Net) -> list[str]:
    return [name for name, part in one.parts.items() if (part != other.parts[name]).any()]


def test_the_command_teaches_a_net_and_keeps_it_with_its_curve(tmp_path: Path, cache: Path) -> None:
    out = tmp_path / "nets" / "one.npz"
    words = [
        "lab",
        "train",
        "taught",
        "--games",
        "12",
        "--cores",
        "2",
        "--out",
        str(out),
        "--rival",
        "random",
    ]
    settings = [f"--set={name}={value}" for name, value in SMALL.items()]
    done = CliRunner().invoke(app, [*words, *settings, "--check-games", "2"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert "12 games" in done.stdout and "% against random" in done.stdout
    assert sorted(path.name for path in out.parent.iterdir()) == ["one.json", "one.npz", "one.svg"]
    facts = load_net(out).facts
    assert (facts["title"], facts["games"], facts["seed"], facts["cores"]) == ("taught", 12, 1, 2)
    assert [path.parent for path in cache.rglob("*.npz")] == [cache / "training"]


def test_a_lesson_changes_what_the_net_thinks(lesson: Lesson, tmp_path: Path) -> None:
    before = training.Training(lesson).net.copy()
    after = train(lesson, tmp_path / "one.npz", games=3, check_games=0)
    assert set(differs(before, after)) == set(before.parts)


def test_a_training_that_was_stopped_goes_on_to_the_same_net(lesson: Lesson, tmp_path: Path) -> None:
    whole = train(lesson, tmp_path / "whole.npz", games=9, check=0.0, check_games=0)
    out = tmp_path / "stopped.npz"

    def stop(row: dict[str, float], part: float) -> None:
        if row["games"] == 6:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(lesson, out, games=9, check=0.0, check_games=0, tell=stop)
    assert load_net(out).facts["games"] == 3
    games: list[float] = []
    found = train(
        lesson,
        out,
        games=9,
        check=0.0,
        check_games=0,
        resume=True,
        tell=lambda row, _: games.append(row["games"]),
    )
    assert games == [6, 9]
    assert differs(whole, found) == []


def test_what_cannot_be_taken_up_is_said(lesson: Lesson, tmp_path: Path) -> None:
    out = tmp_path / "one.npz"
    with pytest.raises(LudusError, match=r"no training of one\.npz to take up: leave out --resume"):
        train(lesson, out, games=3, resume=True)
    train(lesson, out, games=3, check_games=0)
    kept = checkpoint_of(out)
    for damaged in (kept.read_bytes()[:200], b"nothing of the kind", b""):
        kept.write_bytes(damaged)
        with pytest.raises(FormatError, match="this is no checkpoint of a training"):
            train(lesson, out, games=3, resume=True)


def test_two_nets_of_one_name_have_checkpoints_of_their_own(tmp_path: Path) -> None:
    assert checkpoint_of(tmp_path / "a" / "one.npz") != checkpoint_of(tmp_path / "b" / "one.npz")


def test_a_cache_folder_that_cannot_be_made_is_said_before_the_work(
    lesson: Lesson, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("LUDUS_CACHE_DIR", str(tmp_path / "file" / "cache"))
    with pytest.raises(LudusError, match="LUDUS_CACHE_DIR names another folder"):
        train(lesson, tmp_path / "one.npz", games=3)


@pytest.mark.parametrize(
    ("title", "given", "told"),
    [(BARE, {}, "has no features.py"), ("taught", {"speed": 1.0}, "there is no setting 'speed'")],
)
def test_what_cannot_be_taught_is_said(title: str, given: dict[str, Any], told: str) -> None:
    with pytest.raises(LudusError, match=told):
        make_lesson(title, None, {}, 1, 1, given)
