"""The figures of ``measure``, and of other benchmarks' outputs: one a variant.

Other benchmarks print one figure a run. For STREAM, TheBandwidthBenchmark and BabelStream it is the
best of the run's repetitions, so that next to theirs the best of our samples stands, never the
median; likwid-bench and Intel MLC print the rate over a whole run, next to which it does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from streamgage.analysis.statistics.evidence import Evidence, observations_of, rounds_bounds
from streamgage.analysis.statistics.intervals import FEWEST, Interval, median
from streamgage.records import Variant
from streamgage.records.run import Run
from streamgage.results.comparable import Conventions, Figure, Source, Statistic
from streamgage.results.measure.document import KernelResult, Measure
from streamgage.results.measure.variant_rates import by_variant
from streamgage.results.result import Result

_UNTOLD = "unknown"
"""Stores of a benchmark that does not say what the compiler made of its loops."""
PLAIN = "plain"


def conventions_of(documents: Sequence[Measure]) -> Conventions:
    """The conventions under which the results can be compared."""
    printed = {each.reported.prints if each.reported else None for each in documents}
    statistic: Statistic = "median"
    if printed and None not in printed:
        statistic = "as printed"
    elif "best" in printed:
        statistic = "best"
    named: set[str] = set()
    for document in documents:
        isas: dict[str, set[str | None]] = {}
        own = {each.kernel for each in document.own_kernels}
        for kernel in (each for each in document.kernels if each.kernel not in own):
            isas.setdefault(kernel.store, set()).add(kernel.isa)
        named |= {store for store, names in isas.items() if len(names) > 1}
    return Conventions(
        statistic,
        frozenset(named),
        frozenset(
            Source(document.reported.tool, document.reported.prints, kernel.store)
            if document.reported
            else Source(None, None, kernel.store)
            for document in documents
            for kernel in document.kernels
        ),
    )


def identity(document: Measure) -> object:
    """An identity of the measurement, which a run also has if only its rates were judged."""
    figures = [
        (
            *(each.kernel, each.store, each.isa, each.tuned, each.type, each.threads, each.n),
            *(each.best_gbps, each.median_gbps, each.low_gbps, each.high_gbps, each.valid),
        )
        for each in document.kernels
    ]
    return (document.machine, document.reported, figures)


def is_replayed(document: Measure) -> bool:
    """Return whether counters were played back from a recording."""
    return (document.calibration is not None and document.calibration.replayed) or any(
        each.alpha.evidence == "replayed" for each in document.kernels
    )


def figures(measured: Result[Measure], conventions: Conventions) -> Iterable[Figure | None]:
    """Figures from the samples, or without these from the document's medians and bounds."""
    document = measured.document
    if measured.records is None:
        return [_of_document(each, document, conventions) for each in document.kernels]
    return [
        _of_samples(variant, result, measured.run, conventions)
        for variant, result in by_variant(measured)
    ]


def _of_samples(
    variant: Variant, result: KernelResult, run: Run, conventions: Conventions
) -> Figure | None:
    moved = run.iteration_bytes(variant)
    if not moved:
        return None
    if result.disturbed:
        return _of_disturbed(result, conventions)
    epochs = [[t / moved * 1e9 for t in epoch] for epoch in run.epochs_of(variant.id)]
    times = sorted(time for epoch in epochs for time in epoch)
    if not times or times[0] <= 0:
        return None
    best = conventions.statistic == "best" and run.reported is None
    evidence = None if best else observations_of(epochs)
    few = evidence is not None and evidence.few
    return _figure(
        result,
        conventions,
        seconds=times[0] if best else median(times),
        evidence=evidence,
        shown=None if best or few else _shown(result),
        n=len(times),
        runs=run.reported is not None,
    )


def _of_disturbed(result: KernelResult, conventions: Conventions) -> Figure | None:
    """A figure whose every sample was disturbed: how far it is off is unknown."""
    gbps = result.best_gbps if conventions.statistic == "best" else result.median_gbps
    if not gbps:
        return None
    return _figure(
        result,
        conventions,
        seconds=1 / gbps,
        evidence=None,
        shown=None,
        n=result.n,
        runs=False,
    )


def _of_document(
    result: KernelResult, document: Measure, conventions: Conventions
) -> Figure | None:
    best = conventions.statistic == "best" and document.reported is None
    gbps = result.best_gbps if best else result.median_gbps
    if not gbps:
        return None
    shown = None if best else _shown(result)
    return _figure(
        result,
        conventions,
        seconds=1 / gbps,
        evidence=rounds_bounds(shown.low, shown.high, _parts(result)) if shown else None,
        shown=shown,
        n=result.n,
        runs=document.reported is not None,
    )


def _shown(result: KernelResult) -> Interval | None:
    if not result.low_gbps or not result.high_gbps:
        return None
    return Interval(1 / result.high_gbps, 1 / result.low_gbps, result.bounded_by)


def _parts(result: KernelResult) -> int:
    """The number of figures whose range the bounds are; 1 if they are an interval."""
    if result.bounded_by == "interval":
        return 1
    observations = result.epochs if result.epochs > 1 else result.n
    return min(observations, FEWEST - 1)  # of a drifting machine more are worth no more


def _figure(
    result: KernelResult,
    conventions: Conventions,
    *,
    seconds: float,
    evidence: Evidence,
    shown: Interval | None,
    n: int,
    runs: bool,
) -> Figure:
    store = PLAIN if result.store == _UNTOLD else result.store
    words = [result.kernel, store]
    words += [result.isa or ""] if result.store in conventions.isas_named else []
    words += ["tuned"] if result.tuned else []
    words += [f"of {result.type}"] if result.type != "double" else []
    words = [word for word in words if word]
    return Figure(
        key=tuple(words),
        name=" ".join(words),
        kernel=result.kernel,
        unit="GB/s",
        seconds=seconds,
        evidence=evidence,
        n=n,
        of="runs" if runs else "samples",
        shown=shown,
        valid=result.valid,
    )
