"""One page of results to send to a colleague."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Unpack

from streamgage.api.declaration import Form, command
from streamgage.api.lookup import Named, loaded_from
from streamgage.api.notes import Notes
from streamgage.api.place import StoreOptions, file_of
from streamgage.api.runs import BaseRun
from streamgage.api.values import Output, as_path, choose
from streamgage.errors import UsageError
from streamgage.store.load import Loaded
from streamgage.tools.compare.sides import compare_alike

if TYPE_CHECKING:
    from streamgage.tools.compare.document import Comparison
    from streamgage.tools.report.parts import Section

EXAMPLES = (
    ("streamgage report -o report.html", "A page of the newest result."),
    ("streamgage report 2 3 -o report.html", "Of several: what differs, and each by itself."),
    ("streamgage report 3 --format md", "As Markdown, to paste elsewhere."),
    ("streamgage report run.jsonl scale.json -o report.pdf", "Of files, to print."),
)


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


@command()
def report(
    *results: Annotated[Named | BaseRun[Any], Form("[RUN|FILE]...")],
    path: Output,
    format: ReportFormat | str | None = None,
    **options: Unpack[StoreOptions],
) -> Path | None:
    """Make one page of results to send to a colleague: tables, plots, findings, the records.

    Args:
        results: Results: numbers of kept ones, last, last-1, or files: records, documents of
            --format json, outputs of other benchmarks; default: last. In Python what measures or
            loads returns, too.
        path: The file: report.html, report.md or report.pdf. In Python it is returned; ``None``
            prints Markdown.
        format: What to write; default: as the name of FILE says, else html.
        **StoreOptions

    Raises:
        UsageError: a result or a format is not known, or the file cannot be written.
    """
    from streamgage.show.output import open_output

    file = as_path("-o", path)
    form = format_of(format, file)
    if file is None and form is not ReportFormat.MD:
        raise UsageError(
            f"A report in {form.upper()} goes to a file: name one with -o report.{form}, or print"
            " --format md."
        )
    browser = browser_for(form)
    with open_output(file) as out:
        store, notes = file_of(options["store"]), Notes(options["progress"])
        loaded = [loaded_from(each, store, notes) for each in results or ("last",)]
        content = page_of(loaded, form, browser)
        if file is None:
            out.write(content.decode())
        else:
            out.write_bytes(content)
    return file


def format_of(form: str | None, file: Path | None) -> ReportFormat:
    """The format that is asked for, or that the file's name says. Raises ``UsageError``."""
    named = ReportFormat.HTML if file is None else _SUFFIXES.get(file.suffix.lower())
    return choose(ReportFormat, "--format", form) if form else named or ReportFormat.HTML


def browser_for(form: ReportFormat) -> str:
    """The browser that prints, where one is needed. Raises ``UsageError`` where there is none."""
    if form is not ReportFormat.PDF:
        return ""
    from streamgage.tools.report.pdf import find_browser

    return find_browser()


def page_of(results: Sequence[Loaded], form: ReportFormat, browser: str) -> bytes:
    """The page, with a comparison where several results are of one kind."""
    compared = compare_alike(results)
    if form is ReportFormat.MD:
        from streamgage.tools.report.markdown import markdown

        return markdown(results, comparison=_as_markdown(compared)).encode()
    from streamgage.tools.report.page import page

    printed = form is ReportFormat.PDF
    text = page(results, comparison=_section(compared), printed=printed)
    if not printed:
        return text.encode()
    from streamgage.tools.report.pdf import printed as as_pdf

    return as_pdf(text, browser)


def _section(compared: Comparison | None) -> Section | None:
    if compared is None:
        return None
    from streamgage.tools.report.comparison import comparison_section

    return comparison_section(compared)


def _as_markdown(compared: Comparison | None) -> str | None:
    if compared is None:
        return None
    from streamgage.tools.compare.markdown import render

    return f"## The results compared\n\n{render(compared)}"
