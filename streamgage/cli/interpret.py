"""``streamgage interpret``."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from streamgage.analysis.given import Given
from streamgage.cli.options import OutputOption, VerboseOption, choose, given_peak, whole_number
from streamgage.errors import FAILED, UsageError
from streamgage.present.detail import Detail
from streamgage.present.formats import Format, render
from streamgage.present.output import open_output
from streamgage.studies import interpret as study
from streamgage.units import GIB, LARGEST_SIZE, format_bytes, parse_bytes

LARGEST_CACHE = 1024 * GIB
"""1 TiB: no processor has such caches; a greater figure is a slip of the hand."""
_MOST = 1 << 20


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
    given = Given(
        peak_gbps=given_peak(peak),
        last_level_cache_bytes=_size("--llc", llc, LARGEST_CACHE, "no processor's caches have"),
        cores=whole_number("--cores", cores, 1, _MOST),
        threads=whole_number("--threads", threads, 1, _MOST),
        array_bytes=_size("--array-bytes", array_bytes, LARGEST_SIZE, "no array can have"),
    )
    shown_as = Format(choose(InterpretFormat, "--format", form).value)
    with open_output(output) as out:
        answer = study.interpret(file, given, _note)
        out.write(render(answer, shown_as, file=output, detail=Detail(verbose=verbose)))
    reported = answer.run.reported
    return FAILED if reported is not None and reported.validated is False else 0


def _size(option: str, text: str | None, most: int, whose: str) -> int | None:
    """Bytes of a size. Raises ``UsageError`` where it is none, or none that there can be."""
    if text is None:
        return None
    size = parse_bytes(text)
    if not size:
        raise UsageError(
            f"{option} {text[:40]!r} is not a size above 0: give one such as 128MiB, 1GiB or"
            " 80000000 (bytes)."
        )
    if size > most:
        raise UsageError(
            f"{option} {text[:40]} is more than {format_bytes(most)}, which {whose}: give bytes, or"
            " a size such as 128MiB."
        )
    return size


def _note(sentence: str) -> None:
    print(f"streamgage: {sentence}", file=sys.stderr)
