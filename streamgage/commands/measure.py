"""Measure this machine's memory."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, TypedDict, Unpack, cast

from streamgage.analysis.shapes import shape_of
from streamgage.analysis.user_facts import UserFacts
from streamgage.api.run import Run
from streamgage.api.series import name_of
from streamgage.errors import UsageError
from streamgage.kernels.own_kernels import REFERENCES, KernelsAsked
from streamgage.measurement.ending import returned
from streamgage.measurement.kernel_checks import KernelChecks, checks_of
from streamgage.measurement.kernel_files import (
    BuildOptions,
    KernelOptions,
    given_kernels,
    kernels_of,
)
from streamgage.measurement.measurement import (
    Measurement,
    OrderOptions,
    PriorityOptions,
    RunOptions,
    WaitOptions,
    seed_of,
)
from streamgage.options.arrays import ArrayOptions, array_setup
from streamgage.options.declaration import CommandLineOnly, Default, Shown, command, declaration_of
from streamgage.options.ranks import RankOptions, given_ranks
from streamgage.options.values import (
    MOST_THREADS,
    NAME,
    Cpus,
    ElementName,
    Files,
    Kernels,
    Names,
    Nodes,
    Number,
    PathLike,
    Rate,
    Shape,
    Size,
    Stores,
    bytes_of,
    cache_bytes,
    choose,
    given_peak,
    names_of,
    nodes_of,
    several,
    whole_number,
)
from streamgage.plan import Plan
from streamgage.process.ranks import Ranks
from streamgage.results.measure import KIND, experiment
from streamgage.results.measure.stream_table import KERNELS as STREAM_KERNELS
from streamgage.results.placement import placement_of
from streamgage.results.preset import Preset, make_plan
from streamgage.results.ranks import find_ranks, plan_of_ranks
from streamgage.results.summarise import why_partial
from streamgage.show.progress import Watcher
from streamgage.units import listed

EXAMPLES = (
    ("streamgage measure", "Measure this machine's memory, in about half a minute."),
    ("streamgage measure --quick --threads 1", "One thread, the most important kernels, 10 s."),
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
        "Your own kernel, next to the built-in ones.",
    ),
    ("streamgage measure --device opencl:0", "The memory of the first device that OpenCL lists."),
)


class ThreadOptions(TypedDict, total=False):
    """Options for elements, threads and their placement.

    Args:
        type: Type of the array elements.
        threads: Number of threads; default: one per core.
        cpus: CPUs to bind threads to, e.g. 0-3,8 or S0:0-3; none: do not bind. In Python a list
            such as ``[0, 1, 2]``, too.
        allow_oversubscribe: Let several threads share a CPU.
        size: Size of each array, e.g. 1GiB; default: 4x the last-level caches.
        memory_nodes: NUMA nodes to take memory from, e.g. 1 or 0-1; default: each thread's own.
    """

    type: Annotated[ElementName | str, Default("double")]
    threads: Number | None
    cpus: Cpus | None
    allow_oversubscribe: bool
    size: Size | None
    memory_nodes: Nodes | None


class PlanOptions(
    ThreadOptions, ArrayOptions, OrderOptions, KernelOptions, RankOptions, total=False
):
    """Options that say what is measured.

    Args:
        device: A device to measure in place of the processor, e.g. opencl:0 (docs/devices.md).
        kernels: Kernels to measure, e.g. copy,triad.
        stores: Kinds of store: plain, regular, streaming, claim, libc.
        isa: Instruction sets to compare, e.g. SSE2,AVX2; default: the best.
        shape: Access shape to try, e.g. streams=4,block=4KiB. In Python a mapping such as
            ``{"streams": 4, "block": "4KiB"}``, too.
        retune: Search again for the fastest access shapes, before measuring (20 s more).
        no_tune: Measure only the standard access shape.
        **ThreadOptions
        llc: Size of the last-level caches, e.g. 32MiB; default: what the machine reports.
        **ArrayOptions
        quick: Measure what is most important, in 10 s.
        thorough: Measure everything until it is settled, in at most 5 min.
        **OrderOptions
        **KernelOptions
        check: Only check the kernel files, with guard pages; measure nothing.
        mpi: Measure with N MPI ranks; --threads is then per rank (1).
        **RankOptions
        peak: Theoretical peak of the memory; default: what was found. In Python GB/s.
    """

    device: Annotated[str | None, NAME]
    kernels: Kernels | None
    stores: Stores | None
    isa: Names | None
    shape: Shape | None
    retune: bool
    no_tune: bool
    llc: Size | None
    quick: bool
    thorough: bool
    check: Annotated[bool, CommandLineOnly()]
    mpi: Number | None
    peak: Rate | None


class Options(PlanOptions, RunOptions, PriorityOptions, total=False):
    """All options of ``measure`` except ``records``."""


def _settle(form: str, output: Path | None, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Refuse one file for both the result and the records; add the kernels of STREAM's table."""
    if values.get("check") and not values.get("kernel_file"):
        raise UsageError("--check needs --kernel-file: name your own kernel.")
    if values.get("check") and values.get("wait_idle") is not None:
        raise UsageError("--check measures nothing, so it does not wait: leave --wait-idle out.")
    more = _for_stream(values) if form == "stream" and not values.get("check") else {}
    records = values.get("records")
    if output is None or records is None:
        return more
    one, other = (Path(os.path.realpath(path)) for path in (output, records))
    if one == other and (one.is_file() or not one.exists()):
        raise UsageError(
            f"-o and --records both name {records}, so one would overwrite the other: name two"
            " files."
        )
    return more


def _for_stream(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Add the kernels of STREAM's table to those that are measured.

    Raises ``UsageError`` if the user's choice of kernels or stores excludes some of them.
    """
    stores = names_of("--stores", values.get("stores"))
    if stores and set(stores) <= {"libc"}:
        raise UsageError(
            "--format stream needs copy, scale, add and triad, but --stores libc has only copy:"
            " add another kind of store, or choose another format."
        )
    named = values.get("kernels")
    if named is None:
        usual = REFERENCES if values.get("kernel_file") else _preset(values).kernels
        wanted = {*usual, *STREAM_KERNELS}
        return {"kernels": [each for each in experiment.THOROUGH.kernels if each in wanted]}
    kernels = names_of("--kernels", named, or_none=bool(values.get("kernel_file"))) or []
    missing = [each for each in STREAM_KERNELS if each not in kernels]
    if missing:
        raise UsageError(
            "--format stream needs copy, scale, add and triad, but --kernels leaves"
            f" {listed(missing)} out: name all four, leave --kernels out, or choose another format."
        )
    return {}


def _preset(values: Mapping[str, Any]) -> Preset:
    if values["quick"]:
        return experiment.QUICK
    return experiment.THOROUGH if values["thorough"] else experiment.STANDARD


@command(Shown(KIND.formats, measures=True, details=True, check=_settle))
def measure(*, records: PathLike | None = None, **options: Unpack[Options]) -> Run:
    """Measure this machine's memory and print the answer.

    It takes at most half a minute. It measures the most important figures first and names those
    that it had no time for.

    Args:
        **PlanOptions
        records: Also write the records to FILE.
        **RunOptions
        **PriorityOptions

    Raises:
        UsageError: the request cannot be met; nothing was measured.
        NothingMeasuredError: the measurement failed before there was anything to return, or every
            kernel of your own failed. A measurement that failed later is returned, with its
            ``failure``. So is a wrong result, with ``exit_status`` 1.
        Interrupted: it was stopped (Ctrl-C); ``run`` has what was measured before.
    """
    measurement = Measurement(options)
    asked = planned(options)
    if options["check"]:
        return cast(
            Run, checks_of(asked.own, asked.plan, measurement)
        )  # which the command line shows
    notes = measurement.notes
    with (
        kernels_of(asked.own, asked.plan, measurement) as own,
        notes.bar() as shown,
        measurement.spool(records) as spool,
    ):
        plan = own.measured_by(asked.plan, named=options["kernels"] is not None)
        busy = measurement.look()
        if asked.ranks is None and plan.device is None:
            plan = experiment.size_by_caches(plan, wait=measurement.wait, note=notes)
        shapes = None
        if plan.device is None:
            plan, shapes = experiment.recall_shapes(
                plan, again=options["retune"], busy=busy, note=notes
            )
        outcome = experiment.measure(
            plan,
            spool=spool,
            watch=Watcher(shown),
            note=notes,
            shapes=shapes,
            given=UserFacts(peak_gbps=asked.peak_gbps),
            wait=measurement.wait,
            ranks=asked.ranks,
            last=options["give_way"],
            left_out=own.failures,
        )
    result = outcome.result
    ending = measurement.ending_of_run(result, outcome.engine_run, records=records)
    run = None
    if result is not None:
        known = replace(result, called=name_of(ending.stored), partial=why_partial(result.run))
        run = Run(known, ending)
    return returned(run, ending)


@dataclass(frozen=True)
class Planned:
    """What to measure, with the ranks (``None``: only threads) and the user's kernels."""

    plan: Plan
    ranks: Ranks | None
    own: KernelsAsked | None
    peak_gbps: float | None


def planned(options: PlanOptions) -> Planned:
    """Make the plan. Raises ``UsageError`` if an option is wrong or conflicts with another."""
    retune, no_tune = options["retune"], options["no_tune"]
    if options["quick"] and options["thorough"]:
        raise UsageError("--quick and --thorough exclude each other: leave one out.")
    if retune and no_tune:
        raise UsageError("--retune and --no-tune exclude each other: leave one out.")
    if options["device"] is not None:
        return _on_device(options, options["device"])
    own = given_kernels(options)
    if own is not None and options["mpi"] is not None:
        raise UsageError(
            "--kernel-file cannot be combined with --mpi: only threads can run your own kernel."
        )
    oversubscribe = options["allow_oversubscribe"]
    asked = given_ranks(options["mpi"], options, oversubscribe=oversubscribe)
    number = whole_number("--threads", options["threads"], 1, MOST_THREADS)
    peak = given_peak(options["peak"])
    shape = options["shape"]
    plan = make_plan(
        _preset(options),
        kernels=names_of("--kernels", options["kernels"], or_none=own is not None),
        own=None if own is None else REFERENCES,
        stores=names_of("--stores", options["stores"]),
        isas=names_of("--isa", options["isa"]),
        shape=None if shape is None else shape_of(shape),
        search="again" if retune else "never" if no_tune or own is not None else "once",
        type=choose(ElementName, "--type", options["type"]).value,
        arrays=array_setup(options),
        placement=placement_of(
            options["cpus"],
            number if asked is None else None,
            oversubscribe=oversubscribe,
            by_ranks=asked is not None,
        ),
        array_bytes=bytes_of("--size", options["size"]),
        last_level_cache_bytes=cache_bytes(options["llc"]),
        memory_nodes=nodes_of(options["memory_nodes"]),
        seed=seed_of(options),
        peak_gbps=peak,
        checks=True,
    )
    if asked is None:
        return Planned(plan, None, own, peak)
    if retune:
        raise UsageError("--retune cannot be combined with --mpi: ranks do not search for shapes.")
    ranks = find_ranks(asked, number)
    return Planned(plan_of_ranks(plan, ranks), ranks, own, peak)


_OF_PROCESSORS = (
    *("threads", "cpus", "allow_oversubscribe", "memory_nodes", "stores", "isa", "shape", "align"),
    *("init", "kernel_file", "cc", "kernel_timeout", "mpi", "launcher", "hosts", "timeout"),
)
"""Options that mean nothing on a device."""


def _on_device(options: PlanOptions, device: str) -> Planned:
    """The plan for a device. Raises ``UsageError``, also for options of processors alone."""
    declared, given = declaration_of(measure).options, cast(Mapping[str, Any], options)
    for name in _OF_PROCESSORS:
        if given[name] != declared[name].default and given[name] not in (None, False):
            raise UsageError(
                f"--{name.replace('_', '-')} is for processors, and --device names a device: leave"
                " one of them out."
            )
    if options["retune"]:
        raise UsageError(
            "--retune does not go with --device: every run looks for a device's shapes."
        )
    peak = given_peak(options["peak"])
    plan = experiment.plan_on_device(
        _preset(options),
        device,
        kernels=names_of("--kernels", options["kernels"]),
        tuned=not options["no_tune"],
        type=choose(ElementName, "--type", options["type"]).value,
        array_bytes=bytes_of("--size", options["size"]),
        last_level_cache_bytes=cache_bytes(options["llc"]),
        seed=seed_of(options),
    )
    return Planned(plan, None, None, peak)


class CheckOptions(BuildOptions, ThreadOptions, WaitOptions, total=False):
    """Options for building, placing and running the kernels."""


@command()
def check_kernels(kernel_file: Files, **options: Unpack[CheckOptions]) -> KernelChecks:
    """Check kernels of your own and measure nothing: ``streamgage measure --check``.

    Each is compiled and then run between guard pages, in a process of its own, so a crash does no
    harm. A kernel that fails raises no exception: it is in ``failures``.

    Args:
        kernel_file: Your own kernels: .c, .cpp, .f90 or .so.
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
    waiting = cast(RunOptions, {**defaults, **options, "store": None})
    plan = planned(asked)
    return checks_of(plan.own, plan.plan, Measurement(waiting))
