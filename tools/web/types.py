"""The types of what drawings are shown, written from the schema of each title's view (core/schema.py).

A title that is drawn by hand has them in `web/view.d.ts`; its scripts import them, and TypeScript checks what
they read.  No browser loads the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from textwrap import fill
from typing import Any

import ludus
from ludus.core.schema import Schema, schema_of
from ludus.core.title import Title

WRITE = "python -m tools.web --write"
WIDTH = 110
_PLAIN = {"integer": "number", "string": "string", "boolean": "boolean", "null": "null"}


def drawn_titles() -> list[Title[Any, Any]]:
    """The titles that have a drawing of their own."""
    titles = (ludus.title(name) for name in ludus.title_names())
    return [title for title in titles if (title.folder / "web/table.js").exists()]


def file_of(title: Title[Any, Any]) -> Path:
    return title.folder / "web/view.d.ts"


def stale() -> list[str]:
    """The titles whose types are not those of their view."""
    return [title.name for title in drawn_titles() if _written(title) != types_of(title)]


def _written(title: Title[Any, Any]) -> str:
    return file_of(title).read_text(encoding="utf-8") if file_of(title).exists() else ""


def write() -> None:
    for title in drawn_titles():
        file_of(title).write_text(types_of(title), encoding="utf-8")


def types_of(title: Title[Any, Any]) -> str:
    """The file of a title: one exported type for each TypedDict that its view is made of."""
    head = f"/** What {title.name} shows a seat: made by `{WRITE}` from the type of its view. */\n"
    return "\n".join([head, *(_declared(name, it) for name, it in schema_of(title)["$defs"].items())])


def _declared(name: str, schema: Schema) -> str:
    lines = [f"export type {name} = {{", *_fields(schema), "};", ""]
    return "\n".join([*_comment(schema.get("description", "")), *lines])


def _comment(text: str) -> list[str]:
    if not text:
        return []
    said = " ".join(text.split())
    if len(said) + 7 <= WIDTH:
        return [f"/** {said} */"]
    return ["/**", fill(said, WIDTH, initial_indent=" * ", subsequent_indent=" * "), " */"]


def _fields(schema: Schema) -> Iterator[str]:
    for name, held in schema["properties"].items():
        sign = ":" if name in schema["required"] else "?:"
        yield fill(f"  {name}{sign} {_type(held)};", WIDTH, subsequent_indent="    ", break_on_hyphens=False)


def _type(schema: Schema) -> str:
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(_type(one) for one in schema["anyOf"])
    if schema["type"] == "array":
        item = _type(schema["items"])
        return f"({item})[]" if "|" in item else f"{item}[]"
    if schema["type"] == "object":
        return f"Record<string, {_type(schema['additionalProperties'])}>"
    return _PLAIN[schema["type"]]
