"""Guests, accounts, and being forgotten."""

from __future__ import annotations

import asyncio
import sqlite3
import uuid
from collections.abc import Coroutine
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed

from ludus.server.testing import Client, ServerProcess
from samples import SMALL


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


def a_name() -> str:
    return f"Anna {uuid.uuid4().hex[:8]}"


PASSWORD = "in vino veritas"


async def new_match(person: Client) -> str:
    made = await person.post("/api/matches", {"title": SMALL})
    return str(made["table"]["id"])


def test_a_guest_has_a_lasting_identity_without_a_form(server: ServerProcess) -> None:
    with httpx.Client(base_url=server.url) as browser:
        assert browser.get("/api/me").status_code == 401
        first = browser.post("/api/guest", json={})
        assert first.json()["name"] and first.json()["token"] is None
        cookie = first.headers["set-cookie"].lower()
        assert "httponly" in cookie and "samesite=lax" in cookie and "path=/" in cookie
        assert browser.post("/api/guest", json={}).json()["id"] == first.json()["id"]
        assert browser.get("/api/me").json()["id"] == first.json()["id"]
        forged = browser.cookies["ludus"][:-2] + "xx"
    assert httpx.get(f"{server.url}/api/me", cookies={"ludus": forged}).status_code == 401


def test_an_account_takes_the_guests_matches_along(server: ServerProcess) -> None:
    async def work() -> None:
        anna, name = await Client.guest(server.url), a_name()
        match_id = await new_match(anna)
        await anna.take_account(name, PASSWORD)
        me = await anna.get("/api/me")
        assert me["account"] and me["name"] == name and me["id"] == anna.id
        elsewhere = await Client.guest(server.url)
        other_match = await new_match(elsewhere)
        await elsewhere.request("PUT", f"/api/matches/{other_match}/note", {"text": "mine"})
        browser = httpx.AsyncClient(base_url=server.url, cookies={"ludus": str(elsewhere.token)})
        logged = await browser.post("/api/login", json={"name": name.upper(), "password": PASSWORD})
        assert logged.status_code == 200 and logged.json()["id"] == anna.id
        fresh = httpx.AsyncClient(base_url=server.url, cookies={"ludus": logged.cookies["ludus"]})
        mine = (await fresh.get("/api/matches")).json()["matches"]
        assert {m["id"] for m in mine} == {match_id, other_match}
        assert (await fresh.get(f"/api/matches/{other_match}/note")).json()["text"] == "mine"
        seat = (await fresh.get(f"/api/matches/{other_match}")).json()["table"]["seats"][0]
        assert seat["name"] == name
        assert (await elsewhere.request("GET", "/api/me")).status_code == 401, "the guest is gone"

    run(work())


def test_a_code_takes_a_seat_to_another_device_once(server: ServerProcess) -> None:
    async def work() -> None:
        anna, stranger = await Client.guest(server.url), Client(server.url)
        match_id = await new_match(anna)
        made = await anna.post("/api/me/pass")
        code = f" {made['code'][:5].lower()}-{made['code'][5:]} "
        phone = await stranger.post("/api/pass", {"code": code, "bearer": True})
        assert phone["id"] == anna.id
        there = Client(server.url, phone["token"])
        assert (await there.get(f"/api/matches/{match_id}"))["yours"] == [0]
        assert (await anna.get("/api/me"))["id"] == anna.id, "it goes on here too"
        for used in (code, "", "AAAAAAAAAA"):
            refused = await stranger.request("POST", "/api/pass", {"code": used})
            assert refused.status_code == 403, "a code is good once"
        forged = Client(server.url, f"pass {made['code']}")
        assert (await forged.request("GET", "/api/me")).status_code == 401, "a code is no token"
        busy = await Client.guest(server.url)
        await new_match(busy)
        again = await anna.post("/api/me/pass")
        kept = await busy.request("POST", "/api/pass", {"code": again["code"]})
        assert kept.status_code == 409 and (await busy.get("/api/me"))["id"] == busy.id
        await anna.take_account(a_name(), PASSWORD)
        dead = await stranger.request("POST", "/api/pass", {"code": again["code"]})
        assert dead.status_code == 403, "it ends with the sessions"

    run(work())


def test_wrong_passwords_are_refused_and_say_nothing_about_names(server: ServerProcess) -> None:
    async def work() -> None:
        anna, name = await Client.guest(server.url), a_name()
        await anna.take_account(name, PASSWORD)
        stranger = Client(server.url)
        wrong = await stranger.request("POST", "/api/login", {"name": name, "password": "wrong wrong"})
        nobody = await stranger.request("POST", "/api/login", {"name": a_name(), "password": "wrong wrong"})
        assert (wrong.status_code, wrong.text) == (nobody.status_code, nobody.text)
        assert wrong.status_code == 403
        guest = await Client.guest(server.url)
        as_guest = await stranger.request("POST", "/api/login", {"name": guest.name, "password": ""})
        assert as_guest.status_code == 403
        mine = a_name()
        for bad in ("short", "password123", mine.lower(), "x" * 200, ""):
            answer = await guest.request("POST", "/api/account", {"name": mine, "password": bad})
            assert answer.status_code == 422, bad
        taken = await guest.request("POST", "/api/account", {"name": name.lower(), "password": PASSWORD})
        assert taken.status_code == 409
        again = await anna.request("POST", "/api/account", {"name": a_name(), "password": PASSWORD})
        assert again.status_code == 403

    run(work())


def test_a_new_password_ends_other_sessions_and_their_sockets(server: ServerProcess) -> None:
    async def work() -> None:
        anna, name = await Client.guest(server.url), a_name()
        match_id = await new_match(anna)
        await anna.take_account(name, PASSWORD)
        answer = await Client(server.url).post(
            "/api/login", {"name": name, "password": PASSWORD, "bearer": True}
        )
        phone = Client(server.url, answer["token"])
        async with phone.watch(match_id) as socket:
            await socket.wait_for("state")
            wrong = await anna.request("POST", "/api/me/password", {"old": "wrong", "new": "carpe diem!"})
            assert wrong.status_code == 403
            await anna.post("/api/me/password", {"old": PASSWORD, "new": "carpe diem!"})
            try:
                while True:
                    await socket.receive()
            except ConnectionClosed as closed:
                assert closed.rcvd is not None and closed.rcvd.code == 4401
        assert (await phone.request("GET", "/api/me")).status_code == 401
        assert (await anna.request("GET", "/api/me")).status_code == 200
        await anna.post("/api/logout")
        assert (await anna.request("GET", "/api/me")).status_code == 401

    run(work())


def test_a_new_name_is_shown_at_the_tables(server: ServerProcess) -> None:
    async def work() -> None:
        anna, name = await Client.guest(server.url), a_name()
        match_id = await new_match(anna)
        async with anna.watch(match_id) as socket:
            await socket.wait_for("state")
            assert (await anna.post("/api/me/name", {"name": f"  {name}\u0007 "}))["name"] == name
            assert (await socket.wait_for("table"))["table"]["seats"][0]["name"] == name
        bruno = await Client.guest(server.url)
        assert (await bruno.request("POST", "/api/me/name", {"name": name.swapcase()})).status_code == 409
        for bad in ("", " ", "x", "y" * 41, "\u200b\u200b"):
            assert (await bruno.request("POST", "/api/me/name", {"name": bad})).status_code == 422, bad

    run(work())


def test_who_is_forgotten_leaves_no_name_behind(server: ServerProcess) -> None:
    async def work() -> None:
        anna, bruno, carla = [await Client.guest(server.url) for _ in range(3)]
        name = a_name()
        await anna.take_account(name, PASSWORD)
        seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
        match_id = (await anna.post("/api/matches", {"title": SMALL, "seats": seats}))["table"]["id"]
        await bruno.post(f"/api/matches/{match_id}/join")
        await carla.post(f"/api/matches/{match_id}/join")
        waiting = await new_match(anna)
        await anna.post(f"/api/matches/{match_id}/chat", {"text": f"{name} was here"})
        await anna.command(match_id, do="leave")
        await anna.command(match_id, do="claim", seat=0)
        await anna.request("PUT", f"/api/matches/{match_id}/note", {"text": "secret note"})
        assert (await anna.request("DELETE", "/api/me", {"password": "wrong"})).status_code == 403
        assert (await anna.request("DELETE", "/api/me", {"password": PASSWORD})).status_code == 200
        assert (await anna.request("GET", "/api/me")).status_code == 401
        assert (await bruno.request("GET", f"/api/matches/{waiting}")).status_code == 404
        now = await bruno.get(f"/api/matches/{match_id}")
        assert now["table"]["seats"][0]["kind"] == "free"
        for path in ("", "/entries", "/chat", "/file"):
            assert name not in (await bruno.request("GET", f"/api/matches/{match_id}{path}")).text, path
        with sqlite3.connect(server.db) as db:
            dump = "\n".join(db.iterdump())
        assert name not in dump and "secret note" not in dump and anna.id not in dump
        assert (await carla.command(match_id, do="take_over", seat=0)).status_code == 200, "it goes on"

    run(work())
