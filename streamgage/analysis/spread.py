"""How the rates of repeated runs spread: the figures that papers give of them."""

from __future__ import annotations

import math

from streamgage.analysis.modes import two_modes
from streamgage.analysis.run import Run
from streamgage.records import Variant
from streamgage.result import Group, Spread

APART = 0.05
"""Groups of runs that are nearer than this are what runs differ by anyway."""


def spread_of(run: Run, variant: Variant) -> Spread | None:
    """Nominal rates over the tables that another benchmark printed; null below two of them.

    Each table stands for one run, and its figure is mostly the best of that run's repetitions:
    mean and sample deviation are over runs, as in published repetitions of STREAM.
    """
    moved = run.iteration_bytes(variant)
    times = run.element_times(variant.id)
    if run.reported is None or moved is None or len(times) < 2:
        return None
    rates = sorted(moved / seconds / 1e9 for seconds in times)
    n = len(rates)
    mean = math.fsum(rates) / n
    middle = (rates[(n - 1) // 2] + rates[n // 2]) / 2
    found = two_modes(times)
    modes = found if found is not None and found.slow / found.fast - 1 > APART else None
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
