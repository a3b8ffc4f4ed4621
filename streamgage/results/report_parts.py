"""The tables and plots of a result, by its kind."""

from __future__ import annotations

from collections.abc import Sequence

from streamgage.results.compilers import report as compilations
from streamgage.results.compilers.document import Compilations
from streamgage.results.documents import Document
from streamgage.results.ladder import report as ladder
from streamgage.results.ladder.document import Ladder
from streamgage.results.ladder.words import missing_sentences as missing_rungs
from streamgage.results.latency import report as latency
from streamgage.results.latency.document import Latencies
from streamgage.results.measure.document import Result
from streamgage.results.measure.judge import Answer
from streamgage.results.measure.limit_line import limit_line
from streamgage.results.measure.own_kernel_lines import own_kernel_lines
from streamgage.results.measure.report_growth import growth_figure
from streamgage.results.measure.report_rates import rates_figure, rates_table
from streamgage.results.measure.report_reported import reported_table
from streamgage.results.measure.report_samples import samples_figure
from streamgage.results.measure.reported_table import reasons
from streamgage.results.numa import report as numa
from streamgage.results.numa.document import NumaMatrix
from streamgage.results.numa.words import missing_sentences as missing_cells
from streamgage.results.repeat import report as repetition
from streamgage.results.repeat.document import Repetition
from streamgage.results.scale import report as scaling
from streamgage.results.scale.document import Scaling
from streamgage.results.scale.words import missing_sentences as missing_points
from streamgage.results.study import report as study
from streamgage.results.study.document import Study
from streamgage.results.study.words import missing_sentences as missing_turns
from streamgage.show.report.parts import Facts, Figure, Part, Words


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
