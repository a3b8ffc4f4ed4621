"""Alpha of a table without the bracket kernels: Copy, Scale, Add and Triad must agree.

Kernels that write get about the same bandwidth from memory, in any mix of reads and writes. Only a
contrast decides. Copy and Scale have the same nominal traffic, so if they differ by more than 15 %,
they did not use the same stores. Then the combinations of stores that compilers make are tried
(``POSSIBLE``). One is inferred if it alone gives hardware bandwidths within 10 % of each other and
below the peak. If Copy and Scale are closer, *full* for all four and *none* for all four differ by
at most 12 %, which is less than memory does. Example: EPYC 7451, peak 341 GB/s. 240.6, 175.6,
186.2, 186.5 GB/s agree as 241, 263, 248, 249 only if Copy (memcpy, with streaming stores) avoids
the read and the others do not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from streamgage.analysis.peak.peak import Peak
from streamgage.analysis.traffic.alpha import Alpha, refuse
from streamgage.analysis.traffic.exclusion import ROUNDING
from streamgage.analysis.traffic.reading import Readings
from streamgage.analysis.traffic.readings import (
    EXTRA_LOADS,
    TOLERANCE,
    hardware,
    likely_verdicts,
    readings_of,
)
from streamgage.analysis.traffic.reason import Reason, ReasonCode

LOADS = {name: EXTRA_LOADS[name] for name in ("copy", "scale", "add", "triad")}


@dataclass(frozen=True)
class Stores:
    """A combination of stores that compilers make: the kernels that read what they overwrite."""

    full: frozenset[str]
    held_back: str | None = None
    """A loop that did not vectorise, or that something else slows down. It is slower than the
    others, and its rate does not show what its stores read."""


_ALL = frozenset(LOADS)
_NONE: frozenset[str] = frozenset()
POSSIBLE = (
    Stores(_NONE),
    Stores(_ALL),
    Stores(_ALL - {"copy"}),  # copy is memcpy with streaming stores; the others are loops
    Stores(frozenset({"copy"})),  # the loops have streaming stores; copy is a call without them
    *(Stores(full, name) for name in LOADS for full in (_NONE, _ALL)),
)
"""The combinations of stores that compilers make: all kernels alike, copy different from the rest,
or one loop held back."""
CONTRAST = 0.15
"""The difference of Copy and Scale above which their stores differ."""
_MOST_BY_STORES = 1.5
"""The most by which stores alone can make Copy and Scale differ: two words, or three if the store
reads its line first."""


@dataclass(frozen=True)
class Consistency:
    """The verdicts on a table, with its readings if the verdicts are not certain."""

    verdicts: dict[str, Alpha]
    readings: Readings | None = None


def consistency_of(
    gbps: Mapping[str, float], peak: Peak | None, reads: Mapping[str, float] | None = None
) -> Consistency:
    """Judge each kernel of ``gbps``, the nominal rates in GB/s.

    ``reads``: the rates of kernels that only read. The hypotheses are full or none. A kernel that
    reads a part of its lines is either refused, because its bandwidth agrees with nothing, or so
    near to one of them that the interval holds it.
    """
    every = {**gbps, **(reads or {})}
    if missing := [name for name in LOADS if name not in gbps]:
        lacking = Reason(why=ReasonCode.LACKING, kernels=missing)
        return _with_readings(gbps, readings_of(every, peak), lacking)
    apart = contrast(gbps)
    if 1 + apart > _MOST_BY_STORES * (1 + TOLERANCE):
        return Consistency(
            _refuse(gbps, Reason(why=ReasonCode.FAR_APART, share=apart, limit=_MOST_BY_STORES - 1))
        )
    slow = held_back(gbps)
    if slow is not None:
        return Consistency(_refuse(gbps, _why_held_back(gbps, slow)))
    if apart <= CONTRAST:
        why = Reason(why=ReasonCode.TOO_SIMILAR, share=apart)
        return _with_readings(gbps, readings_of(every, peak), why)
    possible = [stores for stores in POSSIBLE if _agrees(gbps, stores, peak)]
    if len(possible) == 1:
        (stores,) = possible
        why = _why(gbps, stores, apart)
        return Consistency({name: _verdict(name, stores, why) for name in LOADS})
    combinations = ReasonCode.COMBINATIONS if possible else ReasonCode.NO_COMBINATION
    why = Reason(why=combinations, share=apart, limit=TOLERANCE)
    apart_kernel = "copy" if gbps["copy"] > gbps["scale"] else None
    return _with_readings(gbps, readings_of(every, peak, apart=apart_kernel), why)


def _with_readings(
    gbps: Mapping[str, float], readings: Readings | None, why: Reason
) -> Consistency:
    if readings is None:
        return Consistency(_refuse(gbps, why))  # too few kernels, or no reading in which they agree
    verdicts = {**_refuse(gbps, why), **likely_verdicts(readings, why)}
    return Consistency({name: verdicts[name] for name in gbps}, readings)


def held_back(gbps: Mapping[str, float]) -> str | None:
    """The only slow kernel of Copy, Scale, Add and Triad; ``None`` if there is none.

    The other three agree as printed, so they have the same stores, and no compiler gives a single
    loop of them other stores.
    """
    if any(name not in gbps for name in LOADS):
        return None
    slow = min(("copy", "scale", "add", "triad"), key=lambda name: gbps[name])
    others = [gbps[name] for name in LOADS if name != slow]
    agree = max(others) <= (1 + TOLERANCE) * min(others)
    return slow if agree and (1 + CONTRAST) * gbps[slow] < min(others) else None


def _why_held_back(gbps: Mapping[str, float], slow: str) -> Reason:
    others = [name for name in LOADS if name != slow]
    rates = [gbps[name] for name in others]
    return Reason(
        why=ReasonCode.HELD_BACK,
        kernel=slow,
        kernels=others,
        spread=max(rates) / min(rates) - 1,
        share=1 - gbps[slow] / min(rates),
    )


def contrast(gbps: Mapping[str, float]) -> float:
    """The share by which the faster of copy and scale exceeds the slower."""
    pair = (gbps["copy"], gbps["scale"])
    return max(pair) / min(pair) - 1


def _hardware(gbps: Mapping[str, float], stores: Stores) -> dict[str, float]:
    return {name: hardware(gbps[name], LOADS[name], full=name in stores.full) for name in LOADS}


def _agrees(gbps: Mapping[str, float], stores: Stores, peak: Peak | None) -> bool:
    crossed = _hardware(gbps, stores)
    slow = crossed.pop(stores.held_back) if stores.held_back is not None else None
    most, least = max(crossed.values()), min(crossed.values())
    below = peak is None or most <= ROUNDING * peak.gbps
    slower = slow is None or slow * (1 + TOLERANCE) < least
    return below and slower and most <= (1 + TOLERANCE) * least


def _why(gbps: Mapping[str, float], stores: Stores, apart: float) -> Reason:
    """The evidence of the table about all kernels."""
    return Reason(
        why=ReasonCode.ONE_COMBINATION,
        share=apart,
        rates=_hardware(gbps, stores),
        read=[name for name in LOADS if name in stores.full],
    )


def _verdict(name: str, stores: Stores, why: Reason) -> Alpha:
    if name == stores.held_back:
        return refuse(Reason(why=ReasonCode.ALONE_SLOW, kernel=name))
    full = name in stores.full
    # rate x (1 + alpha / (L + 1)) within 10 % of what the hypothesis gives
    reach = TOLERANCE * (LOADS[name] + (2 if full else 1))
    return Alpha(
        verdict="full" if full else "none",
        value=1.0 if full else 0.0,
        low=1.0 - reach if full else 0.0,
        high=1.0 + reach if full else reach,
        evidence="inferred",
        reasons=[why],
    )


def _refuse(gbps: Mapping[str, float], why: Reason) -> dict[str, Alpha]:
    return {name: refuse(why) for name in gbps}
