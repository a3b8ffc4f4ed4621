"""Block bootstrap: the interval of a median of values that were measured one after another.

Two variants are compared within each block of the measurement, so both contain everything else that
the machine did. The figure is the median over the blocks. Neighbouring blocks are similar (clocks
and neighbours drift), so n^(1/3) consecutive blocks are drawn at a time instead of single ones
(Künsch 1989; circular, Politis and Romano 1992).

Few blocks hold few different medians, so that drawn ones lie too near to each other: of equal
variants 14 to 16 % were said to differ with 6 to 10 blocks, 6 % with 40. The interval therefore
holds that of the order statistics, too, which is exact for independent blocks.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter

from streamgage.analysis.statistics.estimate import Estimate
from streamgage.analysis.statistics.intervals import FEWEST, BoundedBy, median, median_interval

SEED = 1989
_MANY = 100
_TAIL = 0.025


@dataclass(frozen=True)
class BlockMedian:
    """A median over ``n`` blocks and its 95 % interval, in the unit of the values.

    With fewer than ``FEWEST`` blocks, the bounds are the range of the values; with a single block,
    they are its value.
    """

    value: float
    low: float
    high: float
    n: int

    @property
    def bounded_by(self) -> BoundedBy:
        """What the bounds are: an interval or a range."""
        return "range" if self.n < FEWEST else "interval"


def estimate_of(median: BlockMedian | None, over: int = 1) -> Estimate | None:
    """Convert ``median``, divided by ``over``, to an estimate. A single value has no bounds."""
    if median is None:
        return None
    single = median.n == 1
    return Estimate(
        value=median.value / over,
        low=None if single else median.low / over,
        high=None if single else median.high / over,
        bounded_by=median.bounded_by,
    )


def bootstrap_median(values: Sequence[float]) -> BlockMedian | None:
    """The median of ``values``, in the order measured, with its interval.

    ``None`` if there are none. The same values always give the same interval, because the seed is
    fixed.
    """
    n = len(values)
    if not n:
        return None
    ordered = sorted(values)
    middle = median(ordered)
    if n < FEWEST:
        return BlockMedian(middle, ordered[0], ordered[-1], n)
    drawn = _drawn_medians(values)
    cut = int(_TAIL * len(drawn))
    ranked = median_interval(ordered)
    assert ranked is not None, "there are enough values"
    return BlockMedian(middle, min(ranked.low, drawn[cut]), max(ranked.high, drawn[-1 - cut]), n)


def paired_ratios(above: Mapping[int, float], below: Mapping[int, float]) -> list[float]:
    """The ratios of ``above`` to ``below`` in blocks that have both, in the order of the blocks."""
    both = [block for block in sorted(above.keys() & below.keys()) if below[block] > 0]
    return [above[block] / below[block] for block in both]


def paired_ratio(above: Mapping[int, float], below: Mapping[int, float]) -> BlockMedian | None:
    """The median of these ratios with its interval; ``None`` if no block has both."""
    return bootstrap_median(paired_ratios(above, below))


def _drawn_medians(values: Sequence[float]) -> list[float]:
    """The medians of resampled values, in ascending order."""
    return sorted(median(sorted(draw(values))) for draw in _draws(len(values)))


@lru_cache(maxsize=16)
def _draws(n: int) -> list[itemgetter[tuple[float, ...]]]:
    """Draws of ``n`` of ``n`` values, each in runs of consecutive values."""
    source = random.Random(f"{SEED}:{n}")
    length = max(1, round(n ** (1 / 3)))
    runs = math.ceil(n / length)

    def draw() -> itemgetter[tuple[float, ...]]:
        starts = (source.randrange(n) for _ in range(runs))
        places = [(start + step) % n for start in starts for step in range(length)]
        return itemgetter(*places[:n])

    return [draw() for _ in range(1000 if n <= _MANY else 400)]
