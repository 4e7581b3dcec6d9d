"""Calibration: what a net says becomes a chance that comes true as often as it says.

A slope and a shift of the log-odds and a lapse, fitted to the results of games between rungs by
`ludus lab calibrate TITLE`, which writes them into the title's folder with the command that made them.
Of two seats each has a shift of its own: where one side wins more often, a net that was taught by games
between equals says too little of that, or too much.  The lapse is how often even the surest position comes
out otherwise, because people and bots throw games away; without it a few of those would make everything
look less sure than it is.  Single estimates are read, before anything is averaged: so everything that is
averaged over later is a chance already.

A value that is right on average is off at each single position, and the best of many plans is the one for
which it errs most.  So of a difference between plans only a part comes true: the *trust*, measured by what
became of plans that were played.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ludus.bots.net import Net
from ludus.core.errors import FormatError
from ludus.core.title import Title

FOLDER = "analysis"  # of a title
FORMAT = 2
SMALLEST = 1e-4  # no estimate is surer than that
FLATTEST, STEEPEST = 0.05, 10.0  # slopes
LAPSES = [k / 200 for k in range(17)]  # those that are tried
DOUBT = 1.0  # a fit to few games stays near to what the judge says by itself


@dataclass(frozen=True)
class Rung:
    """A bot on the ladder's scale: its Elo over the lowest rung, and what a decision costs it on average, in
    points of a hundred.  `at_least`: the ladder only knows that it is no weaker."""

    name: str
    elo: float
    error: float
    decisions: int = 0
    at_least: bool = False


@dataclass(frozen=True)
class Calibration:
    """How the estimates of one judge are to be read, and how well that came out."""

    slope: float = 1.0
    shifts: tuple[float, ...] = (0.0,)  # of each of two seats; one for all where there may be more
    lapse: float = 0.0  # how often what seems sure comes out otherwise
    judge: str = ""  # the digest of what it was fitted to; "" where nothing was fitted
    ece: float | None = None  # expected calibration error, in points, on games that were not fitted to
    facts: Mapping[str, Any] = field(default_factory=dict)  # command, games, decisions, commit, bins
    rungs: tuple[Rung, ...] = ()
    trust: float | None = None  # how much of a difference between choices comes true; None: all of it

    def fits(self, digest: str, seats: int) -> bool:
        """Whether it was fitted to this judge, and to games of so many."""
        return self.judge == digest and self.facts.get("seats", seats) == seats

    def read(self, chance: float, seat: int = 0) -> float:
        """An estimate of the judge for a seat, as a chance.

        >>> Calibration(slope=2.0).read(0.5), Calibration().read(0.25)
        (0.5, 0.25)
        """
        chance = min(1 - SMALLEST, max(SMALLEST, chance))
        shift = self.shifts[min(seat, len(self.shifts) - 1)]
        likely = 1 / (1 + math.exp(-(self.slope * math.log(chance / (1 - chance)) + shift)))
        return self.lapse + (1 - 2 * self.lapse) * likely


def digest_of(net: Net | None, what: str) -> str:
    """Names what was fitted: the weights of a net, or how rollouts are played."""
    h = hashlib.sha256(what.encode())
    if net is not None:
        for name in sorted(net.parts):
            h.update(net.parts[name].tobytes())
    return h.hexdigest()[:16]


def calibration_name(title: Title[Any, Any], box: Any) -> str:
    """Which calibration a box has: that of its net, or the only one; with more than two seats one for each
    number of them, because a fair share is another."""
    name = title.inputs.net_name(box) if title.inputs is not None else title.name
    seats = title.seats_of(box)
    return name if seats <= 2 else f"{name}-{seats}"


def path_of(title: Title[Any, Any], name: str) -> Path:
    return title.folder / FOLDER / f"{name}.json"


def load(title: Title[Any, Any], name: str) -> Calibration:
    """What was fitted, or the judge as it is where nothing was."""
    path = path_of(title, name)
    if not path.exists():
        return Calibration()
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        if kept["calibration"] != FORMAT:
            raise ValueError(f"format {kept['calibration']}")
        rungs = tuple(Rung(**rung) for rung in kept["rungs"])
        facts = {name: kept[name] for name in ("slope", "lapse", "judge", "ece", "facts")}
        facts["trust"] = kept.get("trust")
        return Calibration(**facts, shifts=tuple(kept["shifts"]), rungs=rungs)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise FormatError(f"this is no calibration ({error!r:.60})", source=str(path)) from None


def save(title: Title[Any, Any], name: str, found: Calibration) -> Path:
    path = path_of(title, name)
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"calibration": FORMAT, **asdict(found)}, indent=1) + "\n", encoding="utf-8")
    return path


# -- fitting ------------------------------------------------------------------------------------------------


def fit(said: Sequence[float], came: Sequence[float], seats: Sequence[int] | None = None) -> Calibration:
    """Slope, shifts and lapse that make estimates fit results best; a shift for each of the `seats` of which
    they were said.

    >>> found = fit(([0.5] * 4 + [0.9] * 4) * 1000, [0, 1, 0, 1, 1, 1, 0, 1] * 1000)
    >>> round(found.read(0.5), 2), round(found.read(0.9), 2)
    (0.5, 0.75)
    """
    import numpy as np

    p = np.clip(np.asarray(said, float), SMALLEST, 1 - SMALLEST)
    y, whose = np.asarray(came, float), np.asarray(seats if seats is not None else [0] * len(p))
    x = np.stack([np.log(p / (1 - p)), *(1.0 * (whose == seat) for seat in range(int(whose.max()) + 1))])
    tried = [_fit_with(lapse, x, y) for lapse in LAPSES]
    _, lapse, (slope, *shifts) = max(tried, key=lambda one: one[0])
    slope = min(max(slope, FLATTEST), STEEPEST)  # never upside down: a fit stays monotone
    return Calibration(slope, tuple(shifts), lapse)


def _fit_with(lapse: float, x: Any, y: Any) -> tuple[float, float, list[float]]:
    """The best slope and shifts for a lapse (by Fisher's scoring), and how likely they make the results."""
    import numpy as np

    plain = np.array([1.0, *[0.0] * (len(x) - 1)])  # what is read as it was said
    found = plain.copy()
    for _ in range(50):
        likely = 1 / (1 + np.exp(-np.clip(found @ x, -30, 30)))
        q = np.clip(lapse + (1 - 2 * lapse) * likely, 1e-9, 1 - 1e-9)
        steep = (1 - 2 * lapse) * likely * (1 - likely)
        hessian = (x * np.maximum(steep * steep / (q * (1 - q)), 1e-9)) @ x.T + DOUBT * np.eye(len(x))
        pull = x @ ((y - q) * steep / (q * (1 - q))) - DOUBT * (found - plain)
        step = np.linalg.solve(hessian, pull)
        found += np.clip(step, -1, 1)  # a leap would not come back
        if float(np.abs(step).max()) < 1e-9:
            break
    return float((y * np.log(q) + (1 - y) * np.log(1 - q)).sum()), lapse, [float(one) for one in found]


@dataclass(frozen=True)
class Bin:
    """Estimates of about the same size: how many, what they said and what came, on average."""

    count: int
    said: float
    came: float


def bins(said: Sequence[float], came: Sequence[float], number: int = 10) -> list[Bin]:
    """Estimates sorted into bins of equal width; empty ones are left out."""
    found: list[list[tuple[float, float]]] = [[] for _ in range(number)]
    for p, y in zip(said, came, strict=True):
        found[min(number - 1, int(p * number))].append((p, y))
    return [
        Bin(len(rows), sum(p for p, _ in rows) / len(rows), sum(y for _, y in rows) / len(rows))
        for rows in found
        if rows
    ]


def expected_error(found: Sequence[Bin]) -> float:
    """By how many points estimates and results differ on average, over the bins.

    >>> round(expected_error([Bin(1, 0.2, 0.3), Bin(3, 0.5, 0.5)]), 6)
    2.5
    """
    total = sum(one.count for one in found)
    return 100 * sum(one.count * abs(one.said - one.came) for one in found) / max(1, total)
