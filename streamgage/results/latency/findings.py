"""What latencies show that somebody should look at."""

from __future__ import annotations

from collections.abc import Callable

from streamgage.analysis.finding import Finding
from streamgage.analysis.outside import taken_finding
from streamgage.results.latency.document import MIX_NAMES, Latency
from streamgage.units import format_nanoseconds, format_rate, format_share


def past_peak(answer: Latency) -> Finding | None:
    """A rate that falls when more is asked of the memory."""
    found = [
        (each.decline_gbps / each.best_gbps, each)
        for each in answer.loaded
        if each.decline_gbps is not None
    ]
    if not found:
        return None
    share, curve = min(found, key=lambda each: each[0])
    peak = next(each for each in curve.points if each.share == curve.best_share)
    return Finding(
        code="past-peak",
        severity="note",
        text=f"With {MIX_NAMES[curve.mix]} the most bandwidth, {format_rate(curve.best_gbps)} GB/s,"
        f" is at {format_share(curve.best_share)} of the load"
        f" ({format_nanoseconds(peak.seconds.value)} ns); with all of it there are"
        f" {format_rate(share * curve.best_gbps)} GB/s at"
        f" {format_nanoseconds(curve.points[-1].seconds.value)} ns. Fewer threads, or ones that"
        " stream less at a time, would have more.",
    )


def disturbed(answer: Latency) -> Finding | None:
    """Others had the CPUs for a part of the time."""
    return None if answer.taken is None else taken_finding(answer.taken, "this run")


CHECKS: tuple[tuple[str, Callable[[Latency], Finding | None]], ...] = (
    ("other-load", disturbed),
    ("past-peak", past_peak),
)
"""In the order in which they are shown, most important first."""
