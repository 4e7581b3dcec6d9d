"""Nets: they learn what they are told, and a file that is no net, or no longer fits, is told so."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludus
from ludus.bots.net import (
    Weights,
    chance_of,
    learn_chance,
    learn_policy,
    load_net,
    new_net,
    prefer,
    untaught_net,
)
from ludus.cli.lab import net_faults
from ludus.core.errors import FormatError
from samples import LARGE, WIDE

INPUTS = ([0, 3, 5, 6, 2], [0.5, 1.0, 1.0, -1.0, 1.0], 5)


def lists() -> Weights:
    net = new_net(ludus.title(LARGE), 8, 8, seed=1, from_value=False)
    return Weights(*(net.parts[name].tolist() for name in Weights._fields))


@pytest.mark.parametrize("target", [0.1, 0.9])
def test_a_net_comes_to_think_what_it_is_taught(target: float) -> None:
    net, h = lists(), [0.0] * 8
    before = abs(chance_of(*INPUTS, net, h) - target)
    for _ in range(200):
        learn_chance(*INPUTS, target, 0.05, net, h)
    assert abs(chance_of(*INPUTS, net, h) - target) < min(0.05, before)


def test_a_policy_comes_to_want_what_it_is_taught() -> None:
    net, h, g, likes = lists(), [0.0] * 8, [0.0] * 8, [0.0] * 3
    for _ in range(200):
        learn_policy(*INPUTS, [4, 7, 9], 3, [0.0, 0.0, 1.0], 0.05, net, h, g, likes)
    assert prefer(*INPUTS, net, h, [4, 7, 9], 3, likes) == 2


def test_a_net_is_kept_and_read_again(tmp_path: Path) -> None:
    net = new_net(ludus.title(LARGE), 8, 8, seed=1, from_value=False)
    net.facts = {"seed": 1}
    net.save(tmp_path / "one.npz")
    again = load_net(tmp_path / "one.npz")
    assert (again.inputs, again.codes, again.facts["seed"]) == (net.inputs, net.codes, 1)
    assert abs(again.parts["W1"] - net.parts["W1"]).max() < 1e-3


def test_what_is_no_net_or_no_longer_fits_is_said(tmp_path: Path) -> None:
    path = tmp_path / "one.npz"
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(FormatError, match="this is no net"):
        load_net(path)
    net = new_net(ludus.title(LARGE), 8, 8, seed=1, from_value=False)
    net.parts["W1"] = net.parts["W1"][:-1]
    net.facts = {"rules": 99}
    net.save(path)
    found = "; ".join(net_faults(ludus.title(LARGE), path))
    assert "inputs" in found and "rules version 99" in found


def test_every_net_that_is_shipped_fits_and_says_where_it_comes_from() -> None:
    for title in (ludus.title(name) for name in ludus.titles.title_names()):
        for path in (title.folder / "nets").glob("*.npz"):
            assert net_faults(title, path) == []
            facts = load_net(path).facts
            assert facts["command"].startswith("ludus lab train") and facts["commit"] and "seed" in facts


def test_a_net_that_was_taught_nothing_says_what_the_value_says() -> None:
    net = untaught_net(ludus.title(WIDE))
    said = [
        chance_of([0, 1, 2], [made, 0.7, -0.3], 3, net.arrays, [0.0] * net.hidden)
        for made in (-20.0, 0.0, 2.0)
    ]
    assert said == pytest.approx([0.0, 0.5, 0.8808], abs=1e-4)
