"""Over many matches: what beginnings are played and how they score; how somebody's own play comes out."""

from __future__ import annotations

import json
import re
import time
from dataclasses import asdict
from typing import Any

from ludus import titles as registry
from ludus.analysis.analysis import WORDS
from ludus.analysis.beginnings import Explored, in_words, shares_of
from ludus.analysis.calibration import FOLDER, Calibration, calibration_name, load
from ludus.analysis.judges import VALUE
from ludus.analysis.strength import strength_of
from ludus.analysis.verdicts import points
from ludus.analysis.walk import CHOICE
from ludus.bots import levels_for
from ludus.core.errors import LudusError
from ludus.core.title import Title
from ludus.store import analyses, begun
from ludus.store.people import Person

from .server import Server

KEPT = "beginnings.json"  # written by `ludus lab explore`
MATCHES, ENTRIES = 2000, 80  # the latest public ones, and so much of each
FRESH = 600.0  # seconds for which what was found is good
MINE = 200  # the latest analysed matches of a person
COUNTED = re.compile(r"\s*[:(]\s*… \w+ …\)?")  # which one of several a question is about
PHASES = ("beginning", "middle", "end")


def beginnings(server: Server, name: str, lang: str) -> dict[str, Any]:
    """Of games between bots, and of finished public matches in this house."""
    title = registry.title(name)
    kept = title.folder / FOLDER / KEPT
    bots = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {"games": 0, "rows": []}
    return {
        "title": name,
        "bots": in_words(title, bots, lang),
        "people": in_words(title, _played_here(server, name), lang),
    }


def _played_here(server: Server, name: str) -> dict[str, Any]:
    known = server.explored.get(name)
    if known is not None and time.monotonic() - known[0] < FRESH:
        return known[1]
    title, found = registry.title(name), Explored()
    with server.store.read() as db:
        for result, said in begun.public_games(db, name, title.version, MATCHES, ENTRIES):
            found.add(title, said, shares_of(result))
    made = found.to_json()
    server.explored[name] = (time.monotonic(), made)
    return made


# -- one's own play -----------------------------------------------------------------------------------------


def mine(server: Server, person: Person, lang: str) -> dict[str, Any]:
    """By title: luck and error rate of each analysed match, the latest last; and where one loses most."""
    with server.store.read() as db:
        rows = analyses.made_for(db, person.id, MINE)
    found: dict[str, dict[str, Any]] = {}
    for match_id, seat, updated, data in reversed(rows):
        if seat >= len(data["seats"]) or data["seats"][seat]["error"] is None or not _still_holds(data):
            continue
        one = found.setdefault(data["title"], {"matches": [], "phases": {}, "kinds": {}, "costs": {}})
        own = data["seats"][seat]
        facts = {"match": match_id, "at": updated, "luck": own["luck"], "error": own["error"]}
        one["matches"].append({**facts, "elo": own["elo"], "rough": data["rough"]})
        _add_losses(one, data, seat)
        if not data["rough"]:
            _add_costs(one, data, seat)
    here = registry.title_names()
    told = [{"title": name, **_told(name, one, lang)} for name, one in found.items() if name in here]
    return {"titles": told}


def _still_holds(data: dict[str, Any]) -> bool:
    """Turns that a hand-made value judged were compared otherwise before there was a trust: costs of then say
    nothing beside those of now."""
    return "trust" in data or (data["by"], data["unit"]) != (VALUE, "turn")


def _add_losses(one: dict[str, Any], data: dict[str, Any], seat: int) -> None:
    last = max((row["until"] for row in data["rows"]), default=1)
    for row in data["rows"]:
        if row["kind"] != CHOICE or row["seat"] != seat:
            continue
        phase = PHASES[min(2, 3 * (row["entry"] - 1) // max(1, last))]
        for group, key in (("phases", phase), ("kinds", row.get("asked", ""))):
            tally = one[group].setdefault(key, [0, 0])
            tally[0] += 1
            tally[1] += row["cost"]


def _add_costs(one: dict[str, Any], data: dict[str, Any], seat: int) -> None:
    """What decisions cost, by the judge that said so: how strong that is, is known of each by itself."""
    own = [points(row["cost"]) for row in data["rows"] if row["kind"] == CHOICE and row["seat"] == seat]
    setting = (len(data["seats"]), tuple(data["options"].items()), data["judge"])
    one["costs"].setdefault(setting, []).extend(own)


def strengths(title: Title[Any, Any], costs: dict[Any, list[float]], lang: str) -> list[str]:
    """How strong somebody played over all these matches: as a sentence, where there are decisions enough."""
    pooled: dict[str, tuple[Calibration, list[float]]] = {}
    for (seats, options, judge), some in costs.items():
        try:
            name = calibration_name(title, title.box_for(seats, **dict(options)))
        except LudusError:  # an option that there is no more
            continue
        known = load(title, name)
        if known.fits(judge, seats):
            pooled.setdefault(name, (known, []))[1].extend(some)
    told = []
    for known, all_ in pooled.values():
        found = strength_of(all_, known.rungs, levels_for(title))
        if found is not None and found.is_told(len(all_), known.rungs):
            key = "rating" if found.low < found.high else "rating_end"
            told.append(WORDS.say(lang, f"you.{key}", **asdict(found)))
    return told


def _told(name: str, one: dict[str, Any], lang: str) -> dict[str, Any]:
    words = registry.title(name).words

    def losses(group: str) -> list[dict[str, Any]]:
        rows = [{"key": key, "decisions": n, "cost": cost} for key, (n, cost) in one[group].items() if key]
        return sorted(rows, key=lambda row: -row["cost"])[:8]

    kinds = losses("kinds")
    for row in kinds:
        key = f"prompt.{row['key']}"
        told = words.say(lang, key, step="…", steps="…") if words.has(key) else row["key"]
        row["told"] = COUNTED.sub("", told)
    strong = strengths(registry.title(name), one["costs"], lang)
    return {"matches": one["matches"], "phases": losses("phases"), "kinds": kinds, "strengths": strong}
