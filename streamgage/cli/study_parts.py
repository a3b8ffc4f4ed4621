"""What the commands of studies have alike: options, STREAM's part, and the run itself."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from streamgage.api.values import LARGEST_SEED
from streamgage.applications.case import Case, Told
from streamgage.applications.petsc.cases import read_imported, read_imported_server
from streamgage.applications.times import Reading
from streamgage.cli.kept import kept_series
from streamgage.cli.options import choose, whole_number
from streamgage.cli.pictures import Drawing, open_drawing, picture_beside_text
from streamgage.cli.store_options import note
from streamgage.errors import UsageError
from streamgage.present.output import open_output
from streamgage.present.runs_progress import watching_runs
from streamgage.present.series_formats import CurveFormat
from streamgage.present.study.formats import render
from streamgage.ranks import Ranks
from streamgage.studies import application as measured
from streamgage.studies import scale
from streamgage.studies.imported import ImportRequest, import_study, is_server
from streamgage.studies.keeping import Keeping
from streamgage.studies.measure import Request
from streamgage.studies.placement_names import placement_names
from streamgage.studies.scale_points import ScaleRequest
from streamgage.study import Solver, Study

MOST_ROUNDS = 1_000
ROUNDS = "5"
COMPACT = "compact"
LONGEST_TIMEOUT = 86_400 * 7

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


def stream_of(
    kernel: str, size: str | None, counts: str | None, binding: str, ranks: Ranks | None
) -> ScaleRequest:
    """STREAM's part of a study. Raises ``UsageError`` for what cannot be read."""
    if "," in kernel:
        raise UsageError("--kernel is one kernel: run the study for each.")
    names = placement_names(binding, "--binding")
    if len(names) != 1:
        raise UsageError("--binding is one way of placing workers: run the study for each.")
    return ScaleRequest(
        request=Request(
            kernels=kernel,
            stores="plain",
            size=size,
            tune="never",
            preset=scale.STANDARD,
            checks=False,
        ),
        counts=counts,
        bindings=(names[0],),
        ranks=ranks,
    )


def seconds_of(timeout: str | None) -> float:
    """``--timeout``. Raises ``UsageError``."""
    return whole_number("--timeout", timeout, 1, LONGEST_TIMEOUT) or 3600


class Shown:
    """Where a study's answer goes. Raises ``UsageError`` where it cannot go there."""

    def __init__(self, form: str, output: Path | None) -> None:
        self.form = choose(CurveFormat, "--format", form)
        self.output = output
        self.drawn = picture_beside_text(output, self.form)


def run_study(
    cases: tuple[Case, ...],
    stream: ScaleRequest,
    shown: Shown,
    *,
    rounds: str,
    seed: str | None,
    timeout: str | None,
    no_wait: bool,
    keeping: Keeping,
    solver: Solver | None = None,
) -> int:
    """Measure and show; the exit status."""
    number = whole_number("--rounds", rounds, 1, MOST_ROUNDS) or 1
    chosen_seed = whole_number("--seed", seed, 0, LARGEST_SEED)
    request = measured.StudyRequest(cases, stream, seconds_of(timeout), solver)
    with (
        open_drawing(shown.drawn, ".dat") as drawing,
        open_output(None if shown.drawn else shown.output) as text_out,
    ):
        ready = measured.prepare(request)
        with watching_runs() as watcher:
            done = measured.measure_study(
                ready,
                number,
                seed=chosen_seed,
                before=lambda step: watcher.starting(step.number, step.total, step.name),
                note=watcher.note,
                wait=not no_wait,
            )
        file = None if shown.drawn else shown.output
        with kept_series(done, keeping):
            text_out.write(render(done.answer, shown.form, file=file))
            if drawing is not None:
                draw_study(done.answer, drawing)
    return done.exit_status


def show_imported(
    folder: Path,
    read: Callable[[Reading], Told],
    kernel: str,
    shown: Shown,
) -> int:
    """Show what others ran; the exit status. ``read`` takes a run that is not of a server."""
    general = partial(read_imported, read)

    def readers(name: str) -> Callable[[Reading], Told]:
        return read_imported_server if is_server(name) else general

    with (
        open_drawing(shown.drawn, ".dat") as drawing,
        open_output(None if shown.drawn else shown.output) as text_out,
    ):
        done = import_study(
            ImportRequest(folder, readers, kernel),
            note,
        )
        file = None if shown.drawn else shown.output
        text_out.write(render(done.answer, shown.form, file=file))
        if drawing is not None:
            draw_study(done.answer, drawing)
    return done.exit_status


def draw_study(answer: Study, drawing: Drawing) -> None:
    """The curves with their data; a sentence where there is nothing to draw."""
    if not answer.phases:
        print("streamgage: No point was measured, so there is nothing to draw.", file=sys.stderr)
        return
    from streamgage.present.study.picture import draw

    drawing.write(draw(answer, drawing.path), render(answer, CurveFormat.DAT))
