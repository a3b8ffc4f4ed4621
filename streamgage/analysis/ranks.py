"""MPI ranks: how many there were, and how their times compare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from streamgage.analysis.statistics.intervals import median
from streamgage.records import PlacementRecord
from streamgage.records.run import Run
from streamgage.units import count


def describe_threads(placement: PlacementRecord) -> str:
    """``2 threads``, or ``4 ranks x 1 thread on 2 hosts``."""
    ranks = len(placement.ranks or ())
    return describe_numbers(len(placement.threads), ranks, len(placement.hosts))


def describe_numbers(threads: int, ranks: int, hosts: int) -> str:
    """As ``describe_threads``, from numbers of threads, ranks (0: a single process) and hosts."""
    if not ranks:
        return count(threads, "thread")
    on = f" on {count(hosts, 'host')}" if hosts > 1 else ""
    if threads % ranks:  # a runtime gave some of them fewer
        return f"{count(ranks, 'rank')} with {count(threads, 'thread')}{on}"
    return f"{count(ranks, 'rank')} x {count(threads // ranks, 'thread')}{on}"


@dataclass(frozen=True)
class RankTimes:
    """One rank's times over those of the others, sample by sample."""

    rank: int
    host: str
    ratio: float
    """Median over the samples of its time over the median of the others' times."""
    slower: int
    """Samples in which it took longer than that median by 5 % or more."""
    samples: int


def slowest_rank(run: Run) -> RankTimes | None:
    """The slowest rank, compared with the others; None unless at least two have times."""
    ranks = (run.placement.ranks if run.placement is not None else None) or []
    times = [each.rank_seconds for each in run.timed_samples() if each.rank_seconds]
    if len(ranks) < 2 or not times or any(len(each) != len(ranks) for each in times):
        return None
    compared = []
    for place in ranks:
        ratios = [_against_others(each, place.rank) for each in times]
        slower = sum(ratio >= 1.05 for ratio in ratios)
        compared.append(
            RankTimes(place.rank, place.host, median(sorted(ratios)), slower, len(ratios))
        )
    return max(compared, key=lambda each: each.ratio)


def _against_others(seconds: Sequence[float], rank: int) -> float:
    others = sorted(each for number, each in enumerate(seconds) if number != rank)
    return seconds[rank] / median(others)
