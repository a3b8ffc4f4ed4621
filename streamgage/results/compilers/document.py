"""The result of ``streamgage compilers`` as one document, which ``--format json`` prints.

Rates are GB/s (10^9 bytes per second) by STREAM's nominal counting. Unknown values are ``None``.
"""

from __future__ import annotations

import msgspec

from streamgage.analysis.statistics.estimate import Estimate, PositiveEstimate
from streamgage.records.quantities import Count, Duration, Members, Number, refuse_unknown
from streamgage.results.document import Document


class Loop(msgspec.Struct, frozen=True, kw_only=True):
    """The machine code that a compiler made from one kernel, read from the object code."""

    kernel: str
    calls: list[str]
    """The library functions that it calls, such as ``memcpy``."""
    streaming: bool
    """``True`` if it has stores that bypass the caches."""
    vector_bits: Count | None
    """The width of the widest vectors that its loops load or store; 0 means one element at a
    time."""
    scalable: bool
    """``True`` if the processor chooses the length of the vectors."""
    measured_as: str | None = None
    """The row that measured the same machine code; ``None`` if this row did."""


class Compilation(msgspec.Struct, frozen=True, kw_only=True):
    """One row: a compiler with a set of flags, or an OpenMP runtime."""

    name: str
    compiler: str | None
    """The first line of the compiler's version text; ``None`` for the engine's own kernels."""
    language: str
    command: list[str]
    """The command that compiled it; empty for the engine's own kernels."""
    seconds: Duration | None
    """The time to compile, in seconds."""
    loops: list[Loop]
    """The loops; empty if the object code could not be read."""
    failure: str | None
    """Why it has no figures; ``None`` if it has some."""
    same_as: str | None = None
    """The row whose loops all have the same machine code, and whose figures it shares; ``None`` if
    there is none."""


class CompiledRate(msgspec.Struct, frozen=True, kw_only=True):
    """The bandwidth of one kernel in one row."""

    name: str
    kernel: str
    gbps: PositiveEstimate
    ratio: Estimate | None
    """The ratio to the baseline, paired round by round; ``None`` for the baseline itself."""
    rounds: Members
    measured_as: str | None = None
    """The row that measured the same machine code; ``None`` if this row did."""


class CompiledRun(msgspec.Struct, frozen=True, kw_only=True):
    """One run. Runs are listed in the order in which they ran."""

    round: Members
    """The number of the round, from 1. Each round measures every row once, in random order."""
    name: str
    failure: str | None
    records: str | None


class Compilers(Document, frozen=True, kw_only=True, tag="compilers"):
    """The result of ``streamgage compilers``."""

    threads: Members | None
    rounds: Members
    seed: Number
    baseline: str | None
    """The first row that has figures; ``None`` if no row has."""
    compilations: list[Compilation]
    rates: list[CompiledRate]
    runs: list[CompiledRun]

    def consistent(self) -> None:
        """Raise ``ValueError`` if a figure belongs to a row that does not exist."""
        rows = {each.name for each in self.compilations}
        for name in (*(each.name for each in self.rates), *filter(None, [self.baseline])):
            refuse_unknown("name", name, rows)
