"""The figures of one kernel over the fresh runs of one condition, one per round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from streamgage.analysis.statistics.bootstrap import bootstrap_median, estimate_of
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.analysis.statistics.intervals import Summary, summarise
from streamgage.records.run import Run


@dataclass(frozen=True)
class Rounds:
    """The median seconds per element of each round; ``moved`` is the nominal bytes per element."""

    times: dict[int, float]
    moved: float
    single: Summary | None
    """The summary of the samples if there is only one round; ``None`` if there are several."""
    samples: int

    def gbps(self) -> Estimate:
        """The rate in GB/s: the median over the rounds, or over the samples of a single round."""
        if self.single is not None:
            bounds = self.single.bounds
            return Estimate(
                value=self._gbps(self.single.median),
                low=None if bounds is None else self._gbps(bounds.high),
                high=None if bounds is None else self._gbps(bounds.low),
                bounded_by="interval" if bounds is None else bounds.bounded_by,
            )
        found = estimate_of(
            bootstrap_median([self._gbps(seconds) for seconds in self.times.values()])
        )
        assert found is not None
        return found

    def _gbps(self, seconds: float) -> float:
        return self.moved / seconds / 1e9


def rounds_of(kernel: str, store: str, runs: Sequence[FreshRun]) -> Rounds | None:
    """The rounds of the kernel with that kind of stores; ``None`` if no run has it."""
    times: dict[int, float] = {}
    summaries: list[Summary] = []
    moved = 0.0
    for each in runs:
        for variant in each.run.shown():
            if (variant.kernel, variant.store) != (kernel, store):
                continue
            summary = summarise(each.run.element_times(variant.id))
            moved = each.run.iteration_bytes(variant) or moved
            if summary is not None and summary.median > 0:
                times[each.round] = summary.median
                summaries.append(summary)
    if not times or not moved:
        return None
    single = summaries[0] if len(summaries) == 1 else None
    return Rounds(dict(sorted(times.items())), moved, single, sum(each.n for each in summaries))


@dataclass(frozen=True)
class FreshRun:
    """One process. ``failure`` is a sentence if its figures are left out of the statistics."""

    condition: str
    round: int
    run: Run
    failure: str | None
    records: str | None
