"""The result of ``streamgage compare`` as one document, which ``--format json`` prints.

``schema/compare.schema.json`` is generated from these types. Rates are in GB/s (10^9 bytes per
second) by STREAM's nominal counting, latencies in nanoseconds, times of programs in seconds. An
unknown value is ``None`` (null in JSON).
"""

from __future__ import annotations

from typing import Literal

import msgspec

from streamgage.analysis.conclusion import Conclusion, texts
from streamgage.analysis.statistics.intervals import BoundedBy
from streamgage.analysis.trust import Verdict as Trusted
from streamgage.results.comparable import Statistic, Unit

Verdict = Literal["faster", "slower", "same", "too noisy to say", "no conclusion"]
"""``no conclusion``: one of the two figures is of a result that is not quotable."""


class ComparedResult(msgspec.Struct, frozen=True, kw_only=True):
    """One result of a side."""

    name: str
    """The name by which the user chose it: ``run 12``, or the file's name."""
    host: str | None
    date: str | None
    """When it started: ISO 8601, UTC."""
    tool: str | None
    """The other benchmark that printed it, with its version; ``None`` for streamgage."""
    partial: str | None
    """Why it is not complete, in a sentence; ``None`` if it is complete, or if that is unknown."""
    trust: Trusted | None
    """How far its figures can be trusted; ``None`` if only its rates were read."""
    trust_reasons: list[str]
    """Why they cannot be quoted as they are, most important first."""
    errors: list[str]
    """Its findings of severity error, except those that ``partial`` and ``valid`` report."""


class ComparedSide(msgspec.Struct, frozen=True, kw_only=True):
    """One side: a result, or several pooled results of the same set-up."""

    label: str
    """``A`` for the side that the others are compared with, then ``B``, ``C`` and so on."""
    name: str
    """The names of all its results."""
    kind: str
    results: list[ComparedResult]


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """A setting in which the set-ups differ."""

    what: str
    values: list[str | None]
    """The value of each side; ``None`` if that side does not record it."""
    sides: list[str]
    """The sides that differ from A; empty if only others differ from each other."""
    why: str
    """Why it matters, in a few words."""


class UnrecordedSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Settings that this side does not record, but another side does."""

    side: str
    what: list[str]


class SideFigure(msgspec.Struct, frozen=True, kw_only=True):
    """The figure of one side, in the row's unit."""

    value: float
    low: float | None
    high: float | None
    bounded_by: BoundedBy | None
    """What the bounds are: an ``interval`` of 95 % confidence, or the ``range`` of two to five
    allocations, runs or rounds. ``None`` if there are no bounds."""
    n: int
    of: Literal["samples", "runs", "rounds", "points"]
    """What was counted as ``n``: the value is the median, or the best, of these."""
    valid: bool | None
    """``False`` if its results were wrong; ``None`` if they were not checked."""


class SideRatio(msgspec.Struct, frozen=True, kw_only=True):
    """How much better a side is than A: above 1 it is better, in every unit.

    ``low`` and ``high`` bound it with 95 % confidence; ``None`` if the noise is unknown.
    """

    side: str
    value: float | None
    low: float | None
    high: float | None
    verdict: Verdict | None
    """The verdict on the ratio; ``None`` if the two figures cannot be compared."""
    reason: str | None
    """Why there is no ratio or no interval, or another remark on this ratio."""


class ComparedFigure(msgspec.Struct, frozen=True, kw_only=True):
    """A row: one figure that at least two sides have."""

    name: str
    """The name of the figure, such as ``triad plain`` or ``idle latency of memory``."""
    kernel: str | None
    """The kernel name by which ``--kernel`` chooses the figure."""
    unit: Unit
    lower_is_better: bool
    """``True`` if a lower figure is better. The ratio is then A's value divided by the side's."""
    statistic: Statistic
    figures: list[SideFigure | None]
    """The figure of each side; ``None`` if that side does not have it."""
    ratios: list[SideRatio]
    """The ratio of each side except A."""


class UnpairedFigure(msgspec.Struct, frozen=True, kw_only=True):
    """A figure that only A has, or that only other sides have."""

    name: str
    sides: list[str]
    """The sides that have it."""


class Acceptance(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of ``--fail-below``."""

    limit: float
    passed: bool | None
    """``True`` if every ratio reaches the limit. ``None`` if that cannot be decided: figures are
    missing, or a side is incomplete or wrong."""
    below: list[str]
    """The figures whose ratio is below the limit."""
    text: str


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """The whole comparison."""

    kind: str
    sides: list[ComparedSide]
    margin: float
    """The largest relative difference, as a share, at which two figures count as the ``same``."""
    differences: list[Difference]
    """The settings that differ, most important first; empty if no recorded setting differs."""
    untold: list[UnrecordedSettings]
    untold_by_all: list[str]
    """The most important properties that no side records."""
    figures: list[ComparedFigure]
    unpaired: list[UnpairedFigure]
    conclusions: list[Conclusion]
    """What the ratios mean for each side, no firmer than the results of both."""
    remarks: list[str]
    """Remarks on the figures and on their noise."""
    acceptance: Acceptance | None
    """The outcome of ``--fail-below``; ``None`` if it was not given."""

    @property
    def sentences(self) -> list[str]:
        """The conclusions without their grades."""
        return texts(self.conclusions)
