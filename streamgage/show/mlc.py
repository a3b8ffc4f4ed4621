"""Writes the tables of Intel's Memory Latency Checker (MLC), for scripts that read them.

The layout follows saved outputs of MLC (see ``tests/support/foreign_outputs.py``). Tabs separate
the columns; bandwidths are MB/s of 10^6 bytes, latencies nanoseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

READS = "Read-only"
_MEGABYTES = "Bandwidths are in MB/sec (1 MB/sec = 1,000,000 Bytes/sec)"
_THREADS = "Using only one thread from each core if Hyper-threading is enabled"
_GIGABYTE = 1e3
_NANOSECOND = 1e-9
_MISSING = "-"


@dataclass(frozen=True)
class Matrix:
    """Figures for the CPUs of each node (one row each) with the memory of each node (columns).

    ``None`` stands for an unknown figure.
    """

    rows: Sequence[int]
    columns: Sequence[int]
    cells: Sequence[Sequence[float | None]]


@dataclass(frozen=True)
class LoadedRow:
    """One load of the memory: the delay between accesses, the latency and the bandwidth."""

    delay: float
    seconds: float
    gbps: float


def page_of(*parts: str) -> str:
    """Join the parts to the whole text; empty parts are left out."""
    head = "Measured by streamgage, in the format of Intel(R) Memory Latency Checker"
    return "\n\n".join(filter(None, (head, *parts))) + "\n"


def idle_latencies(seconds: Matrix) -> str:
    """Write idle latencies, in seconds, as ``mlc --latency_matrix`` prints them."""
    cells = _cells(seconds, lambda each: f"{each / _NANOSECOND:6.1f}")
    return "\n".join(["Measuring idle latencies for random access (in ns)...", *cells])


def bandwidths(gbps: Matrix, traffic: str = READS) -> str:
    """Write bandwidths, in GB/s, as ``mlc --bandwidth_matrix`` prints them."""
    heading = "Measuring Memory Bandwidths between nodes within system "
    cells = _cells(gbps, lambda each: f"{each * _GIGABYTE:7.1f}")
    return "\n".join([heading, _MEGABYTES, _THREADS, _traffic(traffic), *cells])


def loaded_latencies(rows: Sequence[LoadedRow], traffic: str = READS) -> str:
    """Write loaded latencies as ``mlc --loaded_latency`` prints them, the highest load first."""
    return "\n".join(
        [
            "Measuring Loaded Latencies for the system",
            _THREADS,
            _traffic(traffic),
            "Inject\tLatency\tBandwidth",
            "Delay\t(ns)\tMB/sec",
            "==========================",
            *(
                f" {round(each.delay):05d}\t{each.seconds / _NANOSECOND:6.2f}"
                f"\t{each.gbps * _GIGABYTE:9.1f}"
                for each in sorted(rows, key=lambda each: each.delay)
            ),
        ]
    )


def _traffic(traffic: str) -> str:
    return f"Using {traffic} traffic type"


def _cells(matrix: Matrix, text: Callable[[float], str]) -> Iterator[str]:
    yield "\t\tNuma node"
    yield "\t".join(["Numa node", *(f"{each:6d}" for each in matrix.columns), ""])
    for node, row in zip(matrix.rows, matrix.cells, strict=True):
        figures = [f"{_MISSING:>6}" if each is None else text(each) for each in row]
        yield "\t".join([f"{node:8d}", *figures, ""])
