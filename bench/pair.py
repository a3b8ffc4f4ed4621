"""Compares the engine with a peer: one pair of measurements, and its result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median

from streamgage.analysis.statistics.intervals import median_interval


def interval_of(ratios: Sequence[float]) -> str:
    """The 95 % interval of the median, for a table."""
    within = median_interval(sorted(ratios))
    return "-" if within is None else f"{within.low:.3f} - {within.high:.3f}"


@dataclass
class Pair:
    """One comparison: what each side measures, and the results in MB/s."""

    peer: str
    kernel: str
    store: str
    threads: int
    ours: Callable[[], float]
    theirs: Callable[[], float]
    ours_mbps: list[float] = field(default_factory=list)
    theirs_mbps: list[float] = field(default_factory=list)
    prepare: Callable[[], tuple[str, str]] | None = None
    """Chooses what the two sides measure, where that takes runs; returns peer and store mode."""

    def measure(self, ours_first: bool) -> None:
        """Measures both sides once."""
        if ours_first:
            self.ours_mbps.append(self.ours())
        self.theirs_mbps.append(self.theirs())
        if not ours_first:
            self.ours_mbps.append(self.ours())

    def ratios(self) -> list[float]:
        """Our rate over theirs, for each round."""
        return [a / b for a, b in zip(self.ours_mbps, self.theirs_mbps, strict=True)]

    def row(self) -> str:
        """The pair's line of the table."""
        ratios = self.ratios()
        best = max(self.ours_mbps) / max(self.theirs_mbps)
        return (
            f"| {self.peer} | {self.kernel} | {self.store} | {self.threads} "
            f"| {median(self.theirs_mbps) / 1e3:.1f} | {median(self.ours_mbps) / 1e3:.1f} "
            f"| {median(ratios):.3f} | {interval_of(ratios)} | {best:.3f} |"
        )
