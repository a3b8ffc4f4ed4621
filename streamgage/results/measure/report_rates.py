"""``measure``: the table of rates, and the rates as bars."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from streamgage.analysis.shapes import describe_shape
from streamgage.analysis.statistics.estimate import Bounded
from streamgage.results.measure.crossing import crossed_gbps, ordinary_of, verdict
from streamgage.results.measure.document import KernelResult
from streamgage.results.measure.judge import Answer
from streamgage.show.report.bounded import within
from streamgage.show.report.drawing import axis, bounds, colour, plain, pointed
from streamgage.show.report.parts import Cell, Column, Drawing, Figure, Table, Trace
from streamgage.show.symbols import UNICODE
from streamgage.units import format_change, format_rate, format_share

UNKNOWN = "–"
_TOP = 1.3
"""The axis ends so far above the greatest median: where samples are few, intervals are endless."""
_FOOT = (
    "Rates count nominal bytes, as STREAM does, and are medians with their 95 % interval; what"
    " crossed the bus has the lines in it that stores read. n is the number of timed samples."
)


def rates_table(answer: Answer) -> Table:
    """A row a variant."""
    results = answer.result.kernels
    several = answer.run.stores_of_several_isas()
    tuned = any(each.tuned for each in results)
    peaks = any(each.peak_share is not None for each in results)
    columns = [
        Column("kernel", left=True),
        Column("stores", left=True),
        *([Column("access shape", left=True, roomy=True)] if tuned else []),
        Column("median GB/s"),
        Column("best GB/s"),
        *([Column("gain", about="of a tuned shape over the default one, pair by pair")] * tuned),
        Column("crossed the bus GB/s"),
        *([Column("of peak", about="what crossed the bus over the theoretical peak")] * peaks),
        Column("write-allocate", left=True, about="lines that were read because a store hit them"),
        Column("n", about="timed samples, and the allocations of the arrays that they come from"),
        Column("result", left=True),
    ]
    rows = [
        [
            Cell(each.kernel),
            Cell(f"{each.store} {each.isa}" if each.store in several else each.store),
            *([Cell(_shape(each))] if tuned else []),
            _median(each),
            figure(each.best_gbps),
            *([_gain(each)] if tuned else []),
            crossed(each),
            *([_peak_share(each)] if peaks else []),
            Cell(verdict(each)),
            Cell(str(each.n), each.n, _allocations(each)),
            Cell({True: "right", False: "NOT VALID", None: "not checked"}[each.valid]),
        ]
        for each in results
    ]
    return Table("Bandwidth of each kernel", columns, rows, _FOOT)


def figure(gbps: float | None) -> Cell:
    """A rate, or that there is none."""
    return Cell(UNKNOWN) if gbps is None else Cell(format_rate(gbps), gbps)


def crossed(each: KernelResult) -> Cell:
    """What crossed the memory bus, between which bounds, and how that is known."""
    text = crossed_gbps(each)
    if text is None:
        return Cell(UNKNOWN)
    low, high = each.hardware_low_gbps, each.hardware_high_gbps
    bounds_told = (
        within(low, high, each.hardware_gbps)
        if each.hardware_gbps is not None and low is not None and high is not None
        else ""
    )
    known = ", ".join(word for word in (bounds_told, each.alpha.evidence or "") if word)
    return Cell(text, each.hardware_gbps or high, known)


def _allocations(each: KernelResult) -> str:
    """Of the arrays, where the samples come from several."""
    return f"on {each.epochs} allocations" if each.epochs > 1 else ""


def _shape(each: KernelResult) -> str:
    return describe_shape(each.shape) if each.shape is not None else UNKNOWN


def _median(each: KernelResult) -> Cell:
    """Marked where it does not count: the column that says so may lie beyond the page's edge."""
    if each.median_gbps is None:
        return Cell("none")
    interval = "too few samples for an interval"
    if each.low_gbps is not None and each.high_gbps is not None:
        interval = within(each.low_gbps, each.high_gbps, each.median_gbps)
    mark = f"{UNICODE.error} " if each.valid is False else ""
    return Cell(mark + format_rate(each.median_gbps), each.median_gbps, interval, strong=True)


def _gain(each: KernelResult) -> Cell:
    if each.gain is None:
        return Cell("")
    bounds_told = (
        f"{format_change(each.gain_low)} to {format_change(each.gain_high)}"
        if each.gain_low is not None and each.gain_high is not None
        else ""
    )
    return Cell(format_change(each.gain), each.gain, bounds_told)


def _peak_share(each: KernelResult) -> Cell:
    share = each.peak_share
    return Cell(UNKNOWN) if share is None else Cell(format_share(share), share)


def rates_figure(answer: Answer) -> Iterator[Figure]:
    """The medians of all kernels, a colour for each way to store; none where there are none."""
    measured = [each for each in answer.result.kernels if each.median_gbps is not None]
    if not measured:
        return
    kernels = list(dict.fromkeys(each.kernel for each in measured))
    ways = list(dict.fromkeys(_way(answer, each) for each in measured))
    at = {(each.kernel, _way(answer, each)): each for each in measured}
    traces = [_bars(kernels, way, at, number) for number, way in enumerate(ways)]
    crossing = _crossing(answer, kernels, ways, measured)
    peak = answer.result.peak
    top = _TOP * max(each.median_gbps or 0.0 for each in measured)
    if peak is not None:
        top = max(top, 1.05 * peak.gbps)
    layout: Trace = {
        "barmode": "group",
        "scattermode": "group",
        "xaxis": axis("", showgrid=False),
        "yaxis": axis("GB/s of nominal bytes", range=[0, top]),
    }
    if peak is not None:
        layout |= _peak_line(peak.gbps)
    rows = [
        [Cell(kernel), *(figure(_median_of(at.get((kernel, way)))) for way in ways)]
        for kernel in kernels
    ]
    yield Figure(
        title="Bandwidth by kernel and kind of stores",
        about=f"Bars of the median bandwidth of {len(kernels)} kernels, GB/s of nominal bytes, with"
        " the 95 % interval of each; where it is known, a short line tells what crossed the memory"
        " bus with ordinary stores.",
        drawings=[Drawing("", [*traces, *crossing], layout)],
        table=Table(
            "Median GB/s",
            [Column("kernel", left=True), *(Column(way) for way in ways)],
            rows,
        ),
        wide=True,
    )


def _way(answer: Answer, each: KernelResult) -> str:
    isa = each.isa if each.store in answer.run.stores_of_several_isas() else ""
    return " ".join(word for word in (each.store, isa, "tuned" if each.tuned else "") if word)


def _median_of(each: KernelResult | None) -> float | None:
    return None if each is None else each.median_gbps


def _bars(
    kernels: Sequence[str], way: str, at: dict[tuple[str, str], KernelResult], number: int
) -> Trace:
    results = [at.get((kernel, way)) for kernel in kernels]
    figures = [
        None
        if each is None or each.median_gbps is None
        else Bounded(value=each.median_gbps, low=each.low_gbps, high=each.high_gbps)
        for each in results
    ]
    texts = [
        "" if each is None else f"{kernel} {way}: {format_rate(each.value)} GB/s"
        for kernel, each in zip(kernels, figures, strict=True)
    ]
    return {
        "type": "bar",
        "name": plain(way),
        "x": [plain(each) for each in kernels],
        "y": [None if each is None else each.value for each in figures],
        "marker": {"color": colour(number)},
        "error_y": bounds(figures, "text"),
        "textposition": "none",
        "offsetgroup": str(number),
    } | pointed(texts)


def _crossing(
    answer: Answer, kernels: Sequence[str], ways: Sequence[str], results: Sequence[KernelResult]
) -> Iterator[Trace]:
    """What crossed the bus with ordinary stores: a short line over the bar of these."""
    ordinary = [ordinary_of([e for e in results if e.kernel == kernel]) for kernel in kernels]
    known = [each for each in ordinary if each is not None and each.hardware_gbps is not None]
    of_ways = dict.fromkeys(_way(answer, each) for each in known)
    for place, way in enumerate(of_ways):
        shown = [each for each in known if _way(answer, each) == way]
        cells = [(each.kernel, crossed(each)) for each in shown]
        texts = [f"{kernel}: {cell.text} GB/s {cell.detail}" for kernel, cell in cells]
        trace: Trace = {
            "type": "scatter",
            "mode": "markers",
            "name": "crossed the bus (ordinary stores)",
            "legendgroup": "crossed",
            "showlegend": place == 0,
            "offsetgroup": str(ways.index(way)),
            "x": [plain(each.kernel) for each in shown],
            "y": [each.hardware_gbps for each in shown],
            "marker": {
                "symbol": "line-ew",
                "size": 22,
                "color": "limit",
                "line": {"color": "limit", "width": 3},
            },
        }
        yield trace | pointed(texts)


def _peak_line(gbps: float) -> Trace:
    return {
        "shapes": [
            {
                "type": "line",
                "xref": "paper",
                "x0": 0,
                "x1": 1,
                "y0": gbps,
                "y1": gbps,
                "line": {"color": "limit", "width": 1.2, "dash": "dash"},
            }
        ],
        "annotations": [
            {
                "xref": "paper",
                "x": 1,
                "y": gbps,
                "xanchor": "right",
                "yanchor": "bottom",
                "text": f"theoretical peak {format_rate(gbps)}",
                "showarrow": False,
                "font": {"color": "limit", "size": 11},
            }
        ],
    }
