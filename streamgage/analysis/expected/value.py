"""A published bandwidth, with its source and the hardware that it applies to."""

from __future__ import annotations

import datetime
from typing import Literal

import msgspec

from streamgage.records.quantities import Amount, Members, Rate, Share

Bound = Literal["at least", "about", "measured"]
"""The meaning of the figure in its source. ``at least``: less is a fault. ``about``: healthy
machines are near it. ``measured``: it was measured once."""
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
    """The kind of memory, such as DDR5."""
    memory_gb: Amount | None = None
    """The capacity of the memory of the packages in use, in 10^9 bytes, as its maker states it."""
    packages: Members | None = None
    """The number of processors in use."""
    cores: Members | None = None
    """The number of cores of these processors."""
    threads: Members | None = None
    """The number of threads of the published run."""
    guest: bool | None = None
    """``True`` if the system was a guest of a hypervisor."""
    processor: str = ""
    """A regular expression that matches the processor's name; empty for a GPU."""
    system: str = ""
    """A pattern for the maker and model of the computer, if the processor's name is not enough."""
    generation: str = ""
    """The processor's name in ``peak/families.csv``, by which masked names are recognised."""
    who: str
    """The name of the publisher."""
    benchmark: str
    page: str
    """The address of the source, without ``https://``."""
    read: datetime.date
    """The day on which the source was read."""
    note: str = ""
    """A condition that readers must know before they compare."""
