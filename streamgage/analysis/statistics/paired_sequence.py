"""Bounds for paired differences that hold however often one looks at them.

Two things are measured in pairs, in random order. If both are equal but for a shift, a difference
less that shift is as often above 0 as below, whatever its size. A bet on its sign, which may use
its size and all that came before, then wins nothing on average, so the capital exceeds 1 / alpha
in at most a share alpha of all such sequences, ever (Ville's inequality). The shifts against which
no bet has won that much are the interval: it holds after every pair, so that a measurement may end
as soon as it decides something. See Ramdas et al., Game-theoretic statistics and safe anytime-valid
inference, Statistical Science 38 (2023), for bets, and Howard and Ramdas, Sequential estimation of
quantiles, Bernoulli 28 (2022), for intervals at any time.
"""

from __future__ import annotations

import math
from bisect import insort
from collections.abc import Sequence

_STAKES = (0.08, 0.15, 0.25, 0.4, 0.6, 0.9)
"""Shares of the capital that are bet, on either sign; the capital is spread over all of them."""
_STEPS = 40
"""Halvings with which an end of the interval is sought."""


def log_capital(differences: Sequence[float], shift: float) -> float:
    """The logarithm of what bets against this shift have won from a capital of 1."""
    logs = [0.0] * (2 * len(_STAKES))
    sizes: list[float] = []
    for each in differences:
        size = abs(each - shift)
        if sizes:
            middle = sizes[len(sizes) // 2]
            weight = 1.0 if size >= middle else size / middle
        else:
            weight = 1.0
        insort(sizes, size)
        won = math.copysign(weight, each - shift) if size else 0.0
        for number, stake in enumerate(_STAKES):
            logs[number] += math.log1p(stake * won)
            logs[-1 - number] += math.log1p(-stake * won)
    most = max(logs)
    return most + math.log(sum(math.exp(each - most) for each in logs) / len(logs))


def excludes(differences: Sequence[float], shift: float, alpha: float) -> bool:
    """Whether the interval at this alpha lacks the shift."""
    return log_capital(differences, shift) > -math.log(alpha)


def interval(differences: Sequence[float], alpha: float) -> tuple[float, float] | None:
    """The shifts that are not excluded, from the least to the greatest.

    ``None`` if there are too few differences to exclude any.
    """
    if not differences:
        return None
    ordered = sorted(differences)
    middle = ordered[len(ordered) // 2]
    reach = max(ordered[-1] - ordered[0], abs(middle), 1e-12)
    ends = []
    for sign in (-1, 1):
        outer = middle + sign * 2 * reach
        if not excludes(differences, outer, alpha):
            return None
        inner = middle
        for _ in range(_STEPS):
            between = (inner + outer) / 2
            if excludes(differences, between, alpha):
                outer = between
            else:
                inner = between
        ends.append(outer)
    return ends[0], ends[1]
