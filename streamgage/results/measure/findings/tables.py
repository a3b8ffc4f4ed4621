"""The answer in a sentence for a table that another benchmark printed."""

from __future__ import annotations

from collections.abc import Sequence

from streamgage.analysis.finding import Finding
from streamgage.results.measure.document import KernelResult
from streamgage.results.measure.findings.context import Context
from streamgage.results.measure.findings.outcome import Outcome
from streamgage.results.reported import unproved as finding
from streamgage.units import format_range, format_share


def unproved(context: Context) -> Outcome:
    """What another benchmark's output does not record."""
    reported = context.run.reported
    return None if reported is None else finding(reported)


_READ = {
    "full": ("reads every line that it overwrites", "read every line that they overwrite"),
    "partial": (
        "reads a part of the lines that it overwrites",
        "read a part of the lines that they overwrite",
    ),
    "none": (
        "reads none of the lines that it overwrites",
        "read none of the lines that they overwrite",
    ),
    "at-most": (
        "reads at most a part of the lines that it overwrites",
        "read at most a part of the lines that they overwrite",
    ),
}
"""The verb phrases for one kernel and for several."""


def crossed_in_table(context: Context) -> Outcome:
    """Which kernels read what they overwrite, and their real traffic; ``None`` if none is known."""
    judged = [
        each
        for each in context.kernels
        if each.purpose == "rate" and each.alpha.verdict in _READ and each.store != "streaming"
    ]
    if not judged:
        return None
    parts = [_sentence(verdict, judged) for verdict in _READ]
    return Finding(
        code="write-allocate",
        severity="note",
        reason=_crossed(judged).rstrip(".") or "which stores read the lines that they overwrite",
        text=" ".join(part for part in (*parts, _crossed(judged)) if part),
    )


def _sentence(verdict: str, judged: Sequence[KernelResult]) -> str:
    """Such as: Scale, add and triad read every line that they overwrite (inferred)."""
    these = [each for each in judged if each.alpha.verdict == verdict]
    if not these:
        return ""
    *first, last = dict.fromkeys(each.kernel for each in these)
    listed = f"{', '.join(first)} and {last}" if first else last
    one, several = _READ[verdict]
    ways = " or ".join(dict.fromkeys(each.alpha.evidence or "inferred" for each in these))
    return f"{listed.capitalize()} {several if first else one} ({ways})."


def _crossed(judged: Sequence[KernelResult]) -> str:
    """Such as: 240.6 to 263.4 GB/s crossed the memory bus, 71 to 77 % of the peak."""
    rates = sorted(each.hardware_gbps for each in judged if each.hardware_gbps is not None)
    if not rates:
        return ""
    crossed = format_range(rates[0], rates[-1])
    shares = sorted(each.peak_share for each in judged if each.peak_share is not None)
    of_peak = ""
    if shares:
        low, high = (format_share(share).removesuffix(" %") for share in (shares[0], shares[-1]))
        of_peak = f", {_range(low, high)} % of the peak"
    return f"{crossed} crossed the memory bus{of_peak}."


def _range(low: str, high: str) -> str:
    return low if low == high else f"{low} to {high}"
