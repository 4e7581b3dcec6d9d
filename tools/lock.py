"""Write the lock files anew: every package that is installed, with the hashes of its files.

    python -m tools.lock             keep the versions that are locked, as far as pyproject.toml allows
    python -m tools.lock --upgrade   the newest ones

Each file holds what the ones before it do not: a version stands in one place.  `./ludus` and the Dockerfile
install from them with --require-hashes, so that nothing else comes in.  Needs uv (pip install uv).
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
# What `build` holds (the build backend) is needed by everybody who installs from the sources.
LOCKS = {
    "requirements.lock": ("build", "server"),
    "requirements-postgres.lock": ("build", "server", "postgres"),
    "requirements-dev.lock": ("build", "server", "postgres", "dev"),
}


def compiled(extras: tuple[str, ...], constraints: list[Path]) -> str:
    """What pip would install, on every system and Python that we support."""
    command = ["uv", "pip", "compile", "pyproject.toml", "--universal", "--python-version", "3.11", "--quiet"]
    command += ["--generate-hashes", "--no-header", "--no-annotate", "--no-emit-index-url"]
    command += [argument for extra in extras for argument in ("--extra", extra)]
    command += [argument for path in constraints for argument in ("--constraint", str(path))]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def packages(lock: str) -> dict[str, str]:
    """The lines of each package, by its first one: `name==version ; where`.

    >>> packages("a==1 \\\\\\n    --hash=sha256:0\\nb==2\\n")
    {'a==1': 'a==1 \\\\\\n    --hash=sha256:0', 'b==2': 'b==2'}
    """
    blocks = re.split(r"\n(?=\S)", lock.strip("\n"))
    return {block.splitlines()[0].removesuffix("\\").strip(): block for block in blocks if block}


def main() -> None:
    present = [] if "--upgrade" in sys.argv[1:] else [ROOT / name for name in LOCKS if (ROOT / name).exists()]
    with tempfile.TemporaryDirectory() as folder:
        pinned = Path(folder) / "all.lock"
        pinned.write_text(compiled(list(LOCKS.values())[-1], present), encoding="utf-8")
        before: set[str] = set()
        for name, extras in LOCKS.items():
            found = packages(compiled(extras, [pinned]))
            more = [block for first, block in found.items() if first not in before]
            (ROOT / name).write_text("\n".join(more) + "\n", encoding="utf-8")
            before |= found.keys()


if __name__ == "__main__":
    main()
