"""The scenes at which matches of the browser tests begin.  No browser needed."""

from __future__ import annotations

import pytest

from browser.staged import FOLDER, scene_names, scene_of
from ludus.core.scene import run_scene

SCENES = [(path.name, name) for path in sorted(FOLDER.iterdir()) for name in scene_names(path.name)]


@pytest.mark.parametrize(("title", "name"), SCENES)
def test_the_scenes_are_possible(title: str, name: str) -> None:
    report = run_scene(scene_of(title, name))
    assert report.passed, report.failures
