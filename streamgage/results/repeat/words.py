"""The conclusions from repeated runs, in sentences."""

from __future__ import annotations

from operator import itemgetter

from streamgage.analysis.conclusion import Conclusion, fact, sound, undecided
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.analysis.statistics.intervals import FEWEST, BoundedBy
from streamgage.analysis.statistics.noise import is_beyond_noise
from streamgage.results.repeat.document import (
    ComparedSetting,
    Ratio,
    Repeat,
)
from streamgage.units import count, format_share, listed

LEAST_EFFECT = 0.01
"""Smaller differences of rates do not matter in practice."""
NO_EFFECT = 0.02
"""If the bounds of a ratio are within this distance of 1, there is no effect."""


def conclusions(answer: Repeat) -> list[Conclusion]:
    """State how much runs differ, the effect of each setting, and the conditions."""
    sentences = _differences(answer)
    for setting in answer.others():
        sentences += _effect(answer, setting)
    return [*sentences, *map(fact, _conditions(answer))]


def _differences(answer: Repeat) -> list[Conclusion]:
    """Say how far the worst run lies below the best, for the kernel whose runs differ most."""
    parts: list[tuple[str, str]] = []
    for setting in answer.settings:
        shares = {
            each.kernel: each.spread.below_best
            for each in answer.kernels
            if each.setting == setting.name and each.spread is not None
        }
        if shares:
            kernel, share = max(shares.items(), key=itemgetter(1))
            parts.append((f"{format_share(share)} {answer.where(setting)}", kernel))
    if not parts:
        return []
    kernels = {kernel for _, kernel in parts}
    if len(kernels) == 1:
        shown = f"{listed([part for part, _ in parts])} ({kernels.pop()})"
    else:
        shown = listed([f"{part} ({kernel})" for part, kernel in parts])
    return [sound(f"The worst run lies below the best by {shown}.")]


def _effect(answer: Repeat, setting: ComparedSetting) -> list[Conclusion]:
    """Say whether the medians differ from the baseline's, by the paired ratios."""
    mine = [each for each in answer.kernels if each.setting == setting.name]
    ratios = [(each.kernel, each.ratio) for each in mine if each.ratio is not None]
    where, base = answer.where(setting), answer.where(answer.base())
    if not ratios:
        return [fact(f"No round ran both {where} and {base}, so they cannot be compared.")]
    if any(answer.lacks_pages(each) is not None for each in (setting, answer.base())):
        return []  # a finding says that these runs show nothing on pages
    sure = [each for each in ratios if _is_sure(each[1])]
    faster = [each for each in sure if each[1].value - 1 >= LEAST_EFFECT]
    slower = [each for each in sure if 1 - each[1].value >= LEAST_EFFECT]
    sentences = [
        sound(
            f"{word} {where} than {base} in {len(which)} of {count(len(ratios), 'kernel')}:"
            f" {listed([_ratio(*each) for each in which])}."
        )
        for word, which in (("Faster", faster), ("Slower", slower))
        if which
    ]
    if sentences:
        return sentences
    low, high = min(each.low for _, each in ratios), max(each.high for _, each in ratios)
    bounds = f"the ratios of {count(len(ratios), 'kernel')} lie within {low:.3f} and {high:.3f}."
    if max(1 - low, high - 1) <= NO_EFFECT:
        return [sound(f"The medians {where} and {base} are the same: {bounds}")]
    return [
        undecided(
            f"The medians {where} and {base} do not differ beyond noise: {bounds} More rounds or a"
            " quieter machine would narrow that."
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
    threads = {each.setting: each.threads for each in answer.runs if each.threads is not None}
    if len(set(threads.values())) > 1:
        numbers = listed([f"{name} {number}" for name, number in threads.items()])
        sentences.append(
            f"Different numbers of threads ran ({numbers}), so {answer.compared} is not the only"
            " difference: give --threads to make the numbers the same."
        )
    unbound = {each.name for each in answer.settings if each.unbound}
    if any(each.setting in unbound and each.bound for each in answer.runs):
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
