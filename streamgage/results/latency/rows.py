"""Latencies as rows of text: one for the levels, one for each mix under load."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from streamgage.analysis.statistics.bootstrap import FEWEST
from streamgage.analysis.statistics.estimate import Bounded
from streamgage.results.latency.document import IdleStep, Latencies, LoadCurve, LoadedPoint
from streamgage.results.latency.words import MIXES
from streamgage.show.symbols import Symbols
from streamgage.units import count, format_bytes, format_nanoseconds, format_rate, format_share

DASH = "-"
_LEVELS = ("level", "ns", "range", "working sets", "ends at", "claimed")
_PACES = ("load", "GB/s", "ns", "times unloaded")


@dataclass(frozen=True)
class Block:
    """One table: what it is of, its head, and its rows."""

    title: str
    what: str
    heads: tuple[str, ...]
    rows: list[tuple[str, ...]]


def blocks(answer: Latencies, symbols: Symbols) -> list[Block]:
    """The levels, then each mix."""
    shown = []
    if answer.steps:
        levels = [_level(each, symbols) for each in answer.steps]
        shown.append(Block("idle latency", "ns of a load, nothing else at work", _LEVELS, levels))
    for each in answer.loaded:
        load = "loads" if each.generators == 1 else "load"
        what = f"{count(each.generators, 'thread')} {load} the memory ({each.kernel})"
        paces = [_loaded(each, point, symbols) for point in each.points]
        shown.append(Block(f"under load, {MIXES[each.mix]}", what, _PACES, paces))
    return shown


def _level(step: IdleStep, symbols: Symbols) -> tuple[str, ...]:
    low, high = (
        step.seconds.value if each is None else each
        for each in (step.seconds.low, step.seconds.high)
    )
    return (
        step.level,
        format_nanoseconds(step.seconds.value),
        f"{format_nanoseconds(low)} to {format_nanoseconds(high)}",
        f"{format_bytes(step.low_bytes)} {symbols.dash} {format_bytes(step.high_bytes)}",
        DASH if step.effective_bytes is None else format_bytes(step.effective_bytes),
        DASH if step.claimed_bytes is None else format_bytes(step.claimed_bytes),
    )


def _loaded(curve: LoadCurve, point: LoadedPoint, symbols: Symbols) -> tuple[str, ...]:
    unloaded = curve.unloaded_seconds
    return (
        "none" if point.share == 0 else format_share(point.share),
        _bounded(point.gbps, format_rate, symbols) if point.share else DASH,
        _bounded(point.seconds, format_nanoseconds, symbols),
        DASH if unloaded is None else f"{point.seconds.value / unloaded:.2f}",
    )


def _bounded(figure: Bounded, write: Callable[[float], str], symbols: Symbols) -> str:
    low, high = figure.low, figure.high
    if low is None or high is None:
        return write(figure.value)
    half = max(high - figure.value, figure.value - low)
    return f"{write(figure.value)} {symbols.plus_minus}{write(half)}"


def series(answer: Latencies, symbols: Symbols) -> str:
    """What ran where."""
    parts = []
    if answer.cpu is not None:
        parts.append(f"walked on CPU {answer.cpu}")
    if answer.cpus is not None:
        parts.append(f"loaded from CPUs {answer.cpus}")
    parts.append(f"{count(answer.rounds, 'round')} in mixed order (seed {answer.seed})")
    return symbols.separator.join(parts)


def uncertainty(answer: Latencies) -> str:
    """What the bounds of a figure are."""
    if answer.rounds < FEWEST:
        return f"the extremes of {count(answer.rounds, 'round')}"
    return f"95 % interval of the median of {answer.rounds} rounds"


def foot(answer: Latencies, symbols: Symbols) -> str:
    """What the figures are."""
    text = (
        "A load that depends on the one before, through every line in random order, on huge pages"
        f" where they were had; median, {symbols.plus_minus}: {uncertainty(answer)}."
    )
    if answer.loaded:
        text += (
            " GB/s: what the loading threads read and wrote, which is what crossed the memory bus"
            " by them."
        )
    windows = sum(point.windows for each in answer.loaded for point in each.points)
    still = sum(point.windows_left_out for each in answer.loaded for point in each.points)
    if still:
        text += (
            f" {still} of {windows} windows are left out: in them threads stood still, because"
            " something else had their CPUs."
        )
    return text
