"""The findings of a latency."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from streamgage.analysis.finding import Finding
from streamgage.analysis.hierarchy import MEMORY_SIDE, levels_in_use
from streamgage.results.document import other_load
from streamgage.results.latency.document import MIX_NAMES, Latency
from streamgage.results.latency.judge import disorder
from streamgage.results.memory_side import CODE, memory_behind
from streamgage.results.reported import OF_OUTPUT
from streamgage.results.run_findings import OF_RUNS
from streamgage.units import format_gbps, format_nanoseconds, format_share


def past_peak(answer: Latency) -> Finding | None:
    """Find a rate that falls when more load is put on the memory."""
    found = [
        (each.decline_gbps / each.best_gbps, each)
        for each in answer.loaded
        if each.decline_gbps is not None and each.best_share is not None
    ]
    if not found:
        return None
    share, curve = min(found, key=lambda each: each[0])
    peak = next(each for each in curve.points if each.share == curve.best_share)
    best = format_share(curve.best_share or 0.0)
    return Finding(
        code="past-peak",
        grade="sound",
        severity="note",
        text=f"With {MIX_NAMES[curve.mix]} bandwidth is highest,"
        f" {format_gbps(curve.best_gbps)}, at {best} of the load"
        f" ({format_nanoseconds(peak.seconds.value)} ns); at full load it falls to"
        f" {format_gbps(share * curve.best_gbps)}"
        f" ({format_nanoseconds(curve.points[-1].seconds.value)} ns). More requests at a time only"
        " wait longer. To see how many threads are best, run streamgage scale.",
    )


def disturbed_curve(answer: Latency) -> Finding | None:
    """Find latencies that fall where they must rise: with more load, or with more memory."""
    apart = [
        (
            each.disorder,
            f"With {MIX_NAMES[each.mix]}",
            "more load",
            [p.seconds for p in each.points],
        )
        for each in answer.loaded
        if each.disorder is not None
    ]
    idle = [each.seconds for each in answer.idle]
    if (found := disorder(idle)) is not None:
        apart.append((found, "On an idle machine", "a larger working set", idle))
    if not apart:
        return None
    _, where, more, latencies = max(apart, key=lambda each: each[0])
    before, after = worst_fall([each.value for each in latencies])
    seen = f"a load takes {format_nanoseconds(before)} ns, and {format_nanoseconds(after)} ns"
    return Finding(
        code="disturbed-curve",
        severity="warning",
        reason=f"latency falls by {format_share(1 - after / before)} with {more}",
        text=f"{where} {seen} with {more}, where latency cannot be lower. So something else"
        " disturbed the run, and the curve shows no knee. Stop other programs, bind the threads,"
        " and measure again.",
    )


def worst_fall(latencies: Sequence[float]) -> tuple[float, float]:
    """The latency that lies furthest above a later one, and that one."""
    pairs = [
        (before, after) for number, after in enumerate(latencies) for before in latencies[:number]
    ]
    return max(pairs, key=lambda pair: pair[0] / pair[1])


def memory_side_cache(answer: Latency) -> Finding | None:
    """Find chains of loads that fit into a cache in front of the memory."""
    if answer.machine is None or answer.cpu is None or not answer.idle:
        return None
    levels = levels_in_use(answer.machine, [answer.cpu], "sequential")
    cache = next((each.bytes for each in levels if each.name == MEMORY_SIDE), None)
    if cache is None:
        return None
    largest = max(each.bytes for each in answer.idle)
    return memory_behind(cache, largest, "latencies", "To measure further, give --to {}.")


CHECKS: tuple[tuple[str, Callable[[Latency], Finding | None]], ...] = (
    *OF_RUNS,
    ("other-load", other_load),
    (CODE, memory_side_cache),
    ("disturbed-curve", disturbed_curve),
    ("past-peak", past_peak),
    *OF_OUTPUT,
)
"""The checks in the order of display, most important first."""
