"""``streamgage export``."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from streamgage.cli.history_options import (
    KindOption,
    MachineOption,
    OfKernelOption,
    ResultsArgument,
    SinceOption,
    UntilOption,
)
from streamgage.cli.options import OutputOption, choose
from streamgage.cli.store_options import StoreOption, note
from streamgage.commands.history import filter_of
from streamgage.errors import UsageError
from streamgage.show.output import open_output
from streamgage.store import Filter
from streamgage.store.export import (
    FIGURE_COLUMNS,
    SAMPLE_COLUMNS,
    Chosen,
    chosen,
    figure_rows,
    sample_rows,
    whole,
)
from streamgage.store.transfer import files_given_out

EXAMPLES = (
    (
        "streamgage export -o results.csv",
        "A row for every figure of every kept result.",
    ),
    (
        "streamgage export last --samples -o samples.csv",
        "A row for every sample of the newest one.",
    ),
    (
        "streamgage export --format openmetrics -o streamgage.prom",
        "The newest figures of each host, for monitoring.",
    ),
    (
        "streamgage export last --files records",
        "The records that the newest one was made from.",
    ),
)


class ExportFormat(StrEnum):
    """Formats of ``--format``."""

    JSON = "json"
    CSV = "csv"
    PARQUET = "parquet"
    OPENMETRICS = "openmetrics"


def export(
    *,
    results: ResultsArgument = None,
    form: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="|".join(ExportFormat),
            help="json: whole documents, which `streamgage import` takes; csv, parquet: a row a"
            " figure; openmetrics: the newest figures of each host.",
        ),
    ] = "csv",
    samples: Annotated[
        bool, typer.Option("--samples", help="With csv or parquet: a row a sample of measure.")
    ] = False,
    files: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Instead, write the records and logs of each result to FOLDER/run-N.",
        ),
    ] = None,
    machine: MachineOption = None,
    kernel: OfKernelOption = None,
    kind: KindOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    output: OutputOption = None,
    store: StoreOption = None,
) -> int:
    """Give results out for other programs, or their records as files."""
    shown_as = choose(ExportFormat, "--format", form)
    wanted = filter_of(machine=machine, kernel=kernel, kind=kind, since=since, until=until)
    named = list(results or ())
    if named and wanted != Filter():
        raise UsageError(
            "Results that are named are all given out: leave --machine, --kernel, --kind, --since"
            " and --until out, or the names."
        )
    if files is not None:
        if not named:
            raise UsageError("--files needs the results by name: write their numbers, or last.")
        for folder in files_given_out(named, files, store, note):
            note(f"Written: {folder}")
        return 0
    if samples and shown_as not in (ExportFormat.CSV, ExportFormat.PARQUET):
        raise UsageError("--samples goes with --format csv or parquet: choose one of them.")
    if shown_as is ExportFormat.PARQUET and output is None:
        raise UsageError("Parquet is binary: name a file with -o FILE.parquet.")
    with open_output(output) as out, chosen(named, wanted, store, note) as found:
        if not found:
            note("No kept result is such: leave an option out to export more.")
        content = _content(found, shown_as, samples=samples)
        if output is None:
            out.write(content.decode())
        else:
            out.write_bytes(content)
    return 0


def _content(found: list[Chosen], form: ExportFormat, *, samples: bool) -> bytes:
    columns = SAMPLE_COLUMNS if samples else FIGURE_COLUMNS
    rows = sample_rows(found) if samples else figure_rows(found)
    match form:
        case ExportFormat.JSON:
            return msgspec.json.format(msgspec.json.encode(whole(found, note)), indent=1) + b"\n"
        case ExportFormat.CSV:
            from streamgage.store.export_tables import as_csv

            return as_csv(columns, rows)
        case ExportFormat.PARQUET:
            from streamgage.store.export_tables import as_parquet

            return as_parquet(columns, rows)
        case ExportFormat.OPENMETRICS:
            from streamgage.store.openmetrics import render

            return render([each.summary for each in found])
