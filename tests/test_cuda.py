"""The cuda form without a GPU: the same games in Numba's simulator, and kernels of every title as PTX."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from numba import cuda as driver
from numba import types
from typer.testing import CliRunner

import ludus
import simulated
from conftest import LONG, all_titles
from ludus.cli import app
from ludus.core import cuda, cuda_loops
from ludus.core.engine import ENGINE
from ludus.core.errors import LudusError
from ludus.core.process import child_environment
from ludus.core.title import Title
from ludus.lab import cuda_bench
from ludus.lab.cuda_bench import CudaFigures
from samples import SMALL

# The compiler for GPUs is not to be had on every system.
COMPILED = all_titles() if sys.platform == "linux" else []


@pytest.fixture(scope="module")
def said() -> Any:
    """What the simulator said; it must be switched on before Numba is imported."""
    here = str(Path(__file__).parent)
    done = subprocess.run(
        [sys.executable, "-P", simulated.__file__, SMALL],
        capture_output=True,
        text=True,
        check=False,
        env=child_environment(here, NUMBA_ENABLE_CUDASIM="1", LUDUS_PLAIN="1"),
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def same_playouts(n: int, **options: Any) -> dict[str, Any]:
    return vars(ludus.title(SMALL).batch(n, seed=3, form="plain", **options).playouts())


def test_the_same_games_to_the_digest_in_the_simulator(said: Any) -> None:
    """A few games, and more of them than there are threads."""
    assert said["playouts"] == same_playouts(5, rounds=2)
    assert said["more"] == same_playouts(70, rounds=1, seats=3)


def test_the_same_steps_in_the_simulator(said: Any) -> None:
    vector = ludus.title(SMALL).vector(4, seed=5, form="plain", rounds=1)
    now, ended = vector.start(), 0
    for k, shown in enumerate(said["steps"]):
        for name in now._fields:
            assert shown[name] == getattr(now, name).tolist(), (k, name)
        assert shown["tensor"] == vector.tensor().tolist()
        ended += sum(shown["ended"])
        now = vector.step(simulated.chosen(now.mask, k))
    assert ended, "games have ended on the way, and others have begun"


def test_an_action_that_is_not_legal_is_refused_in_the_simulator(said: Any) -> None:
    title = ludus.title(SMALL)
    vector = title.vector(3, form="plain")
    codes = vector.start().mask.argmax(axis=1)
    codes[1] = title.codes.size - 1
    with pytest.raises(ludus.IllegalAction) as error:
        vector.step(codes)
    assert said["refused"] == str(error.value)


@pytest.mark.parametrize("title", COMPILED, ids=lambda t: t.name)
def test_the_kernels_of_every_title_compile(title: Title[Any, Any]) -> None:
    """Both have all the rules in them; the one that steps games has observations and masks as well.  Those of
    the larger titles keep their loops: the compiler alone says so of a few."""
    names = ("play_out", "advance_all") if LONG or title.name == SMALL else ("advance_all",)
    for name, ptx in cuda.ptx_of(title, quick=True, names=names).items():
        assert ".target sm_90" in ptx
        assert any(".entry" in line and name in line for line in ptx.splitlines())
        assert (ptx.count(NO_UNROLL) > 50) == (title.position.bytes >= cuda.SMALL)


NO_UNROLL = '.pragma "nounroll"'


def eight_steps(out: Any) -> None:
    for k in range(8):
        out[k] = k


def stores(**options: Any) -> tuple[int, int]:
    """How often the PTX of eight steps writes, and how often it says that a loop is to stay one."""
    kind = types.void(types.Array(types.int32, 1, "C"))
    ptx = str(driver.compile_ptx(eight_steps, kind, cc=(9, 0), **options)[0])
    return ptx.count("st.global"), ptx.count(NO_UNROLL)


@pytest.mark.parametrize("kernel", [eight_steps] if COMPILED else [])
def test_a_loop_stays_a_loop_where_it_is_marked_and_nowhere_else(kernel: Any) -> None:
    assert stores() == (8, 0)
    with cuda_loops.marking():
        assert stores() == (1, 1)
    assert stores() == (8, 0)


def test_a_kernel_is_marked_while_it_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """As it is on a GPU: Numba gets as far as the compiler, which notes what it is given."""
    from numba.cuda import dispatcher
    from numba.cuda.cudadrv import nvvm

    seen = []
    monkeypatch.setattr(nvvm, "compile_ir", lambda modules: seen.append(modules))
    monkeypatch.setattr(dispatcher.CUDADispatcher, "compile", lambda self, sig: nvvm.compile_ir([BACK, BACK]))
    for title in all_titles():
        cuda._bound(title, ENGINE, cuda._jit(title)).play_out.compile(())
        marks = 1 if title.position.bytes >= cuda.SMALL else 0
        assert [module.count("!llvm.loop") for module in seen.pop()] == ([1] if marks else [0, 0])


BACK = """\
define void @"f"()
{
entry:
  br label %"again"
again:
  br i1 1, label %"again", label %"end"
end:
  ret void
}
!0 = !{ i32 2 }
"""


def test_the_mark_is_a_node_of_each_loop() -> None:
    text = cuda_loops.marked(BACK)
    assert [line for line in text.splitlines() if "!llvm.loop" in line] == [
        '  br i1 1, label %"again", label %"end", !llvm.loop !2'
    ]
    *_, mark, node = text.splitlines()
    assert (mark, node) == ('!1 = !{ !"llvm.loop.unroll.disable" }', "!2 = distinct !{ !2, !1 }")
    straight = BACK.replace('label %"again", ', "")
    assert cuda_loops.marked(straight) == straight.rstrip("\n")


def test_kernels_of_other_sources_are_not_taken_from_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = cuda._cached(ENGINE)
    assert Path(cuda_loops.__file__) in kept.sources
    monkeypatch.setattr(cuda, "SMALL", cuda.SMALL + 1)
    assert cuda._cached(ENGINE).facts != kept.facts


def test_the_kernels_that_know_no_title_compile() -> None:
    found = cuda.ptx_of_common() if COMPILED else {}
    assert all(".entry" in ptx for ptx in found.values())


def test_without_a_gpu_a_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "is_available", lambda: False)
    title = ludus.title(SMALL)
    for make in (title.batch, title.vector):
        with pytest.raises(
            LudusError, match="the cuda form needs an NVIDIA GPU with its driver, and none is found"
        ):
            make(4, form="cuda")


def test_without_numba_cuda_a_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba.cuda", None)
    monkeypatch.delattr("numba.cuda", raising=False)
    with pytest.raises(LudusError, match=r'pip install "ludus-antiquus\[cuda\]"'):
        cuda.driver()


FIGURES = CudaFigures(SMALL, 1.4, 1000, 3e8, 1.5e8, 16, True, 0, 64, 2e6, 1e6)


def test_the_bench_without_a_gpu_says_so() -> None:
    found = CliRunner().invoke(app, ["bench", "cuda", "--title", SMALL])
    assert found.exit_code != 0 and isinstance(found.exception, LudusError)
    assert "needs an NVIDIA GPU" in str(found.exception)


def test_the_bench_says_when_games_went_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda_bench, "device", lambda: "a GPU")
    for same, code, word in ((True, 0, "yes"), (False, 1, "NO")):
        monkeypatch.setattr(
            cuda_bench, "measure", lambda title, seconds, same=same: replace(FIGURES, same=same)
        )
        found = CliRunner().invoke(app, ["bench", "cuda", "--title", SMALL])
        assert found.exit_code == code and word in found.output


def test_the_bench_tells_rates_beside_those_of_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda_bench, "device", lambda: "a GPU")
    head, _, row, _, by = cuda_bench.markdown([FIGURES], "ludus bench cuda").splitlines()
    assert len(head.split("|")) == len(row.split("|"))
    assert [cell.strip() for cell in row.split("|")][1:6] == [SMALL, "300 M", "150 M", "2.00×", "yes"]
    assert by.startswith("By `ludus bench cuda`, 64 games stepped together, on one a GPU and 16 cores")


def test_other_forms_are_named() -> None:
    with pytest.raises(ValueError, match="it is plain, compiled, cuda or auto"):
        ludus.title(SMALL).batch(1, form="gpu")


def test_kernels_are_kept_apart_by_what_compiles_them(monkeypatch: pytest.MonkeyPatch) -> None:
    before = cuda._cached(ENGINE).facts
    monkeypatch.setattr(cuda, "_version", lambda package: f"another {package}")
    cuda.compiled_by.cache_clear()
    try:
        assert {"numba-cuda another numba-cuda", "nvidia-nvvm another nvidia-nvvm"} <= set(
            cuda._cached(ENGINE).facts
        ) - set(before)
    finally:
        cuda.compiled_by.cache_clear()
