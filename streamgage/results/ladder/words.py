"""What a ladder comes to, in sentences."""

from __future__ import annotations

from streamgage.results.ladder.document import Ladder, LadderCurve
from streamgage.units import format_rate, listed


def verdict(answer: Ladder) -> list[str]:
    """A sentence a curve: the plateaus, and what the last cache gains over memory."""
    return [_sentence(each) for each in answer.curves if each.steps]


def _sentence(curve: LadderCurve) -> str:
    parts = [f"{format_rate(step.gbps.value)} GB/s from {step.level}" for step in curve.steps]
    return f"{title_of(curve)}: {listed(parts)}."


def title_of(curve: LadderCurve) -> str:
    """``triad regular, throughput``."""
    return f"{curve.kernel} {curve.store}, {curve.mode}"
