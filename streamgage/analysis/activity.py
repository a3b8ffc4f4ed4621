"""The load that other programs put on the CPUs while nothing is measured."""

from __future__ import annotations

from dataclasses import dataclass

from streamgage.cpu_list import count_cpus
from streamgage.records import Activity

_LITTLE = 0.01
_MUCH = 0.05
"""The limits of ``much`` and ``little``, as shares of the CPUs' time."""
_HALF_A_CPU = 0.5
"""A load of half a CPU: the thread that shares its CPU with it keeps all others waiting."""


@dataclass(frozen=True)
class CpuLoss:
    """The share of the usable CPUs that other programs took."""

    share: float
    """The share of the time of all usable CPUs."""
    cpus: float
    """The same load, as a number of CPUs."""

    @property
    def much(self) -> bool:
        """``True`` if figures measured now would be wrong."""
        return self.share > _MUCH or self.cpus >= _HALF_A_CPU

    @property
    def little(self) -> bool:
        """``True`` if it is too little to report."""
        return not self.much and self.share <= _LITTLE


def cpu_loss(activity: Activity, cpu_seconds: float) -> CpuLoss:
    """The share that others took.

    ``cpu_seconds``: the CPU time that they used while ``activity`` was watched.
    """
    cpus = max(0.0, cpu_seconds) / activity.seconds if activity.seconds > 0 else 0.0
    # Ticks are coarse, so the sum may exceed the time of all CPUs.
    return CpuLoss(min(1.0, cpus / max(1, count_cpus(activity.cpus))), cpus)
