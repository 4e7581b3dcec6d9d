"""`ludus bench engine` and `browser`: what they count, print and write.  Nothing here looks at a clock."""

from __future__ import annotations

import json
import platform
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import ludus
from ludus.cli import app
from ludus.core import compilation, loops
from ludus.core.binding import bind_plain
from ludus.core.engine import ENGINE
from ludus.core.errors import FormatError, LudusError
from ludus.lab import browser_bench, engine_bench, figures, vector_bench
from ludus.lab.engine_bench import (
    EngineFigures,
    Games,
    Measurement,
    PeerBench,
    PeerFigures,
    TitleFigures,
    run_together,
)
from ludus.lab.peers import Peer, Sample, all_peers
from samples import LARGE, SMALL

KEYS = [
    "decisions_per_second", "decisions_per_second_all_threads", "actions_per_second",
    "plain_decisions_per_second", "game_plies_per_second", "plain_game_plies_per_second",
    "copies_per_second", "decisions_per_game", "chance_per_game", "mean_legal",
    "forced_share", "state_bytes", "cold_compile_s", "warm_start_s",
]  # fmt: skip
COMPILED = {
    "decisions_per_second", "decisions_per_second_all_threads", "actions_per_second",
    "game_plies_per_second", "copies_per_second", "cold_compile_s", "warm_start_s",
}  # fmt: skip
BRIEF = ["bench", "engine", "--title", SMALL, "--seconds", "0.01"]
PAGE = "# Speed\n\n<!-- ludus bench engine -->\nSTALE\n<!-- end -->\n\nAfter.\n"

needs_numba = pytest.mark.skipif(not compilation.has_numba(), reason="Numba is not installed")


def run(*words: str) -> Any:
    return CliRunner().invoke(app, [*BRIEF, *words])


def some_figures(rate: float | None) -> TitleFigures:
    return TitleFigures(rate, rate, rate, 1e5, rate, 5e4, rate, 50.0, 20.0, 6.25, 0.125, 224, 8.0, 0.5)


# -- the command ------------------------------------------------------------------------------------


@needs_numba
def test_json_has_exactly_the_promised_figures() -> None:
    result = run("--json")
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    assert list(data) == ["titles", "peers"] and data["peers"] == {}
    assert list(data["titles"]) == [SMALL]
    found = data["titles"][SMALL]
    assert list(found) == KEYS
    assert all(found[key] > 0 for key in KEYS if key != "forced_share")
    share = found["chance_per_game"] / found["decisions_per_game"]
    assert found["actions_per_second"] == pytest.approx(found["decisions_per_second"] * (1 + share), rel=1e-3)
    assert found["state_bytes"] == ludus.title(SMALL).position.bytes
    assert 0 <= found["forced_share"] < 1 < found["mean_legal"]


def test_without_numba_compiled_figures_are_null_and_a_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDUS_PLAIN", "1")
    result = run("--json")
    found = json.loads(result.stdout)["titles"][SMALL]
    assert {key for key in KEYS if found[key] is None} == COMPILED
    assert found["plain_decisions_per_second"] > 0 and found["decisions_per_game"] > 0
    assert len(result.stderr.splitlines()) == 1 and "Numba is not installed" in result.stderr


def test_the_table_fits_eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDUS_PLAIN", "1")
    monkeypatch.setenv("COLUMNS", "80")
    result = run("--peers")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert any(line.startswith("decisions/s, plain form") for line in lines)
    assert any(line.startswith("open_spiel backgammon rollouts") for line in lines)


def test_ctrl_c_ends_with_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> list[Measurement]:
        raise KeyboardInterrupt

    monkeypatch.setattr(engine_bench.EngineBench, "steps", interrupted)
    result = run("--json")
    assert result.exit_code == 130
    assert result.stdout == "" and len(result.stderr.splitlines()) == 1


def test_a_title_that_does_not_exist_is_named() -> None:
    result = CliRunner().invoke(app, ["bench", "engine", "--title", "ludo"])
    assert isinstance(result.exception, LudusError) and "ludo" in str(result.exception)


# -- counting ---------------------------------------------------------------------------------------


def played_by_hand(name: str, seed: int, games: int) -> list[int]:
    """Decisions, chance outcomes, sum of legal, forced: by the plain rules alone."""
    title = ludus.title(name)
    box, found = title.box_for(), [0, 0, 0, 0]
    out, weight, rng = [0] * title.codes.size, [0] * title.codes.size, [0] * 4
    from ludus.core.chance import CHANCE, OVER, below, next_u32, pick, seed_rng

    for g in range(games):
        seed_rng(rng, seed, g)
        s = title.position.plain()
        title.rules.new(s, box)
        while (seat := title.rules.to_move(s, box)) != OVER:
            if seat == CHANCE:
                n = title.rules.odds(s, box, out, weight)
                found[1] += 1
                code = out[pick(next_u32(rng), weight, n)]
            else:
                n = title.rules.legal(s, box, out)
                found[0], found[2], found[3] = found[0] + 1, found[2] + n, found[3] + (n == 1)
                code = out[below(rng, n)]
            title.rules.apply(s, box, code)
    return found


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=needs_numba)])
def test_games_are_counted_as_played(compiled: bool) -> None:
    title = ludus.title(SMALL)
    bind = compilation.bind_compiled if compiled else bind_plain
    games = Games(title, bind(title, ENGINE), compiled, stream=3)
    sample = games.run(0.0)  # one portion, of one game
    assert games.played == 1 and games.cut == 0
    wanted = played_by_hand(SMALL, 3 << 32, 1)
    places = (loops.DECISIONS, loops.CHANCES, loops.LEGAL, loops.FORCED)
    assert [int(games.tally[k]) for k in places] == wanted
    assert sample.count == wanted[0]


@needs_numba
def test_threads_play_different_games_and_add_up() -> None:
    title = ludus.title(SMALL)
    space = compilation.bind_compiled(title)
    crew = [Games(title, space, True, stream) for stream in range(3)]
    sample = run_together(crew, 0.02)
    assert sample.count == sum(int(games.tally[loops.DECISIONS]) for games in crew)
    assert len({int(games.tally[loops.DIGEST]) for games in crew}) == 3


# -- peers ------------------------------------------------------------------------------------------


def test_a_peer_that_is_not_there_says_so() -> None:
    absent = PeerBench(
        Peer("absent", "no_such_module_at_all", "none", "not at all", lambda: lambda s: Sample(0, s))
    )
    assert absent.round(1.0) == []
    assert absent.figures({}).json() == {"missing": "not installed"}


def test_ratios_are_ours_by_theirs() -> None:
    bench = PeerBench(Peer("fake", "json", "none", "in a test", lambda: lambda seconds: Sample(100, 0.5)))
    for step in bench.round(1.0) * 3:
        assert step.run() == "200/s"
    found = bench.figures({"quick": some_figures(1000.0), "plain": some_figures(None)})
    ratio = {"quick": 5.0, "plain": None}
    assert found.json() == {"decisions_per_second": 200, "how": "none, in a test", "ratio": ratio}


def test_peers_play_where_they_are_installed_and_say_so_where_not() -> None:
    for peer in all_peers():
        if peer.missing():
            assert "not installed" in peer.missing()
            continue
        sample = peer.make()(0.0)
        assert sample.count >= 10 and sample.seconds > 0
        assert peer.loop in peer.how()


# -- figures in the docs ------------------------------------------------------------------------------


def test_only_what_is_between_the_markers_changes() -> None:
    other = "<!-- ludus bench server -->\nkept\n<!-- end -->\n"
    filled = figures.fill(PAGE + other + PAGE, "ludus bench engine", "new\nlines")
    new = PAGE.replace("STALE", "new\nlines")
    assert filled == new + other + new
    assert figures.fill(filled, "ludus bench engine", "new\nlines") == filled


def test_a_marker_without_end_is_refused_by_line() -> None:
    with pytest.raises(FormatError) as caught:
        figures.fill("a\n<!-- ludus bench engine -->\nb\n", "ludus bench engine", "new")
    assert caught.value.line == 2


def test_write_docs_writes_table_command_and_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDUS_PLAIN", "1")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    for name in figures.PAGES:
        (tmp_path / name).write_text(PAGE, encoding="utf-8")
    assert run("--json", "--write-docs").exit_code == 0
    for name in figures.PAGES:
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert (
            text.startswith("# Speed") and text.endswith("<!-- end -->\n\nAfter.\n") and "STALE" not in text
        )
        assert "| decisions/s, plain form |" in text
        assert f"`ludus bench engine --title {SMALL} --seconds 0.01`" in text
        assert platform.python_version() in text


def test_pages_without_markers_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("No figures.\n", encoding="utf-8")
    assert figures.write_docs(tmp_path, "ludus bench engine", "new") == []
    assert (tmp_path / "README.md").read_text(encoding="utf-8") == "No figures.\n"


def test_markdown_of_titles_and_peers() -> None:
    titles = {"one": some_figures(12_345_678.0), "two": some_figures(None)}
    known = PeerFigures(50_000.0, "in a test", {"one": 246.9, "two": None})
    report = EngineFigures(titles, {"known": known, "gone": PeerFigures(missing="not installed")}, 2)
    text = figures.markdown(report, "ludus bench engine --peers")
    assert "| decisions/s, one thread | 12.3 M | – |" in text
    assert "| forced decisions | 12 % | 12 % |" in text
    assert "| known | 50.0 k | 247× | – |" in text
    assert "| gone | not installed |" in text
    assert "- known: in a test." in text
    assert text.splitlines()[-1].startswith("By `ludus bench engine --peers`, on 2 cores")


def test_four_titles_and_their_peers_fit_eighty_columns() -> None:
    titles = dict.fromkeys(ludus.title_names()[:4], some_figures(12_345_678.0))
    peer = PeerFigures(49_999.0, "in a test", dict.fromkeys(titles, 1234.5))
    report = EngineFigures(titles, {"open_spiel backgammon rollouts": peer}, 2)
    for rows in (figures.title_rows(report), figures.peer_rows(report)):
        widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
        assert sum(widths) + 2 * len(widths) <= 80


def test_the_figures_of_the_docs_stand_between_markers() -> None:
    page = Path(__file__).parents[1] / "docs" / "speed.md"
    text = page.read_text(encoding="utf-8")
    filled = figures.fill(text, "ludus bench engine", "HERE")
    assert "HERE" in filled and "| decisions/s, one thread |" in text
    assert "| decisions/s, one thread |" not in filled


GOOD = browser_bench.BrowserFigures(
    title=LARGE, cores=2, home_s=0.4, table_s=0.5, slow_paint_s=0.9, slow_table_s=1.6, moves=9,
    own_p50=20.0, own_p95=40.0, both_p50=30.0, both_p95=60.0, redraws=9, redraw_p50=5.0, pieces=32,
    rest_percent=0.4,
)  # fmt: skip


def test_a_missed_goal_of_the_browser_is_said() -> None:
    assert GOOD.good
    slow = replace(GOOD, both_p95=150.0)
    assert not slow.good
    assert [line for line in browser_bench.table(slow) if "NOT reached" in line] == [
        "a move is on both screens, p95: 150.0 ms (goal < 150 ms: NOT reached)"
    ]
    assert not replace(GOOD, redraw_p50=0.0).good, "nothing measured is nothing reached"


def test_without_a_browser_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("LUDUS_CHROMIUM", raising=False)
    with pytest.raises(LudusError, match="no Chromium found"):
        browser_bench.measure(SMALL, 1)


# -- games that are stepped from outside ---------------------------------------------------------------------


def test_steps_of_a_vector_are_counted_and_peers_told_beside_them() -> None:
    words = ["bench", "vector", "--title", SMALL, "--games", "64", "--seconds", "0.01", "--json"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    (found,) = json.loads(result.stdout)["titles"]
    game = ludus.title(SMALL).new(seed=1)
    assert (found["games"], found["numbers"], found["codes"]) == (
        64,
        game.observer.size,
        game.title.codes.size,
    )
    assert found["steps_per_second"] > 0 and found["with_tensor"] > 0
    figure = vector_bench.VectorFigures(**found)
    peers = [
        vector_bench.PeerSteps("half", "how", "", figure.steps_per_second / 2),
        vector_bench.PeerSteps("none", "how", "not installed", None),
    ]
    assert vector_bench.peer_rows(peers, [figure])[1:] == [
        ["half", figures.short(figure.steps_per_second / 2), "2.00×"],
        ["none", "not installed", ""],
    ]


def test_every_legal_code_is_drawn_as_often() -> None:
    mask = np.tile(np.array([0, 1, 0, 1, 1], np.int8), (30_000, 1))
    codes = vector_bench.random_legal(mask, np.random.default_rng(1))
    counts = np.bincount(codes, minlength=5)
    assert counts[[0, 2]].tolist() == [0, 0] and (abs(counts[[1, 3, 4]] - 10_000) < 400).all()
