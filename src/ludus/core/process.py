"""This process and other ones of ours: what it says aside, and how they find the same package."""

from __future__ import annotations

import os
import sys


def say(line: str) -> None:
    """The one clear line: why something is slower or poorer than it could be."""
    print(f"ludus: {line}", file=sys.stderr)


def child_environment(*first: str, **variables: str) -> dict[str, str]:
    """The environment for a child: our module path (after `first`), and these variables."""
    path = os.pathsep.join([*first, *(p for p in sys.path if p)])
    return {**os.environ, "PYTHONPATH": path, **variables}
