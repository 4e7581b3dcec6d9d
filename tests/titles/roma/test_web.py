"""Roma in the browser: what is printed on the cards is what the rules know."""

from __future__ import annotations

import json
import re

from ludus.titles.roma import TITLE


def test_the_printed_cards_are_those_of_the_rules() -> None:
    printed = json.loads((TITLE.folder / "data/cards.json").read_text(encoding="utf-8"))["cards"]
    script = (TITLE.folder / "web/cards.js").read_text(encoding="utf-8")
    dice = {"none": 0, "one_die": 1, "two_dice": 2}
    found = re.findall(r"(\w+): card\(\"(\w+)\", (\d+), (\d+), (\d+), (\d+)\)", script)
    wanted = [
        (c["id"], c["kind"], *map(str, (c["copies"], c["price"], c["defence"], dice[c["activation"]])))
        for c in printed
    ]
    assert found == wanted
    emblems = (TITLE.folder / "web/emblems.js").read_text(encoding="utf-8")
    assert re.findall(r"^  (\w+): \{$", emblems, re.M) == [c["id"] for c in printed]
