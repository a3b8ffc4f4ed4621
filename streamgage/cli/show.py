"""``streamgage show``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from streamgage.analysis.given import Given
from streamgage.cli.options import (
    ExplainOption,
    FormatOption,
    OutputOption,
    PeakOption,
    VerboseOption,
    choose,
    given_peak,
)
from streamgage.present.detail import Detail
from streamgage.present.formats import Format, render
from streamgage.present.output import open_output
from streamgage.runs import newest_run, runs_folder
from streamgage.studies.measure import recorded


def show(
    *,
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="Records file; default: the newest run.")
    ] = None,
    peak: PeakOption = None,
    form: FormatOption = "table",
    output: OutputOption = None,
    verbose: VerboseOption = False,
    explain: ExplainOption = False,
) -> int:
    """Show an earlier run again."""
    given = Given(peak_gbps=given_peak(peak))
    shown_as = choose(Format, "--format", form)
    with open_output(output) as out:
        answer = recorded(file or newest_run(runs_folder()), _note, given)
        out.write(
            render(answer, shown_as, file=output, detail=Detail(verbose=verbose, explain=explain))
        )
    return 0


def _note(sentence: str) -> None:
    print(f"streamgage: {sentence}", file=sys.stderr)
