"""Talk between two, and their word of peace: who hears of it, and who is told when it is broken."""

from __future__ import annotations

import asyncio
import sqlite3
from typing import Any

from ludus.server.peace import AGREED, BROKEN, OFFERED, REFUSED, Attack, DealAnswer, Peace, _changed, _settled
from ludus.server.testing import Client, ServerProcess
from samples import SMALL, WIDE
from server.test_server_play import begin, run
from server.test_server_secrets import _normal

SECRET, OTHER = "Carla is next, at the ides", "Carla may live, for a year"


class Three:
    """Three people at a table, and somebody who watches."""

    def __init__(self, match_id: str, people: list[Client]) -> None:
        self.id, self.people = match_id, people
        self.chat, self.peace = f"/api/matches/{match_id}/chat", f"/api/matches/{match_id}/peace"

    @classmethod
    async def sit(cls, url: str, title: str) -> Three:
        match_id, people = await begin(url, 3, title)
        return cls(match_id, [*people, await Client.guest(url)])

    async def look_everywhere(self, person: Client) -> None:
        for path in ("", "/entries", "/chat", "/file", "/note"):
            await person.request("GET", f"/api/matches/{self.id}{path}")
        await person.request("GET", "/api/matches?finished=true")

    async def lines(self, person: Client) -> list[dict[str, Any]]:
        return list((await person.get(self.chat))["lines"])


async def overheard(url: str, secret: str) -> list[list[str]]:
    """What the third player and the watcher receive while two speak alone."""
    table = await Three.sit(url, SMALL)
    anna, bruno, carla, watcher = table.people
    async with bruno.watch(table.id) as b, carla.watch(table.id) as c, watcher.watch(table.id) as w:
        for socket in (b, c, w):
            await socket.wait_for("state")
        await anna.post(table.chat, {"text": secret, "to": 1})
        line = (await b.wait_for("chat"))["line"]
        assert (line["room"], line["text"], line["seat"], line["to"]) == ("pair", secret, 0, 1)
        await b.send(type="chat", text=f"{secret}, then", to=0)
        assert (await b.wait_for("chat"))["line"]["to"] == 0
        await anna.post(table.chat, {"text": "ave"})
        for socket in (b, c):
            assert (await socket.wait_for("chat"))["line"]["text"] == "ave", "and nothing before it"
        for person in (carla, watcher):
            await table.look_everywhere(person)
        heard = [_normal(table, person.received) for person in (carla, watcher)]  # type: ignore[arg-type]
        for person in (anna, bruno, carla):
            await person.command(table.id, do="resign")
        assert (await anna.get(f"/api/matches/{table.id}"))["table"]["state"] == "over"
        for person in (carla, watcher):
            await table.look_everywhere(person)
        assert [line["text"] for line in await table.lines(anna)] == [secret, f"{secret}, then", "ave"]
        assert secret not in (await anna.request("GET", f"/api/matches/{table.id}/file?seat=0")).text
    assert not any(secret in text for person in (carla, watcher) for text in person.received)
    return heard


def test_what_two_say_alone_nobody_else_receives_to_the_byte(server: ServerProcess) -> None:
    async def work() -> None:
        assert await overheard(server.url, SECRET) == await overheard(server.url, OTHER)

    run(work())


def test_who_takes_a_seat_over_does_not_read_what_was_said_there(server: ServerProcess) -> None:
    async def work() -> None:
        table = await Three.sit(server.url, SMALL)
        anna, bruno, _, dora = table.people
        await anna.post(table.chat, {"text": SECRET, "to": 1})
        await bruno.command(table.id, do="leave")
        await anna.post(table.chat, {"text": "gone?", "to": 1}, status=403)
        await dora.command(table.id, do="claim", seat=1)
        assert await table.lines(dora) == []
        assert [line["text"] for line in await table.lines(bruno)] == [SECRET]
        await anna.post(table.chat, {"text": "salve", "to": 0}, status=403)
        await anna.post(table.chat, {"text": "salve", "to": 7}, status=404)
        await (await Client.guest(server.url)).post(table.chat, {"text": "psst", "to": 0}, status=403)

    run(work())


def test_peace_is_offered_countered_agreed_and_seen_by_the_players(server: ServerProcess) -> None:
    async def work() -> None:
        table = await Three.sit(server.url, WIDE)
        anna, bruno, carla, watcher = table.people
        first = (await anna.post(table.peace, {"to": 1, "rounds": 3}))["n"]
        assert (await bruno.get(table.chat))["peace"][0]["rounds"] == 3
        assert (await carla.get(table.chat)) == {"lines": [], "peace": []}
        answer = f"{table.peace}/answer"
        await carla.post(answer, {"offer": first, "yes": True}, status=404)
        await anna.post(answer, {"offer": first, "yes": True}, status=403)
        await bruno.post(answer, {"offer": 99, "yes": True}, status=404)
        counter = (await bruno.post(table.peace, {"to": 0, "rounds": 2, "answers": first}))["n"]
        await bruno.post(answer, {"offer": first, "yes": True}, status=409)
        await anna.post(answer, {"offer": counter, "yes": True})
        await anna.post(answer, {"offer": counter, "yes": False}, status=409)
        for person in (anna, bruno, carla):
            (peace,) = (await person.get(table.chat))["peace"]
            assert (peace["state"], peace["first"], peace["last"]) == ("agreed", 1, 2)
        assert [line["state"] for line in await table.lines(carla)] == ["agreed"]
        assert (await watcher.get(table.chat)) == {"lines": [], "peace": []}
        refused = (await carla.post(table.peace, {"to": 0, "rounds": 1}))["n"]
        await anna.post(answer, {"offer": refused, "yes": False})
        assert [line["state"] for line in await table.lines(bruno)] == ["offered", "offered", "agreed"]
        await anna.post(table.peace, {"to": 1, "rounds": 0}, status=422)
        await watcher.post(table.peace, {"to": 1, "rounds": 1}, status=403)
        small = await Three.sit(server.url, SMALL)
        await small.people[0].post(small.peace, {"to": 1, "rounds": 1}, status=422)

    run(work())


def test_between_two_seats_one_offer_of_peace_is_open(server: ServerProcess) -> None:
    """A new one takes the place of the last, whoever made that."""

    async def work() -> None:
        table = await Three.sit(server.url, WIDE)
        anna, bruno, carla, _ = table.people
        first = (await anna.post(table.peace, {"to": 1, "rounds": 3}))["n"]
        second = (await anna.post(table.peace, {"to": 1, "rounds": 3}))["n"]
        to_carla = (await anna.post(table.peace, {"to": 2, "rounds": 3}))["n"]
        assert [one["peace"] for one in (await bruno.get(table.chat))["peace"]] == [second]
        await bruno.post(f"{table.peace}/answer", {"offer": first, "yes": True}, status=409)
        third = (await bruno.post(table.peace, {"to": 0, "rounds": 2}))["n"]
        assert [one["peace"] for one in (await anna.get(table.chat))["peace"]] == [to_carla, third]
        await anna.post(f"{table.peace}/answer", {"offer": third, "yes": True})
        assert [one["state"] for one in (await carla.get(table.chat))["peace"]] == ["offered", "agreed"]

    run(work())


def test_an_offer_of_peace_is_between_two_people_and_nobody_else_finds_it(server: ServerProcess) -> None:
    """Not by trying to answer it, and not by taking the seat over to which it was made."""

    async def work() -> None:
        table = await Three.sit(server.url, WIDE)
        anna, bruno, carla, dora = table.people
        answer = f"{table.peace}/answer"
        offer = (await anna.post(table.peace, {"to": 1, "rounds": 2}))["n"]

        async def heard(person: Client, number: int) -> list[tuple[int, str]]:
            tries = [(answer, {"offer": number, "yes": yes}) for yes in (True, False)]
            tries += [(table.peace, {"to": to, "rounds": 1, "answers": number}) for to in (0, 1)]
            said = [await person.request("POST", path, body) for path, body in tries]
            return [(one.status_code, one.text.replace(f": {number}", ": N")) for one in said]

        for person in (carla, dora, await Client.guest(server.url)):
            assert await heard(person, offer) == await heard(person, offer + 50), "as if there were none"
        await bruno.command(table.id, do="leave")
        await dora.command(table.id, do="claim", seat=1)
        assert await dora.get(table.chat) == {"lines": [], "peace": []}, "it was made to another"
        await dora.post(answer, {"offer": offer, "yes": True}, status=404)
        await bruno.post(answer, {"offer": offer, "yes": True}, status=409)
        offer = (await carla.post(table.peace, {"to": 0, "rounds": 2}))["n"]
        await carla.command(table.id, do="leave")
        await (await Client.guest(server.url)).command(table.id, do="claim", seat=2)
        assert (await anna.get(table.chat))["peace"] == []
        await anna.post(answer, {"offer": offer, "yes": True}, status=409)

    run(work())


def test_an_attack_breaks_the_peace_and_taking_it_back_mends_it() -> None:
    peace = Peace(4, AGREED, seat=0, to=2, rounds=2, first=3, last=4)
    attack = Attack(entry=50, round=4, by=2, against=0)
    (broken,) = _changed({4: peace}, [attack], [49, 50])
    assert (broken.state, broken.by, broken.round, broken.entry) == (BROKEN, 2, 4, 50)
    assert list(_changed({4: broken}, [attack], [49, 50])) == [], "once is enough"
    assert list(_changed({4: broken}, [], [49])) == [peace]
    for other in (Attack(50, 5, 2, 0), Attack(50, 4, 2, 1), Attack(50, 2, 0, 2)):
        assert list(_changed({4: peace}, [other], [50])) == [], "too late, another, too early"


def test_a_peace_in_a_deal_is_answered_with_it() -> None:
    deal = Peace(4, OFFERED, seat=0, to=2, rounds=2, deal=True)
    alone = Peace(5, OFFERED, seat=0, to=2, rounds=9)
    (agreed,) = _settled({4: deal, 5: alone}, [DealAnswer(0, 2, True, round=7)])
    assert (agreed.peace, agreed.state, agreed.first, agreed.last) == (4, AGREED, 7, 8)
    (refused,) = _settled({4: deal, 5: alone}, [DealAnswer(2, 0, False, round=7)])
    assert (refused.peace, refused.state) == (4, REFUSED)
    assert list(_settled({4: deal}, [DealAnswer(0, 1, True, round=7)])) == [], "somebody else's"


def test_a_bot_answers_at_once_and_an_offer_can_be_taken_back(server: ServerProcess) -> None:
    async def work() -> None:
        anna, bruno = await Client.guest(server.url), await Client.guest(server.url)
        seats = [{"kind": "me"}, {"kind": "bot", "bot": "tiro"}, {"kind": "open"}]
        wish = {"title": WIDE, "seats": seats}
        made = await anna.post("/api/matches", wish)
        table = Three(made["table"]["id"], [anna, bruno])
        await bruno.post(f"/api/matches/{table.id}/join")
        await anna.post(table.peace, {"to": 1, "rounds": 2})
        offer, answer = await table.lines(anna)
        assert offer["state"] == "offered" and answer["state"] in ("agreed", "refused") and answer["why"]
        assert answer["name"] == (await anna.get(f"/api/matches/{table.id}"))["table"]["seats"][1]["name"]
        await anna.post(table.peace, {"to": 1, "rounds": 20})
        assert [(line["state"], line["why"]) for line in await table.lines(anna)][-1] == ("refused", "long")
        number = (await anna.post(table.peace, {"to": 2, "rounds": 2}))["n"]
        await anna.post(f"{table.peace}/answer", {"offer": number, "yes": False})
        assert [line["state"] for line in await table.lines(bruno)][-1] == "withdrawn"
        await bruno.post(f"{table.peace}/answer", {"offer": number, "yes": True}, status=409)

    run(work())


def test_an_offer_is_answered_once_also_through_two_processes(db_path: str) -> None:
    """What the players were told of a peace is how it stands."""

    async def work(urls: tuple[str, str]) -> None:
        table = await Three.sit(urls[0], WIDE)
        anna, bruno, carla, _ = table.people
        there = Client(urls[1], bruno.token)
        answer = f"{table.peace}/answer"
        for _ in range(12):
            offer = (await anna.post(table.peace, {"to": 1, "rounds": 2}))["n"]
            body = {"to": 0, "rounds": 5, "answers": offer}
            said = await asyncio.gather(
                bruno.request("POST", answer, {"offer": offer, "yes": True}),
                there.request("POST", answer, {"offer": offer, "yes": False}),
                there.request("POST", table.peace, body),
                bruno.request("POST", table.peace, body),
            )
            assert sorted(one.status_code for one in said) == [201, 409, 409, 409], [o.text for o in said]
            stands = [one["peace"] for one in (await carla.get(table.chat))["peace"]]
            assert (offer in stands) == (said[0].status_code == 201), "agreed, and nothing else afterwards"

    with ServerProcess(db_path) as one, ServerProcess(db_path) as other:
        run(work((one.url, other.url)))


def test_every_line_is_told_once_and_in_order_also_through_two_processes(db_path: str) -> None:
    async def work(urls: tuple[str, str]) -> None:
        table = await Three.sit(urls[0], SMALL)
        anna, bruno, *_ = table.people
        speakers = [anna, Client(urls[1], anna.token)] * 8
        async with bruno.watch(table.id) as here, Client(urls[1], bruno.token).watch(table.id) as there:
            for said in range(1, 6):
                await asyncio.gather(
                    *(p.post(table.chat, {"text": f"line {n}", "to": 1}) for n, p in enumerate(speakers))
                )
                first, last = (said - 1) * len(speakers) + 1, said * len(speakers)
                for socket in (here, there):
                    told = [(await socket.wait_for("chat"))["line"]["n"] for _ in speakers]
                    assert told == list(range(first, last + 1))

    with ServerProcess(db_path) as one, ServerProcess(db_path) as other:
        run(work((one.url, other.url)))


def test_who_is_forgotten_while_they_speak_leaves_no_line(db_path: str) -> None:
    """Nor what is said to them meanwhile: what comes too late is refused."""

    async def work(urls: tuple[str, str]) -> None:
        for _ in range(8):
            table = await Three.sit(urls[0], SMALL)
            anna, bruno, carla, _ = table.people
            there, other = Client(urls[1], anna.token), Client(urls[1], bruno.token)
            lines = [(there, {"text": SECRET, "to": 1}), (other, {"text": "for you", "to": 0})] * 3
            lines += [(there, {"text": SECRET})] * 3
            said = await asyncio.gather(
                anna.request("DELETE", "/api/me"),
                *(person.request("POST", table.chat, body) for person, body in lines),
            )
            assert said[0].status_code == 200 and {one.status_code for one in said} <= {200, 201, 401, 403}
            for person in (bruno, carla):
                heard = (await person.request("GET", table.chat)).text
                assert SECRET not in heard and anna.name not in heard
            with sqlite3.connect(db_path) as store:
                query = "SELECT count(*) FROM chat WHERE ? IN (person_id, to_id)"
                assert store.execute(query, (anna.id,)).fetchone() == (0,)

    with ServerProcess(db_path) as one, ServerProcess(db_path) as other:
        run(work((one.url, other.url)))
