"""The odds of what a table's stores read, and the grade that they deserve.

The posterior of a combination of stores is its prior (``combinations``) times its likelihood
(``likelihood``). A kernel's verdict is the band of alpha that gathers the most of it: none up to
0.25, full from 0.75. The odds against everything else decide how it is called. The page on
validation in the documentation has the share of wrong verdicts on public tables by grade.

Data that no usual combination explains have no verdict: where each would need more than the peak,
where the most probable one still leaves more than 15 % between the loops, or where it is that one
loop alone has other stores. Such a loop is far more often one that something else held back.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from streamgage.analysis.traffic.combinations import Combination, combinations_of
from streamgage.analysis.traffic.likelihood import Rates, hardware, log_likelihood, log_sum

LIKELY_ODDS = 30.0
INFERRED_ODDS = 100.0
MOST_SPREAD = 0.15
"""The most that memory explains between the traffic of loops."""
NONE_TO, FULL_FROM = 0.25, 0.75
Band = Literal["none", "partial", "full"]
Grade = Literal["inferred", "likely"]


def band_of(alpha: float) -> Band:
    """The band of alpha that has a name."""
    if alpha <= NONE_TO:
        return "none"
    return "full" if alpha >= FULL_FROM else "partial"


def grade_of(odds: float) -> Grade | None:
    """The grade of a verdict with those odds; ``None`` if they decide nothing."""
    if odds >= INFERRED_ODDS:
        return "inferred"
    return "likely" if odds >= LIKELY_ODDS else None


@dataclass(frozen=True)
class Posterior:
    """The combinations of stores with their shares of the evidence, which sum to 1."""

    rates: Rates
    combinations: Sequence[Combination]
    shares: Sequence[float]

    @cached_property
    def best(self) -> Combination:
        """The most probable combination."""
        return self.combinations[max(range(len(self.shares)), key=lambda n: self.shares[n])]

    @cached_property
    def spread(self) -> float:
        """The spread of the loops in the most probable combination; copy may be a call."""
        return self.spread_if(self.best)

    def spread_if(self, combination: Combination) -> float:
        """The share by which the greatest traffic exceeds the least.

        Copy takes no part if it may be a call, nor does init, whose pure writes are often slower.
        """
        crossed = self.rates.crossed(combination.alphas)
        out = {"init"} if self.rates.call is False else {"init", "copy"}
        together = [gbps for name, gbps in crossed.items() if name not in out]
        together += [hardware(row.gbps, row.loads, row.alpha) for row in self.rates.known]
        if len(together) < 2:
            together = list(crossed.values())
        return max(together) / min(together) - 1

    def probability(self, kernel: str, band: Band) -> float:
        """The probability that the kernel's alpha lies in the band."""
        return math.fsum(
            share
            for share, combination in zip(self.shares, self.combinations, strict=True)
            if band_of(combination.alphas[kernel]) == band
        )

    def odds(self, kernel: str, band: Band) -> float:
        """The odds of that band against all others."""
        other = math.fsum(
            share
            for share, combination in zip(self.shares, self.combinations, strict=True)
            if band_of(combination.alphas[kernel]) != band
        )
        return self.probability(kernel, band) / other if other > 0 else math.inf

    def verdict(self, kernel: str) -> Band:
        """The most probable band."""
        bands: tuple[Band, ...] = ("none", "partial", "full")
        return max(bands, key=lambda band: self.probability(kernel, band))


def posterior_of(rates: Rates) -> Posterior | None:
    """The posterior; ``None`` if every combination needs more than the peak."""
    combinations = combinations_of(rates.unknown, call=rates.call)
    logs = [math.log(each.prior) + log_likelihood(rates, each.alphas) for each in combinations]
    total = log_sum(logs)
    if total == -math.inf:
        return None
    return Posterior(rates, combinations, [math.exp(each - total) for each in logs])
