"""Compares the same triad by every route: built-in, as a user's own kernel, by the library.

Each round is two processes of the engine that measure the first two, block by block in random
order, and two of a program on the library, on arrays of the same size with the same threads, in
random order. Where pages lie in the machine makes a difference of several per cent, and a process
gets those that the one before it gave back: each round first takes a random amount of memory out of
the way. The ratio of an own kernel in a process is the median over its blocks of the catalogue's
time over its own; that of the program in a round is the geometric mean of its two rates, of the
median sample each, over the catalogue's two. The catalogue in the second process over the first
shows by how much processes differ alone. A row has the median of its ratios, with its 95 %
interval. With --library the engine measures the catalogue alone, which takes a third of the time.
Prints a Markdown table; the exit status is 1 where a route is certainly more than 2 % away, but for
Fortran: its compiler makes another loop.
"""

from __future__ import annotations

import argparse
import mmap
import os
import random
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import geometric_mean, median
from typing import Any

import msgspec
import peers

from streamgage.analysis.statistics.intervals import Interval, summarise
from streamgage.kernels import build_kernel, compilers_of, kernel_file
from streamgage.plan import OwnKernel, Plan
from streamgage.records import AnyRecord, Sampling
from streamgage.records.run import Run, collect

EXAMPLES = Path(__file__).parent.parent / "examples" / "kernels"
CATALOGUE = "catalogue, triad plain"
AGAIN = "catalogue, in another process"
ANOTHER_LOOP = "own kernel, Fortran"
OWN = {"my-triad": "own kernel, C", "fortran-triad": ANOTHER_LOOP}
"""Names of the routes of the kernels in ``FILES``."""
LIBRARY = "program on the library, C++"
FILES = ("triad.c", "triad.f90")
WITHIN = 0.02
HUGE_PAGE = 2 << 20
BYTES = peers.FACTS["triad"] * 8
"""An iteration, nominal."""


@dataclass
class Route:
    """The rates of a route in GB/s, a process each, and their ratios to the catalogue's."""

    name: str
    rates: list[float] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)

    def add(self, seconds: dict[int, float], base: dict[int, float]) -> None:
        """A process: seconds per iteration of its blocks, and of those of the catalogue."""
        self.rates.append(rate_of(seconds))
        both = seconds.keys() & base.keys()
        self.ratios.append(median(base[block] / seconds[block] for block in both))

    def bounds(self) -> Interval | None:
        """The 95 % interval of the median ratio."""
        found = summarise(self.ratios)
        return found.interval if found is not None else None

    def row(self) -> str:
        """The line of the table."""
        bounds = self.bounds()
        spread = "" if bounds is None else f"{bounds.low:.3f} - {bounds.high:.3f}"
        ratio = f"{median(self.ratios):.3f}" if self.ratios else ""
        return f"| {self.name} | {median(self.rates):.2f} | {ratio} | {spread} |"

    def is_away(self) -> bool:
        """Return whether it is certainly more than 2 % away, although it should not be."""
        bounds = self.bounds() if self.name != ANOTHER_LOOP else None
        return bounds is not None and (bounds.high < 1 - WITHIN or bounds.low > 1 + WITHIN)


def rate_of(seconds: dict[int, float]) -> float:
    """GB/s of the median of the blocks."""
    return BYTES / median(seconds.values()) / 1e9


def built(folder: Path) -> Iterator[OwnKernel]:
    """The examples as shared objects, by the compilers that are found."""
    files = [kernel_file(str(EXAMPLES / name)) for name in FILES]
    compilers = compilers_of(files, [])
    for number, file in enumerate(files):
        where = folder / str(number)
        where.mkdir()
        made = build_kernel(file, compilers[file.language] if file.language else None, where)
        if made.library is None:
            sys.exit(f"bench: {made.failure}")
        yield OwnKernel(path=str(made.library), code=made.code, source=file.source)


def engine_round(plan: Plan) -> dict[str, dict[int, float]]:
    """Seconds per iteration of each route that the engine measures, of each block."""
    lines: list[dict[str, Any]] = peers.records_of(msgspec.to_builtins(plan))
    run: Run = collect(msgspec.convert(line, AnyRecord) for line in lines)
    return {
        OWN.get(variant.kernel, CATALOGUE): dict(run.element_times_of_blocks(variant.id))
        for variant in run.shown()
    }


def memory_out_of_the_way(chance: random.Random) -> mmap.mmap:
    """Take up to a third of the free memory, so that arrays move from round to round."""
    free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    held = mmap.mmap(-1, chance.randrange(1, free // 3 // HUGE_PAGE) * HUGE_PAGE)
    held.madvise(mmap.MADV_HUGEPAGE)
    for at in range(0, len(held), HUGE_PAGE):
        held[at] = 1
    return held


def library_program() -> Path:
    """Compiles ``bench/library_triad`` as its users would; the program's path."""
    source = peers.BENCH / "library_triad"
    build = peers.BENCH.parent / "build" / "bench" / "library_triad"
    peers.capture(["cmake", "-S", str(source), "-B", str(build)])
    peers.capture(["cmake", "--build", str(build), "--parallel"])
    return build / "library_triad"


def library_round(program: Path, array_bytes: int, samples: int) -> float:
    """GB/s of a run of it."""
    lines = peers.capture([str(program), str(array_bytes // 8), str(samples)]).split()
    return BYTES * (array_bytes // 8) / median(map(float, lines)) / 1e9


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=41)
    parser.add_argument("--samples", type=int, default=20)
    parser.add_argument("--mib", type=int, help="size of each array; default: by STREAM's rule")
    parser.add_argument("--library", action="store_true", help="without your own kernels")
    options = parser.parse_args()
    samples = options.samples
    array_bytes = peers.rule_bytes() if options.mib is None else options.mib << 20
    program = library_program()
    with tempfile.TemporaryDirectory(prefix="streamgage-") as folder:
        plan = Plan(
            kernels=["triad"],
            stores=["plain"],
            own_kernels=[] if options.library else list(built(Path(folder))),
            array_bytes=array_bytes,
            sampling=Sampling(
                min_samples=samples, look_every=samples, max_samples=samples, budget_seconds=600
            ),
        )
        own = [] if options.library else list(OWN.values())
        routes = {name: Route(name) for name in (CATALOGUE, AGAIN, *own, LIBRARY)}
        chance = random.Random(1)
        for number in range(1, options.rounds + 1):
            held = memory_out_of_the_way(chance)
            catalogue: list[float] = []
            of_program: list[float] = []
            for by_library in chance.sample([False, False, True, True], 4):
                if by_library:
                    of_program.append(library_round(program, array_bytes, samples))
                    continue
                times = engine_round(plan)
                catalogue.append(rate_of(times[CATALOGUE]))
                for name in own:
                    routes[name].add(times[name], times[CATALOGUE])
            held.close()
            first, second = catalogue
            routes[CATALOGUE].rates.append(first)
            routes[AGAIN].rates.append(second)
            routes[AGAIN].ratios.append(second / first)
            routes[LIBRARY].rates += of_program
            routes[LIBRARY].ratios.append(geometric_mean(of_program) / geometric_mean(catalogue))
            print(f"round {number} of {options.rounds}", file=sys.stderr)
    print("| route | GB/s | ratio | 95 % |\n|---|---|---|---|")
    for route in routes.values():
        print(route.row())
    sys.exit(1 if any(route.is_away() for route in routes.values()) else 0)


if __name__ == "__main__":
    main()
