"""Links: copies of each device with the host and with other devices, each way and both at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.plan import Plan
from streamgage.process.this_machine import describe_this_machine
from streamgage.records import Device, Machine, Sampling
from streamgage.results.links.document import Links
from streamgage.results.links.judge import judge_links, pair_name
from streamgage.results.series import Condition, MeasuredSeries, Schedule, measure_series

STANDARD = Sampling(
    min_samples=20, look_every=10, max_samples=100, budget_seconds=6, epoch_blocks=4
)
QUICK = Sampling(min_samples=8, look_every=8, max_samples=8, budget_seconds=2, epoch_blocks=4)

_BETWEEN = ("CUDA", "HIP")
"""The interfaces by which copies between two devices are measured."""


@dataclass(frozen=True)
class Ends:
    """The devices whose links are measured.

    Each has a condition with its id as name, and each pair one with both ids.
    """

    machine: Machine
    devices: Sequence[Device]
    conditions: list[Condition]


def ends_of_this_machine(
    devices: Sequence[Device], sampling: Sampling, copy_bytes: int | None
) -> Ends:
    """The links of these devices. ``copy_bytes``: of each copy; ``None``: as the engine chooses."""

    def condition(name: str, device: Device, peer: Device | None) -> Condition:
        plan = Plan(
            device=device.id,
            copies=True,
            peer=None if peer is None else peer.id,
            kernels=[],
            array_bytes=copy_bytes,
            sampling=sampling,
            pages="4k",
        )
        return Condition(name, plan)

    conditions = [
        *(condition(each.id, each, None) for each in devices),
        *(condition(pair_name(one.id, other.id), one, other) for one, other in _pairs(devices)),
    ]
    return Ends(describe_this_machine(), devices, conditions)


def _pairs(devices: Sequence[Device]) -> Iterator[tuple[Device, Device]]:
    """The pairs of devices between which the engine measures copies."""
    for one, other in combinations(devices, 2):
        if one.interface == other.interface and one.interface in _BETWEEN:
            yield one, other


def links(ends: Ends, schedule: Schedule) -> MeasuredSeries[Links]:
    """Measure the links of every device; see ``measure_series``."""

    def judge(runs: list[FreshRun], seed: int) -> Links:
        return judge_links(runs, ends.devices, ends.machine, rounds=schedule.rounds, seed=seed)

    return measure_series("links", ends.conditions, schedule, judge)
