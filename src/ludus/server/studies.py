"""Studies: a finished match that somebody takes further.  Matches that were begun from its moments (or from
those of such a match) branch off it, and moments have comments.  Whoever has the link may read it; who began
it may change it.  Nothing that is sent is trusted: a branch is a match that does begin where it is said to.
"""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import Any

from ludus.core import starting
from ludus.match.moments import packed_positions
from ludus.store import studies
from ludus.store.people import Person
from ludus.store.studies import StudyRow

from .errors import Forbidden, Invalid, Refusal, Unknown
from .models import StudyChange, StudyWish
from .server import Server
from .standing import Standing

BRANCHES, COMMENTS = 60, 300  # of one study


async def begin(server: Server, person: Person, wish: StudyWish) -> dict[str, Any]:
    """A new study of a match that is over."""
    server.limiter.take("study", person.id)
    _, standing = await server.now(wish.match)
    if not standing.over:
        raise Forbidden("a match can be studied when it is over; until then that would be help for a player")
    made = StudyRow(
        secrets.token_urlsafe(12),
        person.id,
        wish.match,
        wish.name.strip(),
        1,
        {"branches": [], "comments": []},
    )
    now = server.time.wall()

    def put(db: Any) -> None:
        if studies.count_of(db, person.id) >= studies.MOST:
            raise Refusal(f"you have {studies.MOST} studies; drop one that you need no more")
        studies.add(db, made, now)

    await server.writing(put)
    return shown(made, person, standing)


async def see(server: Server, person: Person | None, study_id: str) -> dict[str, Any]:
    row = await server.reading(_find, server, study_id)
    _, standing = await server.now(row.match_id)
    return shown(row, person, standing)


def _find(server: Server, study_id: str) -> StudyRow:
    with server.store.read() as db:
        found = studies.find(db, study_id)
    if found is None:
        raise Unknown("there is no such study")
    return found


def shown(row: StudyRow, person: Person | None, standing: Standing) -> dict[str, Any]:
    mine = person is not None and person.id == row.person_id
    facts = {"id": row.id, "name": row.name, "match": row.match_id, "title": standing.row.title}
    return {**facts, "revision": row.revision, "mine": mine, **row.data}


async def change(server: Server, person: Person, study_id: str, wish: StudyChange) -> dict[str, Any]:
    """A new name, a comment, or a branch."""
    server.limiter.take("study", person.id)
    row = await server.reading(_find, server, study_id)
    if row.person_id != person.id:
        raise Forbidden("only who began a study changes it")
    if row.revision != wish.revision:
        raise Refusal("the study has changed meanwhile; look at it again")
    data = {name: list(rows) for name, rows in row.data.items()}
    if wish.match is not None:
        await _put(server, row, data, wish, wish.match)
    name = row.name if wish.name is None else wish.name.strip()
    made = replace(row, name=name, data=data, revision=row.revision + 1)
    now = server.time.wall()
    if not await server.writing(lambda db: studies.change(db, made, now)):
        raise Refusal("the study has changed meanwhile; look at it again")
    _, standing = await server.now(row.match_id)
    return shown(made, person, standing)


async def _put(
    server: Server, row: StudyRow, data: dict[str, list[Any]], wish: StudyChange, match_id: str
) -> None:
    if match_id not in (row.match_id, *(one["match"] for one in data["branches"])):
        raise Invalid("match: that match is no part of this study")
    _, standing = await server.now(match_id)
    if wish.entry > standing.entries:
        raise Unknown(f"there is no entry {wish.entry}; the last is {standing.entries}")
    place = {"match": match_id, "entry": wish.entry}
    if wish.comment is not None:
        rest = [one for one in data["comments"] if {k: one[k] for k in place} != place]
        text = wish.comment.strip()
        data["comments"] = [*rest, {**place, "text": text}] if text else rest
    if wish.branch is not None and wish.branch not in (one["match"] for one in data["branches"]):
        _, branch = await server.now(wish.branch)
        if not await server.reading(_begins_at, branch, standing, wish.entry):
            raise Invalid("branch: that match does not begin from this moment")
        data["branches"].append({"match": wish.branch, "of": match_id, "entry": wish.entry})
    if len(data["branches"]) > BRANCHES or len(data["comments"]) > COMMENTS:
        raise Refusal(f"a study has at most {BRANCHES} branches and {COMMENTS} comments")


def _begins_at(branch: Standing, standing: Standing, entry: int) -> bool:
    """Whether a match begins from a moment of another one."""
    match = standing.match
    if match is None or not branch.row.start or branch.row.title != standing.row.title:
        return False
    title = match.setting.title
    s = title.position.unpack(packed_positions(match, entry, entry)[0])
    return starting.write_start(title, match.game.box, s) == branch.row.start


async def drop(server: Server, person: Person, study_id: str) -> None:
    if not await server.writing(lambda db: studies.drop(db, study_id, person.id)):
        raise Unknown("there is no such study of yours")


def listed(server: Server, person: Person) -> list[dict[str, str]]:
    with server.store.read() as db:
        return [
            {"id": i, "name": name, "title": title} for i, name, title in studies.of_person(db, person.id)
        ]
