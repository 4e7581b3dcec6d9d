"""An analysis that is always being made, for measurements of what else a server does meanwhile."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass
from typing import Any

from ludus.server.testing import Client

PLIES = 60  # of a match before it is given up and analysed
LOOK = 0.5  # seconds between looks at how far it is
OPEN = ("waiting", "running")


@dataclass
class Analysing:
    """Two people who play matches, give them up and have them analysed, one after the other."""

    url: str
    title: str
    made: int = 0
    at_work: bool = False  # whether an analysis has begun

    async def forever(self) -> None:
        first, second = await Client.guest(self.url), await Client.guest(self.url)
        try:
            while True:
                path = await self._finished(first, second)
                await first.post(path, status=202)
                while (told := await first.get(path))["state"] in OPEN:
                    self.at_work = self.at_work or bool(told["total"])
                    await asyncio.sleep(LOOK)
                self.made += 1
        finally:
            await first.close()
            await second.close()

    async def _finished(self, first: Client, second: Client) -> str:
        """A match that is over; the path of its analysis."""
        wish = {"title": self.title, "seats": [{"kind": "me"}, {"kind": "open"}]}
        match_id = (await first.post("/api/matches", wish))["table"]["id"]
        place = f"/api/matches/{match_id}"
        await second.post(f"{place}/join")
        state: dict[str, Any] = await first.get(place)
        for _ in range(PLIES):
            seat = state["table"]["to_move"]
            if not isinstance(seat, int):
                break
            mover = (first, second)[seat]
            state = await mover.get(place)
            actions = [random.choice(state["legal"])["action"]]
            await mover.command(
                match_id, do="play", seat=seat, actions=actions, expect=state["table"]["entries"]
            )
            state = await first.get(place)
        await first.command(match_id, do="resign", seat=0)
        return f"{place}/analysis"
