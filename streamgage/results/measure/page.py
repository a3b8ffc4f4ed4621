"""What bandwidths of kernels show: a row for each variant, what they come to, and the quote."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from streamgage.analysis.finding import by_weight
from streamgage.analysis.shapes import describe_shape
from streamgage.analysis.trust import trust_of
from streamgage.records import MemoryRecord, PlanRecord
from streamgage.results.measure.crossing import crossed_gbps, verdict
from streamgage.results.measure.document import KernelResult, Measure
from streamgage.results.measure.expected import expected_pairs
from streamgage.results.measure.plots import plots, rate
from streamgage.results.measure.screen import first_screen, headline
from streamgage.results.measure.standing import standing_pairs
from streamgage.results.measure.table import NO_SAMPLE, bounds_of, rates_table, reported_table
from streamgage.results.measure.times import data as times_data
from streamgage.results.measure.times import times_table
from streamgage.results.measure.words import (
    counted_lines,
    limit_line,
    modes,
    own_kernel_lines,
    peak_text,
    reasons,
    reported_lines,
    setting_line,
    shape_lines,
)
from streamgage.results.result import Result
from streamgage.show.page import (
    CHANGE,
    RATE,
    SHARE,
    Cell,
    Column,
    Data,
    Datum,
    Listing,
    Page,
    Table,
    Unit,
    Value,
)
from streamgage.units import count, format_bytes, format_change, format_rate

_UNKNOWN = "–"
_CAPTION = "Bandwidth of each kernel"
_NOTE = (
    "Rates count nominal bytes, as STREAM does; what crossed the bus includes the lines that"
    " stores read. n is the number of timed samples and of allocations of the arrays."
)
_FOOT = (
    "Rates count nominal bytes, as STREAM does, and are medians with their bounds; what"
    " crossed the bus includes the lines that stores read. n is the number of timed samples."
)
_GAIN = "Gain: of a tuned shape over the default one, paired block by block, where it is certain."
_REPORTED_NOTE = "Rates count nominal bytes, as STREAM does. n is the number of runs."
_REPLAYED = (
    "REPLAYED: counters were played back from a recording. What crossed the memory bus was not"
    " measured on this machine."
)
_STOPPED = {
    "converged": "the medians were settled",
    "max-samples": "as many samples were taken as were allowed",
    "budget": "its time was up",
}


def page(measured: Result[Measure]) -> Page:
    """The whole page, with less on it where the records are not there."""
    result = measured.document
    reported = measured.run.reported is not None
    setting = setting_line(measured)
    times = [times_table(result.kernels, _name_of(measured))] if _sampled(result) else []
    return Page(
        command="measure",
        title="Memory bandwidth",
        headline=headline(result),
        first=None
        if reported
        else first_screen(measured, trust_of(result.findings), by_weight(result.findings)),
        machine=result.machine,
        machine_more=[] if result.peak is None else [peak_text(result.peak)],
        warnings=[_REPLAYED] if _is_replayed(result) else [],
        setup=[*([setting] if setting else []), *reported_lines(measured)],
        tables=[reported_table(measured)] if reported else [rates_table(measured), *times],
        wide_tables=[_reported_table(measured)] if reported else [_table(measured), *times],
        note=_REPORTED_NOTE if reported else _NOTE,
        lists=[
            Listing(
                list(shape_lines(measured)),
                heading="How the access shapes were chosen",
                details=True,
            ),
            Listing(
                list(counted_lines(measured)),
                title="Counters of the memory controllers",
                heading="What the counters of the memory controllers saw",
                details=True,
            ),
            Listing(list(own_kernel_lines(result)), title="Your own kernels"),
            Listing(
                list(expected_pairs(result)),
                title="What others publish for this hardware",
            ),
            Listing(
                list(standing_pairs(result)),
                title="Cloud servers like this one",
            ),
            Listing(reasons(result.kernels) if reported else [], quiet=True),
        ],
        limit=limit_line(measured) or "",
        quote=result.quote or "",
        passed=[(each.code, each.text) for each in measured.passed],
        settings=list(_settings(measured)),
        plots=list(plots(measured)),
        data=_data(measured),
    )


def _is_replayed(result: Measure) -> bool:
    """Whether counters were played back from a recording."""
    records = (result.counters, result.calibration)
    return any(each is not None and each.replayed for each in records) or any(
        each.alpha.evidence == "replayed" for each in result.kernels
    )


def _table(measured: Result[Measure]) -> Table[KernelResult]:
    results = measured.document.kernels
    stores, name = _stores_of(measured), _name_of(measured)
    tuned = any(each.tuned for each in results)
    peaks = any(each.peak_share is not None for each in results)

    # A phone has room for two columns: what it is, and how much.
    columns: list[Column[KernelResult]] = [
        Column("kernel, stores", lambda each: Cell(name(each)), left=True),
        Column("median GB/s", _median),
        *([Column("access shape", _shape, left=True, roomy=True)] if tuned else []),
        Column("best GB/s", lambda each: rate(each.best_gbps)),
        *([Column("gain", _gain, about=_GAIN_ABOUT)] if tuned else []),
        Column("crossed the bus GB/s", _crossed),
        *([Column("of peak", _peak_share, about=_PEAK_ABOUT)] if peaks else []),
        Column(
            "write-allocate",
            lambda each: Cell(verdict(each)),
            left=True,
            about="lines that were read because a store hit them",
        ),
        Column(
            "n",
            _samples,
            about="timed samples, and the allocations of the arrays that they come from",
        ),
        Column("result", lambda each: Cell(_VALID[each.valid]), left=True),
    ]
    sampled = _sampled(measured.document)
    return Table(
        columns=columns if sampled else [],
        rows=results if sampled else [],
        caption=_CAPTION,
        empty=NO_SAMPLE,
        report_note=_FOOT,
        pasted=_pasted(results, stores, tuned=tuned),
    )


def _sampled(result: Measure) -> bool:
    return any(each.n for each in result.kernels)


def _stores_of(measured: Result[Measure]) -> Callable[[KernelResult], Cell]:
    """Of each the kind of store, with the instruction set where there are several."""
    several = measured.run.stores_of_several_isas()
    return lambda each: Cell(f"{each.store} {each.isa}" if each.store in several else each.store)


def _name_of(measured: Result[Measure]) -> Callable[[KernelResult], str]:
    stores = _stores_of(measured)
    return lambda each: f"{each.kernel} {stores(each).text}"


_GAIN_ABOUT = "of a tuned shape over the default one, pair by pair"
_PEAK_ABOUT = "what crossed the bus over the theoretical peak"
_VALID = {True: "right", False: "NOT VALID", None: "not checked"}


def _pasted(
    results: Sequence[KernelResult], stores: Callable[[KernelResult], Cell], *, tuned: bool
) -> Table[KernelResult]:
    """All columns, and the bounds of the median in one of their own."""
    return Table(
        columns=[
            Column("kernel", lambda each: Cell(each.kernel), left=True),
            Column("store", stores, left=True),
            Column("shape", _shape, left=True),
            Column("best GB/s", lambda each: rate(each.best_gbps)),
            Column("median GB/s", lambda each: rate(each.median_gbps)),
            Column("bounds of the median", _interval, about=bounds_of(results)),
            Column("gain", lambda each: _known(each.gain if each.gained else None, CHANGE)),
            Column("crossed the bus GB/s", _crossed_alone),
            Column("write-allocate", lambda each: Cell(verdict(each)), left=True),
            Column("n", lambda each: Cell(str(each.n), each.n)),
            Column("allocations", lambda each: Cell(str(each.epochs), each.epochs)),
            Column("valid", _valid, left=True),
        ],
        rows=results,
        foot=(_GAIN,) if tuned else (),
    )


def _known(value: float | None, unit: Unit) -> Cell:
    return Cell(_UNKNOWN) if value is None else Cell("", value, unit=unit)


def _shape(each: KernelResult) -> Cell:
    return Cell(describe_shape(each.shape) if each.shape is not None else _UNKNOWN)


def _median(each: KernelResult) -> Cell:
    """Marked where it does not count: the column that says so may lie beyond the page's edge."""
    if each.median_gbps is None:
        return Cell("none")
    return Cell(
        value=each.median_gbps,
        low=each.low_gbps,
        high=each.high_gbps,
        unit=RATE,
        strong=True,
        detail=_bounded_by(each),
        wrong=each.valid is False,
    )


def _bounded_by(each: KernelResult) -> str:
    """What the bounds are where they are no interval of 95 %."""
    if each.low_gbps is None or each.high_gbps is None:
        return "too few samples for bounds"
    return "" if each.bounded_by == "interval" else bounds_of([each])


def _interval(each: KernelResult) -> Cell:
    if each.low_gbps is None or each.high_gbps is None:
        return Cell(_UNKNOWN)
    return Cell(f"{format_rate(each.low_gbps)} to {format_rate(each.high_gbps)}", each.low_gbps)


def _gain(each: KernelResult) -> Cell:
    if each.gain is None or not each.gained:
        return Cell("")
    between = ""
    if each.gain_low is not None and each.gain_high is not None:
        between = f"{format_change(each.gain_low)} to {format_change(each.gain_high)}"
    return Cell("", each.gain, unit=CHANGE, detail=between)


def _crossed(each: KernelResult) -> Cell:
    """What crossed the memory bus, between which bounds, and how that is known."""
    evidence = each.alpha.evidence or ""
    low, high = each.hardware_low_gbps, each.hardware_high_gbps
    if each.hardware_gbps is not None:
        return Cell("", each.hardware_gbps, low, high, RATE, detail=evidence)
    text = crossed_gbps(each)
    return Cell(_UNKNOWN) if text is None else Cell(text, high, detail=evidence)


def _crossed_alone(each: KernelResult) -> Cell:
    """The same without its bounds."""
    return Cell(crossed_gbps(each) or _UNKNOWN, each.hardware_gbps)


def _peak_share(each: KernelResult) -> Cell:
    return _known(each.peak_share, SHARE)


def _samples(each: KernelResult) -> Cell:
    several = f"on {each.epochs} allocations" if each.epochs > 1 else ""
    return Cell(str(each.n), each.n, detail=several)


def _valid(each: KernelResult) -> Cell:
    text = {True: "yes", False: "no", None: "not checked"}[each.valid]
    return Cell(text, wrong=each.valid is False)


def _reported_table(measured: Result[Measure]) -> Table[KernelResult]:
    """A row for a kernel with its stores, over the runs that were saved."""
    results = measured.document.kernels
    threads: Column[KernelResult] = Column(
        "threads", lambda each: Cell(str(each.threads or _UNKNOWN), each.threads)
    )
    middle: Column[KernelResult] = Column("median GB/s", _middle)
    spread: list[Column[KernelResult]] = [
        Column("mean", _over_runs("mean_gbps")),
        Column("sd", _over_runs("deviation_gbps")),
        Column("min", _over_runs("minimum_gbps")),
        Column("max", _over_runs("maximum_gbps")),
    ]
    n: Column[KernelResult] = Column("n", lambda each: Cell(str(each.n), each.n), about="runs")
    allocate: Column[KernelResult] = Column(
        "write-allocate", lambda each: Cell(verdict(each)), left=True
    )
    sampled = any(each.n for each in results)
    return Table(
        columns=[
            Column(
                "kernel, stores",
                lambda each: Cell(f"{each.kernel} {_stores_and_isa(each).text}"),
                left=True,
            ),
            middle,
            threads,
            *spread,
            Column("groups", _groups, left=True, about="two groups that the runs fall into"),
            n,
            Column("crossed the bus GB/s", _crossed),
            Column("of peak", _peak_share),
            allocate,
        ]
        if sampled
        else [],
        rows=results if sampled else [],
        caption=_CAPTION,
        empty=NO_SAMPLE,
        pasted=Table(
            [
                Column("kernel", lambda each: Cell(each.kernel), left=True),
                Column("stores", _stores_and_isa, left=True),
                threads,
                middle,
                *spread,
                Column("modes", _groups, left=True),
                n,
                Column("crossed the bus GB/s", _crossed_alone),
                allocate,
            ],
            results,
        ),
    )


def _stores_and_isa(each: KernelResult) -> Cell:
    return Cell(f"{each.store} {each.isa}" if each.isa else each.store)


def _middle(each: KernelResult) -> Cell:
    if each.spread and not each.spread.of_one_state:
        return Cell("none")
    return rate(each.spread.median_gbps if each.spread else each.median_gbps)


def _over_runs(name: str) -> Callable[[KernelResult], Cell]:
    return lambda each: rate(getattr(each.spread, name, None))


def _groups(each: KernelResult) -> Cell:
    return Cell(modes(each) or _UNKNOWN)


def _data(measured: Result[Measure]) -> Data[KernelResult]:
    """A row for each variant; other columns where another benchmark printed the figures."""
    columns = _DATA if measured.run.reported is None else _REPORTED_DATA
    return Data(columns, measured.document.kernels)


def _own(*keys: str) -> list[Datum[KernelResult]]:
    return [Datum(key, _field(key)) for key in keys]


def _of(part: str, **fields: str) -> list[Datum[KernelResult]]:
    """Columns from a part of the result that may not be there; by key the names of its fields."""
    return [Datum(key, _field(f"{part}.{field}")) for key, field in fields.items()]


def _field(path: str) -> Callable[[KernelResult], Value]:
    """What reads a field; ``None`` where it is empty, or a part on the way to it is missing."""

    def value(result: KernelResult) -> Value:
        found: Any = result
        for name in path.split("."):
            found = getattr(found, name, None)
        return None if found == "" else found

    return value


_ALPHA = _of(
    "alpha",
    alpha_verdict="verdict",
    alpha="value",
    alpha_low="low",
    alpha_high="high",
    evidence="evidence",
    alpha_reason="reason",
)
"""The lines that were read because of a store."""
_DATA: Sequence[Datum[KernelResult]] = [
    *_own("kernel", "store", "tuned", "threads", "type", "n"),
    *_own("best_gbps", "median_gbps", "low_gbps", "high_gbps", "hardware_gbps", "valid", "isa"),
    Datum("shape", lambda each: None if each.shape is None else describe_shape(each.shape)),
    *_own("gain", "gain_low", "gain_high", "peak_share"),
    *_own("hardware_low_gbps", "hardware_high_gbps", "epochs", "bounded_by"),
    *times_data(),
    *_ALPHA,
    *_of(
        "traffic",
        bytes_read="bytes_read",
        bytes_written="bytes_written",
        bytes_total="bytes_total",
        reads_per_write="reads_per_write",
    ),
]
"""The last four are of a pass, as hardware counted them; played back where the evidence is
``replayed``."""
_REPORTED_DATA: Sequence[Datum[KernelResult]] = [
    *_own("kernel", "store", "isa", "type", "threads", "purpose", "n", "best_gbps", "median_gbps"),
    *_of(
        "spread",
        mean_gbps="mean_gbps",
        deviation_gbps="deviation_gbps",
        minimum_gbps="minimum_gbps",
        maximum_gbps="maximum_gbps",
    ),
    *_own("hardware_gbps", "hardware_low_gbps", "hardware_high_gbps", "peak_share"),
    *_own("gflops"),
    *_ALPHA,
    *_own("valid"),
]


def _unreadable(result: Measure) -> Iterator[tuple[str, str]]:
    """The lists of what others have that could not be read."""
    if result.expected_reason is not None:
        yield "Published values", result.expected_reason
    if result.standings_reason is not None:
        yield "Cloud servers", result.standings_reason


def _settings(measured: Result[Measure]) -> Iterator[tuple[str, str]]:
    """How it was measured."""
    run = measured.run
    if (line := setting_line(measured)) is not None:
        yield "Threads and arrays", line
    if run.plan is not None:
        yield from _plan_settings(run.plan)
    if run.memory is not None:
        yield "STREAM's rule", _rule(run.memory, run.plan)
    codes = dict.fromkeys(each.code for each in run.shown() if each.code)
    for number, code in enumerate(codes):
        yield "Code of the kernels" if number == 0 else "", code
    if run.clock is not None:
        granularity = run.clock.granularity_seconds * 1e9
        yield "Clock", f"{run.clock.source}, granularity {granularity:.0f} ns"
    if run.core_clock is not None and run.core_clock.hertz is not None:
        yield "Core clock", f"{run.core_clock.hertz / 1e9:.2f} GHz right after the kernels"
    if run.end is not None:
        why = f"; it ended because {_STOPPED[run.end.stopped_by]}" if run.end.stopped_by else ""
        yield "Course", f"{count(run.end.blocks, 'block')} in {run.end.seconds:.1f} s{why}"
    peak, reason = measured.document.peak, measured.document.peak_reason
    if peak is not None:
        source = {"given": "given", "smbios": "from SMBIOS", "model": "by its model"}[peak.source]
        yield "Theoretical peak", f"{peak.gbps:.1f} GB/s ({peak.detail}, {source})"
    elif reason is not None:
        yield "Theoretical peak", f"not known: {reason}"
    yield from _unreadable(measured.document)
    for name, text in counted_lines(measured):
        yield f"Counted: {name}", text
    for name, text in shape_lines(measured):
        yield f"Access shape: {name}", text


def _rule(memory: MemoryRecord, plan: PlanRecord | None) -> str:
    """The size that the rule asks for, and where the size of the caches comes from."""
    text = f"at least {format_bytes(memory.rule_bytes)} an array"
    caches = memory.last_level_cache_bytes
    if not caches:
        return f"{text}: the caches are not known (--llc)"
    text += f", 4 times the {format_bytes(caches)} of last-level cache that the threads can reach"
    if plan is not None and plan.last_level_cache_bytes is not None:
        return f"{text}, as --llc says"
    return f"{text}, as the machine reports; --llc or --size correct it"


def _plan_settings(plan: PlanRecord) -> Iterator[tuple[str, str]]:
    yield "Elements", plan.type
    where = f"{format_bytes(plan.alignment_bytes)}" if plan.alignment_bytes else "2 MiB or more"
    yield "Arrays", f"aligned to {where}; initial values: {plan.init}"
    sampling = plan.sampling
    yield (
        "Sampling",
        f"{sampling.min_samples} to {sampling.max_samples} samples a variant in random order, at"
        f" most {sampling.budget_seconds:g} s {'in all' if plan.tiers else 'of kernels'};"
        f" seed {plan.seed}",
    )
    yield "Huge pages", "asked for" if plan.huge_pages else "not asked for"
