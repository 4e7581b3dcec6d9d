"""Who somebody is: guests without a form, accounts if wanted, and how they are forgotten."""

from __future__ import annotations

import asyncio
import secrets
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from importlib.resources import files
from typing import Any, Literal

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from itsdangerous import BadSignature, Signer
from sqlalchemy import Connection
from starlette.requests import HTTPConnection
from starlette.responses import Response

from ludus.match.match import NotAllowed
from ludus.store import forgetting, people, records
from ludus.store.names import clean_name, name_key
from ludus.store.opening import Unplayable
from ludus.store.people import Person

from . import changing, lobby, watching
from .errors import Forbidden, Invalid, NoIdentity, Refusal
from .limiter import network
from .models import Command
from .server import Server

SHORTEST, LONGEST = 8, 128
TRIES, PIECE = 5, 20
AT_HOME = 20_000


class WrongPassword(Refusal):
    status, code = 403, "password"


class Identities:
    """Tokens, cookies and passwords.  Hashing has threads of its own: it is slow on purpose."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self._signer = Signer(server.store.secret(), salt="identity", digest_method=_sha256)
        self._hasher = PasswordHasher()  # argon2id, with the library's recommended cost
        self._threads = ThreadPoolExecutor(2, "password")
        self._at_home: dict[tuple[str, str], None] = {}  # accounts, and where they logged in; oldest first
        self._nobody = self._hasher.hash("nobody has this password")
        words = files("ludus.server").joinpath("common_passwords.txt").read_text(encoding="utf-8")
        self._common = frozenset(words.split())

    def close(self) -> None:
        self._threads.shutdown(wait=False)

    # -- tokens -------------------------------------------------------------------------------------

    def sign(self, token: str) -> str:
        return self._signer.sign(token.encode()).decode()

    def token_in(self, connection: HTTPConnection) -> str | None:
        """The token that a request brings: in its cookie, or as a bearer for programs."""
        given = connection.cookies.get(cookie_name(connection))
        if self.is_program(connection):
            given = connection.headers["authorization"][7:].strip()
        if not given or len(given) > 300:
            return None
        try:
            return self._signer.unsign(given.encode()).decode()
        except (BadSignature, UnicodeError):
            return None

    def is_program(self, connection: HTTPConnection) -> bool:
        """Whether the token came as a bearer: then a new one goes back in the answer, not as a cookie."""
        return connection.headers.get("authorization", "").lower().startswith("bearer ")

    async def who(self, connection: HTTPConnection) -> Person | None:
        """The person behind a request, who may be banned, or None for a stranger."""
        person = await self.server.person_of(self.token_in(connection))
        if person is not None:
            connection.scope["state"]["person"] = person.id
        return person

    def set_cookie(self, connection: HTTPConnection, response: Response, token: str) -> None:
        response.set_cookie(
            cookie_name(connection),
            self.sign(token),
            max_age=int(people.SESSION_SECONDS),
            path="/",
            secure=_secure(connection),
            httponly=True,
            samesite="lax",
        )

    def clear_cookie(self, connection: HTTPConnection, response: Response) -> None:
        response.delete_cookie(
            cookie_name(connection), path="/", secure=_secure(connection), httponly=True, samesite="lax"
        )

    # -- passwords ----------------------------------------------------------------------------------

    async def _hash(self, name: str, password: str) -> str:
        if not SHORTEST <= len(password) <= LONGEST:
            raise Invalid(f"a password has {SHORTEST} to {LONGEST} characters")
        if password.casefold() in self._common or name_key(password) == name_key(name):
            raise Invalid("this password is one of the first that would be tried; take another")
        try:
            return await asyncio.get_running_loop().run_in_executor(
                self._threads, self._hasher.hash, password
            )
        except UnicodeError:
            raise Invalid("a password must be text") from None

    async def _verify(self, hashed: str, password: str) -> bool:
        def check() -> bool:
            try:
                return self._hasher.verify(hashed, password)
            except (VerificationError, InvalidHashError, UnicodeError):
                return False

        return await asyncio.get_running_loop().run_in_executor(self._threads, check)

    # -- what people do with their identity -----------------------------------------------------------

    async def new_guest(self) -> tuple[Person, str]:
        def make(db: Connection) -> tuple[Person, str]:
            now = time.time()
            person = people.add_guest(db, now)
            return person, people.begin_session(db, person.id, now)

        return await self.server.writing(make)

    async def register(self, person: Person, name: str, password: str) -> tuple[Person, str]:
        """The guest becomes the holder of an account, with all matches, in a new session: who knew the
        guest's token does not hold the account."""
        if person.account:
            raise Forbidden("you have an account already")
        shown = clean_name(name)
        hashed = await self._hash(shown, password)

        def make(db: Connection) -> tuple[Person, str]:
            people.rename(db, person.id, shown)
            people.set_password(db, person.id, hashed)
            made = Person(person.id, shown, account=True, banned=False)
            return made, people.begin_session(db, person.id, time.time())

        made = await self.server.writing(make)
        await self.server.close_dead_sessions()
        return made

    async def log_in(
        self, here: Person | None, name: str, password: str, address: str, stay: bool
    ) -> tuple[Person, str]:
        """A new session, in place of the one that somebody is `here` with unless they `stay`; the matches of
        a guest go along."""

        def find() -> tuple[Person, str] | None:
            with self.server.store.read() as db:
                return people.password_of(db, name)

        found = await self.server.reading(find)
        self._brake(found[0].id if found else name_key(name), here, address)
        good = await self._verify(found[1] if found else self._nobody, password)
        if found is None or not good:
            raise WrongPassword("there is no account with this name and password")
        person = found[0]
        if person.banned:
            raise Forbidden("this person was banned by the host")
        self._remember(person.id, address)
        guest = None if stay else here
        comes = guest is not None and not guest.account
        acted = await self.server.reading(_acted_in, self.server, guest.id) if guest and comes else set()

        def begin(db: Connection) -> tuple[str, list[str]]:
            moved: list[str] = []
            if guest is not None and comes:
                moved = people.merge_guest(db, guest.id, person.id, acted)
            elif guest is not None:
                people.end_session(db, guest.session)
            return people.begin_session(db, person.id, time.time()), moved

        token, moved = await self.server.writing(begin)
        for match_id in moved:
            await watching.hear(self.server, match_id)
        await self.server.close_dead_sessions()
        return person, token

    def _brake(self, account: str, here: Person | None, address: str) -> None:
        """Count an attempt, however the name was spelled; what strangers do elsewhere does not keep the owner
        out, who has a session, or comes from where they logged in before, or from another address."""
        take = self.server.limiter.take
        if here is not None and here.id == account:
            take("login", here.session)
            return
        take("login_address", address)
        take("login", f"{account} {network(address)}")
        if (account, network(address)) not in self._at_home:
            take("login_account", account)

    def _remember(self, account: str, address: str) -> None:
        self._at_home[account, network(address)] = None
        while len(self._at_home) > AT_HOME:
            del self._at_home[next(iter(self._at_home))]

    async def log_out(self, person: Person) -> None:
        def end(db: Connection) -> None:
            people.end_session(db, person.session)

        await self.server.writing(end)
        await self.server.close_dead_sessions()

    async def new_pass(self, person: Person) -> str:
        """A code with which the person goes on elsewhere."""

        def make(db: Connection) -> str:
            return people.begin_pass(db, person.id, time.time())

        return await self.server.writing(make)

    async def use_pass(self, here: Person | None, code: str) -> tuple[Person, str]:
        """A session of the person that a code was made for.

        Nothing of whoever is `here` goes along: a link from a stranger must not hand their matches over.
        """
        sits = await self.server.reading(_seats_of, self.server, here) if here and not here.account else []
        if sits:
            raise NotAllowed(
                "you have matches on this device already; make an account there, and log in here"
            )

        def enter(db: Connection) -> tuple[Person, str] | None:
            person = people.use_pass(db, code, time.time())
            if person is None or person.banned:
                return None
            return person, people.begin_session(db, person.id, time.time())

        found = await self.server.writing(enter)
        if found is None:
            raise WrongPassword("this code is not good, was used already, or is older than ten minutes")
        return found

    async def rename(self, person: Person, name: str) -> str:
        def change(db: Connection) -> str:
            return people.rename(db, person.id, name)

        changed = await self.server.writing(change)
        await watching.hear_all(self.server)
        return changed

    async def change_password(self, person: Person, old: str, new: str) -> None:
        """Ends every other session of the person."""
        await self._require_password(person, old)
        hashed = await self._hash(person.name, new)

        def change(db: Connection) -> None:
            people.set_password(db, person.id, hashed, keep_session=person.session)

        await self.server.writing(change)
        await self.server.close_dead_sessions()

    async def _require_password(self, person: Person, given: str | None) -> None:
        def find() -> str | None:
            with self.server.store.read() as db:
                return people.hash_of(db, person.id)

        hashed = await self.server.reading(find)
        if hashed is None:
            raise NoIdentity("a guest has no password")
        if not await self._verify(hashed, given or ""):
            raise WrongPassword("the password is wrong")

    async def forget(self, person: Person, password: str | None) -> None:
        """Leave every seat, then remove what is known of the person."""
        if person.account:
            await self._require_password(person, password)
        await forget_person(self.server, person)
        await self.server.close_dead_sessions()


async def forget_person(server: Server, person: Person) -> None:
    """In pieces, so that nobody waits for long; what fails in the middle can be asked for again."""
    found = await server.reading(_matches_of, server, person.id)
    for _ in range(TRIES):
        await _leave_everything(server, person)
        for first in range(0, len(found), PIECE):
            some = found[first : first + PIECE]
            await server.writing(partial(forgetting.forget_in, match_ids=some, person_id=person.id))
        try:
            late = await server.writing(partial(forgetting.finish, person_id=person.id))
            break
        except forgetting.StillSitting:  # they sat down somewhere in the meantime
            continue
    else:
        raise Refusal("you sit down faster than we can forget you; leave your matches first")
    for match_id in {*found, *late}:
        async with server.tables.held(match_id) as table:
            table.drop()  # it is read anew, at once where somebody looks
        await watching.hear(server, match_id)
    server.spawn(_wash(server))


def _matches_of(server: Server, person_id: str) -> list[str]:
    with server.store.read() as db:
        return forgetting.find_matches(db, person_id)


async def _leave_everything(server: Server, person: Person) -> None:
    for match_id, seat, state, rated in await server.reading(_seats_of, server, person):
        with suppress(Refusal):  # the match has changed since: the next try sees how
            if state == "waiting":
                with suppress(NotAllowed):
                    await lobby.leave(server, person, match_id)
            else:
                await _leave_seat(server, person, match_id, seat, rated)


async def _leave_seat(server: Server, person: Person, match_id: str, seat: int, rated: bool) -> None:
    """A rated match is resigned: its other player need not wait for a clock."""
    do: Literal["resign", "leave"] = "resign" if rated else "leave"
    command = Command(client=f"forget-{secrets.token_hex(8)}", do=do, seat=seat)
    try:
        await changing.command(server, person, match_id, command)
    except (Unplayable, NotAllowed):  # they do not play there, or nobody can
        await server.writing(partial(records.free_seat, match_id=match_id, seat=seat, person_id=person.id))


async def _wash(server: Server) -> None:
    """What was forgotten stands in the log of SQLite until nobody reads there any more."""
    while not await server.reading(server.store.wash):
        await asyncio.sleep(1.0)


def _acted_in(server: Server, person_id: str) -> set[str]:
    with server.store.read() as db:
        return forgetting.matches_acted_in(db, person_id)


def _seats_of(server: Server, person: Person) -> list[tuple[str, int, str, bool]]:
    with server.store.read() as db:
        found = []
        for match_id, seat in records.running_seats_of(db, person.id):
            row = records.match_row(db, match_id)
            if row is not None:
                found.append((match_id, seat, str(row.state), bool(row.rated)))
        return found


def _sha256(data: bytes = b"") -> Any:
    import hashlib

    return hashlib.sha256(data)


def _secure(connection: HTTPConnection) -> bool:
    return connection.scope["scheme"] in ("https", "wss")


def cookie_name(connection: HTTPConnection) -> str:
    """With https the browser itself makes sure that no other host has set the cookie."""
    return "__Host-ludus" if _secure(connection) else "ludus"
