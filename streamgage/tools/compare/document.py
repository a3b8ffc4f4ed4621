"""The answer of ``streamgage compare`` as one document: what ``--format json`` prints.

``schema/compare.schema.json`` is generated from these types. Rates are GB/s (10^9 bytes a
second) by STREAM's nominal counting, latencies nanoseconds, times of programs seconds. What is not
known is null.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from streamgage.results.comparable import BoundedBy, Statistic, Unit

Verdict = Literal["faster", "slower", "same", "too noisy to say"]


class ComparedResult(msgspec.Struct, frozen=True, kw_only=True):
    """One result of a side."""

    name: str
    """What the user called it: ``run 12``, or the file's name."""
    host: str | None
    date: str | None
    """Start, ISO 8601, UTC."""
    tool: str | None
    """The other benchmark whose output it is; null where it is streamgage's own."""
    partial: str | None
    """Why it is not whole, a sentence; null where it is, or where that is unknown."""
    errors: list[str]
    """Its findings of severity error, but for that it is not whole or computed something wrong."""


class ComparedSide(msgspec.Struct, frozen=True, kw_only=True):
    """One side: a result, or several of the same set-up that are pooled."""

    label: str
    """``A`` is what the others are compared with, then ``B``, ``C`` and so on."""
    name: str
    """All its results' names."""
    kind: str
    results: list[ComparedResult]


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """Something in which the set-ups differ."""

    what: str
    values: list[str | None]
    """One a side, in their order; null where that side does not tell."""
    sides: list[str]
    """Those that differ from A; empty where only others differ from each other."""
    why: str
    """Why it matters, in a few words."""


class Untold(msgspec.Struct, frozen=True, kw_only=True):
    """What one side does not record of its set-up, and another does."""

    side: str
    what: list[str]


class SideFigure(msgspec.Struct, frozen=True, kw_only=True):
    """What one side has of a figure, in the row's unit."""

    value: float
    low: float | None
    high: float | None
    """Bounds of 95 % confidence; of two to five runs or rounds their extremes. Null where there are
    none."""
    bounded_by: BoundedBy | None
    n: int
    of: Literal["samples", "runs", "rounds", "points"]
    """What the value is the median (or the best) of."""
    valid: bool | None
    """False where its results were wrong; null where that was not checked."""


class SideRatio(msgspec.Struct, frozen=True, kw_only=True):
    """How much better a side is than A: above 1 it is better, whatever the unit.

    ``low`` and ``high`` bound it with 95 % confidence; null where the noise is unknown.
    """

    side: str
    value: float | None
    low: float | None
    high: float | None
    verdict: Verdict | None
    """Null where the two cannot be compared."""
    reason: str | None
    """Why there is no ratio, or no interval, or what else to know of this one."""


class ComparedFigure(msgspec.Struct, frozen=True, kw_only=True):
    """A row: one figure that at least two sides have."""

    name: str
    """Such as ``triad plain``, or ``idle latency of memory``."""
    kernel: str | None
    """By which it can be chosen."""
    unit: Unit
    lower_is_better: bool
    """Then the ratio is that of A's value over the side's."""
    statistic: Statistic
    figures: list[SideFigure | None]
    """One a side, in their order; null where that side does not have it."""
    ratios: list[SideRatio]
    """One for each side but A."""


class Unpaired(msgspec.Struct, frozen=True, kw_only=True):
    """A figure that A has and another side has not, or the other way about."""

    name: str
    sides: list[str]
    """Those that have it."""


class Acceptance(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of ``--fail-below``."""

    limit: float
    passed: bool | None
    """Null where it cannot be decided: figures are missing, or a side is not whole or wrong."""
    below: list[str]
    """The figures whose ratio is below the limit."""
    text: str


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """The whole answer."""

    kind: str
    sides: list[ComparedSide]
    margin: float
    """Share that makes no difference: ``same`` is what lies within it."""
    differences: list[Difference]
    """Most important first; empty where nothing that is known differs."""
    untold: list[Untold]
    untold_by_all: list[str]
    """What no side tells, of that which moves figures most."""
    figures: list[ComparedFigure]
    unpaired: list[Unpaired]
    verdict: list[str]
    """What the ratios come to, a sentence or two for each side."""
    remarks: list[str]
    """What to know of the figures and of their noise."""
    acceptance: Acceptance | None
    """Null where no limit was given."""
