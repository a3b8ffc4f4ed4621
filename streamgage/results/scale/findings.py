"""What scaling curves show that somebody should look at."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from streamgage.analysis.cores import usable_cores
from streamgage.analysis.finding import Finding
from streamgage.analysis.outside import MUCH
from streamgage.results.scale.bindings import LAUNCHER, OF_OPENMP
from streamgage.results.scale.document import Curve, Dip, Scale, workers_of
from streamgage.results.scale.words import reason_of
from streamgage.units import count, format_rate, format_share


def crowded_cores(answer: Scale) -> Finding | None:
    """Workers whom the launcher, or the runtime, has put on fewer cores than there are."""
    cores = usable_cores(answer.machine) if answer.machine is not None else 0
    found = [
        (point.cores / total, each.name, point.n, point.cores)
        for each in answer.bindings
        for point in each.points
        if (total := sum(point.per_node.values()))
        and point.cores < min(total, cores)
        and each.name in (LAUNCHER, *OF_OPENMP)
    ]
    if not found:
        return None
    _, name, n, had = min(found)
    return Finding(
        code="crowded-cores",
        severity="warning",
        text=f"With {name} {workers_of(n, answer.workers)} ran on {count(had, 'core')}, and took"
        " turns there: these points show the binding, not the memory. Bind one to each core"
        " (compact, or a placement expression).",
    )


def disturbed(answer: Scale) -> Finding | None:
    """Points at which others had the CPUs for a part of the time."""
    found = [
        (point.taken, each.name, point.n)
        for each in answer.bindings
        for point in each.points
        if point.taken is not None and point.taken > MUCH
    ]
    if not found:
        return None
    share, name, n = max(found)
    points = sum(len(each.points) for each in answer.bindings)
    return Finding(
        code="other-load",
        severity="warning",
        text=f"Other programs or the hypervisor took CPUs from {len(found)} of"
        f" {count(points, 'point')}, at most {format_share(share)} ({name},"
        f" {workers_of(n, answer.workers)}): these points are too low, and the shape of the curve"
        " may be theirs. Stop what else runs (see top), and measure again.",
    )


def dips(answer: Scale) -> Finding | None:
    """Where more workers gave less, the dip that is the deepest."""
    found = [(each, dip) for each in answer.curves for dip in each.dips]
    if not found:
        return None
    curve, dip = min(found, key=lambda each: each[1].gbps / each[1].below_gbps)
    at = sorted({dip.n for each, dip in found if each.binding == curve.binding})
    where = "" if len(at) == 1 else f" at n = {_ranges(at)}"
    return Finding(
        code="scaling-dip",
        severity="note" if dip.explained is not None else "warning",
        text=f"More {answer.workers} gave less{where} ({curve.binding}): "
        f"{_seen(answer, curve, dip)}",
    )


def _seen(answer: Scale, curve: Curve, dip: Dip) -> str:
    share = 1 - dip.gbps / dip.below_gbps
    return (
        f"{curve.kernel} {curve.store} has {format_rate(dip.gbps)} GB/s with"
        f" {workers_of(dip.n, answer.workers)},"
        f" {format_share(share)} below the {format_rate(dip.below_gbps)} with {dip.below_n}."
        f" {reason_of(answer, curve, dip)}"
    )


def still_rising(answer: Scale) -> Finding | None:
    """No binding reaches the memory's limit with the workers that were measured."""
    first = answer.recommended and answer.recommended[0]
    if not first:
        return None
    these = [
        each
        for each in answer.curves
        if (each.kernel, each.store) == (first.kernel, first.store) and len(each.points) > 1
    ]
    if not these or any(each.saturated is not False for each in these):
        return None
    best = max(these, key=lambda each: each.best_gbps)
    last = best.points[-1]
    of_one = "" if last.speedup is None else f", {last.speedup.value:.2f} times that of one"
    return Finding(
        code="not-saturated",
        severity="note",
        text=f"{best.kernel} {best.store} still rises at {workers_of(last.n, answer.workers)}"
        f" ({best.binding}): {format_rate(last.gbps.value)} GB/s{of_one}. What was measured is the"
        " limit of the cores, not of the memory.",
    )


CHECKS: tuple[tuple[str, Callable[[Scale], Finding | None]], ...] = (
    ("other-load", disturbed),
    ("crowded-cores", crowded_cores),
    ("scaling-dip", dips),
    ("not-saturated", still_rising),
)
"""In the order in which they are shown, the most important first."""


def _ranges(numbers: Sequence[int]) -> str:
    """``3, 5-7``."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and parts[-1][-1] == number - 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ", ".join(str(part[0]) if len(part) == 1 else f"{part[0]}-{part[-1]}" for part in parts)
