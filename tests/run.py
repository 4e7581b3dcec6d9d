"""All checks in order: style, types, imports, the tests on all cores, then those in a real browser.

`./ludus test` calls it.  `--long` runs the full counts of fuzz and fault tests; other arguments go to
pytest: `./ludus test -k NAME`, `./ludus test tests/browser`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
BIN = Path(sys.executable).parent
BROWSER = ROOT / "tests" / "browser"
# Once, before the test workers start: they would all compile the same.  Beside the checks, which are short.
COMPILE = [sys.executable, "-m", "ludus", "compile"]
PYTEST = [sys.executable, "-m", "pytest", "-q"]
# One more than cores: a test waits now and then, for another process or for a page.
CORES = ["-n", str((os.cpu_count() or 1) + 1), "--dist", "worksteal"]
# A test that waits for ever is told with all its stacks, and ends the run: no single one takes minutes.
HANG = ["-o", "faulthandler_timeout=300", "-o", "faulthandler_exit_on_timeout=true"]
TESTS_FAILED, NONE_CHOSEN = 1, 5  # what pytest says: some failed; -k leaves none
# A real browser, or servers that are killed while others play, miss a touch or their time now and then beside
# everything else on two cores.  So few tests of those that fail are played once more, alone, and told: who
# passes then is unsteady, a fault but not of the change.
UNSTEADY = (BROWSER, ROOT / "tests" / "server")
UNSTEADY_MOST = 8
LAST_FAILED = ROOT / ".pytest_cache" / "v" / "cache" / "lastfailed"

Step = tuple[str, list[str]]


def checks() -> list[Step]:
    return [
        ("style", [str(BIN / "ruff"), "check", "."]),
        ("format", [str(BIN / "ruff"), "format", "--check", "."]),
        ("types", [str(BIN / "mypy")]),
        ("imports", [str(BIN / "lint-imports")]),
        ("js style", [sys.executable, "-m", "tools.web"]),
    ]


def tests(arguments: Sequence[str]) -> list[Step]:
    """The tests, and in a process of their own those in a browser: Playwright keeps an event loop running
    that the tests of the server cannot share.  Paths among the arguments choose between the two."""
    options = [a for a in arguments if not is_path(a)]
    paths = [a for a in arguments if is_path(a)]
    plain = [p for p in paths if BROWSER not in (place(p), *place(p).parents)]
    browser = [p for p in paths if p not in plain]
    steps: list[Step] = []
    if plain or not paths:
        steps.append(("tests", [*PYTEST, f"--ignore={BROWSER}", *CORES, *options, *plain]))
    if browser or not paths:
        steps.append(("browser", [*PYTEST, *HANG, *CORES, *options, *(browser or [str(BROWSER)])]))
    return steps


def place(path: str) -> Path:
    return (ROOT / path.partition("::")[0]).resolve()


def is_path(argument: str) -> bool:
    return "/" in argument and not argument.startswith("-") and place(argument).exists()


def prepare_browser() -> str:
    """Install Chromium where that is possible; what to say at the end if there is none."""
    install = [sys.executable, str(BROWSER / "install.py")]
    if subprocess.run(install, cwd=ROOT, check=False).returncode == 0:
        return ""
    return "the tests in a browser did NOT run, because there is no Chromium"


def run(name: str, command: Sequence[str]) -> int:
    print(f"--- {name}", flush=True)
    begun = time.monotonic()
    status = subprocess.run(command, cwd=ROOT, check=False).returncode
    print(f"--- {name}: {time.monotonic() - begun:.0f} s", flush=True)
    return status


def once_more(options: Sequence[str]) -> int:
    """Play the few tests that failed and may be unsteady once more, without company; say which they were."""
    failed = sorted(json.loads(LAST_FAILED.read_text(encoding="utf-8"))) if LAST_FAILED.exists() else []
    groups = [[name for name in failed if place(name).is_relative_to(folder)] for folder in UNSTEADY]
    if not 0 < len(failed) <= UNSTEADY_MOST or sum(len(group) for group in groups) != len(failed):
        return 1
    status = max(run("once more", [*PYTEST, *HANG, *options, *group]) for group in groups if group)
    if status == 0:
        print(f"ludus test: UNSTEADY, passed only when played once more: {', '.join(failed)}")
    return status


def main() -> int:
    arguments = sys.argv[1:]
    if "--long" in arguments:
        arguments.remove("--long")
        os.environ["LUDUS_LONG"] = "1"
    chosen = tests(arguments)
    missing = prepare_browser() if chosen[-1][0] == "browser" else ""
    with subprocess.Popen(COMPILE, cwd=ROOT) as compiling:
        status = {name: run(name, command) for name, command in checks()}
        status["compile"] = compiling.wait()
    status |= {name: run(name, command) for name, command in chosen}
    if again := [name for name, _ in chosen if status[name] == TESTS_FAILED]:
        status |= dict.fromkeys(again, once_more([a for a in arguments if not is_path(a)]))
    if any(status[name] != NONE_CHOSEN for name, _ in chosen):  # -k may leave one of the two without a test
        status = {name: code for name, code in status.items() if code != NONE_CHOSEN}
    failed = [name for name, code in status.items() if code]
    if missing:
        print(f"ludus test: {missing}")
    if failed:
        print(f"ludus test: FAILED in {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
