"""Makes the document of a watch: rates, volumes, and the answers to two questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from streamgage.programs.traffic.bandwidth import judge_bandwidth
from streamgage.programs.traffic.numa import judge_domains
from streamgage.programs.traffic.rates import seen_interval
from streamgage.programs.traffic.trust import (
    OWN_COUNT,
    Trial,
    held_against_peak,
    highest_rate,
    trust_in,
)
from streamgage.programs.traffic.volumes import volumes
from streamgage.records import Interval, Machine
from streamgage.results.traffic.document import Ceiling, TrafficResult, Verdict, Volume

COUNTS_BY_ASKER = "resctrl"
"""The source that counts what the CPUs of a last-level cache requested, from any memory."""


@dataclass(frozen=True)
class Watch:
    """The intervals that were counted, and how they were counted."""

    source: str
    replayed: bool
    intervals: Sequence[Interval]
    command: Sequence[str] | None = None
    exit_status: int | None = None
    failure: str | None = None
    """Why counting ended early."""
    own: bool = False
    """``True`` if the program itself reported its bytes."""
    machine: Machine | None = None
    """The counted machine; ``None`` if it is unknown."""


@dataclass(frozen=True)
class Limits:
    """The known limits of the memory, GB/s."""

    ceiling: Ceiling | None = None
    ceiling_reason: str | None = None
    peak_gbps: float | None = None
    peak_detail: str | None = None
    trial: Trial | None = None
    """The trial of the source by an earlier run."""


def traffic_of(watch: Watch, limits: Limits) -> TrafficResult:
    """The document that describes ``watch``."""
    whole, domains = volumes(watch.intervals)
    trust = held_against_peak(
        OWN_COUNT if watch.own else trust_in(watch.source, limits.trial, replayed=watch.replayed),
        watch.source,
        highest_rate([whole, *domains]),
        limits.peak_gbps,
    )
    by_asker = watch.source.startswith(COUNTS_BY_ASKER)
    verdicts = _verdicts(watch, limits, whole, domains, by_asker=by_asker)
    if trust.refused:
        verdicts = [_not_believed(each) for each in verdicts]
    return TrafficResult(
        machine=watch.machine,
        source=watch.source,
        source_trust=trust,
        by_asker=by_asker,
        replayed=watch.replayed,
        command=list(watch.command) if watch.command else None,
        exit_status=watch.exit_status,
        seconds=watch.intervals[-1].start + watch.intervals[-1].seconds if watch.intervals else 0.0,
        running_share=min((each.running_share for each in watch.intervals), default=1.0),
        whole=whole,
        domains=domains,
        ceiling=limits.ceiling,
        ceiling_reason=limits.ceiling_reason,
        peak_gbps=limits.peak_gbps,
        peak_detail=limits.peak_detail,
        verdicts=verdicts,
        intervals=[seen_interval(each) for each in watch.intervals],
        failure=watch.failure,
    )


def _verdicts(
    watch: Watch, limits: Limits, whole: Volume, domains: Sequence[Volume], *, by_asker: bool
) -> list[Verdict]:
    seen = [seen_interval(each) for each in watch.intervals]
    names = [domain.name for domain in domains]
    verdicts = [judge_bandwidth(seen, names, limits.ceiling, limits.peak_gbps, by_asker=by_asker)]
    if len(domains) > 1:
        limit = limits.ceiling.gbps if limits.ceiling else limits.peak_gbps
        verdicts.append(judge_domains(whole, domains, limit, by_asker=by_asker))
    return verdicts


_QUESTIONS = {
    "bandwidth": "Whether memory bandwidth was the limit",
    "numa": "Whether the memory domains were used equally",
}


def _not_believed(verdict: Verdict) -> Verdict:
    text = f"{_QUESTIONS[verdict.question]} is unknown: the source is not trusted."
    return Verdict(question=verdict.question, answer="cannot-tell", text=text)
