"""What of the data is ours and may be varied, and what the laboratory makes of it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from ludus.cli import app
from ludus.core.errors import FormatError
from ludus.lab import balance
from ludus.lab.balance import Equals, Result
from ludus.titles.duellum import TITLE, variations
from ludus.titles.duellum.data import read_data, shipped_data

BOARDS: tuple[dict[str, Any], ...] = ({}, {"board": "greece_persia"}, {"edition": "casus_belli"})


def values(given: dict[str, Any]) -> Any:
    return TITLE.read_setting(2, given)[1]


@pytest.mark.parametrize("options", BOARDS)
def test_every_declared_change_changes_something_and_nothing_printed(options: dict[str, Any]) -> None:
    given = values(options)
    before = read_data(variations.varied(given, ()))
    for change in variations.declared(given):
        data = read_data(variations.varied(given, (change,)))
        assert data.sha256 != before.sha256, change
        for old in before.board["borders"]:
            new = next((b for b in data.board["borders"] if b["between"] == old["between"]), None)
            assert new is not None or old["status"] != "printed", change
            assert new is None or new["way"] == old["way"] or old["colour"] != "printed", change
        assert [c for c in data.cards if c["status"] == "printed"] == [
            c for c in before.cards if c["status"] == "printed"
        ]
        prices = data.prices["know_how"]
        assert (prices["navigatio"]["second"], prices["commercium"]["first"]) == (3, 9)


@pytest.mark.parametrize(
    "change",
    [
        "border roma-corsica none", "border roma-corsica land", "swap roma-genua", "price commercium first 8",
        "price navigatio second 2", "card academy 2",
    ],
)  # fmt: skip
def test_what_is_printed_is_refused(change: str) -> None:
    with pytest.raises(FormatError, match="printed"):
        variations.varied(values({}), (change,))


@pytest.mark.parametrize(
    "change",
    [
        "", "tunnel", "border roma", "border roma-zama none", "border genua-corsica air", "swap roma-zama",
        "price gold first 3", "price strata first x", "card joker 1",
    ],
)  # fmt: skip
def test_what_is_no_change_gets_one_sentence(change: str) -> None:
    with pytest.raises(FormatError):
        variations.varied(values({}), (change,))


def test_shares_length_and_effects_are_told() -> None:
    setting = Equals("duellum", (), "random")
    results = [Result((1.0, 0.0), 80, ("a",)), Result((0.0, 1.0), 100), Result((0.5, 0.5), 200)] * 20
    found = balance.report(setting, results)
    assert found["sides"]["rome"]["share"] == found["sides"]["carthage"]["share"] == 0.5
    assert found["sides"]["rome"]["low"] < 0.5 < found["sides"]["rome"]["high"]
    assert found["turns"]["median"] == 100 and found["turns"]["worst"] == 200
    (effect,) = balance.effects(results)
    assert effect.change == "a" and effect.share == 0.75 and effect.turns == -70
    assert 0 < effect.about < 0.5


def test_a_screening_draws_changes_by_lot_and_the_command_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDUS_PLAIN", "1")
    words = ["lab", "balance", "duellum", "--bot", "random", "--games", "2", "--cores", "1", "--json"]
    done = CliRunner().invoke(app, [*words, "--option", "turn_cap=200", "--screen"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["games"] == 2 and set(found["sides"]) == {"rome", "carthage"}
    one, other = (balance.drawn(Equals("duellum", (), "random"), seed) for seed in (1, 2))
    assert one != other and len(one) > 10


def test_the_list_and_what_is_refused_on_the_command_line() -> None:
    listed = CliRunner().invoke(app, ["lab", "balance", "duellum", "--list"])
    assert "price strata first 4" in listed.stdout or "price strata first 3" in listed.stdout
    assert shipped_data("rome_carthage").sides == ["rome", "carthage"]
    refused = CliRunner().invoke(app, ["lab", "balance", "duellum", "--change", "border roma-corsica none"])
    assert isinstance(refused.exception, FormatError) or "printed" in refused.output
