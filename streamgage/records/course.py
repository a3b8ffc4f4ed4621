"""The course of a run: samples, validations, disturbances, and the end."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from streamgage.records.base import EndReason, Record, SampleRole, StoppedBy
from streamgage.records.quantities import (
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


class Sample(Record, frozen=True, kw_only=True, tag="sample"):
    """One timed run of one variant, from the first start of a thread to the last end."""

    variant: Count
    block: Count
    epoch: Count = 0
    """Number of the allocation of the arrays that it was taken on, from 0."""
    role: SampleRole
    seconds: Seconds
    passes: CountFrom1 = 1
    """Times that every thread went through its part within those seconds: more than one where the
    arrays are in the caches, so that the sample is long enough."""
    cpus: Seats
    """The CPU of every thread just before its part."""
    cpus_end: Seats | None
    """The CPU of every thread just after; null where all are the same as before."""
    moved: Count
    """Threads that were not on one CPU from start to end, or not on their bound CPU."""
    switches: Count
    """Involuntary context switches, all threads together."""
    paused_seconds: Duration = 0.0
    """How long the threads stood still without waiting for a CPU, as while a signal or a debugger
    stops the engine; above 0 only where ``role`` is ``paused``."""
    rank_seconds: list[Seconds] | None = None
    """Each MPI rank's own time; ``seconds`` is then that of the slowest host, from the first start
    on it to the last end. Null in a run of one process."""


class Validation(Record, frozen=True, kw_only=True, tag="validation"):
    """Outcome of the element-by-element check of one variant."""

    variant: Count
    valid: bool | None
    """Whether the results are correct; null: not checked, such as for a user's own kernel without a
    check."""
    checked: Count
    """Elements compared (1 for a reduction's value); iterations of a user's own kernel."""
    wrong: Count
    first_wrong: Count | None
    expected: Computed | None
    found: str | None
    """Text, so that NaN and infinity survive JSON."""
    spot_failures: Count
    """Samples after which a spot check failed; of a user's own kernel, after which something was
    written outside its arrays."""


class IdleLatency(Record, frozen=True, kw_only=True, tag="latency"):
    """Idle latency of memory: one load that depends on the one before, nothing else at work.

    A chain through every line of ``bytes`` in random order, on huge pages where available. On a
    device one work-item walks, and the end of every walk is checked. Seconds
    per load: the median of ``repeats`` walks, and the quickest and slowest of them.
    """

    seconds: Seconds
    minimum: Seconds
    maximum: Seconds
    repeats: Count
    bytes: ByteCount
    loads: Count
    """Loads of one walk."""
    huge_share: Share | None
    """Share of the chain in huge pages; null where the kernel does not report it."""
    cpu: Position | None
    """Of the thread that walked; null: a device did."""
    block: Count | None = None
    """The round of a run that measures latencies of several working sets; else null."""
    nodes: Positions | None = None
    """The NUMA nodes on which pages of bound memory were found; null where memory was not bound, or
    the kernel does not report them."""


class LoadedWindow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of the time in which the memory was loaded at one pace."""

    seconds: Seconds
    bytes: ByteCount
    """What the loading threads read and wrote in that time, and so what crossed the memory bus."""
    loads: Count
    """Loads of the thread that walked."""


class Loaded(Record, frozen=True, kw_only=True, tag="loaded"):
    """The latency of memory while other threads stream: one load that depends on the one before."""

    block: Count
    """The round."""
    mix: str
    """Lines that are read for each line written, such as ``reads`` or ``2:1``; ``streaming``."""
    kernel: str
    """The loop of the loading threads: ordinary stores go to lines that it reads."""
    share: Amount
    """The load that was asked for, as a share of the mix's highest rate; 0: no load."""
    target_bytes_per_second: Rate | None
    """Bandwidth that was asked for; null if there is no load, or as much as the threads can."""
    effort: Amount
    """How many loading threads at full speed that took at the end: 2.3 are two at full speed, and a
    third one for 30 % of the time."""
    generators: MembersFrom0
    """Threads that loaded the memory."""
    windows: list[LoadedWindow]
    """Parts of the time, one after the other, that count by themselves."""
    moved: Count
    """Threads that changed CPU."""


class DomainTraffic(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Bytes that one memory domain gave and took.

    A package or a NUMA node; with neither, the whole machine. What is lost is null, never 0.
    """

    package: Position | None = None
    node: Position | None = None
    bytes_read: ByteAmount | None
    """Bytes read; null if the source does not count reads and writes separately."""
    bytes_written: ByteAmount | None
    bytes_total: ByteAmount | None
    """All bytes; null if one of the domain's counters could not be read."""
    bytes_local: ByteAmount | None = None
    """Part of the total that memory next to the asking CPUs gave and took; null where the source
    does not say."""
    reason: str | None = None
    """Why they are null."""


class Calibrated(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One kernel of known traffic as a source saw it; bytes, the idle machine's subtracted."""

    kernel: str
    store: str | None
    """The kind of store; null for a kernel that stores nothing."""
    seconds: Seconds
    expected_read: ByteAmount
    expected_written: ByteAmount
    read: ByteAmount | None
    written: ByteAmount | None
    total: ByteAmount
    deviation: Difference
    """How far the worse direction (reads or writes) is off, as a share of the expected total."""


class Calibration(Record, frozen=True, kw_only=True, tag="calibration"):
    """Whether a source of traffic is believed: what it saw of kernels of known traffic.

    Idle rates are bytes per second of the machine without this program's kernels.
    """

    source: str
    replayed: bool
    """The counters were played back from a recording, so nothing here was measured."""
    accepted: bool
    reason: str | None
    """Why it is not."""
    idle_seconds: Duration
    idle_read: ByteAmount | None
    idle_written: ByteAmount | None
    idle_total: ByteAmount | None
    runs: list[Calibrated]


def refuse_bytes_of_no_time(seconds: float, domains: Sequence[DomainTraffic]) -> None:
    """Raise ``ValueError`` if a domain has bytes, and no time in which they moved."""
    known = [(e.bytes_read, e.bytes_written, e.bytes_total) for e in domains]
    if not seconds and any(each is not None for three in known for each in three):
        raise ValueError("what took no time has bytes")


class Traffic(Record, frozen=True, kw_only=True, tag="traffic"):
    """What hardware counters saw of one or more timed samples of a variant.

    The idle machine's own traffic over the same time is subtracted.
    """

    variant: Count
    block: Count
    """The first of the samples' blocks."""
    samples: Count
    passes: CountFrom1
    """Passes of all those samples together."""
    seconds: Duration
    """How long the counters ran; 0 if they were lost, and then no domain has bytes."""
    source: str
    """Such as ``perf uncore_imc`` or ``resctrl``."""
    replayed: bool = False
    domains: list[DomainTraffic]
    running_share: Amount
    """Share of the time that the events really counted; below 1 they were multiplexed."""

    def consistent(self) -> None:
        """Raise ``ValueError`` for bytes that moved in no time."""
        refuse_bytes_of_no_time(self.seconds, self.domains)


class Disturbance(Record, frozen=True, kw_only=True, tag="disturbance"):
    """What else went on between two blocks; CPU-seconds on the CPUs in use."""

    first_block: Count
    last_block: Count
    seconds: Duration
    steal_seconds: CpuSeconds | None
    other_seconds: CpuSeconds | None
    """Busy time of those CPUs that was not this process; it may be slightly below zero, because
    the ticks that it is counted in are coarse."""
    throttled_seconds: Duration | None
    """CPU-seconds that the cgroup's CPU quota stopped its CPUs, summed over them; null if there is
    no quota."""


class End(Record, frozen=True, kw_only=True, tag="end"):
    """Last record of a run that ended by itself; a killed run has none."""

    reason: EndReason
    message: str | None
    exit_status: Number
    stopped_by: StoppedBy | None
    blocks: Count
    """Blocks of timed samples, warm-ups not counted."""
    seconds: Duration
    touch_seconds: Duration
    tuning_seconds: Duration = 0.0
    kernel_seconds: Duration
    paused_seconds: Duration = 0.0
    """How long the engine was stopped (SIGSTOP, Ctrl-Z) until it got SIGCONT, measured or not; of
    the first MPI rank. Other pauses are in the samples that they hit."""
