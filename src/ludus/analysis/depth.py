"""How much is thought about a position: in numbers, not in seconds, so that the same comes out everywhere."""

from __future__ import annotations

from dataclasses import dataclass

from ludus.core.errors import FormatError


@dataclass(frozen=True)
class Depth:
    """`lucks`: re-deals with dice that all choices are tried with, then the better ones, then the best few;
    `turns`: the same where whole turns are compared; `outcomes`: so many ends of a throw are weighed at
    most; the rest is for rollouts."""

    name: str
    lucks: tuple[int, int, int]
    turns: tuple[int, int, int]
    outcomes: int
    rollouts: int  # of a position
    rolled: tuple[int, int, int]  # of a choice, as `lucks`


DEPTHS = {
    "quick": Depth("quick", (2, 2, 4), (2, 2, 4), 100, 64, (16, 32, 64)),
    "usual": Depth("usual", (12, 24, 64), (2, 4, 8), 250, 256, (32, 64, 256)),
    "deep": Depth("deep", (32, 64, 256), (8, 16, 32), 500, 1024, (128, 256, 1024)),
}
USUAL = "usual"
BETTER, BEST = 8, 3  # how many choices go on to the second and the third round
SHOWN = 6  # how many alternatives of a decision are kept with their plans; of others the first action


def find_depth(name: str) -> Depth:
    if name not in DEPTHS:
        raise FormatError(f"there is no depth {name!r:.20}; there are: {', '.join(DEPTHS)}")
    return DEPTHS[name]
