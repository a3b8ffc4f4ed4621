"""What ``streamgage study`` measures, as one document: what ``--format json`` prints.

Times are seconds, rates GB/s (10^9 bytes a second) by STREAM's nominal counting. What is not known
is ``None``.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from streamgage.analysis.statistics.estimate import Estimate
from streamgage.results.document import Document
from streamgage.results.scale.document import LeftOut, Workers

Verdict = Literal["indistinguishable", "tracks", "worse", "better", "differs"]
"""Of efficiencies, next to STREAM's: within the repeats' noise; within 0.10; below; above; both
ways."""


class StreamPoint(msgspec.Struct, frozen=True, kw_only=True):
    """Bandwidth of ``n`` workers that are placed as the program's."""

    n: int
    gbps: Estimate
    speedup: Estimate | None
    """Over one worker; ``None`` where that was not measured."""
    efficiency: Estimate | None
    """Speedup over ``n``."""


class PhasePoint(msgspec.Struct, frozen=True, kw_only=True):
    """A phase of the program with ``n`` workers."""

    n: int
    seconds: Estimate
    count: float | None
    """Calls or iterations, the median over the rounds."""
    speedup: Estimate | None
    efficiency: Estimate | None
    each_speedup: Estimate | None
    """Of a call or an iteration, where they are counted."""
    each_efficiency: Estimate | None
    over_first: Estimate | None
    """Its time over that of the first case with as many workers; ``None`` in that case itself."""
    rounds: int


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """The efficiency of a phase next to STREAM's, over the numbers of workers from 2."""

    mean: float
    """Of the distances |E(n) - E'(n)|."""
    largest: float
    largest_n: int
    bias: float
    """Mean of E(n) - E'(n): below 0 the program scales worse than STREAM."""
    noise: float | None
    """Mean half-width of the intervals of these differences over the rounds; ``None`` of one
    round."""
    verdict: Verdict


class Phase(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the program that it times."""

    case: str | None
    """Of ``Study.cases``."""
    name: str
    points: list[PhasePoint]
    comparison: Comparison | None
    """``None`` where fewer than two numbers of workers, one of them 1, have both."""
    each_comparison: Comparison | None
    counts_change: bool
    """Whether calls or iterations change with the number of workers, one among them."""


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """A program that ran next to STREAM."""

    name: str | None
    """``None`` where it is the only one."""
    command: list[str]
    """As it was given, with its gaps."""


class Solver(msgspec.Struct, frozen=True, kw_only=True):
    """PETSc, where the program is built with it here."""

    petsc: str
    """Version."""
    mpi: str | None
    debug: bool
    """Whether it was configured with debugging."""
    long_integers: bool | None
    """Of 8 bytes, not of 4; ``None`` where it is not said, and 4 is assumed."""
    unknowns: int | None
    nonzeros: int | None
    """Of the matrix."""
    matrix_bytes: int | None
    """In compressed rows: 8 for each value, and an integer for each value and each row."""


class Distribution(msgspec.Struct, frozen=True, kw_only=True):
    """What handing the system to the ranks of a server takes."""

    case: str
    n: int
    seconds: Estimate
    share: Estimate
    """Of all that the server does for a solve: that, the set-up and the solve."""


class StudyRun(msgspec.Struct, frozen=True, kw_only=True):
    """One run, in the order in which they ran."""

    round: int
    """From 1; in each round STREAM and the program run once with each number of workers."""
    what: Literal["stream", "program"]
    case: str | None
    n: int
    failure: str | None
    """Why its figures are in no point; ``None`` where they are."""
    residual: float | None
    """Norm of b - A x over that of b; ``None`` where the program does not report it."""
    kept: str | None
    """File of its records, or of what the program printed; ``None`` where nothing was kept."""


class FileRun(msgspec.Struct, frozen=True, kw_only=True):
    """A run by what its files are called."""

    n: int
    round: int


class NoFiles(msgspec.Struct, frozen=True, kw_only=True, tag_field="reason", tag="no-files"):
    """Runs of which a folder that was imported has no files, although it has those of others."""

    name: str
    runs: list[FileRun]


class Study(Document, frozen=True, kw_only=True, tag="study"):
    """The whole answer. A point that could not be measured is in no list of points."""

    cases: list[Case]
    solver: Solver | None
    workers: Workers
    threads_per_worker: int
    launcher: str | None
    binding: str
    kernel: str
    store: str
    rounds: int
    seed: int | None
    """Of the order of the runs; ``None`` where they were imported."""
    counts: list[int]
    stream: list[StreamPoint]
    enough_n: int | None
    """The fewest workers with 90 % of STREAM's best bandwidth: as many as are worth using."""
    phases: list[Phase]
    headline: str | None
    """The phase that the answer is about."""
    distribution: list[Distribution]
    runs: list[StudyRun]
    left_out: list[LeftOut | NoFiles]
