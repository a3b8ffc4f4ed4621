"""The figures of a program for ``compare``."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.results.comparable import Figure, of_rounds
from streamgage.results.program.document import Program
from streamgage.results.result import Result
from streamgage.units import count


def figures(result: Result[Program], *_: object) -> Iterator[Figure | None]:
    """Yield the program's time, what it moves, and what the machine gives, by threads."""
    program = result.document
    for point in program.points:
        threads = count(point.n, "thread")
        if point.seconds is not None:
            name = (program.called, "time", threads)
            yield of_rounds(name, point.seconds, point.rounds, unit="s")
        if point.gbps is not None:
            yield of_rounds((program.called, "moves", threads), point.gbps, point.rounds)
        for each in point.machine:
            yield of_rounds(
                (f"{each.kernel} {each.store}", threads),
                each.gbps,
                program.rounds,
                kernel=each.kernel,
            )
