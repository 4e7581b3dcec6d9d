"""Calibration: what a net says becomes a chance that comes true as often as it says.

Two numbers a net, slope and shift of the log-odds, fitted to the results of games between rungs by
`ludus lab calibrate TITLE`, which writes them into the title's folder with the command that made them.
They go into the last layer of the net itself: so everything that is averaged over later is a chance already.
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
FORMAT = 1
SMALLEST = 1e-4  # no estimate is surer than that
FLATTEST, STEEPEST = 0.05, 5.0  # slopes
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
    shift: float = 0.0
    judge: str = ""  # the digest of what it was fitted to; "" where nothing was fitted
    ece: float | None = None  # expected calibration error, in points, on games that were not fitted to
    facts: Mapping[str, Any] = field(default_factory=dict)  # command, games, decisions, commit, bins
    rungs: tuple[Rung, ...] = ()

    def read(self, chance: float) -> float:
        """An estimate of the judge, as a chance.

        >>> Calibration(slope=2.0).read(0.5), Calibration().read(0.25)
        (0.5, 0.25)
        """
        chance = min(1 - SMALLEST, max(SMALLEST, chance))
        return 1 / (1 + math.exp(-(self.slope * math.log(chance / (1 - chance)) + self.shift)))

    def put_into(self, net: Net) -> Net:
        """The same net, saying chances."""
        fitted = net.copy()
        w2 = fitted.parts["w2"]
        w2 *= self.slope
        w2[len(fitted.parts["b1"])] += self.shift
        return fitted


def digest_of(net: Net | None, what: str) -> str:
    """Names what was fitted: the weights of a net, or how rollouts are played."""
    h = hashlib.sha256(what.encode())
    if net is not None:
        for name in sorted(net.parts):
            h.update(net.parts[name].tobytes())
    return h.hexdigest()[:16]


def calibration_name(title: Title[Any, Any], box: Any) -> str:
    """Which calibration a box has: that of its net, or the only one."""
    return title.inputs.net_name(box) if title.inputs is not None else title.name


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
        return Calibration(kept["slope"], kept["shift"], kept["judge"], kept["ece"], kept["facts"], rungs)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise FormatError(f"this is no calibration ({error!r:.60})", source=str(path)) from None


def save(title: Title[Any, Any], name: str, found: Calibration) -> Path:
    path = path_of(title, name)
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"calibration": FORMAT, **asdict(found)}, indent=1) + "\n", encoding="utf-8")
    return path


# -- fitting ------------------------------------------------------------------------------------------------


def fit(said: Sequence[float], came: Sequence[float]) -> tuple[float, float]:
    """Slope and shift of the log-odds that make estimates fit results best (by Newton's method).

    >>> slope, shift = fit(([0.5] * 4 + [0.9] * 4) * 1000, [0, 1, 0, 1, 1, 1, 0, 1] * 1000)
    >>> round(slope, 2), round(abs(shift), 2)
    (0.5, 0.0)
    """
    import numpy as np

    p = np.clip(np.asarray(said, float), SMALLEST, 1 - SMALLEST)
    x, y = np.log(p / (1 - p)), np.asarray(came, float)
    slope, shift = 1.0, 0.0
    for _ in range(50):
        q = 1 / (1 + np.exp(-np.clip(slope * x + shift, -30, 30)))
        w = np.maximum(q * (1 - q), 1e-9)
        d = y - q
        hessian = np.array([[(w * x * x).sum() + DOUBT, (w * x).sum()], [(w * x).sum(), w.sum() + DOUBT]])
        slopes = np.array([(d * x).sum() - DOUBT * (slope - 1), d.sum() - DOUBT * shift])
        step = np.clip(np.linalg.solve(hessian, slopes), -1, 1)  # a leap would not come back
        slope, shift = slope + float(step[0]), shift + float(step[1])
        if float(np.abs(step).max()) < 1e-9:
            break
    return min(max(slope, FLATTEST), STEEPEST), shift  # never upside down: a fit stays monotone


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
