"""Latency: idle, over working sets, and of memory that other threads load."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import get_args

from streamgage.analysis.device_levels import LARGEST_CACHE, claimed_levels
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
from streamgage.results.placement import cpus_of_threads
from streamgage.results.result import MeasuredRun, Result
from streamgage.results.working_sets import PAIR_GRAIN, check_bounds, working_sets
from streamgage.units import GIB, KIB, MIB

MIXES: tuple[Mix, ...] = get_args(Mix)
SHARES = (
    *(0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6),
    *(0.66, 0.72, 0.77, 0.82, 0.86, 0.89, 0.92, 0.95, 0.97, 1.0),
)
"""Loads, as shares of the highest rate; dense near that, where latency rises steeply."""
FEW_SHARES = (0.0, 0.3, 0.6, 0.75, 0.85, 0.92, 0.97, 1.0)
LOWEST = 8 * KIB
_WITHOUT_CACHES = 256 * MIB
_MOST = 1 * GIB
_SHARE_OF_MEMORY = 0.2


@dataclass(frozen=True)
class LatencyRequest:
    """What the user asked for; ``None``: not said. Sizes are of working sets, in bytes."""

    low: int | None = None
    high: int | None = None
    steps_an_octave: int = 2
    mixes: tuple[Mix, ...] = MIXES
    shares: tuple[float, ...] = SHARES
    seconds: float = 0.05
    """Seconds per point under load."""
    threads: int | None = None
    """The walking one and those that load the memory."""
    cpus: str | None = None
    rounds: int = 3
    seed: int | None = None


@dataclass(frozen=True)
class Planned:
    """The plan, and the parts of the request that it leaves out."""

    plan: LatencyPlan
    left_out: tuple[Mix, ...] = ()


def plan_of_this_machine(asked: LatencyRequest) -> Planned:
    """The plan of a request. Raises ``UsageError`` if a part of it is wrong."""
    check_bounds(asked.low, asked.high, LOWEST)
    machine = describe_this_machine()
    cpus = cpus_of_threads(asked.threads, asked.cpus, machine)
    left_out: tuple[Mix, ...] = ()
    load = None
    if asked.mixes and len(cpus) > 1:
        load = Load(mixes=list(asked.mixes), shares=list(asked.shares), seconds=asked.seconds)
    else:
        left_out = asked.mixes
    plan = LatencyPlan(
        placement=Placement(kind="cpus", cpus=list(cpus), threads=len(cpus)),
        chain_bytes=_sizes(asked, machine, cpus),
        load=load,
        rounds=asked.rounds,
        seed=asked.seed,
    )
    return Planned(plan, left_out)


def plan_of_device(asked: LatencyRequest, device: Device) -> Planned:
    """The plan of a request on a device. Raises ``UsageError`` if a part of it is wrong."""
    check_bounds(asked.low, asked.high, LOWEST)
    low = asked.low or LOWEST
    levels = claimed_levels(device, "sequential")
    last = levels[-1].bytes if levels else LARGEST_CACHE
    high = asked.high or max(low, min(OVER_CACHES * last, _MOST, _fits(device)))
    plan = LatencyPlan(
        device=device.id,
        chain_bytes=working_sets(
            low,
            high,
            asked.steps_an_octave,
            grain=max(PAIR_GRAIN, 2 * (device.line_bytes or 0)),
            dense_to=int(PAST_LAST_EDGE * last),
        ),
        rounds=asked.rounds,
        seed=asked.seed,
        huge_pages=False,
    )
    return Planned(plan)


def _fits(device: Device) -> int:
    """What a chain may take of the device's memory, and of the machine's where it is shared."""
    memory = device.memory_bytes or 0
    if device.shares_host_memory:
        memory = min(memory, describe_this_machine().free_memory_bytes or 0)
    fits = int(_SHARE_OF_MEMORY * memory)
    return min(fits, device.largest_array_bytes or fits)


def _sizes(asked: LatencyRequest, machine: Machine, cpus: Sequence[int]) -> list[int]:
    """Working sets in equal steps of their logarithm, of whole pairs of lines."""
    low = asked.low or LOWEST
    levels = levels_in_use(machine, cpus[:1], "sequential")
    last = levels[-1].bytes if levels else _WITHOUT_CACHES // OVER_CACHES
    memory = machine.free_memory_bytes or 0
    most = min(OVER_CACHES * last, _MOST, int(_SHARE_OF_MEMORY * memory))
    high = asked.high or max(low, most)
    dense_to = int(PAST_LAST_EDGE * (last_cpu_cache(levels) or last))
    return working_sets(low, high, asked.steps_an_octave, grain=PAIR_GRAIN, dense_to=dense_to)


def measure_latencies(
    planned: Planned,
    *,
    spool: Spool,
    watch: Callable[[AnyRecord], None],
    note: Note,
    wait: bool = True,
    last: bool = True,
) -> MeasuredRun[Latency]:
    """Run the plan; a signal ends it, and what was measured until then is in the result.

    ``last`` is that of ``stream_records``.
    """
    one = run_once(
        planned.plan,
        spool=spool,
        watch=watch,
        note=note,
        wait=wait,
        last=last,
    )
    measured = one.run.latencies or one.run.loaded
    if not measured:
        return MeasuredRun(None, one)
    return MeasuredRun(Result(KIND, judge_latency(one.run, planned.left_out)), one)
