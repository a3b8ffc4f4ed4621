"""The kind ``program``: how near a program is to what the memory of this machine gives."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from streamgage.results.kind import Headline, Kind, checks, deferred
from streamgage.results.program.document import Program
from streamgage.results.settings import Settings, workers_of_each
from streamgage.results.summary import SummaryRate, rate_of

_PROGRAM = "program"
"""Stands where a kernel does, and the program's command where its stores do: with other arguments
it is another program."""


def _headlines(program: Program) -> Iterator[Headline]:
    for point in program.points:
        if point.gbps is not None:
            what = f"{_PROGRAM} {program.called}, n = {point.n}"
            yield Headline(what, point.gbps.value, low=point.gbps.low, high=point.gbps.high)
    if not any(point.gbps for point in program.points):
        for point in program.points:
            for each in point.machine:
                what, gbps = f"{each.kernel} {each.store}, n = {point.n}", each.gbps
                yield Headline(what, gbps.value, low=gbps.low, high=gbps.high)


def _rates(program: Program) -> Iterator[SummaryRate]:
    """Yield what the program moves, then the machine's rates."""
    for point in program.points:
        if point.gbps is not None:
            command = shlex.join(program.command) or program.called
            yield rate_of(_PROGRAM, command, point.n, program.rounds, point.gbps)
        for each in point.machine:
            yield rate_of(each.kernel, each.store, point.n, program.rounds, each.gbps)


def _settings(program: Program) -> Settings:
    return Settings(
        workers=workers_of_each("threads", 1),
        launcher="none",
        binding=program.placement,
        rounds=program.rounds,
    )


KIND = Kind(
    name="program",
    document=Program,
    page=deferred("streamgage.results.program.page:page"),
    conclusions=deferred("streamgage.results.program.words:conclusions"),
    findings=checks("streamgage.results.program.findings:CHECKS"),
    headlines=_headlines,
    rates=_rates,
    threads=lambda program: max(program.counts, default=None),
    settings=_settings,
    comparable=deferred("streamgage.results.program.comparable:figures"),
    gives=frozenset({"picture"}),
)
