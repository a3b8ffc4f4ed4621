"""The odds of what a table's stores read, and the grade that they deserve.

The posterior of a combination of stores is its prior (``combinations``) times its likelihood
(``likelihood``). A kernel's verdict is the band of alpha that gathers the most of it: none up to
0.25, full from 0.75. The odds against everything else decide how it is called. The page on
validation in the documentation has the share of wrong verdicts on public tables by grade.

Data that no usual combination explains have no verdict: where each would need more than the peak,
where the most probable one still leaves more than 15 % between the loops beyond what their mixes
of reads and writes explain, or where it is that one loop alone has other stores. Such a loop is far
more often one that something else held back. No verdict is given, either, if more than 15 % are
left with what the mixes explain.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from streamgage.analysis.traffic.combinations import Combination, combinations_of
from streamgage.analysis.traffic.likelihood import (
    BY_MIX,
    Crossed,
    Rates,
    log_likelihood,
    log_sum,
)

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

    @cached_property
    def unexplained(self) -> float:
        """The spread of two loops beyond one standard deviation of what their mixes explain."""
        points = self._together(self.best)
        return max(
            max(one.gbps, other.gbps)
            / min(one.gbps, other.gbps)
            / math.exp(BY_MIX * abs(one.written - other.written))
            - 1
            for one in points
            for other in points
        )

    def spread_if(self, combination: Combination) -> float:
        """The share by which the greatest traffic exceeds the least."""
        crossed = [each.gbps for each in self._together(combination)]
        return max(crossed) / min(crossed) - 1

    def _together(self, combination: Combination) -> list[Crossed]:
        """The traffic of the kernels that must agree.

        Copy takes no part if it may be a call, nor does init, whose pure writes are often slower.
        """
        out = {"init"} if self.rates.call is False else {"init", "copy"}
        crossed = self.rates.crossed(combination.alphas)
        known = [each.crossed for each in self.rates.known]
        found = [*(crossed[name] for name in crossed if name not in out), *known]
        return found if len(found) > 1 else [*crossed.values(), *known]

    @cached_property
    def copy_apart(self) -> float:
        """The share by which copy differs from the mean loop in the most probable combination."""
        crossed = self.rates.crossed(self.best.alphas)
        others = [math.log(crossed[name].gbps) for name in crossed if name not in ("copy", "init")]
        if "copy" not in crossed or not others:
            return 0.0
        apart = math.log(crossed["copy"].gbps) - sum(others) / len(others)
        return math.exp(abs(apart)) - 1

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
    combinations = combinations_of(rates.unknown, call=rates.call, gpu=rates.gpu)
    logs = [math.log(each.prior) + log_likelihood(rates, each.alphas) for each in combinations]
    total = log_sum(logs)
    if total == -math.inf:
        return None
    return Posterior(rates, combinations, [math.exp(each - total) for each in logs])
