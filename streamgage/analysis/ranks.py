"""MPI ranks: how many ran, and how their times compare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from streamgage.analysis.statistics.intervals import median
from streamgage.records import PlacementRecord
from streamgage.records.run import Run
from streamgage.units import count


def describe_threads(placement: PlacementRecord) -> str:
    """Describe the threads of a placement: ``2 threads``, or ``4 ranks x 1 thread on 2 hosts``."""
    ranks = len(placement.ranks or ())
    return describe_numbers(len(placement.threads), ranks, len(placement.hosts))


def describe_numbers(threads: int, ranks: int, hosts: int) -> str:
    """Describe numbers of threads, ranks and hosts like ``describe_threads``.

    ``ranks``: 0 for a single process.
    """
    if not ranks:
        return count(threads, "thread")
    on = f" on {count(hosts, 'host')}" if hosts > 1 else ""
    if threads % ranks:  # the OpenMP runtime gave some ranks fewer threads
        return f"{count(ranks, 'rank')} with {count(threads, 'thread')}{on}"
    return f"{count(ranks, 'rank')} x {count(threads // ranks, 'thread')}{on}"


@dataclass(frozen=True)
class RankTimes:
    """The times of one rank, compared with those of the other ranks in each sample."""

    rank: int
    host: str
    ratio: float
    """The median over the samples of its time divided by the median time of the others."""
    slower: int
    """The number of samples in which it took at least 5 % longer than that median."""
    samples: int


def slowest_rank(run: Run) -> RankTimes | None:
    """The slowest rank; ``None`` unless at least two ranks have times."""
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
