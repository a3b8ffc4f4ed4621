"""Measure this machine's memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Required, TypedDict, Unpack, cast, overload

from streamgage.analysis.shapes import shape_of
from streamgage.analysis.user_facts import UserFacts
from streamgage.api.device_runs import DeviceRuns
from streamgage.api.run import Run
from streamgage.api.runs import Ending
from streamgage.api.series import SeriesRun, name_of
from streamgage.errors import FAILED, StreamgageError, UsageError
from streamgage.kernels.own_kernels import REFERENCES, KernelRequest
from streamgage.measurement.ending import MeasurementInterrupt, returned
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
    SeriesOptions,
    WaitOptions,
    rounds_of,
    seed_of,
)
from streamgage.options.arrays import ArrayOptions, array_setup, pages_of
from streamgage.options.declaration import (
    CommandLineOnly,
    Default,
    Display,
    Mode,
    command,
    declaration_of,
)
from streamgage.options.device import ALL, SEVERAL, Several, refuse_for_processors
from streamgage.options.drawing import drawn
from streamgage.options.question import Question
from streamgage.options.ranks import RankOptions, given_ranks
from streamgage.options.values import (
    DEVICE,
    MOST_THREADS,
    Cpus,
    ElementName,
    Files,
    Kernels,
    Names,
    NewFile,
    Nodes,
    Number,
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
from streamgage.process.this_machine import devices_of
from streamgage.results.measure import KIND, experiment
from streamgage.results.measure.stream_table import KERNELS as STREAM_KERNELS
from streamgage.results.placement import placement_of, placements_of
from streamgage.results.preset import Preset, make_plan
from streamgage.results.ranks import find_ranks, plan_of_ranks
from streamgage.results.repeat import KIND as REPEAT
from streamgage.results.repeat import experiment as repetition
from streamgage.results.repeat.document import Repeat
from streamgage.results.summarise import why_partial
from streamgage.show.picture_file import PICTURES
from streamgage.show.progress import Watcher
from streamgage.units import listed

ANSWERS = Question.MEMORY
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
    (
        "streamgage measure --runs 20 -o runs.svg",
        "How much runs differ: 20 bound and 20 unbound ones, with a picture.",
    ),
    ("streamgage measure --runs 20 --pages 4k,2m", "What huge pages bring, in 20 pairs of runs."),
    (
        "streamgage measure --runs 5 --quick --kernels triad",
        "The same with one kernel, for a first impression.",
    ),
    ("streamgage measure --device cuda:0", "The memory of the first GPU that CUDA lists."),
    ("streamgage measure --device gpu", "The memory of every GPU, one after the other."),
)


class ThreadOptions(TypedDict, total=False):
    """Options for elements, threads and their placement.

    Args:
        type: Type of the array elements.
        threads: Number of threads; default: one per core.
        cpus: CPUs to bind threads to, e.g. 0-3,8 or S0:0-3, or compact, scatter, smt, cores; none:
            do not bind. With --runs the placements to compare (none,cores). In Python a list such
            as ``[0, 1, 2]``, too.
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


class TargetOptions(
    ThreadOptions, ArrayOptions, OrderOptions, KernelOptions, RankOptions, total=False
):
    """Options that say what is measured of a processor or device.

    Args:
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
        quick: Measure only the most important figures, in 10 s.
        thorough: Measure everything until the figures no longer change, in at most 5 min.
        **OrderOptions
        **KernelOptions
        check: Only check the kernel files, with guard pages; measure nothing.
        mpi: Measure with N MPI ranks; --threads is then per rank (1).
        **RankOptions
        peak: Theoretical peak of the memory; default: what was found. In Python GB/s.
    """

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


class PlanOptions(TargetOptions, total=False):
    """Options that say what is measured.

    Args:
        device: Measure a device in place of the processor: cuda:0, hip:0, opencl:0 and others; gpu:
            every GPU, one by one; all: the processor, then every device (docs/devices.md).
        **TargetOptions
    """

    device: Annotated[str | None, DEVICE]


class Options(PlanOptions, RunOptions, PriorityOptions, total=False):
    """All options of a single run except ``records``."""


class SeveralOptions(TargetOptions, RunOptions, PriorityOptions, total=False):
    """The options of a run on each of several devices."""

    device: Required[Several]


class RepeatOptions(ArrayOptions, SeriesOptions, total=False):
    """Options of repeated runs, except their number."""

    kernels: Kernels | None
    stores: Stores | None
    threads: Number | None
    cpus: Cpus | None
    allow_oversubscribe: bool
    size: Size | None
    quick: bool


_DOTS = f"draw every run as a dot in {PICTURES}, with the data in FILE.csv"
_REPEATS = Mode(
    "runs",
    "repeats whole runs",
    drawn(REPEAT),
    takes=tuple(RepeatOptions.__annotations__),
)


def _settle(form: str, output: Path | None, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Refuse conflicting options, and add the kernels that STREAM's table needs."""
    if values.get("check") and not values.get("kernel_file"):
        raise UsageError("--check needs --kernel-file: name your own kernel.")
    if values.get("check") and values.get("wait_idle") is not None:
        raise UsageError("--check measures nothing, so it does not wait: leave --wait-idle out.")
    return _for_stream(values) if form == "stream" and not values.get("check") else {}


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


@overload
def measure(  # type: ignore[overload-overlap]  # a str may be one of these names
    *, runs: None = None, **options: Unpack[SeveralOptions]
) -> DeviceRuns: ...
@overload
def measure(
    *, runs: None = None, records: NewFile | None = None, **options: Unpack[Options]
) -> Run: ...
@overload
def measure(
    *,
    runs: Number,
    **options: Unpack[RepeatOptions],
) -> SeriesRun[Repeat]: ...
@command(
    Display(
        KIND.formats,
        output=f"Write the result to FILE, not to stdout. With --runs: {_DOTS}.",
        measures=True,
        check=_settle,
        modes=(_REPEATS,),
    )
)
def measure(
    *,
    runs: Number | None = None,
    records: NewFile | None = None,
    **options: Unpack[Options],
) -> Run | DeviceRuns | KernelChecks | SeriesRun[Repeat]:
    """Measure this machine's memory and print the answer.

    It takes at most half a minute. It measures the most important figures first, and names those
    for which there was no time. With a ``device`` of ``gpu`` or ``all`` it returns ``DeviceRuns``,
    which have a result for each. With ``runs`` it makes many short runs, bound and unbound in turn,
    and says how much they differ.

    Args:
        **PlanOptions
        runs: Make N runs with each placement in turn, or with each of several --pages, and compare
            them; by default of copy, scale, add and triad with plain stores.
        records: Also write the records to FILE.
        **RunOptions
        **PriorityOptions

    Raises:
        UsageError: the request cannot be met; nothing was measured.
        NothingMeasuredError: the measurement failed before there was anything to return, or every
            kernel of your own failed. A measurement that failed later is returned, with its
            ``failure``. So is a wrong result, with ``exit_status`` 1.
        StreamgageError: with ``runs``: the first run measured nothing. Later runs that fail are
            gaps, and ``exit_status`` is 1.
        MeasurementInterrupt: it was stopped (Ctrl-C); ``run`` has what was measured before.
    """
    if runs is not None:
        return _repeated(runs, options)
    if options["device"] in SEVERAL:
        return _on_devices(options, records)
    measurement = Measurement(options)
    request = planned(options)
    if request.plan.device is not None:
        devices_of(request.plan.device)  # it says at once that there is none
    if options["check"]:
        return checks_of(request.own, request.plan, measurement)
    return _measured(request, options, measurement, records)


def _measured(
    request: PlannedMeasurement,
    options: Options,
    measurement: Measurement,
    records: NewFile | None,
) -> Run:
    """Measure what is planned."""
    notes = measurement.notes
    with (
        kernels_of(request.own, request.plan, measurement) as own,
        notes.bar() as shown,
        measurement.spool(records) as spool,
    ):
        plan = own.measured_by(request.plan, named=options["kernels"] is not None)
        busy = measurement.look()
        if request.ranks is None and plan.device is None:
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
            given=UserFacts(peak_gbps=request.peak_gbps),
            wait=measurement.wait,
            ranks=request.ranks,
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


def _repeated(runs: Number, options: Options) -> SeriesRun[Repeat]:
    """Measure many times, each time in a new process."""
    measurement = Measurement(options)
    how = rounds_of(runs, options, give_way=options["give_way"], option="--runs")
    plans = {
        pages: make_plan(
            repetition.QUICK if options["quick"] else repetition.STANDARD,
            kernels=names_of("--kernels", options["kernels"]),
            stores=names_of("--stores", options["stores"]) or repetition.STORES,
            arrays=array_setup(options, pages),
            array_bytes=bytes_of("--size", options["size"]),
        )
        for pages in pages_of(options)
    }
    cpus = options["cpus"]
    usual = repetition.PLACEMENTS if len(plans) == 1 else repetition.BOUND
    names = usual if cpus is None else placements_of(cpus)
    number = whole_number("--threads", options["threads"], 1, MOST_THREADS)
    settings = repetition.compared(
        plans, names, number, oversubscribe=options["allow_oversubscribe"]
    )
    return measurement.returned(SeriesRun, measurement.in_rounds(repetition.repeat, settings, how))


def _on_devices(options: Options, records: NewFile | None) -> DeviceRuns:
    """Measure the devices one by one; ``all`` is first the processor.

    Raises ``UsageError`` before anything is measured, and ``MeasurementInterrupt`` with the results
    until then.
    """
    name = options["device"] or ""
    _refuse_of_processors(options)
    for option, given in (("--records", records), ("--peak", options["peak"])):
        if given is not None:
            raise UsageError(
                f"{option} is for one run, and --device {name} makes several: leave one of them"
                " out, or name one device."
            )
    if name == ALL and options["kernel_file"]:
        raise UsageError(
            f"--device {ALL} measures the processor, too, and no --kernel-file runs on both: name"
            " one device."
        )
    found = devices_of(name)
    devices: list[str | None] = [None] if name == ALL else []
    devices += [each.id for each in found.devices]
    of_each = [cast("Options", {**options, "device": each}) for each in devices]
    plans = [planned(each) for each in of_each]
    runs: list[Run] = []
    notes: list[str] = []
    failures: list[StreamgageError] = []
    for number, (request, own) in enumerate(zip(plans, of_each, strict=True), 1):
        last = number == len(plans)
        measurement = Measurement(own)
        try:
            runs.append(
                _measured(
                    request,
                    cast("Options", {**own, "give_way": own["give_way"] and last}),
                    measurement,
                    None,
                )
            )
        except StreamgageError as failed:
            failures.append(failed)
            measurement.notes(f"{own['device'] or 'The processor'} is left out: {failed}")
        except MeasurementInterrupt as stopped:
            until = [*runs, *([stopped.run] if isinstance(stopped.run, Run) else [])]
            all_notes = (*notes, *measurement.notes.sentences)
            status = stopped.ending.exit_status
            kept = DeviceRuns(until, status, all_notes) if until else None
            raise MeasurementInterrupt(kept, Ending(status, notes=all_notes)) from stopped
        notes += measurement.notes.sentences
    if not runs:
        raise failures[0]
    status = max([FAILED] * bool(failures) + [each.exit_status for each in runs])
    return DeviceRuns(runs, status, notes)


@dataclass(frozen=True)
class PlannedMeasurement:
    """The plan of a measurement, its ranks (``None``: only threads) and the user's own kernels."""

    plan: Plan
    ranks: Ranks | None
    own: KernelRequest | None
    peak_gbps: float | None


def planned(options: PlanOptions) -> PlannedMeasurement:
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
    rank_request = given_ranks(options["mpi"], options, oversubscribe=oversubscribe)
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
            number if rank_request is None else None,
            oversubscribe=oversubscribe,
            by_ranks=rank_request is not None,
        ),
        array_bytes=bytes_of("--size", options["size"]),
        last_level_cache_bytes=cache_bytes(options["llc"]),
        memory_nodes=nodes_of(options["memory_nodes"]),
        seed=seed_of(options),
        peak_gbps=peak,
        checks=True,
        stream_view=_is_plain(options),
    )
    if rank_request is None:
        return PlannedMeasurement(plan, None, own, peak)
    if retune:
        raise UsageError("--retune cannot be combined with --mpi: ranks do not search for shapes.")
    ranks = find_ranks(rank_request, number)
    return PlannedMeasurement(plan_of_ranks(plan, ranks), ranks, own, peak)


def _is_plain(options: PlanOptions) -> bool:
    """Return whether a run measures what STREAM does, so that what it would print is compared."""
    chosen = ("kernels", "kernel_file", "stores", "isa", "cpus", "memory_nodes", "mpi")
    return not any(cast("Mapping[str, Any]", options)[each] for each in chosen)


_OF_PROCESSORS = (
    *("threads", "cpus", "allow_oversubscribe", "memory_nodes", "stores", "isa", "shape", "align"),
    *("init", "pages", "cc", "mpi", "launcher", "hosts", "timeout"),
)
"""Options of processors, which cannot be combined with ``--device``."""


def _refuse_of_processors(options: PlanOptions) -> None:
    refuse_for_processors(measure, cast("Mapping[str, Any]", options), _OF_PROCESSORS)


def _on_device(options: PlanOptions, device: str) -> PlannedMeasurement:
    """Make the plan for a device. Raises ``UsageError``, also for options of processors."""
    _refuse_of_processors(options)
    if options["retune"]:
        raise UsageError(
            "--retune cannot be combined with --device: every run on a device searches for shapes."
        )
    own = given_kernels(options, device=device)
    peak = given_peak(options["peak"])
    named = names_of("--kernels", options["kernels"], or_none=own is not None)
    plan = experiment.plan_on_device(
        _preset(options),
        device,
        kernels=REFERENCES if own is not None and named is None else named,
        tuned=not options["no_tune"] and own is None,
        type=choose(ElementName, "--type", options["type"]).value,
        array_bytes=bytes_of("--size", options["size"]),
        last_level_cache_bytes=cache_bytes(options["llc"]),
        seed=seed_of(options),
    )
    return PlannedMeasurement(plan, None, own, peak)


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
        MeasurementInterrupt: it was stopped (Ctrl-C).
    """
    files = several("--kernel-file", kernel_file)  # an iterator would be empty the second time
    if not files:
        raise UsageError("There is no kernel to check: name a file with one.")
    defaults = {name: each.default for name, each in declaration_of(measure).options.items()}
    plan_options = cast(PlanOptions, {**defaults, **options, "kernel_file": files})
    waiting = cast(RunOptions, {**defaults, **options, "store": None})
    plan = planned(plan_options)
    return checks_of(plan.own, plan.plan, Measurement(waiting))
