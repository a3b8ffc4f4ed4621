"""The same loops by every compiler."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from streamgage.api.endings import ended_as_a_run, returned
from streamgage.api.kept_series import Rounds, ending_of, given_rounds
from streamgage.api.kernel_files import Commands, Files, compiled_kernel
from streamgage.api.notes import Notes
from streamgage.api.planned import ElementName
from streamgage.api.series import CompilersRun, just_measured
from streamgage.api.storing import OWN, Place, keeping_in
from streamgage.api.values import (
    MOST_THREADS,
    Cpus,
    Names,
    Number,
    Size,
    as_list,
    as_size,
    choose,
    several,
    whole_number,
)
from streamgage.errors import UsageError
from streamgage.kernels import Compiler, find_compilers, given_compiler
from streamgage.kernels.compiled_kernels import CompiledKernel, build_own, compilers_for
from streamgage.plan import Plan
from streamgage.results.compilers import experiment as study
from streamgage.results.measure.experiment import Request
from streamgage.show.runs_progress import RunsWatcher
from streamgage.store.keep import Keeping


def compilers(
    *,
    cc: Commands | None = None,
    flags: Commands | None = None,
    openmp: Commands | None = None,
    kernel_file: Files | None = None,
    kernel_timeout: float | str | None = None,
    kernels: Names | None = None,
    type: str = "double",
    asm: str | None = None,
    threads: Number | None = None,
    cpus: Cpus | None = None,
    size: Size | None = None,
    quick: bool = False,
    rounds: Number = 3,
    seed: Number | None = None,
    no_wait: bool = False,
    store: Place = OWN,
    progress: bool = True,
) -> CompilersRun:
    """Build the plain loops with every compiler, and compare them: ``streamgage compilers``.

    Args:
        cc: compilers with their flags, such as ``["gcc-13 -O2", "clang -O3"]``; default: all that
            are found, with every set of flags.
        flags: sets of flags for the compilers that are found; default: ``-O2`` and
            ``-O3 -march=native``.
        openmp: measure streamgage's own kernels with these OpenMP runtimes, too, such as
            ``"libomp.so.5"``.
        kernel_file: a kernel of your own in place of the plain loops, ``.c``, ``.cpp`` or ``.f90``.
        kernel_timeout: seconds that a run of a kernel of your own may take; default: 60.
        kernels: kernels; default: copy, scale, add and triad.
        type: type of the elements: ``double`` or ``float``.
        asm: a kernel whose listing by each compiler is in ``listings`` of the result.
        threads: number of threads; default: one a core.
        cpus: CPUs to bind threads to; see ``measure``.
        size: size of each array; default: 4x the last-level caches.
        quick: half of the time for a row.
        rounds: measure every row so many times.
        seed: seed of the order of measuring.
        no_wait: fail where another measurement runs, rather than wait.
        store: where to keep the result; see ``measure``.
        progress: draw a bar and print sentences; see ``measure``.

    Raises:
        UsageError: the request cannot be met, or no compiler is there.
        StreamgageError: the engine does not follow the plan. A row that fails says why in the
            result, whose ``exit_status`` is then 1.
        Interrupted: it was stopped; ``run`` has what was measured until then.
    """
    notes = Notes(progress)
    keeping = keeping_in(store, notes)
    how = given_rounds(rounds, seed, no_wait=no_wait, give_way=False)
    if cc and flags:
        raise UsageError("--flags is for the compilers that are found: write them into --cc.")
    own = compiled_kernel(kernel_file, kernel_timeout)
    if own is not None and (kernels, asm, openmp) != (None, None, None):
        raise UsageError(
            "--kernel-file is measured alone by `streamgage compilers`: leave --kernels, --asm and"
            " --openmp out."
        )
    plan = study.plan_of(
        Request(
            kernels=as_list(kernels),
            element_type=choose(ElementName, "--type", type).value,
            threads=whole_number("--threads", threads, 1, MOST_THREADS),
            cpus=as_list(cpus),
            size=as_size(size),
            tune="never",
            preset=study.QUICK if quick else study.STANDARD,
            checks=False,
            beside=None if own is None else (),
        )
    )
    if asm is not None and asm not in plan.kernels:
        raise UsageError(
            f"--asm {asm} is none of the kernels that are measured: choose of"
            f" {', '.join(plan.kernels)}, or add it with --kernels."
        )
    given = [given_compiler(each) for each in several("--cc", cc)]
    if own is not None:
        given = compilers_for(own.file, given or find_compilers())
    wanted = study.tasks(given, several("--flags", flags) or study.FLAG_SETS, plan.type)
    runtimes = list(study.runtimes(several("--openmp", openmp), plan))
    built, done = _compared(plan, own, wanted, runtimes, how=how, notes=notes, keeping=keeping)
    ending = ending_of(done, keeping, notes)
    listings = {}
    if asm is not None:
        listings = {each.row.name: each.listings[asm] for each in built if asm in each.listings}
    return returned(CompilersRun(just_measured(done.answer, ending), ending, listings), ending)


def _compared(
    plan: Plan,
    own: CompiledKernel | None,
    wanted: Sequence[tuple[Compiler, tuple[str, ...]]],
    runtimes: Sequence[study.Built],
    *,
    how: Rounds,
    notes: Notes,
    keeping: Keeping,
) -> tuple[list[study.Built], study.Measured]:
    """Every row built and measured; what was compiled is gone when this returns."""
    machine = study.this_machine()
    with (
        ended_as_a_run(notes, keeping),
        tempfile.TemporaryDirectory(prefix="streamgage-") as name,
        notes.bar() as shown,
    ):
        folder, watcher = Path(name), RunsWatcher(shown)
        if own is None:
            study.try_out(plan, notes, wait=how.wait)
            rows = study.build(wanted, plan, folder, before=watcher.building)
        else:
            rows = build_own(
                wanted, own, plan, folder, before=watcher.building, note=notes, wait=how.wait
            )
        built = [*rows, *runtimes]
        done = study.compare(
            built,
            how.number,
            machine,
            seed=how.seed,
            before=lambda turn: watcher.starting(turn.number, turn.total, turn.condition.name),
            note=notes,
            wait=how.wait,
        )
    return built, done
