"""The answer of ``streamgage repeat`` as one document: what ``--format json`` prints.

Rates are GB/s (10^9 bytes a second) by STREAM's nominal counting. What is not known is ``None``.
"""

from __future__ import annotations

import msgspec

from streamgage.analysis.statistics.spread import Spread
from streamgage.results.document import Document


class Ratio(msgspec.Struct, frozen=True, kw_only=True):
    """A placement's rate over that of the baseline, median over ``n`` rounds.

    ``low`` and ``high`` bound it with 95 % confidence; below 6 rounds they are the extremes.
    """

    value: float
    low: float
    high: float
    n: int


class RepeatedRun(msgspec.Struct, frozen=True, kw_only=True):
    """One process of the engine, in the order in which they ran."""

    round: int
    """From 1; in each round every placement runs once, in random order."""
    placement: str
    threads: int | None
    cpus: str | None
    """The CPUs that threads were bound to, or first seen on; ``None`` where it did not come to
    that."""
    bound: bool | None
    failure: str | None
    """Why its figures are in no statistics; ``None`` where they are."""
    records: str | None
    """File of its records; ``None`` where they were not kept."""


class RepeatedRate(msgspec.Struct, frozen=True, kw_only=True):
    """The median rate of one run's samples of a kernel."""

    round: int
    gbps: float


class RepeatedKernel(msgspec.Struct, frozen=True, kw_only=True):
    """One kernel with one placement, over its runs."""

    kernel: str
    """With the kind of stores: ``triad plain``."""
    placement: str
    rates: list[RepeatedRate]
    spread: Spread | None
    """``None`` below two runs."""
    ratio: Ratio | None
    """Over the baseline, paired round by round; ``None`` for the baseline itself."""


class Repeat(Document, frozen=True, kw_only=True, tag="repeat"):
    """The whole answer."""

    rounds: int
    """As many as were asked for."""
    seed: int
    """Of the order of the placements in the rounds."""
    placements: list[str]
    baseline: str
    runs: list[RepeatedRun]
    kernels: list[RepeatedKernel]

    def others(self) -> list[str]:
        """The placements that have figures, but for the baseline."""
        names = dict.fromkeys(each.placement for each in self.kernels)
        return [name for name in names if name != self.baseline]
