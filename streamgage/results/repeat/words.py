"""The conclusions from repeated runs, in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter

from streamgage.analysis.conclusion import Conclusion, fact, sound, undecided
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.analysis.statistics.intervals import FEWEST, BoundedBy
from streamgage.analysis.statistics.noise import is_beyond_noise
from streamgage.results.repeat.document import (
    Ratio,
    Repeat,
    RepeatedKernel,
)
from streamgage.units import count, format_share, listed

LEAST_EFFECT = 0.01
"""Smaller differences of rates do not matter in practice."""
NO_EFFECT = 0.02
"""If the bounds of a ratio are within this distance of 1, there is no effect."""


def conclusions(answer: Repeat) -> list[Conclusion]:
    """State how much runs differ, the effect of each placement, and the conditions."""
    base = {each.kernel for each in answer.kernels if each.placement == answer.baseline}
    sentences = _differences(answer)
    for placement in answer.others():
        mine = [e for e in answer.kernels if e.placement == placement and e.kernel in base]
        sentences += _effect(mine, placement, answer.baseline)
    return [*sentences, *map(fact, _conditions(answer))]


def _differences(answer: Repeat) -> list[Conclusion]:
    """Say how far the worst run lies below the best, for the kernel whose runs differ most."""
    parts: list[tuple[str, str]] = []
    for placement in answer.placements:
        shares = {
            each.kernel: each.spread.below_best
            for each in answer.kernels
            if each.placement == placement and each.spread is not None
        }
        if shares:
            kernel, share = max(shares.items(), key=itemgetter(1))
            where = "unbound" if placement == "none" else f"with placement {placement}"
            parts.append((f"{format_share(share)} {where}", kernel))
    if not parts:
        return []
    kernels = {kernel for _, kernel in parts}
    if len(kernels) == 1:
        shown = f"{listed([part for part, _ in parts])} ({kernels.pop()})"
    else:
        shown = listed([f"{part} ({kernel})" for part, kernel in parts])
    return [sound(f"The worst run lies below the best by {shown}.")]


def _effect(kernels: Sequence[RepeatedKernel], placement: str, baseline: str) -> list[Conclusion]:
    """Say whether the medians differ, by the paired ratios."""
    ratios = [(each.kernel, each.ratio) for each in kernels if each.ratio is not None]
    if not ratios:
        return [fact(f"No round has both {placement} and {baseline}, so they cannot be compared.")]
    sure = [each for each in ratios if _is_sure(each[1])]
    faster = [each for each in sure if each[1].value - 1 >= LEAST_EFFECT]
    slower = [each for each in sure if 1 - each[1].value >= LEAST_EFFECT]
    than = "unbound threads" if baseline == "none" else f"placement {baseline}"
    sentences = [
        sound(
            f"Placement {placement} is {word} than {than} in {len(which)} of"
            f" {count(len(ratios), 'kernel')}: {listed([_ratio(*each) for each in which])}."
        )
        for word, which in (("faster", faster), ("slower", slower))
        if which
    ]
    if sentences:
        return sentences
    low, high = min(each.low for _, each in ratios), max(each.high for _, each in ratios)
    bounds = f"over {than} the ratios of {count(len(ratios), 'kernel')} lie within {low:.3f} and"
    if max(1 - low, high - 1) <= NO_EFFECT:
        return [
            sound(f"Placement {placement} changes nothing in the medians: {bounds} {high:.3f}.")
        ]
    return [
        undecided(
            f"Placement {placement} makes no difference beyond noise in the medians: {bounds}"
            f" {high:.3f}. More rounds or a quieter machine would narrow that."
        )
    ]


def _is_sure(ratio: Ratio) -> bool:
    """Return whether the ratio differs from 1 beyond noise."""
    bounded_by: BoundedBy = "range" if ratio.n < FEWEST else "interval"
    found = Estimate(value=ratio.value, low=ratio.low, high=ratio.high, bounded_by=bounded_by)
    return ratio.n > 1 and is_beyond_noise(found, ratio.n)


def _ratio(kernel: str, ratio: Ratio) -> str:
    return f"{kernel} {ratio.value:.3f}x [{ratio.low:.3f} to {ratio.high:.3f}]"


def _conditions(answer: Repeat) -> list[str]:
    """State the conditions that a reader of the figures must know."""
    sentences = []
    threads = {each.placement: each.threads for each in answer.runs if each.threads is not None}
    if len(set(threads.values())) > 1:
        numbers = listed([f"{name} {number}" for name, number in threads.items()])
        sentences.append(
            f"The placements ran different numbers of threads ({numbers}), so binding is not their"
            " only difference: give --threads to make the numbers the same."
        )
    if any(each.placement == "none" and each.bound for each in answer.runs):
        sentences.append(
            "Threads that streamgage left unbound were bound by something else: look for"
            " OMP_PROC_BIND, OMP_PLACES or GOMP_CPU_AFFINITY in the environment, or a launcher or"
            " a container that leaves one CPU."
        )
    paired = [each.ratio.n for each in answer.kernels if each.ratio is not None]
    if paired and min(paired) < FEWEST:
        sentences.append(
            f"With fewer than {FEWEST} rounds the bounds of the ratios are their range, not an"
            " interval of 95 %."
        )
    return sentences
