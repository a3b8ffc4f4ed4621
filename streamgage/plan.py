"""The plan that is handed to the engine: what to measure, where, and for how long.

``schema/plan.schema.json`` is generated from these types. A field that is null is left to the
engine, which writes what it chose into its ``plan`` record.
"""

from __future__ import annotations

import msgspec

from streamgage.records import (
    SCHEMA_VERSION,
    AccessShape,
    ElementType,
    PlacementKind,
    Sampling,
)


class Placement(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where threads run.

    ``cores``: one thread a physical core, spread over the memory domains; ``cpus``: the CPUs that
    ``cpus`` lists or ``expression`` stands for, in that order; ``none``: wherever the OpenMP
    runtime and the operating system put them.
    """

    kind: PlacementKind = "cores"
    cpus: list[int] | None = None
    """OS numbers, one a thread."""
    threads: int | None = None
    expression: str | None = None
    """A placement expression, in place of ``cpus``; see ``docs/pin.md``."""
    oversubscribe: bool = False
    """A CPU may be given to more than one thread; with kind ``cpus`` only."""


class KnownShape(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A shape that was chosen in an earlier run; the default one where nothing was gained."""

    kernel: str
    store: str
    isa: str
    shape: AccessShape
    forced_read: AccessShape | None = None
    """The quickest shape that prefetches for writing, where one was found."""


class Tuning(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ask for the quickest shape of every vector kernel; what is known is not raced again."""

    budget_seconds: float
    known: list[KnownShape] = []


class Plan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One run of the engine."""

    schema: int = SCHEMA_VERSION
    kernels: list[str]
    stores: list[str] | None = None
    """Store modes; null: the customary ones of each kernel."""
    isas: list[str] | None = None
    """Instruction sets of the code; null: the best that the processor has."""
    shape: AccessShape | None = None
    """A shape to measure beside the default one; null: none."""
    tuning: Tuning | None = None
    """Null: no shape is searched for. Excludes ``shape``."""
    type: ElementType = "double"
    placement: Placement = Placement()
    array_bytes: int | None = None
    """Bytes of each array; null: by STREAM's 4x rule."""
    seed: int | None = None
    sampling: Sampling
    huge_pages: bool = True
    memory_nodes: list[int] | None = None
    """OS numbers of the NUMA nodes that memory is taken from; null: each page lies on the node of
    the thread that touches it first."""
    checks: bool = False
    """Also measure what interpretation needs: forced reads, load and triad with fewer threads, and
    the idle latency of memory."""
    idle_latency: bool = False
    """Measure the idle latency of memory without the other checks, too; the run fails where that
    cannot be had."""
    counters: bool = False
    """Also count what crosses the memory bus, where a source of that is to be had."""
    peak_bytes_per_second: float | None = None
    """Theoretical peak of the memory in use: counters that show more are not believed; null: not
    known."""
