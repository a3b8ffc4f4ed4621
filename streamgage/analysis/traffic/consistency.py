"""Alpha of another benchmark's table: which combination of stores gives all rates one bandwidth.

The verdict on each kernel comes from the odds of all combinations (``odds``). Example: EPYC 7451,
peak 341 GB/s. 240.6, 175.6, 186.2, 186.5 GB/s agree as 241, 263, 248, 249 if copy (a call with
streaming stores) reads no line and the others read all. A table in which copy is no faster than
scale fits that no kernel reads and that all do, and the odds say so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from streamgage.analysis.peak.gates import HIGHEST
from streamgage.analysis.traffic.alpha import Alpha, refuse
from streamgage.analysis.traffic.combinations import Combination
from streamgage.analysis.traffic.likelihood import EXTRA_LOADS, Rates
from streamgage.analysis.traffic.odds import MOST_SPREAD, Band, Posterior, grade_of, posterior_of
from streamgage.analysis.traffic.reading import Reading, Readings
from streamgage.analysis.traffic.reason import Reason, ReasonCode

MOST_CALL = 0.40
"""The most by which a call explains that copy differs from the loops, three standard deviations."""
LOADS = {name: EXTRA_LOADS[name] for name in ("copy", "scale", "add", "triad")}
CONTRAST = 0.15
"""The difference of Copy and Scale above which their stores differ."""
REACH = 0.10
"""The uncertainty of the real traffic of a kernel whose stores were inferred."""


@dataclass(frozen=True)
class Consistency:
    """The verdicts on a table, with its readings if it allows any verdict."""

    verdicts: dict[str, Alpha]
    readings: Readings | None = None


def consistency_of(rates: Rates) -> Consistency:
    """Judge each kernel whose stores may read their lines."""
    if len(rates.unknown) + len(rates.known) < 2:
        return _refused(rates, Reason(why=ReasonCode.ONE_KERNEL))
    posterior = posterior_of(rates)
    if posterior is None:
        fastest = max(rates.unknown, key=lambda name: rates.unknown[name])
        why = Reason(
            why=ReasonCode.BEYOND_PEAK, kernel=fastest, limit=HIGHEST, peak_gbps=rates.peak_gbps
        )
        return _refused(rates, why)
    if posterior.unexplained > MOST_SPREAD:
        why = Reason(why=ReasonCode.NO_BANDWIDTH, share=posterior.spread)
        return _refused(rates, why)
    if posterior.copy_apart > MOST_CALL:
        return _refused(
            rates, Reason(why=ReasonCode.FAR_APART, share=posterior.copy_apart, limit=MOST_CALL)
        )
    if posterior.best.alone is not None:
        return _refused(rates, Reason(why=ReasonCode.ALONE, kernel=posterior.best.alone))
    readings = readings_of(posterior)
    return Consistency(
        {name: _verdict(posterior, readings, name) for name in rates.unknown}, readings
    )


def _refused(rates: Rates, why: Reason) -> Consistency:
    return Consistency({name: refuse(why) for name in rates.unknown})


def _verdict(posterior: Posterior, readings: Readings, name: str) -> Alpha:
    band = posterior.verdict(name)
    odds = posterior.odds(name, band)
    grade = grade_of(odds)
    if grade is None or band == "partial" or posterior.spread > MOST_SPREAD:
        return refuse(Reason(why=ReasonCode.UNDECIDED, readings=readings))
    code = ReasonCode.LIKELY if grade == "likely" else ReasonCode.ONE_COMBINATION
    return _alpha(posterior, name, band, Reason(why=code, readings=readings), grade)


def _alpha(posterior: Posterior, name: str, band: Band, why: Reason, grade: str) -> Alpha:
    full = band == "full"
    # rate x (1 + alpha / (L + 1)) within 10 % of what the verdict gives
    reach = REACH * (EXTRA_LOADS[name] + (2 if full else 1))
    likely = grade == "likely"
    return Alpha(
        verdict="full" if full else "none",
        value=1.0 if full else 0.0,
        low=0.0 if likely or not full else 1.0 - reach,
        high=1.0 if likely else (1.0 + reach if full else reach),
        evidence="likely" if likely else "inferred",
        reasons=[why],
    )


def readings_of(posterior: Posterior) -> Readings:
    """The meanings of the rates: that no line is read, that all are, and the most probable one."""
    none, full = (
        _reading(posterior, dict.fromkeys(posterior.rates.unknown, alpha)) for alpha in (0.0, 1.0)
    )
    best = _reading(posterior, posterior.best.alphas)
    least = max(full.gbps.values()) / HIGHEST
    known = posterior.rates.peak_gbps is not None
    return Readings(
        none=none,
        full=full,
        best=best,
        with_known=bool(posterior.rates.known),
        peak_below_gbps=None if known else least,
    )


def _reading(posterior: Posterior, alphas: Mapping[str, float]) -> Reading:
    probability = sum(
        share
        for share, each in zip(posterior.shares, posterior.combinations, strict=True)
        if dict(each.alphas) == dict(alphas)
    )
    return Reading(
        alphas=dict(alphas),
        gbps={name: each.gbps for name, each in posterior.rates.crossed(alphas).items()},
        spread=posterior.spread_if(Combination(alphas, 0.0)),
        probability=min(probability, 1.0),
    )


def held_back(gbps: Mapping[str, float]) -> str | None:
    """The only slow kernel of Copy, Scale, Add and Triad; ``None`` if there is none.

    The other three agree as printed, so they have the same stores, and a single loop with other
    stores is rare.
    """
    if any(name not in gbps for name in LOADS):
        return None
    slow = min(("copy", "scale", "add", "triad"), key=lambda name: gbps[name])
    others = [gbps[name] for name in LOADS if name != slow]
    agree = max(others) <= (1 + REACH) * min(others)
    return slow if agree and (1 + CONTRAST) * gbps[slow] < min(others) else None


def contrast(gbps: Mapping[str, float]) -> float:
    """The share by which the faster of copy and scale exceeds the slower."""
    pair = (gbps["copy"], gbps["scale"])
    return max(pair) / min(pair) - 1
