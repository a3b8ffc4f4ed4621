"""Traffic on the memory bus beyond the counted bytes, and how it is known."""

from __future__ import annotations

from collections.abc import Sequence

from streamgage.analysis.traffic.explanation import read_avoidance
from streamgage.records import Kernel
from streamgage.results.measure.document import KernelResult
from streamgage.results.measure.facts.traffic import (
    Moves,
    Reads,
    StreamingGain,
    TableReads,
    WriteAllocate,
)
from streamgage.results.measure.findings.context import Context
from streamgage.results.measure.findings.outcome import Outcome
from streamgage.units import format_rate

_ORDINARY = ("plain", "regular")
_REASONS = 2
"""At most this many reasons are shown; the formats for programs give one for every figure."""
_KNOWN = ("none", "at-most", "partial", "full")


def write_allocate(context: Context) -> Outcome:
    """Lines that stores read: all, a part, none, or undecidable and why."""
    if context.run.reported is not None:
        return _of_table(context)
    kernels = context.run.kernels
    judged = [
        each
        for each in context.kernels
        if each.purpose == "rate"
        and each.alpha.verdict is not None
        and (each.kernel not in kernels or _shows_reads(kernels[each.kernel]))
    ]
    ordinary = [each for each in judged if each.store in _ORDINARY]
    if not ordinary:
        return None
    streaming = [
        each for each in judged if each.store == "streaming" and each.alpha.verdict in _KNOWN
    ]
    undecided = [each.alpha for each in ordinary if each.alpha.verdict == "cannot-tell"]
    unknown = {each.why: each.reasons for each in undecided if each.why}
    unread = any(each.alpha.verdict in ("none", "partial") for each in ordinary)
    return WriteAllocate(
        severity="fact",
        ordinary=[read for each in ordinary if (read := _reads(each, _name(each)))],
        streaming=[read for each in streaming if (read := _reads(each, _name(each)))],
        hardware=read_avoidance(context.run.machine) if unread else None,
        forced=dict(context.forced_reads),
        unknown=list(unknown.values())[:_REASONS],
        peak_known=context.peak is not None,
        gain=_gain(context),
        moves=_moves(ordinary),
    )


def _of_table(context: Context) -> Outcome:
    """Which kernels read what they overwrite, and their real traffic; ``None`` if none is known."""
    judged = [
        each
        for each in context.kernels
        if each.purpose == "rate" and each.alpha.verdict in _KNOWN and each.store != "streaming"
    ]
    if not judged:
        return None
    shares = (each.peak_share for each in judged if each.peak_share is not None)
    table = TableReads(
        stores=[read for each in judged if (read := _reads(each, each.kernel))],
        gbps=sorted(each.hardware_gbps for each in judged if each.hardware_gbps is not None),
        shares=sorted(shares),
    )
    return WriteAllocate(severity="note", of_table=table)


def _reads(result: KernelResult, name: str) -> Reads | None:
    alpha = result.alpha
    if alpha.verdict is None:
        return None
    return Reads(
        variant=name,
        verdict=alpha.verdict,
        evidence=alpha.evidence,
        alpha=alpha.value,
        high=alpha.high,
    )


def _shows_reads(kernel: Kernel) -> bool:
    """A kernel of the user's own shows nothing of its stores: it is judged by the others."""
    return kernel.write_allocates and kernel.own is None


def _name(result: KernelResult) -> str:
    return f"{result.kernel} {result.store}{' tuned' if result.tuned else ''}"


def _gain(context: Context) -> StreamingGain | None:
    """What streaming stores gained in the kernel that is quoted most."""
    gains = context.streaming_gains
    preferred = next((name for name in ("triad", "copy") if name in gains), None)
    if preferred is None:
        return None
    return StreamingGain(kernel=preferred, share=1 / gains[preferred])


def _moves(ordinary: Sequence[KernelResult]) -> Moves | None:
    """The effect on the most quoted figure; ``None`` if nothing more crossed."""
    moved = [each for each in ordinary if each.hardware_gbps and each.median_gbps]
    triad = [each for each in moved if each.kernel == "triad"] or moved
    if not triad:
        return None
    first = triad[0]
    nominal, crossed = first.median_gbps or 0.0, first.hardware_gbps or 0.0
    if format_rate(nominal) == format_rate(crossed):
        return None
    return Moves(variant=f"{first.kernel} {first.store}", gbps=nominal, crossed_gbps=crossed)
