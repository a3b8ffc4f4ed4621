"""The figures of a result: one file for each shape of answers."""

from __future__ import annotations

from collections.abc import Sequence

from streamgage.results.compilers.document import Compilations
from streamgage.results.ladder.document import Ladder
from streamgage.results.latency.document import Latencies
from streamgage.results.measure.document import Result
from streamgage.results.numa.document import NumaMatrix
from streamgage.results.repeat.document import Repetition
from streamgage.results.scale.document import Scaling
from streamgage.tools.compare.figure import Figure, ResultLike
from streamgage.tools.compare.figures.curves import of_scaling, of_study
from streamgage.tools.compare.figures.kernels import Conventions, of_measure
from streamgage.tools.compare.figures.levels import of_ladder, of_latencies
from streamgage.tools.compare.figures.rows import of_compilations, of_matrix, of_repetition

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
