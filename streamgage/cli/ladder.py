"""``streamgage ladder``."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from streamgage.cli.ended import ended, told_at_the_end
from streamgage.cli.kept import place_of
from streamgage.cli.kernel_options import CcOption, KernelFileOption, KernelTimeoutOption
from streamgage.cli.options import CurveFormatOption, CurvesOption, NoWaitOption, SeedOption, choose
from streamgage.cli.pictures import Drawing, open_drawing, picture_beside_text
from streamgage.cli.store_options import NoStoreOption, StoreOption
from streamgage.commands import ladder as api
from streamgage.results.ladder import experiment as study
from streamgage.results.ladder.document import Ladder
from streamgage.results.render import draw_result, render_result
from streamgage.show.formats import CurveFormat
from streamgage.show.output import open_output

EXAMPLES = (
    ("streamgage ladder", "From the first cache to memory, by one thread and by all."),
    (
        "streamgage ladder --modes sequential --to 64MiB -o ladder.svg",
        "One thread, up to 64 MiB, with a picture and its data.",
    ),
)


def ladder(
    *,
    kernels: Annotated[
        str | None, typer.Option(metavar="A,B", help="Kernels; default: triad.")
    ] = None,
    stores: Annotated[
        str, typer.Option(metavar="A,B", help="Store modes: regular, streaming, plain, ...")
    ] = study.STORES,
    modes: Annotated[
        str,
        typer.Option(
            metavar="A,B",
            help="sequential: one thread; worksharing: all threads share the working set;"
            " throughput: each has its own.",
        ),
    ] = ",".join(study.MODES),
    low: Annotated[
        str | None,
        typer.Option("--from", metavar="SIZE", help="Smallest working set; default: 8KiB."),
    ] = None,
    high: Annotated[
        str | None,
        typer.Option(
            "--to", metavar="SIZE", help="Largest; default: 4x the last-level caches in use."
        ),
    ] = None,
    steps: Annotated[
        str, typer.Option(metavar="N", help="Working sets for each doubling of the size.")
    ] = "3",
    threads: Annotated[
        str | None, typer.Option(metavar="N", help="Number of threads; default: one a core.")
    ] = None,
    cpus: Annotated[
        str | None, typer.Option(metavar="EXPR", help="CPUs to bind threads to, e.g. S0:0-3.")
    ] = None,
    kernel_file: KernelFileOption = None,
    cc: CcOption = None,
    kernel_timeout: KernelTimeoutOption = None,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer samples a point.")] = False,
    rounds: Annotated[
        str, typer.Option(metavar="N", help="Measure every point so many times.")
    ] = "2",
    seed: SeedOption = None,
    form: CurveFormatOption = "table",
    output: CurvesOption = None,
    no_wait: NoWaitOption = False,
    store: StoreOption = None,
    no_store: NoStoreOption = False,
) -> int:
    """Measure bandwidth over the size of the working set, from the first cache to memory."""
    kept_in = place_of(store, no_store)
    shown_as = choose(CurveFormat, "--format", form)
    drawn = picture_beside_text(output, shown_as)
    with (
        open_drawing(drawn, ".dat") as drawing,
        open_output(None if drawn else output) as text_out,
    ):
        run, ending = ended(
            lambda: api.ladder(
                kernels=kernels,
                stores=stores,
                modes=modes,
                from_=low,
                to=high,
                steps=steps,
                threads=threads,
                cpus=cpus,
                kernel_file=kernel_file,
                cc=cc,
                kernel_timeout=kernel_timeout,
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


def _draw(answer: Ladder, drawing: Drawing) -> None:
    if not answer.curves:
        print("streamgage: No point was measured, so there is nothing to draw.", file=sys.stderr)
        return
    data = render_result(answer, None, CurveFormat.DAT)
    drawing.write(draw_result(answer, drawing.path), data)
