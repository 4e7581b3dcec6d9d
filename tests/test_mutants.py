"""Mutants of the rules: how they are made and planted, and whether scenes and kit notice a sample of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ludus
from conftest import LONG, all_titles
from ludus.core.errors import FormatError
from ludus.core.kit.mutants import Mutant, mutants_of, planted, rule_modules
from ludus.core.kit.mutation import (
    Endless,
    Findings,
    Witnesses,
    judge,
    limited,
    named_scenes,
    read_explained,
    rules_unheld,
    try_mutants,
)
from ludus.core.title import Title
from samples import BARE

SAMPLE = 60


def explained_titles() -> list[Title[Any, Any]]:
    """Those whose survivors are all explained; the others are on their way."""
    return [title for title in all_titles() if (title.folder / "mutants.toml").exists()]


@pytest.mark.parametrize("title", explained_titles(), ids=lambda t: t.name)
def test_wrong_rules_are_noticed_or_explained(title: Title[Any, Any]) -> None:
    found = try_mutants(title, sample=0 if LONG else SAMPLE, workers=None if LONG else 1)
    assert [str(mutant) for mutant in found.holes] == []
    assert found.outdated == []
    assert found.unheld == ()
    if LONG:
        assert len(found.survivors) <= 0.03 * len(found.fates)


@pytest.fixture(scope="module")
def bare() -> Title[Any, Any]:
    return ludus.title(BARE)


@pytest.fixture(scope="module")
def mutants(bare: Title[Any, Any]) -> list[Mutant]:
    return mutants_of(bare)


@pytest.fixture(scope="module")
def witnesses(bare: Title[Any, Any]) -> Witnesses:
    return Witnesses(bare)


def test_mutants_are_told_apart_and_can_all_be_made(mutants: list[Mutant]) -> None:
    assert len({str(mutant) for mutant in mutants}) == len(mutants) > 50
    for mutant in mutants:
        assert mutant.code() != mutant.right.__code__
        assert mutant.line in range(mutant.source.lineno, (mutant.source.end_lineno or 0) + 1)


def test_only_files_of_rules_are_changed(bare: Title[Any, Any], mutants: list[Mutant]) -> None:
    files = {file for file, _ in rule_modules(bare)}
    assert {mutant.file for mutant in mutants} <= files
    assert mutants_of(bare, frozenset(files)) == []


def test_one_function_can_be_skipped(bare: Title[Any, Any], mutants: list[Mutant], tmp_path: Path) -> None:
    file = mutants[0].file
    text = f"[[skip]]\nfile = '{file}'\nfunction = 'apply'\nwhy = 'for a test'\n"
    skipped = read_explained(with_explanations(bare, tmp_path, text)).skipped
    left = mutants_of(bare, frozenset(skipped))
    assert [str(m) for m in left] == [str(m) for m in mutants if m.function != "apply"]


def test_a_planted_mutant_is_gone_afterwards(mutants: list[Mutant]) -> None:
    mutant = mutants[0]
    right = mutant.right.__code__
    with pytest.raises(RuntimeError), planted(mutant):
        assert mutant.right.__code__ != right
        raise RuntimeError
    assert mutant.right.__code__ is right


def test_a_wrong_rule_is_noticed_by_a_scene_that_passes_it(
    witnesses: Witnesses, mutants: list[Mutant]
) -> None:
    fates = [judge(witnesses, mutant) for mutant in mutants if mutant.function == "apply"]
    noticed = [fate for fate in fates if fate.scene]
    assert len(noticed) > len(fates) / 2
    for fate in noticed:
        assert fate.scene in witnesses.of(fate.mutant)


def test_every_rule_needs_a_scene_that_a_mutant_breaks(witnesses: Witnesses, mutants: list[Mutant]) -> None:
    """A mutant of its own where a function names the rule, any where none does."""
    told = {rule for scene in witnesses.scenes.values() for rule in scene.rules}
    named = {rule for mutant in mutants for rule in mutant.rules} & told
    assert named and told - named
    assert list(rules_unheld(witnesses, mutants)) == []
    assert set(rules_unheld(witnesses, [])) == told
    harmless = [mutant for mutant in mutants if not judge(witnesses, mutant, kit=False).noticed]
    assert set(rules_unheld(witnesses, harmless)) == told
    foreign = [replace(mutant, rules=frozenset({min(named)})) for mutant in harmless]
    others = [replace(mutant, rules=frozenset()) for mutant in mutants]
    assert min(named) in rules_unheld(witnesses, [*foreign, *others])


def test_only_scenes_of_the_row_hold_a_rule(
    bare: Title[Any, Any], witnesses: Witnesses, mutants: list[Mutant], tmp_path: Path
) -> None:
    page = (bare.folder / "RULES.md").read_text(encoding="utf-8")
    rule, scenes = next(item for item in sorted(named_scenes(witnesses).items()) if len(item[1]) > 1)
    for name in scenes:
        page = page.replace(f"scenes/{name}.toml", "")
    title = with_explanations(bare, tmp_path, "")
    (tmp_path / "RULES.md").write_text(page, encoding="utf-8")
    others = Witnesses(title)
    assert named_scenes(others)[rule] == set()
    assert rule in rules_unheld(others, mutants) and rule not in rules_unheld(witnesses, mutants)


def test_what_never_ends_is_stopped() -> None:
    with pytest.raises(Endless), limited(0.05):
        while True:
            pass


def with_explanations(title: Title[Any, Any], folder: Path, text: str) -> Title[Any, Any]:
    """The title with a file of explanations; its rules are where they were."""
    for name in ("rules.py", "rules", "scenes", "words"):
        if (title.folder / name).exists():
            (folder / name).symlink_to(title.folder / name)
    (folder / "mutants.toml").write_text(text, encoding="utf-8")
    return replace(title, folder=folder)


def test_an_explanation_counts_until_the_mutant_is_noticed(
    bare: Title[Any, Any], mutants: list[Mutant], witnesses: Witnesses, tmp_path: Path
) -> None:
    one, other = mutants[:2]
    text = f"[[survivor]]\nmutant = '''{one}'''\nwhy = 'equivalent'\n"
    explained = read_explained(with_explanations(bare, tmp_path, text))
    survived, noticed = judge(witnesses, one), judge(witnesses, other)
    survived, noticed = replace(survived, scene="", kit=""), replace(noticed, scene="a scene")
    found = Findings([survived, noticed], explained)
    assert (found.survivors, found.holes, found.outdated) == ([one], [], [])
    found = Findings([replace(survived, kit="games end")], explained)
    assert (found.survivors, found.outdated) == ([], [str(one)])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "[[survivor]]\nmutant = 'rules.py apply: 1 -> 7'\nwhy = 'gone'\n",
            "there is no such mutant any more",
        ),
        ("[[survivor]]\nmutant = 'rules.py apply: 1 -> 7'\n", "takes file and why"),
        ("[[skip]\n", "takes file and why"),
    ],
    ids=["gone", "without a reason", "no TOML"],
)
def test_explanations_that_do_not_fit_are_refused(
    bare: Title[Any, Any], tmp_path: Path, text: str, told: str
) -> None:
    with pytest.raises(FormatError, match=told):
        read_explained(with_explanations(bare, tmp_path, text))
