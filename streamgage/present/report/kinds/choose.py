"""The tables and plots of a result, by its kind."""

from __future__ import annotations

from collections.abc import Sequence

from streamgage.analysis.ladder.words import missing_sentences as missing_rungs
from streamgage.analysis.numa.words import missing_sentences as missing_cells
from streamgage.analysis.scaling.words import missing_sentences as missing_points
from streamgage.analysis.study.words import missing_sentences as missing_turns
from streamgage.analysis.summary import Answer
from streamgage.compilations import Compilations
from streamgage.documents import Document
from streamgage.ladders import Ladder
from streamgage.latencies import Latencies
from streamgage.numa_matrix import NumaMatrix
from streamgage.present.limit_line import limit_line
from streamgage.present.own_kernel_lines import own_kernel_lines
from streamgage.present.report.kinds import (
    compilations,
    ladder,
    latency,
    numa,
    repetition,
    scaling,
    study,
)
from streamgage.present.report.kinds.growth import growth_figure
from streamgage.present.report.kinds.rates import rates_figure, rates_table
from streamgage.present.report.kinds.reported import reported_table
from streamgage.present.report.kinds.samples import samples_figure
from streamgage.present.report.parts import Facts, Figure, Part, Words
from streamgage.present.reported_table import reasons
from streamgage.repetition import Repetition
from streamgage.result import Result
from streamgage.scaling import Scaling
from streamgage.studied import Study


def tables(document: Document, answer: Answer | None) -> list[Part]:
    """The table, and below it what it comes to."""
    if answer is not None:
        return _rates(answer)
    parts: list[Part] = []
    missing: Sequence[str] = ()
    match document:
        case Scaling():
            parts, missing = [*scaling.tables(document)], missing_points(document)
        case Ladder():
            parts, missing = [*ladder.tables(document)], missing_rungs(document)
        case Latencies():
            parts = [*latency.tables(document)]
        case Repetition():
            parts = [*repetition.tables(document)]
        case NumaMatrix():
            parts, missing = [*numa.tables(document)], missing_cells(document)
        case Study():
            parts, missing = [*study.tables(document)], missing_turns(document)
        case Compilations():
            parts = [*compilations.tables(document)]
    if not parts:
        parts = [Words(["No point was measured."])]
    verdict = [] if isinstance(document, Result) else document.verdict
    if verdict:
        parts.append(Words(verdict, answer=True, title="In short"))
    left_out = [*getattr(document, "left_out", []), *missing]
    return [*parts, Words(left_out, quiet=True)] if left_out else parts


def _rates(answer: Answer) -> list[Part]:
    parts: list[Part] = []
    reported = answer.run.reported is not None
    if not any(each.n for each in answer.result.kernels):
        parts.append(Words(["No timed sample was taken."]))
    else:
        parts.append(reported_table(answer) if reported else rates_table(answer))
    if answer.result.own_kernels:
        parts.append(Facts([*own_kernel_lines(answer.result)]))
    if answer.result.quote:
        parts.append(Words([answer.result.quote], answer=True, title="To quote"))
    if (line := limit_line(answer)) is not None:
        parts.append(Words([line], title="The limit"))
    if reported:
        why = [f"{names}: {reason}" for names, reason in reasons(answer.result.kernels)]
        parts += [Words(why, quiet=True)] if why else []
    return parts


def figures(document: Document, answer: Answer | None) -> list[Figure]:  # noqa: PLR0911
    """The plots."""
    if answer is not None:
        growth = growth_figure(answer.result)
        return [*rates_figure(answer), *samples_figure(answer), *growth]
    match document:
        case Scaling():
            return [*scaling.figures(document)]
        case Ladder():
            return [*ladder.figures(document)]
        case Latencies():
            return [*latency.figures(document)]
        case Repetition():
            return [*repetition.figures(document)]
        case NumaMatrix():
            return [*numa.figures(document)]
        case Study():
            return [*study.figures(document)]
        case Compilations():
            return [*compilations.figures(document)]
        case _:
            return []
