"""Outputs of benchmarks other than tables of kernels: figures over nodes, loads, sizes and links.

Each makes a result of its own. ``None`` stands for facts that the text does not state.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field

from streamgage.interop.tables import BenchmarkFacts
from streamgage.plan import Mix
from streamgage.records import BenchmarkOutput
from streamgage.units import count, format_bytes

Cells = tuple[tuple[float | None, ...], ...]
"""Figures row by row; ``None`` if one was not measured."""


@dataclass(frozen=True, kw_only=True)
class Chart(ABC):
    """The base of all charts: what was printed about the benchmark and its run."""

    about: BenchmarkFacts
    source: str = ""
    """The file that holds the output."""
    line: int = 0
    heading: str | None = None
    cut: str | None = None
    """What is missing because the output breaks off; ``None`` if it is complete."""

    @property
    def threads(self) -> int | None:
        """The number of threads; ``None`` if it differs between figures or is unknown."""
        return None

    @property
    @abstractmethod
    def what(self) -> str:
        """What was measured, in words: ``bandwidth between 2 NUMA nodes``."""

    @property
    def rates(self) -> Mapping[str, float]:
        """The best rate of each kernel in GB/s."""
        return {}

    @property
    def title(self) -> str:
        """The benchmark and its subject: ``Intel MLC 3.11b, bandwidth between 2 NUMA nodes``."""
        parts = [" ".join(filter(None, (self.about.tool, self.about.version))), self.what]
        return ", ".join([*parts, *filter(None, [self.about.processor])])

    @property
    def reported(self) -> BenchmarkOutput:
        """What the output says about the benchmark, as a record."""
        return BenchmarkOutput(
            tool=self.about.tool,
            prints=self.about.prints,
            version=self.about.version,
            processor=self.about.processor,
            threads=self.threads,
            line=self.line or None,
            heading=self.heading,
            cut_off=self.cut,
        )


@dataclass(frozen=True, kw_only=True)
class NodeMatrix(Chart):
    """Figures for the CPUs of each NUMA node (rows) with the memory of each node (columns)."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    kernel: str = "load"
    gbps: Cells = ()
    """The bandwidths in GB/s; empty if only latencies were printed."""
    nanoseconds: Cells = ()
    """The idle latencies; empty if only bandwidths were printed."""

    @property
    def what(self) -> str:
        figures = [
            name
            for name, cells in (("bandwidth", self.gbps), ("latency", self.nanoseconds))
            if cells
        ]
        nodes = len({*self.rows, *self.columns})
        between = f"between {nodes} NUMA nodes" if nodes > 1 else "of one NUMA node"
        mix = f" ({self.kernel})" if self.gbps and self.kernel != "load" else ""
        return f"{' and '.join(figures)} {between}{mix}"

    @property
    def rates(self) -> Mapping[str, float]:
        known = [each for row in self.gbps for each in row if each is not None]
        return {self.kernel: max(known)} if known else {}


@dataclass(frozen=True)
class Load:
    """A load of the memory, with the latency and the bandwidth under it."""

    delay: int
    """The delay between accesses that makes the load, in the benchmark's own unit."""
    gbps: float
    nanoseconds: float


@dataclass(frozen=True)
class LoadedCurve:
    """The memory latency for one mix of reads and writes, at loads from light to heavy."""

    mix: Mix
    loads: tuple[Load, ...]
    idle_nanoseconds: float | None = None
    """The latency without load, if it stands in a row of its own."""


@dataclass(frozen=True, kw_only=True)
class LoadedCurves(Chart):
    """The memory latency under load, with one curve per mix of reads and writes."""

    curves: tuple[LoadedCurve, ...]

    @property
    def what(self) -> str:
        return f"latency under load ({count(len(self.curves), 'mix', 'mixes')})"


@dataclass(frozen=True)
class SizePoint:
    """The bandwidth for one size of the working set."""

    bytes: int
    gbps: float


@dataclass(frozen=True)
class SizeCurve:
    """The bandwidth of one kernel over the size of its working set."""

    kernel: str
    test: str
    """The benchmark's own name of the test, if several of its tests are this kernel."""
    threads: int | None
    points: tuple[SizePoint, ...]
    """The points in ascending order of size."""


@dataclass(frozen=True, kw_only=True)
class SizeCurves(Chart):
    """The bandwidth over the size of the working set; each thread has a working set of its own."""

    curves: tuple[SizeCurve, ...]

    @property
    def threads(self) -> int | None:
        known = {each.threads for each in self.curves}
        return known.pop() if len(known) == 1 else None

    @property
    def what(self) -> str:
        largest = max(point.bytes for each in self.curves for point in each.points)
        return f"bandwidth of working sets up to {format_bytes(largest)}"

    @property
    def rates(self) -> Mapping[str, float]:
        """The rate of each kernel at the largest working set, in GB/s."""
        found: dict[str, float] = {}
        for each in self.curves:
            last = each.points[-1].gbps
            found[each.kernel] = max(last, found.get(each.kernel, 0.0))
        return found


@dataclass(frozen=True)
class SizeLatency:
    """The idle latency for one size of the working set."""

    bytes: int
    nanoseconds: float


@dataclass(frozen=True, kw_only=True)
class SizeLatencies(Chart):
    """The idle latency over the size of the working set."""

    points: tuple[SizeLatency, ...]
    """The points in ascending order of size."""

    @property
    def what(self) -> str:
        largest = format_bytes(self.points[-1].bytes)
        if len(self.points) == 1:
            return f"idle latency of a working set of {largest}"
        return f"idle latency of working sets up to {largest}"


@dataclass(frozen=True)
class LinkTable:
    """One test of transfers between two kinds of place, such as the host and its GPUs."""

    test: str
    description: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: Cells
    unit: str
    """The unit of the figures: ``GB/s`` or ``ns``."""
    row_axis: str
    """What the rows are, such as ``from CPU``."""
    column_axis: str


@dataclass(frozen=True, kw_only=True)
class LinkTables(Chart):
    """Tests of transfers between the host and its GPUs."""

    tests: tuple[LinkTable, ...]
    waived: tuple[str, ...] = field(default=())
    """The tests that the benchmark left out or failed, each with its reason."""
    devices: tuple[str, ...] = field(default=())

    @property
    def what(self) -> str:
        if len(self.tests) == 1:
            return self.tests[0].test
        return f"{count(len(self.tests), 'test')} of transfers"


AnyChart = NodeMatrix | LoadedCurves | SizeCurves | SizeLatencies | LinkTables
