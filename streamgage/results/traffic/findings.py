"""The findings of memory traffic."""

from __future__ import annotations

from collections.abc import Callable

from streamgage.analysis.finding import Finding
from streamgage.results.document import other_load
from streamgage.results.traffic.document import TrafficResult


def refused_source(traffic: TrafficResult) -> Finding | None:
    """Find a source that is known to be wrong."""
    if not traffic.source_trust.refused:
        return None
    rejected = traffic.source_trust.state == "rejected"
    return Finding(
        code="counters-rejected" if rejected else "above-peak",
        severity="error",
        reason=f"{traffic.source} is not believed",
        text=traffic.source_trust.text,
    )


def replayed(traffic: TrafficResult) -> Finding | None:
    """Find a recording, which says nothing about this machine."""
    if not traffic.replayed:
        return None
    return Finding(
        code="counters-replayed",
        severity="warning",
        reason="the figures come from a recording",
        text="These figures come from a recording or a made-up machine, not from this one. Never"
        " quote them as figures of this machine.",
    )


def not_calibrated(traffic: TrafficResult) -> Finding | None:
    """Find a source that was never calibrated."""
    if traffic.source_trust.state not in {"not-calibrated", "own"}:
        return None
    return Finding(
        code="not-calibrated",
        severity="warning",
        reason="the source of these figures was never calibrated",
        text=traffic.source_trust.text,
    )


def ended_early(traffic: TrafficResult) -> Finding | None:
    """Find counters that failed before the end."""
    if traffic.failure is None:
        return None
    return Finding(
        code="unfinished",
        severity="warning",
        reason="counting ended early",
        text=f"Counting ended early: {traffic.failure.rstrip('.')}. The figures cover the"
        " time before that. Measure again.",
    )


CHECKS: tuple[tuple[str, Callable[[TrafficResult], Finding | None]], ...] = (
    ("counters-rejected", refused_source),
    ("unfinished", ended_early),
    ("counters-replayed", replayed),
    ("not-calibrated", not_calibrated),
    ("other-load", other_load),
)
"""The checks in the order of display, most important first."""
