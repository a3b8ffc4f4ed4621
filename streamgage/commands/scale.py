"""How bandwidth grows with the number of threads or ranks."""

from __future__ import annotations

from dataclasses import replace
from typing import Unpack

from streamgage.api.declaration import command
from streamgage.api.drawing import drawn
from streamgage.api.kernel_files import KernelOptions, given_kernels, kernels_of
from streamgage.api.measurement import Measurement, SeriesOptions, rounds_of
from streamgage.api.ranks import RankOptions, given_ranks
from streamgage.api.series import SeriesRun
from streamgage.api.values import (
    MOST_THREADS,
    Counts,
    Names,
    Number,
    Size,
    as_counts,
    as_list,
    as_placements,
    as_size,
    whole_number,
)
from streamgage.errors import UsageError
from streamgage.process.ranks import Ranks
from streamgage.results.measure.experiment import Request, make_plan
from streamgage.results.placement import placement_names
from streamgage.results.ranks import find_ranks
from streamgage.results.scale import KIND
from streamgage.results.scale import experiment as study
from streamgage.results.scale.document import Scale
from streamgage.results.scale.plan import ScaleRequest, scales_of_this_machine

EXAMPLES = (
    ("streamgage scale", "From one thread to one a core, by three placements."),
    (
        "streamgage scale 1,2 --bindings compact -o scale.svg",
        "Two points of one placement, with a picture and its data.",
    ),
    ("streamgage scale --mpi 2", "The same with MPI ranks in place of threads."),
)


class Options(RankOptions, KernelOptions, SeriesOptions, total=False):
    """What ``scale`` shares with other commands."""


@command(drawn(KIND))
def scale(
    counts: Counts | None = None,
    *,
    bindings: Names | None = None,
    kernels: Names | None = None,
    stores: Names = "plain",
    size: Size | None = None,
    mpi: bool = False,
    threads: Number | None = None,
    quick: bool = False,
    rounds: Number = 3,
    **options: Unpack[Options],
) -> SeriesRun[Scale]:
    """Measure how bandwidth grows with the number of threads or ranks, however they are placed.

    Args:
        counts: Numbers of threads, or of ranks: 8 (from 1 to 8), or a list such as 1,2,4-16:4;
            default: up to one a core.
        bindings: How to place them: compact, scatter, cores, smt, domains (each NUMA node by
            itself), none, omp-close, omp-spread, launcher, or a placement expression; with
            semicolons between where one has commas in it. Default: compact,scatter,none; of ranks
            compact,scatter,launcher.
        kernels: Kernels; default: triad.
        stores: Store modes: plain, regular, streaming, ...
        size: Size of each array, all workers' parts together: the same at every point; default: 4x
            the last-level caches.
        mpi: Scale over MPI ranks; --threads: of each (1).
        threads: With --mpi: threads of each rank.
        **RankOptions
        **KernelOptions
        quick: Fewer samples a point.
        rounds: Measure every point so many times.
        **SeriesOptions

    Raises:
        UsageError: the request cannot be met.
        NothingMeasuredError: no kernel of your own is left.
        StreamgageError: no point could be measured. Where some could not, they are gaps, and
            ``exit_status`` is 1.
        Interrupted: it was stopped; ``run`` has the points that were measured until then.
    """
    measurement = Measurement(options)
    how = rounds_of(rounds, options, give_way=options["give_way"])
    files = given_kernels(options)
    if files is not None and mpi:
        raise UsageError("--kernel-file does not go with --mpi: threads run a kernel of your own.")
    asked = ScaleRequest(
        request=Request(
            kernels=as_list(kernels),
            stores=as_list(stores),
            size=as_size(size),
            tune="never",
            preset=study.QUICK if quick else study.STANDARD,
            checks=False,
            beside=None if files is None else (),
        ),
        counts=as_counts(counts),
        bindings=_bindings(bindings),
        ranks=_ranks(mpi, threads, options),
    )
    with kernels_of(files, make_plan(asked.request), measurement) as own:
        scales = scales_of_this_machine(replace(asked, own=own))
        done = measurement.in_rounds(study.scale, scales, how)
    return measurement.returned(SeriesRun, done, failed=bool(own.failures))


def _bindings(bindings: Names | None) -> tuple[str, ...] | None:
    if bindings is None:
        return None
    return tuple(placement_names(as_placements(bindings), "--bindings"))


def _ranks(mpi: bool, threads: Number | None, options: RankOptions) -> Ranks | None:
    """How ranks are started, their number aside; null without ``--mpi``."""
    if not mpi and threads is not None:
        raise UsageError(
            f"--threads {threads} is of each rank, with --mpi: write the numbers of threads as they"
            f" are, such as `streamgage scale {threads}`."
        )
    asked = given_ranks(1 if mpi else None, options)
    if asked is None:
        return None
    return find_ranks(asked, whole_number("--threads", threads, 1, MOST_THREADS))
