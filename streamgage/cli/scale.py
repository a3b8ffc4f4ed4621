"""``streamgage scale``."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from streamgage.cli.ended import ended, told_at_the_end
from streamgage.cli.kept import place_of
from streamgage.cli.kernel_options import CcOption, KernelFileOption, KernelTimeoutOption
from streamgage.cli.options import CurveFormatOption, CurvesOption, NoWaitOption, SeedOption, choose
from streamgage.cli.pictures import Drawing, open_drawing, picture_beside_text
from streamgage.cli.rank_options import HostsOption, LauncherOption, TimeoutOption
from streamgage.cli.store_options import NoStoreOption, StoreOption
from streamgage.commands import scale as api
from streamgage.results.render import draw_result, render_result
from streamgage.results.scale.document import Scaling
from streamgage.show.formats import CurveFormat
from streamgage.show.output import open_output

EXAMPLES = (
    ("streamgage scale", "From one thread to one a core, by three placements."),
    (
        "streamgage scale 1,2 --bindings compact -o scale.svg",
        "Two points of one placement, with a picture and its data.",
    ),
    ("streamgage scale --mpi 2", "The same with MPI ranks in place of threads."),
)


def scale(
    *,
    counts: Annotated[
        str | None,
        typer.Argument(
            metavar="N",
            help="Numbers of threads, or of ranks: 8 (from 1 to 8), or a list such as 1,2,4-16:4;"
            " default: up to one a core.",
        ),
    ] = None,
    bindings: Annotated[
        str | None,
        typer.Option(
            metavar="A,B",
            help="How to place them: compact, scatter, cores, smt, domains (each NUMA node by"
            " itself), none, omp-close, omp-spread, launcher, or a placement expression; with"
            " semicolons between where one has commas in it. Default: compact,scatter,none; of"
            " ranks compact,scatter,launcher.",
        ),
    ] = None,
    kernels: Annotated[
        str | None, typer.Option(metavar="A,B", help="Kernels; default: triad.")
    ] = None,
    stores: Annotated[
        str, typer.Option(metavar="A,B", help="Store modes: plain, regular, streaming, ...")
    ] = "plain",
    size: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help="Size of each array, all workers' parts together: the same at every point;"
            " default: 4x the last-level caches.",
        ),
    ] = None,
    mpi: Annotated[
        bool, typer.Option("--mpi", help="Scale over MPI ranks; --threads: of each (1).")
    ] = False,
    threads: Annotated[
        str | None, typer.Option(metavar="N", help="With --mpi: threads of each rank.")
    ] = None,
    launcher: LauncherOption = None,
    hosts: HostsOption = None,
    timeout: TimeoutOption = None,
    kernel_file: KernelFileOption = None,
    cc: CcOption = None,
    kernel_timeout: KernelTimeoutOption = None,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer samples a point.")] = False,
    rounds: Annotated[
        str, typer.Option(metavar="N", help="Measure every point so many times.")
    ] = "3",
    seed: SeedOption = None,
    form: CurveFormatOption = "table",
    output: CurvesOption = None,
    no_wait: NoWaitOption = False,
    store: StoreOption = None,
    no_store: NoStoreOption = False,
) -> int:
    """Measure how bandwidth grows with the number of threads or ranks, however they are placed."""
    kept_in = place_of(store, no_store)
    shown_as = choose(CurveFormat, "--format", form)
    drawn = picture_beside_text(output, shown_as)
    with (
        open_drawing(drawn, ".dat") as drawing,
        open_output(None if drawn else output) as text_out,
    ):
        run, ending = ended(
            lambda: api.scale(
                counts,
                bindings=bindings,
                kernels=kernels,
                stores=stores,
                size=size,
                mpi=mpi,
                threads=threads,
                launcher=launcher,
                hosts=hosts,
                timeout=timeout,
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


def _draw(answer: Scaling, drawing: Drawing) -> None:
    if not answer.curves:
        print("streamgage: No point was measured, so there is nothing to draw.", file=sys.stderr)
        return
    data = render_result(answer, None, CurveFormat.DAT)
    drawing.write(draw_result(answer, drawing.path), data)
