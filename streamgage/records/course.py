"""What happened: samples, validations, disturbances, and the end."""

from __future__ import annotations

from typing import Annotated

import msgspec

from streamgage.records.base import EndReason, Record, SampleRole, StoppedBy


class Sample(Record, frozen=True, kw_only=True, tag="sample"):
    """One timed run of one variant, from the first start of a thread to the last end."""

    variant: int
    block: int
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


class Validation(Record, frozen=True, kw_only=True, tag="validation"):
    """Outcome of the element-by-element check of one variant."""

    variant: int
    valid: bool
    checked: int
    """Elements compared (1 for a reduction's value)."""
    wrong: int
    first_wrong: int | None
    expected: float | None
    found: str | None
    """Text, so that NaN and infinity survive JSON."""
    spot_failures: int
    """Samples after which a spot check failed."""


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
