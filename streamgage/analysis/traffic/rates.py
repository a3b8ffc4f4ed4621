"""Computes the real traffic from the nominal rate and alpha.

hardware = nominal x (1 + alpha x stores / (loads + stores)), in GB/s (10^9 bytes per second).
"""

from __future__ import annotations

from dataclasses import dataclass

from streamgage.analysis.traffic.alpha import Alpha
from streamgage.analysis.traffic.volumes import CountedTraffic
from streamgage.records import Kernel


@dataclass(frozen=True)
class Rate:
    """A nominal rate in GB/s: the median and its bounds."""

    median: float
    low: float
    high: float


@dataclass(frozen=True)
class Crossing:
    """The real traffic in GB/s with its bounds, and how it is known.

    For an upper bound of alpha it has only bounds; for an unknown alpha, nothing.
    """

    alpha: Alpha
    hardware_gbps: float | None
    hardware_low_gbps: float | None
    hardware_high_gbps: float | None
    traffic: CountedTraffic | None = None
    """The counters' figures, if they decided."""


def crossing_of(alpha: Alpha, rate: Rate, kernel: Kernel) -> Crossing:
    """The real traffic of a kernel that write-allocates, with the uncertainty of alpha and rate."""
    if alpha.evidence == "likely":
        return Crossing(alpha, None, None, None)  # nothing that may be quoted
    if alpha.verdict in (None, "cannot-tell") or alpha.high is None or alpha.low is None:
        return Crossing(alpha, None, None, None)
    share = kernel.stores / (kernel.loads + kernel.stores)

    def hardware(gbps: float, value: float) -> float:
        # Noise may make alpha negative; fewer bytes than the nominal ones cannot cross.
        return gbps * (1 + max(0.0, value) * share)

    known = alpha.verdict != "at-most" and alpha.value is not None
    return Crossing(
        alpha,
        hardware(rate.median, alpha.value or 0.0) if known else None,
        hardware(rate.low, alpha.low),
        hardware(rate.high, alpha.high),
    )
