"""The steps of a ladder as rows of text, and what stands above and below them."""

from __future__ import annotations

from streamgage.analysis.statistics.bootstrap import FEWEST
from streamgage.results.ladder.document import Ladder, LadderCurve, LadderPoint, Step
from streamgage.show.symbols import Symbols
from streamgage.units import count, format_bytes, format_half_width, format_rate

DASH = "-"
HEADS = ("level", "GB/s", "range", "bytes/cycle", "working sets", "ends at", "claimed")
LEFT = ("level", "working sets")


def cells(step: Step, symbols: Symbols) -> tuple[str, ...]:
    """One row: a text for each of ``HEADS``."""
    low, high = step.gbps.low or step.gbps.value, step.gbps.high or step.gbps.value
    return (
        step.level,
        format_rate(step.gbps.value),
        f"{format_rate(low)} to {format_rate(high)}",
        DASH if step.bytes_per_cycle is None else f"{step.bytes_per_cycle:.1f}",
        f"{format_bytes(step.low_bytes)} {symbols.dash} {format_bytes(step.high_bytes)}",
        DASH if step.effective_bytes is None else format_bytes(step.effective_bytes),
        DASH if step.claimed_bytes is None else format_bytes(step.claimed_bytes),
    )


def rate(point: LadderPoint, symbols: Symbols) -> str:
    """``23.9 ±0.2``: the median, and the wider half of its interval where that is known."""
    bounds = point.gbps
    if bounds.low is None or bounds.high is None:
        return format_rate(bounds.value)
    half = max(bounds.high - bounds.value, bounds.value - bounds.low)
    return (
        f"{format_rate(bounds.value)} {symbols.plus_minus}{format_half_width(half, bounds.value)}"
    )


def mode_of(curve: LadderCurve) -> str:
    """What the working sets of a curve are."""
    return {
        "sequential": "1 thread",
        "worksharing": f"{count(curve.threads, 'thread')} that share the working set",
        "throughput": f"{count(curve.threads, 'thread')}, each with a working set of its own",
    }[curve.mode]


def series(answer: Ladder, symbols: Symbols) -> str:
    """What ran, and at which clock."""
    parts = []
    if answer.cpus is not None:
        parts.append(f"{count(answer.threads, 'thread')} bound to CPUs {answer.cpus}")
    parts.append(f"{count(answer.rounds, 'round')}, points in mixed order (seed {answer.seed})")
    if clock := clock_of(answer):
        parts.append(f"core clock {clock}")
    return symbols.separator.join(parts)


def clock_of(answer: Ladder) -> str:
    """Such as ``3.08 GHz``, or ``3.40 to 4.80 GHz`` over the modes; empty where it is not known."""
    clocks = sorted({f"{each.core_hertz / 1e9:.2f}" for each in answer.curves if each.core_hertz})
    return f"{' to '.join(dict.fromkeys((clocks[0], clocks[-1])))} GHz" if clocks else ""


def uncertainty(answer: Ladder) -> str:
    """What the bounds of a point are."""
    if answer.rounds == 1:
        return "95 % interval of the median of the samples"
    if answer.rounds < FEWEST:
        return f"the extremes of {answer.rounds} rounds"
    return f"95 % interval of the median of {answer.rounds} rounds"


def foot(answer: Ladder) -> str:
    """What the figures are."""
    text = (
        "GB/s of nominal bytes, all threads together: the median of the points of a plateau, and"
        " their extremes. ends at: where bandwidth has fallen half of the way to the next level;"
        " claimed: what the caches in use hold by their description."
    )
    if clock_of(answer):
        text += (
            " bytes/cycle: of one core, by its clock just after the kernels (a chain of additions)."
        )
    return text
