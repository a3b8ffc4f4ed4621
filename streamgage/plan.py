"""The plan that is handed to the engine: what to measure, where, and for how long.

``schema/plan.schema.json`` is generated from these types. A field that is null is left to the
engine, which writes what it chose into its ``plan`` record.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from streamgage.records import (
    SCHEMA_VERSION,
    AccessShape,
    ElementType,
    Init,
    PlacementKind,
    Sampling,
    Tier,
)

LARGEST_ALIGNMENT = 1 << 30
"""1 GiB."""
LARGEST_CACHE = 1 << 40
"""1 TiB, of all last-level caches together: more than any machine has."""


class Placement(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where threads run.

    ``cores``: one thread per physical core, spread over the memory domains; ``cpus``: the CPUs that
    ``cpus`` lists or ``expression`` stands for, in that order; ``none``: wherever the OpenMP
    runtime and the operating system put them.
    """

    kind: PlacementKind = "cores"
    cpus: list[int] | None = None
    """OS numbers, one per thread."""
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
    """Search for the fastest shape of every vector kernel, except those in ``known``."""

    budget_seconds: float
    known: list[KnownShape] = []
    first: bool = True
    """Before anything is measured; else, if there are ``tiers``, in the time that they leave."""


Mix = Literal["reads", "3:1", "2:1", "1:1", "streaming"]
"""Lines read for each line written; ``streaming``: streaming stores alone, which read none."""


class Load(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the threads next to the walking one do to the memory."""

    mixes: list[Mix]
    shares: list[Annotated[float, msgspec.Meta(ge=0, le=1)]]
    """Each load as a share of the mix's highest rate: 0 is no load, 1 is full load."""
    seconds: float = 0.05
    """How long each point is measured."""


class LatencyPlan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One run of the engine that measures latency: idle, over working sets, and under load."""

    schema: int = SCHEMA_VERSION
    measure: Literal["latency"] = "latency"
    device: str | None = None
    """The device to measure in place of the processor, such as ``opencl:0``; then there is neither
    ``placement`` nor ``load``; null: the processor."""
    placement: Placement = Placement()
    """The first thread walks; the others load the memory."""
    chain_bytes: list[int] = []
    """Working sets whose idle latency is measured."""
    load: Load | None = None
    rounds: int = 3
    """In each round everything is measured once, in random order."""
    seed: int | None = None
    huge_pages: bool = True


class PlainLibrary(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A shared object with plain kernels, by any compiler: ``streamgage_double_triad`` ..."""

    path: str
    code: str
    """What made it: compiler and flags."""


class OwnKernel(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A shared object that declares a kernel of a user's own, as ``streamgage/kernel.h`` says."""

    path: str
    code: str
    """What made it: compiler and flags."""
    source: str | None = None
    """The file as the user named it; null: ``path``."""


class Plan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One run of the engine."""

    schema: int = SCHEMA_VERSION
    device: str | None = None
    """The device to measure in place of the processor, such as ``cuda:0``; then nothing that is
    the processor's to choose may be given; null: the processor."""
    copies: bool = False
    """Measure what is copied between the host and the device, each way and both at once, in place
    of kernels."""
    kernels: list[str]
    """Kernels of the catalogue; may be empty if there are ``own_kernels`` or ``copies``."""
    evidence: list[str] = []
    """Kernels of the catalogue that show what crosses the memory bus in the others: each is
    measured with regular stores unless it is anyway, with its reads forced if it may make any.
    They get no figure of their own. Where counters show what crosses, they are not measured."""
    own_kernels: list[OwnKernel] = []
    kernel_timeout_seconds: Annotated[float, msgspec.Meta(gt=0)] = 60.0
    """How long a run of a kernel of a user's own may take."""
    check_kernels: bool = False
    """Check the user's own kernels, with guard pages around every array, and measure nothing."""
    stores: list[str] | None = None
    """Store modes; null: the customary ones of each kernel."""
    isas: list[str] | None = None
    """Instruction sets of the code; null: the best that the processor has."""
    shape: AccessShape | None = None
    """A shape to measure next to the default one; null: none."""
    tuning: Tuning | None = None
    """The search for shapes; null: none. Excludes ``shape``."""
    plain_library: PlainLibrary | None = None
    """A library that replaces the engine's own plain kernels."""
    type: ElementType = "double"
    init: Init = "pattern"
    """What the arrays hold at first; not with ``own_kernels``, which fill their own."""
    alignment_bytes: Annotated[int, msgspec.Meta(ge=1, le=LARGEST_ALIGNMENT)] | None = None
    """Arrays start at a multiple of this power of two, and of no greater one; null: at one of
    2 MiB."""
    placement: Placement = Placement()
    array_bytes: int | None = None
    """Bytes of each array; null: by STREAM's 4x rule."""
    last_level_cache_bytes: Annotated[int, msgspec.Meta(ge=1, le=LARGEST_CACHE)] | None = None
    """The size of all caches that the rule counts; null: those that the threads in use can reach,
    as the machine reports them."""
    working_set_bytes: int | None = None
    """Bytes of all arrays that the kernel uses, together, in place of ``array_bytes``: of one
    kernel, or of several that use as many. On a device the passes of a sample are then one launch.
    """
    seed: int | None = None
    sampling: Sampling
    """The sampling. With ``tiers``, its budget is that of the whole run, with memory, shapes and
    the check of the results."""
    tiers: list[Tier] = []
    """What is measured first, and next. A variant belongs to the first tier that names it,
    otherwise to one after the last. A user's own kernels belong to the first. Empty: all are
    measured together."""
    huge_pages: bool = True
    memory_nodes: list[int] | None = None
    """OS numbers of the NUMA nodes that memory is taken from; null: each page lies on the node of
    the thread that touches it first."""
    checks: bool = False
    """Also measure what interpretation needs: forced reads, load and triad with fewer threads, and
    the idle latency of memory."""
    idle_latency: bool = False
    """Measure the idle latency of memory without the other checks, too; the run fails if that is
    not available."""
    core_clock: bool = False
    """Also measure at which clock the first thread's core runs."""
    counters: bool = False
    """Also count what crosses the memory bus, where a source of that is available."""
    peak_bytes_per_second: float | None = None
    """Theoretical peak of the memory in use: counters that show more are not believed; null: not
    known."""
