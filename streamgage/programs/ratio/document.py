"""The result of ``program --ratio`` and ``--against``: what ``--format json`` prints.

Times are seconds, rates GB/s (10^9 bytes per second) of triad by STREAM's nominal counting. An
unknown value is ``None``.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from streamgage.analysis.conclusion import Conclusion, texts
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.analysis.trust import Trust
from streamgage.records.quantities import Amount, ByteCount, Members, Positive, Rate, Seconds, Share


class RatioRound(msgspec.Struct, frozen=True, kw_only=True):
    """One run of the benchmark, between two probes of the memory."""

    seconds: Seconds
    """Wall time of the run."""
    before_gbps: Rate
    """The rate of the probe just before the run: the bytes of all its samples over their time."""
    after_gbps: Rate
    """The rate of the probe just after the run, which is also the next run's first probe."""
    ratio: Positive
    """``seconds`` times the geometric mean of the two rates: the GB that triad could have moved in
    the time of the run."""


class Spread(msgspec.Struct, frozen=True, kw_only=True):
    """The spread of figures, as shares of their median."""

    middle_half: Amount
    """The difference of the upper and the lower quartile."""
    whole: Amount
    """The difference of the greatest and the least."""


Decision = Literal["slower", "faster", "equal", "undecided"]
Clock = Literal["time", "cpu"]


class RatioPair(msgspec.Struct, frozen=True, kw_only=True):
    """A run of the benchmark next to a run of the other program."""

    first: bool
    """Whether the benchmark ran first, or on the first half of the CPUs; drawn at random."""
    seconds: Seconds
    cpu_seconds: Seconds
    """CPU time of the run, of all its threads and processes."""
    other_seconds: Seconds
    other_cpu_seconds: Seconds


class Against(msgspec.Struct, frozen=True, kw_only=True):
    """The benchmark against another program: ratios of its times over the other's.

    Their bounds are intervals of 97.5 % each, so that both hold in 95 % of all comparisons, however
    often one looked at them meanwhile.
    """

    name: str
    command: list[str]
    together: bool
    """Whether both programs of a pair ran at the same time, each on half of the CPUs, which then
    meet the same other load: programs of one thread do, where there are two CPUs."""
    pairs: list[RatioPair]
    seconds: Seconds
    """The median wall time of the other program."""
    ratio: Estimate
    """Wall time over the other's."""
    cpu_ratio: Estimate
    """CPU time over the other's."""
    margin: Share
    """Smaller differences count as equal."""
    decision: Decision
    """What the benchmark is."""
    decided_by: Clock | None
    """The clock that decides it; ``None`` if none does."""


class TimeRatio(msgspec.Struct, frozen=True, kw_only=True):
    """The time of a program, also relative to the speed of memory at that moment."""

    name: str
    """The name of the benchmark in other tools."""
    command: list[str]
    host: str
    processor: str | None
    time: str
    """Start of the first probe, ISO 8601."""
    kernel: str
    """Kernel of the probes."""
    threads: Members | None
    array_bytes: ByteCount | None
    """Size of each of the three arrays of the probe."""
    last_level_cache_bytes: ByteCount | None
    probe_seconds: Seconds
    """The requested length of a probe, in seconds."""
    rounds: list[RatioRound]
    seconds: Estimate
    """The median wall time, with its bounds."""
    ratio: Estimate
    """The median ratio, in GB of triad, with its bounds."""
    seconds_spread: Spread
    ratio_spread: Spread
    gbps_spread: Spread
    """Spread of the bandwidth over all probes."""
    taken: Share | None
    """The largest share of the CPUs' time that others took during a probe; ``None``: not known."""
    trust: Trust
    """How far the figures can be trusted."""
    conclusions: list[Conclusion]
    """What follows from the runs, no firmer than that."""
    against: Against | None = None
    """The other program, if there is one."""

    @property
    def sentences(self) -> list[str]:
        """The conclusions without their grades."""
        return texts(self.conclusions)
