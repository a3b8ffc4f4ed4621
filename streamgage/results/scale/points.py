"""What is measured: a number of workers under a binding, and what became of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from streamgage.analysis.outside import taken_by_others
from streamgage.analysis.run import Run
from streamgage.cpu_list import format_cpu_order
from streamgage.records import PlacementRecord
from streamgage.results.rounds import FreshRun
from streamgage.results.scale.document import PlacedPoint


@dataclass(frozen=True)
class Point:
    """``n`` workers under one binding."""

    binding: str
    n: int

    @property
    def name(self) -> str:
        """Such as ``compact, 4``: what its runs are called."""
        return f"{self.binding}, {self.n}"


def of_point(runs: Sequence[FreshRun], point: Point) -> list[FreshRun]:
    """The runs of a point, in the order in which they ran."""
    return [each for each in runs if each.condition == point.name]


def why_not(run: Run, threads: int, *, hosts: int = 1) -> str | None:
    """Why the figures of a finished run are not those of its point; null where they are."""
    placement = run.placement
    if placement is None or len(placement.threads) == threads:
        return None
    return (
        f"{threads} threads were asked for and {len(placement.threads)} ran"
        f"{'' if hosts == 1 else ' on all hosts together'}."
    )


def placed(point: Point, runs: Sequence[FreshRun]) -> PlacedPoint | None:
    """Where the workers of a point ran; null where no run came that far."""
    seen = [each.run for each in runs if each.run.placement is not None]
    if not seen:
        return None
    first = seen[0].placement
    assert first is not None
    cpus = [place.cpu for place in first.threads]
    return PlacedPoint(
        n=point.n,
        cpus=format_cpu_order(cpus) if cpus else None,
        per_node=_counted(first, "node"),
        per_package=_counted(first, "package"),
        cores=first.cores_in_use,
        bound=all(run.placement is not None and run.placement.bound for run in seen),
        moved=sum(sample.moved > 0 for run in seen for sample in run.timed_samples()),
        taken=max(
            (share for run in seen if (share := taken_by_others(run)) is not None), default=None
        ),
    )


def _counted(placement: PlacementRecord, what: str) -> dict[str, int]:
    """Threads by node or package; those of several hosts by ``host:number``."""
    several = len(placement.hosts) > 1
    counted: dict[str, int] = {}
    for place in placement.threads:
        number = getattr(place, what)
        key = f"{place.host}:{number}" if several else str(number)
        counted[key] = counted.get(key, 0) + 1
    return dict(sorted(counted.items(), key=lambda each: (len(each[0]), each[0])))
