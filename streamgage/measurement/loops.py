"""STREAM's plain loops, built by compilers that the user names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from streamgage.errors import StreamgageError
from streamgage.kernels import Compiler, build_kernels, find_sources, names_of
from streamgage.kernels.build import folder_for_libraries
from streamgage.measurement.ending import ended_as_a_run
from streamgage.measurement.measurement import Measurement
from streamgage.plan import PlainLibrary, Plan
from streamgage.results.scale.plan import Loops

OWN = "own"
"""Stands for the loops that are compiled into the engine."""


@contextmanager
def built_loops(
    wanted: Sequence[Compiler | None], plan: Plan, measurement: Measurement
) -> Iterator[tuple[Loops | None, ...]]:
    """Build the loops with every compiler, in order; the files exist until the context ends.

    ``None`` stands for the engine's own loops. Raises ``StreamgageError`` if a compiler fails.
    """
    compilers = [each for each in wanted if each is not None]
    if not compilers:
        yield (None,)
        return
    with (
        ended_as_a_run(measurement.notes, measurement.destination),
        folder_for_libraries() as folder,
    ):
        names = iter(names_of([(each, each.flags or ()) for each in compilers]))
        yield tuple(
            None if each is None else _built(each, next(names), plan, folder / str(number))
            for number, each in enumerate(wanted)
        )


def _built(compiler: Compiler, name: str, plan: Plan, folder: Path) -> Loops:
    folder.mkdir()
    built = build_kernels(compiler, compiler.flags or (), find_sources(), folder, element=plan.type)
    if built.library is None:
        raise StreamgageError(
            f"{name} did not build STREAM's loops: {built.failure} Leave it out of --compilers, or"
            " correct its flags."
        )
    return Loops(name, PlainLibrary(path=str(built.library), code=name))
