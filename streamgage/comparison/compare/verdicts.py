"""Decides whether a figure is faster, slower, the same, or too noisy to say."""

from __future__ import annotations

from streamgage.comparison.compare.document import SideRatio, Verdict
from streamgage.comparison.compare.ratio import Ratio, ratio_of
from streamgage.results.comparable import Figure

MARGIN = 0.03
"""Figures that differ by no more than this share are the same to most users."""
NOT_THERE = "it has no such figure"


def verdict_of(ratio: Ratio, margin: float) -> Verdict:
    """The verdict on a ratio, from its interval.

    ``same``: in the whole interval, neither figure is more than ``margin`` below the other.
    ``faster`` or ``slower``: the interval does not contain 1. Without an interval the verdict is
    ``too noisy to say``.
    """
    if ratio.low is None or ratio.high is None:
        return "too noisy to say"
    if ratio.low >= 1 - margin and ratio.high <= 1 / (1 - margin):
        return "same"
    if ratio.low > 1:
        return "faster"
    return "slower" if ratio.high < 1 else "too noisy to say"


def compared(
    side: str,
    base: Figure,
    other: Figure | None,
    margin: float,
    *,
    same_result: bool,
    supported: bool,
) -> SideRatio:
    """Compare ``other`` with ``base``, the figure of side A.

    ``supported``: whether the results of both sides support a conclusion.
    """
    why_not = _why_not(side, base, other)
    if other is None or why_not is not None:
        return SideRatio(side=side, value=None, low=None, high=None, verdict=None, reason=why_not)
    ratio = (
        Ratio(1.0, 1.0, 1.0)
        if same_result
        else ratio_of(base.seconds, base.evidence, other.seconds, other.evidence)
    )
    return SideRatio(
        side=side,
        value=ratio.value,
        low=ratio.low,
        high=ratio.high,
        verdict=verdict_of(ratio, margin) if supported else "no conclusion",
        reason=_reason(side, base, other, ratio),
    )


def _reason(side: str, base: Figure, other: Figure, ratio: Ratio) -> str | None:
    """Why the ratio has no interval, or what is unusual about the two figures."""
    parts = [each.note for each in (base, other) if each.note is not None]
    if ratio.low is None and not any(
        each.note is not None and each.evidence is None for each in (base, other)
    ):
        parts.insert(0, _why_no_interval(side, base, other))
    if base.stores != other.stores and base.stores and other.stores:
        parts.append(
            f"the best figure comes from {' or '.join(base.stores)} stores on A and from"
            f" {' or '.join(other.stores)} stores on {side}"
        )
    return "; ".join(dict.fromkeys(parts)) or None


def _why_not(side: str, base: Figure, other: Figure | None) -> str | None:
    if other is None:
        return NOT_THERE
    wrong = [label for label, each in (("A", base), (side, other)) if each.valid is False]
    return f"its results were wrong on {' and '.join(wrong)}" if wrong else None


def _why_no_interval(side: str, base: Figure, other: Figure) -> str:
    single = [label for label, each in (("A", base), (side, other)) if each.evidence is None]
    if not single:
        return "the clock is too coarse for its samples"
    has = "has" if len(single) == 1 else "have"
    return f"{' and '.join(single)} {has} only one figure, so its noise is unknown"
