"""The conclusions about latencies, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from streamgage.analysis.hierarchy import LevelInUse, levels_in_use, unseen
from streamgage.results.latency.document import (
    MIX_NAMES,
    OFF_TARGET,
    Latency,
    LoadCurve,
)
from streamgage.units import (
    count,
    format_gbps,
    format_nanoseconds,
    format_share,
    listed,
)


def left_out(answer: Latency) -> Iterator[str]:
    """Say why a requested load was not measured, and which caches do not show."""
    if answer.left_out == ["streaming"] and answer.loaded:
        yield "This processor does not have streaming stores, so that load was not measured."
    elif answer.left_out:
        yield (
            "One CPU cannot measure and load the memory at once, so only the idle latency was"
            " measured."
        )
    yield from _off_target(answer)
    names = [each.name for each in _unseen(answer)]
    if names:
        does, it = ("does", "it") if len(names) == 1 else ("do", "they")
        yield (
            f"{listed(names)} {does} not show: working sets that {it} should hold take as long as"
            " memory."
        )


def _off_target(answer: Latency) -> Iterator[str]:
    """Say how many loads missed the requested bandwidth, and why that may be."""
    points = [point for curve in answer.loaded for point in curve.points if point.target_gbps]
    off = [point for point in points if point.off_target is not None]
    if off:
        are = "is" if len(off) == 1 else "are"
        yield (
            f"{len(off)} of {count(len(points), 'load')} {are} more than"
            f" {format_share(OFF_TARGET)} off the requested bandwidth and marked. The highest"
            " rate of the threads had changed by then, or was changing too quickly."
        )


def _unseen(answer: Latency) -> list[LevelInUse]:
    """The caches that the machine reports, but that hold nothing in this curve."""
    if answer.machine is None or answer.cpu is None or not answer.idle:
        return []
    levels = levels_in_use(answer.machine, [answer.cpu], "sequential")
    sizes = [each.bytes for each in answer.idle]
    return unseen(levels, [each.level for each in answer.steps], sizes)


def verdict(answer: Latency) -> list[str]:
    """State the latency of each level, and for each mix the bandwidth at which it doubles.

    One sentence covers all mixes whose latency never doubles.
    """
    mixes = [_mix_sentence(each) for each in answer.loaded]
    return [*_idle_sentence(answer), *mixes, *_never_doubles(answer.loaded)]


def _idle_sentence(answer: Latency) -> Iterator[str]:
    if answer.steps:
        parts = [f"{_ns(step.seconds.value)} ns in {step.level}" for step in answer.steps]
        where = "idle machine" if answer.device is None else "idle device"
        yield f"On an {where} a load takes {listed(parts)}."


def _mix_sentence(curve: LoadCurve) -> str:
    last = curve.points[-1]
    mix = _capitalized(curve)
    if _was_stopped(curve):
        return f"{mix}: the run was stopped before the highest load."
    best = format_gbps(curve.best_gbps)
    load = f"{mix}: at most {best}"
    if curve.generators is not None:
        move = "moves" if curve.generators == 1 else "move"
        load = f"{mix}: {count(curve.generators, 'thread')} {move} {best}"
    if curve.unloaded_seconds is None:
        return f"{load}, and a load then takes {_ns(last.seconds.value)} ns."
    if curve.disorder is not None:
        return f"{load}; its latencies do not rise with the load, so the curve has no knee."
    times = last.seconds.value / curve.unloaded_seconds
    latency = f"latency goes from {_ns(curve.unloaded_seconds)} to {_ns(last.seconds.value)} ns"
    if curve.onset_gbps is None:
        return f"{load}; {latency} ({times:.2f} times)."
    return (
        f"{load}; {latency}, and is twice the unloaded one from {format_gbps(curve.onset_gbps)} on."
    )


def _never_doubles(curves: Sequence[LoadCurve]) -> Iterator[str]:
    """Write one sentence for all mixes whose latency never doubled, with a possible reason."""
    whole = [each for each in curves if not _was_stopped(each)]
    never = [
        each
        for each in whole
        if each.unloaded_seconds is not None and each.onset_gbps is None and each.disorder is None
    ]
    if not never:
        return
    mixes = ""
    if len(never) < len(curves):
        mixes = f" with {listed([MIX_NAMES[each.mix] for each in never])}"
    threads = {each.generators for each in never}
    alone = ""
    if len(threads) == 1 and (generators := threads.pop()) is not None:
        alone = f" under the load of {count(generators, 'thread')}"
    yield (
        f"Latency never doubles{mixes}{alone}: run streamgage scale to see how many threads fill"
        " this memory."
    )


def _was_stopped(curve: LoadCurve) -> bool:
    share = curve.points[-1].share
    return share is not None and share < 1


def _capitalized(curve: LoadCurve) -> str:
    return MIX_NAMES[curve.mix].capitalize()


def _ns(seconds: float) -> str:
    return format_nanoseconds(seconds)
