"""Clocks under attack: no sequence of commands, restarts or jumps of the wall clock gives anybody time."""

from __future__ import annotations

from ludus.server.testing import Client, ServerProcess
from server.test_server_play import begin, run, state

TURN = ["stake 1", "show 1", "guess 2"]  # a whole turn of seat 0 of the small title


async def left(person: Client, match_id: str) -> list[float]:
    found: list[float] = (await state(person, match_id))["table"]["clock"]["left"]
    return found


async def take_back_by_consent(people: list[Client], match_id: str, seat: int, to: int) -> None:
    asked = await people[seat].command(match_id, do="propose", kind="undo", to=to)
    assert asked.status_code == 200, asked.text
    entry = asked.json()["state"]["table"]["proposal"]["entry"]
    answer = await people[1 - seat].command(match_id, do="vote", yes=True, proposal=entry)
    assert answer.status_code == 200, answer.text


def test_play_and_undo_farms_no_increments(server: ServerProcess) -> None:
    async def work() -> None:
        clock = {"kind": "match", "seconds": 60, "increment": 30}
        match_id, people = await begin(server.url, clock=clock)
        for _ in range(5):
            at = (await state(people[0], match_id))["entry"]
            await people[0].command(match_id, expect=at, actions=TURN)
            alone = await people[0].command(match_id, do="undo", expect=at + 3, to=at)
            assert alone.status_code == 409, "the clock of the other runs: alone this cannot be taken back"
            await take_back_by_consent(people, match_id, 0, at)
        mine, other = await left(people[0], match_id)
        assert mine <= 90 and other <= 60, "one turn was reached, so one increment was given"

    run(work())


def test_play_and_undo_fills_no_move_clock(server: ServerProcess) -> None:
    async def work() -> None:
        match_id, people = await begin(server.url, clock={"kind": "move", "seconds": 60})
        first = (await state(people[0], match_id))["table"]["clock"]["deadline"]
        await people[0].command(match_id, expect=0, actions=TURN)
        await take_back_by_consent(people, match_id, 0, 0)
        again = (await state(people[0], match_id))["table"]["clock"]
        assert again["running"] == 0 and max(again["left"]) <= 60
        used = (await state(people[0], match_id))["table"]["clock"]["left"][0]
        assert used < 60, "what the turn has cost stays spent"
        assert again["deadline"] > first - 60

    run(work())


def test_leaving_stops_no_clock_and_claiming_fills_none(server: ServerProcess) -> None:
    async def work() -> None:
        for clock in ({"kind": "move", "seconds": 60}, {"kind": "match", "seconds": 60, "increment": 30}):
            match_id, (anna, _) = await begin(server.url, clock=clock)
            before = (await state(anna, match_id))["table"]["clock"]
            await anna.command(match_id, do="leave")
            empty = (await state(anna, match_id))["table"]["clock"]
            assert empty["running"] == 0, "the clock of a seat that was left runs on"
            assert abs(empty["deadline"] - before["deadline"]) < 0.5
            for _ in range(3):
                dora = await Client.guest(server.url)
                assert (await dora.command(match_id, do="claim", seat=0)).status_code == 200
                after = (await state(dora, match_id))["table"]["clock"]
                assert abs(after["deadline"] - before["deadline"]) < 0.5 and after["left"][0] <= 60
                await dora.command(match_id, do="leave")

    run(work())


def test_a_seat_that_was_left_runs_out_of_time_and_loses(server: ServerProcess) -> None:
    async def work() -> None:
        match_id, (anna, bruno) = await begin(server.url, clock={"kind": "move", "seconds": 5})
        await anna.command(match_id, do="leave")
        async with bruno.watch(match_id) as b:
            while (message := await b.receive())["table"]["state"] != "over":
                pass
        assert message["table"]["result"] == [0, 2]
        dora = await Client.guest(server.url)
        for person in (anna, dora):
            refused = await person.command(match_id, do="claim", seat=0)
            assert refused.status_code == 409 and "over" in refused.json()["reason"]
        clock = (await state(bruno, match_id))["table"]["clock"]
        assert clock["running"] is None and clock["left"][0] == 0

    run(work())


def test_who_ran_out_of_time_does_not_come_back(server: ServerProcess) -> None:
    """Once they claimed the seat again, with all of its time."""

    async def work() -> None:
        match_id, (anna, bruno, carla) = await begin(
            server.url, seats=3, clock={"kind": "move", "seconds": 5}, options={"rounds": 20}
        )
        async with bruno.watch(match_id) as b:
            while (message := await b.receive())["table"]["seats"][0]["kind"] != "bot":
                pass
        assert message["table"]["seats"][0]["status"] == "forfeited"
        for person in (anna, carla, await Client.guest(server.url)):
            refused = await person.command(match_id, do="claim", seat=0)
            assert refused.status_code in (403, 409), refused.text
        now = (await state(bruno, match_id))["table"]
        assert now["seats"][0]["kind"] == "bot" and now["clock"]["left"][0] == 0

    run(work())
