"""Records made by hand: a small machine, a good run on it, and ways to spoil it."""

from __future__ import annotations

import random
from collections.abc import Sequence

import msgspec

from streamgage.analysis.run import Run, collect
from streamgage.records import (
    AnyRecord,
    ArrayPages,
    Cache,
    Clock,
    Disturbance,
    End,
    Kernel,
    Machine,
    MemoryRecord,
    NumaNode,
    PlacementRecord,
    PlanRecord,
    Sample,
    Sampling,
    ThreadPlace,
    Validation,
    Variant,
)

MIB = 1 << 20

MACHINE = Machine(
    schema=1,
    engine="0.1.0",
    compiler="GNU 12.2.0",
    time="2026-01-31T12:00:00Z",
    host="node7",
    architecture="x86_64",
    processor="Example 9000",
    packages=1,
    cores=2,
    hardware_threads=2,
    threads_per_core=1,
    caches=[
        Cache(level=1, kind="data", bytes=48 << 10, instances=2, line_bytes=64, cpus=["0", "1"]),
        Cache(level=3, kind="unified", bytes=16 * MIB, instances=1, line_bytes=64, cpus=["0-1"]),
    ],
    numa_nodes=[NumaNode(node=0, cpus="0-1", bytes=8 << 30)],
    core_kinds=[],
    online_cpus="0-1",
    allowed_cpus="0-1",
    cpu_quota=None,
    memory_bytes=8 << 30,
    memory_available_bytes=7 << 30,
    memory_limit_bytes=None,
    memory_limit_free_bytes=None,
    memory_modules=[],
    memory_modules_reason="SMBIOS cannot be read",
    system=None,
    kernel="Linux 6.1.0",
    page_bytes=4096,
    huge_pages="madvise",
    huge_page_bytes=2 * MIB,
    numa_balancing=False,
    hypervisor=None,
)
PLAN = PlanRecord(
    kernels=["sum", "copy", "triad"],
    stores=None,
    type="double",
    placement="cores",
    cpus=None,
    threads=2,
    array_bytes=None,
    huge_pages=True,
    seed=7,
    sampling=Sampling(min_samples=20, look_every=10, max_samples=300, budget_seconds=33),
)
MEMORY = MemoryRecord(
    array_bytes=64 * MIB,
    elements=8 * MIB,
    element_bytes=8,
    arrays=[
        ArrayPages(name=name, huge_share=1.0, checked_pages=64, remote_pages=0) for name in "abc"
    ],
    rule_bytes=64 * MIB,
    last_level_cache_bytes=16 * MIB,
    asked_bytes=None,
    capped_by=None,
    cap_bytes=None,
    touch_seconds=0.1,
    pages_reason=None,
)
CLOCK = Clock(source="monotonic", granularity_seconds=2e-8, overhead_seconds=2e-8)
KERNELS = (
    Kernel(name="sum", formula="s += a", loads=1, stores=0, write_allocates=False, flops=1),
    Kernel(name="copy", formula="a = b", loads=1, stores=1, write_allocates=True, flops=0),
    Kernel(name="triad", formula="a = b + s*c", loads=2, stores=1, write_allocates=True, flops=2),
)
VARIANTS = tuple(
    Variant(id=number, kernel=kernel, store=store, type="double", isa="AVX2", code="gcc -O3")
    for number, (kernel, store) in enumerate(
        [("sum", "plain"), ("copy", "plain"), ("copy", "streaming"), ("triad", "plain")]
    )
)
END = End(
    reason="complete",
    message=None,
    exit_status=0,
    stopped_by="converged",
    blocks=20,
    seconds=10.0,
    touch_seconds=0.1,
    kernel_seconds=9.0,
)
DISTURBANCE = Disturbance(
    first_block=0,
    last_block=19,
    seconds=10.0,
    steal_seconds=0.0,
    other_seconds=0.0,
    throttled_seconds=None,
)


def place(cpu: int, core: int | None = None, node: int = 0, mask: str | None = None) -> ThreadPlace:
    """A thread on ``cpu``, bound to it and with a core of its own where nothing else is said."""
    return ThreadPlace(
        cpu=cpu, core=cpu if core is None else core, package=0, node=node, mask=mask or str(cpu)
    )


def placement(
    *threads: ThreadPlace, kind: str = "cores", asked: int | None = None, bound: bool = True
) -> PlacementRecord:
    """A placement record of ``threads``."""
    return msgspec.convert(
        {
            "record": "placement",
            "kind": kind,
            "asked_threads": len(threads) if asked is None else asked,
            "bound": bound,
            "threads": msgspec.to_builtins(threads),
        },
        PlacementRecord,
    )


def samples_of(
    variant: int,
    times: Sequence[float],
    *,
    role: str = "timed",
    moved: int = 0,
    cpus: Sequence[int] = (0, 1),
    switches: int = 0,
) -> list[AnyRecord]:
    """A sample record a time."""
    return [
        msgspec.convert(
            {
                "record": "sample",
                "variant": variant,
                "block": block,
                "role": role,
                "seconds": seconds,
                "cpus": list(cpus),
                "cpus_end": None,
                "moved": moved,
                "switches": switches,
            },
            Sample,
        )
        for block, seconds in enumerate(times)
    ]


def steady_times(seconds: float, n: int = 20, seed: int = 1) -> list[float]:
    """Times within about 0.1 % of ``seconds``."""
    source = random.Random(seed)
    return [seconds * (1 + 0.001 * source.random()) for _ in range(n)]


def validation(variant: int, *, valid: bool = True) -> Validation:
    """A validation record."""
    return Validation(
        variant=variant,
        valid=valid,
        checked=8 * MIB,
        wrong=0 if valid else 3,
        first_wrong=None if valid else 17,
        expected=None if valid else 2.0,
        found=None if valid else "nan",
        spot_failures=0,
    )


def good_records() -> list[AnyRecord]:
    """A run in which nothing is wrong."""
    records: list[AnyRecord] = [MACHINE, PLAN, placement(place(0), place(1)), MEMORY, CLOCK]
    records += KERNELS
    records += VARIANTS
    for variant in VARIANTS:
        records += samples_of(variant.id, [0.02], role="warmup")
        records += samples_of(variant.id, steady_times(0.01 * (1 + variant.id)))
    records += [validation(variant.id) for variant in VARIANTS]
    return [*records, DISTURBANCE, END]


def good_run() -> Run:
    """``good_records`` collected."""
    return collect(good_records())


def as_lines(records: Sequence[AnyRecord]) -> bytes:
    """Records as the engine prints them."""
    return b"".join(msgspec.json.encode(record) + b"\n" for record in records)
