"""Makes a ``ladder`` result from the output of another benchmark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from streamgage.analysis.hierarchy import Mode
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.analysis.statistics.rounds import FreshRun, rounds_of
from streamgage.analysis.user_facts import UserFacts
from streamgage.interop.charts import SizeCurve, SizeCurves
from streamgage.interop.kernels import KERNELS, arrays_of
from streamgage.interop.settings import Setting, SizeSeries
from streamgage.interop.tables import is_wrong, records_of, reported_of
from streamgage.records.other_benchmark import UNKNOWN_STORES
from streamgage.records.run import collect
from streamgage.results.ladder.document import Ladder, LadderCurve, LadderPoint, LadderRun
from streamgage.results.members import member_of

_ELEMENT = 8
"""The number of bytes in an element of the kernels' formulas."""
_FAILED = "Its own check of the results failed."


def ladder_of(curves: SizeCurves) -> Ladder:
    """Make a ladder from printed curves: one figure per point, without levels of caches."""
    return Ladder(
        machine=None,
        threads=curves.threads,
        cpus=None,
        rounds=1,
        seed=None,
        levels=[],
        curves=[_curve(each) for each in curves.curves],
        runs=[],
        left_out=[],
        reported=curves.reported,
    )


def _curve(curve: SizeCurve) -> LadderCurve:
    return LadderCurve(
        mode="throughput",
        kernel=curve.kernel,
        store=curve.test,
        threads=curve.threads,
        flops_per_byte=_flops_per_byte(curve.kernel),
        core_hertz=None,
        points=[
            LadderPoint(
                bytes=each.bytes,
                gbps=Estimate(value=each.gbps, low=None, high=None),
                rounds=1,
                samples=1,
            )
            for each in curve.points
        ],
        steps=[],
    )


def _flops_per_byte(kernel: str) -> float:
    facts = KERNELS[kernel]
    return facts.flops / (_ELEMENT * (facts.loads + facts.stores))


def series_over(series: SizeSeries, user_facts: UserFacts) -> Ladder:
    """Make a ladder from tables of several sizes, without those whose check failed."""
    whole = series.whole
    of_machine = replace(user_facts, array_bytes=None)
    first = whole.tables[0]
    threads = user_facts.threads or first.threads or first.ranks
    mode: Mode = "sequential" if threads == 1 else "worksharing"
    kinds = {(row.kernel, row.store): None for each in whole.tables for row in each.rows}
    points = {kind: list(_points(series, *kind)) for kind in kinds}
    runs = [run for each in series.settings for run in _runs(each, mode)]
    return Ladder(
        machine=None,
        threads=threads,
        cpus=None,
        rounds=max(each.round for each in runs),
        seed=None,
        levels=[],
        curves=[
            LadderCurve(
                mode=mode,
                kernel=kernel,
                store="" if store == UNKNOWN_STORES else store,
                threads=threads,
                flops_per_byte=_flops_per_byte(kernel),
                core_hertz=None,
                points=points[kernel, store],
                steps=[],
            )
            for kernel, store in kinds
            if points[kernel, store]
        ],
        runs=runs,
        left_out=[],
        reported=reported_of(whole.tables),
        last_level_cache_bytes=user_facts.last_level_cache_bytes,
        members=[
            member_of(each.tables, next(iter(each.counts), None), of_machine)
            for each in series.settings
        ],
    )


def _points(series: SizeSeries, kernel: str, store: str) -> Iterator[LadderPoint]:
    for setting in series.settings:
        tables = [
            each
            for each in setting.sound
            if any((row.kernel, row.store) == (kernel, store) for row in each.rows)
        ]
        runs = [
            FreshRun("", number, collect(records_of([table])), None, table.source)
            for number, table in enumerate(tables, 1)
        ]
        found = rounds_of(kernel, store, runs)
        array = tables[0].array_bytes if tables else None
        if found is not None and array is not None:
            yield LadderPoint(
                bytes=array * arrays_of(kernel),
                array_bytes=array,
                gbps=found.gbps(),
                rounds=len(found.times),
                samples=found.samples,
            )


def _runs(setting: Setting, mode: Mode) -> Iterator[LadderRun]:
    seen: Counter[str] = Counter()
    for table in setting.tables:
        for row in table.rows:
            seen[row.kernel] += 1
            yield LadderRun(
                round=seen[row.kernel],
                mode=mode,
                kernel=row.kernel,
                bytes=(table.array_bytes or 0) * arrays_of(row.kernel),
                failure=_FAILED if is_wrong(table) else None,
                records=table.source,
            )
