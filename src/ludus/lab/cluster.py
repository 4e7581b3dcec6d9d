"""Work in numbered pieces on a Ray cluster, where one machine is too small (docs/research.md).

What a piece comes to depends on its number alone, so it does not matter where it is done, nor how often it
was begun: Ray replaces workers that die, and begins their pieces anew.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from socket import create_connection, gethostname
from typing import Any, NamedTuple, TypeVar

import ludus
from ludus import titles as registry
from ludus.core.errors import LudusError

R = TypeVar("R")

LOCAL = "local"  # a Ray of one's own on this machine, instead of the address of a cluster
KNOCKS = 10.0  # seconds to wait for a cluster to answer
AGAIN = 5  # how often a piece is begun anew: one that kills every worker must come to an end
TOLD = ("LUDUS_PLAIN", "LUDUS_BOTS", "LUDUS_TITLES")  # what workers must know of the environment
PARTS = ("core", "bots", "lab")  # of the package: what results depend on, besides the title
KINDS = (".py", ".npz", ".json", ".toml")


class Cluster:
    """A connection to a cluster, to be closed; or a Ray on this machine that ends with it."""

    def __init__(self, address: str, cores: int | None = None) -> None:
        """`cores` is how many work at a time; without it all there are."""
        self._ray = _ray()
        self._most = cores
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nobody has been asked
        quiet = {"log_to_driver": False, "logging_level": "error", "include_dashboard": None}
        if address == LOCAL:
            quiet |= {"num_cpus": cores or os.cpu_count() or 1, "include_dashboard": False}
        try:
            _knock(address)
            self._ray.init(address=address, **quiet)
        except Exception as error:  # whatever stands at that address
            raise LudusError(
                f"no Ray cluster can be reached at {address!r:.60} ({type(error).__name__}: {error!s:.100}); "
                f"--ray {LOCAL} begins one on this machine"
            ) from None
        self._work = self._ray.remote(max_retries=AGAIN)(_work)

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *error: object) -> None:
        self._ray.shutdown()

    @property
    def cores(self) -> int:
        """How many work at a time, now: machines may come and go."""
        found = int(self._ray.cluster_resources().get("CPU", 0))
        return min(found, self._most) if self._most else max(1, found)

    def begin(self, job: Callable[..., Any], *given: Any, parts: int = 1) -> Any:
        """Begin a piece of work, after `prepare`; what it will come to, or each of so many parts of it.  What
        earlier pieces will come to may be given to it."""
        return self._work.options(num_returns=parts).remote(self._told, job, *given)

    def result(self, piece: Any) -> Any:
        """What it came to.  Raises what the piece raised."""
        from ray import exceptions

        try:
            return self._ray.get(piece)
        except exceptions.RayTaskError as error:
            cause = error.cause
            raise cause if isinstance(cause, Exception) else error from None
        except exceptions.RayError as error:
            first = str(error).strip().partition("\n")[0]
            raise LudusError(
                f"a piece of work was begun {AGAIN + 1} times on the cluster and never ended ({first:.120})"
            ) from None

    def spread(self, job: Callable[[int], R], numbers: Sequence[int]) -> Iterator[tuple[int, R]]:
        """Each number with what the job makes of it, in whatever order they finish."""
        shared = self._ray.put(job)
        waiting, running = iter(numbers), dict[Any, int]()
        try:
            while True:
                bound = self._most or 2 * self.cores
                while len(running) < bound and (n := next(waiting, None)) is not None:
                    running[self.begin(_of_number, shared, n)] = n
                if not running:
                    return
                for piece in self._ray.wait([*running], num_returns=1)[0]:
                    yield running.pop(piece), self.result(piece)
        finally:
            for piece in running:
                with suppress(Exception):  # the cluster may be what is gone
                    self._ray.cancel(piece, force=True)

    def prepare(self, title: str, compile_all: Callable[[], None]) -> None:
        """Compile on every machine what is not compiled there yet, once.  From now on workers see that they
        have the same sources of this title as we."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy as On

        environment = {name: os.environ[name] for name in TOLD if name in os.environ}
        self._told = self._ray.put(Briefing(environment, [*sys.path], title, sources(title)))
        nodes = [n["NodeID"] for n in self._ray.nodes() if n["Alive"] and n["Resources"].get("CPU")]
        pieces = [
            self._work.options(scheduling_strategy=On(node, soft=True)).remote(self._told, compile_all)
            for node in nodes
        ]
        for piece in pieces:
            self.result(piece)


@cache
def sources(title: str) -> str:
    """Names everything of ours that the games of a title depend on."""
    package, folder = Path(ludus.__file__).parent, registry.title(title).folder
    h = hashlib.sha256()
    for top in (*(package / part for part in PARTS), folder):
        for path in sorted(p for p in top.rglob("*") if p.suffix in KINDS):
            h.update(f"{path.relative_to(top).as_posix()} {path.stat().st_size}\n".encode())
            h.update(path.read_bytes())
    return h.hexdigest()


def _ray() -> Any:
    try:
        import ray
    except ImportError:
        raise LudusError('--ray needs Ray: pip install "ludus-antiquus[ray]"') from None
    return ray


def _knock(address: str) -> None:
    """OSError where nobody listens at HOST:PORT: Ray itself would try for minutes."""
    host, _, port = address.rpartition(":")
    if "/" not in host and host and port.isdecimal():
        create_connection((host, int(port)), timeout=KNOCKS).close()


# -- in a worker --------------------------------------------------------------------------------------------


class Briefing(NamedTuple):
    """What a worker must know before it begins."""

    environment: Mapping[str, str]
    paths: Sequence[str]  # where bots of one's own are found
    title: str
    sources: str


def _work(told: Briefing, job: Callable[..., R], *given: Any) -> R:
    os.environ.update(told.environment)
    sys.path += [path for path in told.paths if path not in sys.path]
    if sources(told.title) != told.sources:
        raise LudusError(
            f"{gethostname()} of the cluster has another Ludus or another {told.title} than here: "
            "install the same"
        )
    return job(*given)


def _of_number(job: Callable[[int], R], number: int) -> R:
    return job(number)
