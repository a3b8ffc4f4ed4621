"""The answer as one document: what ``--format json`` prints and what every page is made of.

Rates are GB/s (10^9 bytes per second) by STREAM's nominal counting unless a name says ``hardware``.
What is not known is ``None``.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from streamgage.analysis.cloud.servers import Operation
from streamgage.analysis.cloud.shared_traits import SharedTraits
from streamgage.analysis.cloud.standing import Standing
from streamgage.analysis.expected.doubt import Doubt
from streamgage.analysis.expected.value import ExpectedValue
from streamgage.analysis.limits import Limit, OpenReason
from streamgage.analysis.peak.reason import NoPeakReason
from streamgage.analysis.peak.usual import USUAL
from streamgage.analysis.statistics.intervals import FEWEST, BoundedBy
from streamgage.analysis.statistics.spread import Spread
from streamgage.analysis.traffic.alpha import Alpha
from streamgage.analysis.traffic.reading import Readings
from streamgage.analysis.traffic.volumes import CountedTraffic
from streamgage.records import (
    AccessShape,
    BenchmarkOutput,
    Calibration,
    Counters,
    Device,
    Purpose,
    Tuning,
)
from streamgage.records.quantities import (
    Amount,
    ByteAmount,
    ByteCount,
    Count,
    Difference,
    Duration,
    Members,
    MembersFrom0,
    NumberList,
    Positions,
    Rate,
    RateFrom0,
    Seconds,
    Share,
)
from streamgage.results.document import Document
from streamgage.results.measure.facts import AnyFact


class MachineState(msgspec.Struct, frozen=True, kw_only=True):
    """A state of the machine's own speed, which all kernels share."""

    speed: Amount
    """Over the speed in the state with the largest share of the time."""
    share: Share
    """Of the measured time."""


class StateRate(msgspec.Struct, frozen=True, kw_only=True):
    """The rates of a variant in one state, as in ``KernelResult``; null if it has no sample there.

    ``hardware_gbps`` rests on the ``alpha`` of the whole run.
    """

    n: Count
    gbps: Rate | None = None
    low_gbps: RateFrom0 | None = None
    high_gbps: RateFrom0 | None = None
    bounded_by: BoundedBy = "interval"
    hardware_gbps: RateFrom0 | None = None


class KernelResult(msgspec.Struct, frozen=True, kw_only=True):
    """One variant; ``low_gbps`` and ``high_gbps`` bound the median as ``bounded_by`` says."""

    kernel: str
    store: str
    isa: str | None = None
    tuned: bool
    """Whether the shape is not the default one: such figures are not those of a standard run."""
    shape: AccessShape | None = None
    """The access shape of vector code; ``None`` for any other."""
    gain: Difference | None = None
    """The share by which a tuned variant was quicker than the same kernel with the same stores in
    the default shape, median over the blocks (0.05: 5 %). ``gain_low`` and ``gain_high`` bound it
    with 95 % confidence."""
    gain_low: Difference | None = None
    gain_high: Difference | None = None
    threads: MembersFrom0
    """0 where another benchmark does not say it, and of a device."""
    type: str
    n: Count
    best_gbps: Rate | None
    median_gbps: Rate | None
    low_gbps: RateFrom0 | None
    high_gbps: RateFrom0 | None
    bounded_by: BoundedBy = "interval"
    """What the bounds are: an ``interval`` of 95 % confidence over the allocations, or the
    ``range`` of all samples if there are fewer than 6 allocations (of one allocation: fewer than 6
    samples)."""
    best_seconds: Seconds | None = None
    """Seconds of one pass over the arrays in the timed samples, as STREAM prints them: the
    shortest, the ``mean``, the longest (``worst``), and the standard ``deviation`` of the
    sample."""
    mean_seconds: Seconds | None = None
    worst_seconds: Seconds | None = None
    deviation_seconds: Duration | None = None
    gflops: Amount | None = None
    """10^9 floating-point operations a second at the median; ``None`` of a kernel that has none."""
    hardware_gbps: RateFrom0 | None
    """What crossed the memory bus, the lines that stores read included; ``hardware_low_gbps`` and
    ``hardware_high_gbps`` are its bounds, the uncertainty of ``alpha`` included."""
    hardware_low_gbps: RateFrom0 | None = None
    hardware_high_gbps: RateFrom0 | None = None
    peak_share: Amount | None = None
    """``hardware_gbps`` over the theoretical peak, where both are known."""
    traffic: CountedTraffic | None = None
    """The traffic that counters saw; ``None`` if none were believed."""
    purpose: Purpose = "rate"
    alpha: Alpha
    valid: bool | None
    """``None`` if the run ended before the check."""
    disturbed: bool = False
    """Whether in every sample threads lost their CPUs: then the figure is too low, and has no
    bounds."""
    epochs: Members = 1
    """Allocations of the arrays that the samples come from."""
    spread: Spread | None = None
    """Spread of the runs in another benchmark's saved output, if it holds several."""
    states: list[StateRate] = msgspec.field(default_factory=list)
    """The rates in each of the machine's states, in the order of ``states`` of the result; empty if
    the machine had one speed. The other figures are those of the whole run."""
    main_state: Count = 0
    """The place in ``states`` of the state with the largest share of the time."""

    @property
    def drifts(self) -> bool:
        """Return whether there are samples enough for an interval, but they follow each other."""
        observations = self.epochs if self.epochs > 1 else self.n
        return self.bounded_by == "range" and observations >= FEWEST

    @property
    def in_main_state(self) -> KernelResult:
        """The figures in the state with the largest share; those of the run without states."""
        if not self.states or self.states[self.main_state].gbps is None:
            return self
        state = self.states[self.main_state]
        return msgspec.structs.replace(
            self,
            n=state.n,
            median_gbps=state.gbps,
            low_gbps=state.low_gbps,
            high_gbps=state.high_gbps,
            bounded_by=state.bounded_by,
            hardware_gbps=state.hardware_gbps,
            hardware_low_gbps=None,
            hardware_high_gbps=self.hardware_high_gbps if self.hardware_gbps is None else None,
        )

    @property
    def gained(self) -> bool:
        """``True`` if the run itself shows, beyond its noise, that the tuned shape is quicker."""
        return self.gain_low is not None and self.gain_low > 0

    @property
    def unconfirmed(self) -> bool:
        """``True`` if its shape ran in pairs with the default one, which do not show a gain."""
        return self.gain is not None and not self.gained


class PeakResult(msgspec.Struct, frozen=True, kw_only=True):
    """The theoretical peak of the memory in use; ``source`` says how it is known."""

    gbps: Rate
    source: Literal["given", "smbios", "model", "driver"]
    """``given`` on the command line, the memory modules that SMBIOS lists, the table of processor
    models (then it is what the model can have, not what is plugged in), or the driver of a device.
    """
    at_most: bool = False
    """``True`` if this memory may have less: something was not read from its parts."""
    usual_low: Share = USUAL.low
    usual_high: Share = USUAL.high
    """The shares of the peak that are usual for this processor with a thread on every core."""
    usual_reason: str | None = None
    """Why they are not those of most processors."""
    detail: str
    """Such as ``8 channels of DDR4-2666``."""


class SeriesPoint(msgspec.Struct, frozen=True, kw_only=True):
    """Nominal bandwidth of a kernel with that many threads; its bounds are as in ``kernels``."""

    kernel: str
    tuned: bool = False
    """``True`` if its access shape is not the default one."""
    threads: Members
    gbps: Rate
    low_gbps: RateFrom0 | None
    high_gbps: RateFrom0 | None
    bounded_by: BoundedBy = "interval"

    @property
    def name(self) -> str:
        """``triad``, or ``tuned triad``."""
        return f"tuned {self.kernel}" if self.tuned else self.kernel


class SaturationResult(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the memory or the cores are the limit, from a short series of threads."""

    saturated: bool | None
    """``None`` if the series does not show it."""
    limit: Limit | None
    open_because: OpenReason | None = None
    """Why the limit is not known: ``other-load`` (others had the CPUs), ``throttled`` (a quota
    stopped threads), ``moved`` (threads changed their CPUs), ``falls`` (all threads have far less
    than fewer), ``rows-differ`` (the series contradicts the kernel's own row), ``two-modes``
    (samples fall into two groups), ``few-samples``, ``noise``, or ``coarse`` (nothing was measured
    where it would show)."""
    kernel: str = ""
    """The kernel of the series that says it."""
    taken: Amount | None = None
    """Share of the CPUs' time that other programs and the hypervisor took."""
    row_gbps: Rate | None = None
    """What that kernel has in ``kernels``, with the same stores and shape: of whole arrays, where
    ``series`` is of parts of them."""
    share: Amount | None
    """Bandwidth of all threads over that of as many times one."""
    enough_threads: Members
    """The fewest of the measured numbers of threads that give 90 % of the best."""
    lines_in_flight: Amount | None
    """Cache lines that one core has in flight, by Little's law."""
    latency_seconds: Seconds | None
    """Idle latency of memory."""
    series: list[SeriesPoint]


class OwnKernelResult(msgspec.Struct, frozen=True, kw_only=True):
    """A kernel of the user's own: its declaration and its checks; bytes are per iteration."""

    kernel: str
    formula: str
    source: str
    """The file as the user named it."""
    code: str | None
    """What made it: compiler and flags."""
    iterations: Count
    read_bytes: ByteAmount
    written_bytes: ByteAmount
    allocated_bytes: ByteAmount
    """Bytes that it writes without reading them: what ordinary stores may read in addition."""
    flops: Amount
    gflops: Amount | None
    """10^9 floating-point operations a second, at the median."""
    reference: str | None
    """The kernel of the catalogue that it is compared with, and its stores."""
    reference_share: Amount | None
    """Share of the reference's bandwidth, as it crossed the bus if both are known, else nominal."""
    reference_nominal: bool
    """``True`` if it is of nominal bytes."""
    array_bytes: list[ByteCount]
    """Size of each of its arrays."""
    checked: list[str]
    """The checks that it passed before the first sample."""
    has_check: bool
    """``True`` if it has a check of its results."""


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """The threads and the arrays of a run: what belongs to every figure."""

    threads: MembersFrom0
    """The threads of all ranks together; 0 of a device."""
    ranks: MembersFrom0
    """0 in a run of one process."""
    hosts: Members
    cores: Members | None
    """Cores that usually had a thread, on all hosts together; ``None`` if threads were not
    bound."""
    cpus: NumberList | None
    """CPUs that usually had a thread, as each host numbers them; ``None`` if threads were not
    bound."""
    arrays: MembersFrom0
    """Arrays of the built-in kernels."""
    array_bytes: ByteCount
    """Size of each of them."""
    nodes: Positions | None
    """The NUMA nodes that the arrays were bound to; ``None``: pages lie where they were first
    touched."""
    isas_named: bool
    """``True`` if instruction sets were asked for by name."""


class ExpectedResult(msgspec.Struct, frozen=True, kw_only=True):
    """A published value for a kernel on similar hardware: a comparison, not a verdict."""

    kernel: str
    store: str
    median_gbps: Rate
    best_gbps: Rate
    """Best sample of this run. Published figures are mostly the best of a run, as in STREAM."""
    values: list[ExpectedValue]
    """The one to say first is first."""
    doubts: list[Doubt]
    """Why it may not be the same hardware or code; empty if all that the sources say is so."""


class StandingResult(msgspec.Struct, frozen=True, kw_only=True):
    """A figure among those of cloud servers like this one: a comparison, and no verdict."""

    operation: Operation
    kernel: str
    store: str
    gbps: Rate
    """The median of this run; of ``copy`` each byte counted once."""
    shared: SharedTraits
    """What the servers have in common with this machine."""
    among: Standing
    server: str | None = None
    """This machine's own type, if the model of the computer names it."""
    server_gbps: Rate | None = None
    """The rate measured once on a server of that type."""
    doubts: list[Doubt]
    """Why the servers may be other hardware."""


class StreamFigure(msgspec.Struct, frozen=True, kw_only=True):
    """The figure that STREAM would print for one of its kernels."""

    kernel: str
    gbps: Rate
    """The best of its passes, the first left out."""


class PageRates(msgspec.Struct, frozen=True, kw_only=True):
    """Triad with two kinds of pages, and with nothing else that differs.

    Passes alternate, threads are bound, and only the time counts in which all had their CPUs.
    """

    own_gbps: Rate
    """The median with the pages of this run."""
    system_gbps: Rate
    """The median with the system's default pages, as STREAM has them."""
    n: Count
    """Pairs of passes."""
    ratio: Amount
    """The median of the pairs' ratios, ``system`` over ``own``; ``low`` and ``high`` bound it."""
    low: Amount
    high: Amount
    bounded_by: BoundedBy = "interval"


class AsStream(msgspec.Struct, frozen=True, kw_only=True):
    """What STREAM itself would print now: it was measured in this run, and not computed.

    The passes are whole ones of the plain loops. The threads are not bound, and the arrays have the
    system's default pages.
    """

    figures: list[StreamFigure]
    threads: Members
    array_bytes: ByteCount
    huge_share: Share | None
    """The share of an array in huge pages; ``None`` if it is unknown."""
    own_huge_share: Share | None
    """The least share of an array of this run."""
    page_bytes: ByteCount
    """The size of a small page."""
    own_gbps: Rate | None
    """The median of triad in this run, with which it is compared."""
    own_threads: MembersFrom0 | None
    other_programs: bool
    """``True`` if a thread lost its CPU in the best pass of triad, and others used the CPUs."""
    pages: PageRates | None
    """``None`` if it was not measured, such as for lack of memory."""


class Measure(Document, frozen=True, kw_only=True, tag="measure"):
    """The result of ``streamgage measure``."""

    device: Device | None = None
    """What was measured in place of the machine's processor, as its driver describes it."""
    peak: PeakResult | None = None
    peak_unknown: list[NoPeakReason] = msgspec.field(default_factory=list)
    """Why the peak is not known, if it is not."""
    expected: list[ExpectedResult] = msgspec.field(default_factory=list)
    """Published values for this hardware, with the headline's first; empty if none is known."""
    expected_reason: str | None = None
    """Why the list of published values could not be read, if so."""
    standings: list[StandingResult] = msgspec.field(default_factory=list)
    """The place of a guest among cloud servers like it; empty if there are none, or the data
    package ``streamgage-cloud`` is not installed."""
    standings_reason: str | None = None
    """Why the list of cloud servers could not be read, if so."""
    reported: BenchmarkOutput | None = None
    """What another benchmark reports about itself, if the result is its output."""
    kernels: list[KernelResult]
    not_measured: list[str] = msgspec.field(default_factory=list)
    """Requested parts for which there was no time: kernels, and variants such as ``copy libc``."""
    settle_seconds: Duration | None = None
    """The time of a run with enough samples to know the headline well, estimated from its samples
    so far; null if this run has enough, or if its time did not end it."""
    checks: list[KernelResult] = msgspec.field(default_factory=list)
    """Variants measured for the interpretation only: ordinary stores with forced reads, and kernels
    of known traffic that were not requested."""
    setup: Setup | None = None
    """``None`` for another benchmark's output, and for a run that ended before it was known."""
    own_kernels: list[OwnKernelResult] = msgspec.field(default_factory=list)
    """The user's own kernels that were measured."""
    readings: Readings | None = None
    """The possible meanings of another benchmark's table, if its rates do not decide it."""
    states: list[MachineState] = msgspec.field(default_factory=list)
    """The states of the machine's own speed, fastest first; empty if it had one speed."""
    state_changes_seconds: list[Duration] = msgspec.field(default_factory=list)
    """When the state changed, in seconds from the start of the run; empty if that is unknown."""
    saturation: SaturationResult | None = None
    as_stream: AsStream | None = None
    """What STREAM itself would print; ``None`` if it was not measured, as where kernels were named
    or there was no time."""
    counters: Counters | None = None
    """The sources of memory traffic that the run tried, if it tried any."""
    calibration: Calibration | None = None
    """What the source counted for kernels of known traffic, and whether it is believed."""
    tunings: list[Tuning] = msgspec.field(default_factory=list)
    """The decision on the shape of each vector kernel, and its reason."""
    findings: list[AnyFact]
    """The findings, most important first."""
