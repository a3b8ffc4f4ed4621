"""The phases of programs: seconds, speedups and efficiencies over the numbers of workers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from streamgage.analysis.statistics.bootstrap import (
    Estimate,
    bootstrap_median,
    bounded,
    paired_ratio,
)
from streamgage.analysis.statistics.estimate import Bounded
from streamgage.analysis.statistics.intervals import median
from streamgage.results.study.comparison import Times, compare
from streamgage.results.study.document import Distribution, Phase, PhasePoint


@dataclass(frozen=True)
class ProgramRun:
    """One run of a program: seconds and counts by phase, or why there are none."""

    n: int
    round: int
    phases: Mapping[str, tuple[float, int | None]]
    failure: str | None
    kept: str | None
    case: str | None = None
    residual: float | None = None
    distribution: tuple[float, float] | None = None
    """Seconds of handing a system to a server's ranks, and of all that the server did."""


@dataclass(frozen=True)
class _Timed:
    """A phase's seconds and calls, by number of workers and round."""

    times: dict[int, dict[int, float]]
    counts: dict[int, dict[int, int]]

    @property
    def each(self) -> Times:
        """Seconds of one call, where every round has counted them."""
        return {
            n: {number: seconds / self.counts[n][number] for number, seconds in of_n.items()}
            for n, of_n in self.times.items()
            if set(self.counts.get(n, {})) == set(of_n)
        }


def phases_of(
    program: Sequence[ProgramRun], cases: Sequence[str | None], rates: Times
) -> list[Phase]:
    """Those of every case, in the order in which they came; ``rates``: STREAM's."""
    good = sorted(
        (each for each in program if each.failure is None), key=lambda each: (each.n, each.round)
    )
    timed: dict[tuple[str | None, str], _Timed] = {}
    for case in cases:
        runs = [each for each in good if each.case == case]
        for name in dict.fromkeys(name for each in runs for name in each.phases):
            timed[case, name] = _timed(name, runs)
    first = cases[0]
    return [
        _phase(name, case, here, timed.get((first, name)) if case != first else None, rates)
        for (case, name), here in timed.items()
    ]


def _timed(name: str, runs: Sequence[ProgramRun]) -> _Timed:
    found = _Timed({}, {})
    for run in runs:
        if name in run.phases:
            seconds, count = run.phases[name]
            found.times.setdefault(run.n, {})[run.round] = seconds
            if count:
                found.counts.setdefault(run.n, {})[run.round] = count
    return found


def _phase(name: str, case: str | None, here: _Timed, first: _Timed | None, rates: Times) -> Phase:
    """The answer of one phase; ``first``: the same of the first case, null where this is that.

    Where this case has no run of one worker, speedups are over that of the first case.
    """
    times = _with_base(here.times, None if first is None else first.times)
    each = _with_base(here.each, None if first is None else first.each)
    points = []
    for n, of_n in here.times.items():
        speedup = paired_ratio(times[1], of_n) if 1 in times else None
        each_speedup = paired_ratio(each[1], each[n]) if 1 in each and n in each else None
        over = None if first is None or n not in first.times else first.times[n]
        points.append(
            PhasePoint(
                n=n,
                seconds=required(bootstrap_median(list(of_n.values()))),
                count=median(sorted(here.counts[n].values())) if n in here.each else None,
                speedup=bounded(speedup),
                efficiency=bounded(speedup, n),
                each_speedup=bounded(each_speedup),
                each_efficiency=bounded(each_speedup, n),
                over_first=None if over is None else bounded(paired_ratio(of_n, over)),
                rounds=len(of_n),
            )
        )
    return Phase(
        case=case,
        name=name,
        points=points,
        comparison=compare(times, rates),
        each_comparison=compare(each, rates),
        counts_change=len(_counts(here, first if 1 not in here.times else None)) > 1,
    )


def _counts(here: _Timed, first: _Timed | None) -> set[float]:
    """Calls with each number of workers, medians; with those of one worker in ``first``."""
    found = [*here.counts.values()]
    if first is not None and 1 in first.counts:
        found.append(first.counts[1])
    return {median(sorted(each.values())) for each in found}


def _with_base(times: Times, first: Times | None) -> Times:
    return times if 1 in times or first is None or 1 not in first else {1: first[1], **times}


def distribution_of(program: Sequence[ProgramRun]) -> list[Distribution]:
    """What handing systems to servers took."""
    seconds: dict[tuple[str, int], list[float]] = {}
    shares: dict[tuple[str, int], list[float]] = {}
    for run in sorted(program, key=lambda each: each.n):
        if run.failure is None and run.distribution is not None and run.case is not None:
            took, of = run.distribution
            seconds.setdefault((run.case, run.n), []).append(took)
            shares.setdefault((run.case, run.n), []).append(took / of)
    return [
        Distribution(
            case=case,
            n=n,
            seconds=required(bootstrap_median(found)),
            share=required(bootstrap_median(shares[case, n])),
        )
        for (case, n), found in seconds.items()
    ]


def required(found: Estimate | None) -> Bounded:
    """A figure that there is."""
    figure = bounded(found)
    assert figure is not None
    return figure
