"""The conclusions about latencies, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from streamgage.analysis.conclusion import Conclusion, sound, undecided
from streamgage.analysis.crossing import Crossing
from streamgage.analysis.hierarchy import LevelInUse, levels_in_use, unseen
from streamgage.results.latency.document import (
    MIX_NAMES,
    OFF_TARGET,
    Latency,
    LoadCurve,
    onset_of,
)
from streamgage.units import (
    count,
    format_gbps,
    format_nanoseconds,
    format_range,
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


def conclusions(answer: Latency) -> list[Conclusion]:
    """State the latency of each level, and for each mix the bandwidth at which it doubles.

    One sentence covers all mixes whose latency never doubles.
    """
    mixes = [_mix_sentence(each) for each in answer.loaded]
    return [*_idle_sentence(answer), *mixes, *_never_doubles(answer.loaded)]


def _idle_sentence(answer: Latency) -> Iterator[Conclusion]:
    if answer.steps:
        parts = [f"{_ns(step.seconds.value)} ns in {step.level}" for step in answer.steps]
        where = "idle machine" if answer.device is None else "idle device"
        yield sound(f"On an {where} a load takes {listed(parts)}.")


def _mix_sentence(curve: LoadCurve) -> Conclusion:
    last = curve.points[-1]
    mix = _capitalized(curve)
    if _was_stopped(curve):
        return undecided(f"{mix}: the run was stopped before the highest load.")
    best = format_gbps(curve.best_gbps)
    load = f"{mix}: at most {best}"
    if curve.generators is not None:
        move = "moves" if curve.generators == 1 else "move"
        load = f"{mix}: {count(curve.generators, 'thread')} {move} {best}"
    if curve.unloaded_seconds is None:
        return sound(f"{load}, and a load then takes {_ns(last.seconds.value)} ns.")
    if curve.disorder is not None:
        return undecided(
            f"{load}; its latencies do not rise with the load, so the curve has no knee."
        )
    times = last.seconds.value / curve.unloaded_seconds
    latency = f"latency goes from {_ns(curve.unloaded_seconds)} to {_ns(last.seconds.value)} ns"
    onset = onset_of(curve.points, curve.unloaded_seconds)
    if onset.never:
        return sound(f"{load}; {latency} ({times:.2f} times).")
    if onset.at is None:
        return undecided(f"{load}; {latency}. {no_onset(curve, onset)}")
    return sound(f"{load}; {latency}, and is twice the unloaded one from {_from(onset)} on.")


def no_onset(curve: LoadCurve, onset: Crossing) -> str:
    """``No onset can be named: the ranges of 6 of 8 loads reach from 142 to 506 ns.``."""
    unclear = [curve.points[number].seconds for number in onset.unclear]
    if onset.open_because == "falls" or not unclear:
        return (
            "No onset can be named: with some load latency is twice the unloaded one, and with"
            " more it is below that."
        )
    low = min(each.value if each.low is None else each.low for each in unclear)
    high = max(each.value if each.high is None else each.high for each in unclear)
    loads = count(len(curve.points), "load")
    what = f"the range of 1 of {loads} reaches"
    if len(unclear) > 1:
        what = f"the ranges of {len(unclear)} of {loads} reach"
    return f"No onset can be named: {what} from {_ns(low)} to {_ns(high)} ns."


def _from(onset: Crossing) -> str:
    """The bandwidth of the onset; its bounds if points between them are unclear."""
    assert onset.at is not None, "it was named"
    if onset.unclear and onset.at.low is not None and onset.at.high is not None:
        return f"somewhere within {format_range(onset.at.low, onset.at.high)}"
    return format_gbps(onset.at.value)


def _never_doubles(curves: Sequence[LoadCurve]) -> Iterator[Conclusion]:
    """Write one sentence for all mixes whose latency never doubled, with a possible reason."""
    whole = [each for each in curves if not _was_stopped(each)]
    never = [each for each in whole if each.onset is not None and each.onset.never]
    if not never:
        return
    mixes = ""
    if len(never) < len(curves):
        mixes = f" with {listed([MIX_NAMES[each.mix] for each in never])}"
    threads = {each.generators for each in never}
    alone = ""
    if len(threads) == 1 and (generators := threads.pop()) is not None:
        alone = f" under the load of {count(generators, 'thread')}"
    yield sound(
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
