"""``streamgage report``."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from streamgage.cli.options import choose
from streamgage.cli.store_options import StoreOption, note
from streamgage.errors import UsageError
from streamgage.present.output import open_output
from streamgage.studies.compare import compare_alike
from streamgage.studies.loaded import Loaded, load_all

if TYPE_CHECKING:
    from streamgage.comparison import Comparison
    from streamgage.present.report.parts import Section

EXAMPLES = (
    ("streamgage report -o report.html", "A page of the newest result."),
    ("streamgage report 2 3 -o report.html", "Of several: what differs, and each by itself."),
    ("streamgage report 3 --format md", "As Markdown, to paste elsewhere."),
    ("streamgage report run.jsonl scale.json -o report.pdf", "Of files, to print."),
)

NEWEST = "last"


class ReportFormat(StrEnum):
    """Formats of ``--format``."""

    HTML = "html"
    MD = "md"
    PDF = "pdf"


_SUFFIXES = {
    ".html": ReportFormat.HTML,
    ".htm": ReportFormat.HTML,
    ".md": ReportFormat.MD,
    ".markdown": ReportFormat.MD,
    ".pdf": ReportFormat.PDF,
}


def report(
    *,
    results: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="RUN|FILE",
            help="Results: numbers of kept ones, last, last-1, or files: records, documents of"
            " --format json, outputs of other benchmarks; default: last.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="The file: report.html, report.md or report.pdf."
        ),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="|".join(ReportFormat),
            help="What to write; default: as the name of FILE says, else html.",
        ),
    ] = None,
    store: StoreOption = None,
) -> int:
    """Make one page of results to send to a colleague: tables, plots, findings, the records."""
    chosen = _format(form, output)
    browser = _browser() if chosen is ReportFormat.PDF else ""
    with open_output(output) as out:
        loaded = load_all(results or [NEWEST], store, note)
        compared = compare_alike(loaded)
        match chosen:
            case ReportFormat.MD:
                from streamgage.present.report.markdown import markdown

                out.write(markdown(loaded, comparison=_as_markdown(compared)))
            case ReportFormat.HTML:
                from streamgage.present.report.page import page

                out.write(page(loaded, comparison=_section(compared)))
            case ReportFormat.PDF:
                out.write_bytes(_printed(loaded, compared, browser))
    return 0


def _format(form: str | None, output: Path | None) -> ReportFormat:
    """The format that is asked for, or that the file's name says.

    Raises ``UsageError`` where that cannot go to stdout.
    """
    named = ReportFormat.HTML if output is None else _SUFFIXES.get(output.suffix.lower())
    chosen = choose(ReportFormat, "--format", form) if form else named or ReportFormat.HTML
    if output is None and chosen is not ReportFormat.MD:
        raise UsageError(
            f"A report in {chosen.upper()} goes to a file: name one with -o report.{chosen}, or"
            " print --format md."
        )
    return chosen


def _browser() -> str:
    from streamgage.present.report.pdf import find_browser

    return find_browser()


def _printed(loaded: Sequence[Loaded], compared: Comparison | None, browser: str) -> bytes:
    from streamgage.present.report.page import page
    from streamgage.present.report.pdf import printed

    return printed(page(loaded, comparison=_section(compared), printed=True), browser)


def _section(compared: Comparison | None) -> Section | None:
    if compared is None:
        return None
    from streamgage.present.report.compared import comparison_section

    return comparison_section(compared)


def _as_markdown(compared: Comparison | None) -> str | None:
    if compared is None:
        return None
    from streamgage.present.comparison.markdown import render

    return f"## The results compared\n\n{render(compared)}"
