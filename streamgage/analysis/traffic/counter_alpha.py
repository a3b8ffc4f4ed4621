"""Alpha from the counters of the memory controllers.

alpha = (bytes read - bytes of the kernel's own loads) / bytes stored to lines that it does not
itself read. The hardware rate is (bytes read + bytes written) / seconds of the samples. If a source
gives only totals, the kernel's own loads and stores are subtracted from these. The loads and stores
of the formula are exact. The counters also see the idle machine's traffic, page tables and
prefetches past the end, so a systematic 0.05 is added in quadrature.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from streamgage.analysis.peak.peak import Peak
from streamgage.analysis.statistics.bootstrap import BlockMedian, bootstrap_median
from streamgage.analysis.traffic.alpha import Alpha, refuse
from streamgage.analysis.traffic.bands import is_partial, settled
from streamgage.analysis.traffic.reason import Reason, ReasonCode, Traffic
from streamgage.analysis.traffic.volumes import (
    CountedTraffic,
    Volume,
    complete_volumes,
    of_one_pass,
)
from streamgage.records import Kernel, Variant
from streamgage.records.run import ELEMENT_BYTES, Run

SYSTEMATIC = 0.05
LEAST_RUNNING = 0.95
"""The least share of the time in which the events must have counted."""
LEAST_RUNNING_CALIBRATED = 0.2
"""The same for a source whose events took turns, but which counted kernels of known traffic
correctly."""
LEAST_SEEN = 0.9
"""The least share of the kernel's own loads and stores that a complete counter must see."""
MOST_SEEN = 1.3
"""Counters that see more than this multiple of full write-allocate also see other programs."""


@dataclass(frozen=True)
class CounterVerdict:
    """The counters' verdict and hardware rate in GB/s, or the reason why there is none."""

    alpha: Alpha
    gbps: BlockMedian | None
    traffic: CountedTraffic | None = None


@dataclass(frozen=True)
class _SweptArrays:
    """The arrays that one pass of a kernel sweeps."""

    kernel: Kernel
    size: int
    """The bytes of each array."""
    cached: float
    """The share of an array that caches can hold back of a sample's writes, or write back in this
    sample from the one before."""


def counter_verdict(run: Run, variant: Variant, peak: Peak | None) -> CounterVerdict | None:
    """The counters' verdict on ``variant``; ``None`` if no counter ran."""
    records = run.traffic.get(variant.id, [])
    kernel = run.kernels.get(variant.kernel)
    elements = variant.elements or (run.memory.elements if run.memory is not None else 0)
    if not records or kernel is None or not elements:
        return None
    size = elements * ELEMENT_BYTES[variant.type]
    volumes, lost = complete_volumes(records)
    if not volumes:
        return _refused(Reason(why=ReasonCode.LOST, source=records[0].source, said=lost))
    swept = _SweptArrays(kernel, size, _cached(run, volumes, size))
    refused = untrusted(run, volumes) or _implausible(volumes, swept)
    rate = bootstrap_median([counted_gbps(run, volume) for volume in volumes])
    if refused is None and rate is not None and peak is not None and rate.value > peak.gbps:
        refused = above_peak(records[0].source, rate.value, peak)
    if refused is not None or rate is None:
        return _refused(refused or Reason(why=ReasonCode.NO_TIME, source=records[0].source))
    return CounterVerdict(_alpha_of(volumes, swept), rate, of_one_pass(volumes))


def _refused(reason: Reason) -> CounterVerdict:
    return CounterVerdict(refuse(reason), None)


def above_peak(source: str, gbps: float, peak: Peak) -> Reason:
    """The reason to refuse counters that saw more than the memory can give."""
    return Reason(why=ReasonCode.ABOVE_PEAK, source=source, gbps=gbps, peak_gbps=peak.gbps)


def _alpha_of(volumes: Sequence[Volume], swept: _SweptArrays) -> Alpha:
    replayed = any(volume.record.replayed for volume in volumes)
    if not swept.kernel.write_allocates:
        return Alpha(
            evidence="replayed" if replayed else "measured",
            reasons=[Reason(why=ReasonCode.NOTHING_TO_READ)],
        )
    found = bootstrap_median([_alpha(volume, swept) for volume in volumes])
    by_total = any(volume.read is None for volume in volumes)
    alpha = _verdict(found, volumes[0].record.source, _systematic(swept, by_total=by_total))
    if replayed and alpha.evidence is not None:
        return msgspec.structs.replace(alpha, evidence="replayed")
    return alpha


def _systematic(swept: _SweptArrays, *, by_total: bool) -> float:
    """The systematic error of the median.

    If the figure includes writes, it includes what caches hold back. That is anything between
    nothing and all that they can hold, with a standard deviation of 1/sqrt(12) of it.
    """
    return math.hypot(SYSTEMATIC, swept.cached / math.sqrt(12)) if by_total else SYSTEMATIC


def _cached(run: Run, volumes: Sequence[Volume], size: int) -> float:
    if run.memory is None:
        return 0.0
    passes = sum(volume.record.passes for volume in volumes)
    samples = sum(volume.record.samples for volume in volumes)
    return run.memory.last_level_cache_bytes * samples / (size * passes) if passes else 0.0


def _verdict(median: BlockMedian | None, source: str, systematic: float) -> Alpha:
    if median is None:
        return refuse(Reason(why=ReasonCode.COUNTED_NOTHING, source=source))
    low = median.value - math.hypot(median.value - median.low, systematic)
    high = median.value + math.hypot(median.high - median.value, systematic)
    verdict = settled(low, high) or ("partial" if is_partial(low, high) else None)
    if verdict is None:
        return refuse(Reason(why=ReasonCode.COUNTED_BETWEEN, source=source, low=low, high=high))
    return Alpha(
        verdict=verdict,
        value=median.value,
        low=low,
        high=high,
        evidence="measured",
        reasons=[Reason(why=ReasonCode.COUNTED, source=source, alpha=median.value)],
    )


def _alpha(volume: Volume, swept: _SweptArrays) -> float:
    kernel = swept.kernel
    swept_bytes = swept.size * volume.record.passes
    if volume.read is not None:
        return (volume.read - kernel.loads * swept_bytes) / (kernel.stores * swept_bytes)
    moved = (kernel.loads + kernel.stores) * swept_bytes
    return (volume.total - moved) / (kernel.stores * swept_bytes)


def counted_gbps(run: Run, volume: Volume) -> float:
    """The GB/s that crossed the memory bus during the samples of ``volume``."""
    record = volume.record
    samples = [each for each in run.samples.get(record.variant, ()) if each.block >= record.block]
    seconds = math.fsum(each.seconds for each in samples[: record.samples])
    whole = len(samples) >= record.samples and seconds > 0
    return volume.total / (seconds if whole else record.seconds) / 1e9


def untrusted(run: Run, volumes: Sequence[Volume]) -> Reason | None:
    """Why the source itself is not believed; ``None`` if it is."""
    records = [volume.record for volume in volumes]
    source = records[0].source
    calibration = run.calibration
    if calibration is not None and not calibration.accepted:
        return Reason(why=ReasonCode.REJECTED, source=source, said=calibration.reason or "unknown")
    share = min(record.running_share for record in records)
    if share < (LEAST_RUNNING if calibration is None else LEAST_RUNNING_CALIBRATED):
        return Reason(why=ReasonCode.MULTIPLEXED, source=source, share=share)
    if any(record.passes < 1 or record.seconds <= 0 for record in records):
        return Reason(why=ReasonCode.NO_TIME, source=source)
    return None


def _implausible(volumes: Sequence[Volume], swept: _SweptArrays) -> Reason | None:
    """Why the figures cannot be this kernel's traffic; ``None`` if they can."""
    source = volumes[0].record.source
    whole = swept.size * sum(volume.record.passes for volume in volumes)
    loads, stores = swept.kernel.loads, swept.kernel.stores
    allocated = swept.kernel.write_allocates * stores
    reads = _together([volume.read for volume in volumes])
    writes = _together([volume.written for volume in volumes])
    compared: list[tuple[Traffic, float, int, int, float]] = []
    if reads is None or writes is None:
        total = math.fsum(volume.total for volume in volumes)
        cached = swept.cached * stores
        compared.append(
            ("traffic", total, loads + stores, loads + stores + allocated, cached),
        )
    else:
        compared.append(("reads", reads, loads, loads + allocated, 0.0))
        compared.append(("writes", writes, stores, stores, swept.cached))
    for what, seen, own, most, cached in compared:
        ratio_to = seen / whole
        if own and ratio_to + cached < LEAST_SEEN * own:
            return Reason(
                why=ReasonCode.SAW_LESS, source=source, share=ratio_to / own, traffic=what
            )
        if most and ratio_to - cached > MOST_SEEN * most:
            return Reason(
                why=ReasonCode.SAW_MORE, source=source, ratio=ratio_to / most, traffic=what
            )
    return None


def _together(parts: Sequence[float | None]) -> float | None:
    known = [part for part in parts if part is not None]
    return math.fsum(known) if len(known) == len(parts) else None
