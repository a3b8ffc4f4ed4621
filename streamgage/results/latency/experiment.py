"""Measures latency: idle, over working sets, and of memory that other threads load."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import get_args

from streamgage.analysis.hierarchy import PAST_LAST_EDGE, last_cpu_cache, levels_in_use
from streamgage.plan import LatencyPlan, Load, Mix, Placement
from streamgage.process.one_run import run_once
from streamgage.process.this_machine import describe_this_machine
from streamgage.records import AnyRecord, Device, Machine
from streamgage.records.reader import Note
from streamgage.records.setting import OVER_CACHES
from streamgage.records.spool import Spool
from streamgage.results.latency import KIND
from streamgage.results.latency.document import Latency
from streamgage.results.latency.judge import judge_latency
from streamgage.results.placement import Cpus, cpus_of_threads
from streamgage.results.result import MeasuredRun, Result
from streamgage.results.working_sets import PAIR_GRAIN, check_bounds, working_sets
from streamgage.units import GIB, KIB, MIB

MIXES: tuple[Mix, ...] = get_args(Mix)
SHARES = (
    *(0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6),
    *(0.66, 0.72, 0.77, 0.82, 0.86, 0.89, 0.92, 0.95, 0.97, 1.0),
)
"""The loads, as shares of the highest rate. They are dense near that rate, where latency rises
steeply."""
FEW_SHARES = (0.0, 0.3, 0.6, 0.75, 0.85, 0.92, 0.97, 1.0)
LOWEST = 8 * KIB
_WITHOUT_CACHES = 256 * MIB
_MOST = 1 * GIB
_SHARE_OF_MEMORY = 0.2


@dataclass(frozen=True)
class LatencyRequest:
    """The user's request; ``None`` stands for options that were not given.

    Sizes are the bytes of working sets.
    """

    low: int | None = None
    high: int | None = None
    steps_an_octave: int = 2
    mixes: tuple[Mix, ...] = MIXES
    shares: tuple[float, ...] = SHARES
    seconds: float = 0.05
    """The seconds per point under load."""
    threads: int | None = None
    """The number of threads: one that measures, and those that load the memory."""
    cpus: Cpus | None = None
    rounds: int = 3
    seed: int | None = None


@dataclass(frozen=True)
class LatencySetup:
    """The plan, and the mixes of the request that it leaves out."""

    plan: LatencyPlan
    left_out: tuple[Mix, ...] = ()


def plan_of_this_machine(request: LatencyRequest) -> LatencySetup:
    """Make the plan for a request. Raises ``UsageError`` if a part of it is wrong."""
    check_bounds(request.low, request.high, LOWEST)
    machine = describe_this_machine()
    cpus = cpus_of_threads(request.threads, request.cpus, machine)
    left_out: tuple[Mix, ...] = ()
    load = None
    if request.mixes and len(cpus) > 1:
        load = Load(mixes=list(request.mixes), shares=list(request.shares), seconds=request.seconds)
    else:
        left_out = request.mixes
    plan = LatencyPlan(
        placement=Placement(kind="cpus", cpus=list(cpus), threads=len(cpus)),
        chain_bytes=_sizes(request, machine, cpus),
        load=load,
        rounds=request.rounds,
        seed=request.seed,
    )
    return LatencySetup(plan, left_out)


def plan_of_device(request: LatencyRequest, device: Device) -> LatencySetup:
    """The plan of a request on a device. Raises ``UsageError`` if a part of it is wrong."""
    check_bounds(request.low, request.high, LOWEST)
    low = request.low or LOWEST
    last = device.rule_cache_bytes
    high = request.high or max(low, min(OVER_CACHES * last, _MOST, _fits(device)))
    plan = LatencyPlan(
        device=device.id,
        chain_bytes=working_sets(
            low,
            high,
            request.steps_an_octave,
            grain=max(PAIR_GRAIN, 2 * (device.line_bytes or 0)),
            dense_to=int(PAST_LAST_EDGE * last),
        ),
        rounds=request.rounds,
        seed=request.seed,
        pages="4k",
    )
    return LatencySetup(plan)


def _fits(device: Device) -> int:
    """What a chain may take of the device's memory, and of the machine's where it is shared."""
    memory = device.memory_bytes or 0
    if device.shares_host_memory:
        memory = min(memory, describe_this_machine().free_memory_bytes or 0)
    fits = int(_SHARE_OF_MEMORY * memory)
    return min(fits, device.largest_array_bytes or fits)


def _sizes(request: LatencyRequest, machine: Machine, cpus: Sequence[int]) -> list[int]:
    """Working sets in equal steps of their logarithm, each of whole pairs of lines."""
    low = request.low or LOWEST
    levels = levels_in_use(machine, cpus[:1], "sequential")
    last = levels[-1].bytes if levels else _WITHOUT_CACHES // OVER_CACHES
    memory = machine.free_memory_bytes or 0
    most = min(OVER_CACHES * last, _MOST, int(_SHARE_OF_MEMORY * memory))
    high = request.high or max(low, most)
    dense_to = int(PAST_LAST_EDGE * (last_cpu_cache(levels) or last))
    return working_sets(low, high, request.steps_an_octave, grain=PAIR_GRAIN, dense_to=dense_to)


def measure_latencies(
    setup: LatencySetup,
    *,
    spool: Spool,
    watch: Callable[[AnyRecord], None],
    note: Note,
    wait: bool = True,
    last: bool = True,
) -> MeasuredRun[Latency]:
    """Run the plan.

    A signal ends it, and the result has what was measured until then. ``last`` is passed to
    ``stream_records``.
    """
    engine_run = run_once(
        setup.plan,
        spool=spool,
        watch=watch,
        note=note,
        wait=wait,
        last=last,
    )
    measured = engine_run.run.latencies or engine_run.run.loaded
    if not measured:
        return MeasuredRun(None, engine_run)
    return MeasuredRun(Result(KIND, judge_latency(engine_run.run, setup.left_out)), engine_run)
