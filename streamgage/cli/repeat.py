"""``streamgage repeat``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from streamgage.cli.kept import keeping_of, kept_series
from streamgage.cli.measure import LARGEST_SEED, MOST_THREADS
from streamgage.cli.options import (
    NoWaitOption,
    SeedOption,
    SeriesFormatOption,
    SizeOption,
    choose,
    whole_number,
)
from streamgage.cli.pictures import Drawing, open_drawing, picture_beside_text
from streamgage.cli.store_options import NoStoreOption, StoreOption
from streamgage.present.output import open_output
from streamgage.present.repetition.formats import render
from streamgage.present.runs_progress import watching_runs
from streamgage.present.series_formats import SeriesFormat
from streamgage.repetition import Repetition
from streamgage.studies import repeat as study
from streamgage.studies.measure import Request
from streamgage.studies.placement_names import placement_names

MOST_ROUNDS = 10_000


EXAMPLES = (
    ("streamgage repeat 20 -o runs.svg", "20 runs bound and 20 unbound, with a picture."),
    ("streamgage repeat 5 --quick --kernels triad", "A first impression by one kernel."),
)


def repeat(
    *,
    rounds: Annotated[
        str, typer.Argument(metavar="N", help="Runs of each placement, e.g. 50.")
    ] = "10",
    placements: Annotated[
        str,
        typer.Option(
            metavar="A,B",
            help="Placements to compare: none (not bound), cores, or what --cpus of measure takes;"
            " with semicolons between where one has commas in it.",
        ),
    ] = "none,cores",
    kernels: Annotated[
        str | None,
        typer.Option(metavar="A,B", help="Kernels; default: copy,scale,add,triad."),
    ] = None,
    stores: Annotated[
        str, typer.Option(metavar="A,B", help="Store modes: plain, regular, streaming, ...")
    ] = "plain",
    threads: Annotated[
        str | None, typer.Option(metavar="N", help="Number of threads; default: one a core.")
    ] = None,
    size: SizeOption = None,
    quick: Annotated[bool, typer.Option("--quick", help="Half as many samples in a run.")] = False,
    seed: SeedOption = None,
    form: SeriesFormatOption = "table",
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Draw every run as a dot in FILE.svg or FILE.png, with the data in FILE.csv,"
            " beside printing the result; with --format json, csv or markdown and another name,"
            " write that to FILE.",
        ),
    ] = None,
    no_wait: NoWaitOption = False,
    store: StoreOption = None,
    no_store: NoStoreOption = False,
) -> int:
    """Run the same kernels many times, bound and unbound in turn, and compare."""
    keeping = keeping_of(store, no_store)
    number = whole_number("N", rounds, 1, MOST_ROUNDS) or 1
    shown_as = choose(SeriesFormat, "--format", form)
    drawn = picture_beside_text(output, shown_as)
    request = Request(
        kernels=kernels,
        stores=stores,
        threads=whole_number("--threads", threads, 1, MOST_THREADS),
        size=size,
        tune="never",
        preset=study.QUICK if quick else study.STANDARD,
        checks=False,
    )
    chosen_seed = whole_number("--seed", seed, 0, LARGEST_SEED)
    compared = study.conditions(request, placement_names(placements, "--placements"))
    with (
        open_drawing(drawn, ".csv") as drawing,
        open_output(None if drawn else output) as text_out,
    ):
        with watching_runs() as watcher:
            done = study.repeat(
                compared,
                number,
                seed=chosen_seed,
                before=lambda turn: watcher.starting(turn.number, turn.total, turn.condition.name),
                note=watcher.note,
                wait=not no_wait,
            )
        with kept_series(done, keeping):
            text_out.write(render(done.answer, shown_as, file=None if drawn else output))
            if drawing is not None:
                _draw(done.answer, drawing)
    return done.exit_status


def _draw(answer: Repetition, drawing: Drawing) -> None:
    if not answer.kernels:
        print("streamgage: No run was finished, so there is nothing to draw.", file=sys.stderr)
        return
    from streamgage.present.repetition.picture import draw

    drawing.write(draw(answer, drawing.path), render(answer, SeriesFormat.CSV))
