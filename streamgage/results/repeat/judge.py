"""Judges fresh runs of the same kernels under several settings: spread, and effect of each.

A run gives one figure per kernel, the median over its samples. The question is what differs between
processes, such as where threads and pages lie, not what differs within a process.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from streamgage.analysis.arrays import least_huge_share
from streamgage.analysis.statistics.bootstrap import paired_ratio
from streamgage.analysis.statistics.intervals import median
from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.analysis.statistics.spread import spread_of_times
from streamgage.analysis.thread_places import places_of, share_a_cpu
from streamgage.records import Variant
from streamgage.records.run import Run
from streamgage.results.array_setup import USUAL, ArraySetup
from streamgage.results.document import common
from streamgage.results.repeat.document import (
    ComparedSetting,
    Ratio,
    Repeat,
    RepeatedKernel,
    RepeatedRate,
    RepeatedRun,
)


def judge_repeat(
    runs: Sequence[FreshRun], settings: Sequence[ComparedSetting], *, rounds: int, seed: int
) -> Repeat:
    """Build the result from ``runs`` in the order in which they ran; there may be none."""
    baseline = next((each for each in settings if each.unbound), settings[0]).name
    good = [each for each in runs if each.failure is None]
    kernels = [
        _kernel(name, each.name, baseline, good)
        for name in _names(good)
        for each in settings
        if _times(name, each.name, good)
    ]
    shared = common(each.run for each in runs)
    if any(each.pages is not None for each in settings):
        shared["array_setup"] = _without_pages(shared["array_setup"])
    return Repeat(
        **shared,
        rounds=rounds,
        seed=seed,
        settings=list(settings),
        baseline=baseline,
        runs=[_repeated_run(each) for each in runs],
        kernels=kernels,
    )


def _without_pages(setup: ArraySetup | None) -> ArraySetup | None:
    """What runs with different pages have in common."""
    rest = None if setup is None else msgspec.structs.replace(setup, pages=USUAL.pages)
    return None if rest == USUAL else rest


def _names(runs: Sequence[FreshRun]) -> list[str]:
    names = [each.run.name(variant) for each in runs for variant in each.run.shown()]
    return list(dict.fromkeys(names))


def _kernel(name: str, setting: str, baseline: str, runs: Sequence[FreshRun]) -> RepeatedKernel:
    times = _times(name, setting, runs)
    moved = _moved(name, runs)
    ratio = None
    if setting != baseline:
        found = paired_ratio(_times(name, baseline, runs), times)
        if found is not None:
            ratio = Ratio(value=found.value, low=found.low, high=found.high, n=found.n)
    return RepeatedKernel(
        kernel=name,
        setting=setting,
        rates=[
            RepeatedRate(round=number, gbps=moved / seconds / 1e9)
            for number, seconds in times.items()
        ],
        spread=spread_of_times(list(times.values()), moved),
        ratio=ratio,
    )


def _times(name: str, setting: str, runs: Sequence[FreshRun]) -> dict[int, float]:
    """The median seconds per element of that kernel, in each round that has it."""
    found = {}
    for each in runs:
        variant = _variant(name, each.run)
        times = each.run.element_times(variant.id) if variant else []
        if each.condition == setting and times:
            found[each.round] = median(sorted(times))
    return dict(sorted(found.items()))


def _variant(name: str, run: Run) -> Variant | None:
    return next((each for each in run.shown() if run.name(each) == name), None)


def _moved(name: str, runs: Sequence[FreshRun]) -> float:
    for each in runs:
        variant = _variant(name, each.run)
        moved = each.run.iteration_bytes(variant) if variant else None
        if moved is not None:
            return moved
    raise AssertionError(f"{name} is of no run")


def _repeated_run(each: FreshRun) -> RepeatedRun:
    placement, places = each.run.placement, places_of(each.run)
    return RepeatedRun(
        round=each.round,
        setting=each.condition,
        threads=each.run.threads(),
        cpus=places.all_cpus() if places is not None else None,
        bound=placement.bound if placement else None,
        huge_share=least_huge_share(each.run),
        samples=len(each.run.timed_samples()),
        sharing=places.count(share_a_cpu) if places is not None else 0,
        failure=each.failure,
        records=each.records,
    )
