"""The likelihood of a table's rates, given the share of its lines that each kernel's stores read.

Memory has one bandwidth B, so the real traffic T of each kernel is B but for three things, in
logarithms (0.04 is 4 %):

- kernels scatter by 4 % (offsets, loop code, best of a few repetitions);
- bandwidth changes with the share w of the traffic that is written, because memory turns around
  between reads and writes: log T = log B + m (w - mean w), with an m that differs by machine. On
  the public tables it is 0 with a standard deviation of 0.7: between a half and a third written,
  12 %;
- copy may be a call of the C library, with code of its own: 5 % slower, give or take 10 %.

B has no prior, m a normal one, so that both are integrated out in closed form: the fit below is
generalised least squares (Rasmussen and Williams, Gaussian Processes for Machine Learning, 2006,
section 2.7).

Two limits come from outside the rows. A kernel that only reads is a lower bound of the memory: the
real traffic may lie above it, because cores or links of dies cap reads of their own, and falls
below it by what writing costs (20 % is one standard deviation; Intel's Skylake loses 27 % in a
copy by streaming stores). And nothing exceeds 98 % of the peak; above 92 % a table becomes
unlikely.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from streamgage.analysis.peak.gates import HIGHEST
from streamgage.analysis.peak.usual import USUAL

SCATTER = 0.04
BY_MIX = 0.7
CALL_FASTER = -0.05
CALL_VARIES = 0.10
MAY_BE_CALL = 0.5
BELOW_READS = 0.20
NEAR_PEAK = 0.03
EXTRA_LOADS = {"init": 0, "copy": 1, "scale": 1, "add": 2, "triad": 2, "striad": 3}
"""The loads of the kernels whose stores may read their lines; each has one store."""
KNOWN_LOADS = {"update": 1, "daxpy": 2, "sdaxpy": 3, "bracket": 4}
"""The loads of the kernels that read what they overwrite anyway."""
READS = ("load", "sum", "dot")
"""The kernels that only read."""


@dataclass(frozen=True)
class Crossed:
    """The real traffic of a kernel in GB/s, and the share of it that is written."""

    gbps: float
    written: float


@dataclass(frozen=True)
class KnownRow:
    """A kernel with one store whose real traffic is known: its nominal rate, loads and alpha."""

    gbps: float
    loads: int
    alpha: float = 0.0

    @property
    def crossed(self) -> Crossed:
        """Its real traffic."""
        return crossed_by(self.gbps, self.loads, self.alpha)


@dataclass(frozen=True)
class Rates:
    """The nominal rates in GB/s that are judged together, with what bounds them."""

    unknown: Mapping[str, float]
    """The kernels whose stores may read their lines."""
    known: Sequence[KnownRow] = ()
    reads: float | None = None
    """The fastest kernel that only reads."""
    peak_gbps: float | None = None
    call: bool | None = None
    """Whether copy is a call of the C library; ``None`` if that is unknown."""
    gpu: bool = False
    """Whether a GPU with memory of its own ran them."""

    def crossed(self, alphas: Mapping[str, float]) -> dict[str, Crossed]:
        """The real traffic of the unknown kernels."""
        return {
            name: crossed_by(gbps, EXTRA_LOADS[name], alphas[name])
            for name, gbps in self.unknown.items()
        }


def rates_of(
    gbps: Mapping[str, float], peak_gbps: float | None = None, *, call: bool | None = None
) -> Rates:
    """The rates of one table, by kernel."""
    positive = {name: rate for name, rate in gbps.items() if rate > 0 and math.isfinite(rate)}
    return Rates(
        unknown={name: rate for name, rate in positive.items() if name in EXTRA_LOADS},
        known=[
            KnownRow(positive[name], loads)
            for name, loads in KNOWN_LOADS.items()
            if name in positive
        ],
        reads=max((positive[name] for name in READS if name in positive), default=None),
        peak_gbps=peak_gbps,
        call=call,
    )


def crossed_by(gbps: float, loads: int, alpha: float) -> Crossed:
    """The real traffic of a kernel with one store whose stores read that share of their lines."""
    return Crossed(gbps * (1 + alpha / (loads + 1)), 1 / (loads + alpha + 1))


def log_likelihood(rates: Rates, alphas: Mapping[str, float]) -> float:
    """The logarithm of the likelihood; minus infinity if more than the peak would cross."""
    crossed = rates.crossed(alphas)
    highest = max(each.gbps for each in crossed.values())
    share = highest / rates.peak_gbps if rates.peak_gbps else 0.0
    if share > HIGHEST:
        return -math.inf
    points = [
        _Point(math.log(each.gbps), each.written, SCATTER**2)
        for each in (*crossed.values(), *(row.crossed for row in rates.known))
    ]
    called = _call_probability(rates, alphas)
    terms = []
    if called < 1:
        terms.append(math.log(1 - called) + _of_memory(points, rates.reads))
    if called > 0:
        copy = list(crossed).index("copy")
        points[copy] = _Point(
            points[copy].log_gbps - CALL_FASTER,
            points[copy].written,
            points[copy].variance + CALL_VARIES**2,
        )
        terms.append(math.log(called) + _of_memory(points, rates.reads))
    return log_sum(terms) - max(share - USUAL.high, 0.0) ** 2 / (2 * NEAR_PEAK**2)


def _call_probability(rates: Rates, alphas: Mapping[str, float]) -> float:
    """The probability that copy is a call. It is one if its stores differ from those of loops."""
    if "copy" not in rates.unknown or rates.call is False:
        return 0.0
    differs = any(alpha != alphas["copy"] for alpha in alphas.values())
    return 1.0 if rates.call or differs else MAY_BE_CALL


def log_sum(terms: Iterable[float]) -> float:
    """The logarithm of the sum of exponentials."""
    found = list(terms)
    most = max(found)
    if most == -math.inf:
        return most
    return most + math.log(sum(math.exp(each - most) for each in found))


@dataclass(frozen=True)
class _Point:
    log_gbps: float
    written: float
    variance: float


def _of_memory(points: Sequence[_Point], reads: float | None) -> float:
    """The log-likelihood of the fit log T = b + m (w - mean w), and of what only reads."""
    mean = sum(each.written for each in points) / len(points)
    mix = [each.written - mean for each in points]
    weights = [1 / each.variance for each in points]
    # The normal equations of b and m, with the prior of m.
    a = sum(weights)
    c = sum(w * x for w, x in zip(weights, mix, strict=True))
    d = sum(w * x * x for w, x in zip(weights, mix, strict=True)) + 1 / BY_MIX**2
    y = sum(w * p.log_gbps for w, p in zip(weights, points, strict=True))
    z = sum(w * x * p.log_gbps for w, x, p in zip(weights, mix, points, strict=True))
    determinant = a * d - c * c
    b = (d * y - c * z) / determinant
    m = (a * z - c * y) / determinant
    squares = m * m / BY_MIX**2 + sum(
        w * (p.log_gbps - b - m * x) ** 2 for w, x, p in zip(weights, mix, points, strict=True)
    )
    logs = math.log(determinant) + sum(math.log(each.variance) for each in points)
    below = min(b - math.log(reads), 0.0) if reads is not None else 0.0
    return -(squares + logs + (below / BELOW_READS) ** 2) / 2
