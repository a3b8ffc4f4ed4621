"""``streamgage compare``."""

from __future__ import annotations

from typing import Annotated

import typer

from streamgage.cli.options import OutputOption, SeriesFormatOption, choose
from streamgage.cli.store_options import StoreOption, note
from streamgage.commands import compare as api
from streamgage.errors import FAILED, UsageError
from streamgage.show.formats import SeriesFormat
from streamgage.show.output import open_output
from streamgage.tools.compare import sides as study
from streamgage.tools.compare.formats import render

EXAMPLES = (
    (
        "streamgage compare last-1 last",
        "What differs between the two newest, and how far apart they are.",
    ),
    (
        "streamgage compare 1,2 3,4",
        "Runs pooled on each side, which counts the noise between them.",
    ),
    (
        "streamgage compare 1 stream.log --kernel triad",
        "A kept run and another benchmark's output.",
    ),
    (
        "streamgage compare 1 last --fail-below 0.5",
        "Exit with 1 where less than half is left.",
    ),
)


def compare(
    *,
    results: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RESULT]...",
            help="Results: numbers of kept ones, last, last-1, or files: records, --format json, or"
            " another benchmark's output. The others are compared with the first; commas pool"
            " several of one side.",
        ),
    ] = None,
    kernel: Annotated[
        str | None, typer.Option("--kernel", metavar="A,B", help="Only the figures of these.")
    ] = None,
    margin: Annotated[
        str, typer.Option(metavar="SHARE", help="What differs by less is the same.")
    ] = "0.03",
    fail_below: Annotated[
        str | None,
        typer.Option(
            "--fail-below",
            metavar="RATIO",
            help="Exit with status 1 where a ratio is below it, e.g. 0.97.",
        ),
    ] = None,
    form: SeriesFormatOption = "table",
    output: OutputOption = None,
    store: StoreOption = None,
) -> int:
    """Compare results: what differs, ratios with their noise, and a verdict."""
    shown_as = choose(SeriesFormat, "--format", form)
    with open_output(output) as out:
        errors = fail_below is not None or shown_as is SeriesFormat.JSON
        sides = study.load_sides(results or [], store, note, errors=errors)
        compared = api.compare_sides(sides, kernel=kernel, margin=margin, fail_below=fail_below)
        out.write(render(compared.document, shown_as, file=output))
    accepted = compared.document.acceptance
    if accepted is None or accepted.passed:
        return 0
    if accepted.passed is None:
        raise UsageError(accepted.text)
    note(accepted.text)
    return FAILED
