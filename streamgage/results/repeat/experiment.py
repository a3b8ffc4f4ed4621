"""Repeats short runs, each in a fresh process, with each of the compared settings in turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from streamgage.analysis.cores import CORES, NONE
from streamgage.analysis.cores import PLACEMENTS as NAMED
from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.cpu_list import count_cpus
from streamgage.plan import Plan
from streamgage.process.engine import describe_machine, find_engine
from streamgage.records import Machine, PageSize, Sampling
from streamgage.results.placement import placement_of
from streamgage.results.preset import Preset
from streamgage.results.repeat.document import ComparedSetting, Repeat, setting_of
from streamgage.results.repeat.judge import judge_repeat
from streamgage.results.series import Condition, MeasuredSeries, Schedule, measure_series

KERNELS = ("copy", "scale", "add", "triad")
STORES = ("plain",)
PLACEMENTS = (NONE, CORES)
"""Those that are compared by default."""
BOUND = (CORES,)
"""The placement where something else is compared."""
STANDARD = Preset(
    KERNELS, Sampling(min_samples=10, look_every=10, max_samples=10, budget_seconds=10)
)
"""The default: as many passes as STREAM makes."""
QUICK = Preset(KERNELS, Sampling(min_samples=5, look_every=5, max_samples=5, budget_seconds=3))


def compared(
    plans: Mapping[PageSize, Plan],
    placements: Sequence[str],
    threads: int | None = None,
    *,
    oversubscribe: bool = False,
) -> list[tuple[ComparedSetting, Plan]]:
    """Return each placement with each kind of pages, whose plans are ``plans``.

    ``threads``: ``None`` is one per core. Unbound threads are also one per core, so that only the
    binding differs. ``oversubscribe``: threads may share the CPUs that placements name. Raises
    ``UsageError`` if a placement cannot be read.
    """
    free = threads
    if threads is None and NONE in placements and len(placements) > 1:
        free = _cores(describe_machine(find_engine()))
    with_cpus = [name for name in placements if name not in NAMED]
    sharing = (with_cpus or placements) if oversubscribe else []
    placed = [
        placement_of(name, free if name == NONE else threads, oversubscribe=name in sharing)
        for name in placements
    ]
    return [
        (
            setting_of(name, pages if len(plans) > 1 else None, alone=len(placements) == 1),
            msgspec.structs.replace(plan, placement=each),
        )
        for pages, plan in plans.items()
        for name, each in zip(placements, placed, strict=True)
    ]


def _cores(machine: Machine) -> int:
    """The number of cores that this process may use."""
    if machine.allowed_cpus == machine.online_cpus:
        return machine.cores
    return max(1, count_cpus(machine.allowed_cpus) // machine.threads_per_core)


def repeat(
    planned: Sequence[tuple[ComparedSetting, Plan]], schedule: Schedule
) -> MeasuredSeries[Repeat]:
    """Run every setting; see ``measure_series``."""
    settings = [setting for setting, _ in planned]

    def judge(runs: list[FreshRun], seed: int) -> Repeat:
        return judge_repeat(runs, settings, rounds=schedule.rounds, seed=seed)

    conditions = [Condition(setting.name, plan) for setting, plan in planned]
    return measure_series("repeat", conditions, schedule, judge, fail_together=True)
