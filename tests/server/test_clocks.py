"""What a clock promises, whatever people, processes and the clock on the wall do."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from functools import partial
from itertools import groupby
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conftest import count
from ludus.core.chance import CHANCE
from ludus.core.errors import LudusError
from ludus.core.game import Played
from ludus.server import background, changing, clocks, commands, lobby
from ludus.server.clocks import Clock, ServerTime
from ludus.server.models import Command, Join, NewMatch
from ludus.server.server import Server
from ludus.server.settings import Settings
from ludus.server.standing import Standing
from ludus.store import Store, open_store, people, records
from samples import SMALL

SECONDS, INCREMENT = 30, 7
SEATS = 3
HOUR = 3600.0


class Room:
    """A match of three with a clock, in a house whose time the test makes, and what each seat may have."""

    def __init__(self, store: Store, kind: str) -> None:
        self.store, self.kind = store, kind
        self.wall, self.steady = 1_700_000_000.0, 100.0
        with store.write() as db:
            self.wall = max(self.wall, self._last_beat(db) + HOUR)
            self.people = [people.add_guest(db, 0.0) for _ in range(SEATS + 1)]
        self.server = self._new_server()
        self.match_id, self.commands = "", 0
        self.used = [0.0] * SEATS  # match: ever; move: in the furthest turn
        self.turns = [0] * SEATS  # the furthest that were ended (match) or begun (move)

    @staticmethod
    def _last_beat(db: Any) -> float:
        found = db.exec_driver_sql("SELECT value FROM house WHERE key = 'beat'").scalar()
        return float(found or 0.0)

    def _new_server(self) -> Server:
        time = ServerTime(lambda: self.wall, lambda: self.steady)
        return Server(Settings(db="", log="off", limits=False, form="plain"), self.store, time)

    async def begin(self) -> None:
        await self._beat()
        clock = {"kind": self.kind, "seconds": SECONDS, "increment": INCREMENT if self.kind == "match" else 0}
        seats = [{"kind": "me"}, *[{"kind": "open"}] * (SEATS - 1)]
        wish = NewMatch.model_validate({"title": SMALL, "seats": seats, "clock": clock})
        self.match_id = await lobby.create(self.server, self.people[0], wish, "here")
        for person in self.people[1:SEATS]:
            await lobby.join(self.server, person, self.match_id, Join())
        await self.check()

    async def end(self) -> None:
        await self.server.writing(lambda db: records.change(db, self.match_id, state="closed"))
        await self.server.close()

    # -- what happens ---------------------------------------------------------------------------------

    async def do(self, step: str, n: int) -> None:
        _, standing = await self.server.now(self.match_id)
        if standing.row.state != "running":
            return
        legal = [a.text for a in standing.running_match().game.legal()]
        mover, entry, kind = standing.row.to_move, standing.entries, standing.seats[standing.row.to_move].kind
        proposal = standing.running_match().proposal
        person = self.people[n % len(self.people)]
        if step == "play" and kind == "bot":
            play = partial(commands.bot_plays, seat=mover, entry=entry, action=legal[n % len(legal)])
            await changing.change(self.server, self.match_id, play)
        elif step == "play":
            actions = [legal[n % len(legal)]]
            await self._all_try(do="play", expect=entry, actions=actions)
        elif step == "turn":
            for _ in range(3):  # stake, show, guess
                await self.do("play", n)
        elif step == "undo":
            await self._all_try(do="undo", expect=entry, to=max(0, entry - 1 - n % 6))
        elif step == "agree":
            to = max(0, entry - 1 - n % 12)
            await self._try(self._command(person, do="propose", kind="undo", to=to))
            await self._all_try(do="vote", yes=True, proposal=entry + 1)
        elif step == "vote" and proposal is not None:
            await self._try(self._command(person, do="vote", yes=bool(n % 3), proposal=proposal.entry))
        elif step == "leave":
            await self._try(self._command(person, do="leave"))
        elif step == "claim":
            await self._try(self._command(person, do="claim", seat=n // 4 % SEATS))
        elif step == "take_over":
            await self._try(self._command(person, do="take_over", seat=n // 4 % SEATS, bot="tiro"))
        elif step == "pass":
            await self._pass(0.5 + n % 12 / 2)
        elif step == "jump":
            self.wall += HOUR if n % 2 else -HOUR
            await self._beat()
        elif step == "restart":
            await self._restart(down=60.0 * (n % 2), jump=(0.0, HOUR, -HOUR)[n % 3])

    async def _try(self, work: Awaitable[object]) -> None:
        with suppress(LudusError):
            await work

    async def _all_try(self, **body: Any) -> None:
        for person in self.people:
            await self._try(self._command(person, **body))

    async def _command(self, person: people.Person, **body: Any) -> None:
        self.commands += 1
        command = Command.model_validate({"client": f"c{self.commands}", **body})
        await changing.command(self.server, person, self.match_id, command)

    async def _pass(self, seconds: float) -> None:
        _, standing = await self.server.now(self.match_id)
        mover = standing.row.to_move
        if standing.seats[mover].kind == "person" and standing.running_match().status[mover] != "timed_out":
            self.used[mover] += seconds
        self.wall += seconds
        self.steady += seconds
        await self._beat()
        for match_id in await self.server.reading(self._due):
            await changing.time_out(self.server, match_id)

    def _due(self) -> list[str]:
        with self.store.read() as db:
            return [m for m in records.due(db, "deadline", self.server.time.now()) if m == self.match_id]

    async def _beat(self) -> None:
        await self.server.writing(lambda db: background.beat(db, 0.0, self.server.time))

    async def _restart(self, down: float, jump: float) -> None:
        await self._beat()
        await self.server.close()
        self.wall += down + jump
        self.steady = 5.0
        self.server = self._new_server()
        await self._beat()

    # -- what must be true ----------------------------------------------------------------------------

    async def check(self) -> None:
        table, standing = await self.server.now(self.match_id)
        if standing.row.state != "running":
            return
        self._note_turns(standing)
        state = standing.clock_state
        for seat in range(SEATS):
            now = state.left[seat]
            if state.running == seat:
                now -= self.server.time.now() - state.since
            given = SECONDS + (INCREMENT * self.turns[seat] if self.kind == "match" else 0)
            assert now + self.used[seat] == pytest.approx(given), f"seat {seat}"
            if standing.running_match().status[seat] == "playing" and standing.seats[seat].kind == "person":
                assert now > 0, "who has no time left has lost the seat"
        shown = table.public(standing)["clock"]
        if state.running >= 0:
            still = state.left[state.running] - (self.server.time.now() - state.since)
            assert shown["deadline"] - self.wall == pytest.approx(still), "told by the clock on the wall"

    def _note_turns(self, standing: Standing) -> None:
        """The furthest turns that anybody ever stood at, found anew from the standing actions."""
        game = standing.running_match().game
        stood = [seat for seat, _ in groupby(p.seat for p in game.line if p.seat != CHANCE)]
        if not stood or stood[-1] != game.to_move:
            stood.append(game.to_move)
        for seat in range(SEATS):
            if standing.seats[seat].kind != "person":
                continue
            turns = stood.count(seat)
            if self.kind == "match":
                self.turns[seat] = max(self.turns[seat], turns - (seat == game.to_move))
            elif turns > self.turns[seat]:
                self.turns[seat], self.used[seat] = turns, 0.0


STEPS = ["play", "turn", "turn", "turn", "pass", "pass", "undo", "agree", "agree", "vote", "leave", "claim"]
STEPS += ["claim", "take_over", "jump", "restart"]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Any:
    opened = open_store(str(tmp_path_factory.mktemp("clocks") / "ludus.db"))
    yield opened
    opened.close()


@settings(max_examples=count(200), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    kind=st.sampled_from(["match", "move"]),
    steps=st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 59)), min_size=5, max_size=50),
)
def test_no_sequence_gives_or_takes_time(store: Store, kind: str, steps: list[tuple[str, int]]) -> None:
    """A seat has what was declared, less what it has used: neither more nor less, at any moment."""

    async def work() -> None:
        room = Room(store, kind)
        try:
            await room.begin()
            for step, n in steps:
                await room.do(step, n)
                await room.check()
        finally:
            await room.end()

    asyncio.run(work())


def test_a_process_that_joins_goes_by_the_time_of_the_server(db_path: str) -> None:
    """Though the wall clock was put forward meanwhile: else it would time out everybody, or give an hour."""
    wall, steady = [1000.0], [0.0]
    store = open_store(db_path)

    async def work(servers: list[Server]) -> None:
        times = [ServerTime(lambda: wall[0], lambda: steady[0])]
        servers.append(Server(Settings(db=db_path, log="off", form="plain"), store, times[0]))
        for jump in (HOUR, -HOUR / 2, HOUR):
            wall[0] += jump
            await servers[0].writing(lambda db: background.beat(db, 0.0, times[0]))
            times.append(ServerTime(lambda: wall[0], lambda: steady[0] - 77.0))
            servers.append(Server(Settings(db=db_path, log="off", form="plain"), store, times[-1]))
            assert await servers[-1].writing(lambda db: background.beat(db, 0.0, times[-1])) == []
            steady[0] += 1.0
            wall[0] += 1.0
            assert [t.now() for t in times] == pytest.approx([times[0].now()] * len(times), abs=0.01)

    async def closing() -> None:
        servers: list[Server] = []
        try:
            await work(servers)
        finally:
            for house in servers:
                await house.close()
            store.close()

    asyncio.run(closing())


def test_what_was_late_on_its_way_is_not_given_twice() -> None:
    clock = Clock("match", 10.0)
    line: list[Played] = []
    state = clocks.move_on(clock, clocks.begin(clock, 2), line, 0, True, 0.0)
    state = clocks.move_on(clock, state, line, 1, True, 10.6)
    state = clocks.move_on(clock, state, line, 0, True, 11.0)
    assert state.deadline == pytest.approx(10.4), "0.6 s of the allowance are spent"


def test_clocks_stored_by_an_earlier_release_go_on() -> None:
    state = clocks.read_state({"left": [3.0, 60.0], "running": 0, "since": 5.0})
    assert state.deadline == 8.0
    state = clocks.move_on(Clock("move", 60.0), state, [], 1, True, 7.0)
    assert state.left == (1.0, 60.0) and state.running == 1


def test_dice_within_a_turn_do_not_end_it() -> None:
    clock = Clock("match", 10.0, 5.0)
    state = clocks.move_on(clock, clocks.begin(clock, 2), [], 0, True, 0.0)
    line = [Played(seat, 0, 0, False) for seat in (0, CHANCE, 0)]
    state = clocks.move_on(clock, state, line, 1, True, 1.0)
    assert (state.left, state.paid) == ((14.0, 10.0), (1, 0))
