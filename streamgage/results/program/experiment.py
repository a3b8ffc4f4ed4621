"""Runs a program and the engine's loops in turn, with as many threads on the same CPUs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack

from streamgage.records import Sampling
from streamgage.results.preset import Preset
from streamgage.results.program.document import Moved, Program, Step
from streamgage.results.program.judge import ProgramSetup, judge_program
from streamgage.results.series import MeasuredSeries
from streamgage.results.study.experiment import (
    RunsSoFar,
    RunsWay,
    StudyPlan,
    measure_with_stream,
)

KIND = "program"
OWN_COUNT = ("sum", "triad", "copy")
"""The kernels of an unknown mix, for bytes as the program counts them: only reads, 2 reads and 1
write, 1 read and 1 write."""
ON_THE_BUS = ("sum", "daxpy", "update")
"""The same mixes by kernels that read what they overwrite, so that what crosses the bus is what
they count."""
READS = ("sum",)
STORES = ("plain", "regular", "streaming")
STANDARD = Preset(
    OWN_COUNT, Sampling(min_samples=5, look_every=5, max_samples=10, budget_seconds=3)
)


@dataclass(frozen=True)
class ProgramRequest:
    """The user's request about the program; ``study`` says what runs, and where."""

    study: StudyPlan
    moved: Moved | None
    kernel: str | None
    step: Step | None


def measure_program(
    request: ProgramRequest, rounds: int, **way: Unpack[RunsWay]
) -> MeasuredSeries[Program]:
    """Run both in turn; see ``measure_with_stream``."""
    command: Sequence[str] = [
        word for each in request.study.request.cases for word in each.template.words
    ]

    def judge(done: RunsSoFar) -> Program:
        setup = ProgramSetup(
            command=tuple(command),
            moved=request.moved,
            kernel=request.kernel,
            step=request.step,
            placement=request.study.way.name,
            rounds=rounds,
            seed=done.seed,
            counts=tuple(done.scales.counts),
            left_out=tuple(done.scales.left_out),
        )
        return judge_program(done.stream, done.program, done.order, setup, done.scales.machine)

    return measure_with_stream(KIND, request.study, rounds, judge, **way)
