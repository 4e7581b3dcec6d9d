"""Chromium for the browser tests: find it, or install it where that is possible."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from ludus.lab.browser_bench import find_browser


def _run(*command: str) -> bool:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        return subprocess.run(command, env=environment, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def install_browser() -> str | None:
    """With apt-get, as root on Debian or Ubuntu; else None."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return None
    _run("apt-get", "update")
    _run("apt-get", "install", "-y", "--no-install-recommends", "chromium")
    return find_browser()


def ensure() -> bool:
    """What `./ludus test` calls first: True when the browser is there."""
    browser = find_browser() or install_browser()
    if browser is None:
        print(
            "ludus test: no Chromium found: the browser tests cannot run. Install it "
            "(Debian, Ubuntu: apt-get install chromium), or name it in LUDUS_CHROMIUM.",
            file=sys.stderr,
        )
    return browser is not None


if __name__ == "__main__":
    sys.exit(0 if ensure() else 1)
