"""Traffic on the memory bus beyond the counted bytes, and how it is known."""

from __future__ import annotations

from collections.abc import Sequence

from streamgage.analysis.finding import Finding
from streamgage.analysis.traffic.alpha import Alpha
from streamgage.analysis.traffic.explanation import why_unread
from streamgage.records import Kernel
from streamgage.results.measure.document import KernelResult
from streamgage.results.measure.findings.context import Context
from streamgage.results.measure.findings.outcome import Outcome, some
from streamgage.results.measure.findings.tables import crossed_in_table
from streamgage.units import format_gbps, format_rate, format_share

_ORDINARY = ("plain", "regular")
_REASONS = 2
"""At most this many reasons are shown; the formats for programs give one for every figure."""
_SEEN = {
    "full": "Ordinary stores read every line that they overwrite",
    "partial": "Ordinary stores read part of the lines that they overwrite",
    "none": "Ordinary stores do not read the lines that they overwrite",
    "at-most": "Ordinary stores read at most part of the lines that they overwrite",
}


def write_allocate(context: Context) -> Outcome:
    """Lines that stores read: all, a part, none, or undecidable and why."""
    if context.run.reported is not None:
        return crossed_in_table(context)
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
    parts = [_sentence(verdict, ordinary) for verdict in _SEEN]
    parts += [_explained(context, ordinary), _checked(context)]
    undecided = [each for each in ordinary if each.alpha.verdict == "cannot-tell"]
    parts += [_undecided(undecided, peak_known=context.peak is not None)]
    parts += [_streaming(context, [each for each in judged if each.store == "streaming"])]
    parts += [_difference(ordinary)]
    return Finding(
        code="write-allocate",
        severity="fact",
        reason=" ".join(part for part in (*parts[:1], _difference(ordinary)) if part).rstrip("."),
        text=" ".join(part for part in parts if part),
    )


def _shows_reads(kernel: Kernel) -> bool:
    """A kernel of the user's own shows nothing of its stores: it is judged by the others."""
    return kernel.write_allocates and kernel.own is None


def _sentence(verdict: str, ordinary: Sequence[KernelResult]) -> str:
    """One sentence on the kernels with that verdict; empty if there are none."""
    known: dict[str, list[KernelResult]] = {}
    for each in ordinary:
        if each.alpha.verdict == verdict:
            known.setdefault(each.alpha.evidence or "inferred", []).append(each)
    if not known:
        return ""
    ways = "; ".join(f"{evidence}: {_values(these)}" for evidence, these in known.items())
    return f"{_SEEN[verdict]} ({ways})."


def _explained(context: Context, ordinary: Sequence[KernelResult]) -> str:
    """How the hardware avoids reads, if lines were certainly not read."""
    unread = any(each.alpha.verdict in ("none", "partial") for each in ordinary)
    return (why_unread(context.run.machine) or "") if unread else ""


def _checked(context: Context) -> str:
    """The inference's self-test on stores whose lines are certainly read."""
    if not context.forced_reads:
        return ""
    values = ", ".join(f"{kernel} {alpha:.2f}" for kernel, alpha in context.forced_reads.items())
    return f"Self-test of this method: {values} (should be 1)."


def _values(results: Sequence[KernelResult]) -> str:
    """``copy plain 1.02, triad plain 0.98``: reads for each line stored."""
    return some([f"{_name(each)}{_value(each.alpha)}" for each in results])


def _name(result: KernelResult) -> str:
    return f"{result.kernel} {result.store}{' tuned' if result.tuned else ''}"


def _value(alpha: Alpha) -> str:
    if alpha.verdict == "at-most":
        bound = alpha.value if alpha.high is None else alpha.high
        return "" if bound is None else f" at most {bound:.2f}"
    if alpha.value is None or alpha.value == 1.0:  # set by a comparison, and no measured figure
        return ""
    return f" {alpha.value:.2f}"


def _undecided(these: Sequence[KernelResult], *, peak_known: bool) -> str:
    if not these:
        return ""
    names = some(list(dict.fromkeys(_name(each) for each in these)))
    reasons = list(dict.fromkeys(each.alpha.why for each in these if each.alpha.why))
    why = f": {'; '.join(reason.rstrip('.') for reason in reasons[:_REASONS])}" if reasons else ""
    remedy = "" if peak_known else ", or give the peak with --peak, which may exclude it"
    return (
        f"Whether {names} read the lines that they overwrite is unknown{why}. Count traffic on"
        f" bare metal{remedy}."
    )


def _streaming(context: Context, these: Sequence[KernelResult]) -> str:
    """Say whether streaming stores avoided the read, and what they gained."""
    told = [each for each in these if each.alpha.verdict in ("none", "at-most", "partial", "full")]
    if not told:
        return ""
    gains = context.streaming_gains
    preferred = next((name for name in ("triad", "copy") if name in gains), None)
    gained = (
        f" With them {preferred} takes {format_share(1 / gains[preferred])} of the time."
        if preferred is not None
        else ""
    )
    return f"Reads for each line of streaming stores: {_values(told)}.{gained}"


def _difference(ordinary: Sequence[KernelResult]) -> str:
    """The effect on the most quoted figure; empty if nothing more crossed."""
    moved = [each for each in ordinary if each.hardware_gbps and each.median_gbps]
    triad = [each for each in moved if each.kernel == "triad"] or moved
    if not triad:
        return ""
    first = triad[0]
    nominal, crossed = first.median_gbps or 0.0, first.hardware_gbps or 0.0
    if format_rate(nominal) == format_rate(crossed):
        return ""
    return (
        f"So {first.kernel} {first.store} moves {format_gbps(crossed)}, not"
        f" {format_rate(nominal)}: compare that with the peak, and use streaming stores where the"
        " result is not read again soon."
    )
