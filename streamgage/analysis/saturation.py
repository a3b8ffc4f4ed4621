"""Whether all threads together reach the memory's limit, from a short series of thread counts.

A kernel was measured with one thread, with half of them and with all (variants of purpose
``series``). Let B(n) be its bandwidth with
n threads, k the greatest n of the series, and N all threads.

- Not saturated where it rises by more than half of what perfect scaling would give:
  ln(B(N) / B(k)) / ln(N / k) > 0.5.
- Saturated where some n < N already reaches 90 % of the best bandwidth.
- Not saturated where it still rises by more than 5 % per added thread,
  (B(N) / B(k) - 1) / (N - k) > 0.05, of several threads: from one thread to two, a rise of 20 %
  says that the second is hardly needed, not that a third would gain as much.
- Otherwise the series is too coarse to tell.

Ratios are medians over the blocks that have both. By Little's law a core has bandwidth x latency /
line bytes lines in flight; with the idle latency and one thread it is what that core can have
outstanding.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from streamgage.analysis.statistics.intervals import Interval, median, summarise
from streamgage.records import Variant
from streamgage.records.run import Run
from streamgage.units import count

ENOUGH = 0.90
"""Share of the best bandwidth that counts as reaching it."""
RISING = 0.05
"""Rise per added thread above which bandwidth still grows."""
SCALING = 0.5
"""Exponent of B ~ n^e above which it grows as with the threads: half of perfect scaling."""
_LINE_BYTES = 64

Limit = Literal["cores", "memory", "quota"]


@dataclass(frozen=True)
class SeriesPoint:
    """Bandwidth of a kernel with ``threads`` threads; nominal GB/s, median with 95 % interval."""

    kernel: str
    threads: int
    gbps: float
    interval: Interval | None


@dataclass(frozen=True)
class KernelSaturation:
    """One kernel of the series; ``points`` ascend in threads, the last one has all of them."""

    kernel: str
    points: tuple[SeriesPoint, ...]
    saturated: bool | None
    """Null where the series is too coarse to tell."""
    enough_threads: int
    """The smallest measured number of threads with 90 % of the best bandwidth."""
    rise: float
    """Share by which bandwidth rises per added thread, at the end of the series."""

    @property
    def speedup(self) -> float:
        """Bandwidth with all threads over that with the fewest."""
        return self.points[-1].gbps / self.points[0].gbps


@dataclass(frozen=True)
class Saturation:
    """Whether the memory is the limit; of the kernel that says most where kernels differ.

    That is one that saturates memory where any does, and triad before sum.
    """

    kernels: tuple[KernelSaturation, ...]
    saturated: bool | None
    share: float | None
    """Bandwidth with all threads over as many times that of one (of the fewest, per thread): 1
    where the cores are the limit, 1/n where one thread has all that n get."""
    enough_threads: int
    """The smallest measured number of threads with 90 % of the best bandwidth."""
    lines_in_flight: float | None
    """Of one core, by Little's law; null where the latency was not measured."""
    latency_seconds: float | None
    limit: Limit | None
    reason: str

    @property
    def points(self) -> list[SeriesPoint]:
        """Every point of every kernel."""
        return [point for kernel in self.kernels for point in kernel.points]

    def of(self, kernel: str) -> KernelSaturation | None:
        """That of one kernel; null where it was not in the series."""
        return next((each for each in self.kernels if each.kernel == kernel), None)


def saturation_of(run: Run) -> Saturation | None:
    """What the thread series of ``run`` tells; null where none was measured."""
    kernels = tuple(each for each in map(_judge, _series(run)) if each is not None)
    if not kernels:
        return None
    said = max(kernels, key=lambda each: (each.saturated is True, each.kernel == "triad"))
    threads = said.points[-1].threads
    quota = run.machine.cpu_quota if run.machine is not None else None
    limited = quota is not None and quota < threads
    limit: Limit | None = "quota" if limited else _limit(said.saturated)
    latency = run.latency.seconds if run.latency is not None else None
    first = said.points[0]
    return Saturation(
        kernels=kernels,
        saturated=None if limited else said.saturated,
        share=said.speedup * first.threads / threads,
        enough_threads=said.enough_threads,
        lines_in_flight=_lines_in_flight(run, kernels, latency),
        latency_seconds=latency,
        limit=limit,
        reason=_reason(said, limit),
    )


def _series(run: Run) -> Iterator[list[tuple[SeriesPoint, dict[int, float]]]]:
    """For each kernel of the series its points, ascending, with the bandwidth of every block."""
    all_threads = run.threads()
    parts: dict[tuple[str, str, str], list[Variant]] = {}
    for variant in run.variants.values():
        if variant.purpose == "series" and variant.threads is not None:
            parts.setdefault((variant.kernel, variant.store, variant.isa), []).append(variant)
    for variants in parts.values():
        points = [_point(run, variant, variant.threads or 0) for variant in variants]
        known = [each for each in points if each is not None]
        if known and max(point.threads for point, _ in known) == all_threads:
            yield sorted(known, key=lambda each: each[0].threads)


def _point(run: Run, variant: Variant, threads: int) -> tuple[SeriesPoint, dict[int, float]] | None:
    moved = run.iteration_bytes(variant)
    times = {block: time for block, time in run.element_times_of_blocks(variant.id).items() if time}
    summary = summarise(list(times.values()))
    if moved is None or summary is None:
        return None
    rates = {block: moved / time / 1e9 for block, time in times.items()}
    bounds = summary.interval
    interval = bounds and Interval(moved / bounds.high / 1e9, moved / bounds.low / 1e9)
    gbps = moved / summary.median / 1e9
    return SeriesPoint(variant.kernel, threads, gbps, interval), rates


def _judge(series: Sequence[tuple[SeriesPoint, dict[int, float]]]) -> KernelSaturation | None:
    if len(series) < 2:
        return None
    points = tuple(point for point, _ in series)
    (before, rates_before), (last, rates) = series[-2:]
    shared = sorted(rates[block] / rates_before[block] for block in rates.keys() & rates_before)
    ratio = median(shared) if shared else last.gbps / before.gbps
    rise = (ratio - 1) / (last.threads - before.threads)
    best = max(point.gbps for point in points)
    enough = next(point.threads for point in points if point.gbps >= ENOUGH * best)
    saturated = has_saturated(enough, before.threads, last.threads, ratio)
    return KernelSaturation(last.kernel, points, saturated, enough, rise)


def has_saturated(enough: int, before: int, last: int, ratio: float) -> bool | None:
    """Whether bandwidth has stopped rising by ``last`` workers; null where that is unknown.

    ``enough``: the fewest with 90 % of the best. ``ratio``: bandwidth of ``last`` over that of
    ``before``, the number measured before it.
    """
    if math.log(ratio) / math.log(last / before) > SCALING:
        return False
    if enough < last:
        return True
    if (ratio - 1) / (last - before) > RISING and last - before > 1:
        return False
    return None


def _limit(saturated: bool | None) -> Limit | None:
    return None if saturated is None else "memory" if saturated else "cores"


def _lines_in_flight(
    run: Run, kernels: Sequence[KernelSaturation], latency: float | None
) -> float | None:
    """Bandwidth of one thread x latency / line, of the kernel that only loads where there is one.

    Stores and the lines that they may read are not in a nominal bandwidth.
    """
    loads = next((each for each in kernels if each.kernel == "sum"), None)
    if loads is None or latency is None:
        return None
    caches = run.machine.caches if run.machine is not None else []
    line = max((cache.line_bytes for cache in caches), default=0) or _LINE_BYTES
    first = loads.points[0]
    return first.gbps * 1e9 / first.threads * latency / line


def _reason(said: KernelSaturation, limit: Limit | None) -> str:
    fewest, most = said.points[0], said.points[-1]
    if limit == "quota":
        return "the CPU quota stops the threads before the memory does"
    if limit == "cores":
        return (
            f"{said.kernel} runs {said.speedup:.2f} times as fast with"
            f" {count(most.threads, 'thread')} as with {fewest.threads}, and still rises"
        )
    if limit == "memory":
        return f"{said.kernel} has 90 % of its best with {count(said.enough_threads, 'thread')}"
    return (
        f"{said.kernel} flattens somewhere between {said.points[-2].threads} and {most.threads}"
        " threads, and nothing was measured between"
    )
