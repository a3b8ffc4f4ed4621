"""From runs of STREAM and of a program to their speedups and efficiencies, and what lies between.

S(n) = T(1) / T(n) and E(n) = S(n) / n of a phase; from STREAM E'(n) = B(n) / (n B(1)). All are
paired round by round, so that what drifts on the machine is in both. The figure is the mean of
|E - E'| over the numbers of workers from 2, never a correlation: both fall with n, so that it is
always high.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec

from streamgage.analysis.saturation import ENOUGH
from streamgage.analysis.statistics.bootstrap import bootstrap_median, bounded, paired_ratio
from streamgage.analysis.statistics.rounds import rounds_of
from streamgage.records import Machine
from streamgage.results.rounds import FreshRun
from streamgage.results.scale.document import Workers
from streamgage.results.study.comparison import Times
from streamgage.results.study.document import Case, Phase, Solver, StreamPoint, Study, StudyRun
from streamgage.results.study.findings import judge_study
from streamgage.results.study.phases import ProgramRun, distribution_of, phases_of, required
from streamgage.results.study.words import verdict


@dataclass(frozen=True)
class Ran:
    """A run in the order in which they ran; ``case`` of the programs."""

    what: Literal["stream", "program"]
    n: int
    round: int
    case: str | None = None


@dataclass(frozen=True)
class Asked:
    """What was asked for, as the answer tells it."""

    cases: tuple[Case, ...]
    workers: Workers
    threads_per_worker: int
    launcher: str | None
    binding: str
    rounds: int
    seed: int | None
    """Null where others chose the order."""
    counts: tuple[int, ...]
    left_out: tuple[str, ...] = ()
    solver: Solver | None = None
    kernel: str | None = None
    """STREAM's, where its runs are of several; null: the first that they have."""


def study(
    stream: Sequence[tuple[int, FreshRun]],
    program: Sequence[ProgramRun],
    order: Sequence[Ran],
    asked: Asked,
    machine: Machine | None,
) -> Study:
    """The answer of the runs; ``stream`` with the number of workers of each.

    ``order``: what ran, in that order.
    """
    variant, rates = _rates(stream, asked.kernel)
    points = _stream_points(rates)
    best = max((point.gbps.value for point in points), default=None)
    phases = phases_of(program, [each.name for each in asked.cases], rates)
    answer = Study(
        machine=next((each.run.machine for _, each in stream if each.run.machine), machine),
        cases=list(asked.cases),
        solver=asked.solver,
        workers=asked.workers,
        threads_per_worker=asked.threads_per_worker,
        launcher=asked.launcher,
        binding=asked.binding,
        kernel=variant[0],
        store=variant[1],
        rounds=asked.rounds,
        seed=asked.seed,
        counts=list(asked.counts),
        stream=points,
        enough_n=None
        if best is None
        else next(each.n for each in points if each.gbps.value >= ENOUGH * best),
        phases=phases,
        headline=_headline(phases),
        distribution=distribution_of(program),
        runs=_told(stream, program, order),
        left_out=list(asked.left_out),
        verdict=[],
        findings=[],
    )
    return msgspec.structs.replace(answer, verdict=verdict(answer), findings=judge_study(answer))


def _told(
    stream: Sequence[tuple[int, FreshRun]],
    program: Sequence[ProgramRun],
    order: Sequence[Ran],
) -> list[StudyRun]:
    of_stream = {(n, each.round): each for n, each in stream}
    of_program = {(each.case, each.n, each.round): each for each in program}
    told = []
    for ran in order:
        if ran.what == "stream":
            run = of_stream[ran.n, ran.round]
            failure, residual, kept = run.failure, None, run.records
        else:
            one = of_program[ran.case, ran.n, ran.round]
            failure, residual, kept = one.failure, one.residual, one.kept
        told.append(
            StudyRun(
                round=ran.round,
                what=ran.what,
                case=ran.case,
                n=ran.n,
                failure=failure,
                residual=residual,
                kept=kept,
            )
        )
    return told


def _rates(
    stream: Sequence[tuple[int, FreshRun]], kernel: str | None
) -> tuple[tuple[str, str], dict[int, dict[int, float]]]:
    """The kernel with its stores, plain ones if there are such; GB/s by workers and round."""
    good = [(n, each) for n, each in stream if each.failure is None]
    variants = [(v.kernel, v.store) for _, each in good for v in each.run.shown()]
    wanted = [each for each in variants if kernel in (None, each[0])]
    plain = [each for each in wanted if each[1] == "plain"]
    shown = next(iter(plain or wanted), ("", ""))
    rates: dict[int, dict[int, float]] = {}
    for n in sorted({n for n, _ in good}):
        found = rounds_of(*shown, [each for of, each in good if of == n])
        if found is not None:
            rates[n] = {
                number: found.moved / seconds / 1e9 for number, seconds in found.times.items()
            }
    return shown, rates


def _stream_points(rates: Times) -> list[StreamPoint]:
    points = []
    for n, here in rates.items():
        speedup = paired_ratio(here, rates[1]) if 1 in rates else None
        points.append(
            StreamPoint(
                n=n,
                gbps=required(bootstrap_median(list(here.values()))),
                speedup=bounded(speedup),
                efficiency=bounded(speedup, n),
            )
        )
    return points


def _headline(phases: Sequence[Phase]) -> str | None:
    """PETSc's solve where there is one, else what the program names first."""
    names = [each.name for each in phases]
    return "KSPSolve" if "KSPSolve" in names else next(iter(names), None)
