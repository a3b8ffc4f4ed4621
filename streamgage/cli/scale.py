"""``streamgage scale``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from streamgage.cli.kept import keeping_of, kept_series
from streamgage.cli.measure import LARGEST_SEED, MOST_THREADS
from streamgage.cli.options import (
    CurveFormatOption,
    CurvesOption,
    NoWaitOption,
    SeedOption,
    choose,
    whole_number,
)
from streamgage.cli.pictures import Drawing, open_drawing, picture_beside_text
from streamgage.cli.rank_options import HostsOption, LauncherOption, TimeoutOption, given_ranks
from streamgage.cli.store_options import NoStoreOption, StoreOption
from streamgage.errors import UsageError
from streamgage.present.output import open_output
from streamgage.present.runs_progress import watching_runs
from streamgage.present.scaling.formats import render
from streamgage.present.series_formats import CurveFormat
from streamgage.ranks import Ranks
from streamgage.scaling import Scaling
from streamgage.studies import scale as study
from streamgage.studies.measure import Request
from streamgage.studies.placement_names import placement_names
from streamgage.studies.ranks import find_ranks
from streamgage.studies.scale_points import ScaleRequest, scales_of_this_machine

MOST_ROUNDS = 1_000


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
    keeping = keeping_of(store, no_store)
    number = whole_number("--rounds", rounds, 1, MOST_ROUNDS) or 1
    shown_as = choose(CurveFormat, "--format", form)
    drawn = picture_beside_text(output, shown_as)
    chosen_seed = whole_number("--seed", seed, 0, LARGEST_SEED)
    asked = ScaleRequest(
        request=Request(
            kernels=kernels,
            stores=stores,
            size=size,
            tune="never",
            preset=study.QUICK if quick else study.STANDARD,
            checks=False,
        ),
        counts=counts,
        bindings=None if bindings is None else tuple(placement_names(bindings, "--bindings")),
        ranks=_ranks(mpi, threads, launcher, hosts, timeout),
    )
    with (
        open_drawing(drawn, ".dat") as drawing,
        open_output(None if drawn else output) as text_out,
    ):
        scales = scales_of_this_machine(asked)
        with watching_runs() as watcher:
            done = study.scale(
                scales,
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


def _ranks(
    mpi: bool, threads: str | None, launcher: str | None, hosts: Path | None, timeout: str | None
) -> Ranks | None:
    """How ranks are started, their number aside; null without ``--mpi``."""
    if not mpi and threads is not None:
        raise UsageError(
            f"--threads {threads} is of each rank, with --mpi: write the numbers of threads as they"
            f" are, such as `streamgage scale {threads}`."
        )
    asked = given_ranks("1" if mpi else None, launcher, hosts, timeout, oversubscribe=False)
    if asked is None:
        return None
    return find_ranks(asked, whole_number("--threads", threads, 1, MOST_THREADS))


def _draw(answer: Scaling, drawing: Drawing) -> None:
    if not answer.curves:
        print("streamgage: No point was measured, so there is nothing to draw.", file=sys.stderr)
        return
    from streamgage.present.scaling.picture import draw

    drawing.write(draw(answer, drawing.path), render(answer, CurveFormat.DAT))
