"""Alpha from the counters of the memory controllers.

    alpha = (bytes read - bytes of the kernel's own loads) / bytes stored to lines that it does not
    itself read,    hardware rate = (bytes read + bytes written) / seconds of the samples.

The loads and stores of the formula are exact; what the counters add is the idle machine's traffic,
page tables and prefetches past the end, so a systematic 0.05 is added in quadrature.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from streamgage.analysis.bootstrap import Estimate, bootstrap_median
from streamgage.analysis.peak import Peak
from streamgage.analysis.run import ELEMENT_BYTES, Run
from streamgage.analysis.traffic.bands import is_partial, settled
from streamgage.records import Kernel, Traffic, Variant
from streamgage.result import Alpha
from streamgage.units import format_share

SYSTEMATIC = 0.05
LEAST_RUNNING = 0.95
"""Least share of the time that the events must have counted."""
LEAST_SEEN = 0.9
"""Least share of the kernel's own loads and stores that a counter that sees all must see."""
MOST_SEEN = 1.3
"""Greatest share of what full write-allocate would move that is still this kernel's traffic."""


@dataclass(frozen=True)
class Counted:
    """What the counters give: the verdict, and the hardware rate in GB/s; or why nothing."""

    alpha: Alpha
    gbps: Estimate | None


def counted(run: Run, variant: Variant, peak: Peak | None) -> Counted | None:
    """What the counters say of ``variant``; null where none ran beside it."""
    records = run.traffic.get(variant.id, [])
    kernel = run.kernels.get(variant.kernel)
    elements = variant.elements or (run.memory.elements if run.memory is not None else 0)
    if not records or kernel is None or not elements:
        return None
    size = elements * ELEMENT_BYTES[variant.type]
    refused = _implausible(records, kernel, size)
    rate = bootstrap_median([_gbps(run, record) for record in records])
    if refused is None and rate is not None and peak is not None and rate.value > peak.gbps:
        refused = (
            f"{records[0].source} counted {rate.value:.4g} GB/s, above the theoretical peak of"
            f" {peak.gbps:.4g} GB/s"
        )
    if refused is not None or rate is None:
        return Counted(Alpha(verdict="cannot-tell", reason=refused), None)
    if not kernel.write_allocates:
        return Counted(Alpha(reason="it reads what it overwrites, or stores nothing"), rate)
    found = bootstrap_median([_alpha(record, kernel, size) for record in records])
    return Counted(_verdict(found, records[0].source), rate)


def _verdict(found: Estimate | None, source: str) -> Alpha:
    if found is None:
        return Alpha(verdict="cannot-tell", reason=f"{source} counted nothing")
    low = found.value - math.hypot(found.value - found.low, SYSTEMATIC)
    high = found.value + math.hypot(found.high - found.value, SYSTEMATIC)
    verdict = settled(low, high) or ("partial" if is_partial(low, high) else None)
    if verdict is None:
        why = f"{source} counted an alpha between {low:.2f} and {high:.2f}"
        return Alpha(verdict="cannot-tell", reason=why)
    return Alpha(
        verdict=verdict,
        value=found.value,
        low=low,
        high=high,
        evidence="measured",
        reason=f"{source} counted {found.value:.2f} lines read for each line stored",
    )


def _read(record: Traffic) -> float:
    return math.fsum(domain.bytes_read for domain in record.domains)


def _written(record: Traffic) -> float:
    return math.fsum(domain.bytes_written for domain in record.domains)


def _alpha(record: Traffic, kernel: Kernel, size: int) -> float:
    own = kernel.loads * size * record.passes
    return (_read(record) - own) / (kernel.stores * size * record.passes)


def _gbps(run: Run, record: Traffic) -> float:
    samples = [each for each in run.samples.get(record.variant, ()) if each.block >= record.block]
    seconds = math.fsum(each.seconds for each in samples[: record.samples])
    whole = len(samples) >= record.samples and seconds > 0
    return (_read(record) + _written(record)) / (seconds if whole else record.seconds) / 1e9


def _implausible(records: Sequence[Traffic], kernel: Kernel, size: int) -> str | None:
    """Why the counters are not believed; null where they are."""
    source = records[0].source
    share = min(record.running_share for record in records)
    if share < LEAST_RUNNING:
        return (
            f"the events of {source} were multiplexed and counted for {format_share(share)} of the"
            " time only"
        )
    if any(record.passes < 1 or record.seconds <= 0 for record in records):
        return f"{source} ran for no time"
    for what, seen, own, most in (
        ("reads", _read, kernel.loads, kernel.loads + kernel.write_allocates * kernel.stores),
        ("writes", _written, kernel.stores, kernel.stores),
    ):
        passes = sum(record.passes for record in records)
        ratio_to = math.fsum(seen(record) for record in records) / (size * passes)
        if ratio_to < LEAST_SEEN * own:
            return (
                f"{source} saw {format_share(ratio_to / own)} of the {what} that the kernel itself"
                " makes, so it does not see all of the memory"
            )
        if most and ratio_to > MOST_SEEN * most:
            return (
                f"{source} saw {ratio_to / most:.1f} times the {what} that the kernel can cause, so"
                " something else used the memory"
            )
    return None
