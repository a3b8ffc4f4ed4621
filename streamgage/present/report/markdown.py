"""The same results as one document of Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from streamgage.compilations import Compilations
from streamgage.ladder import Ladder
from streamgage.latencies import Latencies
from streamgage.numa_matrix import NumaMatrix
from streamgage.present.compilations.markdown import render as compilations
from streamgage.present.formats import Format
from streamgage.present.formats import render as measured
from streamgage.present.ladder.markdown import render as ladder
from streamgage.present.latency.markdown import render as latency
from streamgage.present.markdown_table import escape_markdown
from streamgage.present.numa.markdown import render as numa
from streamgage.present.repetition.markdown import render as repetition
from streamgage.present.report.content import Content, answer_of, content
from streamgage.present.report.overview import overview
from streamgage.present.report.page import title_of
from streamgage.present.report.parts import Cell, Table
from streamgage.present.scaling.markdown import render as scaling
from streamgage.present.study.markdown import render as study
from streamgage.repetition import Repetition
from streamgage.scaling import Scaling
from streamgage.studies.loaded import Loaded
from streamgage.study import Study


def markdown(results: Sequence[Loaded], *, comparison: str | None = None) -> str:
    """A heading for each result; ``comparison`` is Markdown that stands above them."""
    shown = [content(each, number, with_files=False) for number, each in enumerate(results, 1)]
    lines = [f"# {escape_markdown(title_of(shown))}", ""]
    if len(results) > 1:
        lines += ["## Overview", "", *_table(overview([*zip(results, shown, strict=True)])), ""]
    if comparison is not None:
        lines += [comparison.strip(), ""]
    for loaded, each in zip(results, shown, strict=True):
        lines += _result(loaded, each)
    return "\n".join(lines).rstrip() + "\n"


def _result(loaded: Loaded, shown: Content) -> Iterator[str]:
    yield from (f"## {escape_markdown(f'{shown.title}: {shown.name}')}", "")
    for warning in shown.warnings:
        yield from (f"**{escape_markdown(warning)}**", "")
    yield from (_body(loaded).strip(), "", "### How it was measured", "")
    for term, text in shown.facts.pairs:
        lead = f"{escape_markdown(term)}: " if term else ""
        yield f"- {lead}{escape_markdown(text)}"
    yield ""


def _body(loaded: Loaded) -> str:  # noqa: PLR0911 - one case a kind
    """As ``--format markdown`` of the command that measured it."""
    if (answer := answer_of(loaded)) is not None:
        return measured(answer, Format.MARKDOWN)
    match loaded.document:
        case Scaling() as found:
            return scaling(found)
        case Ladder() as found:
            return ladder(found)
        case Latencies() as found:
            return latency(found)
        case Repetition() as found:
            return repetition(found)
        case NumaMatrix() as found:
            return numa(found)
        case Compilations() as found:
            return compilations(found)
        case Study() as found:
            return study(found)
        case _:
            raise AssertionError("every kind of result has its Markdown")


def _table(table: Table) -> Iterator[str]:
    yield f"| {' | '.join(escape_markdown(column.title) for column in table.columns)} |"
    yield f"|{'|'.join('---' if column.left else '--:' for column in table.columns)}|"
    for row in table.rows:
        yield f"| {' | '.join(map(_cell, row))} |"


def _cell(cell: Cell) -> str:
    detail = f" ({cell.detail})" if cell.detail else ""
    return escape_markdown(f"{cell.text}{detail}".replace("\n", " "))
