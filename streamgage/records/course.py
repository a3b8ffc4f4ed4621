"""The course of a run: samples, validations, disturbances, and the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec

from streamgage.records.base import EndReason, Record, SampleRole, StoppedBy
from streamgage.records.quantities import (
    LEFT_OUT,
    Amount,
    ByteAmount,
    ByteCount,
    Computed,
    Count,
    CountFrom1,
    CpuSeconds,
    Difference,
    Duration,
    MembersFrom0,
    Number,
    Position,
    Positions,
    Rate,
    Seats,
    Seconds,
    Share,
)


class QuietTime(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The part of a sample in which every thread had its CPU.

    Each thread walks through its part in windows of a fraction of a millisecond, and notes at the
    end of each how much CPU time it had. A window is quiet if it lost nearly none.
    """

    windows: CountFrom1
    """The windows of all threads together."""
    quiet_windows: Count
    nanoseconds: list[Count]
    """How long every thread was in a quiet window, for each window of the first thread."""
    elements: list[Count]
    """The elements that all threads moved in that time."""


class Sample(Record, frozen=True, kw_only=True, tag="sample"):
    """One timed run of one variant, from the first start of a thread to the last end."""

    variant: Count
    block: Count
    epoch: Count = 0
    """The number of the allocation of the arrays that it used, from 0."""
    role: SampleRole
    at_seconds: Duration | None = None
    """When it began, in seconds from the start of the run; null if unknown."""
    seconds: Seconds
    pass_seconds: Seconds | None = None
    """The time of one pass that counts: of the whole sample where no thread lost its CPU, else at
    the rate of its quiet time. Null if there was hardly any, and where nothing is known of it."""
    passes: CountFrom1 = 1
    """How often every thread went through its part within those seconds. More than once if the
    arrays are in the caches, so that the sample is long enough."""
    cpus: Seats
    """The CPU of every thread just before its part."""
    cpus_end: Seats | None
    """The CPU of every thread just after its part; null if all are the same as before it."""
    moved: Count
    """The number of threads that left their CPU during the sample, or that ran on another than
    their bound CPU."""
    switches: Count
    """Involuntary context switches of all threads together."""
    paused_seconds: Duration = 0.0
    """How long the threads stood still without waiting for a CPU, such as while a signal or a
    debugger stopped the engine. Above 0 only if ``role`` is ``paused``."""
    quiet: QuietTime | None = None
    """Null where it is not known: for a user's own kernel, for a device, and where threads share
    CPUs."""
    rank_seconds: Annotated[list[Seconds], LEFT_OUT] | None = None
    """The time of each MPI rank; null in a run of one process. ``seconds`` is then the time of the
    slowest host, from the first start on it to the last end."""

    @property
    def seconds_a_pass(self) -> float:
        """The seconds of one pass, by the time in which all threads had their CPUs if known."""
        return self.seconds / self.passes if self.pass_seconds is None else self.pass_seconds


class Validation(Record, frozen=True, kw_only=True, tag="validation"):
    """The result of checking every element that one variant wrote."""

    variant: Count
    valid: bool | None
    """Whether the results are correct; null if they were not checked, such as those of a user's own
    kernel without a check."""
    checked: Count
    """The number of elements compared; 1 for the value of a reduction. For a user's own kernel, the
    number of iterations."""
    wrong: Count
    first_wrong: Count | None
    expected: Computed | None
    found: str | None
    """The wrong value, as text so that NaN and infinity survive JSON."""
    spot_failures: Count
    """The number of samples after which a spot check failed. For a user's own kernel: after which
    something was written outside its arrays."""


class IdleLatency(Record, frozen=True, kw_only=True, tag="latency"):
    """The idle latency of memory: each load depends on the one before, and nothing else runs.

    The chain of loads visits every line of ``bytes`` in random order, on huge pages where
    available. On a device one work-item walks, and the end of every walk is checked. Times are
    seconds per load: the median of ``repeats`` walks, and the quickest and slowest walk.
    """

    seconds: Seconds
    minimum: Seconds
    maximum: Seconds
    repeats: Count
    bytes: ByteCount
    loads: CountFrom1
    """The number of loads in one walk."""
    huge_share: Share | None
    """The share of the chain in huge pages; null if the kernel does not report it."""
    cpu: Position | None
    """Of the thread that walked; null: a device did."""
    block: Annotated[Count, LEFT_OUT] | None = None
    """The round, in a run that measures the latencies of several working sets; else null."""
    nodes: Positions | None = None
    """The NUMA nodes on which the pages of bound memory were found. Null if memory was not bound,
    or the kernel does not report them."""
    quiet_share: Share | None = None
    """The share of the loads of a walk that counts, the median over the walks: those in windows in
    which the thread kept its CPU. Of a walk with less than 0.25, all loads count. Null: a device
    walked."""


class LoadedWindow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of the time in which the memory was loaded at a constant pace."""

    seconds: Seconds
    bytes: ByteCount
    """The bytes that the loading threads read and wrote in that time; they crossed the memory
    bus."""
    loads: CountFrom1
    """The number of loads of the thread that measured the latency."""


class LoadedLatency(Record, frozen=True, kw_only=True, tag="loaded"):
    """The latency of memory while other threads load it; each load depends on the one before."""

    block: Count
    """The number of the round."""
    mix: str
    """The mix of reads and writes: lines read per line written, such as ``reads`` or ``2:1``, or
    ``streaming``."""
    kernel: str
    """The kernel of the loading threads. Its ordinary stores go to lines that it also reads."""
    share: Amount
    """The load that was requested, as a share of the mix's highest rate; 0 is no load."""
    target_bytes_per_second: Rate | None
    """The bandwidth that was requested; null without a load, and for the highest load that the
    threads can give."""
    effort: Amount
    """The number of loading threads, at full speed, that gave this load at the end. 2.3 means two
    threads at full speed, and a third one for 30 % of the time."""
    generators: MembersFrom0
    """The number of threads that loaded the memory."""
    windows: Annotated[list[LoadedWindow], msgspec.Meta(min_length=1)]
    """Consecutive parts of the time, each of which counts as an observation of its own."""
    moved: Count
    """The number of threads that changed their CPU."""


class DomainTraffic(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The bytes that went to and from one memory domain.

    The domain is a package or a NUMA node; if neither is set, the whole machine. Lost counts are
    null, never 0.
    """

    package: Position | None = None
    node: Position | None = None
    bytes_read: ByteAmount | None
    """The bytes read; null if the source does not count reads and writes separately."""
    bytes_written: ByteAmount | None
    bytes_total: ByteAmount | None
    """All bytes read and written; null if one of the domain's counters could not be read."""
    bytes_local: Annotated[ByteAmount, LEFT_OUT] | None = None
    """The part of the total that concerns memory next to the requesting CPUs; null if the source
    does not count it."""
    reason: str | None = None
    """Why the byte counts are null; null if they are known."""


class CalibratedKernel(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One kernel of known traffic, and what a source counted for it.

    The idle machine's own traffic is subtracted from the bytes.
    """

    kernel: str
    store: str | None
    """The kind of store; null for a kernel without stores."""
    seconds: Seconds
    expected_read: ByteAmount
    expected_written: ByteAmount
    read: ByteAmount | None
    written: ByteAmount | None
    total: ByteAmount
    deviation: Difference
    """The error of the worse direction (reads or writes), as a share of the expected total."""


class Calibration(Record, frozen=True, kw_only=True, tag="calibration"):
    """Whether a source of traffic is believed, by what it counted for kernels of known traffic.

    Idle rates are the machine's bytes per second without this program's kernels.
    """

    source: str
    replayed: bool
    """``True`` if the counters were played back from a recording, so that nothing here was
    measured."""
    accepted: bool
    reason: str | None
    """Why the source is not believed; null if it is."""
    idle_seconds: Duration
    idle_read: ByteAmount | None
    idle_written: ByteAmount | None
    idle_total: ByteAmount | None
    runs: list[CalibratedKernel]


def refuse_bytes_of_no_time(seconds: float, domains: Sequence[DomainTraffic]) -> None:
    """Raise ``ValueError`` if a domain has bytes, but there was no time in which they moved."""
    known = [(e.bytes_read, e.bytes_written, e.bytes_total) for e in domains]
    if not seconds and any(each is not None for three in known for each in three):
        raise ValueError("Expected no bytes where no time passed")


class Traffic(Record, frozen=True, kw_only=True, tag="traffic"):
    """The bytes that hardware counters saw during one or more timed samples of a variant.

    The idle machine's own traffic over the same time is subtracted.
    """

    variant: Count
    block: Count
    """The block of the first of these samples."""
    samples: Count
    passes: CountFrom1
    """The number of passes in all those samples together."""
    seconds: Duration
    """How long the counters ran; 0 if their counts were lost, and then no domain has bytes."""
    source: str
    """The source of the counts, such as ``perf uncore_imc`` or ``resctrl``."""
    replayed: bool = False
    domains: list[DomainTraffic]
    running_share: Amount
    """The share of the time in which the events really counted; below 1 they were multiplexed."""

    def consistent(self) -> None:
        """Raise ``ValueError`` if bytes moved in no time."""
        refuse_bytes_of_no_time(self.seconds, self.domains)


class Disturbance(Record, frozen=True, kw_only=True, tag="disturbance"):
    """What else the machine did between two blocks, in CPU-seconds on the CPUs in use."""

    first_block: Count
    last_block: Count
    seconds: Duration
    steal_seconds: CpuSeconds | None
    other_seconds: CpuSeconds | None
    """The time for which other processes used those CPUs. It may be slightly below zero, because it
    is counted in coarse ticks."""
    throttled_seconds: Duration | None
    """The CPU-seconds for which the cgroup's CPU quota stopped its CPUs, summed over them; null if
    there is no quota."""


class End(Record, frozen=True, kw_only=True, tag="end"):
    """The last record of a run that ended by itself; a killed run has none."""

    reason: EndReason
    message: str | None
    exit_status: Number
    stopped_by: StoppedBy | None
    blocks: Count
    """The number of blocks of timed samples, without warm-ups."""
    seconds: Duration
    touch_seconds: Duration
    tuning_seconds: Duration = 0.0
    kernel_seconds: Duration
    paused_seconds: Duration = 0.0
    """How long the engine was stopped (SIGSTOP, Ctrl-Z) until it got SIGCONT, whether it measured
    then or not; for MPI, the first rank. Other pauses are in the samples that they hit."""
