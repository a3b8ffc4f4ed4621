"""Makes invented comparisons of compilers."""

from __future__ import annotations

from collections.abc import Mapping

from example_records import (
    CLOCK,
    END,
    KERNELS,
    MACHINE,
    MEMORY,
    PLAN,
    place,
    placement,
    samples_of,
    vector,
)
from msgspec.structs import replace

from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.records import AnyRecord
from streamgage.records.run import Run, collect
from streamgage.results.compilers.document import Compilation, Compilers, Loop
from streamgage.results.compilers.judge import CompilersSetup, judge_compilers

OWN = "streamgage's own"
RATES: dict[str, tuple[float, float]] = {
    OWN: (60.0, 40.0),
    "gcc -O3": (60.0, 40.0),
    "clang-16 -O2": (45.0, 40.0),
}
"""GB/s of copy and of triad."""
LOOPS = {
    "gcc -O3": ("memcpy", "256 bits"),
    "clang-16 -O2": ("128 bits", "128 bits"),
}


def loop(kernel: str, words: str) -> Loop:
    """A loop that became a call, or has vectors of so many bits."""
    call = words == "memcpy"
    return Loop(
        kernel=kernel,
        calls=[words] if call else [],
        streaming=False,
        vector_bits=None if call else int(words.split(maxsplit=1)[0]),
        scalable=False,
    )


def row(name: str, failure: str | None = None) -> Compilation:
    """A row of the table, without the facts of loops."""
    words = LOOPS.get(name, ())
    return Compilation(
        name=name,
        compiler=None if name == OWN else f"{name.split(maxsplit=1)[0]} 1.0",
        language="c",
        command=[] if name == OWN else name.split(),
        seconds=None if name == OWN else 0.2,
        loops=[loop(kernel, each) for kernel, each in zip(("copy", "triad"), words, strict=False)],
        failure=failure,
    )


def row_run(copy: float, triad: float, number: int) -> Run:
    """A run with these rates, a little faster in each round."""
    records: list[AnyRecord] = [
        MACHINE,
        PLAN,
        placement(place(0), place(1)),
        *(MEMORY, CLOCK, *KERNELS),
    ]
    for index, (kernel, arrays, gbps) in enumerate([("copy", 2, copy), ("triad", 3, triad)]):
        seconds = arrays * MEMORY.array_bytes / (gbps * (1 + 0.001 * number) * 1e9)
        records.append(replace(vector(kernel, "plain", number=index), shape=None))
        records += samples_of(index, [seconds * (1 + 0.0005 * (k % 5)) for k in range(10)])
    return collect([*records, END])


def compared(
    rates: Mapping[str, tuple[float, float]] = RATES,
    *,
    rounds: int = 3,
    failures: Mapping[str, str] | None = None,
    once: bool = False,
    not_built: Mapping[str, str] | None = None,
) -> Compilers:
    """The answer; ``failures``: of runs; ``not_built``: of rows that did not come that far.

    ``once``: the runs fail in the first round alone.
    """
    failing = {
        (name, number): why
        for name, why in (failures or {}).items()
        for number in range(1, 2 if once else rounds + 1)
    }
    rows = [*map(row, rates), *(row(name, why) for name, why in (not_built or {}).items())]
    runs = [
        FreshRun(
            name,
            number,
            Run() if (name, number) in failing else row_run(copy, triad, number),
            failing.get((name, number)),
            None,
        )
        for number in range(1, rounds + 1)
        for name, (copy, triad) in rates.items()
    ]
    return judge_compilers(runs, rows, CompilersSetup(rounds, 7), MACHINE)
