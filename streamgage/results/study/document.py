"""What ``streamgage study`` measures, as one document: what ``--format json`` prints.

Times are seconds, rates GB/s (10^9 bytes per second) by STREAM's nominal counting. What is not
known is ``None``.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from streamgage.analysis.statistics.estimate import Estimate, PositiveEstimate
from streamgage.records.quantities import (
    Amount,
    ByteCount,
    Count,
    Difference,
    Members,
    Number,
    NumberList,
    refuse_unknown,
)
from streamgage.results.document import Document
from streamgage.results.scale.document import LeftOut, PlacedPoint, Workers

Verdict = Literal["indistinguishable", "tracks", "worse", "better", "differs"]
"""Efficiencies compared with STREAM's. ``indistinguishable``: within the repeats' noise.
``tracks``: within 0.10. ``worse``: below. ``better``: above. The last one: both ways."""


class StreamPoint(msgspec.Struct, frozen=True, kw_only=True):
    """Bandwidth of ``n`` workers that are placed as the program's."""

    n: Members
    gbps: PositiveEstimate
    speedup: Estimate | None
    """Speedup over one worker; ``None`` if one worker was not measured."""
    efficiency: Estimate | None
    """Speedup over ``n``."""


class PhasePoint(msgspec.Struct, frozen=True, kw_only=True):
    """A phase of the program with ``n`` workers."""

    n: Members
    seconds: Estimate
    count: Amount | None
    """Calls or iterations, the median over the rounds."""
    speedup: Estimate | None
    efficiency: Estimate | None
    each_speedup: Estimate | None
    """Speedup of a single call or iteration, if they are counted."""
    each_efficiency: Estimate | None
    over_first: Estimate | None
    """Its time over that of the first case with as many workers; ``None`` for the first case."""
    rounds: Members


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """The efficiency of a phase next to STREAM's, over the numbers of workers from 2."""

    mean: Amount
    """Mean of the distances |E(n) - E'(n)|."""
    largest: Amount
    largest_n: Members
    bias: Difference
    """Mean of E(n) - E'(n): below 0 the program scales worse than STREAM."""
    noise: Amount | None
    """Mean half-width of the intervals of these differences over the rounds; ``None`` of one
    round."""
    verdict: Verdict


class Phase(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the program that it times."""

    case: str | None
    """The case, one of ``Study.cases``."""
    name: str
    points: list[PhasePoint]
    comparison: Comparison | None
    """``None`` if fewer than two numbers of workers, one of them 1, have both."""
    each_comparison: Comparison | None
    counts_change: bool
    """``True`` if calls or iterations change with the number of workers, one among them."""


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """A program that ran next to STREAM."""

    name: str | None
    """``None`` if it is the only one."""
    command: list[str]
    """The command as it was given, with placeholders such as {n}."""


class Solver(msgspec.Struct, frozen=True, kw_only=True):
    """PETSc, where the program is built with it here."""

    petsc: str
    """Version."""
    mpi: str | None
    debug: bool
    """``True`` if it was configured with debugging."""
    long_integers: bool | None
    """``True`` if integers have 8 bytes, not 4; ``None`` if unknown, and then 4 is assumed."""
    unknowns: Count | None
    nonzeros: Count | None
    """Nonzero values of the matrix."""
    matrix_bytes: ByteCount | None
    """Size in compressed rows: 8 bytes for a value, and an integer for each value and each row."""


class Distribution(msgspec.Struct, frozen=True, kw_only=True):
    """The cost of handing the system to the ranks of a server."""

    case: str
    n: Members
    seconds: Estimate
    share: Estimate
    """Share of all that the server does for a solve: to hand over, to set up and to solve."""


class ProgramPlaces(msgspec.Struct, frozen=True, kw_only=True):
    """The places of a program's running threads with ``n`` workers, seen from outside."""

    case: str | None
    n: Members
    cpus: NumberList
    """The CPU of each running thread, as in most looks that saw them all run."""
    looks: Members
    """Looks that saw a thread of it run on this host."""
    crowded: Count
    """Looks in which threads shared a core while there were usable cores for all."""


class StudyRun(msgspec.Struct, frozen=True, kw_only=True):
    """One run, in the order in which they ran."""

    round: Members
    """Number of the round, from 1. Each round runs STREAM and the program once per worker count."""
    what: Literal["stream", "program"]
    case: str | None
    n: Members
    failure: str | None
    """Why its figures are in no point; ``None`` if they are."""
    residual: Amount | None
    """Norm of b - A x over that of b; ``None`` if the program does not report it."""
    kept: str | None
    """File of its records, or of what the program printed; ``None`` if nothing was kept."""


class FileRun(msgspec.Struct, frozen=True, kw_only=True):
    """A run, as the names of its files give it."""

    n: Members
    round: Members


class NoFiles(msgspec.Struct, frozen=True, kw_only=True, tag_field="reason", tag="no-files"):
    """Runs without files in an imported folder that has the files of other runs."""

    name: str
    runs: list[FileRun]


class Study(Document, frozen=True, kw_only=True, tag="study"):
    """The result of ``streamgage study``. Points that could not be measured are left out."""

    cases: list[Case]
    solver: Solver | None
    workers: Workers
    threads_per_worker: Members
    launcher: str | None
    binding: str
    kernel: str
    store: str
    rounds: Members
    seed: Number | None
    """Seed for the order of the runs; ``None`` if they were imported."""
    counts: list[Members]
    stream: list[StreamPoint]
    enough_n: Members | None
    """The fewest workers with 90 % of STREAM's best bandwidth: as many as are worth using."""
    phases: list[Phase]
    headline: str | None
    """The phase that the answer is about."""
    distribution: list[Distribution]
    placed: list[PlacedPoint]
    """STREAM's workers at each of its points, as its records prove it."""
    program_places: list[ProgramPlaces]
    """The places of the program, for runs on this host that were long enough to see them."""
    runs: list[StudyRun]
    left_out: list[LeftOut | NoFiles]

    def consistent(self) -> None:
        """Raise ``ValueError`` if a part names another that there is not."""
        if self.enough_n is not None:
            refuse_unknown("enough_n", self.enough_n, {each.n for each in self.stream})
        cases = {each.name for each in self.cases}
        for case in (*(each.case for each in self.phases), *(e.case for e in self.distribution)):
            refuse_unknown("case", case, cases)
        if self.headline is not None:
            refuse_unknown("headline", self.headline, {each.name for each in self.phases})
