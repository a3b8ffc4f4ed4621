"""Links: copies between the host's memory and each device, each way and both at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.plan import Plan
from streamgage.process.this_machine import describe_this_machine
from streamgage.records import Device, Machine, Sampling
from streamgage.results.links.document import Links
from streamgage.results.links.judge import judge_links
from streamgage.results.series import Condition, MeasuredSeries, Schedule, measure_series

STANDARD = Sampling(
    min_samples=20, look_every=10, max_samples=100, budget_seconds=6, epoch_blocks=4
)
QUICK = Sampling(min_samples=8, look_every=8, max_samples=8, budget_seconds=2, epoch_blocks=4)


@dataclass(frozen=True)
class Ends:
    """The devices whose links are measured, each with its condition, which has its id as name."""

    machine: Machine
    devices: Sequence[Device]
    conditions: list[Condition]


def ends_of_this_machine(
    devices: Sequence[Device], sampling: Sampling, copy_bytes: int | None
) -> Ends:
    """The links of these devices. ``copy_bytes``: of each copy; ``None``: as the engine chooses."""
    conditions = [
        Condition(
            each.id,
            Plan(
                device=each.id,
                copies=True,
                kernels=[],
                array_bytes=copy_bytes,
                sampling=sampling,
                huge_pages=False,
            ),
        )
        for each in devices
    ]
    return Ends(describe_this_machine(), devices, conditions)


def links(ends: Ends, schedule: Schedule) -> MeasuredSeries[Links]:
    """Measure the links of every device; see ``measure_series``."""

    def judge(runs: list[FreshRun], seed: int) -> Links:
        return judge_links(runs, ends.devices, ends.machine, rounds=schedule.rounds, seed=seed)

    return measure_series("links", ends.conditions, schedule, judge)
