"""Describes the traffic on the memory bus in a few words, for a table's cell."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from streamgage.results.measure.document import KernelResult
from streamgage.show.page import RATE, Cell
from streamgage.units import format_rate

CANNOT_TELL = "cannot tell"
_UNKNOWN = "–"
_ORDINARY = ("plain", "regular")


def ordinary_of(results: Sequence[KernelResult]) -> KernelResult | None:
    """The result of a kernel with ordinary stores: plain, else regular, else ``None``.

    A standard shape is preferred to a tuned one, and the first of several instruction sets.
    """
    ordinary = [each for each in results if each.store in _ORDINARY]
    return min(ordinary, key=lambda each: (_ORDINARY.index(each.store), each.tuned), default=None)


def crossed(result: KernelResult, *, bounds: bool = True) -> Cell:
    """``95.4 ±4.0 inferred`` or ``up to 85.1``, GB/s; a dash if it is not known."""
    alpha, gbps = result.alpha, result.hardware_gbps
    if gbps is None:
        known = crossed_gbps(result)
        text = _UNKNOWN if known is None else " ".join(filter(None, (known, alpha.evidence)))
        return Cell(text, result.hardware_high_gbps)
    unit = RATE if alpha.evidence is None else replace(RATE, suffix=f" {alpha.evidence}")
    low, high = result.hardware_low_gbps, result.hardware_high_gbps
    return Cell("", gbps, low if bounds else None, high if bounds else None, unit)


def crossed_gbps(result: KernelResult) -> str | None:
    """``95.4``, ``up to 85.1`` or ``29.1 to 38.8``; ``None`` if it is not known."""
    if result.hardware_gbps is not None:
        return format_rate(result.hardware_gbps)
    low, high = result.hardware_low_gbps, result.hardware_high_gbps
    if high is None:
        return None
    if low is not None and result.alpha.verdict != "at-most":
        return f"{format_rate(low)} to {format_rate(high)}"
    return f"up to {format_rate(high)}"


def verdict(result: KernelResult) -> str:
    """``full, inferred`` and the like: what its stores read of the lines that they overwrite."""
    alpha = result.alpha
    if alpha.verdict is None:
        return "not judged" if result.hardware_gbps is None else "does not apply"
    if alpha.verdict == "cannot-tell":
        return CANNOT_TELL
    name: str = alpha.verdict
    if alpha.verdict == "at-most":
        name = "at most" if alpha.high is None else f"at most {alpha.high:.2f}"
    return f"{name}, {alpha.evidence}" if alpha.evidence else name
