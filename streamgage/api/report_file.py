"""Writes a report of results to a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from streamgage.errors import UsageError
from streamgage.html.inline import PAGES
from streamgage.options.values import choose
from streamgage.process.installation import require
from streamgage.results.result import Result

if TYPE_CHECKING:
    from streamgage.comparison.compare.document import Comparison
    from streamgage.show.page import Page


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


def write_report(
    load: Callable[[], Sequence[Result[Any]]],
    file: Path | None,
    form: ReportFormat | str | None,
    option: str = "-o",
) -> None:
    """Write the report of what ``load`` returns to ``file`` (``None``: to stdout).

    ``option`` named the file. If it cannot be written, nothing is loaded. Raises ``UsageError``.
    """
    from streamgage.show.output import open_output

    chosen = format_of(form, file)
    if file is None and chosen is not ReportFormat.MD:
        raise UsageError(
            f"A report in {chosen.upper()} goes to a file: name one with -o report.{chosen}, or"
            " print --format md."
        )
    require_packages(chosen)
    browser = browser_for(chosen)
    with open_output(file, option) as out:
        content = page_of(load(), chosen, browser)
        out.write_bytes(content)


def require_packages(form: ReportFormat) -> None:
    """Raise ``UsageError`` if packages are missing that a report in that format needs."""
    if form is not ReportFormat.MD:
        require("A report in HTML or PDF", *PAGES, "plotly")


def format_of(form: str | None, file: Path | None) -> ReportFormat:
    """The format from the option, else from the file's suffix, else HTML.

    Raises ``UsageError`` for an unknown format or suffix.
    """
    if form is not None:
        return choose(ReportFormat, "--format", form)
    suffix = "" if file is None else file.suffix.lower()
    if suffix and suffix not in _SUFFIXES:
        raise UsageError(
            f"{file} has no suffix of a report: name a file that ends in .html, .md or .pdf, or"
            " choose with --format."
        )
    return _SUFFIXES.get(suffix, ReportFormat.HTML)


def browser_for(form: ReportFormat) -> str:
    """The browser that prints a PDF; empty for other formats. Raises ``UsageError``."""
    if form is not ReportFormat.PDF:
        return ""
    from streamgage.html.pdf import find_browser

    return find_browser()


def page_of(results: Sequence[Result[Any]], form: ReportFormat, browser: str) -> bytes:
    """The page, with a comparison if several results are of one kind."""
    from streamgage.comparison.compare.sides import compare_one_kind

    compared = compare_one_kind(results)
    if form is ReportFormat.MD:
        from streamgage.html.markdown import markdown

        return markdown(results, comparison=_as_markdown(compared)).encode()
    from streamgage.html.page import page

    printed = form is ReportFormat.PDF
    text = page(results, comparison=_as_page(compared), printed=printed)
    if not printed:
        return text.encode()
    from streamgage.html.pdf import printed as as_pdf

    return as_pdf(text, browser)


def _as_page(compared: Comparison | None) -> Page | None:
    if compared is None:
        return None
    from streamgage.html.comparison import comparison_page

    return comparison_page(compared)


def _as_markdown(compared: Comparison | None) -> str | None:
    if compared is None:
        return None
    from streamgage.comparison.compare.page import page_of as compared_page
    from streamgage.show.markdown import render

    return f"## The results compared\n\n{render(compared_page(compared))}"
