"""Routes: who somebody is."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from ludus.store.people import PASS_SECONDS, Person

from . import qr
from .asking import PROBLEMS, Somebody, TheIdentities, TheServer, address_of
from .models import (
    ChangePassword,
    Forget,
    Link,
    LogIn,
    Me,
    NewAccount,
    NewGuest,
    Pass,
    Picture,
    Rename,
    UsePass,
)
from .server import require

api = APIRouter(prefix="/api", responses=PROBLEMS, tags=["identity"])


def _me(person: Person, token: str | None = None) -> Me:
    return Me(id=person.id, name=person.name, account=person.account, token=token)


@api.get("/me")
async def who_am_i(person: Somebody) -> Me:
    """The person behind the cookie or token; 401 for a stranger."""
    return _me(person)


@api.post("/guest")
async def become_guest(
    request: Request,
    response: Response,
    server: TheServer,
    identities: TheIdentities,
    body: NewGuest | None = None,
) -> Me:
    """A name and a lasting identity, without a form.  Who has one already keeps it."""
    bearer = body is not None and body.bearer
    person = await identities.who(request)
    if person is not None and not bearer:
        return _me(require(person))
    server.limiter.take("guest", address_of(request))
    person, token = await identities.new_guest()
    if bearer:
        return _me(person, identities.sign(token))
    identities.set_cookie(request, response, token)
    return _me(person)


@api.post("/account")
async def make_account(
    request: Request,
    response: Response,
    body: NewAccount,
    person: Somebody,
    server: TheServer,
    identities: TheIdentities,
) -> Me:
    """Give the present guest a name and a password; matches stay, the session is a new one."""
    server.limiter.take("password", address_of(request))
    made, token = await identities.register(person, body.name, body.password)
    if identities.is_program(request):
        return _me(made, identities.sign(token))
    identities.set_cookie(request, response, token)
    return _me(made)


@api.post("/login")
async def log_in(request: Request, response: Response, body: LogIn, identities: TheIdentities) -> Me:
    """A new session of an account.  The matches of a guest who logs in become the account's."""
    here = await identities.who(request)
    person, token = await identities.log_in(
        here, body.name, body.password, address_of(request), stay=body.bearer
    )
    if body.bearer:
        return _me(person, identities.sign(token))
    identities.set_cookie(request, response, token)
    return _me(person)


@api.post("/logout")
async def log_out(request: Request, response: Response, identities: TheIdentities) -> dict[str, bool]:
    """End this session."""
    person = await identities.who(request)
    if person is not None:
        await identities.log_out(person)
    identities.clear_cookie(request, response)
    return {"ok": True}


@api.post("/me/pass")
async def make_pass(request: Request, person: Somebody, server: TheServer, identities: TheIdentities) -> Pass:
    """A code with which I go on as myself on another device: for ten minutes, once."""
    server.limiter.take("password", address_of(request))
    return Pass(code=await identities.new_pass(person), seconds=PASS_SECONDS)


@api.post("/pass")
async def use_pass(
    request: Request, response: Response, body: UsePass, server: TheServer, identities: TheIdentities
) -> Me:
    """Go on as the person that a code was made for."""
    server.limiter.take("login_address", address_of(request))
    person, token = await identities.use_pass(await identities.who(request), body.code)
    if body.bearer:
        return _me(person, identities.sign(token))
    identities.set_cookie(request, response, token)
    return _me(person)


@api.post("/qr")
async def draw_link(request: Request, body: Link, person: Somebody, server: TheServer) -> Picture:
    """A link to a page of this server as a QR code."""
    server.limiter.take("picture", person.id)
    return Picture(svg=qr.draw(body.link, request.headers.get("host", "")))


@api.post("/me/name")
async def rename(
    request: Request, body: Rename, person: Somebody, server: TheServer, identities: TheIdentities
) -> Me:
    """Take another name."""
    server.limiter.take("password", address_of(request))
    name = await identities.rename(person, body.name)
    return Me(id=person.id, name=name, account=person.account)


@api.post("/me/password")
async def change_password(
    request: Request, body: ChangePassword, person: Somebody, server: TheServer, identities: TheIdentities
) -> dict[str, bool]:
    """A new password; all other sessions end."""
    server.limiter.take("password", address_of(request))
    await identities.change_password(person, body.old, body.new)
    return {"ok": True}


@api.delete("/me")
async def forget_me(
    request: Request,
    response: Response,
    person: Somebody,
    server: TheServer,
    identities: TheIdentities,
    body: Forget | None = None,
) -> dict[str, bool]:
    """Leave all seats and remove name, password, sessions, notes and chat.  Cannot be undone."""
    server.limiter.take("password", address_of(request))
    await identities.forget(person, body.password if body else None)
    identities.clear_cookie(request, response)
    return {"ok": True}
