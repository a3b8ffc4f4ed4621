"""``streamgage numa``."""

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
from streamgage.commands import numa as api
from streamgage.results.numa.document import NumaMatrix
from streamgage.results.render import draw_result, render_result
from streamgage.show.formats import SeriesFormat
from streamgage.show.output import open_output

EXAMPLES = (
    ("streamgage numa", "CPUs of each NUMA node, memory of each."),
    ("streamgage numa --quick -o matrix.svg", "In a third of the time, with a heat map."),
)


def numa(
    *,
    kernels: Annotated[
        str | None, typer.Option(metavar="A,B", help="Kernels; default: sum,triad.")
    ] = None,
    size: SizeOption = None,
    quick: Annotated[bool, typer.Option("--quick", help="A third of the time for a cell.")] = False,
    rounds: Annotated[
        str, typer.Option(metavar="N", help="Measure every cell so many times.")
    ] = "1",
    seed: SeedOption = None,
    form: SeriesFormatOption = "table",
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Draw a heat map in FILE.svg or FILE.png, with its data in FILE.csv, beside"
            " printing the result; with --format json, csv or markdown and another name, write that"
            " to FILE.",
        ),
    ] = None,
    no_wait: NoWaitOption = False,
    store: StoreOption = None,
    no_store: NoStoreOption = False,
) -> int:
    """Measure bandwidth and latency from the CPUs of each NUMA node to the memory of each."""
    kept_in = place_of(store, no_store)
    shown_as = choose(SeriesFormat, "--format", form)
    drawn = picture_beside_text(output, shown_as)
    with (
        open_drawing(drawn, ".csv") as drawing,
        open_output(None if drawn else output) as text_out,
    ):
        run, ending = ended(
            lambda: api.numa(
                kernels=kernels,
                size=size,
                quick=quick,
                rounds=rounds,
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


def _draw(answer: NumaMatrix, drawing: Drawing) -> None:
    if not answer.kernels and not answer.latency:
        print("streamgage: No cell was measured, so there is nothing to draw.", file=sys.stderr)
        return
    data = render_result(answer, None, SeriesFormat.CSV)
    drawing.write(draw_result(answer, drawing.path), data)
