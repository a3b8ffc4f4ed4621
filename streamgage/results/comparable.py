"""Figures of results for ``compare``, and the pooling of several results on one side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from streamgage.analysis.statistics.estimate import Estimate
from streamgage.analysis.statistics.evidence import (
    Bounds,
    Evidence,
    Observations,
    PlateauTimes,
    rounds_bounds,
    within_reason,
)
from streamgage.analysis.statistics.intervals import BoundedBy, Interval, median
from streamgage.records.other_benchmark import Printed
from streamgage.units import count

Unit = Literal["GB/s", "ns", "s"]
Statistic = Literal["median", "best", "as printed"]
"""The statistic of a run: the median or the best of its samples, or the figure as another benchmark
printed it."""
NANO = 1e-9
_EXTREMES = 5
"""The range of more figures than this counts as the range of this many, which is wider."""


class Source(NamedTuple):
    """Where figures come from: a benchmark, what its rates are, and its stores."""

    tool: str | None
    """``None`` stands for streamgage."""
    prints: Printed | None
    store: str


@dataclass(frozen=True)
class Conventions:
    """What all sides have in common: the statistic, and the stores whose names need an ISA."""

    statistic: Statistic = "median"
    isas_named: frozenset[str] = frozenset()
    sources: frozenset[Source] = frozenset()


@dataclass(frozen=True)
class Figure:
    """A figure in seconds: of a transfer of 1 GB, of a load, or of a program."""

    key: tuple[str, ...]
    """What is measured; figures with the same key are compared."""
    name: str
    kernel: str | None
    unit: Unit
    seconds: float
    evidence: Evidence
    n: int
    of: Literal["samples", "runs", "rounds", "points"]
    shown: Interval | None = None
    """Bounds from the result, in seconds, which are shown instead of those of the evidence."""
    valid: bool | None = None
    stores: tuple[str, ...] = ()
    """The stores that gave the figure, if they are not part of the key."""
    note: str | None = None
    """Why the figure does not rest on all results of its side; ``None`` if it does."""

    def bounds(self) -> Interval | None:
        """The bounds to show, in seconds; ``None`` if they are unknown or absurdly wide."""
        bounds = self._bounds()
        if bounds is None or not (within_reason(bounds.low) and within_reason(bounds.high)):
            return None
        return bounds

    def bounded_by(self) -> BoundedBy | None:
        """What the bounds are; ``None`` if there are none."""
        evidence = self._kind_of_bounds()
        if self.bounds() is not None and isinstance(evidence, Bounds):
            return "interval" if evidence.n is None else "range"
        bounds = self.bounds()
        return None if bounds is None else bounds.bounded_by

    def _bounds(self) -> Interval | None:
        if self.shown is not None:
            return self.shown
        evidence = self._kind_of_bounds()
        if isinstance(evidence, Bounds):
            return Interval(evidence.low, evidence.high)
        return None if evidence is None else evidence.bounds()

    def _kind_of_bounds(self) -> Observations | Bounds | None:
        if self.shown is not None:
            return None
        return self.evidence.otherwise if isinstance(self.evidence, PlateauTimes) else self.evidence


def in_unit(seconds: float, unit: Unit) -> float:
    """Convert seconds to the unit that people read."""
    return {"GB/s": 1 / seconds, "ns": seconds / NANO, "s": seconds}[unit]


def of_rounds(
    key: tuple[str, ...],
    bounded: Estimate,
    rounds: int,
    *,
    unit: Unit = "GB/s",
    kernel: str | None = None,
    samples: int | None = None,
) -> Figure | None:
    """Make a figure from an estimate over rounds; ``None`` if it is not above 0."""
    if bounded.value <= 0:
        return None
    low, high = bounded.low, bounded.high
    seconds = bounded.value
    if unit == "GB/s":
        seconds = 1 / seconds
        low, high = (1 / high if high else None), (1 / low if low else None)
    single = rounds == 1 and samples is not None
    few = samples if single and bounded.bounded_by == "range" else None
    return Figure(
        key=key,
        name=", ".join(key),
        kernel=kernel,
        unit=unit,
        seconds=seconds,
        evidence=rounds_bounds(low, high, few or rounds),
        n=samples if single and samples is not None else rounds,
        of="samples" if single else "rounds",
    )


def of_plateau(
    key: tuple[str, ...],
    figure: Estimate,
    points: dict[int, float],
    *,
    unit: Unit = "GB/s",
    kernel: str | None = None,
) -> Figure | None:
    """Make a figure from a level of the memory hierarchy.

    ``points``: the figures at its working sets.
    """
    if figure.value <= 0 or not points or min(points.values()) <= 0:
        return None
    rate = unit == "GB/s"
    seconds = {size: 1 / value if rate else value for size, value in points.items()}
    between = min(seconds.values()), max(seconds.values())
    n = min(len(seconds), _EXTREMES)
    return Figure(
        key=key,
        name=", ".join(key),
        kernel=kernel,
        unit=unit,
        seconds=1 / figure.value if rate else figure.value,
        evidence=PlateauTimes(seconds, Bounds(*between, n) if n > 1 else None),
        n=len(seconds),
        of="points",
    )


def pooled(figures: Sequence[Figure], of: int, side: str) -> Figure:
    """Pool a figure over the results of one side that have it, as the median over these runs.

    ``of`` is the number of all results. The bounds then include the variation between runs, but no
    longer that within a run. If only one result has the figure, its variation between runs is
    unknown.
    """
    if of == 1:
        return figures[0]
    ordered = sorted(figure.seconds for figure in figures)
    valid = [figure.valid for figure in figures]
    parts = tuple((figure.seconds,) for figure in figures)
    return replace(
        figures[0],
        seconds=median(ordered),
        evidence=Observations(parts) if len(parts) > 1 else None,
        n=len(figures),
        of="runs",
        shown=None,
        valid=False if False in valid else None if None in valid else True,
        stores=tuple(sorted({store for figure in figures for store in figure.stores})),
        note=_who_has_it(len(figures), of, side),
    )


def _who_has_it(having: int, of: int, side: str) -> str | None:
    if having == of:
        return None
    has = "has" if having == 1 else "have"
    return f"only {having} of {side}'s {count(of, 'result')} {has} it"
