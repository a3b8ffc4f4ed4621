"""One line on what the limit is: how bandwidth grows with threads, and the latency of memory."""

from __future__ import annotations

from streamgage.results.measure.document import SaturationResult
from streamgage.results.measure.judge import Answer
from streamgage.units import count, format_rate

_LIMITS = {
    "memory": "the memory, or the path to it, is the limit",
    "cores": "the cores are the limit, not the memory",
    "quota": "the CPU quota is the limit",
}


def limit_line(answer: Answer) -> str | None:
    """``sum 21.3 GB/s with 1 thread, 42.2 with 2: the cores are the limit``; null if unknown."""
    found = answer.result.saturation
    latency = answer.run.latency
    parts = []
    if found is not None:
        limit = _LIMITS[found.limit] if found.limit else "whether memory is the limit is open"
        parts.append(f"{'; '.join(_growth(found))}: {limit}")
    if latency is not None:
        flight = (
            f", {found.lines_in_flight:.0f} lines in flight with one thread"
            if found is not None and found.lines_in_flight is not None
            else ""
        )
        parts.append(f"idle latency {latency.seconds * 1e9:.0f} ns{flight}")
    return f"{'; '.join(parts)}." if parts else None


def _growth(found: SaturationResult) -> list[str]:
    """``triad 37.4 GB/s with 1 thread, 41.3 with 2``, one a kernel."""
    texts = []
    for kernel in dict.fromkeys(point.kernel for point in found.series):
        points = [point for point in found.series if point.kernel == kernel]
        first, *rest = points
        lead = f"{kernel} {format_rate(first.gbps)} GB/s with {count(first.threads, 'thread')}"
        texts.append(
            ", ".join([lead, *(f"{format_rate(each.gbps)} with {each.threads}" for each in rest)])
        )
    return texts
