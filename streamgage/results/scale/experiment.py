"""Scale: bandwidth over the number of threads or ranks, under several bindings."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from streamgage.errors import FAILED, INTERRUPTED, TERMINATED
from streamgage.process.engine import EngineError
from streamgage.process.one_run import run_once
from streamgage.records import Sampling
from streamgage.records.reader import Note
from streamgage.records.spool import spool_in_memory
from streamgage.records.spool_folder import new_folder
from streamgage.results.measure.experiment import Preset
from streamgage.results.scale.document import Scale
from streamgage.results.scale.judge import Asked, judge_scale
from streamgage.results.scale.plan import Scales
from streamgage.results.series import Turn, run_in_turn, turns

KIND = "scale"
"""What the folders of these series are called, and the answers that are kept in them."""
KERNELS = ("triad",)
STANDARD = Preset(
    KERNELS, Sampling(min_samples=10, look_every=10, max_samples=30, budget_seconds=3), 0
)
QUICK = Preset(KERNELS, Sampling(min_samples=5, look_every=5, max_samples=5, budget_seconds=1.5), 0)
_ONCE = Sampling(min_samples=1, look_every=1, max_samples=1, budget_seconds=60)


@dataclass(frozen=True)
class Measured:
    """The answer, how the series ended, and where the records are (``None``: nowhere)."""

    answer: Scale
    exit_status: int
    folder: Path | None


def with_one_size(scales: Scales, *, note: Note, wait: bool) -> Scales:
    """The same points with the arrays that the most workers need by STREAM's rule at each.

    Where no size was asked for, the point that has the most CPUs is run once to find it. Raises
    the failure of that run.
    """
    if scales.conditions[0].plan.array_bytes is not None:
        return scales
    widest = max(scales.conditions, key=lambda each: scales.points[each.name].n)
    one = run_once(
        msgspec.structs.replace(widest.plan, sampling=_ONCE),
        spool=spool_in_memory(),
        watch=lambda _: None,
        note=note,
        wait=wait,
        last=False,
        ranks=widest.ranks,
        variables=widest.variables,
    )
    if one.failure is not None:
        raise one.failure
    if one.exit_status in (INTERRUPTED, TERMINATED) or one.run.memory is None:
        raise EngineError(
            "The run that was to find the size of the arrays was stopped.",
            exit_status=one.exit_status,
        )
    size = one.run.memory.array_bytes
    conditions = [
        replace(each, plan=msgspec.structs.replace(each.plan, array_bytes=size))
        for each in scales.conditions
    ]
    return replace(scales, conditions=conditions)


def scale(
    scales: Scales,
    rounds: int,
    *,
    seed: int | None,
    before: Callable[[Turn], None],
    note: Note,
    wait: bool = True,
    last: bool = True,
) -> Measured:
    """Measure every point ``rounds`` times, in mixed order; ``before`` is called ahead of each run.

    A point that fails is reported to ``note`` and is a gap, and the exit status is 1. A signal ends
    the series, and the points that were measured until then are in the answer. ``last``: whether
    its last run is that of this process, too; see ``stream_records``.
    """
    chosen = random.SystemRandom().randrange(1 << 32) if seed is None else seed
    sized = with_one_size(scales, note=note, wait=wait)
    order = list(turns(sized.conditions, rounds, chosen))
    folder = new_folder(KIND, note)
    done = run_in_turn(
        order, folder=folder, before=before, note=note, wait=wait, alike=False, last=last
    )
    asked = Asked(
        workers=sized.workers,
        threads_per_worker=sized.threads,
        launcher=sized.launcher,
        rounds=rounds,
        seed=chosen,
        counts=tuple(sized.counts),
        bindings=tuple(way.name for way in sized.ways),
        left_out=tuple(sized.left_out),
    )
    answer = judge_scale(done.runs, list(sized.points.values()), asked, sized.machine)
    failed = any(each.failure for each in answer.runs)
    status = done.stopped if done.stopped is not None else FAILED if failed else 0
    return Measured(answer, status, folder)
