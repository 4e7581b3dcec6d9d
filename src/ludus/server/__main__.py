"""`python -m ludus.server`: the server, with all settings from the environment (LUDUS_...)."""

import sys

from ludus.core.errors import LudusError

from .run import serve
from .settings import read_settings

if __name__ == "__main__":
    try:
        serve(read_settings({}))
    except LudusError as error:
        print(f"ludus: {error}", file=sys.stderr)
        sys.exit(2)
