"""Chromium for the browser tests: find it, or install it where that is possible.

Best its headless shell: the same engine without windows and tabs around it, which opens a page with half the
work.  The whole Chromium will do.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from ludus.lab.browser_bench import find_browser

SHELL = "chromium-headless-shell"
# Who has a Chromium and no line does not wait for a better one.
HASTE = ("-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=10", "-o", "Acquire::https::Timeout=10")


def find_test_browser() -> str | None:
    """The one that LUDUS_CHROMIUM names, the headless shell, or the system's Chromium."""
    return find_browser() if os.environ.get("LUDUS_CHROMIUM") else shutil.which(SHELL) or find_browser()


def _run(*command: str) -> bool:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        return subprocess.run(command, env=environment, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def install_browser() -> None:
    """With apt-get, as root on Debian or Ubuntu; some releases have no headless shell of their own."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return
    _run("apt-get", "update", *HASTE)
    if not _run("apt-get", "install", "-y", "--no-install-recommends", *HASTE, SHELL) and not find_browser():
        _run("apt-get", "install", "-y", "--no-install-recommends", "chromium")


def ensure() -> bool:
    """What `./ludus test` calls first: True when the browser is there."""
    if not os.environ.get("LUDUS_CHROMIUM") and not shutil.which(SHELL):
        install_browser()
    if find_test_browser() is None:
        print(
            "ludus test: no Chromium found: the browser tests cannot run. Install it "
            "(Debian, Ubuntu: apt-get install chromium), or name it in LUDUS_CHROMIUM.",
            file=sys.stderr,
        )
        return False
    return True


if __name__ == "__main__":
    sys.exit(0 if ensure() else 1)
