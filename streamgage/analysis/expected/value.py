"""A published bandwidth, with its source and what it holds for."""

from __future__ import annotations

from typing import Literal

import msgspec

from streamgage.records.quantities import Amount, Members, Rate, Share

Bound = Literal["at least", "about", "measured"]
"""The meaning of the figure in its source: less is a fault; healthy machines are near it; or it was
measured once."""
Stores = Literal["plain", "streaming", "unknown"]
"""The stores of the published program; ``unknown`` if its source does not say."""


class ExpectedValue(msgspec.Struct, frozen=True, kw_only=True):
    """One row of ``expected.csv``: a figure that others published.

    Rates are GB/s (10^9 bytes per second) by STREAM's nominal counting. A condition is ``None`` if
    the source does not say it, or where the processor's name alone settles it.
    """

    hardware: str
    """The hardware that the value is for, in words."""
    device: Literal["cpu", "gpu"]
    kernel: str
    stores: Stores
    low_gbps: Rate
    high_gbps: Rate
    """The upper figure; the same as ``low_gbps`` if only one was published."""
    bound: Bound
    tolerance: Share | None = None
    """The share below ``low_gbps`` that the source allows a healthy machine."""
    memory: str
    """The kind, such as DDR5."""
    memory_gb: Amount | None = None
    """Capacity of the memory of the packages in use, 10^9 bytes, as its maker names it."""
    packages: Members | None = None
    """Processors in use."""
    cores: Members | None = None
    """Their cores together."""
    threads: Members | None = None
    """Threads of the published run."""
    guest: bool | None = None
    """``True`` if it was a guest of a hypervisor."""
    processor: str = ""
    """A regular expression that the processor's name matches; empty of a GPU."""
    system: str = ""
    """A pattern for the maker and model of the computer, if the processor's name is not enough."""
    generation: str = ""
    """The processor's name in ``peak/families.csv``, by which masked names are recognised."""
    who: str
    """Who published it."""
    benchmark: str
    page: str
    """The address of the source, without ``https://``."""
    note: str = ""
    """A condition that a reader must know before a comparison."""
