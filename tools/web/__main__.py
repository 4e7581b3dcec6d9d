"""Check the scripts and styles of the client: format, lint and types.

    python -m tools.web           what is not right; exit status 1 if anything is
    python -m tools.web --write   format them, and write the types of the views that drawings are shown

Without Node.js nothing is checked, and one line says so.  Under CI a Node.js without packages is a failure.
"""

from __future__ import annotations

import os
import sys

from tools.web import HERE, OLDEST, PROJECT, client, has_node, install, run, types

NO_NODE = f"there is no Node.js {OLDEST[0]}.{OLDEST[1]} or newer with npm"
NO_PACKAGES = "npm could not fetch the packages of tools/web/package-lock.json"


def main() -> int:
    writing = "--write" in sys.argv[1:]
    if writing:
        types.write()
    wrong = types.stale()
    for name in wrong:
        print(f"js style: the types of the view of {name} are stale; {types.WRITE} writes them")
    missing = NO_NODE if not has_node() else NO_PACKAGES if not install() else ""
    if missing:
        print(f"js style: the scripts and styles were NOT checked, because {missing}")
        return 1 if wrong or (missing == NO_PACKAGES and os.environ.get("CI") == "true") else 0
    scripts, styles = client("js"), client("css")
    how = "--write" if writing else "--check"
    config = ["--config", str(HERE / "prettier.json"), "--log-level", "warn"]
    checks = [
        run("prettier", how, *config, *scripts, *styles),
        run("eslint", "--config", str(HERE / "eslint.config.cjs"), "--max-warnings", "0", *scripts),
        run("tsc", "--project", str(PROJECT)),
    ]
    for done in checks:
        print(done.stdout + done.stderr, end="")
    if any(done.returncode for done in checks):
        print(f"js style: {types.WRITE} formats; what ESLint and TypeScript say is yours to mend")
        return 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
