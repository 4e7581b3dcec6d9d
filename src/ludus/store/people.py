"""People and their sessions, row by row.  All functions work in the caller's transaction."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, literal, select, update

from ludus.core.errors import LudusError

from . import forgetting
from .names import clean_name, earlier_key, keys_alike, name_key
from .schema import analyses, chat, matches, notes, people, reports, sat, seats, sessions

SESSION_SECONDS = 400 * 86400.0
PASS_SECONDS = 600.0
PASS_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # none that looks like another
PASS_LENGTH = 10
PRAENOMINA = (
    "Appia", "Aulus", "Caelia", "Decimus", "Fausta", "Gaia", "Gnaeus", "Iulia", "Kaeso", "Livia", "Lucius",
    "Manius", "Marcus", "Numeria", "Octavia", "Publius", "Quintus", "Servia", "Sextus", "Tiberia", "Titus",
    "Vibia",
)  # fmt: skip


class NameTaken(LudusError):
    """Somebody else has this name."""


@dataclass(frozen=True)
class Person:
    """Somebody who plays: a guest, or the holder of an account."""

    id: str
    name: str
    account: bool
    banned: bool
    session: str = ""


def session_id(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def add_guest(db: Connection, now: float) -> Person:
    """A new person with a name that nobody has."""
    for digits in (2, 3, 4, 6, 9, 12):
        name = f"{secrets.choice(PRAENOMINA)} {secrets.randbelow(10**digits - 1) + 1}"
        if _holder(db, name) is None:
            row = {"id": secrets.token_hex(12), "name": name, "name_key": name_key(name)}
            db.execute(people.insert().values(**row, password=None, banned=False, created=now))
            return Person(row["id"], name, account=False, banned=False)
    raise NameTaken("no free name was found; try again")


def _holder(db: Connection, name: str, but: str = "") -> str | None:
    """Somebody, other than `but`, whose name looks like this one."""
    alike = people.c.name_key.in_(keys_alike(name)) & (people.c.id != but)
    found: str | None = db.execute(select(people.c.id).where(alike).limit(1)).scalar()
    return found


def account_called(db: Connection, name: str, but: str = "") -> bool:
    """Whether the name is that of somebody's account, other than `but`."""
    alike = people.c.name_key.in_(keys_alike(name)) & (people.c.id != but) & people.c.password.is_not(None)
    return db.execute(select(people.c.id).where(alike).limit(1)).scalar() is not None


def _row_called(db: Connection, name: str) -> Row[Any] | None:
    """Who is meant by a name: who was called so before looks counted, else who looks so."""
    wanted = (earlier_key(name), name_key(name))
    rows = {row.name_key: row for row in db.execute(select(people).where(people.c.name_key.in_(wanted)))}
    return rows.get(wanted[0]) or rows.get(wanted[1])


def key_by_looks(db: Connection) -> None:
    """Compare names of an earlier release by their looks.  Where two of them look the same, accounts and who
    came first have the key, and the others keep the one they had."""
    query = select(people.c.id, people.c.name, people.c.name_key)
    rows = db.execute(query.order_by(people.c.password.is_(None), people.c.created)).all()
    taken = {row.name_key for row in rows}
    for row in rows:
        key = name_key(row.name)
        if key not in taken:
            taken.add(key)  # the old one stays taken for this run, so that nobody's changes twice
            db.execute(update(people).where(people.c.id == row.id).values(name_key=key))


def begin_session(db: Connection, person_id: str, now: float) -> str:
    """A new token; only its hash is kept."""
    token = secrets.token_urlsafe(32)
    row = {"id": session_id(token), "person_id": person_id, "created": now, "expires": now + SESSION_SECONDS}
    db.execute(sessions.insert().values(**row))
    return token


def begin_pass(db: Connection, person_id: str, now: float) -> str:
    """A code that lets its person in on another device, once and soon; only its hash is kept.

    It lies among the sessions, so that it ends with them, and is none: no token that is signed begins so.
    There is one at a time: what another screen still shows is good no more.
    """
    _end_passes(db, person_id)
    code = "".join(secrets.choice(PASS_LETTERS) for _ in range(PASS_LENGTH))
    row = {"id": _pass_id(code), "person_id": person_id, "created": now, "expires": now + PASS_SECONDS}
    db.execute(sessions.insert().values(**row))
    return code


def use_pass(db: Connection, given: str, now: float) -> Person | None:
    """Whom a code lets in; it is used up."""
    here = sessions.c.id == _pass_id("".join(c for c in given.upper() if c in PASS_LETTERS))
    query = (
        select(people)
        .join(sessions, sessions.c.person_id == people.c.id)
        .where(here, sessions.c.expires > now)
    )
    person = _person(db.execute(query).one_or_none())
    used = db.execute(delete(sessions).where(here)).rowcount
    return person if used == 1 else None


def _end_passes(db: Connection, person_id: str) -> None:
    short = sessions.c.expires - sessions.c.created < SESSION_SECONDS / 2  # a session is never so short
    db.execute(delete(sessions).where(sessions.c.person_id == person_id, short))


def _pass_id(code: str) -> str:
    return session_id(f"pass {code}")


_HOLDER = (  # asked at every request
    select(people, sessions.c.id.label("session"))
    .join(sessions, sessions.c.person_id == people.c.id)
    .where(sessions.c.id == bindparam("wanted"), sessions.c.expires > bindparam("now"))
)


def person_of(db: Connection, token: str, now: float) -> Person | None:
    """Who holds a token."""
    return _person(db.execute(_HOLDER, {"wanted": session_id(token), "now": now}).one_or_none())


def _person(row: Any) -> Person | None:
    if row is None:
        return None
    session = getattr(row, "session", "")
    return Person(row.id, row.name, row.password is not None, bool(row.banned), session)


def are_known(db: Connection, ids: Iterable[str]) -> bool:
    """Whether none of them has been forgotten; none will be before this transaction ends."""
    wanted = set(ids)
    here = select(people.c.id).where(people.c.id.in_(wanted)).order_by(people.c.id)
    return len(db.execute(here.with_for_update(read=True, key_share=True)).all()) == len(wanted)


def find(db: Connection, name_or_id: str) -> Person | None:
    row = db.execute(select(people).where(people.c.id == name_or_id)).one_or_none()
    return _person(row if row is not None else _row_called(db, name_or_id))


def password_of(db: Connection, name: str) -> tuple[Person, str] | None:
    """The account of a name and its hash; None for guests and strangers."""
    row = _row_called(db, name)
    person = _person(row)
    return (person, str(row.password)) if row is not None and person and person.account else None


def hash_of(db: Connection, person_id: str) -> str | None:
    found: str | None = db.execute(select(people.c.password).where(people.c.id == person_id)).scalar()
    return found


def set_password(db: Connection, person_id: str, hashed: str, keep_session: str = "") -> None:
    """A new password ends every other session."""
    db.execute(update(people).where(people.c.id == person_id).values(password=hashed))
    others = (sessions.c.person_id == person_id) & (sessions.c.id != keep_session)
    db.execute(delete(sessions).where(others))


def rename(db: Connection, person_id: str, given: str) -> str:
    """Give a person another name, also where seats of unfinished matches show it."""
    name = clean_name(given)
    if _holder(db, name, but=person_id) is not None:
        raise NameTaken(f"somebody else is called {name!r}, or so that it looks the same; take another")
    db.execute(update(people).where(people.c.id == person_id).values(name=name, name_key=name_key(name)))
    db.execute(update(seats).where(seats.c.person_id == person_id).values(name=name))
    _touch(db, sorted(forgetting.linked_matches(db, person_id)))
    return name


def end_session(db: Connection, session: str) -> None:
    """And with it the code that leads to another one: it may still stand on the screen that was left."""
    holder = db.execute(select(sessions.c.person_id).where(sessions.c.id == session)).scalar()
    if holder is not None:
        _end_passes(db, holder)
    db.execute(delete(sessions).where(sessions.c.id == session))


def end_sessions(db: Connection, person_id: str) -> None:
    db.execute(delete(sessions).where(sessions.c.person_id == person_id))


def live_sessions(db: Connection, wanted: list[str], now: float) -> set[str]:
    """Which of these sessions still stand, of people who are not banned."""
    found: set[str] = set()
    for first in range(0, len(wanted), 500):
        some = wanted[first : first + 500]
        query = (
            select(sessions.c.id)
            .join(people, people.c.id == sessions.c.person_id)
            .where(sessions.c.id.in_(some), sessions.c.expires > now, people.c.banned.is_(False))
        )
        found.update(db.execute(query).scalars())
    return found


def set_banned(db: Connection, person_id: str, banned: bool) -> None:
    db.execute(update(people).where(people.c.id == person_id).values(banned=banned))
    if banned:
        end_sessions(db, person_id)


def _touch(db: Connection, match_ids: list[str]) -> None:
    """Whoever has these matches in memory must look at them again."""
    db.execute(update(matches).where(matches.c.id.in_(match_ids)).values(revision=matches.c.revision + 1))


def merge_guest(db: Connection, guest_id: str, account_id: str, acted: Iterable[str] = ()) -> list[str]:
    """The guest's matches, chat and notes become those of the account; the guest is gone.

    `acted` are the matches that know the guest by what they did (`forgetting.matches_acted_in`).
    """
    moved = sorted(forgetting.linked_matches(db, guest_id))
    forgetting.hand_over_commands(db, sorted({*moved, *acted}), guest_id, account_id)
    for column in (seats.c.person_id, seats.c.former_id):
        db.execute(update(seats).where(column == guest_id).values({column: account_id}))
    # What the guest has seen the account has seen.
    had = select(sat.c.match_id, sat.c.seat, literal(account_id)).where(sat.c.person_id == guest_id)
    new = had.except_(select(sat).where(sat.c.person_id == account_id))
    db.execute(sat.insert().from_select(["match_id", "seat", "person_id"], new))
    db.execute(delete(sat).where(sat.c.person_id == guest_id))
    name = db.execute(select(people.c.name).where(people.c.id == account_id)).scalar_one()
    mine = (seats.c.person_id == account_id) & seats.c.match_id.in_(moved) & (seats.c.kind == "person")
    db.execute(update(seats).where(mine).values(name=name))
    db.execute(
        update(matches).where(matches.c.creator_id == guest_id).values(creator_id=account_id, client=None)
    )
    db.execute(update(chat).where(chat.c.person_id == guest_id).values(person_id=account_id, name=name))
    db.execute(update(chat).where(chat.c.to_id == guest_id).values(to_id=account_id))
    db.execute(update(analyses).where(analyses.c.person_id == guest_id).values(person_id=account_id))
    db.execute(update(reports).where(reports.c.person_id == guest_id).values(person_id=account_id))
    have = select(notes.c.match_id).where(notes.c.person_id == account_id)
    fresh = (notes.c.person_id == guest_id) & notes.c.match_id.not_in(have)
    db.execute(update(notes).where(fresh).values(person_id=account_id))
    _touch(db, moved)
    db.execute(delete(people).where(people.c.id == guest_id))
    return moved


def tidy(db: Connection, now: float) -> None:
    """Forget sessions that have expired, and guests who can never come back and sit nowhere."""
    db.execute(delete(sessions).where(sessions.c.expires < now))
    alive = select(sessions.c.person_id)
    sits = select(seats.c.person_id).where(seats.c.person_id.is_not(None))
    gone = people.c.password.is_(None) & people.c.id.not_in(alive) & people.c.id.not_in(sits)
    db.execute(delete(people).where(gone, people.c.banned.is_(False), people.c.created < now - 86400.0))
