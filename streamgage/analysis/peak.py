"""The theoretical peak of the memory in use, and how it is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Peak:
    """Channels x transfer rate x width, in GB/s (10^9 bytes a second)."""

    gbps: float
    source: Literal["given", "smbios", "model"]
    """``given`` on the command line, the memory modules that SMBIOS lists, or the table of
    processor models (then it is what the model can have, not what is plugged in)."""
    detail: str
    """Such as ``8 channels of DDR4-2666``, to be shown beside the figure."""
