"""What nodes of a class should reach by published values, and by the peak of their modules."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from streamgage.analysis.expected.hardware import Hardware
from streamgage.analysis.expected.match import expected_of
from streamgage.analysis.peak.usual import usual_named
from streamgage.records.node import NodeLine
from streamgage.units import format_gbps

_KIND = re.compile(r"\b(?:LP)?DDR\d[A-Z]?\b|\bHBM\d?E?\b")
_SPEED = re.compile(r"(\d+) x [^+]*?(?:-| )(\d{3,5})(?: MT/s)?(?: \+|$)")
"""The number and the speed of equal modules: ``24 x 32 GiB DDR5-4800``."""
_BYTES_OF_A_TRANSFER = 8
_NOMINAL = {"copy": 2 / 3, "scale": 2 / 3, "add": 3 / 4, "triad": 3 / 4, "init": 1 / 2}
"""The share of the traffic that STREAM counts, where stores read their lines first. Kernels that
store nothing, or only what they have read, have no such traffic."""


@dataclass(frozen=True)
class Expected:
    """What a source says of one kernel of such nodes."""

    gbps: float
    limit_gbps: float
    """Sound nodes are not below."""
    firm: Literal["limit", "usual", "peak"]
    """``limit``: its source says that less is a fault. ``usual``: sound nodes are near it.
    ``peak``: it is what most processors reach of the peak of such modules."""
    source: str


def expected_for(line: NodeLine, kernel: str) -> Expected | None:
    """The firmest source for a kernel of a node; ``None`` without one, and for devices."""
    if line.device is not None:
        return None
    return _published(line, kernel) or _of_the_peak(line, kernel)


def _published(line: NodeLine, kernel: str) -> Expected | None:
    """Only what is certainly of this hardware, and says how far below a sound machine may be."""
    if line.processor is None or line.processor_cores is None:
        return None
    threads = min(line.threads or 0, int(line.cpu_quota or line.threads or 0))
    kinds = set(_KIND.findall(line.modules or ""))
    hardware = Hardware(
        processor=line.processor,
        guest=line.hypervisor is not None,
        packages=None if line.hypervisor else line.packages,
        cores=line.processor_cores,
        every_core=threads >= line.processor_cores,
        memory_bytes=line.memory_bytes,
        memory_kind=next(iter(kinds)) if len(kinds) == 1 else None,
    )
    name, _, store = kernel.partition(" ")
    found = expected_of(hardware, name, store or "plain")
    if found is None or found.doubts:
        return None
    for value in found.values:
        if value.bound == "at least" or (value.bound == "about" and value.tolerance is not None):
            return Expected(
                gbps=value.low_gbps,
                limit_gbps=value.low_gbps * (1 - (value.tolerance or 0.0)),
                firm="limit" if value.bound == "at least" else "usual",
                source=f"{value.who} ({value.page})",
            )
    return None


def peak_of_modules(modules: str | None) -> float | None:
    """The GB/s of memory modules, each with its own speed; ``None`` if one has none.

    Each moves 8 bytes per transfer, all at the same time.
    """
    found = _SPEED.findall(modules or "")
    if not found or len(found) != len((modules or "").split(" + ")):
        return None
    return sum(int(number) * _BYTES_OF_A_TRANSFER * int(speed) / 1e3 for number, speed in found)


def _of_the_peak(line: NodeLine, kernel: str) -> Expected | None:
    peak = peak_of_modules(line.modules)
    if peak is None or not peak:
        return None
    usual = usual_named(line.processor or "", peak / max(1, line.packages or 1))
    name, _, store = kernel.partition(" ")
    counted = 1.0 if store == "streaming" else _NOMINAL.get(name, 1.0)
    return Expected(
        gbps=peak,
        limit_gbps=usual.low * counted * peak,
        firm="peak",
        source=f"the peak of {line.modules} is {format_gbps(peak)}",
    )
