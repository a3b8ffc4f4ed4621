"""The table of bandwidths: a row for each kernel with its stores, in every format.

A terminal leaves out columns where it is narrow, never a digit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from streamgage.analysis.shapes import describe_shape
from streamgage.records.other_benchmark import UNKNOWN_STORES
from streamgage.results.measure.crossing import crossed, verdict
from streamgage.results.measure.document import KernelResult, Measure
from streamgage.results.measure.plots import rate
from streamgage.results.measure.time_given import not_measured_line
from streamgage.results.measure.words import modes
from streamgage.results.result import Result
from streamgage.show.page import CHANGE, RATE, SHARE, Cell, Column, Table
from streamgage.units import count, format_change, format_rate

_NONE = "–"
_CAPTION = "Bandwidth of each kernel"
_NOTHING = Table[Any]((), (), caption=_CAPTION, empty="No timed sample was taken.", legend=True)
_VALID = {True: "right", False: "NOT VALID", None: "not checked"}
_ALLOCATE = Column[KernelResult](
    "write-allocate",
    lambda each: Cell(verdict(each)),
    left=True,
    may_go=4,
    about="lines that were read because a store hit them",
)


def rates_table(
    measured: Result[Measure], name: Callable[[KernelResult], str]
) -> Table[KernelResult]:
    """Median with its bounds, best, what crossed the bus, and what a tuned shape gained.

    ``name``: of a row, its kernel and stores.
    """
    results = measured.document.kernels
    if not any(each.n for each in results):
        return _NOTHING
    columns = [
        Column[KernelResult]("kernel, stores", lambda each: Cell(name(each)), left=True),
        Column("GB/s", _median),
        *_gain(results),
        Column("best GB/s", lambda each: rate(each.best_gbps), may_go=6),
        *_traffic(results),
        *_shapes(results),
        Column("n", _samples, may_go=7),
        Column("result", lambda each: Cell(_VALID[each.valid]), left=True, may_go=8),
    ]
    return Table(columns, results, caption=_CAPTION, foot=_foot(measured), legend=True)


def reported_table(measured: Result[Measure]) -> Table[KernelResult]:
    """Nominal rates of another benchmark, what crossed the memory bus, and the evidence."""
    results = measured.document.kernels
    if not any(each.n for each in results):
        return _NOTHING
    numbers = sorted({result.n for result in results})
    n = f"{numbers[0]}" if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
    spread = any(result.spread for result in results)
    columns = [
        Column[KernelResult](
            "kernel" if {each.store for each in results} == {UNKNOWN_STORES} else "kernel, stores",
            lambda each: Cell(_name(each)),
            left=True,
        ),
        *_threads(results),
        Column("median GB/s" if spread else "GB/s", _middle),
        *(_spread() if spread else ()),
        *_traffic(results),
    ]
    return Table(
        columns,
        results,
        caption=_CAPTION,
        foot=["nominal bytes, as printed", f"n = {n} run{'' if n == '1' else 's'} each"],
        notes=[
            ("", f"{each.kernel}: the runs fall into two groups, {modes(each)}")
            for each in results
            if modes(each)
        ]
        + [
            ("", f"{each.kernel}: the runs differ too much for one median")
            for each in results
            if each.spread and not each.spread.of_one_state
        ],
        legend=True,
    )


def _median(result: KernelResult) -> Cell:
    """The median, with a mark if it does not count: the column that says so may be left out."""
    if result.median_gbps is None:
        return Cell("none")
    low, high, wrong = result.low_gbps, result.high_gbps, result.valid is False
    known = low is not None and high is not None
    return Cell(
        "" if known else f"{format_rate(result.median_gbps)} ±?",
        result.median_gbps,
        low,
        high,
        RATE,
        strong=True,
        detail=_bounded_by(result),
        wrong=wrong,
    )


def _bounded_by(result: KernelResult) -> str:
    """The meaning of bounds that are not an interval of 95 %."""
    if result.low_gbps is None or result.high_gbps is None:
        return "too few samples for bounds"
    return "" if result.bounded_by == "interval" else bounds_of([result])


def _gain(results: Sequence[KernelResult]) -> list[Column[KernelResult]]:
    """The gain of tuned shapes, if the run confirms any."""

    def cell(result: KernelResult) -> Cell:
        if not result.gained:
            return Cell()
        low, high = format_change(result.gain_low or 0.0), format_change(result.gain_high or 0.0)
        return Cell("", result.gain, unit=CHANGE, detail="" if low == high else f"{low} to {high}")

    about = "of the tuned shape over the default one, pair by pair"
    return (
        [Column("gain", cell, may_go=1, about=about)]
        if any(each.gained for each in results)
        else []
    )


def _shapes(results: Sequence[KernelResult]) -> list[Column[KernelResult]]:
    """The access shapes, where any is not the default one."""

    def cell(result: KernelResult) -> Cell:
        return Cell(_NONE if result.shape is None else describe_shape(result.shape))

    shown = any(each.tuned for each in results)
    return [Column("access shape", cell, left=True, roomy=True, may_go=9)] if shown else []


def _traffic(results: Sequence[KernelResult]) -> list[Column[KernelResult]]:
    """The real traffic, its share of the peak if known, and the reason."""
    peaks = any(each.peak_share is not None for each in results)
    return [
        Column("crossed the bus", crossed, long_title="crossed the bus GB/s", may_go=3),
        *([Column("of peak", _peak_share, may_go=2)] if peaks else []),
        _ALLOCATE,
    ]


def _peak_share(result: KernelResult) -> Cell:
    return Cell(_NONE) if result.peak_share is None else Cell("", result.peak_share, unit=SHARE)


def _samples(result: KernelResult) -> Cell:
    several = f"on {count(result.epochs, 'allocation')}" if result.epochs > 1 else ""
    return Cell(str(result.n), result.n, detail=several)


def _name(result: KernelResult) -> str:
    store = "" if result.store == UNKNOWN_STORES else result.store
    return " ".join(part for part in (result.kernel, store, result.isa) if part)


def _threads(results: Sequence[KernelResult]) -> list[Column[KernelResult]]:
    differ = len({each.threads for each in results}) > 1
    column = Column[KernelResult](
        "threads", lambda each: Cell(str(each.threads or _NONE), each.threads), may_go=1
    )
    return [column] if differ else []


def _middle(result: KernelResult) -> Cell:
    if result.spread and not result.spread.of_one_state:
        return Cell("none", tone="doubtful")
    shown = result.spread.median_gbps if result.spread else result.median_gbps
    return Cell(_NONE) if shown is None else Cell("", shown, unit=RATE, wrong=result.valid is False)


def _spread() -> list[Column[KernelResult]]:
    def column(title: str, field: str, may_go: int) -> Column[KernelResult]:
        return Column(title, lambda each: rate(getattr(each.spread, field, None)), may_go=may_go)

    return [
        column("mean", "mean_gbps", 8),
        column("sd", "deviation_gbps", 7),
        column("min", "minimum_gbps", 6),
        column("max", "maximum_gbps", 5),
    ]


def _numbers(results: Sequence[KernelResult]) -> str:
    """``n = 24 each, 8 allocations``: samples, and the allocations that they come from."""
    measured = [result for result in results if result.n]
    samples = sorted({result.n for result in measured})
    n = f"{samples[0]} each" if len(samples) == 1 else f"{samples[0]} to {samples[-1]}"
    few = any(result.low_gbps is None for result in measured)
    epochs = sorted({result.epochs for result in measured})
    most = count(epochs[-1], "allocation")
    allocations = most if len(epochs) == 1 else f"{epochs[0]} to {most}"
    return f"n = {n}{' (too few for bounds)' if few else ''}, {allocations}"


def _foot(measured: Result[Measure]) -> list[str]:
    results = measured.document.kernels
    parts = [f"nominal bytes, median; ± or a to b: {bounds_of(results)}", _numbers(results)]
    if not any(result.tuned for result in results) and any(
        tuning.source in ("raced", "known") for tuning in measured.document.tunings
    ):
        parts.append("no other shape was quicker than the default one beyond doubt")
    elif any(result.unconfirmed for result in results):
        parts.append("a tuned figure without a gain is not quicker beyond doubt")
    if measured.document.not_measured:
        parts.append(not_measured_line(measured.document.not_measured))
    return parts


def bounds_of(results: Sequence[KernelResult]) -> str:
    """``its 95 % interval``, ``the range of 4 allocations`` or ``the range of 3 samples``.

    If results differ, it is the range of the fewest, whose figures are the least certain. If the
    machine drifts, it is that of all samples.
    """
    ranges = [each for each in results if each.bounded_by == "range" and each.low_gbps is not None]
    if not ranges:
        return "its 95 % interval"
    few = [each for each in ranges if not each.drifts]
    what = "all samples"
    if few:
        least = min(few, key=lambda each: (each.epochs, each.n))
        what = count(least.epochs, "allocation") if least.epochs > 1 else count(least.n, "sample")
    sure = [each for each in results if each.bounded_by == "interval" and each.low_gbps is not None]
    return f"{'its 95 % interval, or ' if sure else ''}the range of {what}"
