"""The client: static files that the server sends as they are (ES modules, SVG, CSS; no build step)."""

from pathlib import Path

STATIC = Path(__file__).parent / "static"
