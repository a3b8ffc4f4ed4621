"""One page of results to send to a colleague."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from streamgage.api.notes import Notes
from streamgage.api.runs import BaseRun
from streamgage.api.storing import OWN, Own, file_of
from streamgage.api.values import PathLike, choose
from streamgage.commands.load import Named, loaded_from
from streamgage.store.load import Loaded
from streamgage.tools.compare.sides import compare_alike

if TYPE_CHECKING:
    from streamgage.show.report.parts import Section
    from streamgage.tools.compare.document import Comparison


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
    *results: Named | BaseRun[Any],
    path: PathLike,
    format: str | None = None,
    store: PathLike | Own = OWN,
    progress: bool = True,
) -> Path:
    """Write a page of one result or several, and return its path: tables, plots, findings, records.

    Args:
        results: results, or what ``load`` takes; without any the newest kept one.
        path: the file: ``report.html``, ``report.md`` or ``report.pdf``.
        format: ``html``, ``md`` or ``pdf``; default: as the name says, else ``html``.
        store: the store's file; default: the user's own.
        progress: print sentences such as what was left out.

    Raises:
        UsageError: a result or a format is not known, or the file cannot be written.
    """
    from streamgage.show.output import open_output

    file = Path(path)
    form = format_of(format, file)
    browser = browser_for(form)
    with open_output(file, "path") as out:
        named = results or ("last",)
        loaded = [loaded_from(each, file_of(store), Notes(progress)) for each in named]
        out.write_bytes(page_of(loaded, form, browser))
    return file


def format_of(form: str | None, file: Path | None) -> ReportFormat:
    """The format that is asked for, or that the file's name says. Raises ``UsageError``."""
    named = ReportFormat.HTML if file is None else _SUFFIXES.get(file.suffix.lower())
    return choose(ReportFormat, "--format", form) if form else named or ReportFormat.HTML


def browser_for(form: ReportFormat) -> str:
    """The browser that prints, where one is needed. Raises ``UsageError`` where there is none."""
    if form is not ReportFormat.PDF:
        return ""
    from streamgage.show.report.pdf import find_browser

    return find_browser()


def page_of(results: Sequence[Loaded], form: ReportFormat, browser: str) -> bytes:
    """The page, with a comparison where several results are of one kind."""
    compared = compare_alike(results)
    if form is ReportFormat.MD:
        from streamgage.show.report.markdown import markdown

        return markdown(results, comparison=_as_markdown(compared)).encode()
    from streamgage.show.report.page import page

    printed = form is ReportFormat.PDF
    text = page(results, comparison=_section(compared), printed=printed)
    if not printed:
        return text.encode()
    from streamgage.show.report.pdf import printed as as_pdf

    return as_pdf(text, browser)


def _section(compared: Comparison | None) -> Section | None:
    if compared is None:
        return None
    from streamgage.show.report.compared import comparison_section

    return comparison_section(compared)


def _as_markdown(compared: Comparison | None) -> str | None:
    if compared is None:
        return None
    from streamgage.tools.compare.markdown import render

    return f"## The results compared\n\n{render(compared)}"
