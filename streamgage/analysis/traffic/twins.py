"""Twins of a write-allocating kernel: one that certainly reads its lines, and one that should not.

A write prefetch ahead of the store forces the read, so alpha is 1 by construction. If its bracket
also gives 1, timing can be trusted on this machine; that is shown on the spot and without counters.
If cores and not memory are the limit, the read of an ordinary store starts late, is not overlapped,
and exceeds the bracket (1.56 for copy on two cores of an Emerald Rapids guest, where the forced
read gives 1.00). So it is compared with the twin. An ordinary store that is no faster than the
forced read gains nothing from avoiding the read.
"""

from __future__ import annotations

from dataclasses import dataclass

from streamgage.analysis.statistics.bootstrap import BlockMedian, paired_ratio
from streamgage.analysis.traffic.bracket import BRACKETS, NARROWEST, AlphaEstimate, bracket_of
from streamgage.analysis.traffic.reason import Reason, ReasonCode
from streamgage.analysis.traffic.timing import Timing, avoids_read, forces_read
from streamgage.records import Variant

TRUTH_WITHIN = 0.15
"""The most by which the forced read's alpha may differ from 1."""
_SHOWING = ("copy", "triad")
_NARROWER = 0.10


@dataclass(frozen=True)
class ForcedRead:
    """The check of one kernel. ``ok`` is ``None`` if its bracket is too narrow for a check."""

    kernel: str
    variant: int
    alpha: AlphaEstimate | None
    ok: bool | None


@dataclass(frozen=True)
class StreamingGain:
    """The gain of streaming stores over ordinary ones, for one kernel, paired by block.

    It is the seconds of ordinary regular stores divided by those of the fastest streaming or
    claiming ones; above 1 streaming gained.
    """

    kernel: str
    streaming: int
    ordinary: int
    ratio: BlockMedian


def forced_twin(timing: Timing, kernel: str) -> Variant | None:
    """The fastest variant of ``kernel`` whose lines are certainly read."""
    return timing.fastest(kernel, forces_read)


def avoiding_twin(timing: Timing, kernel: str) -> Variant | None:
    """The fastest variant of ``kernel`` that should not read its lines."""
    return timing.fastest(kernel, avoids_read)


def twin_width(timing: Timing, kernel: str) -> BlockMedian | None:
    """The relative distance (t_forced - t_avoiding) / t_avoiding; ``None`` if a twin is missing."""
    forced, avoiding = forced_twin(timing, kernel), avoiding_twin(timing, kernel)
    if forced is None or avoiding is None:
        return None
    ratio = paired_ratio(timing.of(forced), timing.of(avoiding))
    if ratio is None:
        return None
    return BlockMedian(ratio.value - 1, ratio.low - 1, ratio.high - 1, ratio.n)


def twins_decide(timing: Timing, kernel: str, width: BlockMedian | None) -> bool:
    """Return whether the twins of ``kernel``, which differ by ``width``, are far enough apart.

    The limit is 15 %, as on any machine for which this method works. If the twins of copy and triad
    show that, 10 % are enough for the others. Of striad's five streams the read is one, so its
    twins can only differ by 25 %, where copy's can differ by 50 %.
    """
    if width is None or width.low <= 0:
        return False
    if width.value >= NARROWEST:
        return True
    if kernel in _SHOWING or width.value < _NARROWER:
        return False
    shown = [twin_width(timing, each) for each in _SHOWING]
    return all(each is not None and each.value >= NARROWEST for each in shown)


def forced_read_checks(timing: Timing) -> dict[str, ForcedRead]:
    """Check each kernel that has a forced-read twin and kernels on both sides."""
    checks = {}
    for kernel, (low, _) in BRACKETS.items():
        twin = forced_twin(timing, kernel)
        bracket = bracket_of(timing, kernel)
        if low is None or twin is None or bracket is None or bracket.guessed_share:
            continue
        alpha = bracket.alpha(timing.of(twin))
        ok = None
        if alpha is not None and bracket.narrow() is None:
            ok = abs(alpha.value - 1) <= TRUTH_WITHIN
        checks[kernel] = ForcedRead(kernel, twin.id, alpha, ok)
    return checks


def failed_checks(checks: dict[str, ForcedRead]) -> Reason | None:
    """Why timing cannot be trusted on this machine; ``None`` if all checks were passed."""
    failed = {
        check.kernel: check.alpha.value
        for check in checks.values()
        if check.ok is False and check.alpha is not None
    }
    return Reason(why=ReasonCode.SELF_TEST, alphas=failed, limit=TRUTH_WITHIN) if failed else None


def streaming_gains(timing: Timing) -> dict[str, StreamingGain]:
    """The gain of streaming over ordinary stores, for each kernel that has both."""
    gains = {}
    for kernel in dict.fromkeys(variant.kernel for variant in timing.run.variants.values()):
        streaming = avoiding_twin(timing, kernel)
        ordinary = timing.fastest(kernel, _is_standard_regular) or timing.fastest(
            kernel, lambda variant: variant.store == "plain"
        )
        if streaming is None or ordinary is None:
            continue
        ratio = paired_ratio(timing.of(ordinary), timing.of(streaming))
        if ratio is not None:
            gains[kernel] = StreamingGain(kernel, streaming.id, ordinary.id, ratio)
    return gains


def _is_standard_regular(variant: Variant) -> bool:
    return (
        variant.store == "regular"
        and variant.purpose == "rate"
        and not variant.tuned
        and not forces_read(variant)
    )
