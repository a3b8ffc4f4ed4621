"""A figure with its bounds, as documents store it."""

from __future__ import annotations

from typing import Annotated

import msgspec

from streamgage.analysis.statistics.intervals import BoundedBy
from streamgage.records.quantities import Amount, checked_by


def _check_above_0(figure: Estimate) -> None:
    if any(each is not None and each <= 0 for each in (figure.value, figure.low, figure.high)):
        raise ValueError("Expected figures > 0")


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """A median with its bounds.

    With one round ``low`` and ``high`` bound a rate over its samples; with more, over the rounds,
    by a bootstrap. Ratios are paired round by round. Below 6 samples or rounds the bounds are their
    range. They are null if there is a single value.
    """

    value: Amount
    low: Amount | None
    high: Amount | None
    bounded_by: BoundedBy = "interval"
    """What ``low`` and ``high`` are: an ``interval`` of 95 % confidence, or the ``range`` of too
    few values for one."""


PositiveEstimate = Annotated[Estimate, checked_by(_check_above_0)]
"""An estimate above 0, such as a bandwidth or latency that is used as a divisor."""
