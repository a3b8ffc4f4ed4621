"""Fresh runs of the same kernels under several placements: spread, and the effect of binding.

A run stands for one figure a kernel, the median over its samples: what differs between the
processes (where threads and pages came to lie) is the question, not what differs inside them.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from streamgage.analysis.fresh_run import FreshRun
from streamgage.analysis.statistics.bootstrap import paired_ratio
from streamgage.analysis.statistics.intervals import median
from streamgage.analysis.statistics.spread import spread_of_times
from streamgage.cpu_list import format_cpu_list
from streamgage.records import Variant
from streamgage.records.run import Run
from streamgage.results.document import common
from streamgage.results.repeat.document import (
    Ratio,
    Repeat,
    RepeatedKernel,
    RepeatedRate,
    RepeatedRun,
)
from streamgage.results.repeat.findings import judge_repetition
from streamgage.units import count, listed

UNBOUND = "none"
LEAST_EFFECT = 0.01
"""A smaller difference of rates is none that anybody would act on."""
NO_EFFECT = 0.02
"""Bounds of ratios that lie this near to 1 leave no room for one."""
FEWEST_ROUNDS = 6


def repetition(
    runs: Sequence[FreshRun], placements: Sequence[str], *, rounds: int, seed: int
) -> Repeat:
    """The answer of ``runs``, in the order in which they ran; there may be none."""
    baseline = UNBOUND if UNBOUND in placements else placements[0]
    good = [each for each in runs if each.failure is None]
    kernels = [
        _kernel(name, placement, baseline, good)
        for name in _names(good)
        for placement in placements
        if _times(name, placement, good)
    ]
    return with_words(
        Repeat(
            **common(each.run for each in runs),
            rounds=rounds,
            seed=seed,
            placements=list(placements),
            baseline=baseline,
            runs=[_told(each) for each in runs],
            kernels=kernels,
            verdict=[],
            findings=[],
        )
    )


def with_words(answer: Repeat) -> Repeat:
    """``answer`` with what it comes to, and its findings."""
    return msgspec.structs.replace(
        answer, verdict=verdict(answer), findings=judge_repetition(answer)
    )


def _names(runs: Sequence[FreshRun]) -> list[str]:
    names = [each.run.name(variant) for each in runs for variant in each.run.shown()]
    return list(dict.fromkeys(names))


def _kernel(name: str, placement: str, baseline: str, runs: Sequence[FreshRun]) -> RepeatedKernel:
    times = _times(name, placement, runs)
    moved = _moved(name, runs)
    ratio = None
    if placement != baseline:
        found = paired_ratio(_times(name, baseline, runs), times)
        if found is not None:
            ratio = Ratio(value=found.value, low=found.low, high=found.high, n=found.n)
    return RepeatedKernel(
        kernel=name,
        placement=placement,
        rates=[
            RepeatedRate(round=number, gbps=moved / seconds / 1e9)
            for number, seconds in times.items()
        ],
        spread=spread_of_times(list(times.values()), moved),
        ratio=ratio,
    )


def _times(name: str, placement: str, runs: Sequence[FreshRun]) -> dict[int, float]:
    """Median seconds an element of that kernel in each round that has it."""
    found = {}
    for each in runs:
        variant = _variant(name, each.run)
        times = each.run.element_times(variant.id) if variant else []
        if each.condition == placement and times:
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


def _told(each: FreshRun) -> RepeatedRun:
    placement = each.run.placement
    cpus = [place.cpu for place in placement.threads] if placement else []
    return RepeatedRun(
        round=each.round,
        placement=each.condition,
        threads=each.run.threads(),
        cpus=format_cpu_list(cpus) if cpus else None,
        bound=placement.bound if placement else None,
        failure=each.failure,
        records=each.records,
    )


def verdict(answer: Repeat) -> list[str]:
    """What each placement changes, and what to know of how the figures came about."""
    base = {each.kernel for each in answer.kernels if each.placement == answer.baseline}
    sentences: list[str] = []
    for placement in answer.others():
        mine = [e for e in answer.kernels if e.placement == placement and e.kernel in base]
        sentences += _effect(mine, placement, answer.baseline)
    return sentences + _conditions(answer)


def _effect(kernels: Sequence[RepeatedKernel], placement: str, baseline: str) -> list[str]:
    """Whether the medians differ, from the paired ratios."""
    told = [(each.kernel, each.ratio) for each in kernels if each.ratio is not None]
    if not told:
        return [f"No round has both {placement} and {baseline}, so they cannot be compared."]
    faster = [each for each in told if each[1].low > 1 and each[1].value - 1 >= LEAST_EFFECT]
    slower = [each for each in told if each[1].high < 1 and 1 - each[1].value >= LEAST_EFFECT]
    than = "unbound threads" if baseline == "none" else f"placement {baseline}"
    sentences = [
        f"Placement {placement} is {word} than {than} in {len(which)} of"
        f" {count(len(told), 'kernel')}: {listed([_ratio(*each) for each in which])}."
        for word, which in (("faster", faster), ("slower", slower))
        if which
    ]
    if sentences:
        return sentences
    low, high = min(each.low for _, each in told), max(each.high for _, each in told)
    bounds = f"over {than} the ratios of {count(len(told), 'kernel')} lie within {low:.3f} and"
    if max(1 - low, high - 1) <= NO_EFFECT:
        return [f"Placement {placement} changes nothing in the medians: {bounds} {high:.3f}."]
    return [
        f"Placement {placement} changes nothing in the medians here that the noise between runs"
        f" does not hide: {bounds} {high:.3f}. More rounds, or a quieter machine, would narrow"
        " that."
    ]


def _ratio(kernel: str, ratio: Ratio) -> str:
    return f"{kernel} {ratio.value:.3f}x [{ratio.low:.3f} to {ratio.high:.3f}]"


def _conditions(answer: Repeat) -> list[str]:
    """What a reader of the figures must know of how they came about."""
    told = []
    threads = {each.placement: each.threads for each in answer.runs if each.threads is not None}
    if len(set(threads.values())) > 1:
        each = listed([f"{name} {number}" for name, number in threads.items()])
        told.append(
            f"The placements ran different numbers of threads ({each}), so they do not differ by"
            " binding alone: give --threads to have them alike."
        )
    if any(each.placement == "none" and each.bound for each in answer.runs):
        told.append(
            "Threads that streamgage left unbound were bound all the same: look for OMP_PROC_BIND,"
            " OMP_PLACES or GOMP_CPU_AFFINITY in the environment, or a launcher or a container that"
            " leaves one CPU."
        )
    paired = [each.ratio.n for each in answer.kernels if each.ratio is not None]
    if paired and min(paired) < FEWEST_ROUNDS:
        told.append(
            f"With fewer than {FEWEST_ROUNDS} rounds the bounds of the ratios are the extremes, not"
            " intervals of 95 %."
        )
    return told
