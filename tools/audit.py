"""Whether a package that we lock has a known weakness: pip-audit over all lock files.

Exit status 1 if one has.  Where the database of weaknesses cannot be reached, one line says so; no more.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any
from urllib.request import urlopen

from tools.lock import LOCKS, ROOT

DATABASE = "https://pypi.org/pypi/pip/json"
PROBE, WHOLE = 3.0, 120.0  # seconds


def can_be_reached() -> bool:
    try:
        with urlopen(DATABASE, timeout=PROBE) as answer:
            return "vulnerabilities" in json.load(answer)
    except (OSError, ValueError):
        return False


def audited(packages: list[dict[str, Any]]) -> tuple[int, list[str]]:
    """Of how many packages something is known, and their weaknesses.

    >>> weak = {"name": "a", "version": "1", "vulns": [{"id": "X", "fix_versions": ["2"]}]}
    >>> audited([weak, {"name": "b", "version": "1", "vulns": []}, {"name": "c", "skip_reason": "?"}])
    (2, ['a 1: X, mended in 2'])
    """
    known = [package for package in packages if "skip_reason" not in package]
    found = [
        f"{package['name']} {package['version']}: {one['id']}, mended in {' or '.join(one['fix_versions'])}"
        for package in known
        for one in package["vulns"]
    ]
    return len(known), found


def main() -> int:
    if not can_be_reached():
        print("audit: skipped, the database of weaknesses cannot be reached")
        return 0
    command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes", "--format", "json"]
    command += [argument for name in LOCKS for argument in ("-r", str(ROOT / name))]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=WHOLE, check=False)
        packages = json.loads(done.stdout)["dependencies"]
    except subprocess.TimeoutExpired:
        print(f"audit: skipped, no answer within {WHOLE:.0f} s")
        return 0
    except ValueError:
        print(f"audit: skipped, {(done.stderr.strip() or 'pip-audit said nothing').splitlines()[-1]}")
        return 0
    known, found = audited(packages)
    if not known:
        print("audit: skipped, the database knows none of the packages")
        return 0
    print("\n".join([*found, f"audit: {known} of {len(packages)} packages, {len(found)} weaknesses"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
