"""The result of ``streamgage measure --runs`` as one document, which ``--format json`` prints.

Rates are GB/s (10^9 bytes per second) by STREAM's nominal counting. Unknown values are ``None``.
"""

from __future__ import annotations

import msgspec

from streamgage.analysis.statistics.spread import Spread
from streamgage.records.quantities import (
    Amount,
    Count,
    Members,
    Number,
    NumberList,
    Rate,
    refuse_unknown,
)
from streamgage.results.document import Document


class Ratio(msgspec.Struct, frozen=True, kw_only=True):
    """A placement's rate divided by the baseline's, as the median over ``n`` rounds.

    ``low`` and ``high`` bound it with 95 % confidence; below 6 rounds they are the range.
    """

    value: Amount
    low: Amount
    high: Amount
    n: Members


class RepeatedRun(msgspec.Struct, frozen=True, kw_only=True):
    """One process of the engine. Runs are listed in the order in which they ran."""

    round: Members
    """The number of the round, from 1. Each round runs every placement once, in random order."""
    placement: str
    threads: Members | None
    cpus: NumberList | None
    """All CPUs on which a thread was in a timed sample; ``None`` if no record shows them."""
    bound: bool | None
    samples: Count
    """The number of timed samples of all kernels together."""
    sharing: Count
    """The number of samples in which several threads were on one CPU."""
    failure: str | None
    """Why its figures are left out of the statistics; ``None`` if they are included."""
    records: str | None
    """The file with its records; ``None`` if they were not kept."""


class RepeatedRate(msgspec.Struct, frozen=True, kw_only=True):
    """The median rate of one run's samples of a kernel."""

    round: Members
    gbps: Rate


class RepeatedKernel(msgspec.Struct, frozen=True, kw_only=True):
    """One kernel with one placement, over its runs."""

    kernel: str
    """The kernel with its kind of stores: ``triad plain``."""
    placement: str
    rates: list[RepeatedRate]
    spread: Spread | None
    """The spread over the runs; ``None`` below two runs."""
    ratio: Ratio | None
    """The ratio to the baseline, paired round by round; ``None`` for the baseline itself."""


class Repeat(Document, frozen=True, kw_only=True, tag="repeat"):
    """The result of ``streamgage measure --runs``."""

    rounds: Members
    """The requested number of rounds."""
    seed: Number
    """The seed for the order of the placements in the rounds."""
    placements: list[str]
    baseline: str
    runs: list[RepeatedRun]
    kernels: list[RepeatedKernel]

    def consistent(self) -> None:
        """Raise ``ValueError`` if a part names another part that does not exist."""
        refuse_unknown("baseline", self.baseline, self.placements)
        runs = {(each.placement, each.round) for each in self.runs}
        for each in self.kernels:
            refuse_unknown("placement", each.placement, self.placements)
            for rate in each.rates:
                refuse_unknown("round", (each.placement, rate.round), runs)

    def others(self) -> list[str]:
        """The placements with figures, except the baseline."""
        names = dict.fromkeys(each.placement for each in self.kernels)
        return [name for name in names if name != self.baseline]
