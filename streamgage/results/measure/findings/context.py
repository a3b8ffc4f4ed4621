"""What a check may look at: the records, and what was concluded from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from streamgage.analysis.peak import Peak
from streamgage.analysis.saturation import Saturation
from streamgage.analysis.traffic.reading import Readings
from streamgage.analysis.user_facts import Given
from streamgage.records.run import Run
from streamgage.results.measure.document import KernelResult


@dataclass(frozen=True)
class LateRead:
    """An ordinary store whose own read comes too late to be overlapped."""

    kernel: str
    store: str
    excess: float
    """Seconds of the variant over those of its twin whose lines are prefetched for writing, minus
    1: what the late reads cost (0.2: 20 %)."""


@dataclass(frozen=True)
class Context:
    """A run with what is known of it; what was not concluded is ``None`` or empty."""

    run: Run
    given: Given = field(default_factory=Given)
    peak: Peak | None = None
    peak_reason: str | None = None
    kernels: Sequence[KernelResult] = ()
    """Every variant, with what crossed the bus and alpha where they are known."""
    headline: KernelResult | None = None
    """The figure that stands for the run."""
    saturation: Saturation | None = None
    late_reads: Sequence[LateRead] = ()
    streaming_gains: Mapping[str, float] = field(default_factory=dict)
    """By kernel: seconds with ordinary vector stores over those with streaming ones, each in its
    quickest shape; above 1 streaming gained."""
    readings: Readings | None = None
    """What another benchmark's table may mean, where its rates do not decide it."""
    forced_reads: Mapping[str, float] = field(default_factory=dict)
    """By kernel: alpha that times give for stores whose lines are certainly read, where 1 is
    right."""
