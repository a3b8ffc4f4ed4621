"""Decides whether all threads together reach the memory's limit, from a short series.

A kernel was measured with one thread, with half of them and with all (variants of purpose
``series``). Let B(n) be its bandwidth with n threads, k the greatest n of the series, and N all
threads.

- Not saturated where it rises by more than half of what perfect scaling would give:
  ln(B(N) / B(k)) / ln(N / k) > 0.5.
- Saturated where some n < N already reaches 90 % of the best bandwidth.
- Not saturated where it still rises by more than 5 % per added thread,
  (B(N) / B(k) - 1) / (N - k) > 0.05, if several threads were added. From one thread to two, a rise
  of 20 % says that the second is hardly needed, not that a third would gain as much.
- Otherwise the series is too coarse for a verdict.

Ratios are medians over the rounds of the series, with their bounds. There is a verdict only where
it is the same for all values within these bounds. There is none where a disturbance may explain a
ratio: others had the CPUs, a quota stopped threads, threads moved, or samples fall into two groups.
There is none where all threads together have far less bandwidth than fewer of them, which no memory
causes. And there is none where the series contradicts the same kernel's own row.

By Little's law a core has bandwidth x latency / line bytes lines in flight; with the idle latency
and one thread it is what that core can have outstanding.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from streamgage.analysis.limits import Limit, OpenReason
from streamgage.analysis.outside import SPOILING, felt, share_of_cpus, taken_by_others
from streamgage.analysis.statistics.bootstrap import BlockMedian, paired_ratio
from streamgage.analysis.statistics.epochs import interval_over_epochs
from streamgage.analysis.statistics.intervals import Interval, summarise
from streamgage.analysis.statistics.modes import two_modes
from streamgage.analysis.statistics.spread import APART
from streamgage.records import Variant
from streamgage.records.run import Run

ENOUGH = 0.90
"""The share of the best bandwidth that counts as reaching it."""
RISING = 0.05
"""The rise per added thread above which bandwidth still grows."""
SCALING = 0.5
"""The exponent e in B ~ n^e above which bandwidth grows with the threads: half of perfect
scaling."""
COLLAPSE = 0.75
"""If all threads have less than this share of the bandwidth of fewer, memory is not the limit."""
DISAGREE = 0.15
"""The share by which the series and the row of the same kernel may differ. The series uses a part
of the arrays at a time, and runs after everything else."""
MOVED = 0.10
"""If threads moved in more than this share of the samples, the median may be that of such
samples."""
MIXED = 0.25
"""If the smaller of two groups has this share of the samples, the median describes neither
group."""
_LINE_BYTES = 64


@dataclass(frozen=True)
class SeriesPoint:
    """The bandwidth of a kernel with ``threads`` threads: nominal GB/s, median with its bounds."""

    kernel: str
    threads: int
    gbps: float
    interval: Interval | None
    tuned: bool
    """``True`` if its access shape is not the default one."""


@dataclass(frozen=True)
class KernelSaturation:
    """One kernel of the series. ``points`` ascend in threads; the last one has all threads."""

    kernel: str
    points: tuple[SeriesPoint, ...]
    saturated: bool | None
    """``True`` if the memory is full; ``None`` if the series does not decide."""
    open_because: OpenReason | None
    """Why the series does not decide; ``None`` if it does."""
    enough_threads: int
    """The smallest measured number of threads with 90 % of the best bandwidth."""
    row_gbps: float | None
    """The rate of the same kernel in the table, with the same stores, shape and threads."""
    rise: float
    """The share by which bandwidth rises per added thread at the end of the series."""

    @property
    def speedup(self) -> float:
        """The bandwidth with all threads divided by that with the fewest."""
        return self.points[-1].gbps / self.points[0].gbps


@dataclass(frozen=True)
class Saturation:
    """Whether memory is the limit, by the kernel that decides if kernels differ.

    That is one that saturates memory if any does, and triad rather than sum. In a guest all kernels
    must saturate it, else the limit is unknown.
    """

    kernels: tuple[KernelSaturation, ...]
    saturated: bool | None
    share: float | None
    """The bandwidth with all n threads divided by n times that of one thread (with the fewest
    threads, per thread). It is 1 if the cores are the limit, and 1/n if one thread reaches as much
    as all."""
    enough_threads: int
    """The smallest measured number of threads with 90 % of the best bandwidth."""
    lines_in_flight: float | None
    """The number of cache lines that one core has in flight, by Little's law; ``None`` if the
    latency was not measured."""
    latency_seconds: float | None
    limit: Limit | None
    open_because: OpenReason | None
    """Why the limit is unknown; ``None`` if it is known."""
    kernel: str
    """The kernel that decides."""
    taken: float | None
    """The share of the CPUs' time that others had; ``None`` if it is unknown."""
    row_gbps: float | None
    """The rate of that kernel in the table, with the same stores, shape and threads."""

    @property
    def points(self) -> list[SeriesPoint]:
        """All points of all kernels."""
        return [point for kernel in self.kernels for point in kernel.points]

    def of(self, kernel: str) -> KernelSaturation | None:
        """The saturation of one kernel; ``None`` if it was not in the series."""
        return next((each for each in self.kernels if each.kernel == kernel), None)


def saturation_of(run: Run) -> Saturation | None:
    """Judge the thread series of ``run``; ``None`` if none was measured."""
    kernels = tuple(each for series in _series(run) if (each := _judge(run, series)) is not None)
    if not kernels:
        return None
    decisive = max(kernels, key=lambda each: (each.saturated is True, each.kernel == "triad"))
    threads = decisive.points[-1].threads
    quota = run.machine.cpu_quota if run.machine is not None else None
    limited = quota is not None and quota < threads
    taken = taken_by_others(run)
    broken = next((each for each in kernels if each.open_because in _BREAKS), None)
    because: OpenReason | None = None
    if not limited:
        because = _disturbed(run, felt(run))
        if because is None:
            decisive = broken or decisive
            because = decisive.open_because or _differ(run, kernels)
    saturated = None if limited or because is not None else decisive.saturated
    latency = run.latency.seconds if run.latency is not None else None
    first = decisive.points[0]
    return Saturation(
        kernels=kernels,
        saturated=saturated,
        share=decisive.speedup * first.threads / threads,
        enough_threads=decisive.enough_threads,
        lines_in_flight=_lines_in_flight(run, kernels, latency),
        latency_seconds=latency,
        limit="quota" if limited else _limit(saturated),
        open_because=because,
        kernel=decisive.kernel,
        taken=taken,
        row_gbps=decisive.row_gbps,
    )


_BREAKS: tuple[OpenReason, ...] = ("falls", "rows-differ", "two-modes")
"""The reasons of one kernel that make the whole series untrustworthy."""


def _disturbed(run: Run, taken: float | None) -> OpenReason | None:
    """The disturbance of the whole run that may explain its ratios; ``None`` if there is none."""
    if taken is not None and taken > SPOILING:
        return "other-load"
    throttled = sum(each.throttled_seconds or 0.0 for each in run.disturbances)
    if (share_of_cpus(run, throttled) or 0.0) > SPOILING:
        return "throttled"
    samples = [
        sample
        for variant in run.variants.values()
        if variant.purpose == "series"
        for sample in run.samples.get(variant.id, ())
    ]
    moved = sum(sample.moved > 0 for sample in samples)
    return "moved" if moved > MOVED * len(samples) else None


def _differ(run: Run, kernels: Sequence[KernelSaturation]) -> OpenReason | None:
    """Return ``kernels-differ`` if only some kernels find the memory full in a guest.

    Other guests may fill the memory while one of the kernels is measured.
    """
    if run.machine is None or run.machine.hypervisor is None:
        return None
    full = [each.saturated is True for each in kernels]
    return "kernels-differ" if any(full) and not all(full) else None


Rates = Mapping[int, float]
"""The rate in GB/s by block."""


@dataclass(frozen=True)
class _RatedPoint:
    """A point of the series, with its variant and its rates."""

    point: SeriesPoint
    variant: Variant
    rates: Rates


def _series(run: Run) -> Iterator[list[_RatedPoint]]:
    """Yield the points of each kernel by ascending threads, with the rate of every block."""
    all_threads = run.threads()
    parts: dict[tuple[str, str, str], list[Variant]] = {}
    for variant in run.variants.values():
        if variant.purpose == "series" and variant.threads is not None:
            parts.setdefault((variant.kernel, variant.store, variant.isa), []).append(variant)
    for variants in parts.values():
        points = [_measured(run, variant, variant.threads or 0) for variant in variants]
        known = [each for each in points if each is not None]
        if known and max(each.point.threads for each in known) == all_threads:
            yield sorted(known, key=lambda each: each.point.threads)


def _measured(run: Run, variant: Variant, threads: int) -> _RatedPoint | None:
    rates = _rates(run, variant)
    moved = run.iteration_bytes(variant)
    summary = summarise([time for time in run.element_times(variant.id) if time])
    if not rates or moved is None or summary is None:
        return None
    bounds = interval_over_epochs(run.epochs_of(variant.id))
    interval = None
    if bounds is not None and bounds.low > 0:
        low, high = moved / bounds.high / 1e9, moved / bounds.low / 1e9
        interval = Interval(low, high, bounds.bounded_by)
    gbps = moved / summary.median / 1e9
    return _RatedPoint(
        SeriesPoint(variant.kernel, threads, gbps, interval, variant.tuned), variant, rates
    )


def _rates(run: Run, variant: Variant) -> dict[int, float]:
    """The rate in each block; empty if the bytes that the variant moves are unknown."""
    moved = run.iteration_bytes(variant)
    times = run.element_times_of_blocks(variant.id)
    return {block: moved / time / 1e9 for block, time in times.items() if time} if moved else {}


def _judge(run: Run, series: Sequence[_RatedPoint]) -> KernelSaturation | None:
    if len(series) < 2:
        return None
    points = tuple(each.point for each in series)
    rates = {each.point.threads: each.rates for each in series}
    before, last = points[-2].threads, points[-1].threads
    growth = growth_of(
        {each.threads: each.gbps for each in points},
        before,
        lambda above, below: paired_ratio(rates[above], rates[below]),
    )
    row = _row_of(run, series[-1].variant)
    whole = None if row is None else _measured(run, row, last)
    because = growth.open_because
    if because != "falls":
        differ = whole is not None and _contradict(points[-1], whole.point)
        because = "rows-differ" if differ else _mixed(series) or because
    return KernelSaturation(
        kernel=points[-1].kernel,
        points=points,
        saturated=growth.saturated if because is None else None,
        open_because=because,
        enough_threads=growth.enough,
        row_gbps=None if whole is None else whole.point.gbps,
        rise=(growth.ratio - 1) / (last - before),
    )


def _row_of(run: Run, point: Variant) -> Variant | None:
    """The same variant over whole arrays; ``None`` if the table lacks it."""
    return next(
        (
            each
            for each in run.variants.values()
            if each.purpose == "rate"
            and (each.kernel, each.store, each.isa, each.shape)
            == (point.kernel, point.store, point.isa, point.shape)
        ),
        None,
    )


def _contradict(part: SeriesPoint, whole: SeriesPoint) -> bool:
    """Return whether the two differ by more than their scatter and the allowed difference explain.

    The series runs after the blocks, so their samples are not paired.
    """
    if part.interval is None or whole.interval is None:
        return False
    least = part.interval.low / whole.interval.high
    most = part.interval.high / whole.interval.low
    return least > 1 + DISAGREE or most < 1 / (1 + DISAGREE)


def _mixed(series: Sequence[_RatedPoint]) -> OpenReason | None:
    """Return ``two-modes`` if a point's samples fall into two groups, and neither is rare."""
    for each in series:
        modes = two_modes([1 / rate for rate in each.rates.values()])
        if (
            modes is not None
            and modes.slow / modes.fast - 1 > APART
            and MIXED <= modes.fast_share <= 1 - MIXED
        ):
            return "two-modes"
    return None


@dataclass(frozen=True)
class Growth:
    """Whether bandwidth has stopped rising with the number of workers."""

    saturated: bool | None
    open_because: OpenReason | None
    """Why that is unknown; ``None`` if it is known."""
    enough: int
    """The fewest measured workers with 90 % of the best bandwidth, by the medians."""
    ratio: float
    """The bandwidth of the most workers divided by that of ``before``."""


def growth_of(
    gbps: Mapping[int, float],
    before: int,
    ratio_of: Callable[[int, int], BlockMedian | None],
) -> Growth:
    """Judge the growth of bandwidth from ``gbps``, the rates by number of workers, at least two.

    ``before``: the number that the most workers are compared with. ``ratio_of``: the bandwidth of
    the first number of workers divided by that of the second, with its bounds. There is a verdict
    only if it is the same for all values within the bounds.
    """
    last = max(gbps)
    best = max(gbps, key=lambda each: gbps[each])
    enough = min(each for each in gbps if gbps[each] >= ENOUGH * gbps[best])
    ratio = ratio_of(last, before)
    if ratio is None or ratio.n < 2:
        return Growth(None, "few-samples", enough, gbps[last] / gbps[before])
    if best != last and gbps[last] < COLLAPSE * gbps[best]:
        return Growth(None, "falls", enough, ratio.value)
    shares = [_share_of_best(each, best, ratio_of) for each in gbps if each < last]
    reached = {
        any(low >= ENOUGH for low, _ in shares),
        any(high >= ENOUGH for _, high in shares),
    }
    verdicts = {
        has_saturated(before if fewer else last, before, last, value)
        for fewer in reached
        for value in (ratio.low, ratio.high)
    }
    if len(verdicts) > 1:
        return Growth(None, "noise", enough, ratio.value)
    (saturated,) = verdicts
    return Growth(saturated, "coarse" if saturated is None else None, enough, ratio.value)


def _share_of_best(
    number: int, best: int, ratio_of: Callable[[int, int], BlockMedian | None]
) -> tuple[float, float]:
    """The bounds of the share of the best bandwidth that ``number`` workers have."""
    if number == best:
        return 1.0, 1.0
    ratio = ratio_of(number, best)
    return (0.0, 1.0) if ratio is None else (ratio.low, ratio.high)


def has_saturated(enough: int, before: int, last: int, ratio: float) -> bool | None:
    """Return whether bandwidth has stopped rising by ``last`` workers; ``None`` if it is unknown.

    ``enough``: the fewest workers with 90 % of the best. ``ratio``: the bandwidth of ``last``
    divided by that of ``before``, the number measured before it.
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
    """The lines in flight: bandwidth of one thread x latency / line size.

    The kernel that only loads is used if there is one. A nominal bandwidth does not show how many
    lines its stores read.
    """
    loads = next((each for each in kernels if each.kernel == "sum"), None)
    if loads is None or latency is None:
        return None
    caches = run.machine.caches if run.machine is not None else []
    line = max((cache.line_bytes for cache in caches), default=0) or _LINE_BYTES
    first = loads.points[0]
    return first.gbps * 1e9 / first.threads * latency / line
