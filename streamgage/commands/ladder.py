"""Bandwidth over the size of the working set."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

from streamgage.analysis.hierarchy import Mode
from streamgage.api.endings import returned
from streamgage.api.kept_series import ending_of, given_rounds, in_rounds
from streamgage.api.kernel_files import Commands, Files, given_kernels, kernels_of
from streamgage.api.notes import Notes
from streamgage.api.series import LadderRun, just_measured
from streamgage.api.storing import OWN, Place, keeping_in
from streamgage.api.values import (
    MOST_THREADS,
    Cpus,
    Names,
    Number,
    Size,
    as_list,
    bytes_of,
    whole_number,
)
from streamgage.errors import UsageError
from streamgage.results.ladder import experiment as study
from streamgage.results.measure.experiment import Request, make_plan

MOST_STEPS = 32


def ladder(
    *,
    kernels: Names | None = None,
    stores: Names = "regular",
    modes: Names = ("sequential", "worksharing", "throughput"),
    from_: Size | None = None,
    to: Size | None = None,
    steps: Number = 3,
    threads: Number | None = None,
    cpus: Cpus | None = None,
    kernel_file: Files | None = None,
    cc: Commands | None = None,
    kernel_timeout: float | str | None = None,
    quick: bool = False,
    rounds: Number = 2,
    seed: Number | None = None,
    no_wait: bool = False,
    store: Place = OWN,
    progress: bool = True,
    give_way: bool = False,
) -> LadderRun:
    """Measure bandwidth from the first cache to memory: ``streamgage ladder``.

    Args:
        kernels: kernels; default: triad.
        stores: store modes.
        modes: ``sequential``: one thread; ``worksharing``: all threads share the working set;
            ``throughput``: each has its own.
        from_: smallest working set; default: 8 KiB.
        to: largest; default: 4x the last-level caches in use.
        steps: working sets for each doubling of the size.
        threads: number of threads; default: one a core.
        cpus: CPUs to bind threads to; see ``measure``.
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
        StreamgageError: no point could be measured.
        Interrupted: it was stopped; ``run`` has the points that were measured until then.
    """
    notes = Notes(progress)
    keeping = keeping_in(store, notes)
    how = given_rounds(rounds, seed, no_wait=no_wait, give_way=give_way)
    files = given_kernels(kernel_file, cc, kernel_timeout)
    asked = study.LadderRequest(
        request=Request(
            kernels=as_list(kernels),
            stores=as_list(stores),
            tune="never",
            preset=study.QUICK if quick else study.STANDARD,
            checks=False,
            beside=None if files is None else (),
        ),
        modes=_modes(modes),
        low=bytes_of("--from", from_),
        high=bytes_of("--to", to),
        steps_an_octave=whole_number("--steps", steps, 1, MOST_STEPS) or 1,
        threads=whole_number("--threads", threads, 1, MOST_THREADS),
        cpus=as_list(cpus),
    )
    plan = make_plan(asked.request)
    with kernels_of(files, plan, notes, keeping, wait=not no_wait) as prepared:
        rungs = study.rungs_of_this_machine(replace(asked, own=prepared))
        done = in_rounds(study.measure_ladder, rungs, how, notes)
    ending = ending_of(done, keeping, notes, failed=bool(prepared.failures))
    return returned(LadderRun(just_measured(done.answer, ending), ending), ending)


def _modes(given: Names) -> tuple[Mode, ...]:
    known: tuple[Mode, ...] = get_args(Mode)
    text = as_list(given) or ""
    names = [name.strip() for name in text.split(",")]
    wrong = [name for name in names if name not in known]
    if wrong:
        raise UsageError(
            f"--modes {text!r} has {wrong[0]!r}: write some of {', '.join(known)}, with commas"
            " between."
        )
    return tuple(mode for mode in known if mode in names)
