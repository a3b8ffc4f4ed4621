"""The verdict of brackets where memory is the limit: kernels with the same stores must agree.

What the hardware does with a store does not depend on the loop around it, so copy and triad made by
the same code have the same alpha. Each has its own bracket, so their agreement is a check. Their
mean is known better than either of them.
"""

from __future__ import annotations

import math
from typing import Literal

from streamgage.analysis.traffic.alpha import Alpha, refuse
from streamgage.analysis.traffic.bands import FULL, is_partial, settled
from streamgage.analysis.traffic.bracket import AlphaEstimate
from streamgage.analysis.traffic.reason import Reason, ReasonCode
from streamgage.analysis.traffic.scene import Scene
from streamgage.records import Variant

Verdict = Literal["full", "none", "partial", "at-most"]

DIFFER_BY = 0.25
"""The most by which copy and triad with the same stores may differ."""
AGREE_WITHIN = 0.20
"""The most by which they may differ for a partial verdict, or for one that rests on both."""


def banded(scene: Scene, variant: Variant, estimate: AlphaEstimate) -> Alpha:
    """Judge by the bands of alpha (full, none or partial) if copy and triad agree."""
    partners = scene.partners(variant)
    found_pair = [scene.alpha(each) for each in partners] if partners else []
    pair = [alpha for alpha in found_pair if alpha is not None]
    apart = abs(pair[0].value - pair[1].value) if len(pair) == 2 else None
    if apart is not None and partners is not None and apart > DIFFER_BY:
        alphas = {e.kernel: alpha.value for e, alpha in zip(partners, pair, strict=True)}
        return refuse(Reason(why=ReasonCode.KERNELS_DISAGREE, alphas=alphas))
    alone = apart is None or partners is None
    own_if_other = [] if partners and variant in partners else [estimate]
    together = [estimate] if alone else [*pair, *own_if_other]
    if _apart(together) > AGREE_WITHIN:
        return refuse(
            Reason(why=ReasonCode.KERNELS_APART, alpha=_apart(together), limit=AGREE_WITHIN)
        )
    judged = [estimate] if alone else pair
    # A kernel other than those two must not be judged if they are not.
    verdicts = {_band(_pooled(each), alone) for each in (judged, together)}
    verdict = verdicts.pop()
    if verdict is None or verdicts:
        return refuse(_undecided(_pooled(together)))
    own = _band(estimate, alone) == verdict
    return compared_alpha(
        verdict, estimate if own else _with_value_of(estimate, _pooled(together)), variant.kernel
    )


def _band(estimate: AlphaEstimate, alone: bool) -> Verdict | None:
    """The band that holds the interval; ``None`` if none does.

    Partial requires that two kernels show it.
    """
    verdict = settled(estimate.low, estimate.high)
    if verdict is None and not alone and is_partial(estimate.low, estimate.high):
        return "partial"
    return verdict


def _apart(alphas: list[AlphaEstimate]) -> float:
    values = [each.value for each in alphas]
    return max(values) - min(values)


def _pooled(alphas: list[AlphaEstimate]) -> AlphaEstimate:
    """The mean of kernels with the same stores.

    At alpha = 0 the error of each comes from its lower kernel, at 1 from its upper one. These are
    different kernels for each of them, so the systematic parts are independent, and the mean of n
    has 1 / sqrt(n) of them.
    """
    n = len(alphas)
    value = sum(each.value for each in alphas) / n
    below = math.hypot(*(each.value - each.low for each in alphas)) / n
    above = math.hypot(*(each.high - each.value for each in alphas)) / n
    return AlphaEstimate(value, value - below, value + above, alphas[0].statistical)


def _with_value_of(own: AlphaEstimate, pooled: AlphaEstimate) -> AlphaEstimate:
    """The interval of the mean with the kernel's own value, which it is widened to contain."""
    low, high = min(own.value, pooled.low), max(own.value, pooled.high)
    return AlphaEstimate(own.value, low, high, own.statistical)


def compared_alpha(verdict: Verdict, estimate: AlphaEstimate, kernel: str) -> Alpha:
    why = Reason(why=ReasonCode.COMPARED, kernel=kernel, alpha=estimate.value)
    return inferred_alpha(verdict, estimate.value, estimate.low, estimate.high, why)


def inferred_alpha(verdict: Verdict, value: float, low: float, high: float, why: Reason) -> Alpha:
    return Alpha(
        verdict=verdict,
        value=value,
        low=low,
        high=high,
        evidence="inferred",
        reasons=[why],
    )


def _undecided(estimate: AlphaEstimate) -> Reason:
    if estimate.value > FULL[1]:
        return Reason(why=ReasonCode.TAKES_LONGER, alpha=estimate.value)
    return Reason(why=ReasonCode.NO_BAND, low=estimate.low, high=estimate.high)
