"""Measure this machine's memory."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypedDict, Unpack, cast

from streamgage.analysis.user_facts import Given
from streamgage.api.declaration import CommandLineOnly, Default, Shown, command, declaration_of
from streamgage.api.ending import returned
from streamgage.api.kernel_checks import KernelChecks, checks_of
from streamgage.api.kernel_files import BuildOptions, KernelOptions, given_kernels, kernels_of
from streamgage.api.measurement import (
    Measurement,
    OrderOptions,
    PriorityOptions,
    RunOptions,
    WaitOptions,
    seed_of,
)
from streamgage.api.ranks import RankOptions, given_ranks
from streamgage.api.run import Run
from streamgage.api.series import name_of
from streamgage.api.values import (
    MOST_THREADS,
    Cpus,
    ElementName,
    Files,
    Names,
    Nodes,
    Number,
    PathLike,
    Rate,
    Shape,
    Size,
    as_list,
    as_shape,
    as_size,
    choose,
    given_peak,
    several,
    whole_number,
)
from streamgage.errors import UsageError
from streamgage.kernels.own_kernels import REFERENCES, KernelsAsked
from streamgage.plan import Plan
from streamgage.process.ranks import Ranks
from streamgage.results.measure import KIND
from streamgage.results.measure import experiment as study
from streamgage.results.ranks import find_ranks, plan_of_ranks
from streamgage.results.summarise import why_partial
from streamgage.show.progress import Watcher
from streamgage.store.load import Loaded

EXAMPLES = (
    ("streamgage measure", "This machine's memory, in about half a minute."),
    ("streamgage measure --quick --threads 1", "One thread alone, six kernels, about 10 s."),
    (
        "streamgage measure --kernels copy,triad --stores plain,streaming",
        "Two kernels with ordinary and with streaming stores.",
    ),
    (
        "streamgage measure --cpus S0:0-1 --format json -o result.json",
        "Threads on two cores of the first socket; the result as JSON.",
    ),
    ("streamgage measure --mpi 2 --timeout 120", "Two MPI ranks, each with a part of the arrays."),
    (
        "streamgage measure --kernel-file examples/kernels/stencil.c",
        "A kernel of one's own, beside some of the catalogue.",
    ),
)


class ThreadOptions(TypedDict, total=False):
    """Which elements, by which threads, and where.

    Args:
        type: Type of the elements.
        threads: Number of threads; default: one a core.
        cpus: CPUs to bind threads to, e.g. 0-3,8 or S0:0-3; none: do not bind. In Python a list
            such as ``[0, 1, 2]``, too.
        allow_oversubscribe: Let several threads share a CPU that is named.
        size: Size of each array, e.g. 1GiB; default: 4x the last-level caches.
        memory_nodes: NUMA nodes to take memory from, e.g. 1 or 0-1; default: each thread's own.
    """

    type: Annotated[ElementName | str, Default("double")]
    threads: Number | None
    cpus: Cpus | None
    allow_oversubscribe: bool
    size: Size | None
    memory_nodes: Nodes | None


class PlanOptions(ThreadOptions, OrderOptions, KernelOptions, RankOptions, total=False):
    """What is measured.

    Args:
        kernels: Kernels, e.g. copy,triad.
        stores: Store modes: plain, regular, streaming, claim, libc.
        isa: Instruction sets to compare, e.g. SSE2,AVX2; default: the best.
        shape: Access shape to try, e.g. streams=4,block=4KiB. In Python a mapping such as
            ``{"streams": 4, "block": "4KiB"}``, too.
        retune: Seek the quickest shapes anew (about 20 s).
        no_tune: Measure standard shapes only.
        **ThreadOptions
        quick: About 10 s: six kernels.
        thorough: About 4 min: all kernels.
        **OrderOptions
        **KernelOptions
        check: Check the kernel files with guard pages; measure nothing.
        mpi: Measure with N MPI ranks; --threads: of each (1).
        **RankOptions
        peak: Theoretical peak of the memory; default: as found. In Python GB/s.
    """

    kernels: Names | None
    stores: Names | None
    isa: Names | None
    shape: Shape | None
    retune: bool
    no_tune: bool
    quick: bool
    thorough: bool
    check: Annotated[bool, CommandLineOnly()]
    mpi: Number | None
    peak: Rate | None


class Options(PlanOptions, RunOptions, PriorityOptions, total=False):
    """All that ``measure`` takes, but for the records."""


def _refuse(_form: str, output: Path | None, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Refuse one file for both the result and the records."""
    if values.get("check") and not values.get("kernel_file"):
        raise UsageError("--check goes with --kernel-file: name a kernel of your own.")
    records = values.get("records")
    if output is None or records is None:
        return {}
    one, other = (Path(os.path.realpath(path)) for path in (output, records))
    if one == other and (one.is_file() or not one.exists()):
        raise UsageError(
            f"-o and --records both name {records}, and one would overwrite the other: name two"
            " files."
        )
    return {}


@command(Shown(KIND.formats, measures=True, details=("verbose", "explain"), check=_refuse))
def measure(*, records: PathLike | None = None, **options: Unpack[Options]) -> Run:
    """Measure this machine's memory and print the answer.

    It takes about half a minute, and the first time on a machine 20 s more.

    Args:
        **PlanOptions
        records: Keep the records in FILE.
        **RunOptions
        **PriorityOptions

    Raises:
        UsageError: the request cannot be met; nothing was measured.
        NothingMeasuredError: the measurement failed before there was anything to return, or no
            kernel of your own is left. One that failed later is returned, with its ``failure``; so
            is a wrong result, with ``exit_status`` 1.
        Interrupted: it was stopped (Ctrl-C); ``run`` has what was measured until then.
    """
    measurement = Measurement(options)
    asked = planned(options)
    if options["check"]:
        return cast(
            Run, checks_of(asked.own, asked.plan, measurement)
        )  # which the command line shows
    notes = measurement.notes
    with kernels_of(asked.own, asked.plan, measurement) as own, notes.bar() as shown:
        plan = own.measured_by(asked.plan, named=options["kernels"] is not None)
        plan, shapes = study.recall_shapes(plan, again=options["retune"], note=notes)
        outcome = study.measure(
            plan,
            spool=measurement.spool(records),
            watch=Watcher(shown),
            note=notes,
            shapes=shapes,
            given=Given(peak_gbps=asked.peak_gbps),
            wait=measurement.wait,
            ranks=asked.ranks,
            last=options["give_way"],
            left_out=own.failures,
        )
    found = outcome.answer
    document = None if found is None else found.result
    ending = measurement.ending_of_run(document, outcome.one, records=records, found=found)
    run = None
    if found is not None:
        partial = why_partial(found.run)
        run = Run(Loaded(name_of(ending.stored), found.result, found, partial), ending)
    return returned(run, ending)


@dataclass(frozen=True)
class Planned:
    """What is to be measured, by which ranks (null: threads alone), and with which own kernels."""

    plan: Plan
    ranks: Ranks | None
    own: KernelsAsked | None
    peak_gbps: float | None


def planned(options: PlanOptions) -> Planned:
    """The plan. Raises ``UsageError`` where an option is wrong, or does not go with another."""
    retune, no_tune = options["retune"], options["no_tune"]
    if options["quick"] and options["thorough"]:
        raise UsageError("--quick and --thorough exclude each other: leave one out.")
    if retune and no_tune:
        raise UsageError("--retune and --no-tune exclude each other: leave one out.")
    own = given_kernels(options)
    if own is not None and options["mpi"] is not None:
        raise UsageError("--kernel-file does not go with --mpi: threads run a kernel of your own.")
    oversubscribe = options["allow_oversubscribe"]
    asked = given_ranks(options["mpi"], options, oversubscribe=oversubscribe)
    number = whole_number("--threads", options["threads"], 1, MOST_THREADS)
    request = study.Request(
        kernels=as_list(options["kernels"]),
        beside=None if own is None else REFERENCES,
        stores=as_list(options["stores"]),
        element_type=choose(ElementName, "--type", options["type"]).value,
        threads=number if asked is None else None,
        cpus=as_list(options["cpus"]),
        oversubscribe=oversubscribe,
        by_ranks=asked is not None,
        size=as_size(options["size"]),
        memory_nodes=as_list(options["memory_nodes"]),
        isa=as_list(options["isa"]),
        shape=as_shape(options["shape"]),
        tune="again" if retune else "never" if no_tune or own is not None else "once",
        preset=(
            study.QUICK
            if options["quick"]
            else study.THOROUGH
            if options["thorough"]
            else study.STANDARD
        ),
        seed=seed_of(options),
        peak_gbps=given_peak(options["peak"]),
    )
    plan = study.make_plan(request)
    if asked is None:
        return Planned(plan, None, own, request.peak_gbps)
    if retune:
        raise UsageError("--retune does not go with --mpi: ranks seek no shapes.")
    ranks = find_ranks(asked, number)
    return Planned(plan_of_ranks(plan, ranks), ranks, own, request.peak_gbps)


class CheckOptions(BuildOptions, ThreadOptions, WaitOptions, total=False):
    """What building, placing and running have to know."""


@command()
def check_kernels(kernel_file: Files, **options: Unpack[CheckOptions]) -> KernelChecks:
    """Check kernels of your own and measure nothing: ``streamgage measure --check``.

    Each is compiled, and run between guard pages in a process of its own, so that one that crashes
    takes nothing with it. A kernel that fails is in ``failures``, and is no exception.

    Args:
        kernel_file: Kernels of your own, .c, .cpp, .f90 or .so.
        **BuildOptions
        **ThreadOptions
        **WaitOptions

    Raises:
        UsageError: there is no such file, or an option cannot be met.
        Interrupted: it was stopped (Ctrl-C).
    """
    files = several("--kernel-file", kernel_file)  # an iterator would be empty the second time
    if not files:
        raise UsageError("There is no kernel to check: name a file with one.")
    defaults = {name: each.default for name, each in declaration_of(measure).options.items()}
    asked = cast(PlanOptions, {**defaults, **options, "kernel_file": files})
    waiting: RunOptions = {
        "no_wait": options["no_wait"],
        "progress": options["progress"],
        "store": None,
        "label": None,
    }
    plan = planned(asked)
    return checks_of(plan.own, plan.plan, Measurement(waiting))
