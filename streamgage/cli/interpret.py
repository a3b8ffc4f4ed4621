"""``streamgage interpret``."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from streamgage.cli.options import OutputOption, VerboseOption, choose
from streamgage.commands import interpret as api
from streamgage.results.measure.formats import Format, render
from streamgage.show.detail import Detail
from streamgage.show.output import open_output


class InterpretFormat(StrEnum):
    """Formats of ``--format``: STREAM's own would say nothing new."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"


EXAMPLES = (
    ("streamgage interpret stream.log", "What a saved output of STREAM means."),
    (
        "streamgage interpret stream.log --peak 341 --cores 48",
        "The same, knowing the machine that it came from.",
    ),
)


def interpret(
    *,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="Saved output of STREAM, TheBandwidthBenchmark, BabelStream or likwid-bench;"
            " -: standard input.",
        ),
    ],
    peak: Annotated[
        str | None,
        typer.Option(metavar="GB/S", help="Theoretical peak of the memory in use, e.g. 341."),
    ] = None,
    llc: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="Sum of the last-level caches in use, e.g. 128MiB."),
    ] = None,
    cores: Annotated[str | None, typer.Option(metavar="N", help="Cores of the machine.")] = None,
    threads: Annotated[str | None, typer.Option(metavar="N", help="Threads that ran.")] = None,
    array_bytes: Annotated[
        str | None, typer.Option(metavar="SIZE", help="Size of each array, e.g. 1GiB.")
    ] = None,
    form: Annotated[
        str,
        typer.Option(
            "--format", metavar="|".join(InterpretFormat), help="How to print the result."
        ),
    ] = "table",
    output: OutputOption = None,
    verbose: VerboseOption = False,
) -> int:
    """Say what the saved output of another benchmark means."""
    shown_as = Format(choose(InterpretFormat, "--format", form).value)
    with open_output(output) as out:
        run = api.interpret(
            file, peak=peak, llc=llc, cores=cores, threads=threads, array_bytes=array_bytes
        )
        out.write(render(run.answer, shown_as, file=output, detail=Detail(verbose=verbose)))
    return run.exit_status
