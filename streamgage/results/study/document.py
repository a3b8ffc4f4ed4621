"""The result of ``program --scaling`` as one document, which ``--format json`` prints.

Times are seconds, rates are GB/s (10^9 bytes per second) by STREAM's nominal counting. Unknown
values are ``None``.
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
"""How efficiencies compare with STREAM's. ``indistinguishable``: within the noise of the repeats.
``tracks``: within 0.10. ``worse``: below. ``better``: above. ``differs``: in both directions."""


class StreamPoint(msgspec.Struct, frozen=True, kw_only=True):
    """The bandwidth of ``n`` workers that are placed like the program's."""

    n: Members
    gbps: PositiveEstimate
    speedup: Estimate | None
    """The speedup over one worker; ``None`` if one worker was not measured."""
    efficiency: Estimate | None
    """The speedup divided by ``n``."""


class PhasePoint(msgspec.Struct, frozen=True, kw_only=True):
    """A phase of the program with ``n`` workers."""

    n: Members
    seconds: Estimate
    count: Amount | None
    """The number of calls or iterations, as the median over the rounds."""
    speedup: Estimate | None
    efficiency: Estimate | None
    each_speedup: Estimate | None
    """The speedup of a single call or iteration, if they are counted."""
    each_efficiency: Estimate | None
    over_first: Estimate | None
    """Its time divided by that of the first case with as many workers; ``None`` for the first
    case."""
    rounds: Members


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """The efficiency of a phase compared with STREAM's, over all numbers of workers from 2 on."""

    mean: Amount
    """The mean of the distances |E(n) - E'(n)|."""
    largest: Amount
    largest_n: Members
    bias: Difference
    """The mean of E(n) - E'(n); below 0 the program scales worse than STREAM."""
    noise: Amount | None
    """The mean half-width of the intervals of these differences over the rounds; ``None`` for a
    single round."""
    verdict: Verdict


class Phase(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the program that it times."""

    case: str | None
    """The name of the case, one of ``Study.cases``."""
    name: str
    points: list[PhasePoint]
    comparison: Comparison | None
    """The comparison with STREAM. ``None`` unless both have two or more numbers of workers in
    common, one of them 1."""
    each_comparison: Comparison | None
    counts_change: bool
    """``True`` if the number of calls or iterations changes with the number of workers."""


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """A program that ran next to STREAM."""

    name: str | None
    """The name of the case; ``None`` if there is only one."""
    command: list[str]
    """The command as the user gave it, with placeholders such as {n}."""


class Solver(msgspec.Struct, frozen=True, kw_only=True):
    """The PETSc that the program was built with."""

    petsc: str
    """The version of PETSc."""
    mpi: str | None
    debug: bool
    """``True`` if it was configured with debugging."""
    long_integers: bool | None
    """``True`` if integers have 8 bytes instead of 4; ``None`` if unknown, and then 4 is
    assumed."""
    unknowns: Count | None
    nonzeros: Count | None
    """The number of nonzero values in the matrix."""
    matrix_bytes: ByteCount | None
    """The size of the matrix in compressed rows: 8 bytes per value, and an integer per value and
    per row."""


class Distribution(msgspec.Struct, frozen=True, kw_only=True):
    """The cost of handing the system to the ranks of a server."""

    case: str
    n: Members
    seconds: Estimate
    share: Estimate
    """The share of the handover in everything that the server does for a solve: hand over, set up,
    solve."""


class ProgramPlaces(msgspec.Struct, frozen=True, kw_only=True):
    """The places of a program's running threads with ``n`` workers, observed from outside."""

    case: str | None
    n: Members
    cpus: NumberList
    """The CPU of each running thread, as in most observations in which all of them ran."""
    looks: Members
    """The number of observations in which a thread of it ran on this host."""
    crowded: Count
    """The number of observations in which threads shared a core although there were usable cores
    for all."""


class StudyRun(msgspec.Struct, frozen=True, kw_only=True):
    """One run. Runs are listed in the order in which they ran."""

    round: Members
    """The number of the round, from 1. Each round runs STREAM and the program once per number of
    workers."""
    what: Literal["stream", "program"]
    case: str | None
    n: Members
    failure: str | None
    """Why its figures are left out of the points; ``None`` if they are included."""
    residual: Amount | None
    """The norm of b - A x divided by that of b; ``None`` if the program does not report it."""
    kept: str | None
    """The file with its records, or with the program's output; ``None`` if it was not kept."""


class FileRun(msgspec.Struct, frozen=True, kw_only=True):
    """A run, as the names of its files describe it."""

    n: Members
    round: Members


class NoFiles(msgspec.Struct, frozen=True, kw_only=True, tag_field="reason", tag="no-files"):
    """Runs without files in an imported folder that has the files of other runs."""

    name: str
    runs: list[FileRun]


class Study(Document, frozen=True, kw_only=True, tag="study"):
    """The result of ``program --scaling``. Points that could not be measured are left out."""

    cases: list[Case]
    solver: Solver | None
    workers: Workers
    threads_per_worker: Members
    launcher: str | None
    placement: str
    kernel: str
    store: str
    rounds: Members
    seed: Number | None
    """The seed for the order of the runs; ``None`` if they were imported."""
    counts: list[Members]
    stream: list[StreamPoint]
    enough_n: Members | None
    """The fewest workers with 90 % of STREAM's best bandwidth; more are not worth using."""
    phases: list[Phase]
    headline: str | None
    """The phase that the verdict is about."""
    distribution: list[Distribution]
    placed: list[PlacedPoint]
    """The places of STREAM's workers at each of its points, as its records show."""
    program_places: list[ProgramPlaces]
    """The places of the program's threads, for runs on this host that were long enough to
    observe."""
    runs: list[StudyRun]
    left_out: list[LeftOut | NoFiles]

    def consistent(self) -> None:
        """Raise ``ValueError`` if a part names another part that does not exist."""
        if self.enough_n is not None:
            refuse_unknown("enough_n", self.enough_n, {each.n for each in self.stream})
        cases = {each.name for each in self.cases}
        for case in (*(each.case for each in self.phases), *(e.case for e in self.distribution)):
            refuse_unknown("case", case, cases)
        if self.headline is not None:
            refuse_unknown("headline", self.headline, {each.name for each in self.phases})
