"""The answer of ``streamgage compilers`` as one document: what ``--format json`` prints.

Rates are GB/s (10^9 bytes a second) by STREAM's nominal counting. What is not known is ``None``.
"""

from __future__ import annotations

import msgspec

from streamgage.analysis.statistics.estimate import Estimate
from streamgage.results.document import Document


class Loop(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one kernel, read from the object code."""

    kernel: str
    calls: list[str]
    """Library functions that it calls, such as ``memcpy``."""
    streaming: bool
    """Whether it has stores that go past the caches."""
    vector_bits: int | None
    """Of the widest vectors that its loops load or store; 0: one element at a time."""
    scalable: bool
    """Vectors of a length that the processor chooses."""


class Compilation(msgspec.Struct, frozen=True, kw_only=True):
    """One row: a compiler with a set of flags, or an OpenMP runtime."""

    name: str
    compiler: str | None
    """The first line that it says of itself; ``None`` for the engine's own kernels."""
    language: str
    command: list[str]
    """Empty for the engine's own kernels."""
    seconds: float | None
    """That it took to compile."""
    loops: list[Loop]
    """Empty where nobody could read the object code."""
    failure: str | None
    """Why it has no figures; ``None`` where it has."""


class CompiledRate(msgspec.Struct, frozen=True, kw_only=True):
    """The bandwidth of one kernel as one row has it."""

    name: str
    kernel: str
    gbps: Estimate
    ratio: Estimate | None
    """Over the baseline, paired round by round; ``None`` for the baseline itself."""
    rounds: int


class CompiledRun(msgspec.Struct, frozen=True, kw_only=True):
    """One run, in the order in which they ran."""

    round: int
    """From 1; in each round every row is measured once, in random order."""
    name: str
    failure: str | None
    records: str | None


class Compilers(Document, frozen=True, kw_only=True, tag="compilers"):
    """The whole answer."""

    threads: int | None
    rounds: int
    seed: int
    baseline: str | None
    """The first row that has figures."""
    compilations: list[Compilation]
    rates: list[CompiledRate]
    runs: list[CompiledRun]
