"""Other processes of ours: they must find the same package, however this one found it."""

from __future__ import annotations

import os
import sys


def child_environment(*first: str, **variables: str) -> dict[str, str]:
    """The environment for a child: our module path (after `first`), and these variables."""
    path = os.pathsep.join([*first, *(p for p in sys.path if p)])
    return {**os.environ, "PYTHONPATH": path, **variables}
