"""What a ladder shows that somebody should look at."""

from __future__ import annotations

from collections.abc import Callable

from streamgage.analysis.finding import Finding
from streamgage.analysis.hierarchy import MEMORY
from streamgage.analysis.outside import taken_finding
from streamgage.results.ladder.document import Ladder
from streamgage.units import format_bytes, format_share

SMALLER = 0.6
"""Share of what a cache claims below which it acts as a smaller one."""


def smaller_cache(answer: Ladder) -> Finding | None:
    """A cache that ends long before it is full."""
    found = [
        (step.effective_bytes / step.claimed_bytes, curve, step)
        for curve in answer.curves
        for step in curve.steps
        if step.effective_bytes is not None and step.claimed_bytes
    ]
    small = [each for each in found if each[0] < SMALLER]
    if not small:
        return None
    share, curve, step = min(small, key=lambda each: each[0])
    guest = answer.machine is not None and answer.machine.hypervisor is not None
    why = (
        "other guests use it too, or the hypervisor tells of a cache that this guest does not have"
        if guest
        else "other cores or programs use it too, or a part of it is set aside (way masks, huge"
        " buffers, a prefetcher)"
    )
    return Finding(
        code="smaller-cache",
        severity="note",
        text=f"{step.level} claims {format_bytes(step.claimed_bytes or 0)} and acts like"
        f" {format_bytes(step.effective_bytes or 0)} ({format_share(share)}, {curve.kernel}"
        f" {curve.store}, {curve.mode}): {why}. Block your loops for what it acts like.",
    )


def hidden_cache(answer: Ladder) -> Finding | None:
    """The last cache, where the curve goes on as memory does although it claims to reach so far."""
    found = [
        curve
        for curve in answer.curves
        if curve.steps and curve.steps[-1].level.endswith(f"-{MEMORY}")
    ]
    if not found:
        return None
    curve = found[0]
    level = next(
        each
        for each in reversed(answer.levels)
        if each.mode == curve.mode and each.bytes < curve.points[-1].bytes
    )
    return Finding(
        code="hidden-cache",
        severity="note",
        text=f"The curve shows no {level.name} ({curve.kernel} {curve.store}, {curve.mode}), which"
        f" claims {format_bytes(level.bytes)}: working sets that it should hold are as slow as"
        " memory. The hypervisor may tell of a cache that this guest does not have, or others have"
        f" all of it. Take {format_bytes(curve.steps[-1].low_bytes)} for memory already.",
    )


def disturbed(answer: Ladder) -> Finding | None:
    """Others had the CPUs for a part of the time."""
    return None if answer.taken is None else taken_finding(answer.taken, "these runs")


CHECKS: tuple[tuple[str, Callable[[Ladder], Finding | None]], ...] = (
    ("other-load", disturbed),
    ("hidden-cache", hidden_cache),
    ("smaller-cache", smaller_cache),
)
"""In the order in which they are shown, most important first."""
