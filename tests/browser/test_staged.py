"""The scenes at which matches of the browser tests begin.  No browser needed."""

from __future__ import annotations

import pytest

from browser.staged import scene_names, scene_of, titles_with
from ludus.core.scene import run_scene

SCENES = [(title, name) for title in titles_with("staged.py") for name in scene_names(title)]


@pytest.mark.parametrize(("title", "name"), SCENES)
def test_the_scenes_are_possible(title: str, name: str) -> None:
    report = run_scene(scene_of(title, name))
    assert report.passed, report.failures
