"""What crossed the memory bus, in a few words: for a table's cell."""

from __future__ import annotations

from collections.abc import Sequence

from streamgage.results.measure.document import KernelResult
from streamgage.show.page import figure_text
from streamgage.units import format_rate

CANNOT_TELL = "cannot tell"
AS_SHOWN = "as shown"
_ORDINARY = ("plain", "regular")


def ordinary_of(results: Sequence[KernelResult]) -> KernelResult | None:
    """Of one kernel's results that with ordinary stores: plain, else regular, else ``None``.

    A standard shape goes before a tuned one, and of several instruction sets the first.
    """
    ordinary = [each for each in results if each.store in _ORDINARY]
    return min(ordinary, key=lambda each: (_ORDINARY.index(each.store), each.tuned), default=None)


def crossed(result: KernelResult) -> str:
    """``95.4 ±4.0 inferred``, ``up to 85.1``, ``as shown`` or ``cannot tell``; GB/s."""
    alpha, gbps = result.alpha, result.hardware_gbps
    if gbps is None:
        return crossed_gbps(result) or CANNOT_TELL
    if alpha.evidence is None:
        return AS_SHOWN
    low, high = result.hardware_low_gbps, result.hardware_high_gbps
    if low is None or high is None:
        return f"{format_rate(gbps)} {alpha.evidence}"
    return f"{figure_text(gbps, low, high)} {alpha.evidence}"


def crossed_gbps(result: KernelResult) -> str | None:
    """``95.4`` or ``up to 85.1``; ``None`` where it is not known."""
    if result.hardware_gbps is not None:
        return format_rate(result.hardware_gbps)
    if result.hardware_high_gbps is not None:
        return f"up to {format_rate(result.hardware_high_gbps)}"
    return None


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
