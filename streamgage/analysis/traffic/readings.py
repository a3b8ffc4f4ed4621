"""Two possible readings of a table whose rates do not decide it, and the evidence for each.

In one reading no kernel reads the lines that it overwrites, in the other all do. Each gives what
crossed the memory bus, and four signs show how well that fits:

- kernels with the same loads get the same bandwidth, within 4 % (one standard deviation); those
  with other loads may differ by a sixth between half and two thirds reads, up or down (Grace +17 %,
  an LPDDR5 board -20 %, EPYC 7451 -6 %), so this alone decides little;
- they get 92 % of what a kernel that only reads reaches in the same table, within 8 % of it: writes
  cost 9 to 23 % of the bandwidth of reads (Xeon, Ivy Bridge to Emerald Rapids), less on others. A
  kernel that reads less than the others do even if they read no line (two standard deviations) was
  held back by something else, such as the sum of a GPU, and is no sign;
- copy and scale move the same bytes: where copy is faster by more than 15 %, their stores differ,
  and ten times as likely the copy became ``memcpy`` as that something else held scale back;
- they get no more than the theoretical peak.

The product of the likelihoods is the weight of a reading. One that outweighs the other by 3:1 is
*likely*, if its own kernels agree within 10 %. That is less than *inferred*, and no figure to
quote. A copy that departs from scale takes no part in the agreement of the others.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from streamgage.analysis.peak.peak import Peak
from streamgage.analysis.traffic.alpha import Alpha, refuse
from streamgage.analysis.traffic.exclusion import ROUNDING
from streamgage.analysis.traffic.reading import Reading, Readings
from streamgage.analysis.traffic.reason import Reason, ReasonCode

ODDS = 3.0
"""A reading that outweighs the other by this ratio is likely."""
TOLERANCE = 0.10
"""The difference of hardware bandwidths that the mix of reads and writes explains."""
_AGREE = 0.04
"""The standard deviation of the bandwidths of kernels with the same loads, as a share."""
_BY_MIX = 1.0
"""The standard deviation of the change of bandwidth from no reads to only reads, as a logarithm."""
_CONTRAST_ODDS = 10.0
_OF_READS = 0.92
_READS_VARY = 0.08
_COPY_VARIES = 0.10
"""The standard deviation of a copy by ``memcpy`` against the other kernels, as a share."""
_MOST_ODDS = 1000.0
EXTRA_LOADS = {"copy": 1, "scale": 1, "add": 2, "triad": 2, "striad": 3}
"""The loads of the kernels whose stores may read their lines."""
READS = ("load", "sum", "dot")
"""The kernels that only read."""


@dataclass(frozen=True)
class _Fit:
    """A reading with the logarithm of its likelihood."""

    full: bool
    gbps: dict[str, float]
    spread: float
    of_reads: float | None
    score: float
    above_peak: bool


def hardware(gbps: float, loads: int, *, full: bool) -> float:
    """The real traffic of a kernel with one store if it reads all of its lines, or none."""
    return gbps * (1 + full / (loads + 1))


def readings_of(
    gbps: Mapping[str, float], peak: Peak | None, *, apart: str | None = None
) -> Readings | None:
    """The two readings of nominal rates in GB/s.

    ``None`` if fewer than two kernels store, or if they agree within 10 % in neither reading.
    ``apart``: a kernel that did not store as the others do.
    """
    stores = {name: rate for name, rate in gbps.items() if name in EXTRA_LOADS and rate > 0}
    together = {name: rate for name, rate in stores.items() if name != apart}
    if len(together) < 2:
        return None
    reads = max((gbps[name] for name in READS if name in gbps), default=None)
    mean = math.exp(sum(math.log(rate) for rate in together.values()) / len(together))
    if reads is not None and mean > reads * _OF_READS * math.exp(2 * _READS_VARY):
        reads = None
    fits = [_fit(together, reads, peak, full=full) for full in (False, True)]
    if all(fit.spread > TOLERANCE for fit in fits):
        return None
    # A copy that differs from scale used other stores.
    unlike = math.log(_CONTRAST_ODDS) if apart == "copy" else 0.0
    scores = [fits[0].score - unlike, fits[1].score]
    if unlike:
        scores[1] += max(_apart_scores(stores["copy"], 1, list(fits[1].gbps.values())))
    weights = [math.exp(max(each - max(scores), -math.log(_MOST_ODDS))) for each in scores]
    found = []
    for fit, weight in zip(fits, weights, strict=True):
        full = [name for name in together if fit.full]
        shown = dict(fit.gbps)
        if apart is not None and apart in stores:
            read = _apart_reads(stores[apart], EXTRA_LOADS[apart], list(fit.gbps.values()))
            shown = {
                name: hardware(stores[apart], EXTRA_LOADS[apart], full=bool(read))
                if name == apart
                else fit.gbps[name]
                for name in stores
            }
            full += [apart] if read else []
        found.append(
            Reading(
                full=full,
                gbps=shown,
                spread=fit.spread,
                of_reads=fit.of_reads,
                weight=weight / sum(weights),
                above_peak=fit.above_peak,
            )
        )
    most = max(range(2), key=lambda n: weights[n])
    odds = weights[most] / weights[1 - most]
    likely = most if odds >= ODDS and fits[most].spread <= TOLERANCE else None
    least_full = min(fits[1].gbps.values())
    return Readings(
        readings=found,
        likely=likely,
        apart=apart,
        peak_below_gbps=least_full if fits[1].spread <= TOLERANCE else None,
    )


def _fit(
    together: Mapping[str, float], reads: float | None, peak: Peak | None, *, full: bool
) -> _Fit:
    crossed = {
        name: hardware(rate, EXTRA_LOADS[name], full=full) for name, rate in together.items()
    }
    logs = [math.log(each) for each in crossed.values()]
    mean = sum(logs) / len(logs)
    shares = [_read_share(EXTRA_LOADS[name], full=full) for name in together]
    score = _agreement(logs, shares)
    of_reads = None
    if reads is not None:
        of_reads = math.exp(mean) / reads
        score -= (math.log(of_reads / _OF_READS)) ** 2 / (2 * _READS_VARY**2)
    above = peak is not None and max(crossed.values()) > ROUNDING * peak.gbps
    if above:
        score -= math.log(_MOST_ODDS)
    return _Fit(
        full, crossed, max(crossed.values()) / min(crossed.values()) - 1, of_reads, score, above
    )


def _read_share(loads: int, *, full: bool) -> float:
    """The share of reads in the real traffic."""
    return (loads + full) / (loads + full + 1)


def _agreement(logs: list[float], shares: list[float]) -> float:
    """The log-likelihood of bandwidths that scatter and depend on the share of reads."""
    n = len(logs)
    rates = [each - sum(logs) / n for each in logs]
    mix = [each - sum(shares) / n for each in shares]
    length = math.sqrt(sum(each**2 for each in mix))
    squares = sum(each**2 for each in rates)
    if length < 1e-9:
        return -squares / (2 * _AGREE**2)
    along = sum(rate * each for rate, each in zip(rates, mix, strict=True)) / length
    variance = _AGREE**2 + (_BY_MIX * length) ** 2
    scatter = max(squares - along**2, 0.0) / _AGREE**2
    return -(along**2 / variance + math.log(variance) + scatter) / 2


def _apart_reads(gbps: float, loads: int, others: list[float]) -> bool | None:
    """Return whether a copy by ``memcpy`` reads its lines, judged by the others' bandwidth.

    ``None`` if that does not show it by 3:1.
    """
    scores = _apart_scores(gbps, loads, others)
    if abs(scores[0] - scores[1]) < math.log(ODDS):
        return None
    return scores[1] > scores[0]


def _apart_scores(gbps: float, loads: int, others: list[float]) -> list[float]:
    """Score the bandwidth against the others', for reading no line and for reading all lines."""
    mean = sum(math.log(each) for each in others) / len(others)
    return [
        -((math.log(hardware(gbps, loads, full=full)) - mean) ** 2) / (2 * _COPY_VARIES**2)
        for full in (False, True)
    ]


def likely_verdicts(readings: Readings, why: Reason) -> dict[str, Alpha]:
    """The verdict on each kernel of the readings: *likely*, or *cannot tell* with ``why``."""
    names = list(readings.readings[0].gbps)
    if readings.likely is None:
        return {name: refuse(why) for name in names}
    reading = readings.readings[readings.likely]
    verdicts = {}
    for name in names:
        if name == readings.apart and not _shown_apart(readings):
            verdicts[name] = refuse(Reason(why=ReasonCode.STANDS_APART, kernel=name))
            continue
        full = name in reading.full
        verdicts[name] = Alpha(
            verdict="full" if full else "none",
            value=1.0 if full else 0.0,
            low=0.0,
            high=1.0,
            evidence="likely",
            reasons=[Reason(why=ReasonCode.LIKELY, readings=readings)],
        )
    return verdicts


def _shown_apart(readings: Readings) -> bool:
    """Return whether it is known if the separate kernel reads its lines."""
    assert readings.apart is not None and readings.likely is not None
    reading = readings.readings[readings.likely]
    crossed = reading.gbps[readings.apart]
    others = [each for name, each in reading.gbps.items() if name != readings.apart]
    nominal = crossed / (1.5 if readings.apart in reading.full else 1.0)
    return _apart_reads(nominal, EXTRA_LOADS[readings.apart], others) is not None
