"""What a store is to know of a result without reading it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from streamgage.analysis.run import Run
from streamgage.analysis.statistics.estimate import Bounded
from streamgage.results.compilers.document import Compilations
from streamgage.results.documents import Document, kind_of
from streamgage.results.ladder.document import Ladder
from streamgage.results.latency.document import Latencies
from streamgage.results.measure.document import Result
from streamgage.results.measure.measured import Answer
from streamgage.results.numa.document import NumaMatrix
from streamgage.results.repeat.document import Repetition
from streamgage.results.scale.document import Scaling
from streamgage.results.study.document import Study
from streamgage.results.summary import KeptRate, State, Summary


def summary_of(document: Document, found: Answer | None = None, *, partial: bool) -> Summary:
    """The summary of a result; ``found`` tells more of it, where it is one of ``measure``."""
    machine = document.machine
    run = found.run if found is not None else None
    reported = document.reported if isinstance(document, Result) else None
    return Summary(
        kind=kind_of(document),
        started=_time(machine.time) if machine is not None else None,
        host=machine.host if machine is not None else None,
        processor=machine.processor if machine is not None else None,
        tool=reported.tool if reported is not None else None,
        threads=_threads(document),
        array_bytes=(run.memory.array_bytes if run is not None and run.memory else None)
        or (reported.array_bytes if reported is not None else None)
        or (document.array_bytes if isinstance(document, Scaling) else None),
        state=_state(document, partial=partial),
        rates=list(rates_of(document)),
    )


def _time(text: str) -> str | None:
    """``text`` where it is a time, as a list can be ordered by it; else null."""
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    if time.tzinfo is None:
        time = time.replace(tzinfo=UTC)
    return time.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def why_partial(run: Run) -> str | None:
    """Why a run is not whole, a sentence; null where it is."""
    if run.end is None and run.reported is None:
        return "Its records stop before its end: what is there was measured until then."
    if run.end is None or run.end.reason == "complete":
        return None
    why = {"interrupted": "It was interrupted", "terminated": "It was terminated"}
    return f"{why.get(run.end.reason, 'It failed')} before its end."


def _state(document: Document, *, partial: bool) -> State:
    if isinstance(document, Result) and any(each.valid is False for each in document.kernels):
        return "invalid"
    return "partial" if partial else "complete"


def _threads(document: Document) -> int | None:
    match document:
        case Result():
            return max((each.threads for each in document.kernels), default=None) or None
        case Scaling() | Study():
            return max(document.counts, default=None)
        case Ladder() | Compilations():
            return document.threads
        case Repetition():
            return next((each.threads for each in document.runs if each.threads), None)
        case Latencies():
            return 1 + max((each.generators for each in document.loaded), default=0)
        case NumaMatrix():
            return None


def rates_of(document: Document) -> Iterator[KeptRate]:
    """The figures by which a result is listed: of a series the best for each kernel."""
    match document:
        case Result():
            yield from _of_measure(document)
        case Scaling():
            yield from _of_scaling(document)
        case Ladder():
            yield from _of_ladder(document)
        case Repetition():
            yield from _of_repetition(document)
        case Compilations():
            own = [each for each in document.rates if each.name == document.baseline]
            for rate in own:
                yield _rate(rate.kernel, "plain", document.threads, rate.rounds, rate.gbps)
        case Study():
            if document.stream:
                best = max(document.stream, key=lambda each: each.gbps.value)
                yield _rate(document.kernel, document.store, best.n, document.rounds, best.gbps)
        case NumaMatrix():
            yield from _of_matrix(document)
        case Latencies():
            return


def _of_measure(document: Result) -> Iterator[KeptRate]:
    for each in document.kernels:
        yield KeptRate(
            kernel=each.kernel,
            store=each.store,
            isa=each.isa,
            tuned=each.tuned,
            type=each.type,
            threads=each.threads or None,
            n=each.n,
            best_gbps=each.best_gbps,
            median_gbps=each.median_gbps,
            low_gbps=each.low_gbps,
            high_gbps=each.high_gbps,
            hardware_gbps=each.hardware_gbps,
        )


def _of_scaling(document: Scaling) -> Iterator[KeptRate]:
    kinds = dict.fromkeys((each.kernel, each.store) for each in document.curves)
    for kernel, store in kinds:
        curves = [each for each in document.curves if (each.kernel, each.store) == (kernel, store)]
        best = max(curves, key=lambda each: each.best_gbps)
        point = next(each for each in best.points if each.n == best.best_n)
        yield _rate(kernel, store, point.n, point.rounds, point.gbps)


def _of_ladder(document: Ladder) -> Iterator[KeptRate]:
    for curve in document.curves:
        if curve.steps and curve.steps[-1].level == "memory":
            step = curve.steps[-1]
            yield _rate(curve.kernel, curve.store, curve.threads, step.points, step.gbps)


def _of_repetition(document: Repetition) -> Iterator[KeptRate]:
    for each in document.kernels:
        if each.placement != document.baseline or each.spread is None:
            continue
        kernel, _, store = each.kernel.partition(" ")
        yield KeptRate(
            kernel=kernel,
            store=store,
            threads=_threads(document),
            n=each.spread.n,
            best_gbps=each.spread.maximum_gbps,
            median_gbps=each.spread.median_gbps,
        )


def _of_matrix(document: NumaMatrix) -> Iterator[KeptRate]:
    for each in document.kernels:
        if not each.cells:
            continue
        best = max(each.cells, key=lambda cell: cell.median)
        yield KeptRate(
            kernel=each.kernel,
            store=best.store or "plain",
            n=best.n,
            median_gbps=best.median,
            low_gbps=best.low,
            high_gbps=best.high,
        )


def _rate(kernel: str, store: str, threads: int | None, n: int, gbps: Bounded) -> KeptRate:
    return KeptRate(
        kernel=kernel,
        store=store,
        threads=threads,
        n=n,
        median_gbps=gbps.value,
        low_gbps=gbps.low,
        high_gbps=gbps.high,
    )
