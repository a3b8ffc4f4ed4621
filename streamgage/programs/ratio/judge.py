"""Computes ratios from the times of runs and of the probes between them, and judges them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from streamgage.analysis.conclusion import Conclusion, fact, no_firmer, sound, undecided
from streamgage.analysis.outside import taken_finding
from streamgage.analysis.statistics.bootstrap import bootstrap_median, estimate_of
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.analysis.statistics.intervals import FEWEST, median
from streamgage.analysis.trust import Trust, trust_of
from streamgage.programs.ratio.against import OtherRuns, against_of, conclusions_of
from streamgage.programs.ratio.document import RatioRound, Spread, TimeRatio
from streamgage.records.node import NodeLine
from streamgage.units import count, format_bytes, format_duration, format_share

KERNEL = "triad"
_CLEARLY = 0.8
"""One spread is called less than another if it is below this share of the other."""
_SHORT_SECONDS = 0.05
"""Below this many seconds, much of a run may be the start of the process."""
_LONG_PROBES = 50.0
"""For a run longer than this many probes, the memory's speed is only known at its ends."""


@dataclass(frozen=True)
class ProbedRuns:
    """The runs of the benchmark, with a probe before each and one after the last."""

    name: str
    command: Sequence[str]
    probes: list[NodeLine]
    seconds: list[float]
    probe_seconds: float
    other: OtherRuns | None = None
    """The runs of another program that the benchmark is compared with."""


def judge_ratio(runs: ProbedRuns) -> TimeRatio:
    """Make the document of one run or more."""
    rates = [momentary_gbps(each) for each in runs.probes]
    rounds = [
        RatioRound(
            seconds=seconds,
            before_gbps=before,
            after_gbps=after,
            ratio=seconds * math.sqrt(before * after),
        )
        for seconds, before, after in zip(runs.seconds, rates, rates[1:], strict=False)
    ]
    first = runs.probes[0]
    taken = [each.taken for each in runs.probes if each.taken is not None]
    ratios = [each.ratio for each in rounds]
    found = TimeRatio(
        name=runs.name,
        command=list(runs.command),
        host=first.host,
        processor=first.processor,
        time=first.time,
        kernel=KERNEL,
        threads=first.threads,
        array_bytes=first.array_bytes,
        last_level_cache_bytes=first.last_level_cache_bytes,
        probe_seconds=runs.probe_seconds,
        rounds=rounds,
        seconds=_estimate(runs.seconds),
        ratio=_estimate(ratios),
        seconds_spread=spread_of(runs.seconds),
        ratio_spread=spread_of(ratios),
        gbps_spread=spread_of(rates),
        taken=max(taken, default=None),
        # The order of two programs is drawn at random, so that other load meets both.
        trust=_trust(max(taken, default=None)) if runs.other is None else trust_of([]),
        conclusions=[],
        against=None if runs.other is None else against_of(runs.other),
    )
    if found.against is not None:
        return replace(found, conclusions=list(conclusions_of(found, found.against)))
    return replace(found, conclusions=no_firmer(_conclusions(found), found.trust))


def _trust(taken: float | None) -> Trust:
    """The trust in the runs, of which others took at most that share of the CPUs' time."""
    found = None if taken is None else taken_finding(taken, "the probes of memory")
    return trust_of([] if found is None else [found])


def momentary_gbps(probe: NodeLine) -> float:
    """The rate of a probe in GB/s: the bytes of all samples over the time that they took.

    Pauses of the machine count, as they do for the benchmark.
    """
    figure = next(each for each in probe.figures if each.kernel == KERNEL)
    samples = figure.samples or [figure.gbps]
    return len(samples) / sum(1 / each for each in samples)


def _estimate(values: Sequence[float]) -> Estimate:
    found = estimate_of(bootstrap_median(values))
    assert found is not None, "there is a run"
    return found


def spread_of(values: Sequence[float]) -> Spread:
    """Compute the spread of one value or more, none of which is 0."""
    ordered = sorted(values)
    middle = median(ordered)
    half = len(ordered) // 2
    lower = median(ordered[:half] or ordered)
    upper = median(ordered[-half:] if half else ordered)
    return Spread(
        middle_half=(upper - lower) / middle,
        whole=(ordered[-1] - ordered[0]) / middle,
    )


def _conclusions(found: TimeRatio) -> Iterator[Conclusion]:
    n = len(found.rounds)
    if n >= FEWEST:
        yield _of_spreads(found.seconds_spread.middle_half, found.ratio_spread.middle_half)
    else:
        yield undecided(
            f"{count(n, 'run')} cannot show how far figures spread: give --rounds {FEWEST} or more."
        )
    if found.seconds.value < _SHORT_SECONDS:
        yield fact(
            f"A run takes only {format_duration(found.seconds.value)}, and starting the process"
            " may be much of it. Let the benchmark do more work."
        )
    if found.seconds.value > _LONG_PROBES * found.probe_seconds:
        yield fact(
            "A run is much longer than the probes before and after it. If the memory's speed"
            " changed in between, the ratio does not show it."
        )
    cache, arrays = found.last_level_cache_bytes, found.array_bytes
    if cache and arrays and 3 * arrays < cache:
        yield fact(
            f"The probe's arrays, 3 of {format_bytes(arrays)}, fit into the {format_bytes(cache)}"
            " of last-level cache that this machine reports. If that cache is real, the probe does"
            " not measure memory. Give a larger --size."
        )


def _of_spreads(time: float, ratio: float) -> Conclusion:
    figures = f"{format_share(ratio)} against {format_share(time)}, the middle half of the runs"
    if ratio < _CLEARLY * time:
        return sound(f"The ratio spreads less than the plain time: {figures}.")
    if time < _CLEARLY * ratio:
        return sound(
            f"The ratio spreads more than the plain time: {figures}. The speed of memory did not"
            " vary much during these runs, or it does not limit this benchmark."
        )
    return sound(f"The ratio and the plain time spread about the same: {figures}.")
