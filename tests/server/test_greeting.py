"""`ludus` in a terminal speaks to a person: where it is, how friends join, where matches are, how to stop."""

from __future__ import annotations

import errno
import os
import pty
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.request import urlopen

import pytest

from ludus.core.process import child_environment
from ludus.server import greeting, logs, run
from ludus.server.settings import Settings
from ludus.store import open_store


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        s.listen()
        yield s.getsockname()[1]


def said(settings: Settings, port: int, tmp_path: Path, display: bool = True) -> str:
    store = open_store(str(tmp_path / "g.db"))
    told = "\n".join(greeting.greeting(settings, port, store, display))
    store.close()
    return told


def test_a_person_is_told_what_matters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(greeting, "network_address", lambda: "192.168.1.20")
    told = said(Settings(), 8000, tmp_path)
    assert "Ludus is open: http://127.0.0.1:8000/" in told and "Ctrl-C" in told
    assert "ludus serve --host 0.0.0.0`; they open http://192.168.1.20:8000/" in told
    assert str(tmp_path / "g.db") in told and "display" not in told and "taken" not in told
    told = said(Settings(host="0.0.0.0"), 8001, tmp_path, display=False)
    assert "(Port 8000 is taken, so this is 8001.)" in told
    assert "on the same network open http://192.168.1.20:8001/" in told
    assert "no display" in told and "ssh" not in told
    assert "ssh -L 8000:127.0.0.1:8000" in said(Settings(), 8000, tmp_path, display=False)
    monkeypatch.setattr(greeting, "network_address", lambda: "")
    assert "has no network" in said(Settings(), 8000, tmp_path)
    assert "open https://l.example" in said(Settings(public_url="https://l.example"), 8000, tmp_path)


def test_a_display_is_looked_for_where_there_may_be_none() -> None:
    assert greeting.has_display({}, "darwin") and greeting.has_display({"DISPLAY": ":0"}, "linux")
    assert not greeting.has_display({}, "linux")


def test_another_port_is_taken_only_where_none_was_asked_for(taken: int) -> None:
    found = run._listen(Settings(port=taken), tries=5)
    assert taken < found.getsockname()[1] <= taken + 4
    found.close()
    with pytest.raises(run.CannotListen, match=rf"port {taken} is taken.*--port {taken + 1}, --port 0"):
        run._listen(Settings(port=taken))
    with pytest.raises(run.CannotListen, match=r"--host 127\.0\.0\.1 opens Ludus for this machine alone"):
        run._listen(Settings(host="192.0.2.7", port=taken))
    assert "1024" in run._what_to_do(Settings(port=80), OSError(errno.EACCES, "no"))


def test_log_lines_are_read_in_a_terminal_and_json_elsewhere(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for terminal, level in ((True, "auto"), (False, "auto"), (True, "info")):
        monkeypatch.setattr(sys.stderr, "isatty", lambda terminal=terminal: terminal, raising=False)
        logs.set_up(level)
        logs.line("request", route="/")
        logs.line("store", warning=True, reason="locked")
        lines = capsys.readouterr().err.splitlines()
        if terminal and level == "auto":
            assert len(lines) == 1 and re.fullmatch(r"[\d:]+  the database .*: reason locked", lines[0])
        else:
            assert len(lines) == 2 and all(line.startswith('{"time"') for line in lines)
    logs.set_up("off")


def test_ludus_alone_opens_the_table_and_closes_by_ctrl_c(tmp_path: Path) -> None:
    environment = child_environment(LUDUS_DB=str(tmp_path / "l.db"), LUDUS_FORM="plain", BROWSER="true")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME", "LUDUS_PORT", "LUDUS_LOG"):
        environment.pop(name, None)
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "ludus"], stdin=slave, stdout=slave, stderr=slave, env=environment,
        start_new_session=True,
    )  # fmt: skip
    os.close(slave)
    told = ""
    try:
        while "Ctrl-C" not in told:
            told += os.read(master, 4096).decode()
        found = re.search(r"Ludus is open: (http://127\.0\.0\.1:\d+/)", told)
        assert found, told
        for _ in range(200):
            with suppress(OSError), urlopen(f"{found[1]}healthz", timeout=5):
                break
        process.send_signal(signal.SIGINT)
        with suppress(OSError):  # the end of a terminal
            while more := os.read(master, 4096).decode():
                told += more
        assert process.wait(20) == 0, told
    finally:
        process.kill()
        os.close(master)
    assert "all matches are kept" in told and str(tmp_path / "l.db") in told
    assert "{" not in told and "Traceback" not in told and "Aborted" not in told
