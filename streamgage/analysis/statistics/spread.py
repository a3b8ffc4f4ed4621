"""The spread of rates over repeated runs, in the statistics that papers report."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from streamgage.analysis.statistics.modes import Modes, two_modes
from streamgage.records import Variant
from streamgage.records.quantities import Amount, Members, Rate, RateFrom0

if TYPE_CHECKING:  # imported for types only: a list of results must not load the records
    from streamgage.records.run import Run

FEWEST_IN_A_GROUP = 2
MOST_APART = 4.0
"""Runs whose rates differ by this factor come from different states of the machine."""
APART = 0.05
"""Groups of runs that are closer than this share are ordinary variation."""


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """One of two groups of rates: its median, and its share of the runs."""

    gbps: Rate
    share: Amount


class Spread(msgspec.Struct, frozen=True, kw_only=True):
    """Nominal rates over the repeated runs in a file.

    ``deviation_gbps`` is the sample's deviation.
    """

    n: Members
    mean_gbps: Rate
    deviation_gbps: RateFrom0
    median_gbps: Rate
    minimum_gbps: Rate
    maximum_gbps: Rate
    modes: list[Group] = []
    """The two groups of rates, the faster first; empty if the rates form one group."""

    @property
    def below_best(self) -> float:
        """How far the worst run lies below the best, as a share of the best."""
        return 1 - self.minimum_gbps / self.maximum_gbps

    @property
    def of_one_state(self) -> bool:
        """``True`` if one median describes the runs; else they differ too much for that."""
        return self.maximum_gbps < MOST_APART * self.minimum_gbps


def spread_of(run: Run, variant: Variant) -> Spread | None:
    """The spread over the tables that another benchmark printed; ``None`` below two of them.

    Each table stands for one run, and its figure is usually the best of that run's repetitions.
    Mean and sample deviation are over runs, as in published repetitions of STREAM.
    """
    moved = run.iteration_bytes(variant)
    if run.reported is None or moved is None:
        return None
    return spread_of_times(run.element_times(variant.id), moved)


def spread_of_times(times: Sequence[float], moved: float) -> Spread | None:
    """The spread of runs that took these times for ``moved`` bytes; ``None`` below two runs."""
    if len(times) < 2:
        return None
    rates = sorted(moved / seconds / 1e9 for seconds in times)
    n = len(rates)
    mean = math.fsum(rates) / n
    middle = (rates[(n - 1) // 2] + rates[n // 2]) / 2
    found = two_modes(times)
    modes = found if found is not None and _are_groups(found, n) else None
    groups = (
        [
            Group(gbps=moved / modes.fast / 1e9, share=modes.fast_share),
            Group(gbps=moved / modes.slow / 1e9, share=1 - modes.fast_share),
        ]
        if modes
        else []
    )
    return Spread(
        n=n,
        mean_gbps=mean,
        deviation_gbps=math.sqrt(math.fsum((rate - mean) ** 2 for rate in rates) / (n - 1)),
        median_gbps=middle,
        minimum_gbps=rates[0],
        maximum_gbps=rates[-1],
        modes=groups,
    )


def _are_groups(modes: Modes, n: int) -> bool:
    """Return whether the modes of ``n`` runs are far enough apart, and neither is a single run."""
    smaller = round(min(modes.fast_share, 1 - modes.fast_share) * n)
    return smaller >= FEWEST_IN_A_GROUP and modes.slow / modes.fast - 1 > APART
