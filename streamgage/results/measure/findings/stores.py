"""The costs of kinds of store, and stores that differ from the loop's source."""

from __future__ import annotations

from collections.abc import Mapping

from streamgage.analysis.finding import PassedCheck
from streamgage.analysis.statistics.intervals import Summary, median, summarise
from streamgage.analysis.traffic.alpha import Alpha
from streamgage.analysis.traffic.consistency import held_back
from streamgage.records import Variant
from streamgage.records.run import Run
from streamgage.results.measure.facts.shapes import SlowerVariant
from streamgage.results.measure.facts.stores import (
    MOST_BY_STORES,
    CopyIsCall,
    LateReads,
    LateVariant,
    LibraryCalls,
    StreamingSlower,
)
from streamgage.results.measure.findings.context import Context
from streamgage.results.measure.findings.outcome import Outcome
from streamgage.results.measure.findings.output import nominal_rates
from streamgage.units import count, format_share

_LIBRARY = ("memcpy", "memmove", "memset")
"""Compilers have their own of them, too, such as ``_intel_fast_memcpy``."""
_UNLIKE = 1.15
"""Copy over Scale in a table of another benchmark: they count the same bytes, and differ
by more only where their stores do."""
_LITTLE = 0.01
_LATE = 0.05
"""Share of the time below which a late read is not worth a word."""


def late_read(context: Context) -> Outcome:
    """Ordinary stores that wait for the lines they overwrite."""
    if not context.late_reads:
        return None
    late = sorted(
        (each for each in context.late_reads if each.excess > _LATE), key=lambda each: -each.excess
    )
    if not late:
        most = max(each.excess for each in context.late_reads)
        return PassedCheck(
            "late-read",
            "ordinary stores lose at most"
            f" {format_share(max(most, 0.0))} to lines that are read late",
        )
    return LateReads(
        severity="note",
        variants=[
            LateVariant(kernel=each.kernel, store=each.store, excess=each.excess) for each in late
        ],
    )


def streaming_slower(context: Context) -> Outcome:
    """Streaming stores that are slower than ordinary ones, each in its quickest shape."""
    run = context.in_main_state
    ordinary = {each.kernel: each for each in _quickest(run, "regular")}
    compared = [
        (each, _over(run, each, ordinary[each.kernel]))
        for each in _quickest(run, "streaming")
        if each.kernel in ordinary
    ]
    known = [(each, ratio) for each, ratio in compared if ratio is not None]
    if not known:
        return None
    slower = [
        SlowerVariant(variant=each.kernel, loss=1 - 1 / ratio.median)  # of the bandwidth
        for each, ratio in known
        if ratio.interval is not None and ratio.interval.low > 1 + _LITTLE
    ]
    if not slower:
        return PassedCheck(
            "streaming-slower", f"streaming stores were no slower in {count(len(known), 'kernel')}"
        )
    return StreamingSlower(
        severity="note",
        slower=slower,
        avoid_a_read=any(
            each.variant not in run.kernels or run.kernels[each.variant].write_allocates
            for each in slower
        ),
    )


def _quickest(run: Run, store: str) -> list[Variant]:
    """The quickest measured variant of each kernel with that kind of store."""
    quickest: dict[str, tuple[float, Variant]] = {}
    for each in run.shown():
        times = summarise(run.times(each.id)) if each.store == store else None
        if times is None:
            continue
        if each.kernel not in quickest or times.median < quickest[each.kernel][0]:
            quickest[each.kernel] = (times.median, each)
    return [variant for _, variant in quickest.values()]


def _over(run: Run, streaming: Variant, ordinary: Variant) -> Summary | None:
    """Seconds with streaming stores over those with ordinary ones, in the blocks that have both."""
    these, those = run.times_of_blocks(streaming.id), run.times_of_blocks(ordinary.id)
    shared = [block for block in sorted(these.keys() & those) if those[block] > 0]
    return summarise([these[block] / those[block] for block in shared])


def copy_memcpy(context: Context) -> Outcome:
    """Plain loops that the compiler made calls of the library, or a table that looks so."""
    run = context.run
    if run.reported is not None:
        return _copy_unlike_scale(context)
    plain = [each for each in run.variants.values() if each.store == "plain"]
    looked_at = [each for each in plain if each.calls is not None]
    called = {each.kernel: calls for each in looked_at if (calls := _replacing(each))}
    if not looked_at:
        return None
    if not called:
        return PassedCheck("copy-memcpy", "the compiler replaced no plain loop by a library call")
    as_loops = [
        each
        for each in context.kernels
        if each.store == "plain" and each.kernel in called and each.alpha.verdict == "full"
    ]
    return CopyIsCall(
        severity="fact",
        replaced=[LibraryCalls(kernel=kernel, calls=calls) for kernel, calls in called.items()],
        read_as_loops=[each.kernel for each in as_loops],
        evidence=as_loops[0].alpha.evidence if as_loops else None,
    )


def _replacing(plain: Variant) -> list[str]:
    """Library functions that replace the loop."""
    return sorted(call for call in plain.calls or () if any(name in call for name in _LIBRARY))


def _copy_unlike_scale(context: Context) -> Outcome:
    """Judges from the rates alone: Copy and Scale move as much and should take as long."""
    ratios = _copy_over_scale(context.run)
    if ratios is None or context.impossible:
        return None
    ratio = ratios.median
    seen = f"Copy ran at {format_share(ratio)} of the rate of Scale"
    apart = max(ratio, 1 / ratio)
    if apart <= _UNLIKE:
        return PassedCheck("copy-memcpy", seen)
    if held_back(nominal_rates(context.run)) and apart <= MOST_BY_STORES * _UNLIKE:
        return None  # one loop alone is slow: see uneven-kernels
    widest, name = max((_width(context.run, each), each) for each in ("copy", "scale"))
    if apart <= widest:
        return PassedCheck(
            "copy-memcpy",
            f"{seen}, which shows nothing: {name.capitalize()} itself spreads by"
            f" {format_share(widest - 1)}",
        )
    alphas = {each.kernel: each.alpha for each in context.kernels}
    return CopyIsCall(
        severity="note",
        ratio=ratio,
        unexplained=apart > MOST_BY_STORES * _UNLIKE,
        loops=_other_stores(alphas, ratio),
        evidence=alphas["scale"].evidence if "scale" in alphas else None,
    )


def _other_stores(alphas: Mapping[str, Alpha], ratio: float) -> list[str] | None:
    """The kernels that store as Scale does and not as Copy; ``None`` where that is not known."""
    verdicts = {name: alpha.verdict for name, alpha in alphas.items()}
    known = verdicts.get("copy"), verdicts.get("scale")
    if known != (("none", "full") if ratio > 1 else ("full", "none")):
        return None
    return [name for name in ("scale", "add", "triad") if verdicts.get(name) == known[1]]


def _numbers(run: Run) -> dict[str, int]:
    return {each.kernel: each.id for each in run.variants.values()}


def _width(run: Run, kernel: str) -> float:
    """The slowest over the fastest time of a kernel: of the repetitions, and of the tables.

    Of many tables without the tenth at either end, so that one odd run does not hide the others; of
    the repetitions in the usual table. 1 where neither is printed.
    """
    rates = run.rates.get(_numbers(run)[kernel], ())
    tables = sorted(each.gbps for each in rates)
    left_out = len(tables) // 10
    repetitions = sorted(
        each.worst_seconds / each.seconds for each in rates if each.seconds and each.worst_seconds
    )
    return max(
        tables[-1 - left_out] / tables[left_out],
        median(repetitions) if repetitions else 1.0,
    )


def _copy_over_scale(run: Run) -> Summary | None:
    numbers = _numbers(run)
    if not {"copy", "scale"} <= numbers.keys():
        return None
    copy = run.element_times_of_blocks(numbers["copy"])
    scale = run.element_times_of_blocks(numbers["scale"])
    return summarise([scale[table] / copy[table] for table in sorted(copy.keys() & scale)])
