"""Options that more than one command has, and the reading of choices and numbers.

They are read here, not by typer, so that every wrong value is told in one plain sentence.
"""

from __future__ import annotations

import math
import re
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from streamgage.errors import UsageError
from streamgage.present.formats import Format
from streamgage.present.series_formats import CurveFormat, SeriesFormat

Choice = TypeVar("Choice", bound=StrEnum)

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

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?", re.ASCII | re.I)
_MOST_CHARACTERS = 40
MOST_PEAK_GBPS = 1e6


def choose(choices: type[Choice], option: str, text: str) -> Choice:
    """The choice that ``text`` names. Raises ``UsageError`` where there is none such."""
    try:
        return choices(text)
    except ValueError:
        raise UsageError(f"{option} {text!r} is not known: use {', '.join(choices)}.") from None


def whole_number(option: str, text: str | None, least: int, most: int) -> int | None:
    """The number that ``text`` is, or null. Raises ``UsageError`` for anything else."""
    if text is None:
        return None
    digits = text.strip()
    if digits.isascii() and digits.isdigit() and len(digits) <= 20 and least <= int(digits) <= most:
        return int(digits)
    raise UsageError(f"{option} {text!r} is not a whole number from {least} to {most}: give one.")


def given_peak(text: str | None) -> float | None:
    """GB/s of ``--peak``, or null. Raises ``UsageError`` for what is no such number."""
    if text is None:
        return None
    digits = text.strip().removesuffix("GB/s").strip()
    number = float(digits) if _NUMBER.fullmatch(digits) else math.nan
    if 0 < number <= MOST_PEAK_GBPS:
        return number
    shown = text if len(text) <= _MOST_CHARACTERS else text[:_MOST_CHARACTERS] + "..."
    raise UsageError(
        f"--peak {shown!r} is not a number of GB/s above 0 and up to {MOST_PEAK_GBPS:.0f}: give one"
        " such as 204.8."
    )


def seconds_within(option: str, text: str, least: float, most: float) -> float:
    """Seconds of ``text``, such as 0.5. Raises ``UsageError`` where they are not in the bounds."""
    digits = text.strip().removesuffix("s").strip()
    number = float(digits) if _NUMBER.fullmatch(digits) else math.nan
    if least <= number <= most:
        return number
    shown = text if len(text) <= _MOST_CHARACTERS else text[:_MOST_CHARACTERS] + "..."
    raise UsageError(
        f"{option} {shown!r} is not a number of seconds from {least:g} to {most:g}: give one such"
        " as 0.5."
    )
