"""A figure with its bounds, as the documents of studies have it."""

from __future__ import annotations

import msgspec


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """A median with its bounds.

    With one round ``low`` and ``high`` bound a rate with 95 % confidence over its samples, with
    more by a bootstrap over the rounds, or below 6 of them by the extremes; a ratio is paired round
    by round. Null where there are too few samples.
    """

    value: float
    low: float | None
    high: float | None
