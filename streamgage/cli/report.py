"""``streamgage report``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from streamgage.cli.store_options import StoreOption, note
from streamgage.commands.report import ReportFormat, browser_for, format_of, page_of
from streamgage.errors import UsageError
from streamgage.show.output import open_output
from streamgage.store.load import load_all

EXAMPLES = (
    ("streamgage report -o report.html", "A page of the newest result."),
    ("streamgage report 2 3 -o report.html", "Of several: what differs, and each by itself."),
    ("streamgage report 3 --format md", "As Markdown, to paste elsewhere."),
    ("streamgage report run.jsonl scale.json -o report.pdf", "Of files, to print."),
)

NEWEST = "last"


def report(
    *,
    results: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RUN|FILE]...",
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
    browser = browser_for(chosen)
    with open_output(output) as out:
        loaded = load_all(results or [NEWEST], store, note)
        content = page_of(loaded, chosen, browser)
        if output is None:
            out.write(content.decode())
        else:
            out.write_bytes(content)
    return 0


def _format(form: str | None, output: Path | None) -> ReportFormat:
    """The format that is asked for, or that the file's name says.

    Raises ``UsageError`` where that cannot go to stdout.
    """
    chosen = format_of(form, output)
    if output is None and chosen is not ReportFormat.MD:
        raise UsageError(
            f"A report in {chosen.upper()} goes to a file: name one with -o report.{chosen}, or"
            " print --format md."
        )
    return chosen
