"""Numbers for a monitor, in the text format that Prometheus reads."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping

EDGES = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)

COUNTERS = {
    "requests": "HTTP requests by status class",
    "commands": "Commands by outcome",
    "entries": "Entries that were appended",
    "messages": "Messages that were sent over sockets",
    "bots": "Moves of bots by outcome",
    "store_errors": "Times the database did not answer",
    "limited": "Times a limit was reached, by rule",
    "failures": "Faults of the server itself",
}


class Metrics:
    def __init__(self) -> None:
        self.counts: dict[str, Counter[str]] = {name: Counter() for name in COUNTERS}
        self._spans: dict[str, list[int]] = {}
        self._sums: Counter[str] = Counter()

    def count(self, name: str, label: str = "", n: int = 1) -> None:
        self.counts[name][label] += n

    def time(self, name: str, seconds: float) -> None:
        buckets = self._spans.setdefault(name, [0] * (len(EDGES) + 1))
        buckets[bisect_left(EDGES, seconds)] += 1
        self._sums[name] += seconds  # type: ignore[assignment]

    def text(self, gauges: Mapping[str, float]) -> str:
        rows: list[str] = []
        for name, help_text in COUNTERS.items():
            rows += [f"# HELP ludus_{name}_total {help_text}", f"# TYPE ludus_{name}_total counter"]
            for label, n in sorted(self.counts[name].items()) or [("", 0)]:
                rows.append(f"ludus_{name}_total" + (f'{{kind="{label}"}}' if label else "") + f" {n}")
        for name, value in gauges.items():
            rows += [f"# TYPE ludus_{name} gauge", f"ludus_{name} {value:g}"]
        for name, buckets in self._spans.items():
            rows.append(f"# TYPE ludus_{name}_seconds histogram")
            total = 0
            for edge, n in zip((*EDGES, "+Inf"), buckets, strict=True):
                total += n
                rows.append(f'ludus_{name}_seconds_bucket{{le="{edge}"}} {total}')
            rows += [
                f"ludus_{name}_seconds_sum {self._sums[name]:.6f}",
                f"ludus_{name}_seconds_count {total}",
            ]
        return "\n".join(rows) + "\n"
