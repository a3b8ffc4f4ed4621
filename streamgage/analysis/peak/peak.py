"""The theoretical peak of the memory in use, and how it is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

PeakSource = Literal["given", "smbios", "model"]


@dataclass(frozen=True)
class Peak:
    """Channels x transfer rate x width, in GB/s (10^9 bytes a second)."""

    gbps: float
    source: PeakSource
    """``given`` on the command line, the memory modules that SMBIOS lists, or the table of
    processor models (then it is what the model can have, not what is plugged in)."""
    detail: str
    """Such as ``8 channels of DDR4-2666``, to be shown beside the figure."""


@dataclass(frozen=True)
class NoPeak:
    """Why the peak is not known."""

    reason: str


def channel_gbps(megatransfers: int, width_bits: int) -> float:
    """GB/s of one channel: transfers a second x bytes of each (10^6/s x bits / 8 / 10^9)."""
    return megatransfers * width_bits / 8 / 1000
