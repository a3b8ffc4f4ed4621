"""Makes a ``scale`` result from tables of another benchmark with several numbers of workers."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import msgspec

from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.analysis.user_facts import UserFacts
from streamgage.interop.settings import Setting, workers_in
from streamgage.interop.tables import is_wrong, records_of, reported_of
from streamgage.records.run import collect
from streamgage.results.members import member_of
from streamgage.results.scale.document import PlacedWorkers, Scale, Workers
from streamgage.results.scale.judge import Point, ScaleSetup, judge_scale
from streamgage.results.scale.placements import UNRECORDED


def scale_of(setting: Setting, user_facts: UserFacts) -> Scale:
    """Make the scaling of a setting with two or more numbers of workers.

    The user's facts are those of the machine, so the number of threads is not among them.
    """
    seen: Counter[int] = Counter()
    runs = []
    for table in setting.tables:
        n = workers_in(table)
        assert n is not None, "the setting has several"
        seen[n] += 1
        failure = "Its own check of the results failed." if is_wrong(table) else None
        name = Point(UNRECORDED, n).name
        runs.append(FreshRun(name, seen[n], collect(records_of([table])), failure, table.source))
    workers: Workers = "ranks" if setting.of_ranks else "threads"
    setup = ScaleSetup(
        workers=workers,
        threads_per_worker=setting.threads_per_worker,
        launcher=None,
        rounds=max(seen.values()),
        seed=None,
        counts=tuple(setting.counts),
        placements=(PlacedWorkers(name=UNRECORDED, way=UNRECORDED, workers=workers),),
        reported=reported_of(setting.tables),
    )
    scale = judge_scale(runs, [Point(UNRECORDED, n) for n in setting.counts], setup, None)
    facts = replace(user_facts, threads=None)
    return msgspec.structs.replace(
        scale,
        array_bytes=user_facts.array_bytes or scale.array_bytes,
        members=[
            member_of([table for table in setting.tables if workers_in(table) == n], n, facts)
            for n in setting.counts
        ],
    )
