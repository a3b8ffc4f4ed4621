"""``streamgage repeat``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from streamgage.cli.ended import ended, told_at_the_end
from streamgage.cli.kept import place_of
from streamgage.cli.options import NoWaitOption, SeedOption, SeriesFormatOption, SizeOption, choose
from streamgage.cli.pictures import Drawing, open_drawing, picture_beside_text
from streamgage.cli.store_options import NoStoreOption, StoreOption
from streamgage.commands import repeat as api
from streamgage.results.render import draw_result, render_result
from streamgage.results.repeat.document import Repetition
from streamgage.show.formats import SeriesFormat
from streamgage.show.output import open_output

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
    kept_in = place_of(store, no_store)
    shown_as = choose(SeriesFormat, "--format", form)
    drawn = picture_beside_text(output, shown_as)
    with (
        open_drawing(drawn, ".csv") as drawing,
        open_output(None if drawn else output) as text_out,
    ):
        run, ending = ended(
            lambda: api.repeat(
                rounds,
                placements=placements,
                kernels=kernels,
                stores=stores,
                threads=threads,
                size=size,
                quick=quick,
                seed=seed,
                no_wait=no_wait,
                store=kept_in,
                give_way=True,
            )
        )
        with told_at_the_end(ending):
            if run is not None:
                text_out.write(
                    render_result(run.document, None, shown_as, file=None if drawn else output)
                )
                if drawing is not None:
                    _draw(run.document, drawing)
    return ending.exit_status


def _draw(answer: Repetition, drawing: Drawing) -> None:
    if not answer.kernels:
        print("streamgage: No run was finished, so there is nothing to draw.", file=sys.stderr)
        return
    data = render_result(answer, None, SeriesFormat.CSV)
    drawing.write(draw_result(answer, drawing.path), data)
