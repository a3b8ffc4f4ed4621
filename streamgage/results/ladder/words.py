"""What a ladder comes to, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.results.ladder.document import Ladder, LadderCurve
from streamgage.units import format_rate, listed


def left_out(ladder: Ladder) -> Iterator[str]:
    """Why modes were not measured that were asked for."""
    if ladder.left_out:
        modes = " and ".join(each.mode for each in ladder.left_out)
        same = ladder.left_out[0].same_as
        yield f"With one thread {modes} would be the same as {same}, and was not measured."


def verdict(answer: Ladder) -> list[str]:
    """A sentence a curve: the plateaus, and what the last cache gains over memory."""
    return [_sentence(each) for each in answer.curves if each.steps]


def _sentence(curve: LadderCurve) -> str:
    parts = [f"{format_rate(step.gbps.value)} GB/s from {step.level}" for step in curve.steps]
    return f"{title_of(curve)}: {listed(parts)}."


def title_of(curve: LadderCurve) -> str:
    """``triad regular, throughput``."""
    return f"{curve.kernel} {curve.store}, {curve.mode}"
