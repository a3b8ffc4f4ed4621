"""The costs of kinds of store, and stores that differ from the loop's source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from streamgage.analysis.finding import Finding, Passed
from streamgage.analysis.statistics.intervals import Summary, median, summarise
from streamgage.analysis.traffic.consistency import held_back
from streamgage.records import Variant
from streamgage.records.run import Run
from streamgage.results.measure.findings.context import Context
from streamgage.results.measure.findings.outcome import Outcome, some
from streamgage.results.measure.findings.output import nominal_rates
from streamgage.units import count, format_share, listed

_LIBRARY = ("memcpy", "memmove", "memset")
"""Compilers have their own of them, too, such as ``_intel_fast_memcpy``."""
_UNLIKE = 1.15
"""Copy over Scale in a table of another benchmark: they count the same bytes, and differ
by more only where their stores do."""
_MOST_BY_STORES = 1.5
"""Copy and Scale move two words, or three where the store reads its line first."""
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
        return Passed(
            "late-read",
            "ordinary stores lose at most"
            f" {format_share(max(most, 0.0))} to lines that are read late",
        )
    seen = some([f"{each.kernel} {each.store} ({format_share(each.excess)})" for each in late])
    return Finding(
        code="late-read",
        severity="note",
        reason=f"the reads of stores come late ({late[0].kernel}: {format_share(late[0].excess)})",
        text="Ordinary stores wait for the lines that they overwrite: they take longer than with"
        f" the same lines prefetched for writing, {seen}. The read starts with the store, too"
        " late to overlap as loads do. In a program, streaming stores or a prefetch for"
        " writing ahead of the store (PREFETCHW, prfm pstl1keep, dcbtst) recover that time.",
    )


def streaming_slower(context: Context) -> Outcome:
    """Streaming stores that are slower than ordinary ones, each in its quickest shape."""
    run = context.run
    ordinary = {each.kernel: each for each in _quickest(run, "regular")}
    compared = [
        (each, _over(run, each, ordinary[each.kernel]))
        for each in _quickest(run, "streaming")
        if each.kernel in ordinary
    ]
    known = [(each, ratio) for each, ratio in compared if ratio is not None]
    if not known:
        return None
    lost = [
        (each.kernel, 1 - 1 / ratio.median)  # of the bandwidth
        for each, ratio in known
        if ratio.interval is not None and ratio.interval.low > 1 + _LITTLE
    ]
    slower = [f"{kernel} (by {format_share(loss)})" for kernel, loss in lost]
    if not slower:
        return Passed(
            "streaming-slower", f"streaming stores were no slower in {count(len(known), 'kernel')}"
        )
    return Finding(
        code="streaming-slower",
        severity="note",
        reason=f"streaming stores are slower here: {some(slower)}",
        text="Streaming stores are slower than ordinary ones, each in its quickest shape:"
        f" {some(slower)}. {_why_slower(run, [kernel for kernel, _ in lost])} Use ordinary"
        " stores for such loops with as many threads as here.",
    )


def _why_slower(run: Run, kernels: Sequence[str]) -> str:
    """Why streaming stores are slower; some of ``kernels`` read what they overwrite."""
    if any(kernel not in run.kernels or run.kernels[kernel].write_allocates for kernel in kernels):
        return "They avoid a read, but a core has few buffers for them, so a few threads move less."
    return (
        "These loops need what they overwrite, so there is no read to avoid, and a core has few"
        " buffers for streaming stores."
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
    called = {each.kernel: _replacing(each) for each in looked_at}
    seen = [f"{kernel} calls {' and '.join(calls)}" for kernel, calls in called.items() if calls]
    if not looked_at:
        return None
    if not seen:
        return Passed("copy-memcpy", "the compiler replaced no plain loop by a library call")
    return Finding(
        code="copy-memcpy",
        severity="fact",
        reason=f"the compiler replaced plain loops: {some(seen)}",
        text=f"The compiler replaced plain loops by library calls: {some(seen)} (from the object"
        " code). Such a call chooses its stores by the size of the arrays, mostly streaming ones"
        " for large arrays, so these rows need not be comparable with the"
        f" others.{_like_loops(context, called)} With gcc, -fno-tree-loop-distribute-patterns keeps"
        " the loop.",
    )


def _like_loops(context: Context, called: Mapping[str, Sequence[str]]) -> str:
    """The library calls that read what they overwrite, as loops do, if known."""
    known = [
        each
        for each in context.kernels
        if each.store == "plain" and called.get(each.kernel) and each.alpha.verdict == "full"
    ]
    if not known:
        return ""
    names = " and ".join(each.kernel for each in known)
    return f" Here {names} read every line overwritten, as a loop does ({known[0].alpha.evidence})."


def _replacing(plain: Variant) -> list[str]:
    """Library functions that replace the loop."""
    return sorted(call for call in plain.calls or () if any(name in call for name in _LIBRARY))


def _copy_unlike_scale(context: Context) -> Outcome:
    """Judges from the rates alone: Copy and Scale move as much and should take as long."""
    ratios = _copy_over_scale(context.run)
    if ratios is None:
        return None
    ratio = ratios.median
    seen = f"Copy ran at {format_share(ratio)} of the rate of Scale"
    apart = max(ratio, 1 / ratio)
    if apart <= _UNLIKE:
        return Passed("copy-memcpy", seen)
    if held_back(nominal_rates(context.run)) and apart <= _MOST_BY_STORES * _UNLIKE:
        return None  # one loop alone is slow: see uneven-kernels
    widest, name = max((_width(context.run, each), each) for each in ("copy", "scale"))
    if apart <= widest:
        return Passed(
            "copy-memcpy",
            f"{seen}, which shows nothing: {name.capitalize()} itself spreads by"
            f" {format_share(widest - 1)}",
        )
    more, way = (ratio - 1, "above") if ratio > 1 else (1 - ratio, "below")
    return Finding(
        code="copy-memcpy",
        severity="note",
        reason=f"Copy is {format_share(more)} {way} Scale: do not compare them",
        text=f"Copy is {format_share(more)} {way} Scale, though both move the same:"
        f" {_meaning(context, ratio)}. Compare Copy with no other row, and quote Triad.",
    )


def _meaning(context: Context, ratio: float) -> str:
    """The meaning of a Copy that runs at ``ratio`` times the rate of Scale."""
    if max(ratio, 1 / ratio) > _MOST_BY_STORES * _UNLIKE:
        slower = "Scale" if ratio > 1 else "Copy"
        return (
            f"a read before the store explains at most {format_share(_MOST_BY_STORES - 1)} of"
            f" difference, so something else slowed {slower} down, such as a loop that was not"
            " vectorised or not run in parallel, or a slow library call"
        )
    alphas = {each.kernel: each.alpha for each in context.kernels}
    verdicts = {name: alpha.verdict for name, alpha in alphas.items()}
    known = verdicts.get("copy"), verdicts.get("scale")
    loops = [name for name in ("scale", "add", "triad") if verdicts.get(name) == known[1]]
    how = alphas["scale"].evidence if "scale" in alphas else None
    named = listed([name.capitalize() for name in loops]) if loops else ""
    if ratio > 1 and known == ("none", "full"):
        return (
            f"Copy was probably memcpy with streaming stores, and {named} ordinary loops"
            f" ({how or 'inferred'} from the rates)"
        )
    if ratio < 1 and known == ("full", "none"):
        return (
            f"{named} probably had streaming stores, and Copy did not ({how or 'inferred'} from the"
            " rates)"
        )
    if ratio > 1:
        return (
            "Copy was perhaps memcpy with streaming stores, or the arithmetic and not the memory"
            " held Scale back; the rates do not show which"
        )
    return (
        "perhaps Scale, Add and Triad had streaming stores and Copy did not, or Copy was a library"
        " call that is slow here; the rates do not show which"
    )


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
