"""How bandwidth grows with the number of threads or ranks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from streamgage.api.endings import returned
from streamgage.api.kept_series import ending_of, given_rounds, in_rounds
from streamgage.api.kernel_files import Commands, Files, given_kernels, kernels_of
from streamgage.api.notes import Notes
from streamgage.api.ranks import given_ranks
from streamgage.api.series import ScalingRun, just_measured
from streamgage.api.storing import OWN, Place, keeping_in
from streamgage.api.values import (
    MOST_THREADS,
    Names,
    Number,
    PathLike,
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
from streamgage.results.placement_names import placement_names
from streamgage.results.ranks import find_ranks
from streamgage.results.scale import experiment as study
from streamgage.results.scale.plan import ScaleRequest, scales_of_this_machine


def scale(
    counts: str | int | Iterable[int] | None = None,
    *,
    bindings: Names | None = None,
    kernels: Names | None = None,
    stores: Names = "plain",
    size: Size | None = None,
    mpi: bool = False,
    threads: Number | None = None,
    launcher: str | None = None,
    hosts: PathLike | None = None,
    timeout: Number | None = None,
    kernel_file: Files | None = None,
    cc: Commands | None = None,
    kernel_timeout: float | str | None = None,
    quick: bool = False,
    rounds: Number = 3,
    seed: Number | None = None,
    no_wait: bool = False,
    store: Place = OWN,
    progress: bool = True,
    give_way: bool = False,
) -> ScalingRun:
    """Measure how bandwidth grows with the threads, however they are placed: ``streamgage scale``.

    Args:
        counts: numbers of threads, or of ranks: ``8`` (from 1 to 8), ``[1, 2, 4]``, or text such as
            ``"1,2,4-16:4"``; default: up to one a core.
        bindings: how to place them: ``compact``, ``scatter``, ``cores``, ``smt``, ``domains``,
            ``none``, ``omp-close``, ``omp-spread``, ``launcher``, or placement expressions;
            default: ``compact``, ``scatter`` and ``none``.
        kernels: kernels; default: triad.
        stores: store modes.
        size: size of each array, all workers' parts together; default: 4x the last-level caches.
        mpi: scale over MPI ranks; ``threads``: of each (1).
        threads: with ``mpi``: threads of each rank.
        launcher: with ``mpi``: what starts the ranks.
        hosts: with ``mpi``: a file that names a host a line.
        timeout: with ``mpi``: seconds to wait for a rank (60).
        kernel_file: kernels of your own, ``.c``, ``.cpp``, ``.f90`` or ``.so``.
        cc: what compiles them, such as ``"clang -O2"``, once a language; default: the compiler that
            is found, with ``-O3 -march=native``.
        kernel_timeout: seconds that a run of a kernel of your own may take; default: 60.
        quick: fewer samples a point.
        rounds: measure every point so many times.
        seed: seed of the order of measuring.
        no_wait: fail where another measurement runs, rather than wait.
        store: where to keep the result; see ``measure``.
        progress: draw a bar and print sentences; see ``measure``.
        give_way: give this process the lowest priority for its last run; see ``measure``.

    Raises:
        UsageError: the request cannot be met.
        NothingMeasuredError: no kernel of your own is left.
        StreamgageError: no point could be measured. Where some could not, they are gaps, and
            ``exit_status`` is 1.
        Interrupted: it was stopped; ``run`` has the points that were measured until then.
    """
    notes = Notes(progress)
    keeping = keeping_in(store, notes)
    how = given_rounds(rounds, seed, no_wait=no_wait, give_way=give_way)
    files = given_kernels(kernel_file, cc, kernel_timeout)
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
        ranks=_ranks(mpi, threads, launcher, hosts, timeout),
    )
    plan = make_plan(asked.request)
    with kernels_of(files, plan, notes, keeping, wait=not no_wait) as prepared:
        scales = scales_of_this_machine(replace(asked, own=prepared))
        done = in_rounds(study.scale, scales, how, notes)
    ending = ending_of(done, keeping, notes, failed=bool(prepared.failures))
    return returned(ScalingRun(just_measured(done.answer, ending), ending), ending)


def _bindings(bindings: Names | None) -> tuple[str, ...] | None:
    if bindings is None:
        return None
    return tuple(placement_names(as_placements(bindings), "--bindings"))


def _ranks(
    mpi: bool,
    threads: Number | None,
    launcher: str | None,
    hosts: PathLike | None,
    timeout: Number | None,
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
