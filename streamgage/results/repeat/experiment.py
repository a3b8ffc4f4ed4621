"""Repeat: many short runs, each a fresh process, bound and unbound in turn."""

from __future__ import annotations

from dataclasses import replace

from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.cpu_list import count_cpus
from streamgage.process.engine import describe_machine, find_engine
from streamgage.records import Machine, Sampling
from streamgage.results.measure.experiment import Preset, Request, make_plan
from streamgage.results.repeat.document import Repeat
from streamgage.results.repeat.judge import UNBOUND, judge_repeat
from streamgage.results.series import Condition, Measured, Schedule, measure_series

CORES = "cores"
KERNELS = ("copy", "scale", "add", "triad")
STANDARD = Preset(
    KERNELS, Sampling(min_samples=10, look_every=10, max_samples=10, budget_seconds=10), 0
)
"""As many passes as STREAM makes."""
QUICK = Preset(KERNELS, Sampling(min_samples=5, look_every=5, max_samples=5, budget_seconds=3), 0)


def conditions(request: Request, placements: list[str]) -> list[Condition]:
    """A condition a placement. Raises ``UsageError`` where one cannot be read.

    Free threads are as many as one a core, so that nothing but the binding differs.
    """
    asked = request
    if request.threads is None and UNBOUND in placements and len(placements) > 1:
        asked = replace(request, threads=_cores(describe_machine(find_engine())))
    return [
        Condition(name, make_plan(replace(asked if name == UNBOUND else request, cpus=_cpus(name))))
        for name in placements
    ]


def _cpus(placement: str) -> str | None:
    """The placement as ``measure --cpus`` takes it."""
    return None if placement == CORES else placement


def _cores(machine: Machine) -> int:
    """Cores that this process may use."""
    if machine.allowed_cpus == machine.online_cpus:
        return machine.cores
    return max(1, count_cpus(machine.allowed_cpus) // machine.threads_per_core)


def repeat(compared: list[Condition], schedule: Schedule) -> Measured[Repeat]:
    """Run every condition; see ``measure_series``."""
    names = [each.name for each in compared]

    def judge(runs: list[FreshRun], seed: int) -> Repeat:
        return judge_repeat(runs, names, rounds=schedule.rounds, seed=seed)

    return measure_series("repeat", compared, schedule, judge, fail_together=True)
