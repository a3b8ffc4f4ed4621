"""The answer of ``streamgage compilers`` as one document: what ``--format json`` prints.

Rates are GB/s (10^9 bytes per second) by STREAM's nominal counting. What is not known is ``None``.
"""

from __future__ import annotations

import msgspec

from streamgage.analysis.statistics.estimate import Estimate, PositiveEstimate
from streamgage.records.quantities import Count, Duration, Members, Number, refuse_unknown
from streamgage.results.document import Document


class Loop(msgspec.Struct, frozen=True, kw_only=True):
    """The machine code that the compiler made of one kernel, read from the object code."""

    kernel: str
    calls: list[str]
    """Library functions that it calls, such as ``memcpy``."""
    streaming: bool
    """``True`` if it has stores that go past the caches."""
    vector_bits: Count | None
    """Width of the widest vectors that its loops load or store; 0: one element at a time."""
    scalable: bool
    """Vectors of a length that the processor chooses."""
    measured_as: str | None = None
    """The row that measured the same machine code; ``None``: this one did."""


class Compilation(msgspec.Struct, frozen=True, kw_only=True):
    """One row: a compiler with a set of flags, or an OpenMP runtime."""

    name: str
    compiler: str | None
    """The first line that it says of itself; ``None`` for the engine's own kernels."""
    language: str
    command: list[str]
    """The command; empty for the engine's own kernels."""
    seconds: Duration | None
    """Time to compile."""
    loops: list[Loop]
    """The loops; empty if the object code could not be read."""
    failure: str | None
    """Why it has no figures; ``None`` if it has."""
    same_as: str | None = None
    """The row that has the same machine code in all loops, and so its figures; ``None``: none."""


class CompiledRate(msgspec.Struct, frozen=True, kw_only=True):
    """The bandwidth of one kernel as one row has it."""

    name: str
    kernel: str
    gbps: PositiveEstimate
    ratio: Estimate | None
    """Ratio to the baseline, paired round by round; ``None`` for the baseline itself."""
    rounds: Members
    measured_as: str | None = None
    """The row that measured the same machine code; ``None``: this one did."""


class CompiledRun(msgspec.Struct, frozen=True, kw_only=True):
    """One run, in the order in which they ran."""

    round: Members
    """Number of the round, from 1. Each round measures every row once, in random order."""
    name: str
    failure: str | None
    records: str | None


class Compilers(Document, frozen=True, kw_only=True, tag="compilers"):
    """The result of ``streamgage compilers``."""

    threads: Members | None
    rounds: Members
    seed: Number
    baseline: str | None
    """The first row that has figures."""
    compilations: list[Compilation]
    rates: list[CompiledRate]
    runs: list[CompiledRun]

    def consistent(self) -> None:
        """Raise ``ValueError`` if a figure is of a row that there is not."""
        rows = {each.name for each in self.compilations}
        for name in (*(each.name for each in self.rates), *filter(None, [self.baseline])):
            refuse_unknown("name", name, rows)
