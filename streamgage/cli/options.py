"""Options that more than one command has.

Their values are read by ``streamgage.api``, not by typer, so that every wrong one is told in one
plain sentence.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from streamgage.api.values import choose, given_peak, seconds_within, whole_number
from streamgage.results.measure.formats import Format
from streamgage.show.formats import CurveFormat, SeriesFormat

__all__ = ["choose", "given_peak", "seconds_within", "whole_number"]

FormatOption = Annotated[
    str, typer.Option("--format", metavar="|".join(Format), help="How to print the result.")
]
OutputOption = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="FILE", help="Write the result to FILE, not to stdout."),
]
SeriesFormatOption = Annotated[
    str, typer.Option("--format", metavar="|".join(SeriesFormat), help="How to print the result.")
]
CurveFormatOption = Annotated[
    str, typer.Option("--format", metavar="|".join(CurveFormat), help="How to print the result.")
]
CurvesOption = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FILE",
        help="Draw the curves in FILE.svg or FILE.png, with their data in FILE.dat, beside"
        " printing the result; with another --format and another name, write that to FILE.",
    ),
]
VerboseOption = Annotated[bool, typer.Option("--verbose", help="List the checks that passed.")]

ExplainOption = Annotated[
    bool, typer.Option("--explain", help="Say which access shapes were chosen, and why.")
]

AllowOversubscribeOption = Annotated[
    bool,
    typer.Option("--allow-oversubscribe", help="Let several threads share a CPU that is named."),
]

SeedOption = Annotated[
    str | None, typer.Option(metavar="N", help="Seed of the order of measuring.")
]
SizeOption = Annotated[
    str | None,
    typer.Option(
        metavar="SIZE", help="Size of each array, e.g. 1GiB; default: 4x the last-level caches."
    ),
]

PeakOption = Annotated[
    str | None,
    typer.Option(metavar="GB/S", help="Theoretical peak of the memory; default: as found."),
]

NoWaitOption = Annotated[
    bool,
    typer.Option("--no-wait", help="Fail where another measurement runs, rather than wait."),
]
