"""Measures bandwidth over the size of the working set, from the first cache to memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec

from streamgage.analysis.hierarchy import PAST_LAST_EDGE, Mode, last_cpu_cache, levels_in_use
from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.errors import UsageError
from streamgage.kernels.own_kernels import OwnKernels, with_kernels
from streamgage.plan import Placement, Plan
from streamgage.process.this_machine import describe_this_machine
from streamgage.records import Device, Machine, Sampling
from streamgage.records.setting import OVER_CACHES
from streamgage.results.ladder.document import Ladder, ProgramPoint, SameMode
from streamgage.results.ladder.judge import LadderSetup, Rung, judge_ladder
from streamgage.results.placement import Cpus, cpus_of_threads
from streamgage.results.preset import Preset
from streamgage.results.series import Condition, MeasuredSeries, Schedule, measure_series
from streamgage.results.working_sets import check_bounds, working_sets
from streamgage.units import KIB, MIB, count, format_bytes

KERNELS = ("triad",)
STORES = "regular"
MODES: tuple[Mode, ...] = ("sequential", "worksharing", "throughput")
STANDARD = Preset(KERNELS, Sampling(min_samples=7, look_every=7, max_samples=7, budget_seconds=2))
QUICK = Preset(KERNELS, Sampling(min_samples=5, look_every=5, max_samples=5, budget_seconds=1))
LOWEST = 8 * KIB
_WITHOUT_CACHES = 256 * MIB
_SHARE_OF_MEMORY = 0.5


@dataclass(frozen=True)
class LadderRequest:
    """The user's request; ``None`` stands for options that were not given.

    Sizes are the bytes of working sets. ``plan``: the plan of every point, except its size.
    ``named``: whether the user named kernels.
    """

    plan: Plan
    named: bool = False
    modes: tuple[Mode, ...] = MODES
    low: int | None = None
    high: int | None = None
    steps_an_octave: int = 3
    threads: int | None = None
    cpus: Cpus | None = None
    own: OwnKernels = field(default_factory=OwnKernels)
    programs: Sequence[ProgramPoint] = ()


@dataclass(frozen=True)
class Rungs:
    """What to measure: the points with their conditions, and the description for the document."""

    machine: Machine
    rungs: list[Rung]
    conditions: list[Condition]
    cpus: tuple[int, ...]
    modes: tuple[Mode, ...]
    left_out: list[SameMode]
    programs: Sequence[ProgramPoint] = ()
    device: Device | None = None
    """Measured in place of the processor; then there are no CPUs."""


def rungs_of_this_machine(request: LadderRequest) -> Rungs:
    """List all points to measure.

    Raises ``UsageError`` if a part of the request is wrong, and ``NoKernelLeftError``.
    """
    plan = request.plan
    request.own.require_some(plan, named=request.named)
    check_bounds(request.low, request.high, LOWEST)
    machine = describe_this_machine()
    cpus = cpus_of_threads(request.threads, request.cpus, machine)
    modes, left_out = _modes(request.modes, len(cpus))
    rungs = [
        Rung(mode, kernel, size)
        for mode in modes
        for kernel in (*request.own.by_name(), *plan.kernels)
        for size in _sizes(request, mode, machine, cpus)
    ]
    conditions = [Condition(each.name, _plan_of(each, plan, cpus, request.own)) for each in rungs]
    return Rungs(machine, rungs, conditions, cpus, modes, left_out, request.programs)


ON_DEVICES: Mode = "worksharing"
"""The only mode on a device: its work-items share the working set."""


def plan_on_device(plan: Plan, device: Device) -> Plan:
    """The plan of every point on a device, except its size."""
    return msgspec.structs.replace(
        plan,
        device=device.id,
        type="double" if device.has_double else "float",
        pages="4k",
    )


def rungs_of_device(request: LadderRequest, device: Device) -> Rungs:
    """Every point that is to be measured on a device, whose plan the request has.

    Raises ``UsageError`` and ``NoKernelLeftError``, as for a machine.
    """
    plan = request.plan
    request.own.require_some(plan, named=request.named)
    check_bounds(request.low, request.high, LOWEST)
    machine = describe_this_machine()
    rungs = [
        Rung(ON_DEVICES, kernel, size)
        for kernel in (*request.own.by_name(), *plan.kernels)
        for size in _sizes_on_device(request, device, machine)
    ]
    conditions = [
        Condition(
            each.name,
            msgspec.structs.replace(
                _with_kernel(plan, each.kernel, request.own), working_set_bytes=each.bytes
            ),
        )
        for each in rungs
    ]
    return Rungs(machine, rungs, conditions, (), (ON_DEVICES,), [], request.programs, device)


def _sizes_on_device(request: LadderRequest, device: Device, machine: Machine) -> list[int]:
    """From a little for each compute unit to memory."""
    low = request.low or LOWEST * max(1, device.compute_units or 1)
    last = device.rule_cache_bytes
    memory = device.memory_bytes or 0
    if device.shares_host_memory:
        memory = min(memory, machine.free_memory_bytes or 0)
    fits = min(int(_SHARE_OF_MEMORY * memory), device.largest_array_bytes or memory)
    high = request.high or max(low, min(OVER_CACHES * last, fits))
    low = min(low, high)
    dense_to = int(PAST_LAST_EDGE * last)
    return working_sets(low, high, request.steps_an_octave, dense_to=dense_to)


def _modes(modes: Sequence[Mode], threads: int) -> tuple[tuple[Mode, ...], list[SameMode]]:
    """The modes to measure, and those left out: with one thread all modes are the same."""
    if threads > 1 or len(modes) == 1:
        return tuple(modes), []
    kept, *rest = modes
    return (kept,), [SameMode(mode=each, same_as=kept) for each in rest]


def _sizes(request: LadderRequest, mode: Mode, machine: Machine, cpus: Sequence[int]) -> list[int]:
    sharers = len(cpus) if mode == "worksharing" else 1
    threads = len(cpus) if mode == "throughput" else 1
    low = request.low or LOWEST * sharers
    levels = levels_in_use(machine, cpus, mode)
    last = levels[-1].bytes if levels else _WITHOUT_CACHES // OVER_CACHES
    memory = machine.free_memory_bytes or 0
    fits = int(_SHARE_OF_MEMORY * memory) // threads
    if request.low is None and request.high is not None and request.high < low:
        raise UsageError(
            f"--to {format_bytes(request.high)} is less than {format_bytes(low)}, the smallest"
            f" working set of {mode} with {count(len(cpus), 'thread')}: give --from, too, or a"
            " larger --to."
        )
    high = request.high or max(low, min(OVER_CACHES * last, fits))
    dense_to = int(PAST_LAST_EDGE * (last_cpu_cache(levels) or last))
    return working_sets(low, high, request.steps_an_octave, sharers, dense_to=dense_to)


def _plan_of(rung: Rung, plan: Plan, cpus: Sequence[int], own: OwnKernels) -> Plan:
    used = list(cpus[:1] if rung.mode == "sequential" else cpus)
    together = rung.bytes * (len(used) if rung.mode == "throughput" else 1)
    return msgspec.structs.replace(
        _with_kernel(plan, rung.kernel, own),
        placement=Placement(kind="cpus", cpus=used, threads=len(used)),
        working_set_bytes=together,
        core_clock=True,
    )


def _with_kernel(plan: Plan, kernel: str, own: OwnKernels) -> Plan:
    """``plan`` with one kernel: the user's own of that name, or that of the catalogue."""
    mine = own.by_name().get(kernel)
    if mine is None:
        return msgspec.structs.replace(plan, kernels=[kernel])
    return with_kernels(msgspec.structs.replace(plan, kernels=[]), [mine], own.timeout_seconds)


def measure_ladder(rungs: Rungs, schedule: Schedule) -> MeasuredSeries[Ladder]:
    """Measure every point; see ``measure_series``."""

    def judge(runs: list[FreshRun], seed: int) -> Ladder:
        setup = LadderSetup(
            threads=len(rungs.cpus),
            cpus=rungs.cpus,
            rounds=schedule.rounds,
            seed=seed,
            modes=rungs.modes,
            left_out=tuple(rungs.left_out),
            device=rungs.device,
        )
        found = judge_ladder(runs, rungs.rungs, setup, rungs.machine)
        return msgspec.structs.replace(found, programs=list(rungs.programs))

    return measure_series("ladder", rungs.conditions, schedule, judge, again=True)
