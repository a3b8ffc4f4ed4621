"""The result of ``streamgage latency`` as one document, which ``--format json`` prints.

Latencies are the seconds of a load that depends on the load before. Rates are the GB/s (10^9 bytes
per second) that crossed the memory bus. Sizes are bytes. Unknown values are ``None``.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from streamgage.analysis.crossing import Crossing, crossing_of
from streamgage.analysis.statistics.estimate import Estimate, PositiveEstimate
from streamgage.plan import Mix
from streamgage.records import BenchmarkOutput, Device, DeviceClock
from streamgage.records.quantities import (
    Amount,
    Count,
    Members,
    MembersFrom0,
    Number,
    NumberList,
    Position,
    Rate,
    RateFrom0,
    Seconds,
    Size,
    refuse_unknown,
)
from streamgage.results.document import Document

MIX_NAMES = {
    "reads": "reads alone",
    "3:1": "3 reads per write",
    "2:1": "2 reads per write",
    "1:1": "1 read per write",
    "streaming": "streaming stores",
}
"""The names of the mixes of reads and writes, in their order."""


OFF_TARGET = 0.05
"""A bandwidth that misses the requested one by more than this share is marked."""


class IdlePoint(msgspec.Struct, frozen=True, kw_only=True):
    """The latency of one working set on an otherwise idle machine."""

    bytes: Size
    seconds: PositiveEstimate
    rounds: Members


class IdleStep(msgspec.Struct, frozen=True, kw_only=True):
    """A level of the memory hierarchy, as the curve shows it."""

    level: str
    """``L1``, ``L2``, ``L3`` or ``memory``; ``L2-L3`` if the curve does not separate them; of a
    device ``cache`` or ``memory``."""
    low_bytes: Size
    high_bytes: Size
    seconds: PositiveEstimate
    """The median of the plateau's points, with the extremes of their figures."""
    effective_bytes: Size | None
    """The working set at which latency has risen half of the way (geometrically) to the next
    plateau. ``None`` for memory, and if the two plateaus do not differ beyond noise."""
    claimed_bytes: Size | None


class LoadedPoint(msgspec.Struct, frozen=True, kw_only=True):
    """The latency and the bandwidth of memory under one load."""

    share: Amount | None
    """The requested share of the loading threads' highest rate; 0 is no load. ``None`` for another
    benchmark, which sets a ``delay``."""
    delay: Count | None = None
    """The delay after each access, in the unit of the other benchmark."""
    target_gbps: Rate | None = None
    """The requested bandwidth; ``None`` without a load, and for the highest load that the threads
    can give."""
    gbps: Estimate
    """The rate of the loading threads across the bus; the measuring thread adds one line per
    load."""
    seconds: PositiveEstimate
    rounds: Members
    """The number of rounds that count."""
    windows: Members
    """The number of windows in these rounds; each window gives a rate and a latency."""
    windows_left_out: Count
    """The number of windows that were left out because threads stood still: something else had
    their CPUs."""

    @property
    def off_target(self) -> float | None:
        """The share by which the bandwidth misses the requested one; ``None`` if it is close."""
        if self.target_gbps is None:
            return None
        off = self.gbps.value / self.target_gbps - 1
        return off if abs(off) > OFF_TARGET else None


ONSET = 2.0
"""Saturation begins at this multiple of the unloaded latency."""


def onset_of(points: Sequence[LoadedPoint], unloaded_seconds: float) -> Crossing:
    """Find the bandwidth at which latency is ``ONSET`` times the unloaded one."""
    places = [each.gbps.value for each in points]
    return crossing_of(places, [each.seconds for each in points], ONSET * unloaded_seconds)


class LoadCurve(msgspec.Struct, frozen=True, kw_only=True):
    """The latency under one mix of reads and writes, from no load to the highest possible load."""

    mix: Mix
    kernel: str
    generators: MembersFrom0 | None
    """The number of threads that loaded the memory; ``None`` if another benchmark does not state
    it."""
    points: list[LoadedPoint]
    """The points, from the lightest load to the heaviest."""
    unloaded_seconds: Seconds | None
    best_gbps: RateFrom0
    best_share: Amount | None
    onset_gbps: Rate | None
    """The rate at which latency is twice the unloaded one, by the whole curve. ``None`` if it never
    is, or if the points do not show where."""
    disorder: Amount | None = None
    """The share by which a latency lies above one under a heavier load, beyond noise; ``None`` if
    latencies rise with the load, as those of memory do."""
    decline_gbps: Rate | None
    """The rate of the threads at full speed, if it is below the best rate beyond noise; else
    ``None``."""

    @property
    def onset(self) -> Crossing | None:
        """Where latency is twice the unloaded one, by the whole curve.

        ``None`` without an unloaded latency, or if latencies do not rise with the load.
        """
        if self.unloaded_seconds is None or self.disorder is not None:
            return None
        return onset_of(self.points, self.unloaded_seconds)

    def consistent(self) -> None:
        """Raise ``ValueError`` if no point has the best rate, or it is below the declined rate."""
        refuse_unknown("best_share", self.best_share, {each.share for each in self.points})
        if self.decline_gbps is not None and self.decline_gbps > self.best_gbps:
            raise ValueError(f"Expected `decline_gbps` <= {self.best_gbps:g}")


class Latency(Document, frozen=True, kw_only=True, tag="latency"):
    """The result of ``streamgage latency``."""

    device: Device | None = None
    """What was measured in place of the machine's processor, as its driver describes it."""
    device_clock: DeviceClock | None = None
    """Which clock timed the walks on the device."""
    cpu: Position | None
    """The CPU of the thread that measured the latency; ``None`` of a device."""
    cpus: NumberList | None
    """The CPUs of the threads that loaded the memory; ``None`` if there were none."""
    rounds: Members
    """The number of complete rounds."""
    seed: Number | None
    """The seed for the order within the rounds."""
    idle: list[IdlePoint]
    steps: list[IdleStep]
    loaded: list[LoadCurve]
    left_out: list[Mix]
    """The mixes that were not measured. A single CPU cannot measure and load the memory at once,
    and some processors have no streaming stores."""
    reported: BenchmarkOutput | None = None
    """What another benchmark reports about itself, if the figures come from its output."""
