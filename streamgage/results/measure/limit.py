"""The limit of a run: the facts in its document, and the words for them."""

from __future__ import annotations

from streamgage.analysis.limits import OpenReason
from streamgage.analysis.saturation import MIXED, Saturation
from streamgage.results.measure.document import SaturationResult, SeriesPoint
from streamgage.results.measure.facts.memory import rows_differ, series_falls
from streamgage.units import count, format_share

_LIMITS = {
    "memory": "the memory, or the path to it, is the limit",
    "cores": "the cores are the limit, not the memory",
    "quota": "the CPU quota is the limit",
}
UNCLEAR = "not clear whether the memory or the cores are the limit"


def saturation_result(found: Saturation) -> SaturationResult:
    """The facts in the form of the document."""
    return SaturationResult(
        saturated=found.saturated,
        limit=found.limit,
        open_because=found.open_because,
        kernel=found.kernel,
        taken=found.taken,
        row_gbps=found.row_gbps,
        share=found.share,
        enough_threads=found.enough_threads,
        lines_in_flight=found.lines_in_flight,
        latency_seconds=found.latency_seconds,
        series=[
            SeriesPoint(
                kernel=point.kernel,
                tuned=point.tuned,
                threads=point.threads,
                gbps=point.gbps,
                low_gbps=point.interval.low if point.interval else None,
                high_gbps=point.interval.high if point.interval else None,
                bounded_by=point.interval.bounded_by if point.interval else "interval",
            )
            for point in found.points
        ],
    )


def verdict(found: SaturationResult) -> str:
    """``the cores are the limit, not the memory``, or that it is not clear, and why."""
    if found.limit is not None:
        return _LIMITS[found.limit]
    return f"{UNCLEAR}, because {why_open(found)}"


_OPEN: dict[OpenReason, str] = {
    "throttled": "a CPU quota stopped the threads for a part of the time",
    "moved": "threads changed their CPUs while they were measured",
    "two-modes": "the samples fall into two groups, each with"
    f" {format_share(MIXED)} of them or more",
    "kernels-differ": "not every kernel of the series shows it, and other guests of the host may"
    " have used the memory at that moment",
    "few-samples": "there are too few samples to know their noise",
    "noise": "the samples scatter too much",
}


def why_open(found: SaturationResult) -> str:
    """Why there is no verdict."""
    points = points_of(found)
    match found.open_because:
        case "other-load":
            taken = "" if found.taken is None else f" {format_share(found.taken)} of"
            return f"other programs or the hypervisor had{taken} the CPUs' time"
        case "falls":
            return series_falls(points[-1].threads if points else 0)
        case "rows-differ":
            return rows_differ(found.kernel, points[-1].gbps if points else None, found.row_gbps)
        case "coarse" | None:
            return _coarse(found.kernel, points)
        case known:
            return _OPEN[known]


def _coarse(kernel: str, points: list[SeriesPoint]) -> str:
    if len(points) < 2:
        return "too few numbers of threads were measured"
    before, most = points[-2].threads, points[-1].threads
    if most - before > 1:
        return (
            f"{kernel} flattens somewhere between {before} and {most} threads, and nothing was"
            " measured between"
        )
    return "the last thread adds less than a core could, and more than a full memory would allow"


def points_of(found: SaturationResult) -> list[SeriesPoint]:
    """The points of the kernel that says it."""
    return [each for each in found.series if each.kernel == found.kernel]


def enough(kernel: str, threads: int) -> str:
    """Why the memory is the limit."""
    return f"{kernel} has 90 % of its best with {count(threads, 'thread')}"
