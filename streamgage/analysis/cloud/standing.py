"""The place of a figure among those of others."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from statistics import median

import msgspec

from streamgage.records.quantities import Members, MembersFrom0, Rate


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of several server types in GB/s, and how many of them are below ours."""

    types: Members
    least: Rate
    middle: Rate
    """The median of the figures."""
    most: Rate
    below: MembersFrom0 | None
    """The number of types below our figure; ``None`` without a figure of ours."""


def standing_among(rates: Sequence[float], own_rate: float | None) -> Standing | None:
    """Summarise the rates, in GB/s; ``None`` if there are none."""
    if not rates:
        return None
    ordered = sorted(rates)
    return Standing(
        types=len(ordered),
        least=ordered[0],
        middle=median(ordered),
        most=ordered[-1],
        below=None if own_rate is None else bisect_left(ordered, own_rate),
    )
