"""Whether hardware counted the memory traffic, and whether it is believed."""

from __future__ import annotations

from streamgage.analysis.finding import Finding, Passed
from streamgage.records import Calibration, Counters, Traffic, TrafficSource
from streamgage.records.run import Run
from streamgage.results.measure.findings.context import Context
from streamgage.results.measure.findings.outcome import Outcome, some
from streamgage.units import count

_SO = "what crossed the memory bus is inferred from times, or not known."


def counters_replayed(context: Context) -> Outcome:
    """Counters that were played back from a recording."""
    run = context.run
    found = (run.counters, run.calibration, *_records(run))
    if not any(each is not None and each.replayed for each in found):
        return None
    return Finding(
        code="counters-replayed",
        severity="warning",
        reason="counters were played back from a recording",
        text="The counters were played back from a recording. Figures marked as replayed were"
        " recorded elsewhere or made up; only times and nominal rates were measured in this run."
        " Leave --replay out to count here.",
    )


def counters_rejected(context: Context) -> Outcome:
    """A source that was not believed, or that was lost in the middle of the run."""
    run = context.run
    calibration = run.calibration
    if calibration is not None and not calibration.accepted:
        text = (
            f"{calibration.source} was tested with kernels of known traffic and is not believed:"
            f" {calibration.reason}. None of its figures is used: {_SO}"
        )
        return Finding(
            code="counters-rejected",
            severity="note",
            reason=f"{calibration.source} counts wrongly and is not used",
            text=text,
        )
    lost = next(iter(_lost(run)), None)
    if lost is None:
        return None if calibration is None else Passed("counters-rejected", _believed(calibration))
    return Finding(
        code="counters-rejected",
        severity="note",
        reason=f"{_sources(run)} was lost in the middle of the run",
        text=f"{_sources(run)} was lost in the middle of the run: {lost}. Only samples before that"
        " have their traffic: measure again to have it for all.",
    )


def no_counters(context: Context) -> Outcome:
    """Traffic that nothing counted."""
    run = context.run
    if run.traffic:
        if any(record.replayed for record in _records(run)):
            return None
        counted = count(len(run.traffic), "variant")
        return Passed("no-counters", f"traffic was counted in {counted} ({_sources(run)})")
    if run.reported is not None or not run.timed_samples():
        return None
    if run.calibration is not None and not run.calibration.accepted:
        return None  # that says it
    if run.calibration is not None:
        why = (
            f"{run.calibration.source} was accepted, but no variant had timed samples of 20 ms in"
            " all, which a reading needs."
        )
    else:
        why = _looked_for(run.counters) if run.counters is not None else _not_looked_for(run)
    return Finding(
        code="no-counters",
        severity="fact",
        reason="no memory counters were read",
        text=f"No memory counters were read: {_SO} {why}",
    )


def _looked_for(counters: Counters) -> str:
    sources = "; ".join(_failed(source) for source in counters.sources)
    return (
        f"Tried: {sources}. streamgage-engine --counters says what would change that."
        if sources
        else "No source was looked for."
    )


def _failed(source: TrafficSource) -> str:
    return f"{source.source} ({(source.reason or source.state).rstrip('.')})"


def _not_looked_for(run: Run) -> str:
    where = (
        "A guest seldom has counters of the memory controller: only bare metal shows them."
        if run.machine is not None and run.machine.hypervisor
        else "perf or likwid-perfctr, started next to the run, can count it, as root."
    )
    return f"{where} streamgage-engine --counters says which this system has."


def _believed(calibration: Calibration) -> str:
    off = max((abs(run.deviation) for run in calibration.runs), default=0.0)
    idle = calibration.idle_total
    rest = "" if idle is None else f"; the idle machine's {idle / 1e9:.2f} GB/s are subtracted"
    kernels = some([run.kernel for run in calibration.runs])
    return f"{calibration.source} saw the known traffic of {kernels} to {off:.1%}{rest}".replace(
        "%", " %"
    )


def _records(run: Run) -> list[Traffic]:
    return [record for records in run.traffic.values() for record in records]


def _lost(run: Run) -> list[str]:
    """Why domains are lost."""
    domains = (domain for record in _records(run) for domain in record.domains)
    return [
        domain.reason or "its counters could not be read"
        for domain in domains
        if domain.bytes_total is None
    ]


def _sources(run: Run) -> str:
    return some(sorted({record.source for record in _records(run)}))
