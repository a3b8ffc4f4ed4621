"""What lies between the efficiency of a program and that of bandwidth.

The figure is the mean of |E - E'| over the numbers of workers from 2, never a correlation: both
fall with n, so that it is always high.
"""

from __future__ import annotations

from collections.abc import Mapping

from streamgage.analysis.statistics.bootstrap import Estimate, bootstrap_median
from streamgage.results.study.document import Comparison, Verdict

TRACKS = 0.10
"""Mean distance of efficiencies up to which a program follows STREAM."""

Times = Mapping[int, Mapping[int, float]]
"""By number of workers, then by round."""


def compare(times: Times, rates: Times) -> Comparison | None:
    """Efficiencies of ``times`` beside those of ``rates``, paired; null where nothing can be."""
    if 1 not in times or 1 not in rates:
        return None
    found: dict[int, Estimate] = {}
    for n in sorted(times.keys() & rates.keys() - {1}):
        rounds = times[1].keys() & times[n].keys() & rates[1].keys() & rates[n].keys()
        differences = [
            times[1][each] / times[n][each] / n - rates[n][each] / rates[1][each] / n
            for each in sorted(rounds)
        ]
        difference = bootstrap_median(differences)
        if difference is not None:
            found[n] = difference
    if not found:
        return None
    mean = sum(abs(each.value) for each in found.values()) / len(found)
    bias = sum(each.value for each in found.values()) / len(found)
    largest = max(found, key=lambda n: abs(found[n].value))
    halves = [max(each.high - each.value, each.value - each.low) for each in found.values()]
    noise = None if any(each.n == 1 for each in found.values()) else sum(halves) / len(halves)
    return Comparison(
        mean=mean,
        largest=abs(found[largest].value),
        largest_n=largest,
        bias=bias,
        noise=noise,
        verdict=_judged(mean, bias, noise),
    )


def _judged(mean: float, bias: float, noise: float | None) -> Verdict:
    if noise is not None and mean <= noise:
        return "indistinguishable"
    if mean <= TRACKS:
        return "tracks"
    if abs(bias) < mean / 2:
        return "differs"
    return "worse" if bias < 0 else "better"
