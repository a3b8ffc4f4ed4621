"""Makes invented records of MPI ranks."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from example_records import (
    DISTURBANCE,
    END,
    good_records,
    place,
    placement,
    samples_of,
    where_bound,
)

from streamgage.records import AnyRecord, PlacementRecord, RankPlace, Sample

change = msgspec.structs.replace


def placed(*hosts: str, cpus: Sequence[int] | None = None, threads: int = 1) -> PlacementRecord:
    """A rank on each of ``hosts``, its threads on CPUs of their own there."""
    places, ranks, used = [], [], dict.fromkeys(hosts, 0)
    for rank, host in enumerate(hosts):
        ranks.append(RankPlace(rank=rank, host=host, pid=1000 + rank))
        for _ in range(threads):
            cpu = used[host] if cpus is None else cpus[rank]
            used[host] += 1
            places.append(change(place(cpu), rank=rank, host=host))
    return change(placement(*places), ranks=ranks)


def rank_samples(variant: int, times: Sequence[Sequence[float]]) -> list[AnyRecord]:
    """A sample for each entry of ``times``, which has every rank's seconds."""
    made = samples_of(variant, [max(each) for each in times])
    return [
        change(sample, rank_seconds=list(each))
        for sample, each in zip(made, times, strict=True)
        if isinstance(sample, Sample)
    ]


def slow_rank_records() -> list[AnyRecord]:
    """Three ranks on three hosts, of which the second takes 30 % longer."""
    times = [[0.01, 0.013, 0.01] for _ in range(20)]
    return [placed("node7", "node8", "node9"), *rank_samples(3, times)]


def records_of_ranks() -> list[AnyRecord]:
    """A good run of four ranks on two hosts."""
    kept = [each for each in good_records() if each not in (DISTURBANCE, END)]
    even = [[0.01, 0.0101, 0.0102, 0.01] for _ in range(5)]
    samples = where_bound(
        [*kept, placed("node7", "node7", "node8", "node8"), *rank_samples(3, even)]
    )
    return [*samples, DISTURBANCE, END]
