"""Bandwidth of the nearest cache: vectors against likwid-bench's of the same width."""

from __future__ import annotations

import peers
from pair import Pair

BYTES_A_THREAD = 24 << 10
"""All arrays of a kernel together; they fit in the smallest L1 data caches in use."""
LIKWID_PASSES = 2_000_000
RUNS = 60

KERNELS = (("sum", "load", 1), ("copy", "copy", 2), ("triad", "stream", 3))
"""Our name, likwid-bench's, and the arrays that it uses."""
WIDTHS = (("AVX-512", "avx512", "avx512f", ""), ("AVX2", "avx", "avx2", "_fma"))
"""Our name, likwid-bench's, the processor's, and what likwid-bench adds where it has an FMA."""


def pairs(threads: int, cpus: list[int]) -> list[Pair]:
    """A pair for each kernel and width that this processor has."""
    flags = peers.processor_flags()
    found = []
    for isa, likwid_isa, flag, fma in WIDTHS:
        for kernel, name, arrays in KERNELS:
            if flag in flags:
                suffix = fma if kernel == "triad" else ""
                found.append(
                    _pair(kernel, f"{name}_{likwid_isa}{suffix}", isa, arrays, cpus[:threads])
                )
    return found


def _pair(kernel: str, name: str, isa: str, arrays: int, cpus: list[int]) -> Pair:
    array_bytes = BYTES_A_THREAD * len(cpus) // arrays

    def theirs() -> float:
        return peers.likwid(name, array_bytes, len(cpus), LIKWID_PASSES, unit=1)[0]

    def ours() -> float:
        return peers.engine(kernel, "regular", array_bytes, cpus, RUNS, isas=[isa])

    return Pair(f"likwid-bench {name}, 24 KiB a thread", kernel, isa, len(cpus), ours, theirs)
