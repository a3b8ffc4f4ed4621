"""Times a report of runs with many invented samples, and shows its size.

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
from pathlib import Path
from typing import Any

import msgspec

from streamgage.comparison.compare.sides import compare_one_kind
from streamgage.html.comparison import comparison_page
from streamgage.html.page import page
from streamgage.records import AnyRecord, Kernel, Variant
from streamgage.results.result import Result
from streamgage.store.load import load_content

sys.path.append(str(Path(__file__).parents[1] / "tests" / "support"))
from example_records import CLOCK, END, MACHINE, MEMORY, PLAN, place, placement, samples_of

THREADS = 8
ELEMENTS = 1 << 25
KERNELS = {"init": (0, 1), "sum": (1, 0), "copy": (1, 1), "triad": (2, 1)}
"""Loads and stores."""
STORES = ("plain", "regular", "streaming")


def records(samples: int, seed: int) -> Iterator[AnyRecord]:
    """A run of all variants with so many samples, whose times are spread as real ones are."""
    source = random.Random(seed)
    cpus = f"0-{THREADS - 1}"
    yield msgspec.structs.replace(
        MACHINE,
        cores=THREADS,
        hardware_threads=THREADS,
        numa_nodes=[msgspec.structs.replace(MACHINE.numa_nodes[0], cpus=cpus)],
        online_cpus=cpus,
        allowed_cpus=cpus,
    )
    yield msgspec.structs.replace(PLAN, kernels=list(KERNELS), threads=THREADS)
    yield placement(*map(place, range(THREADS)))
    yield msgspec.structs.replace(MEMORY, array_bytes=8 * ELEMENTS, elements=ELEMENTS)
    yield CLOCK
    yield from (
        Kernel(name=name, formula="", loads=a, stores=b, write_allocates=b > 0, flops=0)
        for name, (a, b) in KERNELS.items()
    )
    variants = [
        Variant(id=number, kernel=kernel, store=store, type="double", isa="AVX2", code="made")
        for number, (kernel, store) in enumerate((k, s) for k in KERNELS for s in STORES)
    ]
    yield from variants
    blocks = samples // len(variants)
    for variant in variants:
        seconds = ELEMENTS * 8 * sum(KERNELS[variant.kernel]) / 100e9
        times = [seconds * source.lognormvariate(0, 0.01) for _ in range(blocks)]
        yield from samples_of(variant.id, times, cpus=range(THREADS))
    yield msgspec.structs.replace(END, blocks=blocks)


def main() -> None:
    """Make the runs, load them, make the page."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    samples = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    contents = [
        b"".join(msgspec.json.encode(each) + b"\n" for each in records(samples // runs, seed))
        for seed in range(runs)
    ]
    start, start_of_work = time.perf_counter(), time.process_time()
    loaded: list[Result[Any]] = [
        load_content(content, f"run {number}", f"run-{number}.jsonl", print)
        for number, content in enumerate(contents, 1)
    ]
    read = time.perf_counter()
    found = compare_one_kind(loaded)
    compared = time.perf_counter()
    html = page(loaded, comparison=comparison_page(found) if found else None)
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
