"""Measures bandwidth over the number of threads or ranks, under several placements."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.errors import INTERRUPTED, TERMINATED
from streamgage.process.engine import EngineError
from streamgage.process.one_run import run_once
from streamgage.records import Sampling
from streamgage.records.reader import Note
from streamgage.records.spool import spool_in_memory
from streamgage.results.preset import Preset
from streamgage.results.scale.document import Scale
from streamgage.results.scale.judge import ScaleSetup, judge_scale
from streamgage.results.scale.plan import Scales
from streamgage.results.series import MeasuredSeries, Schedule, measure_series

KIND = "scale"
"""The name of the folders and results of these series."""
KERNELS = ("triad",)
STANDARD = Preset(
    KERNELS, Sampling(min_samples=7, look_every=7, max_samples=14, budget_seconds=1.5)
)
QUICK = Preset(KERNELS, Sampling(min_samples=5, look_every=5, max_samples=5, budget_seconds=1))
_ONCE = Sampling(min_samples=1, look_every=1, max_samples=1, budget_seconds=60)


def with_one_size(scales: Scales, *, note: Note, wait: bool) -> Scales:
    """Give all points the same size of arrays, which STREAM's rule requires for the most workers.

    If no size was requested, the point with the most CPUs runs once to find it. Raises the failure
    of that run.
    """
    if scales.conditions[0].plan.array_bytes is not None:
        return scales
    widest = max(scales.conditions, key=lambda each: scales.points[each.name].n)
    engine_run = run_once(
        msgspec.structs.replace(widest.plan, sampling=_ONCE),
        spool=spool_in_memory(),
        watch=lambda _: None,
        note=note,
        wait=wait,
        last=False,
        ranks=widest.ranks,
        variables=widest.variables,
    )
    if engine_run.failure is not None:
        raise engine_run.failure
    if engine_run.exit_status in (INTERRUPTED, TERMINATED) or engine_run.run.memory is None:
        raise EngineError(
            "The run that determines the size of the arrays was stopped.",
            exit_status=engine_run.exit_status,
        )
    size = engine_run.run.memory.array_bytes
    conditions = [
        replace(each, plan=msgspec.structs.replace(each.plan, array_bytes=size))
        for each in scales.conditions
    ]
    return replace(scales, conditions=conditions)


def scale(scales: Scales, schedule: Schedule) -> MeasuredSeries[Scale]:
    """Measure every point; see ``measure_series``."""
    sized = with_one_size(scales, note=schedule.note, wait=schedule.wait)

    def judge(runs: list[FreshRun], seed: int) -> Scale:
        setup = ScaleSetup(
            workers=sized.workers,
            threads_per_worker=sized.threads,
            launcher=sized.launcher,
            rounds=schedule.rounds,
            seed=seed,
            counts=tuple(sized.counts),
            placements=tuple(each.placement for each in sized.series),
            left_out=tuple(sized.left_out),
        )
        return judge_scale(runs, list(sized.points.values()), setup, sized.machine)

    return measure_series(KIND, sized.conditions, schedule, judge, again=True)
