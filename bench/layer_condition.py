"""Measures the memory traffic of the 5-point stencil by the length of its rows, with triad.

The stencil of ``examples/kernels/stencil.c`` is built once for each length of the rows, and all of
them are measured in one run, block by block in random order. By the layer condition a point takes
24 bytes of memory's traffic while a cache holds three rows for each thread, its write-allocate
included, and 40 where none does. The last column says what it takes if memory serves it as it
serves triad (32 bytes per iteration): the median of the ratios of their times, block by block,
times 32, with its 95 % interval. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

import msgspec
import peers
from kernel_routes import EXAMPLES

from streamgage.analysis.statistics.intervals import summarise
from streamgage.kernels import build_kernel, compilers_of, kernel_file
from streamgage.plan import OwnKernel, Plan
from streamgage.records import AnyRecord, Sampling
from streamgage.records.run import Run, collect

LENGTHS = (504, 2040, 8184, 32760, 131064, 262136, 524280, 1048568)
"""Points of a row: whole lines, and no power of two, whose rows would share the caches' sets."""
TRIAD_BYTES = 32
"""An iteration, the write-allocate included."""


def built(lengths: Sequence[int], folder: Path) -> Iterator[OwnKernel]:
    """A stencil for each length."""
    file = kernel_file(str(EXAMPLES / "stencil.c"))
    compiler = compilers_of([file], [])["c"]
    for length in lengths:
        where = folder / str(length)
        where.mkdir()
        flags = ("-O3", "-march=native", f"-DNX={length}", f'-DNAME="nx-{length}"')
        made = build_kernel(file, compiler, where, flags=flags)
        if made.library is None:
            raise SystemExit(f"bench: {made.failure}")
        yield OwnKernel(path=str(made.library), code=made.code, source=made.file.source)


def measured(plan: Plan) -> Run:
    """One run of the engine."""
    lines = peers.records_of(msgspec.to_builtins(plan))
    return collect(msgspec.convert(line, AnyRecord) for line in lines)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=40)
    parser.add_argument("--mib", type=int, default=512, help="size of each array")
    parser.add_argument("--threads", type=int, help="default: one a core")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="streamgage-") as folder:
        plan = Plan(
            kernels=["triad"],
            stores=["plain"],
            own_kernels=list(built(LENGTHS, Path(folder))),
            array_bytes=options.mib << 20,
            sampling=Sampling(
                min_samples=options.samples,
                look_every=options.samples,
                max_samples=options.samples,
                budget_seconds=600,
            ),
        )
        if options.threads is not None:
            placement = msgspec.structs.replace(plan.placement, threads=options.threads)
            plan = msgspec.structs.replace(plan, placement=placement)
        run = measured(plan)
    times = {each.kernel: run.element_times_of_blocks(each.id) for each in run.shown()}
    triad = times.pop("triad")
    print(f"triad: {24 / median(triad.values()) / 1e9:.2f} GB/s nominal")
    print("| points a row | three rows, a thread | GB/s | bytes a point | 95 % |")
    print("|--:|--:|--:|--:|--:|")
    for name, seconds in times.items():
        length = int(name.removeprefix("nx-"))
        found = summarise(
            [TRIAD_BYTES * seconds[block] / triad[block] for block in seconds if block in triad]
        )
        assert found is not None
        bounds = found.interval
        within = "-" if bounds is None else f"{bounds.low:.1f} - {bounds.high:.1f}"
        gbps = 16 / median(seconds.values()) / 1e9
        rows = f"{3 * 8 * length / 1024:.0f} KiB"
        print(f"| {length} | {rows} | {gbps:.2f} | {found.median:.1f} | {within} |")


if __name__ == "__main__":
    main()
