"""The answer as one document: what ``--format json`` prints and what every page is made of.

Rates are GB/s (10^9 bytes a second) by STREAM's nominal counting unless a name says ``hardware``.
What is not known is ``None``.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from streamgage.analysis.finding import Finding
from streamgage.analysis.statistics.spread import Spread
from streamgage.analysis.traffic.alpha import Alpha
from streamgage.analysis.traffic.volumes import CountedTraffic
from streamgage.records import AccessShape, Calibration, Counters, Purpose, Reported, Tuning
from streamgage.results.document import Document


class KernelResult(msgspec.Struct, frozen=True, kw_only=True):
    """One variant; ``low_gbps`` and ``high_gbps`` bound the median with 95 % confidence."""

    kernel: str
    store: str
    isa: str | None = None
    tuned: bool
    """Whether the shape is not the default one: such figures are not those of a standard run."""
    shape: AccessShape | None = None
    """The access shape of vector code; ``None`` for any other."""
    gain: float | None = None
    """Of a tuned variant: the share by which it was quicker than the same kernel with the same
    stores in the default shape, median over the blocks (0.05: 5 %). ``gain_low`` and ``gain_high``
    bound it with 95 % confidence."""
    gain_low: float | None = None
    gain_high: float | None = None
    threads: int
    type: str
    n: int
    best_gbps: float | None
    median_gbps: float | None
    low_gbps: float | None
    high_gbps: float | None
    hardware_gbps: float | None
    """What crossed the memory bus, the lines that stores read included; ``hardware_low_gbps`` and
    ``hardware_high_gbps`` are its bounds, the uncertainty of ``alpha`` included."""
    hardware_low_gbps: float | None = None
    hardware_high_gbps: float | None = None
    peak_share: float | None = None
    """``hardware_gbps`` over the theoretical peak, where both are known."""
    traffic: CountedTraffic | None = None
    """What counters saw of it; ``None`` where none were believed."""
    purpose: Purpose = "rate"
    alpha: Alpha
    valid: bool | None
    """``None`` where the run ended before the check."""
    epochs: int = 1
    """Allocations of the arrays that the samples come from."""
    spread: Spread | None = None
    """Of the runs in the saved output of another benchmark, where it holds several."""


class PeakResult(msgspec.Struct, frozen=True, kw_only=True):
    """The theoretical peak of the memory in use; ``source`` says how it is known."""

    gbps: float
    source: Literal["given", "smbios", "model"]
    """``given`` on the command line, the memory modules that SMBIOS lists, or the table of
    processor models: then it is what the model can have, not what is plugged in."""
    detail: str
    """Such as ``8 channels of DDR4-2666``."""


class SeriesPoint(msgspec.Struct, frozen=True, kw_only=True):
    """Nominal bandwidth of a kernel with that many threads; bounds of 95 % confidence."""

    kernel: str
    threads: int
    gbps: float
    low_gbps: float | None
    high_gbps: float | None


class SaturationResult(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the memory or the cores are the limit, from a short series of threads."""

    saturated: bool | None
    """``None`` where the series does not show it."""
    limit: Literal["cores", "memory", "quota"] | None
    reason: str
    share: float | None
    """Bandwidth of all threads over that of as many times one."""
    enough_threads: int
    """The fewest of the measured numbers of threads that give 90 % of the best."""
    lines_in_flight: float | None
    """Of one core, by Little's law."""
    latency_seconds: float | None
    """Idle latency of memory."""
    series: list[SeriesPoint]


class OwnKernelResult(msgspec.Struct, frozen=True, kw_only=True):
    """A kernel of the user's own: what it declares, and how it stands; bytes are an iteration."""

    kernel: str
    formula: str
    source: str
    """The file as the user named it."""
    code: str | None
    """What made it: compiler and flags."""
    iterations: int
    read_bytes: float
    written_bytes: float
    allocated_bytes: float
    """Of what it writes without reading it: what ordinary stores may read besides."""
    flops: float
    gflops: float | None
    """10^9 floating-point operations a second, at the median."""
    reference: str | None
    """The kernel of the catalogue that it is compared with, and its stores."""
    reference_share: float | None
    """Of the bandwidth of that one: of what crossed the bus where both are known, else nominal."""
    reference_nominal: bool
    """Whether it is of nominal bytes."""
    checked: list[str]
    """The checks that it passed before the first sample."""
    has_check: bool
    """Whether it has a check of its results."""


class Result(Document, frozen=True, kw_only=True, tag="measure"):
    """The whole answer of one run."""

    peak: PeakResult | None = None
    peak_reason: str | None = None
    """Why the peak is not known, where it is not."""
    reported: Reported | None = None
    """What another benchmark says of itself, where the result is that of its saved output."""
    kernels: list[KernelResult]
    checks: list[KernelResult] = msgspec.field(default_factory=list)
    """What was measured for the interpretation alone: ordinary stores whose reads were forced."""
    own_kernels: list[OwnKernelResult] = msgspec.field(default_factory=list)
    """Those of the user's own that were measured."""
    saturation: SaturationResult | None = None
    counters: Counters | None = None
    """Which sources of memory traffic were looked for, where the run did."""
    calibration: Calibration | None = None
    """What the source saw of kernels of known traffic, and whether it is believed."""
    tunings: list[Tuning] = msgspec.field(default_factory=list)
    """What was decided of the shapes of vector kernels, and how."""
    findings: list[Finding]
    quote: str | None
