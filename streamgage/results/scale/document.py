"""The result of ``streamgage scale`` as one document, which ``--format json`` prints.

Rates are GB/s (10^9 bytes per second) by STREAM's nominal counting. Unknown values are ``None``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec

from streamgage.analysis.limits import OpenReason
from streamgage.analysis.statistics.estimate import Estimate, PositiveEstimate
from streamgage.records import BenchmarkOutput
from streamgage.records.other_benchmark import UNKNOWN_STORES
from streamgage.records.quantities import (
    Amount,
    ByteCount,
    Count,
    Members,
    MembersFrom0,
    Number,
    NumberList,
    Rate,
    RateFrom0,
    Some,
    refuse_unknown,
)
from streamgage.results.document import Document
from streamgage.results.member import Member
from streamgage.units import count

Workers = Literal["threads", "ranks", "workers"]
"""What the workers are; ``workers`` if they are threads in some curves and ranks in others."""


def workers_of(number: int, workers: Workers) -> str:
    """The number in words: ``1 thread``, ``4 ranks``."""
    return count(number, workers.removesuffix("s"))


def name_of(kernel: str, store: str) -> str:
    """The name of a curve: ``triad plain``, or ``triad`` if its stores have no name."""
    return kernel if store == UNKNOWN_STORES else f"{kernel} {store}"


class ScalePoint(msgspec.Struct, frozen=True, kw_only=True):
    """One kernel with ``n`` workers under one placement."""

    n: Members
    gbps: PositiveEstimate
    speedup: Estimate | None
    """The bandwidth divided by that of one worker with the same placement; ``None`` if that was not
    measured."""
    efficiency: Estimate | None
    """The speedup divided by ``n``."""
    rounds: Members
    samples: Count
    """The number of samples of all rounds together."""


class Dip(msgspec.Struct, frozen=True, kw_only=True):
    """A drop of bandwidth with more workers, beyond noise."""

    n: Members
    gbps: Rate
    below_n: Members
    below_gbps: Rate
    """The best bandwidth with fewer workers; ``below_n`` is their number."""
    explained: RateFrom0 | None
    """The GB/s that the fullest NUMA node would allow; ``None`` if that does not explain the
    drop."""


class Curve(msgspec.Struct, frozen=True, kw_only=True):
    """One kernel with one kind of stores under one placement, over the numbers of workers."""

    placement: str
    kernel: str
    store: str
    points: Annotated[list[ScalePoint], Some]
    best_n: Members
    best_gbps: Rate
    enough_n: Members
    """The saturation point: the fewest workers with 90 % of the best bandwidth."""
    saturated: bool | None
    """``True`` if bandwidth has stopped rising; ``None`` if the points do not show it."""
    open_because: OpenReason | None = None
    """Why the points do not show it, as in ``saturation`` of ``measure``."""
    dips: list[Dip] = []

    def consistent(self) -> None:
        """Raise ``ValueError`` if it names a point that it does not have."""
        known = {each.n for each in self.points}
        for field in ("best_n", "enough_n"):
            refuse_unknown(field, getattr(self, field), known)


class PlacedPoint(msgspec.Struct, frozen=True, kw_only=True):
    """Where the workers of a point ran, as the records show."""

    n: Members
    cpus: NumberList
    """The CPUs in the order of the workers, as in most samples."""
    per_node: dict[str, Members]
    """The number of workers (threads of all ranks) by NUMA node."""
    per_package: dict[str, Members]
    cores: MembersFrom0
    """The number of different cores on which they ran in most samples."""
    crowded: Count
    """The number of samples in which workers shared a core while other usable cores were free."""
    samples: Count
    """The number of timed samples of all kernels and rounds; 0 if only the placement shows the
    places."""
    bound: bool
    moved: Count
    """The number of samples in which a worker changed its CPU."""
    taken: Amount | None
    """The share of the CPUs' time that other programs and the hypervisor took, in the worst round;
    ``None`` if it is unknown."""

    @property
    def threads(self) -> int:
        """The number of threads on all nodes together."""
        return sum(self.per_node.values())

    @property
    def even(self) -> bool:
        """``True`` if all nodes in use have the same number of workers."""
        return len(set(self.per_node.values())) <= 1


OWN_LOOPS = "own loops"
"""The name of the engine's own loops, next to those of compilers."""


class PlacedWorkers(msgspec.Struct, frozen=True, kw_only=True):
    """One way of placing workers, with one compiler and one kind of worker.

    ``way`` is the requested placement. ``name`` adds what distinguishes it from the others.
    """

    name: str
    way: str
    workers: Workers
    launcher: str | None = None
    """The launcher that started the ranks; ``None`` for threads."""
    compiler: str | None = None
    """The command of the compiler that built the loops; ``None`` for the engine's own loops."""
    points: list[PlacedPoint] = []


def placement_named(placements: Sequence[PlacedWorkers], name: str) -> PlacedWorkers:
    """The placement with that name."""
    return next(each for each in placements if each.name == name)


def place_of(placements: Sequence[PlacedWorkers], name: str, n: int) -> PlacedPoint | None:
    """The places of ``n`` workers with the placement of that name; ``None`` if they are unknown."""
    return next(
        (
            point
            for each in placements
            if each.name == name
            for point in each.points
            if point.n == n
        ),
        None,
    )


class SamePlacement(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="reason", tag="same-placement"
):
    """A placement that was not measured: it uses the same CPUs in the same order as another."""

    placement: str
    same_as: str


class TooFewCpus(msgspec.Struct, frozen=True, kw_only=True, tag_field="reason", tag="too-few-cpus"):
    """A placement that has no points above ``most`` workers."""

    placement: str
    most: MembersFrom0
    cpus: MembersFrom0
    """The number of CPUs that it has."""


LeftOut = SamePlacement | TooFewCpus
"""A part of the request that was not measured."""


class ScaleRun(msgspec.Struct, frozen=True, kw_only=True):
    """One run. Runs are listed in the order in which they ran."""

    round: Members
    """The number of the round, from 1. Each round measures every point once, in random order."""
    placement: str
    n: Members
    failure: str | None
    """Why its figures are left out of the points; ``None`` if they are included."""
    records: str | None
    """The file with its records, or with the output that it comes from; ``None`` if they were not
    kept."""


class Recommendation(msgspec.Struct, frozen=True, kw_only=True):
    """The fewest workers, with their best placement, that have 90 % of the best bandwidth of all.

    It is based on medians; ``sure`` and ``no_different`` say what is uncertain because of noise.
    """

    kernel: str
    store: str
    placement: str
    n: Members
    gbps: Rate
    best_gbps: Rate
    sure: bool = True
    """``True`` if even the lower bound of their bandwidth reaches these 90 %."""
    no_different: list[str] = []
    """Other placements whose bandwidth for as many workers is the same within noise."""


class Scale(Document, frozen=True, kw_only=True, tag="scale"):
    """The result of ``streamgage scale``. Points that could not be measured are left out."""

    workers: Workers
    threads_per_worker: Members
    launcher: str | None
    """What started the ranks, or several launchers separated by commas; ``None`` for threads."""
    rounds: Members
    """The requested number of rounds."""
    seed: Number | None
    """The seed for the order of the points in the rounds; ``None`` for another benchmark's
    output."""
    array_bytes: ByteCount | None
    """The size of each array for all workers together, which is the same at every point."""
    counts: list[Members]
    """The requested numbers of workers."""
    placements: Annotated[list[PlacedWorkers], Some]
    curves: list[Curve]
    recommended: list[Recommendation]
    """A recommendation for each kernel and kind of stores."""
    runs: list[ScaleRun]
    left_out: list[LeftOut]
    reported: BenchmarkOutput | None = None
    """The other benchmark that printed the figures; ``None`` if streamgage measured them. Each of
    its tables is a run, and ``rounds`` is the greatest number of tables for a number of workers."""
    members: list[Member] = msgspec.field(default_factory=list)
    """The other benchmark's tables for each number of workers, each judged as it would be by
    itself."""

    @property
    def fewest_runs(self) -> int:
        """The smallest number of runs of any point that has a figure."""
        points = (point for curve in self.curves for point in curve.points)
        return min((point.rounds for point in points), default=0)

    def consistent(self) -> None:
        """Raise ``ValueError`` if a part names another part that does not exist."""
        placements = {each.name for each in self.placements}
        for curve in self.curves:
            refuse_unknown("placement", curve.placement, placements)
        points = {
            (each.placement, each.kernel, each.store, point.n)
            for each in self.curves
            for point in each.points
        }
        for each in self.recommended:
            place = each.placement, each.kernel, each.store, each.n
            refuse_unknown("recommended", place, points)
