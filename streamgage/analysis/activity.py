"""Load of the CPUs by other programs while nothing is measured."""

from __future__ import annotations

from dataclasses import dataclass

from streamgage.cpu_list import count_cpus
from streamgage.records import Activity

_LITTLE = 0.01
_MUCH = 0.05
"""Shares of the CPUs' time."""
_HALF_A_CPU = 0.5
"""One thread that gets half of its CPU keeps all others waiting."""


@dataclass(frozen=True)
class CpuLoss:
    """The share of the usable CPUs that others took."""

    share: float
    """Share of their time."""
    cpus: float
    """The same, as a number of CPUs."""

    @property
    def much(self) -> bool:
        """``True`` if figures that were measured now would be wrong."""
        return self.share > _MUCH or self.cpus >= _HALF_A_CPU

    @property
    def little(self) -> bool:
        """``True`` if it is not worth a word."""
        return not self.much and self.share <= _LITTLE


def cpu_loss(activity: Activity, cpu_seconds: float) -> CpuLoss:
    """The share that others took, from their CPU-seconds while ``activity`` was watched."""
    cpus = max(0.0, cpu_seconds) / activity.seconds if activity.seconds > 0 else 0.0
    # Ticks are coarse, so that it may come to more than all.
    return CpuLoss(min(1.0, cpus / max(1, count_cpus(activity.cpus))), cpus)
