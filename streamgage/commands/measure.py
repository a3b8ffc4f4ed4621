"""Measure this machine's memory."""

from __future__ import annotations

from collections.abc import Iterable

from streamgage.analysis.given import Given
from streamgage.api.endings import Ending, returned
from streamgage.api.kernel_files import Commands, Files, kernels_of
from streamgage.api.notes import Notes
from streamgage.api.planned import planned
from streamgage.api.run import Run
from streamgage.api.series import name_of
from streamgage.api.storing import OWN, Place, keeping_in
from streamgage.api.values import Cpus, Names, Number, PathLike, Shape, Size, as_path
from streamgage.results.measure import experiment as study
from streamgage.results.summarise import why_partial
from streamgage.show.progress import Watcher
from streamgage.store.keep import Keeping
from streamgage.store.load import Loaded


def measure(
    *,
    kernels: Names | None = None,
    stores: Names | None = None,
    isa: Names | None = None,
    shape: Shape | None = None,
    retune: bool = False,
    no_tune: bool = False,
    type: str = "double",
    threads: Number | None = None,
    cpus: Cpus | None = None,
    allow_oversubscribe: bool = False,
    size: Size | None = None,
    memory_nodes: str | int | Iterable[int] | None = None,
    quick: bool = False,
    thorough: bool = False,
    seed: Number | None = None,
    kernel_file: Files | None = None,
    cc: Commands | None = None,
    kernel_timeout: float | str | None = None,
    mpi: Number | None = None,
    launcher: str | None = None,
    hosts: PathLike | None = None,
    timeout: Number | None = None,
    peak: float | str | None = None,
    records: PathLike | None = None,
    no_wait: bool = False,
    store: Place = OWN,
    progress: bool = True,
    give_way: bool = False,
) -> Run:
    """Measure this machine's memory: what ``streamgage measure`` does, with its options.

    It takes about half a minute, and the first time on a machine 20 s more.

    Args:
        kernels: kernels, such as ``["copy", "triad"]``.
        stores: store modes: ``plain``, ``regular``, ``streaming``, ``claim``, ``libc``.
        isa: instruction sets to compare, such as ``["SSE2", "AVX2"]``; default: the best.
        shape: access shape to try, such as ``{"streams": 4, "block": "4KiB"}``.
        retune: seek the quickest shapes anew (about 20 s).
        no_tune: measure standard shapes only.
        type: type of the elements: ``double`` or ``float``.
        threads: number of threads; default: one a core.
        cpus: CPUs to bind threads to, such as ``[0, 1, 2]`` or ``"S0:0-3"``; ``"none"``: do not
            bind.
        allow_oversubscribe: let several threads share a CPU that is named.
        size: size of each array: bytes, or text such as ``"1GiB"``; default: 4x the last-level
            caches.
        memory_nodes: NUMA nodes to take memory from; default: each thread's own.
        quick: about 10 s: six kernels.
        thorough: about 4 min: all kernels.
        seed: seed of the order of measuring.
        kernel_file: kernels of your own, ``.c``, ``.cpp``, ``.f90`` or ``.so``.
        cc: what compiles them, such as ``"clang -O2"``, once a language; default: the compiler that
            is found, with ``-O3 -march=native``.
        kernel_timeout: seconds that a run of a kernel of your own may take; default: 60.
        mpi: measure with so many MPI ranks; ``threads``: of each (1).
        launcher: with ``mpi``: what starts the ranks.
        hosts: with ``mpi``: a file that names a host a line.
        timeout: with ``mpi``: seconds to wait for a rank (60).
        peak: theoretical peak of the memory in GB/s; default: as found.
        records: keep the records in that file.
        no_wait: fail where another measurement runs, rather than wait.
        store: where to keep the result: a file; default: the user's own store; ``None``: nowhere.
        progress: draw a bar, where stderr is a terminal or in a notebook, and print sentences such
            as that another measurement is waited for. They are in ``notes`` of the result, too.
        give_way: give this process the lowest priority before measuring, as the command's has, so
            that it takes no turns from what is measured. It cannot get back what it had, and what
            it measures later would have the same.

    Raises:
        UsageError: the request cannot be met; nothing was measured.
        NothingMeasuredError: the measurement failed before there was anything to return, or no
            kernel of your own is left. One that failed later is returned, with its ``failure``; so
            is a wrong result, with ``exit_status`` 1.
        Interrupted: it was stopped (Ctrl-C); ``run`` has what was measured until then.
    """
    notes = Notes(progress)
    keeping = keeping_in(store, notes)
    asked = planned(
        kernels=kernels,
        stores=stores,
        isa=isa,
        shape=shape,
        retune=retune,
        no_tune=no_tune,
        type=type,
        threads=threads,
        cpus=cpus,
        allow_oversubscribe=allow_oversubscribe,
        size=size,
        memory_nodes=memory_nodes,
        quick=quick,
        thorough=thorough,
        seed=seed,
        kernel_file=kernel_file,
        cc=cc,
        kernel_timeout=kernel_timeout,
        mpi=mpi,
        launcher=launcher,
        hosts=hosts,
        timeout=timeout,
        peak=peak,
    )
    preparing = kernels_of(asked.own, asked.plan, notes, keeping, wait=not no_wait)
    with preparing as own, notes.bar() as shown:
        plan = own.measured_by(asked.plan, named=kernels is not None)
        plan, shapes = study.recall_shapes(plan, again=retune, note=notes)
        outcome = study.measure(
            plan,
            records_file=as_path("--records", records),
            watch=Watcher(shown),
            note=notes,
            shapes=shapes,
            given=Given(peak_gbps=asked.peak_gbps),
            wait=not no_wait,
            ranks=asked.ranks,
            keeping=keeping,
            last=give_way,
            left_out=own.failures,
        )
    return _returned(outcome, keeping, notes)


def _returned(outcome: study.Outcome, keeping: Keeping, notes: Notes) -> Run:
    ending = Ending(
        exit_status=outcome.exit_status,
        failure=outcome.failure,
        kept=outcome.kept,
        keeping=keeping,
        notes=tuple(notes.sentences),
    )
    found = outcome.answer
    run = None
    if found is not None:
        partial = why_partial(found.run)
        run = Run(Loaded(name_of(outcome.kept), found.result, found, partial), ending)
    return returned(run, ending)
