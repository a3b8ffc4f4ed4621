"""The same triad by every route: the engine's catalogue, kernels of one's own, the library.

Each round is a process of the engine that measures the first two, block by block in random order,
and a program on the library, before or after it by turns, on arrays of the same size with the same
threads. Where pages lie in the machine makes a difference of several per cent, and a process gets
those that the one before it gave back: each round first takes a random amount of memory out of the
way. A round's ratio of an own kernel is the median over the blocks of the catalogue's time over
its own; that of the program is the rate of its median over the catalogue's. A row has the median
over the rounds, with its 95 % interval. Prints a Markdown table; the exit status is 1 where a route
is certainly more than 2 % away, but for Fortran: its compiler makes another loop.
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
from statistics import median
from typing import Any

import msgspec
import peers

from streamgage.analysis.run import Run, collect
from streamgage.analysis.statistics import Interval, summarise
from streamgage.compiling import build_kernel, compilers_of, kernel_file
from streamgage.plan import OwnKernel, Plan
from streamgage.records import AnyRecord, Sampling

EXAMPLES = Path(__file__).parent.parent / "examples" / "kernels"
CATALOGUE = "catalogue, triad plain"
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
    """The rates of a route in GB/s and their ratios to the catalogue's, a round each."""

    name: str
    rates: list[float] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)

    def bounds(self) -> Interval | None:
        """The 95 % interval of the median ratio."""
        found = summarise(self.ratios)
        return found.interval if found is not None else None

    def row(self) -> str:
        """Its line of the table."""
        bounds = self.bounds()
        spread = "-" if bounds is None else f"{bounds.low:.3f} - {bounds.high:.3f}"
        return f"| {self.name} | {median(self.rates):.2f} | {median(self.ratios):.3f} | {spread} |"

    def is_away(self) -> bool:
        """Whether it is certainly more than 2 % slower or quicker, and ought not to be."""
        bounds = self.bounds() if self.name != ANOTHER_LOOP else None
        return bounds is not None and (bounds.high < 1 - WITHIN or bounds.low > 1 + WITHIN)


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
    """Seconds an iteration of each route that the engine measures, of each block."""
    lines: list[dict[str, Any]] = peers.records_of(msgspec.to_builtins(plan))
    run: Run = collect(msgspec.convert(line, AnyRecord) for line in lines)
    return {
        OWN.get(variant.kernel, CATALOGUE): dict(run.element_times_of_blocks(variant.id))
        for variant in run.shown()
    }


def memory_out_of_the_way(chance: random.Random) -> mmap.mmap:
    """Up to a third of what is free, so that arrays lie elsewhere than in the last round."""
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
    asked = parser.parse_args()
    samples = asked.samples
    array_bytes = peers.rule_bytes() if asked.mib is None else asked.mib << 20
    program = library_program()
    with tempfile.TemporaryDirectory(prefix="streamgage-") as folder:
        plan = Plan(
            kernels=["triad"],
            stores=["plain"],
            own_kernels=list(built(Path(folder))),
            array_bytes=array_bytes,
            sampling=Sampling(
                min_samples=samples, look_every=samples, max_samples=samples, budget_seconds=600
            ),
        )
        routes = {name: Route(name) for name in (CATALOGUE, *OWN.values(), LIBRARY)}
        chance = random.Random(1)
        for number in range(1, asked.rounds + 1):
            held = memory_out_of_the_way(chance)
            first = library_round(program, array_bytes, samples) if number % 2 else None
            times = engine_round(plan)
            rate = first or library_round(program, array_bytes, samples)
            base = times[CATALOGUE]
            for name, seconds in times.items():
                routes[name].rates.append(BYTES / median(seconds.values()) / 1e9)
                routes[name].ratios.append(
                    median(base[block] / each for block, each in seconds.items() if block in base)
                )
            routes[LIBRARY].rates.append(rate)
            routes[LIBRARY].ratios.append(rate / routes[CATALOGUE].rates[-1])
            held.close()
            print(f"round {number} of {asked.rounds}", file=sys.stderr)
    print("| route | GB/s | ratio | 95 % |\n|---|---|---|---|")
    for route in routes.values():
        print(route.row())
    sys.exit(1 if any(route.is_away() for route in routes.values()) else 0)


if __name__ == "__main__":
    main()
