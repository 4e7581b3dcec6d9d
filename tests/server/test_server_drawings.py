"""What titles bring for the browser: told, sent, and nothing else of their folders."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from conftest import all_titles
from ludus.core.title import Title
from ludus.server.testing import Client, ServerProcess

DRAWN = [title for title in all_titles() if (title.folder / "web" / "table.js").exists()]


def test_every_title_tells_its_drawing_and_it_is_sent(server: ServerProcess) -> None:
    async def work() -> None:
        guest = await Client.guest(server.url)
        told = (await guest.get("/api/titles"))["titles"]
        for title in all_titles():
            drawing = told[title.name]["drawing"]
            assert (drawing is not None) == (title in DRAWN)
            for path in [*drawing["scripts"], *drawing["styles"]] if drawing else ():
                answer = await guest.request("GET", path)
                assert answer.status_code == 200, path
                file = title.folder / "web" / path.removeprefix(f"/titles/{title.name}/")
                assert answer.text == file.read_text(encoding="utf-8")
            told_of_it = await guest.get(f"/api/titles/{title.name}?lang=it")
            assert not [key for key in told_of_it["words"] if key.startswith("terminal.")], (
                "not for a browser"
            )
            assert told_of_it["printed"] == title.printed()

    asyncio.run(work())


@pytest.mark.parametrize("title", DRAWN[:1], ids=lambda t: t.name)
def test_nothing_but_the_web_folder_is_sent(server: ServerProcess, title: Title[Any, Any]) -> None:
    async def work() -> None:
        guest = await Client.guest(server.url)
        here = f"/titles/{title.name}"
        for path in (
            f"{here}/%2e%2e/__init__.py",
            f"{here}/..%2fbox.py",
            f"{here}//etc/passwd",
            f"{here}/%2e%2e/%2e%2e/__init__.py",
            f"{here}/nothing.js",
            f"{here}/box.py",
            "/titles/nothing/table.js",
            "/titles/__pycache__/x.js",
            "/titles/%2e%2e/%2e%2e/server/app.py",
            "/titles",
        ):
            answer = await guest.request("GET", path)
            assert answer.status_code == 404 or "<html" in answer.text, path
            assert "import" not in answer.text or "<html" in answer.text, path

    asyncio.run(work())
