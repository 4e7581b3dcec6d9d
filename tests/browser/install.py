"""Chromium and the type checker for the browser tests: find them, or install them where that is possible."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from ludus.lab.browser_bench import find_browser

TYPESCRIPT = "typescript@5"


def find_tsc() -> list[str] | None:
    """The TypeScript compiler: on the path, or in the cache of this project."""
    found = shutil.which("tsc")
    if found:
        return [found]
    cached = cache() / "node_modules" / "typescript" / "bin" / "tsc"
    return [shutil.which("node") or "node", str(cached)] if cached.exists() else None


def cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "ludus" / "node"


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


def install_tsc() -> list[str] | None:
    """With npm, into the user's cache; nothing of it enters the project."""
    npm = shutil.which("npm")
    if not npm or not shutil.which("node"):
        return None
    cache().mkdir(parents=True, exist_ok=True)
    _run(npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(cache()), TYPESCRIPT)
    return find_tsc()


def ensure() -> bool:
    """What `./ludus test` calls first: True when the browser is there."""
    browser = find_browser() or install_browser()
    if browser is None:
        print(
            "ludus test: no Chromium found: the browser tests cannot run. Install it "
            "(Debian, Ubuntu: apt-get install chromium), or name it in LUDUS_CHROMIUM.",
            file=sys.stderr,
        )
    if shutil.which("node") and find_tsc() is None and install_tsc() is None:
        print("ludus test: node is here, but TypeScript could not be installed with npm.", file=sys.stderr)
    return browser is not None


if __name__ == "__main__":
    sys.exit(0 if ensure() else 1)
