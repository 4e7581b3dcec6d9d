"""The formatter, linter and type checker of the client's scripts and styles.

They come from npm, by the versions and hashes of package-lock.json, into the user's cache: nothing of them
enters the project, and nobody needs Node.js to play, to serve or to write a title.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
PROJECT = ROOT / "src/ludus/web"  # where tsconfig.json stands
FOLDERS = [ROOT / "src/ludus/web/static", *sorted((ROOT / "src/ludus/titles").glob("*/web"))]
FILES = ("package.json", "package-lock.json")
OLDEST = (20, 19)  # the Node.js that ESLint needs
TOOLS = {
    "prettier": "prettier/bin/prettier.cjs",
    "eslint": "eslint/bin/eslint.js",
    "tsc": "typescript/bin/tsc",
}


def client(kind: str) -> list[str]:
    """The files of the client and of the titles' drawings: "js" or "css"."""
    return [str(path) for folder in FOLDERS for path in sorted(folder.rglob(f"*.{kind}"))]


def has_node() -> bool:
    """Whether there is a Node.js that is new enough, with npm."""
    if not shutil.which("npm") or not shutil.which("node"):
        return False
    told = subprocess.run(["node", "--version"], capture_output=True, text=True, check=False).stdout
    return tuple(map(int, re.findall(r"\d+", told)[:2])) >= OLDEST


def modules() -> Path:
    """Where the packages of this state of the lock file are, or will be."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    state = hashlib.sha256((HERE / "package-lock.json").read_bytes()).hexdigest()[:16]
    return Path(base) / "ludus" / f"node-{state}" / "node_modules"


def install() -> bool:
    """Fetch the packages, unless they are there; whether they are there now."""
    place = modules().parent
    if modules().is_dir():
        return True
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent) as folder:
        for name in FILES:
            shutil.copy(HERE / name, folder)
        command = ["npm", "ci", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", folder]
        if subprocess.run(command, capture_output=True, check=False).returncode == 0 and not place.exists():
            Path(folder).rename(place)
            Path(folder).mkdir()  # what the context takes away
    return modules().is_dir()


def run(tool: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run one of `TOOLS` in the root of the project."""
    command = ["node", str(modules() / TOOLS[tool]), *arguments]
    environment = {**os.environ, "NODE_PATH": str(modules())}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
