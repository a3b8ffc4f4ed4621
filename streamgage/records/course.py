"""What happened: samples, validations, disturbances, and the end."""

from __future__ import annotations

from typing import Annotated

import msgspec

from streamgage.records.base import EndReason, Record, SampleRole, StoppedBy


class Sample(Record, frozen=True, kw_only=True, tag="sample"):
    """One timed run of one variant, from the first start of a thread to the last end."""

    variant: int
    block: int
    epoch: int = 0
    """Number of the allocation of the arrays that it was taken on, from 0."""
    role: SampleRole
    seconds: float
    passes: Annotated[int, msgspec.Meta(ge=1)] = 1
    """Times that every thread went through its part within those seconds: more than one where the
    arrays are in the caches, so that the sample is long enough."""
    cpus: list[int]
    """The CPU of every thread just before its part."""
    cpus_end: list[int] | None
    """The CPU of every thread just after; null where all are the same as before."""
    moved: int
    """Threads that were not on one CPU from start to end, or not on their bound CPU."""
    switches: int
    """Involuntary context switches, all threads together."""
    rank_seconds: list[float] | None = None
    """Each MPI rank's own time; ``seconds`` is then that of the slowest host, from the first start
    on it to the last end. Null in a run of one process."""


class Validation(Record, frozen=True, kw_only=True, tag="validation"):
    """Outcome of the element-by-element check of one variant."""

    variant: int
    valid: bool | None
    """Null: not checked, as of a user's own kernel that has no check."""
    checked: int
    """Elements compared (1 for a reduction's value); iterations of a user's own kernel."""
    wrong: int
    first_wrong: int | None
    expected: float | None
    found: str | None
    """Text, so that NaN and infinity survive JSON."""
    spot_failures: int
    """Samples after which a spot check failed; of a user's own kernel, after which something was
    written outside its arrays."""


class IdleLatency(Record, frozen=True, kw_only=True, tag="latency"):
    """Idle latency of memory: one load that depends on the one before, nothing else at work.

    A chain through every line of ``bytes`` in random order, on huge pages where they were had.
    Seconds a load: the median of ``repeats`` walks, and the quickest and slowest of them.
    """

    seconds: float
    minimum: float
    maximum: float
    repeats: int
    bytes: int
    loads: int
    """Of one walk."""
    huge_share: float | None
    """Share of the chain in huge pages; null where the kernel does not tell."""
    cpu: int
    block: int | None = None
    """The round of a run that measures latencies of several working sets; else null."""
    nodes: list[int] | None = None
    """The NUMA nodes on which pages of bound memory were found; null where memory was not bound, or
    the kernel does not tell."""


class LoadedWindow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of the time in which the memory was loaded at one pace."""

    seconds: float
    bytes: int
    """That the loading threads read and wrote meanwhile, which is what crossed the memory bus."""
    loads: int
    """Of the thread that walked."""


class Loaded(Record, frozen=True, kw_only=True, tag="loaded"):
    """The latency of memory while other threads stream: one load that depends on the one before."""

    block: int
    """The round."""
    mix: str
    """Lines that are read for each line written: ``reads``, ``2:1`` or ``1:1``."""
    kernel: str
    """The loop of the loading threads, which overwrites only what it reads."""
    share: float
    """Of the highest rate of the mix that was asked for; 0: no load."""
    interval_seconds: float
    """Between two pieces of a loading thread; 0: no pause."""
    generators: int
    """Threads that loaded the memory."""
    windows: list[LoadedWindow]
    """Parts of the time, one after the other, that count by themselves."""
    moved: int
    """Threads that changed CPU."""


class DomainTraffic(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Bytes that one memory domain gave and took.

    A package or a NUMA node; with neither, the whole machine. What is lost is null, never 0.
    """

    package: int | None = None
    node: int | None = None
    bytes_read: float | None
    """Null where the source does not tell reads and writes apart."""
    bytes_written: float | None
    bytes_total: float | None
    """Null where one of the domain's counters could not be read."""
    reason: str | None = None
    """Why they are null."""


class Calibrated(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One kernel of known traffic as a source saw it; bytes, the idle machine's subtracted."""

    kernel: str
    store: str | None
    """Null for a kernel that stores nothing."""
    seconds: float
    expected_read: float
    expected_written: float
    read: float | None
    written: float | None
    total: float
    deviation: float
    """Of the direction that is farthest off, as a share of the expected total."""


class Calibration(Record, frozen=True, kw_only=True, tag="calibration"):
    """Whether a source of traffic is believed: what it saw of kernels of known traffic.

    Idle rates are bytes a second of the machine without this program's kernels.
    """

    source: str
    replayed: bool
    """The counters were played back from a recording, so nothing here was measured."""
    accepted: bool
    reason: str | None
    """Why it is not."""
    idle_seconds: float
    idle_read: float | None
    idle_written: float | None
    idle_total: float | None
    runs: list[Calibrated]


class Traffic(Record, frozen=True, kw_only=True, tag="traffic"):
    """What hardware counters saw of one or more timed samples of a variant.

    The idle machine's own traffic over the same time is subtracted.
    """

    variant: int
    block: int
    """The first of the samples' blocks."""
    samples: int
    passes: int
    """Of all those samples together."""
    seconds: float
    """That the counters ran."""
    source: str
    """Such as ``perf uncore_imc`` or ``resctrl``."""
    replayed: bool = False
    domains: list[DomainTraffic]
    running_share: float
    """Share of the time that the events really counted; below 1 they were multiplexed."""


class Disturbance(Record, frozen=True, kw_only=True, tag="disturbance"):
    """What else went on between two blocks; CPU-seconds on the CPUs in use."""

    first_block: int
    last_block: int
    seconds: float
    steal_seconds: float | None
    other_seconds: float | None
    """Busy time of those CPUs that was not this process; it may be slightly below zero, because
    the ticks that it is counted in are coarse."""
    throttled_seconds: float | None
    """CPU-seconds that the cgroup's CPU quota stopped its CPUs, summed over them; null where there
    is no quota."""


class End(Record, frozen=True, kw_only=True, tag="end"):
    """Last record of a run that ended by itself; a killed run has none."""

    reason: EndReason
    message: str | None
    exit_status: int
    stopped_by: StoppedBy | None
    blocks: int
    """Blocks of timed samples, warm-ups not counted."""
    seconds: float
    touch_seconds: float
    tuning_seconds: float = 0.0
    kernel_seconds: float
