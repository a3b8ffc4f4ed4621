"""Whether hardware counted the memory traffic, and whether it is believed."""

from __future__ import annotations

from streamgage.analysis.finding import PassedCheck
from streamgage.records import Calibration, Traffic
from streamgage.records.run import Run
from streamgage.results.measure.facts.base import some
from streamgage.results.measure.facts.counters import (
    AbsentSource,
    CountersRejected,
    CountersReplayed,
    NoCounters,
)
from streamgage.results.measure.findings.context import Context
from streamgage.results.measure.findings.outcome import Outcome
from streamgage.units import count


def counters_replayed(context: Context) -> Outcome:
    """Counters that were played back from a recording."""
    run = context.run
    found = (run.counters, run.calibration, *_records(run))
    if not any(each is not None and each.replayed for each in found):
        return None
    return CountersReplayed(severity="warning")


def counters_rejected(context: Context) -> Outcome:
    """A source that was not believed, or that was lost in the middle of the run."""
    run = context.run
    calibration = run.calibration
    if calibration is not None and not calibration.accepted:
        return CountersRejected(
            severity="note", source=calibration.source, said_why=calibration.reason or "unknown"
        )
    lost = next(iter(_lost(run)), None)
    if lost is None:
        return (
            None
            if calibration is None
            else PassedCheck("counters-rejected", _believed(calibration))
        )
    return CountersRejected(severity="note", source=_sources(run), lost=True, said_why=lost)


def no_counters(context: Context) -> Outcome:
    """Traffic that nothing counted."""
    run = context.run
    if run.traffic:
        if any(record.replayed for record in _records(run)):
            return None
        counted = count(len(run.traffic), "variant")
        return PassedCheck("no-counters", f"traffic was counted in {counted} ({_sources(run)})")
    if run.reported is not None or not run.timed_samples():
        return None
    if run.calibration is not None and not run.calibration.accepted:
        return None  # that says it
    sources = [
        AbsentSource(source=each.source, said_why=each.reason or each.state)
        for each in (run.counters.sources if run.counters is not None else ())
    ]
    return NoCounters(
        severity="fact",
        accepted=None if run.calibration is None else run.calibration.source,
        sources=None if run.counters is None else sources,
        guest=run.machine is not None and bool(run.machine.hypervisor),
    )


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
