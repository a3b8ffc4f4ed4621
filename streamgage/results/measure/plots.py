"""The plots of bandwidths: the rates as bars, every sample over time, and growth with threads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from streamgage.analysis.sample_rates import (
    FiveNumbers,
    VariantSamples,
    five_numbers,
    samples_of_variants,
)
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.results.measure.crossing import ordinary_of
from streamgage.results.measure.document import KernelResult, Measure
from streamgage.results.measure.variant_rates import by_variant
from streamgage.results.result import Result
from streamgage.show.page import (
    RATE,
    Axis,
    BarMarks,
    Cell,
    Column,
    Course,
    Courses,
    Lines,
    Plot,
    Series,
    Table,
    UprightBars,
)
from streamgage.units import count, format_rate

_NOMINAL = "GB/s of nominal bytes"
_UNKNOWN = "–"


def plots(measured: Result[Measure]) -> Iterator[Plot]:
    """Yield the plots for which there are figures."""
    yield from _rates(measured)
    yield from _samples(measured)
    yield from _growth(measured.document)


def rate(gbps: float | None) -> Cell:
    """A rate, or words for none."""
    return Cell(_UNKNOWN) if gbps is None else Cell("", gbps, unit=RATE)


_Measured = Mapping[tuple[str, str], KernelResult]
"""Results by kernel and kind of store."""


def _rates(measured: Result[Measure]) -> Iterator[UprightBars]:
    """The medians of all kernels, a colour for each way to store."""
    results = [each for each in measured.document.kernels if each.median_gbps is not None]
    if not results:
        return
    kernels = list(dict.fromkeys(each.kernel for each in results))
    ways = list(dict.fromkeys(_way(measured, each) for each in results))
    at = {(each.kernel, _way(measured, each)): each for each in results}
    peak = measured.document.peak
    yield UprightBars(
        title="Bandwidth by kernel and kind of stores",
        about=f"Bars of the median bandwidth of {count(len(kernels), 'kernel')}, GB/s of nominal"
        " bytes, with the bounds of each; where it is known, a short line shows what crossed the"
        " memory bus with ordinary stores.",
        axis=Axis(_NOMINAL, RATE),
        names=kernels,
        series=[(way, [_median(at.get((kernel, way))) for kernel in kernels]) for way in ways],
        table=Table(
            columns=[
                Column("kernel", Cell, left=True),
                *(_median_column(way, at) for way in ways),
            ],
            rows=kernels,
            caption="Median GB/s",
        ),
        over=list(_crossing(measured, kernels, ways, results)),
        over_name="crossed the bus (ordinary stores)",
        limit=None if peak is None else (peak.gbps, f"theoretical peak {format_rate(peak.gbps)}"),
    )


def _way(measured: Result[Measure], each: KernelResult) -> str:
    isa = each.isa if each.store in measured.run.stores_of_several_isas() else ""
    return " ".join(word for word in (each.store, isa, "tuned" if each.tuned else "") if word)


def _median(each: KernelResult | None) -> Estimate | None:
    if each is None or each.median_gbps is None:
        return None
    return Estimate(
        value=each.median_gbps,
        low=each.low_gbps,
        high=each.high_gbps,
        bounded_by=each.bounded_by,
    )


def _median_column(way: str, at: _Measured) -> Column[str]:
    def cell(kernel: str) -> Cell:
        found = at.get((kernel, way))
        return rate(None if found is None else found.median_gbps)

    return Column(way, cell)


def _crossing(
    measured: Result[Measure],
    kernels: Sequence[str],
    ways: Sequence[str],
    results: Sequence[KernelResult],
) -> Iterator[BarMarks]:
    """The real traffic with ordinary stores, over their bars."""
    ordinary = [ordinary_of([e for e in results if e.kernel == kernel]) for kernel in kernels]
    known = [each for each in ordinary if each is not None and each.hardware_gbps is not None]
    for way in dict.fromkeys(_way(measured, each) for each in known):
        shown = [each for each in known if _way(measured, each) == way]
        yield BarMarks(
            ways.index(way),
            [(each.kernel, _crossed(each), each.alpha.evidence or "") for each in shown],
        )


def _crossed(each: KernelResult) -> Estimate:
    assert each.hardware_gbps is not None, "it is known"
    return Estimate(
        value=each.hardware_gbps, low=each.hardware_low_gbps, high=each.hardware_high_gbps
    )


def _samples(measured: Result[Measure]) -> Iterator[Courses]:
    """The samples of one variant at a time; none if there are no two to see apart."""
    found = samples_of_variants(measured.run)
    if not any(len(each.gbps) > 1 for each in found):
        return
    reported = measured.run.reported is not None
    afresh = (
        " Dotted lines: the arrays were allocated afresh."
        if any(each.allocations for each in found)
        else ""
    )
    unit = "runs" if reported else "timed samples"
    numbers = [(each.name, five_numbers(each.gbps)) for each in found]
    yield Courses(
        title="The runs" if reported else "The samples over time, and their distribution",
        about=f"The bandwidth of the {unit} of a variant in the order measured, with the median as"
        " a line and its bounds as a band, and next to them a histogram: it shows two groups"
        f" or a drift.{afresh}",
        x=Axis("table" if reported else "block, in the order measured"),
        y=Axis(_NOMINAL, RATE),
        courses=[_course(measured, each) for each in found],
        table=Table(
            columns=_NUMBERS,
            rows=numbers,
            caption=f"GB/s of the {unit}: extremes, quartiles and median",
        ),
        select="Variant",
        first=next((place for place, each in enumerate(found) if _is_first(each)), 0),
    )


_NUMBERS: Sequence[Column[tuple[str, FiveNumbers]]] = [
    Column("variant", lambda each: Cell(each[0]), left=True),
    Column("n", lambda each: Cell(str(each[1].n), each[1].n)),
    Column("least", lambda each: rate(each[1].minimum)),
    Column("25 %", lambda each: rate(each[1].lower)),
    Column("median", lambda each: rate(each[1].median)),
    Column("75 %", lambda each: rate(each[1].upper)),
    Column("most", lambda each: rate(each[1].maximum)),
]


def _is_first(each: VariantSamples) -> bool:
    return each.variant.kernel == "triad" and each.variant.purpose == "rate"


def _course(measured: Result[Measure], each: VariantSamples) -> Course:
    results = (result for variant, result in by_variant(measured) if variant == each.variant)
    return Course(
        name=each.name,
        places=each.blocks,
        values=each.gbps,
        breaks=[(each.blocks[place - 1] + each.blocks[place]) / 2 for place in each.allocations],
        middle=_median(next(results, None)),
    )


def _growth(result: Measure) -> Iterator[Lines]:
    """A line for each kernel; none if no series was measured."""
    found = result.saturation
    if found is None or len({each.threads for each in found.series}) < 2:
        return
    kernels = list(dict.fromkeys(each.name for each in found.series))
    counts = sorted({each.threads for each in found.series})
    at = {(each.name, each.threads): each.gbps for each in found.series}
    lines = []
    for number, kernel in enumerate(kernels):
        points = [each for each in found.series if each.name == kernel]
        lines.append(
            Series(
                name=kernel,
                xs=[each.threads for each in points],
                figures=[
                    Estimate(
                        value=e.gbps, low=e.low_gbps, high=e.high_gbps, bounded_by=e.bounded_by
                    )
                    for e in points
                ],
                texts=[
                    f"{kernel}, {count(e.threads, 'thread')}: {format_rate(e.gbps)}" for e in points
                ],
                look=number,
            )
        )
    yield Lines(
        title="How bandwidth grows with threads",
        about="The bandwidth of a few kernels over the number of threads, each with a part of the"
        " arrays of the same size.",
        x=Axis("threads", scale="counts", ticks=counts),
        y=Axis("GB/s", RATE, from_zero=True),
        series=lines,
        table=Table(
            columns=[
                Column("threads", lambda n: Cell(str(n), n)),
                *(_growth_column(kernel, at) for kernel in kernels),
            ],
            rows=counts,
            caption=_NOMINAL,
        ),
    )


def _growth_column(kernel: str, at: Mapping[tuple[str, int], float]) -> Column[int]:
    return Column(kernel, lambda threads: rate(at.get((kernel, threads))))
