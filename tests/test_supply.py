"""What we stand on: packages by hash, a pinned build, an audit, and a unit that closes what is not needed."""

from __future__ import annotations

import configparser
import json
import re
import subprocess
import tomllib

import pytest

from conftest import ROOT
from tools import audit, web
from tools.lock import LOCKS, packages


def locked() -> dict[str, str]:
    return {k: v for name in LOCKS for k, v in packages((ROOT / name).read_text(encoding="utf-8")).items()}


def test_every_package_is_installed_by_hash() -> None:
    for first, block in locked().items():
        assert re.match(r"[a-z0-9-]+==\S+", first), first
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", block), f"{first} has no hash"
    for path in ("ludus", "Dockerfile"):
        text = (ROOT / path).read_text(encoding="utf-8").replace("\\\n", " ")
        for part in re.split(r"&&|\n", text):
            if re.search(r"\bpip (install|wheel)\b", part):
                assert re.search(r'--require-hashes|--no-deps|--no-index|"\$@"', part), f"{path}: {part}"


def test_what_checks_the_client_comes_by_hash_and_from_no_named_host() -> None:
    lock = json.loads((web.HERE / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    named = json.loads((web.HERE / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    assert lock.pop("")["devDependencies"] == named
    for name, package in lock.items():
        assert re.match(r"sha512-[\w+/]+=*$", package["integrity"]) and "resolved" not in package, name


def test_every_package_that_we_name_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    chosen = [name for extra in ("build", "server", "postgres", "dev") for name in extras[extra]]
    named = [*project["dependencies"], *(n for n in chosen if not n.startswith(project["name"]))]
    have = {first.partition("==")[0] for first in locked()}
    wanted = {re.split(r"[\[<>=~ ]", name)[0].lower().replace("_", "-") for name in named}
    assert wanted <= have, f"python -m tools.lock: {wanted - have}"


def test_the_build_backend_is_the_locked_one() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = project["build-system"]["requires"]
    assert wanted == project["project"]["optional-dependencies"]["build"]
    assert set(wanted) <= locked().keys()


def test_the_base_image_is_named_by_its_full_version() -> None:
    image = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert re.search(r"^ARG BASE=python:\d+\.\d+\.\d+-slim-\w+", image, re.M)
    assert set(re.findall(r"^FROM (\S+)", image, re.M)) == {"${BASE}"}


def test_the_audit_tells_weaknesses_and_never_fails_for_want_of_a_network(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(audit, "DATABASE", "http://127.0.0.1:9/")
    assert audit.main() == 0
    assert "skipped" in capsys.readouterr().out
    weak = '{"dependencies": [{"name": "a", "version": "1", "vulns": [{"id": "X", "fix_versions": []}]}]}'
    said = subprocess.CompletedProcess([], 1, weak, "")
    monkeypatch.setattr(audit, "can_be_reached", lambda: True)
    monkeypatch.setattr("tools.audit.subprocess.run", lambda *_, **__: said)
    assert audit.main() == 1
    assert "a 1: X" in capsys.readouterr().out


def test_the_unit_closes_what_the_server_does_not_need() -> None:
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(ROOT / "deploy" / "ludus.service", encoding="utf-8")
    service = unit["Service"]
    closed = "NoNewPrivileges PrivateTmp PrivateDevices PrivateUsers ProtectHome ProtectClock ProtectHostname"
    closed += " ProtectKernelLogs ProtectKernelModules RestrictNamespaces RestrictRealtime LockPersonality"
    assert {name: service.get(name) for name in closed.split()} == dict.fromkeys(closed.split(), "yes")
    assert (service["UMask"], service["StateDirectoryMode"]) == ("0077", "0700")
    text = (ROOT / "deploy" / "ludus.service").read_text(encoding="utf-8")
    assert "SystemCallFilter=@system-service\nSystemCallFilter=~@privileged\n" in text


def test_ci_runs_the_tests_and_the_audit() -> None:
    text = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "./ludus test\n" in text and "-m tools.audit" in text
