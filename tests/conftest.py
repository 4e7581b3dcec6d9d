"""What tests share: how long they run, and the titles."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

import ludus
from ludus.core.title import Title
from samples import SMALL

# How long an example takes says nothing about whether it is right, and much about who else is at work.
settings.register_profile("ludus", deadline=None)
settings.load_profile("ludus")

# Whoever starts the tests in the background of a script starts them deaf to Ctrl-C, and what they start, too.
signal.signal(signal.SIGINT, signal.default_int_handler)

LONG = os.environ.get("LUDUS_LONG") == "1"
ROOT = Path(__file__).parent.parent


def count(full: int) -> int:
    """The full count with `./ludus test --long`, a tenth otherwise."""
    return full if LONG else max(1, full // 10)


def all_titles() -> list[Title[Any, Any]]:
    return [ludus.title(name) for name in ludus.title_names()]


@pytest.fixture(scope="session", autouse=True)
def _the_tests_themselves_do_not_step_back() -> Iterator[None]:
    """As bots do that think: whatever came after would wait for everybody else on the machine."""
    before = os.getpriority(os.PRIO_PROCESS, 0) if hasattr(os, "getpriority") else 0
    yield
    assert (os.getpriority(os.PRIO_PROCESS, 0) if hasattr(os, "getpriority") else 0) == before


@pytest.fixture(scope="session", autouse=True)
def _boxes_stay_as_they_are() -> Iterator[None]:
    """All games of one setting share their box: whatever was tested, nobody has written to one."""
    yield
    for title in all_titles():
        assert title.boxes.changed() == [], title.name


@pytest.fixture
def sample() -> Title[Any, Any]:
    return ludus.title(SMALL)
