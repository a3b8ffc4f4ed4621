"""One page of results to send to a colleague."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Unpack

from streamgage.api.declaration import Form, command
from streamgage.api.lookup import Named, loaded_from
from streamgage.api.notes import Notes
from streamgage.api.place import StoreOptions, file_of
from streamgage.api.report_file import ReportFormat, write_report
from streamgage.api.runs import BaseRun
from streamgage.api.values import Output, as_path
from streamgage.store.load import Loaded

EXAMPLES = (
    ("streamgage report -o report.html", "A page of the newest result."),
    ("streamgage report 2 3 -o report.html", "Of several: what differs, and each by itself."),
    ("streamgage report 3 --format md", "As Markdown, to paste elsewhere."),
    ("streamgage report run.jsonl scale.json -o report.pdf", "Of files, to print."),
)


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
    file = as_path("-o", path)

    def load() -> list[Loaded]:
        store, notes = file_of(options["store"]), Notes(options["progress"])
        return [loaded_from(each, store, notes) for each in results or ("last",)]

    write_report(load, file, format)
    return file
