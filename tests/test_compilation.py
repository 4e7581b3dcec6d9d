"""Compilation: nobody waits for it, nobody needs it, and nothing stale is ever used."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludus
from ludus.core import compilation
from ludus.core.process import child_environment
from ludus.core.title import Title
from samples import SMALL

PLAY = f"import ludus; print(ludus.title('{SMALL}').batch(50, seed=1, seats=3).playouts().digest)"


def run(code: str, *first: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        env=child_environment(*first, **environment),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def digest() -> str:
    return str(ludus.title(SMALL).batch(50, seed=1, seats=3, form="plain").playouts().digest)


def test_no_numba_installed(digest: str) -> None:
    hide = "import sys; sys.modules['numba'] = None; from ludus.core import compilation as c; "
    hide += "c.has_numba = lambda: False; "
    done = run(hide + PLAY)
    assert done.stdout.strip() == digest, done.stderr
    assert done.stderr.count("\n") == 1
    assert "Numba is not installed" in done.stderr


def test_no_cache_folder_can_be_written(digest: str, tmp_path: Path) -> None:
    """A file stands where the folder should be: that stops even an administrator."""
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    done = run(PLAY, LUDUS_CACHE_DIR=str(blocked))
    assert done.stdout.strip() == digest, done.stderr
    assert done.stderr.count("\n") == 1
    assert "no cache folder can be written" in done.stderr


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache in which the rules lie ready, made once and not to be changed."""
    cache = tmp_path_factory.mktemp("compiled")
    done = run(PLAY, LUDUS_CACHE_DIR=str(cache))
    assert done.returncode == 0, done.stderr
    return cache


@pytest.fixture
def cache(compiled: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(compiled, tmp_path / "cache"))


def test_what_another_copy_of_the_sources_compiled_is_loaded(
    digest: str, cache: Path, tmp_path: Path
) -> None:
    """A second clone, or the same release installed again, compiles nothing: no file changes."""
    package = Path(ludus.__file__).parent
    shutil.copytree(package, tmp_path / "copy" / "ludus", ignore=shutil.ignore_patterns("web", "__pycache__"))
    before = {path: path.stat().st_mtime_ns for path in cache.rglob("*.nb?")}
    assert before
    ask = (
        f"import ludus; from ludus.core.compilation import is_ready; print(is_ready(ludus.title({SMALL!r})))"
    )
    asked = run(ask, str(tmp_path / "copy"), LUDUS_CACHE_DIR=str(cache))
    assert asked.stdout.strip() == "True", asked.stderr
    played = run(PLAY, str(tmp_path / "copy"), LUDUS_CACHE_DIR=str(cache))
    assert played.stdout.strip() == digest, played.stderr
    assert {path: path.stat().st_mtime_ns for path in cache.rglob("*.nb?")} == before


def test_interrupted_and_damaged_caches_are_made_anew(digest: str, cache: Path) -> None:
    (folder,) = cache.iterdir()
    # Interrupted: no mark, half of the files gone.
    (folder / compilation.READY).unlink()
    files = sorted(p for p in folder.rglob("*") if p.is_file())
    for path in files[::2]:
        path.unlink()
    done = run(PLAY, LUDUS_CACHE_DIR=str(cache))
    assert done.stdout.strip() == digest, done.stderr
    # Damaged: every file cut in half.
    for path in folder.rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    done = run(PLAY, LUDUS_CACHE_DIR=str(cache))
    assert done.stdout.strip() == digest, done.stderr
    assert "compiling anew" in done.stderr
    assert "Traceback" not in done.stderr


def test_two_processes_compile_at_once(digest: str, tmp_path: Path) -> None:
    environment = child_environment(LUDUS_CACHE_DIR=str(tmp_path))
    command = [sys.executable, "-c", PLAY]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    both = [subprocess.Popen(command, env=environment, **pipes) for _ in range(2)]
    for process in both:
        out, err = process.communicate()
        assert out.strip() == digest, err
        assert err == ""


def test_the_cache_knows_every_source(sample: Title[Any, Any], tmp_path: Path) -> None:
    """A changed callee in another file gives another folder: nothing stale is used."""
    package = Path(ludus.__file__).parent
    copy = tmp_path / "ludus"
    shutil.copytree(package, copy, ignore=shutil.ignore_patterns("__pycache__"))
    ask = f"import ludus; from ludus.core.compilation import digest; print(digest(ludus.title({SMALL!r})))"

    def digest_there() -> str:
        done = run(f"import sys; sys.path.insert(0, {str(tmp_path)!r}); " + ask)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    seen = {digest_there()}
    for name in (f"titles/{SMALL}/rules.py", f"titles/{SMALL}/layout.py", "core/chance.py", "core/loops.py"):
        path = copy / name
        path.write_text(path.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
        seen.add(digest_there())
    assert len(seen) == 5


def test_in_the_background(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDUS_CACHE_DIR", str(tmp_path))
    title = ludus.title(SMALL)
    assert not compilation.is_ready(title)
    game = title.new(seed=1)  # plays at once, in plain form
    assert game.form.name == "plain"
    started = compilation.compile_in_background(title)
    assert started is not None
    assert compilation.compile_in_background(title) is None  # one is enough
    assert started.wait(120) == 0
    assert compilation.is_ready(title)
    assert compilation.compile_in_background(title) is None
    before = game.hash()
    game.change_form("compiled")
    assert (game.form.name, game.hash()) == ("compiled", before)


def test_rules_stay_untouched(sample: Title[Any, Any]) -> None:
    compilation.bind_compiled(sample)
    assert type(sample.rules.legal).__name__ == "function"


@pytest.mark.parametrize("command", [["--help"], ["titles"], ["titles", SMALL], ["kit", "--help"]])
def test_quick_commands_never_import_numba_or_numpy(command: list[str]) -> None:
    code = (
        "import sys; from ludus.cli import app; "
        f"app({command!r}, standalone_mode=False); "
        "assert 'numba' not in sys.modules and 'numpy' not in sys.modules"
    )
    done = run(code)
    assert done.returncode == 0, done.stderr


POLICY = """
from numbers_of_mine import OFFSET

def pick(n):
    return (n - OFFSET) % n

def last(s, box, out, n, rng):
    return pick(n)
"""
BY_POLICY = f"""
import ludus
from ludus.core import compilation
from mine import last
title = ludus.title({SMALL!r})
print(title.batch(20, seed=1).playouts(last).digest)
loop, = (space.playouts for key, space in compilation._compiled.items() if key[2] == "policy")
print(sum(loop.stats.cache_hits.values()), sum(loop.stats.cache_misses.values()))
"""


def test_a_policy_is_compiled_once_for_each_state_of_its_sources(tmp_path: Path) -> None:
    """In a second process it is loaded; a constant that changes in another file makes another one."""
    cache = tmp_path / "cache"
    (tmp_path / "mine.py").write_text(POLICY, encoding="utf-8")

    def play(offset: int) -> tuple[str, str]:
        (tmp_path / "numbers_of_mine.py").write_text(f"OFFSET = {offset}", encoding="utf-8")
        shutil.rmtree(tmp_path / "__pycache__", ignore_errors=True)
        done = run(BY_POLICY, str(tmp_path), LUDUS_CACHE_DIR=str(cache))
        assert done.returncode == 0, done.stderr
        digest, counts = done.stdout.splitlines()
        return digest, counts

    first, again = play(1), play(1)
    assert (first[1], again[1]) == ("0 1", "1 0") and first[0] == again[0]
    folders = {path.name.rsplit("-", 1)[0] for path in cache.iterdir()}
    assert folders == {f"{SMALL}-policy"}, "nothing but the loop that uses it is compiled"
    other = play(2)
    assert other[1] == "0 1" and other[0] != first[0]


def test_a_function_is_compiled_once_for_whole_numbers_of_all_sizes() -> None:
    """But not for those without a sign, whose shifts and products are others."""
    import numba

    def twice(n: Any) -> Any:
        return n + n

    once = compilation.one_size(numba.njit(twice))

    @numba.njit  # type: ignore[untyped-decorator]
    def call(small: Any, hashed: Any) -> Any:
        return once(small) + once(3) + once(np.int32(small)), once(hashed)

    assert call(np.int8(100), np.uint64(2**63 - 1)) == (406, 2**64 - 2)
    assert len(once.signatures) == 2
