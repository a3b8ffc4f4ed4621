"""``streamgage compare``."""

from __future__ import annotations

import math
import re
from typing import Annotated

import typer

from streamgage.cli.options import OutputOption, SeriesFormatOption, choose
from streamgage.cli.store_options import StoreOption, note
from streamgage.errors import FAILED, UsageError
from streamgage.present.comparison.formats import render
from streamgage.present.output import open_output
from streamgage.present.series_formats import SeriesFormat
from streamgage.studies import compare as study

_NUMBER = re.compile(r"(?:[0-9]{1,9}\.?[0-9]{0,15}|\.[0-9]{1,15})", re.ASCII)
_MOST_RATIO = 10.0
_MOST_MARGIN = 0.5

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
            metavar="RESULT",
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
    limit = _number("--fail-below", fail_below, _MOST_RATIO, "0.97")
    least = _number("--margin", margin, _MOST_MARGIN, "0.03")
    kernels = _names(kernel)
    with open_output(output) as out:
        sides = study.load_sides(results or [], store, note)
        answer = study.compare(sides, margin=least or 0.0, kernels=kernels, fail_below=limit)
        out.write(render(answer, shown_as, file=output))
    accepted = answer.acceptance
    if accepted is None or accepted.passed:
        return 0
    if accepted.passed is None:
        raise UsageError(accepted.text)
    note(accepted.text)
    return FAILED


def _number(option: str, text: str | None, most: float, example: str) -> float | None:
    """The number, above 0. Raises ``UsageError`` for anything else."""
    if text is None:
        return None
    digits = text.strip()
    number = float(digits) if _NUMBER.fullmatch(digits) else math.nan
    if 0 < number <= most:
        return number
    raise UsageError(
        f"{option} {text[:40]!r} is not a number above 0 and up to {most:g}: give one such as"
        f" {example}."
    )


def _names(text: str | None) -> list[str] | None:
    if text is None:
        return None
    names = [name.strip() for name in text.split(",")]
    if not all(names):
        raise UsageError(
            f"--kernel {text[:60]!r} has an empty name: write names with commas between, such as"
            " copy,triad."
        )
    return list(dict.fromkeys(names))
