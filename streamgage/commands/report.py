"""Writes a page of results to send to a colleague."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Unpack

from streamgage.api.lookup import Named, loaded_from
from streamgage.api.report_file import ReportFormat, write_report
from streamgage.api.runs import BaseRun
from streamgage.measurement.notes import Notes
from streamgage.options.declaration import Form, command
from streamgage.options.place import StoreOptions, place_of
from streamgage.options.question import Question
from streamgage.options.values import Output, as_path
from streamgage.results.result import Result

ANSWERS = Question.EARLIER
EXAMPLES = (
    ("streamgage report -o report.html", "Make a page of the newest result."),
    (
        "streamgage report 2 3 -o report.html",
        "Make a page of two results: first what differs, then each by itself.",
    ),
    ("streamgage report 3 --format md", "Print it as Markdown, to paste somewhere."),
    (
        "streamgage report run.jsonl scale.json -o report.pdf",
        ("Make a page of two files, to print."),
    ),
)


@command()
def report(
    *results: Annotated[Named | BaseRun[Any], Form("[RUN|FILE]...", completes="runs")],
    path: Output,
    format: ReportFormat | str | None = None,
    **options: Unpack[StoreOptions],
) -> Path | None:
    """Make a page of results to send to a colleague.

    It holds tables, plots, findings and the records.

    Args:
        results: Numbers of stored results, last, last-1, or files (records, documents of --format
            json, outputs of other benchmarks); default: last. In Python result objects, too.
        path: File to write: report.html, report.md or report.pdf. In Python this path is returned;
            ``None`` prints Markdown.
        format: Format to write; default: by the name of FILE, else html.
        **StoreOptions

    Raises:
        UsageError: a result or a format does not exist, or the file cannot be written.
    """
    file = as_path("-o", path)

    def load() -> list[Result[Any]]:
        store, notes = place_of(options["store"]), Notes(options["progress"])
        return [loaded_from(each, store, notes) for each in results or ("last",)]

    write_report(load, file, format)
    return file
