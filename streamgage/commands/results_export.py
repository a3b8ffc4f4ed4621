"""Write results for other programs."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Unpack

import msgspec

from streamgage.commands.history import FilterOptions, filter_of
from streamgage.errors import UsageError
from streamgage.measurement.notes import Notes
from streamgage.options.declaration import Form, command
from streamgage.options.files import Opens
from streamgage.options.place import StoreOptions, place_of
from streamgage.options.question import Question
from streamgage.options.values import NewFile, Output, as_path, choose
from streamgage.process.installation import require
from streamgage.records.reader import Note
from streamgage.show.output import open_output
from streamgage.store import Filter
from streamgage.store.export import (
    FIGURE_COLUMNS,
    SAMPLE_COLUMNS,
    ResultToExport,
    export_document,
    figure_rows,
    results_to_export,
    sample_rows,
)
from streamgage.store.transfer import export_files

ANSWERS = Question.EARLIER
EXAMPLES = (
    (
        "streamgage results export -o results.csv",
        "A row for every figure of every stored result.",
    ),
    (
        "streamgage results export last --samples -o samples.csv",
        "A row for every sample of the newest result.",
    ),
    (
        "streamgage results export --format openmetrics -o streamgage.prom",
        "The newest figures of each host, for monitoring.",
    ),
    (
        "streamgage results export last --files records",
        "The records of the newest result.",
    ),
)


class ExportFormat(StrEnum):
    """Formats of ``--format``."""

    JSON = "json"
    CSV = "csv"
    PARQUET = "parquet"
    OPENMETRICS = "openmetrics"


_NEEDED = {
    ExportFormat.PARQUET: ("Parquet", "pyarrow"),
    ExportFormat.OPENMETRICS: ("OpenMetrics", "prometheus-client"),
}
"""Formats that need an optional package: each with its name for sentences, and the package."""


class Options(FilterOptions, StoreOptions, total=False):
    """Options that ``export`` shares with other commands."""


@command()
def results_export(
    *results: Annotated[str, Form("[RUN|FILE]...", completes="runs"), Opens.READS],
    format: ExportFormat | str = "csv",
    samples: bool = False,
    files: Annotated[NewFile | None, Form("FOLDER", file=True)] = None,
    output: Output = None,
    **options: Unpack[Options],
) -> int:
    """Write results for other programs, or records as files.

    Args:
        results: Numbers of stored results, last, last-1, or files; default: all stored results.
        format: json: whole documents, which `streamgage results import` reads; csv, parquet: a row
            per figure; openmetrics: the newest figures of each host.
        samples: With csv or parquet: a row per sample of measure.
        files: Instead, write the records and logs of each result to FOLDER/run-N.
        **FilterOptions
        output: Write the result to FILE, not to stdout.
        **StoreOptions
    """
    notes = Notes(options["progress"])
    store, to = place_of(options["store"]), as_path("-o", output)
    shown_as = choose(ExportFormat, "--format", format)
    wanted = filter_of(options)
    if results and wanted != Filter():
        raise UsageError(
            "Named results are all exported: leave --machine, --kernel, --kind, --since and"
            " --until out, or leave the names out."
        )
    if files is not None:
        if not results:
            raise UsageError("--files needs named results: write their numbers, or last.")
        for folder in export_files(results, Path(files), store, notes):
            notes.say(f"Written: {folder}")
        return 0
    if samples and shown_as not in (ExportFormat.CSV, ExportFormat.PARQUET):
        raise UsageError("--samples needs --format csv or parquet: choose one of them.")
    if shown_as in _NEEDED:
        require(*_NEEDED[shown_as])
    if shown_as is ExportFormat.PARQUET and to is None:
        raise UsageError("Parquet is binary: name a file with -o FILE.parquet.")
    with open_output(to) as out, results_to_export(results, wanted, store, notes) as found:
        if not found:
            notes("No stored result matches: leave an option out to export more.")
        content = _content(found, shown_as, notes, samples=samples)
        out.write_bytes(content)
    return 0


def _content(
    found: list[ResultToExport], form: ExportFormat, note: Note, *, samples: bool
) -> bytes:
    columns = SAMPLE_COLUMNS if samples else FIGURE_COLUMNS
    rows = sample_rows(found) if samples else figure_rows(found)
    match form:
        case ExportFormat.JSON:
            return (
                msgspec.json.format(msgspec.json.encode(export_document(found, note)), indent=1)
                + b"\n"
            )
        case ExportFormat.CSV:
            from streamgage.store.export import as_csv

            return as_csv(columns, rows)
        case ExportFormat.PARQUET:
            from streamgage.store.export import as_parquet

            return as_parquet(columns, rows)
        case ExportFormat.OPENMETRICS:
            from streamgage.store.openmetrics import render

            hosts = render([each.summary for each in found])
            fleets = [each for each in found if each.summary.kind == "fleet"]
            if not fleets:
                return hosts
            from streamgage.results.fleet.openmetrics import render as render_fleet

            newest = max(fleets, key=lambda each: each.summary.started or "")
            fleet = render_fleet(newest.load().document)
            return hosts.removesuffix(b"# EOF\n") + fleet.encode()
