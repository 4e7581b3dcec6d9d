"""Telling viewers what has happened: only where a match stands after a commit, each through its own eye."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludus.core.chance import SPECTATOR
from ludus.match.moments import Moment
from ludus.store.people import Person
from ludus.store.rows import ChatRow

from . import telling
from .claiming import claims_of
from .metrics import Metrics
from .standing import Standing
from .stories import Stories
from .table import Table
from .viewer import Viewer
from .wire import encode

CATCH_UP = 200  # entries; who misses more gets the present state instead
AT_ONCE = 12  # entries that are told in the event loop; more are made beside it


def state_of(table: Table, standing: Standing, person: Person | None, eye: int, lang: str) -> dict[str, Any]:
    """Everything that somebody sees at this moment."""
    row = standing.row
    state: dict[str, Any] = {
        "table": table.public(standing),
        "entry": standing.entries,
        "eye": None if eye == SPECTATOR else eye,
        "yours": standing.seats_of(person),
        "resigned": standing.resigned_by(person),
        "away": standing.left_by(person),
        "claims": claims_of(standing, person),
        "begun": table.begun_by(person),
        "view": standing.view(eye),
        **standing.offer(eye, lang),
    }
    if person is not None and person.id == row.creator_id and row.state == "waiting":
        state["invites"] = {str(s.seat): s.invite for s in standing.seats if s.kind == "link"}
    return state


class Publisher:
    def __init__(self, metrics: Metrics, stories: Stories) -> None:
        self.metrics, self.stories = metrics, stories

    def publish(self, table: Table, before: Standing | None = None) -> None:
        """Tell every viewer what it has not been told yet.  Under the lock of the table.

        `before` is where the match stood until now, if that is known: its views need not be made again.
        """
        standing = table.standing
        if standing is None or not table.viewers:
            return
        mark = standing.mark
        waiting = [v for v in table.viewers if v.told is not None and v.told != mark]
        if not waiting:
            return
        public = table.public(standing)
        moments: dict[int, list[Moment]] = {}
        ready: dict[tuple[int, str, int], bytes] = {}  # the same for all who look through one eye
        for viewer in waiting:
            told = viewer.told
            assert told is not None
            viewer.told = mark
            if not standing.may_look(viewer.person, viewer.eye):
                # Who has lost a seat sees what everybody sees from now on; or whom the lot has set elsewhere.
                viewer.eye = standing.eye_of(viewer.person, None)
                self._tell_state(table, standing, viewer)
            elif (
                told[0] != mark[0] or told[1] > mark[1]
            ):  # restored from a backup: what was told does not count
                self._tell_state(table, standing, viewer)
            else:
                since = told[1]
                if since not in moments:
                    moments[since] = standing.moments(since, before)
                key = (viewer.eye, viewer.lang, since)
                if key not in ready:
                    ready[key] = encode(_message(standing, public, *key, moments[since]))
                viewer.send(ready[key])
        self.metrics.count("messages", n=len(waiting))

    def _tell_state(self, table: Table, standing: Standing, viewer: Viewer) -> None:
        viewer.send_json(type="state", **state_of(table, standing, viewer.person, viewer.eye, viewer.lang))

    async def catch_up(self, table: Table, viewer: Viewer, since: int | None) -> None:
        """Bring a viewer to where the table stands, from what it says it has seen.

        Until that is done it is told nothing else; a long story is made beside the event loop.
        """
        standing = table.standing
        assert standing is not None
        viewer.told = None
        eye, lang = viewer.eye, viewer.lang
        if standing.match is None or since is None or not 0 <= standing.entries - since <= CATCH_UP:
            self._tell_state(table, standing, viewer)
        elif standing.entries - since <= AT_ONCE:
            viewer.send(_caught_up(standing, table.public(standing), eye, lang, since))
        else:
            public = table.public(standing)
            viewer.send(await self.stories.make(viewer.asker, _caught_up, standing, public, eye, lang, since))
        viewer.told = standing.mark

    def announce(self, table: Table, but: Viewer | None = None) -> None:
        """Who is there has changed."""
        standing = table.standing
        if standing is None or len(table.viewers) > 50:
            return
        public = table.public(standing)
        for viewer in table.viewers:
            if viewer is not but and viewer.told == standing.mark:
                viewer.send_json(type="table", table=public, **standing.offer(viewer.eye, viewer.lang))

    def tell_chat(self, table: Table, lines: Sequence[ChatRow]) -> None:
        """New lines of chat, each to those who may read it."""
        standing = table.standing
        if standing is None:
            return
        for viewer in table.viewers:
            rooms = standing.rooms(viewer.person)
            person_id = viewer.person.id if viewer.person is not None else None
            for line in lines:
                if line.is_for(person_id, rooms):
                    viewer.send_json(type="chat", line=line.told())


def _message(
    standing: Standing, public: dict[str, Any], eye: int, lang: str, since: int, at: list[Moment]
) -> dict[str, Any]:
    """What an eye is told of the entries after `since`; of the table alone when there is none."""
    if since == standing.entries:
        return {"type": "table", "table": public, **standing.offer(eye, lang)}
    return _entries(standing, public, eye, lang, since, at)


def _entries(
    standing: Standing, public: dict[str, Any], eye: int, lang: str, since: int, at: list[Moment]
) -> dict[str, Any]:
    assert standing.match is not None
    rows = telling.rows(standing.match, eye, lang, since, at=at)
    offer = standing.offer(eye, lang)
    return {"type": "entries", "since": since, "entries": rows, "table": public, **offer}


def _caught_up(standing: Standing, public: dict[str, Any], eye: int, lang: str, since: int) -> bytes:
    return encode(_entries(standing, public, eye, lang, since, standing.moments(since)))
