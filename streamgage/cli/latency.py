"""``streamgage latency``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from streamgage.cli.ended import ended, told_at_the_end
from streamgage.cli.kept import place_of
from streamgage.cli.options import CurveFormatOption, CurvesOption, NoWaitOption, choose
from streamgage.cli.pictures import Drawing, open_drawing, picture_beside_text
from streamgage.cli.store_options import NoStoreOption, StoreOption
from streamgage.commands import latency as api
from streamgage.results.latency import experiment as study
from streamgage.results.latency.document import Latencies
from streamgage.results.render import draw_result, render_result
from streamgage.show.formats import CurveFormat
from streamgage.show.output import open_output

EXAMPLES = (
    ("streamgage latency", "Idle, and while other threads load the memory."),
    ("streamgage latency --mixes none --to 64MiB", "Idle alone, up to 64 MiB."),
)


def latency(
    *,
    low: Annotated[
        str | None,
        typer.Option("--from", metavar="SIZE", help="Smallest working set; default: 8KiB."),
    ] = None,
    high: Annotated[
        str | None,
        typer.Option(
            "--to", metavar="SIZE", help="Largest; default: 4x the last-level cache, at most 1GiB."
        ),
    ] = None,
    steps: Annotated[
        str, typer.Option(metavar="N", help="Working sets for each doubling of the size.")
    ] = "2",
    mixes: Annotated[
        str,
        typer.Option(
            metavar="A,B",
            help="Reads and writes of the load: reads, 2:1 (reads to writes), 1:1; none: no load.",
        ),
    ] = ",".join(study.MIXES),
    threads: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="Threads, one of which walks while the others load; default: one a core.",
        ),
    ] = None,
    cpus: Annotated[
        str | None,
        typer.Option(metavar="EXPR", help="CPUs to bind threads to; the first one's walks."),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer paces of the load.")] = False,
    rounds: Annotated[
        str, typer.Option(metavar="N", help="Measure everything so many times.")
    ] = "5",
    seed: Annotated[
        str | None, typer.Option(metavar="N", help="Seed of the order of the measurements.")
    ] = None,
    form: CurveFormatOption = "table",
    output: CurvesOption = None,
    records: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep the records in FILE.")
    ] = None,
    no_wait: NoWaitOption = False,
    store: StoreOption = None,
    no_store: NoStoreOption = False,
) -> int:
    """Measure the latency of each cache and of memory, idle and while other threads load it."""
    kept_in = place_of(store, no_store)
    shown_as = choose(CurveFormat, "--format", form)
    drawn = picture_beside_text(output, shown_as)
    with (
        open_drawing(drawn, ".dat") as drawing,
        open_output(None if drawn else output) as text_out,
    ):
        run, ending = ended(
            lambda: api.latency(
                from_=low,
                to=high,
                steps=steps,
                mixes=mixes,
                threads=threads,
                cpus=cpus,
                quick=quick,
                rounds=rounds,
                seed=seed,
                records=records,
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


def _draw(answer: Latencies, drawing: Drawing) -> None:
    data = render_result(answer, None, CurveFormat.DAT)
    drawing.write(draw_result(answer, drawing.path), data)
