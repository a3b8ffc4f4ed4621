"""Alpha limited by physics: no more can cross the bus than the theoretical peak.

A kernel with L loads and 1 store that runs at a nominal rate moves rate x (1 + alpha / (L + 1)). So
alpha <= (L + 1) x (peak / rate - 1), with rate and peak in GB/s. ThunderX2's Copy, times 1.5, would
be 1.19 of the peak, so it cannot have read every line that it stored.
"""

from __future__ import annotations

from dataclasses import dataclass

from streamgage.analysis.peak.gates import HIGHEST
from streamgage.analysis.peak.peak import Peak
from streamgage.analysis.traffic.alpha import Alpha
from streamgage.analysis.traffic.reason import Reason, ReasonCode
from streamgage.records import Kernel

ROUNDING = 1.03
"""The limit alone excludes *full* if it would exceed this multiple of the peak. Below it the bound
of alpha is so near to 1 that it says nothing; there the odds decide (``likelihood``)."""
REACHABLE = 0.92
"""The share of the peak that memory does not exceed in practice if it also writes. 70 to 92 % is
normal, above 98 % is an error."""
_NONE = 0.25


@dataclass(frozen=True)
class Bound:
    """Upper limits of alpha: ``hard`` from the peak, ``reachable`` from what memory reaches."""

    gbps: float
    loads: int
    peak: Peak

    @property
    def hard(self) -> float:
        """The alpha at which the traffic would equal the peak."""
        return (self.loads + 1) * (self.peak.gbps / self.gbps - 1)

    @property
    def reachable(self) -> float:
        """The alpha at which the traffic would be 92 % of the peak."""
        return (self.loads + 1) * (REACHABLE * self.peak.gbps / self.gbps - 1)

    @property
    def full_gbps(self) -> float:
        """The traffic of full write-allocate in GB/s."""
        return self.gbps * (self.loads + 2) / (self.loads + 1)

    @property
    def excludes_full(self) -> bool:
        """``True`` if full write-allocate is impossible."""
        return self.full_gbps > ROUNDING * self.peak.gbps

    @property
    def above_peak(self) -> bool:
        """``True`` if even the nominal rate exceeds the peak, so that one of the two is wrong."""
        return self.gbps > HIGHEST * self.peak.gbps


def bound_of(kernel: Kernel, gbps: float | None, peak: Peak | None) -> Bound | None:
    """The bound on a kernel that write-allocates; ``None`` if its rate or the peak is unknown."""
    if gbps is None or peak is None or peak.gbps <= 0 or kernel.stores != 1:
        return None
    return Bound(gbps, kernel.loads, peak)


def exclude(bound: Bound, reachable: float) -> Alpha | None:
    """The verdict of the physical limit alone; ``None`` if it excludes nothing.

    ``reachable``: the least such limit among kernels with the same stores.
    """
    if not bound.excludes_full or bound.above_peak:
        return None
    why = Reason(
        why=ReasonCode.EXCLUDED, gbps=bound.full_gbps, peak_gbps=bound.peak.gbps, high=bound.hard
    )
    if min(reachable, bound.reachable) > _NONE:
        return Alpha(
            verdict="at-most", low=0.0, high=bound.hard, evidence="excluded", reasons=[why]
        )
    return Alpha(
        verdict="none",
        value=0.0,
        low=0.0,
        high=bound.hard,
        evidence="excluded",
        reasons=[Reason(why=ReasonCode.SELDOM, limit=REACHABLE), why],
    )
