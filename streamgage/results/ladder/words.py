"""What a ladder comes to, in sentences, and why points are missing."""

from __future__ import annotations

from collections.abc import Sequence

from streamgage.results.ladder.document import Ladder, LadderCurve, Step
from streamgage.units import count, format_bytes, format_rate, listed

_MOST_NAMED = 4


def verdict(answer: Ladder) -> list[str]:
    """A sentence a curve: the plateaus, and what the last cache gains over memory."""
    return [_told(each) for each in answer.curves if each.steps]


def _told(curve: LadderCurve) -> str:
    parts = [f"{format_rate(step.gbps.value)} GB/s from {step.level}" for step in curve.steps]
    return f"{title_of(curve)}: {listed(parts)}."


def title_of(curve: LadderCurve) -> str:
    """``triad regular, throughput``."""
    return f"{curve.kernel} {curve.store}, {curve.mode}"


def size_of(step: Step) -> str:
    """Such as: ends at 29.9 KiB of 32 KiB; nothing of memory."""
    if step.effective_bytes is None:
        return ""
    claimed = "" if step.claimed_bytes is None else f" of {format_bytes(step.claimed_bytes)}"
    return f"ends at {format_bytes(step.effective_bytes)}{claimed}"


def missing_sentences(answer: Ladder) -> list[str]:
    """Why runs failed."""
    failed: dict[str, list[str]] = {}
    for each in answer.runs:
        if each.failure is not None:
            of_round = f" (round {each.round})" if answer.rounds > 1 else ""
            name = f"{each.kernel}, {each.mode}, {format_bytes(each.bytes)}{of_round}"
            failed.setdefault(each.failure, []).append(name)
    return [f"{_named(names)}: {why}" for why, names in failed.items()]


def _named(names: Sequence[str]) -> str:
    if len(names) <= _MOST_NAMED:
        return "; ".join(names)
    rest = count(len(names) - _MOST_NAMED, "run")
    return f"{'; '.join(names[:_MOST_NAMED])} and {rest} more"
