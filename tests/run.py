"""All checks in order: style, types, imports, then the tests on all cores.  `./ludus test` calls it.

`--long` runs the full counts of fuzz and fault tests, `--browser` the tests in a real browser too; other
arguments go to pytest.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
BIN = Path(sys.executable).parent


def main() -> int:
    arguments = sys.argv[1:]
    if "--long" in arguments:
        arguments.remove("--long")
        os.environ["LUDUS_LONG"] = "1"
    browser = "--browser" in arguments
    if browser:
        arguments.remove("--browser")
    cores = str(os.cpu_count() or 1)
    pytest: list[str | Path] = [sys.executable, "-m", "pytest", "-q", "--ignore=tests/browser"]
    steps: list[tuple[str, list[str | Path]]] = [
        ("style", [BIN / "ruff", "check", "."]),
        ("format", [BIN / "ruff", "format", "--check", "."]),
        ("types", [BIN / "mypy"]),
        ("imports", [BIN / "lint-imports"]),
        # Once, before the test workers start: they would all compile the same.
        ("compile", [sys.executable, "-m", "ludus", "compile"]),
        ("tests", [*pytest, "-n", cores, "--dist", "worksteal", *arguments]),
    ]
    if browser:
        # Installs Chromium where it can; where it cannot, the tests say so.
        install = [sys.executable, str(ROOT / "tests" / "browser" / "install.py")]
        subprocess.run(install, cwd=ROOT, check=False)
        # In a process of their own: Playwright keeps an event loop running that server tests cannot share.
        steps.append(("browser", [sys.executable, "-m", "pytest", "-q", "tests/browser"]))
    failed = []
    for name, command in steps:
        print(f"--- {name}", flush=True)
        begun = time.monotonic()
        if subprocess.run([str(part) for part in command], cwd=ROOT, check=False).returncode:
            failed.append(name)
        print(f"--- {name}: {time.monotonic() - begun:.0f} s", flush=True)
    if failed:
        print(f"ludus test: FAILED in {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
