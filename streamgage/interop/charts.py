"""Outputs of benchmarks other than tables of kernels: figures over nodes, loads, sizes and links.

Each is a result of its own. What the text does not say is ``None``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field

from streamgage.interop.tables import About
from streamgage.plan import Mix
from streamgage.records import BenchmarkOutput
from streamgage.units import count, format_bytes

Cells = tuple[tuple[float | None, ...], ...]
"""Row by row; ``None``: not measured."""


@dataclass(frozen=True, kw_only=True)
class Chart(ABC):
    """The base of all charts."""

    about: About
    source: str = ""
    """The file that it is from."""
    line: int = 0
    heading: str | None = None
    cut: str | None = None
    """The missing part, if the output breaks off."""

    @property
    def threads(self) -> int | None:
        """The number of threads, if one number holds for all figures."""
        return None

    @property
    @abstractmethod
    def what(self) -> str:
        """The content without the benchmark: ``bandwidth between 2 NUMA nodes``."""

    @property
    def rates(self) -> Mapping[str, float]:
        """GB/s of each kernel, the best."""
        return {}

    @property
    def title(self) -> str:
        """The title: ``Intel MLC 3.11b, bandwidth between 2 NUMA nodes``."""
        parts = [" ".join(filter(None, (self.about.tool, self.about.version))), self.what]
        return ", ".join([*parts, *filter(None, [self.about.processor])])

    @property
    def reported(self) -> BenchmarkOutput:
        """The benchmark's report about itself."""
        return BenchmarkOutput(
            tool=self.about.tool,
            version=self.about.version,
            processor=self.about.processor,
            threads=self.threads,
            line=self.line or None,
            heading=self.heading,
            cut_off=self.cut,
        )


@dataclass(frozen=True, kw_only=True)
class NodeMatrix(Chart):
    """Figures from the CPUs of each NUMA node (a row) to the memory of each."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    kernel: str = "load"
    gbps: Cells = ()
    """Bandwidths; empty if only the latencies were printed."""
    nanoseconds: Cells = ()
    """Idle latencies; empty: the bandwidths alone were printed."""

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
    """One load of memory."""

    delay: int
    """The requested load: the wait of each access, in the benchmark's own unit."""
    gbps: float
    nanoseconds: float


@dataclass(frozen=True)
class LoadedCurve:
    """Memory latency under one mix of reads and writes, from the lightest load to the heaviest."""

    mix: Mix
    loads: tuple[Load, ...]


@dataclass(frozen=True, kw_only=True)
class LoadedCurves(Chart):
    """Latency of memory under load."""

    curves: tuple[LoadedCurve, ...]

    @property
    def what(self) -> str:
        return f"latency under load ({count(len(self.curves), 'mix', 'mixes')})"


@dataclass(frozen=True)
class SizePoint:
    """The bandwidth of one working set."""

    bytes: int
    gbps: float


@dataclass(frozen=True)
class SizeCurve:
    """The bandwidth of one kernel over its working set."""

    kernel: str
    test: str
    """The benchmark's own name, if several of its tests are this kernel."""
    threads: int | None
    points: tuple[SizePoint, ...]
    """The points, ordered by size."""


@dataclass(frozen=True, kw_only=True)
class SizeCurves(Chart):
    """Bandwidth over the working set, of each thread by itself."""

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
        """The rates at the largest working set."""
        found: dict[str, float] = {}
        for each in self.curves:
            last = each.points[-1].gbps
            found[each.kernel] = max(last, found.get(each.kernel, 0.0))
        return found


@dataclass(frozen=True)
class SizeLatency:
    """The latency of one working set, with nothing else at work."""

    bytes: int
    nanoseconds: float


@dataclass(frozen=True, kw_only=True)
class SizeLatencies(Chart):
    """Idle latency over the working set."""

    points: tuple[SizeLatency, ...]
    """The points, ordered by size."""

    @property
    def what(self) -> str:
        return f"idle latency of working sets up to {format_bytes(self.points[-1].bytes)}"


@dataclass(frozen=True)
class LinkTable:
    """One test between two kinds of place, such as the host and its GPUs."""

    test: str
    description: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: Cells
    unit: str
    """``GB/s`` or ``ns``."""


@dataclass(frozen=True, kw_only=True)
class LinkTables(Chart):
    """Transfers between the host and its GPUs."""

    tests: tuple[LinkTable, ...]
    waived: tuple[str, ...] = field(default=())
    """Tests that the benchmark left out or failed, with what it says of them."""
    devices: tuple[str, ...] = field(default=())

    @property
    def what(self) -> str:
        if len(self.tests) == 1:
            return self.tests[0].test
        return f"{count(len(self.tests), 'test')} of transfers"


AnyChart = NodeMatrix | LoadedCurves | SizeCurves | SizeLatencies | LinkTables
