"""Measures how bandwidth grows with the number of threads or ranks."""

from __future__ import annotations

from dataclasses import replace
from typing import Unpack

from streamgage.advice import advice
from streamgage.api.series import SeriesRun
from streamgage.errors import UsageError
from streamgage.kernels import Compiler, given_compiler
from streamgage.measurement.kernel_files import KernelOptions, given_kernels, kernels_of
from streamgage.measurement.loops import OWN, built_loops
from streamgage.measurement.measurement import Measurement, SeriesOptions, rounds_of
from streamgage.options.arrays import ArrayOptions, array_setup
from streamgage.options.declaration import command
from streamgage.options.drawing import drawn
from streamgage.options.question import Question
from streamgage.options.ranks import RankOptions, given_ranks
from streamgage.options.values import (
    MOST_THREADS,
    Counts,
    Kernels,
    Names,
    Number,
    Size,
    Stores,
    bytes_of,
    names_of,
    whole_number,
)
from streamgage.process.ranks import Ranks
from streamgage.results.placement import placement_names
from streamgage.results.preset import make_plan
from streamgage.results.ranks import find_ranks
from streamgage.results.scale import KIND, experiment
from streamgage.results.scale.counts import counts_of
from streamgage.results.scale.document import Scale
from streamgage.results.scale.plan import ScaleRequest, scales_of_this_machine

ANSWERS = Question.PARTS
EXAMPLES = (
    ("streamgage scale", "Measure from one thread to one per core, with three placements."),
    (
        "streamgage scale 1,2 --bindings compact -o scale.svg",
        "One and two threads in one placement, with a picture and its data.",
    ),
    ("streamgage scale --mpi 2", "One and two MPI ranks instead of threads."),
    (
        "streamgage scale 2 --both --compilers 'gcc -O2;gcc -O3'",
        "Threads and ranks, with the loops built with two sets of flags.",
    ),
)


class Options(ArrayOptions, RankOptions, KernelOptions, SeriesOptions, total=False):
    """Options that ``scale`` shares with other commands."""


@command(drawn(KIND))
def scale(
    counts: Counts | None = None,
    *,
    bindings: Names | None = None,
    kernels: Kernels | None = None,
    stores: Stores = "plain",
    size: Size | None = None,
    mpi: bool = False,
    both: bool = False,
    threads: Number | None = None,
    compilers: Names | None = None,
    quick: bool = False,
    rounds: Number = 3,
    **options: Unpack[Options],
) -> SeriesRun[Scale]:
    """Measure how bandwidth grows with threads or ranks.

    Several placements of the threads are compared.

    Args:
        counts: Numbers of threads or ranks: 8 (from 1 to 8), or a list such as 1,2,4-16:4;
            default: up to one per core.
        bindings: How to place the workers: compact, scatter, cores, smt, domains (each NUMA node by
            itself), none, omp-close, omp-spread, launcher, a placement expression, or the options
            of a launcher, such as 'openmpi:--bind-to core --map-by numa'; separate them with
            semicolons if one has commas in it. Default: compact,scatter,none; for ranks
            compact,scatter,launcher.
        kernels: Kernels to measure; default: triad.
        stores: Store modes: plain, regular, streaming, ...
        size: Size of each array, summed over all workers and equal at every point; default: 4x the
            last-level caches.
        **ArrayOptions
        mpi: Use MPI ranks instead of threads.
        both: Measure threads and MPI ranks, each with the bindings that apply to them.
        threads: With --mpi: threads per rank (1).
        compilers: Measure STREAM's plain loops as each of these compilers builds them, with its
            flags, such as 'gcc -O3;clang -O3'; own stands for streamgage's own loops.
        **RankOptions
        **KernelOptions
        quick: Take fewer samples per point.
        rounds: Measure every point this many times.
        **SeriesOptions

    Raises:
        UsageError: the request cannot be met.
        NothingMeasuredError: every kernel of your own failed.
        StreamgageError: no point could be measured. If only some could not, they are gaps, and
            ``exit_status`` is 1.
        MeasurementInterrupt: it was stopped; ``run`` has the points measured before.
    """
    measurement = Measurement(options)
    how = rounds_of(rounds, options, give_way=options["give_way"])
    files = given_kernels(options)
    if files is not None and (mpi or both):
        raise UsageError(
            "--kernel-file cannot be combined with --mpi: only threads can run your own kernel."
        )
    wanted = _compilers(compilers)
    chosen = names_of("--stores", stores)
    if wanted and (files is not None or chosen != ["plain"]):
        raise UsageError(
            "--compilers measures STREAM's plain loops: leave"
            f" {'--kernel-file' if files is not None else '--stores'} out."
        )
    request = ScaleRequest(
        plan=make_plan(
            experiment.QUICK if quick else experiment.STANDARD,
            kernels=names_of("--kernels", kernels, or_none=files is not None),
            own=None if files is None else (),
            stores=chosen,
            arrays=array_setup(options),
            array_bytes=bytes_of("--size", size),
        ),
        named=kernels is not None,
        counts=None if counts is None else counts_of(counts),
        bindings=None if bindings is None else tuple(placement_names(bindings, "--bindings")),
        ranks=_ranks(mpi, threads, options, both=both),
        both=both,
    )
    with (
        kernels_of(files, request.plan, measurement) as own,
        built_loops(wanted, request.plan, measurement) as builds,
    ):
        scales = scales_of_this_machine(replace(request, own=own, builds=builds))
        done = measurement.in_rounds(experiment.scale, scales, how)
    return measurement.returned(SeriesRun, done, failed=bool(own.failures))


def _compilers(names: Names | None) -> tuple[Compiler | None, ...]:
    """Parse the compilers with their flags. Raises ``UsageError``.

    ``None`` means the engine's own loops.
    """
    if names is None:
        return ()
    parts = names.split(";") if isinstance(names, str) else list(names)
    texts = [each.strip() for each in parts]
    if not texts or not all(texts) or len(set(texts)) < len(texts):
        raise UsageError(
            f"--compilers {';'.join(parts)!r} has an empty entry, or one twice: write each once,"
            " such as 'gcc -O3;clang -O3'."
        )
    return tuple(None if each == OWN else given_compiler(each, "--compilers") for each in texts)


def _ranks(mpi: bool, threads: Number | None, options: RankOptions, *, both: bool) -> Ranks | None:
    """How to start the ranks, whatever their number; ``None`` if only threads are measured."""
    if both and mpi:
        raise UsageError("--both already includes ranks: leave --mpi out.")
    if both and threads is not None:
        raise UsageError("--both compares workers of one thread each: leave --threads out.")
    if not mpi and threads is not None:
        raise UsageError(
            f"--threads {threads} is the number per rank and needs --mpi: for threads alone write"
            f" the numbers without an option, such as {advice('scale', threads)}."
        )
    request = given_ranks(1 if mpi or both else None, options)
    if request is None:
        return None
    return find_ranks(request, whole_number("--threads", threads, 1, MOST_THREADS))
