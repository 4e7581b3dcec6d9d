"""What the documents say about the server is true: the bot plays, the table of settings is the table."""

from __future__ import annotations

import asyncio
import configparser
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ludus.server.settings import BadSetting, Settings, read_settings, settings_table
from ludus.server.testing import Client, ServerProcess
from samples import SMALL

ROOT = Path(__file__).parents[2]


def between(path: Path, marker: str) -> str:
    text = path.read_text(encoding="utf-8")
    found = re.search(rf"<!-- {marker} -->\n(.*?)\n?<!-- end -->", text, re.S)
    assert found, f"{path.name} has no place for {marker}"
    return found[1]


def test_the_bot_of_the_api_page_plays_a_match(server: ServerProcess, tmp_path: Path) -> None:
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    program = re.findall(r"```python\n(.*?)```", text, re.S)[-1]
    assert len(program.splitlines()) <= 40
    bot = tmp_path / "bot.py"
    bot.write_text(program, encoding="utf-8")

    async def work() -> str:
        host = await Client.guest(server.url)
        seats = [{"kind": "open"}, {"kind": "open"}]
        wish = {"title": SMALL, "options": {"rounds": 2}, "seats": seats}
        match_id = (await host.post("/api/matches", wish))["table"]["id"]
        bots = [
            await asyncio.create_subprocess_exec(
                sys.executable, str(bot), server.url, match_id, stdout=subprocess.PIPE
            )
            for _ in range(2)
        ]
        told = [await asyncio.wait_for(b.communicate(), 60) for b in bots]
        assert all(b.returncode == 0 for b in bots)
        assert len({out for out, _ in told}) == 1
        return told[0][0].decode()

    assert asyncio.run(work()).startswith("played [")


def test_the_table_of_settings_is_the_table() -> None:
    assert between(ROOT / "docs" / "host.md", "settings") == settings_table()


def test_settings_come_from_flags_then_from_the_environment() -> None:
    assert read_settings({}, {}) == Settings()
    found = read_settings(
        {"port": 7000, "host": None}, {"LUDUS_PORT": "1", "LUDUS_HOST": "::", "LUDUS_LIMITS": "off"}
    )
    assert (found.port, found.host, found.limits) == (7000, "::", False)
    for name, value in (
        ("PORT", "x"),
        ("PORT", "70000"),
        ("LIMITS", "perhaps"),
        ("LOG", "loud"),
        ("PROXY", "here"),
    ):
        with pytest.raises(BadSetting):
            read_settings({}, {f"LUDUS_{name}": value})


def test_every_setting_is_a_flag_of_serve() -> None:
    import inspect
    from dataclasses import fields

    from ludus.cli.serve import serve

    assert {f.name for f in fields(Settings)} == set(inspect.signature(serve).parameters) - {"browser"}


def test_every_route_of_the_api_page_exists(server: ServerProcess) -> None:
    import httpx

    paths = httpx.get(f"{server.url}/api/openapi.json").json()["paths"]
    known = {re.sub(r"\{\w+\}", "*", p) for p in paths} | {"/api/openapi.json", "/api/matches/*/socket"}
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    for path in re.findall(r"`(?:GET|POST|PUT|DELETE)? ?(/api/[\w/-]+)[`?]", text):
        assert re.sub(r"/(ID|KIND|N|NAME|SCENE)\b", "/*", path) in known, path


def test_the_unit_and_the_image_start_what_exists() -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(ROOT / "deploy" / "ludus.service", encoding="utf-8")
    assert unit["Service"]["ExecStart"].endswith("ludus serve --no-browser")
    image = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    for wanted in ("USER ludus", "VOLUME /data", "HEALTHCHECK", '"serve", "--no-browser"'):
        assert wanted in image


def test_every_test_that_the_security_page_names_is_there() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    files = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py")}
    names = set(re.findall(r"`(test_\w+(?:\.py)?)`", text))
    assert len(names) > 50
    for name in names:
        found = name in files if name.endswith(".py") else any(f"def {name}(" in f for f in files.values())
        assert found, f"SECURITY.md names {name}, which is no test"
