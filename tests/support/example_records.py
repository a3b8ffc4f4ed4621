"""Makes invented records: a small machine, good runs on it, and ways to spoil them."""

from __future__ import annotations

import random
from collections.abc import Sequence

import msgspec

from streamgage.records import (
    AccessShape,
    AnyRecord,
    ArrayPages,
    Cache,
    Clock,
    Disturbance,
    End,
    IdleLatency,
    Kernel,
    Machine,
    MemoryRecord,
    NumaNode,
    PlacementRecord,
    PlanRecord,
    QuietTime,
    Sample,
    Sampling,
    ThreadPlace,
    Tuning,
    Validation,
    Variant,
)
from streamgage.records.run import Run, collect

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
    nice=0,
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
    pages="2m",
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
    passes: int = 1,
    paused_seconds: float = 0.0,
) -> list[AnyRecord]:
    """A sample record for each time, each of so many passes."""
    return [
        msgspec.convert(
            {
                "record": "sample",
                "variant": variant,
                "block": block,
                "role": role,
                "seconds": seconds,
                "passes": passes,
                "cpus": list(cpus),
                "cpus_end": None,
                "moved": moved,
                "switches": switches,
                "paused_seconds": paused_seconds,
            },
            Sample,
        )
        for block, seconds in enumerate(times)
    ]


def watched(records: Sequence[AnyRecord], quiet: float = 1.0) -> list[AnyRecord]:
    """The records with every sample in two windows; all threads had their CPUs for that share."""
    return [
        msgspec.structs.replace(
            each,
            pass_seconds=each.seconds / each.passes if quiet == 1.0 else quiet * each.seconds,
            quiet=QuietTime(
                windows=4,
                quiet_windows=2,
                nanoseconds=[round(each.seconds * quiet * 1e9), 0],
                elements=[1000, 0],
            ),
        )
        if isinstance(each, Sample)
        else each
        for each in records
    ]


def where_bound(records: Sequence[AnyRecord]) -> list[AnyRecord]:
    """The records with every sample of bound threads on the CPUs of the last placement.

    That is where the engine sees them.
    """
    placed = [each for each in records if isinstance(each, PlacementRecord)]
    cpus = [each.cpu for each in placed[-1].threads] if placed and placed[-1].bound else []
    return [
        msgspec.structs.replace(each, cpus=cpus) if cpus and isinstance(each, Sample) else each
        for each in records
    ]


def steady_times(seconds: float, n: int = 20, seed: int = 1, noise: float = 0.001) -> list[float]:
    """Times from ``seconds`` to that share more."""
    source = random.Random(seed)
    return [seconds * (1 + noise * source.random()) for _ in range(n)]


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


def stream_records(store: str = "plain") -> list[AnyRecord]:
    """A run of STREAM's four kernels, which take 10, 20, 30 and 40 ms, with that kind of store."""
    names = ("copy", "scale", "add", "triad")
    moved = {kernel.name: kernel for kernel in KERNELS}
    moved["scale"] = msgspec.structs.replace(moved["copy"], name="scale", formula="a = s*b")
    moved["add"] = msgspec.structs.replace(moved["triad"], name="add", formula="a = b + c")
    records: list[AnyRecord] = [
        *(MACHINE, msgspec.structs.replace(PLAN, kernels=list(names))),
        *(placement(place(0), place(1)), MEMORY, CLOCK),
        *(moved[name] for name in names),
    ]
    for number, name in enumerate(names):
        variant = Variant(
            id=number, kernel=name, store=store, type="double", isa="AVX2", code="gcc -O3"
        )
        records += [variant, *samples_of(number, [0.02], role="warmup")]
        records += samples_of(number, steady_times(0.01 * (1 + number)))
        records += [validation(number)]
    return [*records, DISTURBANCE, END]


def series_records(
    threads: int,
    seconds: dict[str, dict[int, float]],
    *,
    latency: float | None = None,
    machine: Machine = MACHINE,
    over_whole: float = 1.0,
    noise: float = 0.001,
) -> list[AnyRecord]:
    """A run with a thread series: of each kernel the seconds of a pass over ever the same part.

    ``seconds`` are by number of threads, all ``threads`` included. The kernel's own variant, which
    goes over all of the arrays, is ``over_whole`` times as slow as its part with all threads.
    """
    records: list[AnyRecord] = [
        msgspec.structs.replace(machine, cores=threads),
        PLAN,
        placement(*(place(cpu) for cpu in range(threads))),
        *(MEMORY, CLOCK, *KERNELS),
    ]

    def noisy(each: float, seed: int) -> list[float]:
        return steady_times(each, seed=seed, noise=noise)

    number = 0
    for kernel, times in seconds.items():
        own = vector(kernel, "regular", number=number)
        records += [own, *samples_of(number, noisy(over_whole * times[max(times)], number))]
        for used, each in sorted(times.items()):
            number += 1
            point = msgspec.structs.replace(
                own, id=number, purpose="series", threads=used, elements=MEMORY.elements
            )
            records += [point, *samples_of(number, noisy(each, number))]
        number += 1
    if latency is not None:
        records.append(
            IdleLatency(
                seconds=latency,
                minimum=latency,
                maximum=latency,
                repeats=5,
                bytes=1 << 30,
                loads=1 << 20,
                huge_share=1.0,
                cpu=0,
            )
        )
    return [*records, END]


DEFAULT = AccessShape()
FOUR_STREAMS = AccessShape(streams=4, block_bytes=4096)
PREFETCH = AccessShape(read_prefetch_bytes=1024, write_prefetch_bytes=0)
GAIN = 1.08
"""Seconds of the made standard variants over those of the tuned ones, in every block."""


def vector(
    kernel: str, store: str, shape: AccessShape = DEFAULT, *, isa: str = "AVX2", number: int = 0
) -> Variant:
    """A variant of vector code, tuned where its shape is not the default one."""
    return Variant(
        id=number,
        kernel=kernel,
        store=store,
        type="double",
        isa=isa,
        code="Highway vectors of 256 bits",
        tuned=shape != DEFAULT,
        shape=shape,
    )


def tuning(
    kernel: str,
    store: str,
    source: str = "raced",
    shape: AccessShape = DEFAULT,
    *,
    fastest: AccessShape | None = None,
    ratio: tuple[float, float, float] | None = None,
    isa: str = "AVX2",
) -> Tuning:
    """A tuning record; ``ratio`` is the median of the pairs and its bounds."""
    raced = source == "raced"
    median, low, high = ratio or (None, None, None)
    return msgspec.convert(
        {
            "record": "tuning",
            "kernel": kernel,
            "store": store,
            "isa": isa,
            "type": "double",
            "source": source,
            "shape": shape,
            "tuned": shape != DEFAULT,
            "fastest": fastest or shape,
            "candidates": 26 if raced else 0,
            "samples": 338 if raced else 0,
            "pairs": 21 if ratio else 0,
            "ratio": median,
            "ratio_low": low,
            "ratio_high": high,
            "seconds": 1.5 if raced else 0.0,
        },
        Tuning,
    )


TUNINGS = (
    tuning("sum", "regular", shape=FOUR_STREAMS, ratio=(1.082, 1.075, 1.09)),
    tuning("copy", "regular", fastest=PREFETCH, ratio=(1.002, 0.996, 1.007)),
    tuning("copy", "streaming", "known", PREFETCH),
    tuning("triad", "regular"),
    tuning("triad", "streaming", shape=FOUR_STREAMS, ratio=(1.08, 1.07, 1.09)),
)


def records_of(variants: Sequence[Variant], tunings: Sequence[Tuning] = ()) -> list[AnyRecord]:
    """A good run of these variants, with new numbers; tuned ones are faster by ``GAIN``."""
    records: list[AnyRecord] = [MACHINE, PLAN, placement(place(0), place(1)), MEMORY, CLOCK]
    numbered = [
        msgspec.structs.replace(variant, id=number) for number, variant in enumerate(variants)
    ]
    records += [*KERNELS, *tunings, *numbered]
    for variant in numbered:
        seconds = 0.01 * (1 + [kernel.name for kernel in KERNELS].index(variant.kernel))
        times = steady_times(seconds / GAIN if variant.tuned else seconds, seed=7)
        records += samples_of(variant.id, times)
    records += [validation(variant.id) for variant in numbered]
    return [*records, DISTURBANCE, END]


def tuned_records() -> list[AnyRecord]:
    """A good run in which some shapes were raced, some were known, and some gained."""
    plain = {variant.kernel: variant for variant in VARIANTS if variant.store == "plain"}
    variants = [
        plain["sum"],
        vector("sum", "regular"),
        vector("sum", "regular", FOUR_STREAMS),
        plain["copy"],
        vector("copy", "regular"),
        vector("copy", "streaming"),
        vector("copy", "streaming", PREFETCH),
        plain["triad"],
        vector("triad", "regular"),
        vector("triad", "streaming"),
        vector("triad", "streaming", FOUR_STREAMS),
    ]
    return records_of(variants, TUNINGS)


def two_isas_records() -> list[AnyRecord]:
    """A good run that compares two instruction sets; one shape gained, with one of them."""
    variants = []
    for kernel in ("copy", "triad"):
        plain = vector(kernel, "plain")
        variants += [
            msgspec.structs.replace(plain, isa=isa, shape=None) for isa in ("SSE2", "AVX2")
        ]
        for store in ("regular", "streaming"):
            variants += [vector(kernel, store, isa=isa) for isa in ("SSE2", "AVX2")]
        variants.append(vector(kernel, "streaming", FOUR_STREAMS))
    tunings = [
        tuning(kernel, store, isa=isa)
        if (store, isa) != ("streaming", "AVX2")
        else tuning(kernel, store, shape=FOUR_STREAMS, ratio=(1.08, 1.07, 1.09), isa=isa)
        for kernel in ("copy", "triad")
        for store in ("regular", "streaming")
        for isa in ("SSE2", "AVX2")
    ]
    plan = msgspec.structs.replace(PLAN, isas=["SSE2", "AVX2"])
    return [*records_of(variants, tunings), plan]


def good_run() -> Run:
    """The run with ``good_records``."""
    return collect(good_records())


def as_lines(records: Sequence[AnyRecord]) -> bytes:
    """Records as the engine prints them."""
    return b"".join(msgspec.json.encode(record) + b"\n" for record in records)
