"""The same triad by every route: the engine's catalogue, kernels of one's own, the library.

Each round is a process of the engine that measures the first two, block by block in random order,
and a program on the library, before or after it by turns, on arrays of the same size with the same
threads. A row is the median over the rounds of a route's rate over the catalogue's, with its 95 %
interval. Prints a Markdown table; the exit status is 1 where a route is certainly more than 2 %
away.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import msgspec
import peers

from streamgage.analysis.run import Run, collect
from streamgage.analysis.statistics import summarise
from streamgage.compiling import build_kernel, compilers_of, kernel_file
from streamgage.plan import OwnKernel, Plan
from streamgage.records import AnyRecord, Sampling

EXAMPLES = Path(__file__).parent.parent / "examples" / "kernels"
CATALOGUE = "catalogue, triad plain"
OWN = {"my-triad": "own kernel, C", "fortran-triad": "own kernel, Fortran"}
"""Names of the routes of the kernels in ``FILES``."""
LIBRARY = "program on the library, C++"
FILES = ("triad.c", "triad.f90")
WITHIN = 0.02


@dataclass
class Route:
    """The rates of a route, a round each, GB/s."""

    name: str
    rates: list[float] = field(default_factory=list)

    def row(self, base: Route) -> str:
        """Its line of the table."""
        ratios = self.ratios(base)
        found = summarise(ratios)
        bounds = found.interval if found is not None else None
        spread = "-" if bounds is None else f"{bounds.low:.3f} - {bounds.high:.3f}"
        return f"| {self.name} | {median(self.rates):.2f} | {median(ratios):.3f} | {spread} |"

    def ratios(self, base: Route) -> list[float]:
        """Its rate over that of ``base``, a round each."""
        return [mine / other for mine, other in zip(self.rates, base.rates, strict=True)]

    def is_away(self, base: Route) -> bool:
        """Whether it is certainly more than 2 % slower or quicker."""
        found = summarise(self.ratios(base))
        bounds = found.interval if found is not None else None
        if bounds is None:
            return False
        return bounds.high < 1 - WITHIN or bounds.low > 1 + WITHIN


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


def engine_round(plan: Plan) -> Mapping[str, float]:
    """GB/s of each route that the engine measures."""
    lines: list[dict[str, Any]] = peers.records_of(msgspec.to_builtins(plan))
    run: Run = collect(msgspec.convert(line, AnyRecord) for line in lines)
    rates = {}
    for variant in run.shown():
        moved = run.iteration_bytes(variant)
        times = run.element_times(variant.id)
        if moved and times:
            name = OWN.get(variant.kernel, CATALOGUE)
            rates[name] = moved / median(times) / 1e9
    return rates


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
    return peers.FACTS["triad"] * array_bytes / median(map(float, lines)) / 1e9


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=13)
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
        for number in range(1, asked.rounds + 1):
            steps: list[Callable[[], Mapping[str, float]]] = [
                lambda: engine_round(plan),
                lambda: {LIBRARY: library_round(program, array_bytes, samples)},
            ]
            for step in steps if number % 2 else reversed(steps):
                for name, rate in step().items():
                    routes[name].rates.append(rate)
            print(f"round {number} of {asked.rounds}", file=sys.stderr)
    base = routes[CATALOGUE]
    print("| route | GB/s | ratio | 95 % |\n|---|---|---|---|")
    for route in routes.values():
        print(route.row(base))
    sys.exit(1 if any(route.is_away(base) for route in routes.values()) else 0)


if __name__ == "__main__":
    main()
