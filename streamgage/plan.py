"""The plan that is handed to the engine: what to measure, where, and for how long.

``schema/plan.schema.json`` and the engine's reader are generated from these types. The engine
chooses the value of a field that is null, and writes it to its ``plan`` record.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from streamgage.records import (
    SCHEMA_VERSION,
    AccessShape,
    ElementType,
    Init,
    PageSize,
    PlacementKind,
    Sampling,
    Tier,
)
from streamgage.records.quantities import CountFrom1, Members, Position, Seconds, Share, Size, Some

LARGEST_ALIGNMENT = 1 << 30
"""The largest alignment of arrays: 1 GiB."""
LARGEST_CACHE = 1 << 40
"""The largest sum of last-level caches: 1 TiB, more than any machine has."""


Rate = Annotated[float, msgspec.Meta(gt=0)]
"""A rate in bytes per second."""
CpuNumber = Annotated[Position, msgspec.Meta(title="CPU number")]
NodeNumber = Annotated[Position, msgspec.Meta(title="NUMA node number")]
WorkingSet = Annotated[int, msgspec.Meta(ge=1, le=1 << 50)]
"""The bytes of a chain of loads."""
Seed = Annotated[int, msgspec.Meta(ge=0)]
"""The seed of random numbers; one of more than 64 bits is refused."""


class Placement(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The places of the threads.

    ``cores``: one thread per physical core, spread over the memory domains; ``cpus``: the CPUs that
    ``cpus`` lists or ``expression`` stands for, in that order; ``none``: wherever the OpenMP
    runtime and the operating system put them.
    """

    kind: PlacementKind = "cores"
    cpus: Annotated[list[CpuNumber], Some] | None = None
    """The CPUs by their OS numbers, one per thread."""
    threads: Members | None = None
    """The number of threads; null: as many as the kind gives."""
    expression: str | None = None
    """A placement expression, in place of ``cpus``; see ``docs/pin.md``."""
    oversubscribe: bool = False
    """``True`` if a CPU may be given to more than one thread; only with kind ``cpus``."""


class KnownShape(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A shape that an earlier run chose: the fastest, or the default one if no shape was faster."""

    kernel: str
    """The kernel that the shape is for."""
    store: str
    """Its store mode."""
    isa: str
    """The instruction set of its code."""
    shape: AccessShape
    """The shape that was chosen."""
    forced_read: AccessShape | None = None
    """The fastest shape that prefetches for writing, if one was found."""


class Tuning(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Search for the fastest shape of every vector kernel, except those in ``known``."""

    budget_seconds: Seconds = 20.0
    """Seconds for the whole search."""
    known: list[KnownShape] = []
    """Shapes from earlier runs, which are not searched again."""
    first: bool = True
    """``True``: search before anything is measured. ``False``: with ``tiers``, search in the time
    that they leave."""


Mix = Literal["reads", "3:1", "2:1", "1:1", "streaming"]
"""Lines read for each line written; ``streaming``: only streaming stores, which read no lines."""


class Load(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The load on the memory by all threads but the one that measures."""

    mixes: Annotated[list[Mix], Some]
    """The mixes of reads and writes; each is measured with all shares."""
    shares: Annotated[list[Share], Some]
    """Each load as a share of the mix's highest rate: 0 is no load, 1 is full load. Other shares
    are at least 0.001."""
    seconds: Annotated[float, msgspec.Meta(gt=0, le=60)] = 0.05
    """Seconds for which each point is measured."""


class LatencyPlan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One run of the engine that measures latency: idle, over working sets, and under load."""

    schema: CountFrom1 = SCHEMA_VERSION
    """The version of plan and records. The engine refuses a plan of a newer version."""
    measure: Literal["latency"] = "latency"
    """Marks a plan that measures latency."""
    device: str | None = None
    """The device to measure in place of the processor, such as ``opencl:0``; then there is neither
    ``placement`` nor ``load``; null: the processor."""
    placement: Placement = Placement()
    """The places of the threads; the first one measures latency, the others load the memory."""
    chain_bytes: list[WorkingSet] = []
    """Sizes of the working sets whose idle latency is measured, in bytes."""
    load: Load | None = None
    """The load under which latency is measured, too; null: idle latency alone."""
    rounds: Annotated[int, msgspec.Meta(ge=1, le=100_000)] = 3
    """The number of rounds; each measures everything once, in random order."""
    seed: Seed | None = None
    """The seed of the order; null: drawn at random, and recorded."""
    pages: PageSize = "2m"
    """The pages of the working sets."""


class PlainLibrary(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A shared object with plain kernels, by any compiler: ``streamgage_double_triad`` ..."""

    path: str
    """The path of the file."""
    code: str
    """The compiler and the flags that built it."""


DeviceLanguage = Literal["opencl-c", "cuda-c++"]
"""A language that the drivers of devices compile. HIP compiles CUDA C++, too."""


class OwnKernel(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A user's own kernel: a shared object declared as in ``streamgage/kernel.h``, or a source."""

    path: str
    """The path of the file."""
    code: str
    """The compiler and the flags that built it."""
    source: str | None = None
    """The file as the user named it; null: ``path``."""
    language: DeviceLanguage | None = None
    """That of a source, which the driver of a device compiles; null: a shared object."""


class Plan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One run of the engine."""

    schema: CountFrom1 = SCHEMA_VERSION
    """The version of plan and records. The engine refuses a plan of a newer version."""
    device: str | None = None
    """The device to measure instead of the processor, such as ``cuda:0``; null: the processor.
    With a device, options of processors must not be given."""
    copies: bool = False
    """Measure what is copied between the host and the device, each way and both at once, in place
    of kernels."""
    peer: str | None = None
    """With ``copies``: the device that takes the host's place, by the same driver as ``device``."""
    kernels: list[str]
    """Kernels of the catalogue; may be empty if there are ``own_kernels`` or ``copies``."""
    evidence: list[str] = []
    """Built-in kernels by which the memory traffic of the others is judged. Each is measured with
    regular stores, also with forced reads if it write-allocates. They get no figure of their own,
    and are not measured if counters show the traffic."""
    own_kernels: list[OwnKernel] = []
    """The user's own kernels, measured with those in ``kernels``."""
    kernel_timeout_seconds: Seconds = 60.0
    """Seconds that a run of a user's own kernel may take."""
    check_kernels: bool = False
    """Check the user's own kernels, with guard pages around every array, and measure nothing."""
    stores: Annotated[list[str], Some] | None = None
    """Store modes; null: the usual ones of each kernel."""
    isas: Annotated[list[str], Some] | None = None
    """Instruction sets of the code; null: the best that the processor has."""
    shape: AccessShape | None = None
    """A shape to measure next to the default one; null: none."""
    tuning: Tuning | None = None
    """The search for shapes; null: none. Excludes ``shape``."""
    plain_library: PlainLibrary | None = None
    """A library that replaces the engine's own plain kernels."""
    type: ElementType = "double"
    """The type of the elements of the built-in kernels' arrays."""
    init: Init = "pattern"
    """The first content of the arrays; not with ``own_kernels``, which fill their own arrays."""
    alignment_bytes: Annotated[int, msgspec.Meta(ge=1, le=LARGEST_ALIGNMENT)] | None = None
    """Each array starts at a multiple of this power of two, but not of a greater one; null: at a
    multiple of 2 MiB."""
    placement: Placement = Placement()
    """The places of the threads."""
    array_bytes: Size | None = None
    """Bytes of each array; null: by STREAM's 4x rule."""
    last_level_cache_bytes: Annotated[int, msgspec.Meta(ge=1, le=LARGEST_CACHE)] | None = None
    """The sum of the last-level caches for that rule, in bytes; null: the caches that the threads
    use, as the machine reports them."""
    working_set_bytes: Size | None = None
    """Bytes of all arrays of a kernel together, instead of ``array_bytes``. If there are several
    kernels, they must use equally many arrays. On a device the passes of a sample are then one
    launch."""
    seed: Seed | None = None
    """The seed of random numbers: the order of measuring, and arrays with ``init`` random; null:
    drawn at random, and recorded."""
    sampling: Sampling = Sampling()
    """How much to measure. With ``tiers``, its budget covers the whole run, including memory,
    shapes and the check of the results."""
    tiers: list[Tier] = []
    """The order of measuring: a tier is finished before the next begins. A variant belongs to the
    first tier that names it, otherwise to one after the last. A user's own kernels belong to the
    first.
    Empty: all variants are measured together."""
    pages: PageSize = "2m"
    """The pages of the arrays; ``1g`` not with ``own_kernels``."""
    memory_nodes: Annotated[list[NodeNumber], Some] | None = None
    """The NUMA nodes that memory is taken from, by OS number; null: each page lies on the node of
    the thread that touches it first."""
    checks: bool = False
    """Also measure what the interpretation needs: forced reads, sum and triad with fewer threads,
    and the idle latency of memory."""
    stream_view: bool = False
    """With ``tiers``: also measure what STREAM itself would print, if there is time and memory for
    it."""
    idle_latency: bool = False
    """Also measure the idle latency of memory, even without ``checks``; a failure ends the run."""
    core_clock: bool = False
    """Also measure the clock frequency of the first thread's core."""
    counters: bool = False
    """Also count the memory traffic, if a source of it is available."""
    peak_bytes_per_second: Rate | None = None
    """Theoretical peak of the memory in use; counters that show more are not believed; null: not
    known."""
