"""Alpha from times alone: a kernel is compared with two others that never write-allocate.

These move exactly the bytes that alpha = 0 and alpha = 1 would give, so alpha = (t_kernel - t_lo) /
(t_hi - t_lo), with t in seconds per element, in each block. The result is the median over the
blocks with its bootstrap interval. A systematic 0.15 is added in quadrature, because bandwidth
still changes a little with the mix of reads and writes. (A load-only kernel cannot be used as a
calibration: bandwidth drops by 9 to 23 % as soon as anything is written.) Checked with counters on
a Xeon E5-2660 v2 with 8 threads, which reads 1.01 of the lines: copy 0.99, triad 1.04
(github.com/carstenbauer/BandwidthBenchmark.jl).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from streamgage.analysis.statistics.bootstrap import BlockMedian, bootstrap_median, paired_ratio
from streamgage.analysis.traffic.reason import Reason, ReasonCode
from streamgage.analysis.traffic.timing import Times, Timing, avoids_read

BRACKETS: dict[str, tuple[str | None, str]] = {
    "copy": ("update", "daxpy"),
    "scale": ("update", "daxpy"),
    "add": ("daxpy", "sdaxpy"),
    "triad": ("daxpy", "sdaxpy"),
    "striad": ("sdaxpy", "bracket"),
    "init": (None, "update"),
}
"""For each kernel, the kernels with its traffic at alpha = 0 and at alpha = 1."""
_CHECKED_BY = {"init": "copy"}
"""The kernel whose forced reads show that timing can be trusted, if the kernel's own cannot,
because they need a kernel on either side. All other kernels are checked by their own."""
SYSTEMATIC = 0.15
NARROWEST = 0.15
"""The least (t_hi - t_lo) / t_lo that separates the two."""
_LEAST_CHANGE = 0.02


def evidence_for(kernels: Iterable[str]) -> list[str]:
    """The kernels whose times show what crosses the memory bus in ``kernels``, without repetitions.

    For each kernel that write-allocates, these are the kernels that it lies between, and the one
    whose forced reads check the method, with those that this one lies between.
    """
    found: list[str | None] = []
    for kernel in kernels:
        if kernel in BRACKETS:
            checked = _CHECKED_BY.get(kernel, kernel)
            found += [*BRACKETS[kernel], checked, *BRACKETS[checked]]
    return list(dict.fromkeys(name for name in found if name is not None))


@dataclass(frozen=True)
class AlphaEstimate:
    """Alpha with its bounds. They include the systematic part; ``statistical`` leaves it out."""

    value: float
    low: float
    high: float
    statistical: BlockMedian


@dataclass(frozen=True)
class Bracket:
    """The seconds per element, by block, of the kernels below and above ``kernel``.

    Without ``low``, no kernel moves the bytes that alpha = 0 would give. Half of ``high`` then
    stands for it, as if pure writes were no slower than a mix. They often are, so alpha is then
    only an upper bound.
    """

    kernel: str
    low: Times | None
    high: Times
    low_kernel: str | None
    high_kernel: str
    guessed_share: float = 0.0
    """The relative uncertainty of ``high`` if it was extrapolated; 0 if it was measured."""

    def width(self) -> BlockMedian | None:
        """The relative width: (t_hi - t_lo) / t_lo."""
        if self.low is None:
            return None
        ratio = paired_ratio(self.high, self.low)
        if ratio is None:
            return None
        return BlockMedian(ratio.value - 1, ratio.low - 1, ratio.high - 1, ratio.n)

    def narrow(self) -> Reason | None:
        """Why the bracket cannot separate alpha = 0 from alpha = 1; ``None`` if it can."""
        width = self.width()
        if self.low_kernel is None or width is None:
            return None
        if width.value >= NARROWEST and width.low > 0:
            return None
        return Reason(
            why=ReasonCode.NARROW,
            kernel=self.kernel,
            kernels=[self.low_kernel, self.high_kernel],
            share=width.value,
            low=width.low,
            high=width.high,
            limit=NARROWEST,
        )

    def alpha(self, times: Times) -> AlphaEstimate | None:
        """The alpha of a variant of the kernel; ``None`` if no block has all three times."""
        values = []
        for block in sorted(times.keys() & self.high.keys()):
            high = self.high[block]
            low = high / 2 if self.low is None else self.low.get(block)
            if low is not None and high != low:
                values.append((times[block] - low) / (high - low))
        found = bootstrap_median(values)
        if found is None:
            return None
        width = self.width()
        wide = width.value if width and width.value > 0 else 1.0
        guessed = self.guessed_share * (1 + wide) / wide * abs(found.value)
        return widen(found, math.hypot(SYSTEMATIC, guessed))


def widen(median: BlockMedian, systematic: float) -> AlphaEstimate:
    """Add a systematic uncertainty to ``median`` in quadrature, on both sides."""
    below = math.hypot(median.value - median.low, systematic)
    above = math.hypot(median.high - median.value, systematic)
    return AlphaEstimate(median.value, median.value - below, median.value + above, median)


def bracket_of(timing: Timing, kernel: str) -> Bracket | None:
    """The bracket of ``kernel`` from the fastest ordinary variants of its neighbours, or ``None``.

    Write-prefetched shapes count, because these kernels read what they overwrite in any case.
    """
    if kernel not in BRACKETS:
        return None
    low_kernel, high_kernel = BRACKETS[kernel]
    low = _best(timing, low_kernel) if low_kernel else None
    high = _best(timing, high_kernel)
    if low_kernel and low is None:
        return None
    if high is not None:
        return Bracket(kernel, low, high, low_kernel, high_kernel)
    if kernel == "striad" and low is not None:
        return _extrapolated(timing, low)
    return None


def missing_brackets(timing: Timing, kernel: str) -> Reason:
    """Why ``kernel`` has no bracket: which of its neighbours were not measured."""
    needed = [name for name in BRACKETS.get(kernel, ()) if name is not None]
    missing = [name for name in needed if _best(timing, name) is None]
    if missing:
        return Reason(why=ReasonCode.MISSING_NEIGHBOURS, kernel=kernel, kernels=missing)
    return Reason(
        why=ReasonCode.CLOSE_NEIGHBOURS if needed else ReasonCode.NO_NEIGHBOURS, kernel=kernel
    )


def _best(timing: Timing, kernel: str) -> Times | None:
    fastest = timing.fastest(kernel, lambda variant: not avoids_read(variant))
    return None if fastest is None else timing.of(fastest)


def _extrapolated(timing: Timing, sdaxpy: Times) -> Bracket | None:
    """The bracket of striad if its upper kernel (4R 1W), which other programs lack, is missing.

    Five streams are assumed to have the bandwidth of sdaxpy's four. The uncertainty is the change
    from daxpy's three streams to those four, and at least 2 %.
    """
    daxpy = _best(timing, "daxpy")
    ratio = paired_ratio(sdaxpy, daxpy) if daxpy is not None else None
    if ratio is None:
        return None
    change = abs(3 / 4 * ratio.value - 1)
    high = {block: 5 / 4 * time for block, time in sdaxpy.items()}
    name = "sdaxpy with one more stream"
    return Bracket("striad", sdaxpy, high, "sdaxpy", name, max(change, _LEAST_CHANGE))
