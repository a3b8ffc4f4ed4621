"""Makes a ``scale`` result from tables of another benchmark with several numbers of workers."""

from __future__ import annotations

from collections import Counter

from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.interop.settings import Setting, workers_in
from streamgage.interop.tables import records_of, reported_of
from streamgage.records.run import collect
from streamgage.results.scale.bindings import UNRECORDED
from streamgage.results.scale.document import Binding, Scale, Workers
from streamgage.results.scale.judge import Point, ScaleSetup, judge_scale


def scale_of(setting: Setting) -> Scale:
    """Make the scaling of a setting with two or more numbers of workers."""
    seen: Counter[int] = Counter()
    runs = []
    for table in setting.tables:
        n = workers_in(table)
        assert n is not None, "the setting has several"
        seen[n] += 1
        failure = "Its own check of the results failed." if table.validated is False else None
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
        bindings=(Binding(name=UNRECORDED, way=UNRECORDED, workers=workers),),
        reported=reported_of(setting.tables),
    )
    return judge_scale(runs, [Point(UNRECORDED, n) for n in setting.counts], setup, None)
