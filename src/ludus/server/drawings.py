"""What titles bring for the browser: the files in their folder `web`, sent from /titles/NAME/.

`table.js` is the drawing (web/static/js/titles/index.js says what it offers), `style.css` and after it
`style-*.css`, in the order of their names, its styles, `picture.svg` the picture on the first page.  Each of
them may be missing.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any

from fastapi.staticfiles import StaticFiles

from ludus.core.title import Title

from .errors import Unknown
from .server import title_of

PLACE = "/titles"


def folder_of(title: Title[Any, Any]) -> Path:
    return title.folder / "web"


def drawing_of(title: Title[Any, Any]) -> dict[str, Any] | None:
    """The addresses of all files that a title's own table needs; None when it has no drawing."""
    folder, place = folder_of(title), f"{PLACE}/{title.name}"
    if not (folder / "table.js").exists():
        return None
    styles = [*folder.glob("style.css"), *sorted(folder.glob("style-*.css"))]
    return {
        "scripts": [f"{place}/{path.name}" for path in sorted(folder.glob("*.js"))],
        "styles": [f"{place}/{path.name}" for path in styles],
    }


def picture_of(title: Title[Any, Any]) -> str:
    """The SVG of a title's picture; "" when it has none."""
    path = folder_of(title) / "picture.svg"
    return path.read_text(encoding="utf-8") if path.exists() else ""


def rulebook_style(title: Title[Any, Any]) -> str:
    """The address of the styles that a title's pieces have on its rules page; "" when it has none."""
    return f"{PLACE}/{title.name}/rulebook.css" if (folder_of(title) / "rulebook.css").exists() else ""


def rulebook_script(title: Title[Any, Any]) -> str:
    """The address of what draws a title's pieces on its rules page, also where the platform draws its table;
    "" when it has none."""
    return f"{PLACE}/{title.name}/rulebook.js" if (folder_of(title) / "rulebook.js").exists() else ""


@cache
def needs(name: str) -> str:
    """What a table needs beside the client itself, so that a browser asks for it with the page, not later."""
    drawing = drawing_of(title_of(name)) or {"scripts": [], "styles": []}
    styles = [f'<link rel="stylesheet" data-drawing="{name}" href="{href}">' for href in drawing["styles"]]
    links = [f'<link rel="modulepreload" fetchpriority="low" href="{src}">' for src in drawing["scripts"]]
    return "\n".join(["", f'<meta name="ludus-title" content="{name}">', *styles, *links])


class TitleFiles(StaticFiles):
    """Files of titles, and nothing of a title but what lies in its folder `web`."""

    def __init__(self) -> None:
        super().__init__(directory=None, check_dir=False)

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        name, _, inside = path.replace(os.sep, "/").partition("/")
        try:
            folder = folder_of(title_of(name))
        except Unknown:
            return "", None
        return _files(folder).lookup_path(inside) if folder.is_dir() else ("", None)


@cache
def _files(folder: Path) -> StaticFiles:
    return StaticFiles(directory=folder)
