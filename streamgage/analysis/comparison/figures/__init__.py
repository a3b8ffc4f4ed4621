"""The figures of a result: one file for each shape of answers."""

from __future__ import annotations

from collections.abc import Sequence

from streamgage.analysis.comparison.figure import Figure, ResultLike
from streamgage.analysis.comparison.figures.curves import of_scaling, of_study
from streamgage.analysis.comparison.figures.kernels import Conventions, of_measure
from streamgage.analysis.comparison.figures.levels import of_ladder, of_latencies
from streamgage.analysis.comparison.figures.rows import of_compilations, of_matrix, of_repetition
from streamgage.compilations import Compilations
from streamgage.ladders import Ladder
from streamgage.latencies import Latencies
from streamgage.numa_matrix import NumaMatrix
from streamgage.repetition import Repetition
from streamgage.result import Result
from streamgage.scaling import Scaling

__all__ = ["Conventions", "figures_of"]


def figures_of(result: ResultLike, conventions: Conventions) -> Sequence[Figure]:
    """What can be compared of a result, in its own order."""
    document = result.document
    match document:
        case Result():
            found = of_measure(document, result.answer, conventions)
        case Scaling():
            found = of_scaling(document)
        case Ladder():
            found = of_ladder(document)
        case Latencies():
            found = of_latencies(document)
        case Repetition():
            found = of_repetition(document)
        case NumaMatrix():
            found = of_matrix(document)
        case Compilations():
            found = of_compilations(document)
        case _:
            found = of_study(document)
    return [each for each in found if each is not None]
