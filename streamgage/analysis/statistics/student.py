"""The 97.5 % quantile of Student's t, for any number of degrees of freedom."""

from __future__ import annotations

import math
from bisect import bisect_right

NORMAL = 1.959964
_TABLE = (
    *(12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281),
    *(2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860),
)
"""Of 1 to 20 degrees of freedom."""


def quantile(freedom: float) -> float:
    """The 97.5 % quantile; below one degree of freedom that of one.

    Between the rows of the table its logarithm is taken to be linear in 1/freedom, which is right
    within 3 % everywhere; beyond the table, down to the normal one.
    """
    freedom = max(freedom, 1.0)
    rows = [float(number) for number in range(1, len(_TABLE) + 1)]
    place = bisect_right(rows, freedom)
    if place == len(_TABLE):
        before, after, above, below = 1 / rows[-1], 0.0, _TABLE[-1], NORMAL
    else:
        before, after = 1 / rows[place - 1], 1 / rows[place]
        above, below = _TABLE[place - 1], _TABLE[place]
    share = (before - 1 / freedom) / (before - after)
    return math.exp(math.log(above) + share * (math.log(below) - math.log(above)))


def welch(one: float, one_freedom: float, other: float, other_freedom: float) -> float:
    """Degrees of freedom of a difference of two estimates of these variances.

    Welch 1947 (Biometrika 34) and Satterthwaite 1946 (Biometrics Bulletin 2).
    """
    both = one + other
    if both == 0:
        return min(one_freedom, other_freedom)
    return both**2 / (one**2 / one_freedom + other**2 / other_freedom)
