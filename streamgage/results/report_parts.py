"""The title, tables and plots of a result in a report."""

from __future__ import annotations

from streamgage.results.document import Document
from streamgage.results.measure.judge import Answer
from streamgage.results.measure.limit_line import limit_line
from streamgage.results.measure.own_kernel_lines import own_kernel_lines
from streamgage.results.measure.report_growth import growth_figure
from streamgage.results.measure.report_rates import rates_figure, rates_table
from streamgage.results.measure.report_reported import reported_table
from streamgage.results.measure.report_samples import samples_figure
from streamgage.results.measure.reported_table import reasons
from streamgage.results.render import page_of
from streamgage.show.report import of_page
from streamgage.show.report.parts import Facts, Figure, Part, Words


def title_of(document: Document, answer: Answer | None) -> str:
    """What the result is of."""
    return "Memory bandwidth" if answer is not None else page_of(document, None).title


def tables(document: Document, answer: Answer | None) -> list[Part]:
    """The tables, and below them what they come to."""
    return _rates(answer) if answer is not None else of_page.tables(page_of(document, None))


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


def figures(document: Document, answer: Answer | None) -> list[Figure]:
    """The plots."""
    if answer is not None:
        growth = growth_figure(answer.result)
        return [*rates_figure(answer), *samples_figure(answer), *growth]
    return list(of_page.figures(page_of(document, None)))
