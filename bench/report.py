"""How long a report takes and how large it is: runs with many samples, made here.

    python bench/report.py [RUNS [SAMPLES]]

``SAMPLES`` are those of all runs together. Prints the machine, the seconds of each step and the
size of the page; nothing is measured by the engine.
"""

from __future__ import annotations

import platform
import random
import sys
import time
from collections.abc import Iterator

import msgspec

from streamgage.present.report.compared import comparison_section
from streamgage.present.report.page import page
from streamgage.records import (
    AnyRecord,
    ArrayPages,
    Cache,
    Clock,
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
    Variant,
)
from streamgage.studies.compare import compare_alike
from streamgage.studies.loaded import Loaded, load_content

THREADS = 8
ELEMENTS = 1 << 25
KERNELS = {"init": (0, 1), "sum": (1, 0), "copy": (1, 1), "triad": (2, 1)}
"""Loads and stores."""
STORES = ("plain", "regular", "streaming")


def records(samples: int, seed: int) -> Iterator[AnyRecord]:
    """A run of all variants with so many samples, whose times are spread as real ones are."""
    source = random.Random(seed)
    yield _machine()
    yield from _setting()
    yield from (
        Kernel(name=name, formula="", loads=a, stores=b, write_allocates=b > 0, flops=0)
        for name, (a, b) in KERNELS.items()
    )
    variants = [
        Variant(id=number, kernel=kernel, store=store, type="double", isa="AVX2", code="made")
        for number, (kernel, store) in enumerate((k, s) for k in KERNELS for s in STORES)
    ]
    yield from variants
    for place in range(samples):
        variant = variants[place % len(variants)]
        bytes_each = 8 * sum(KERNELS[variant.kernel])
        yield Sample(
            variant=variant.id,
            block=place // len(variants),
            role="timed",
            seconds=ELEMENTS * bytes_each / 100e9 * source.lognormvariate(0, 0.01),
            cpus=list(range(THREADS)),
            cpus_end=None,
            moved=0,
            switches=0,
        )
    yield End(
        reason="complete",
        message=None,
        exit_status=0,
        stopped_by="converged",
        blocks=samples // len(variants),
        seconds=60.0,
        touch_seconds=1.0,
        kernel_seconds=50.0,
    )


def _machine() -> Machine:
    return Machine(
        schema=1,
        engine="made",
        compiler="made",
        time="2026-01-31T12:00:00Z",
        host="made",
        architecture=platform.machine(),
        processor="made",
        packages=1,
        cores=THREADS,
        hardware_threads=THREADS,
        threads_per_core=1,
        caches=[
            Cache(level=3, kind="unified", bytes=1 << 25, instances=1, line_bytes=64, cpus=["0-7"])
        ],
        numa_nodes=[NumaNode(node=0, cpus="0-7", bytes=1 << 35)],
        core_kinds=[],
        online_cpus="0-7",
        allowed_cpus="0-7",
        cpu_quota=None,
        memory_bytes=1 << 35,
        memory_available_bytes=1 << 35,
        memory_limit_bytes=None,
        memory_limit_free_bytes=None,
        memory_modules=[],
        memory_modules_reason=None,
        system=None,
        kernel="made",
        page_bytes=4096,
        huge_pages="madvise",
        huge_page_bytes=1 << 21,
        numa_balancing=False,
        hypervisor=None,
    )


def _setting() -> Iterator[AnyRecord]:
    yield PlanRecord(
        kernels=list(KERNELS),
        stores=None,
        type="double",
        placement="cores",
        cpus=None,
        threads=THREADS,
        array_bytes=None,
        huge_pages=True,
        seed=7,
        sampling=Sampling(min_samples=20, look_every=10, max_samples=10_000, budget_seconds=60),
    )
    yield PlacementRecord(
        kind="cores",
        asked_threads=THREADS,
        bound=True,
        threads=[
            ThreadPlace(cpu=cpu, core=cpu, package=0, node=0, mask=str(cpu))
            for cpu in range(THREADS)
        ],
    )
    pages = [ArrayPages(name=n, huge_share=1.0, checked_pages=64, remote_pages=0) for n in "abc"]
    yield MemoryRecord(
        array_bytes=8 * ELEMENTS,
        elements=ELEMENTS,
        element_bytes=8,
        arrays=pages,
        rule_bytes=8 * ELEMENTS,
        last_level_cache_bytes=1 << 25,
        asked_bytes=None,
        capped_by=None,
        cap_bytes=None,
        touch_seconds=0.1,
        pages_reason=None,
    )
    yield Clock(source="made", granularity_seconds=2e-8, overhead_seconds=2e-8)


def main() -> None:
    """Make the runs, load them, make the page."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    samples = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    contents = [
        b"".join(msgspec.json.encode(each) + b"\n" for each in records(samples // runs, seed))
        for seed in range(runs)
    ]
    start, start_of_work = time.perf_counter(), time.process_time()
    loaded: list[Loaded] = [
        load_content(content, f"run {number}", f"run-{number}.jsonl", print)
        for number, content in enumerate(contents, 1)
    ]
    read = time.perf_counter()
    found = compare_alike(loaded)
    compared = time.perf_counter()
    html = page(loaded, comparison=comparison_section(found) if found else None)
    done, work = time.perf_counter(), time.process_time() - start_of_work
    size = len(html.encode())
    print(f"{platform.machine()}, {_processor()}, Python {platform.python_version()}")
    print(f"{runs} runs, {samples} samples, {sum(map(len, contents)) / 1e6:.1f} MB of records")
    print(
        f"read and analysed in {read - start:.2f} s, compared in {compared - read:.2f} s, page made"
        f" in {done - compared:.2f} s"
    )
    print(f"{work:.2f} s of a CPU")
    print(f"page of {size / 1e6:.2f} MB: {size / sum(map(len, contents)):.2f} of the records")


def _processor() -> str:
    with open("/proc/cpuinfo", encoding="utf-8") as file:  # noqa: PTH123 - of one line
        names = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    return names[0] if names else "unknown processor"


if __name__ == "__main__":
    main()
