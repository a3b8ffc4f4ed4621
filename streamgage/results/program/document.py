"""The result of ``streamgage program`` as one document, which ``--format json`` prints.

Times are seconds, rates are GB/s (10^9 bytes per second). Unknown values are ``None``.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import Literal

import msgspec

from streamgage.analysis.statistics.estimate import Estimate, PositiveEstimate
from streamgage.records.quantities import (
    Amount,
    ByteCount,
    Count,
    Members,
    Number,
    refuse_unknown,
)
from streamgage.results.document import Document
from streamgage.results.scale.document import LeftOut
from streamgage.results.study.document import StudyRun

KnownBy = Literal["given", "printed", "counters"]
"""How the bytes are known. ``given``: the user gave those of a run or of a step. ``printed``: the
program prints its rate. ``counters``: the machine counted what crossed the memory bus."""


class Moved(msgspec.Struct, frozen=True, kw_only=True):
    """What the program moves, and how that is known."""

    known_by: KnownBy
    bytes: ByteCount | None
    """The bytes of one run; ``None`` if the rate is known instead."""
    source: str | None
    """The counters that counted; ``None`` without counters."""


class Mix(msgspec.Struct, frozen=True, kw_only=True):
    """The reads and writes of a kernel, in arrays."""

    kernel: str
    reads: Count
    writes: Count


class MachineRate(msgspec.Struct, frozen=True, kw_only=True):
    """The bandwidth that this machine gives a kernel, by STREAM's nominal counting."""

    kernel: str
    store: str
    gbps: PositiveEstimate


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """The program's rate divided by that of a kernel with as many threads, paired by round."""

    kernel: str
    store: str
    """The faster kind of ordinary store of that kernel."""
    share: PositiveEstimate


class Gain(msgspec.Struct, frozen=True, kw_only=True):
    """How much faster a kernel is with streaming stores than with ordinary ones."""

    kernel: str
    ratio: PositiveEstimate


class ProgramPoint(msgspec.Struct, frozen=True, kw_only=True):
    """The program and the machine with ``n`` threads on the same CPUs."""

    n: Members
    seconds: PositiveEstimate | None
    """The time of one run of the program; ``None`` if none succeeded."""
    busy: Estimate | None
    """The CPUs that it kept busy: its CPU time divided by its time."""
    gbps: PositiveEstimate | None
    """What it moves; ``None`` if the bytes are unknown."""
    speed: Estimate | None
    """Its speed divided by that of the number of threads that is fastest, paired by round."""
    machine: list[MachineRate]
    shares: list[Share]
    gains: list[Gain]
    steps: PositiveEstimate | None
    """The steps per second that it reaches; ``None`` if they are unknown."""
    most_steps: PositiveEstimate | None
    """The steps per second that the memory gives at most; ``None`` without bytes of a step."""
    rounds: Count
    """The number of rounds in which it ran."""


class StepPart(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the bytes of a step."""

    name: str
    bytes: ByteCount


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """A step of a program, or a token of a model, that reads or moves so many bytes."""

    name: Literal["step", "token"]
    bytes: ByteCount
    model: str | None
    """The name of the model's file; ``None`` if the user gave the bytes."""
    parts: list[StepPart]
    reached: Amount | None
    """The steps per second that the user reports; ``None`` if none were reported."""


class Program(Document, frozen=True, kw_only=True, tag="program"):
    """The result of ``streamgage program``. Points that could not be measured are left out."""

    command: list[str]
    """The program with its arguments; empty if none ran."""
    moved: Moved | None
    """What it moves; ``None`` if that is unknown."""
    kernel: str | None
    """The kernel whose mix of reads and writes is the program's, as the user said; ``None`` if the
    mix is unknown."""
    mixes: list[Mix]
    """The kernels that were measured next to it."""
    timed: Literal["run", "printed"]
    """The time of a run. ``run``: from its start to its end. ``printed``: as it prints it."""
    step: Step | None
    placement: str
    rounds: Members
    seed: Number
    """The seed for the order of the runs."""
    counts: list[Members]
    """The numbers of threads."""
    points: list[ProgramPoint]
    runs: list[StudyRun]
    left_out: list[LeftOut]

    def consistent(self) -> None:
        """Raise ``ValueError`` if a part names another part that does not exist."""
        kernels = {each.kernel for each in self.mixes}
        for point in self.points:
            refuse_unknown("n", point.n, set(self.counts))
            for name in (
                *(each.kernel for each in point.machine),
                *(each.kernel for each in point.shares),
                *(each.kernel for each in point.gains),
            ):
                refuse_unknown("kernel", name, kernels)
            rates = {(each.kernel, each.store) for each in point.machine}
            for share in point.shares:
                refuse_unknown("share", (share.kernel, share.store), rates)

    @property
    def called(self) -> str:
        """The program's name without its folder; that of the model if no program ran."""
        if self.command:
            return PurePath(self.command[0]).name or self.command[0]
        if self.step is not None and self.step.model is not None:
            return self.step.model
        return "a program"

    @property
    def best(self) -> ProgramPoint | None:
        """The point at which it is fastest; if no program ran, at which the machine gives most."""
        timed = [each for each in self.points if each.seconds is not None]
        if timed:
            return max(timed, key=lambda each: 0.0 if each.speed is None else each.speed.value)
        return max(
            (each for each in self.points if each.machine),
            key=lambda each: max(one.gbps.value for one in each.machine),
            default=None,
        )
