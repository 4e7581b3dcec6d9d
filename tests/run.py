"""All checks in order: style, types, imports, then the tests on all cores.  `./ludus test` calls it.

`--long` runs the full counts of fuzz and fault tests; other arguments go to pytest.
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
    cores = str(os.cpu_count() or 1)
    steps: list[tuple[str, list[str | Path]]] = [
        ("style", [BIN / "ruff", "check", "."]),
        ("format", [BIN / "ruff", "format", "--check", "."]),
        ("types", [BIN / "mypy"]),
        ("imports", [BIN / "lint-imports"]),
        # Once, before the test workers start: they would all compile the same.
        ("compile", [sys.executable, "-m", "ludus", "compile"]),
        ("tests", [sys.executable, "-m", "pytest", "-n", cores, "--dist", "worksteal", "-q", *arguments]),
    ]
    # Installs Chromium where it can; where it cannot, the browser tests say so.
    subprocess.run([sys.executable, str(ROOT / "tests" / "browser" / "install.py")], cwd=ROOT, check=False)
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
