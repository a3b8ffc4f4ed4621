"""What ``streamgage scale`` measures, as one document: what ``--format json`` prints.

Rates are GB/s (10^9 bytes a second) by STREAM's nominal counting. What is not known is ``None``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from streamgage.analysis.statistics.estimate import Estimate
from streamgage.results.document import Document
from streamgage.units import count

Workers = Literal["threads", "ranks"]


def workers_of(number: int, workers: Workers) -> str:
    """``1 thread``, ``4 ranks``."""
    return count(number, workers.removesuffix("s"))


class ScalePoint(msgspec.Struct, frozen=True, kw_only=True):
    """One kernel with ``n`` workers under one binding."""

    n: int
    gbps: Estimate
    speedup: Estimate | None
    """Bandwidth over that of one worker with the same binding; ``None`` where that was not
    measured."""
    efficiency: Estimate | None
    """Speedup over ``n``."""
    rounds: int
    samples: int
    """Of all rounds together."""


class Dip(msgspec.Struct, frozen=True, kw_only=True):
    """Bandwidth that is lower with more workers, beyond the noise."""

    n: int
    gbps: float
    below_n: int
    below_gbps: float
    """The best with fewer workers, and how many these were."""
    explained: float | None
    """GB/s that the fullest NUMA node would let them have; ``None`` where that explains nothing."""


class Curve(msgspec.Struct, frozen=True, kw_only=True):
    """One kernel with one kind of stores under one binding, over the numbers of workers."""

    binding: str
    kernel: str
    store: str
    points: list[ScalePoint]
    best_n: int
    best_gbps: float
    enough_n: int
    """The saturation point: the fewest workers with 90 % of the best bandwidth."""
    saturated: bool | None
    """Whether bandwidth has stopped rising; ``None`` where the points do not tell."""
    dips: list[Dip] = []


class PlacedPoint(msgspec.Struct, frozen=True, kw_only=True):
    """Where the workers of a point ran, as the records prove it."""

    n: int
    cpus: str | None
    """CPUs in the order of the workers, in the first run of the point."""
    per_node: dict[str, int]
    """Workers (threads of all ranks) by NUMA node."""
    per_package: dict[str, int]
    cores: int
    """Different cores that they ran on."""
    bound: bool | None
    moved: int
    """Samples in which a worker changed its CPU."""
    taken: float | None
    """Share of the CPUs' time that other programs and the hypervisor took, in the worst round;
    ``None`` where that is unknown."""

    @property
    def threads(self) -> int:
        """Of all nodes together."""
        return sum(self.per_node.values())

    @property
    def even(self) -> bool:
        """Whether the nodes in use have as many each."""
        return len(set(self.per_node.values())) <= 1


class Binding(msgspec.Struct, frozen=True, kw_only=True):
    """One way of placing workers."""

    name: str
    points: list[PlacedPoint]


def place_of(bindings: Sequence[Binding], name: str, n: int) -> PlacedPoint | None:
    """Where ``n`` workers ran with the binding of that name; ``None`` where it was not seen."""
    return next(
        (point for each in bindings if each.name == name for point in each.points if point.n == n),
        None,
    )


class SameBinding(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="reason", tag="same-binding"
):
    """A binding that was not measured: it is the same CPUs in the same order as another."""

    binding: str
    same_as: str


class TooFewCpus(msgspec.Struct, frozen=True, kw_only=True, tag_field="reason", tag="too-few-cpus"):
    """A binding that has no points above ``most`` workers."""

    binding: str
    most: int
    cpus: int
    """That it has."""


LeftOut = SameBinding | TooFewCpus
"""What was asked for and not measured."""


class ScaleRun(msgspec.Struct, frozen=True, kw_only=True):
    """One run, in the order in which they ran."""

    round: int
    """From 1; in each round every point is measured once, in random order."""
    binding: str
    n: int
    failure: str | None
    """Why its figures are in no point; ``None`` where they are."""
    records: str | None
    """File of its records; ``None`` where they were not kept."""


class Recommendation(msgspec.Struct, frozen=True, kw_only=True):
    """The fewest workers, and how they are best placed, for 90 % of the best bandwidth of all."""

    kernel: str
    store: str
    binding: str
    n: int
    gbps: float
    best_gbps: float


class Scale(Document, frozen=True, kw_only=True, tag="scale"):
    """The whole answer. A point that could not be measured is in no list of points."""

    workers: Workers
    threads_per_worker: int
    launcher: str | None
    """What started the ranks; ``None`` for threads."""
    rounds: int
    """As many as were asked for."""
    seed: int
    """Of the order of the points in the rounds."""
    array_bytes: int | None
    """Of each array, all workers' parts together: the same at every point."""
    counts: list[int]
    """Numbers of workers that were asked for."""
    bindings: list[Binding]
    curves: list[Curve]
    recommended: list[Recommendation]
    """One a kernel and kind of stores."""
    runs: list[ScaleRun]
    left_out: list[LeftOut]
