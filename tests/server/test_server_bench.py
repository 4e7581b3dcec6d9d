"""`ludus bench server`: what it asks of a server."""

from __future__ import annotations

import asyncio
from dataclasses import asdict

import pytest

from ludus.core import compilation
from ludus.lab import server_bench
from ludus.lab.server_bench import Load, LoadFigures, ServerBench, ServerFigures, table
from ludus.server.testing import ServerProcess
from samples import BARE


def test_a_bench_does_not_run_out_of_matches(server: ServerProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small game by chance is soon over: then the same people begin another."""
    monkeypatch.setattr(server_bench, "PEOPLE", 2)
    monkeypatch.setattr(server_bench, "BEGIN_AGAIN", 0.001)
    monkeypatch.setattr(server_bench, "CODE_LOADED", 0.1)
    monkeypatch.setattr(compilation, "is_ready", lambda _title: True)
    bench = ServerBench(Load(BARE, matches=2))
    bench.servers = [server]

    async def play_until_others_are_live() -> None:
        await bench.set_up()
        first = {match.id for match in bench.live}
        number = 0
        while first.intersection(match.id for match in bench.live):
            for match in bench.live:
                if match.ready:
                    await match.move(0.0, number := number + 1)
            await asyncio.sleep(0)
        assert [match.error for match in bench.live] == ["", ""]
        assert bench.ended >= 2
        await bench.wait_for_code()
        assert not bench.compiled  # this server plays by plain rules, and says so
        await bench.close()

    asyncio.run(asyncio.wait_for(play_until_others_are_live(), 120))


@pytest.mark.parametrize(("compiled", "said"), [(True, "compiled rules"), (False, "plain rules")])
def test_the_table_says_how_the_rules_ran(compiled: bool, said: str) -> None:
    assert said in table(ServerFigures(LoadFigures(asdict(Load(BARE)), compiled=compiled)))[0]
