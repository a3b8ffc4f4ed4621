"""What the commands of studies have alike: options, STREAM's part, and the run itself."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from streamgage.api import studying
from streamgage.api.series import StudyRun
from streamgage.cli.ended import ended, told_at_the_end
from streamgage.cli.options import choose
from streamgage.cli.pictures import Drawing, open_drawing, picture_beside_text
from streamgage.results.render import draw_result, render_result
from streamgage.results.study.document import Study
from streamgage.show.formats import CurveFormat
from streamgage.show.output import open_output

ROUNDS = str(studying.ROUNDS)

CountsOption = Annotated[
    str | None,
    typer.Option(
        "--n",
        metavar="N",
        help="Numbers of workers, e.g. 8 or 1,2,4; default: up to the cores.",
    ),
]
BindingOption = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="compact, scatter, smt, none, omp-close, omp-spread, launcher, or a placement"
        " expression.",
    ),
]
KernelOption = Annotated[str, typer.Option(metavar="NAME", help="STREAM's kernel.")]
StreamSizeOption = Annotated[
    str | None,
    typer.Option("--size", metavar="SIZE", help="Of each array of STREAM; default: 4x the caches."),
]
RunTimeoutOption = Annotated[
    str | None, typer.Option("--timeout", metavar="S", help="Seconds that one run may take (3600).")
]
RoundsOption = Annotated[
    str, typer.Option(metavar="N", help="Run STREAM and the program so many times at each n.")
]


class Shown:
    """Where a study's answer goes. Raises ``UsageError`` where it cannot go there."""

    def __init__(self, form: str, output: Path | None) -> None:
        self.form = choose(CurveFormat, "--format", form)
        self.output = output
        self.drawn = picture_beside_text(output, self.form)


def show_study(shown: Shown, measuring: Callable[[], StudyRun]) -> int:
    """Measure, or read, and show; the exit status."""
    with (
        open_drawing(shown.drawn, ".dat") as drawing,
        open_output(None if shown.drawn else shown.output) as text_out,
    ):
        run, ending = ended(measuring)
        file = None if shown.drawn else shown.output
        with told_at_the_end(ending):
            if run is not None:
                text_out.write(render_result(run.document, None, shown.form, file=file))
                if drawing is not None:
                    draw_study(run.document, drawing)
    return ending.exit_status


def draw_study(answer: Study, drawing: Drawing) -> None:
    """The curves with their data; a sentence where there is nothing to draw."""
    if not answer.phases:
        print("streamgage: No point was measured, so there is nothing to draw.", file=sys.stderr)
        return
    data = render_result(answer, None, CurveFormat.DAT)
    drawing.write(draw_result(answer, drawing.path), data)
