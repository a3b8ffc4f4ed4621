"""What repeated runs under several placements come to, in words."""

from __future__ import annotations

from collections.abc import Sequence

from streamgage.analysis.finding import Finding
from streamgage.results.measure.document import Spread
from streamgage.results.repeat.document import Ratio, RepeatedKernel, RepeatedRun
from streamgage.units import count, format_rate, format_share, listed

LEAST_EFFECT = 0.01
"""A smaller difference of rates is none that anybody would act on."""
NO_EFFECT = 0.02
"""Bounds of ratios that lie this near to 1 leave no room for one."""
UNSTEADY = 0.05
"""Share of the best run by which the worst lies below it: more than quiet, bound runs differ by."""
MORE = 2.0
"""... and so many times as much as with the other placement."""
FEWEST_ROUNDS = 6

Words = tuple[list[str], list[Finding]]


def judge_placements(
    kernels: Sequence[RepeatedKernel], runs: Sequence[RepeatedRun], baseline: str
) -> Words:
    """Sentences of what the placements change, and what to know besides."""
    others = dict.fromkeys(each.placement for each in kernels if each.placement != baseline)
    base = {each.kernel: each for each in kernels if each.placement == baseline}
    verdict: list[str] = []
    findings: list[Finding] = []
    for placement in others:
        mine = [each for each in kernels if each.placement == placement and each.kernel in base]
        steadier = [each for each in mine if _steadier(each.spread, base[each.kernel].spread)]
        if steadier:
            findings.append(_unsteady(steadier, base, placement, baseline))
        verdict += _effect(mine, placement, baseline)
    findings += [
        each for each in (_groups(kernels, placement) for placement in (baseline, *others)) if each
    ]
    return verdict + _conditions(kernels, runs, baseline), findings


def _width(spread: Spread) -> float:
    return 1 - spread.minimum_gbps / spread.maximum_gbps


def _steadier(one: Spread | None, other: Spread | None) -> bool:
    if one is None or other is None:
        return False
    return _width(other) > UNSTEADY and _width(other) > MORE * _width(one)


def _unsteady(
    steadier: Sequence[RepeatedKernel],
    base: dict[str, RepeatedKernel],
    placement: str,
    baseline: str,
) -> Finding:
    def wide(each: RepeatedKernel) -> float:
        spread = base[each.kernel].spread
        return _width(spread) if spread else 0.0

    shown = max(steadier, key=wide)
    free, held = base[shown.kernel].spread, shown.spread
    assert free is not None and held is not None
    others = f" (and {count(len(steadier) - 1, 'kernel')} more)" if len(steadier) > 1 else ""
    free_runs = "unbound" if baseline == "none" else f"with placement {baseline}"
    advice = (
        "What a single unbound run tells is chance: bind threads (streamgage measure does;"
        " elsewhere OMP_PROC_BIND=true OMP_PLACES=cores)."
        if baseline == "none"
        else f"Prefer placement {placement}."
    )
    return Finding(
        code="not-bound",
        severity="warning",
        text=(
            f"Runs {free_runs} vary: {shown.kernel}{others} gives {format_rate(free.minimum_gbps)}"
            f" to {format_rate(free.maximum_gbps)} GB/s in {count(free.n, 'run')}, the worst"
            f" {format_share(_width(free))} below the best; with placement {placement} it is"
            f" {format_rate(held.minimum_gbps)} to {format_rate(held.maximum_gbps)} GB/s,"
            f" {format_share(_width(held))}. {advice}"
        ),
    )


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


def _groups(kernels: Sequence[RepeatedKernel], placement: str) -> Finding | None:
    found = [
        f"{each.kernel} ({_shares(each.spread)} GB/s)"
        for each in kernels
        if each.placement == placement and each.spread is not None and each.spread.modes
    ]
    if not found:
        return None
    return Finding(
        code="two-modes",
        severity="warning",
        text=(
            f"Runs with placement {placement} fall into two groups: {listed(found)}. Their mean is"
            " the figure of no run. Compare the CPUs of the runs (--format json), and their"
            " records, between the groups."
        ),
    )


def _shares(spread: Spread) -> str:
    groups = spread.modes
    return ", ".join(f"{format_share(each.share)} near {format_rate(each.gbps)}" for each in groups)


def _conditions(
    kernels: Sequence[RepeatedKernel], runs: Sequence[RepeatedRun], baseline: str
) -> list[str]:
    """What a reader of the figures must know of how they came about."""
    told = []
    threads = {each.placement: each.threads for each in runs if each.threads is not None}
    if len(set(threads.values())) > 1:
        each = listed([f"{name} {number}" for name, number in threads.items()])
        told.append(
            f"The placements ran different numbers of threads ({each}), so they do not differ by"
            " binding alone: give --threads to have them alike."
        )
    if any(each.placement == "none" and each.bound for each in runs):
        told.append(
            "Threads that streamgage left unbound were bound all the same: look for OMP_PROC_BIND,"
            " OMP_PLACES or GOMP_CPU_AFFINITY in the environment, or a launcher or a container that"
            " leaves one CPU."
        )
    paired = [each.ratio.n for each in kernels if each.ratio is not None]
    if paired and min(paired) < FEWEST_ROUNDS:
        told.append(
            f"With fewer than {FEWEST_ROUNDS} rounds the bounds of the ratios are the extremes, not"
            " intervals of 95 %."
        )
    return told
