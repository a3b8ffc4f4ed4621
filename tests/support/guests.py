"""Models of machines: the nanoseconds per element that memory, or slow cores, would give."""

from __future__ import annotations

from collections.abc import Mapping

KERNELS = {"copy": 1, "scale": 1, "add": 2, "triad": 2, "striad": 3, "init": 0}
"""Loads of the kernels that write-allocate."""
BRACKETS = {"update": 2, "daxpy": 3, "sdaxpy": 4, "bracket": 5}
"""The elements that the kernels move which never write-allocate."""


def memory_bound(
    plain: Mapping[str, float] | float,
    *,
    streaming: float = 0.0,
    forced: float = 1.0,
    gbps: float = 20.0,
    kernels: tuple[str, ...] = ("copy", "triad", "striad", "init"),
) -> dict[tuple[str, str], float]:
    """Times in which only bytes count: hardware bytes over the bandwidth.

    ``plain`` is the alpha of ordinary stores, of all kernels or of each.
    """
    times = {(name, "regular"): 8 * elements / gbps for name, elements in BRACKETS.items()}
    for kernel in kernels:
        alpha = plain if isinstance(plain, float) else plain[kernel]
        for how, value in (("plain", alpha), ("regular", alpha), ("forced", forced)):
            times[(kernel, how)] = 8 * (KERNELS[kernel] + 1 + value) / gbps
        times[(kernel, "streaming")] = 8 * (KERNELS[kernel] + 1 + streaming) / gbps
    return times


EMERALD_RAPIDS = {
    "copy": (1.56, 1.00, 0.32),
    "triad": (1.58, 1.05, 0.29),
    "striad": (1.41, 1.03, 0.28),
}
"""Two cores of a large processor, in a guest: where plain, forced-read and streaming stores lie
between the brackets; their truth is 1, 1 and 0. Medians of 9 interleaved runs of one thread."""


def core_bound(
    places: Mapping[str, tuple[float, float, float]] = EMERALD_RAPIDS, gbps: float = 20.0
) -> dict[tuple[str, str], float]:
    """Times of cores that are the limit: where each lies between the brackets, as measured."""
    times = {(name, "regular"): 8 * elements / gbps for name, elements in BRACKETS.items()}
    for kernel, (plain, forced, streaming) in places.items():
        for how, value in (("plain", plain), ("forced", forced), ("streaming", streaming)):
            times[(kernel, how)] = 8 * (KERNELS[kernel] + 1 + value) / gbps
    return times
