"""The answer of ``streamgage check`` as one document: what ``--format json`` prints.

Rates are GB/s (10^9 bytes per second) by STREAM's nominal counting. What is not known is ``None``.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from streamgage.records.node import Host, NodeFigure, NodeLine, Text
from streamgage.records.quantities import Duration, Rate, Seconds, Time
from streamgage.records.verdict import Verdict
from streamgage.results.document import Document
from streamgage.results.fleet.causes import AnyCause

VERDICTS: tuple[Verdict, ...] = ("wrong", "slow", "cannot-tell", "fine")
"""The most important first."""
Length = Literal["glance", "standard", "examine"]
Source = Literal["given", "baseline", "history", "expected"]
SOURCES: tuple[Source, ...] = ("given", "baseline", "history", "expected")
"""The first of them that knows a kernel decides."""


class CheckLimit(msgspec.Struct, frozen=True, kw_only=True):
    """What one source expects of one kernel."""

    kernel: Text
    source: Source
    expected_gbps: Rate
    limit_gbps: Rate | None
    """Below it the node is slow; ``None``: the source gives a value and no limit."""
    chance_gbps: Rate | None = None
    """Only below this, too, chance cannot explain the figure: a sound node is there once in 2,000
    checks. ``None``: the limit is far enough."""
    why: str
    """The source of the limit, in words."""
    decides: bool = False
    """``True`` if no source before this one knows the kernel."""

    @property
    def surely_slow(self) -> float:
        """Below it the node is slow: it is too far from what is expected, and not by chance."""
        known = [each for each in (self.limit_gbps, self.chance_gbps) if each is not None]
        return min(known, default=0.0)


class NodePart(msgspec.Struct, frozen=True, kw_only=True):
    """Triad in a NUMA domain, or on a core, by itself."""

    name: Text
    """Such as ``NUMA domain 3``."""
    gbps: Rate
    usual_gbps: Rate
    """The median of its kind."""
    slow: bool


class Check(Document, frozen=True, kw_only=True, tag="check"):
    """The result of ``streamgage check``."""

    host: Host
    time: Time
    length: Length
    verdict: Verdict
    seconds: Duration
    """Wall time of the whole."""
    limits: list[CheckLimit]
    runs: Annotated[list[NodeLine], Meta(min_length=1)]
    """The runs in the order measured; the last one decides."""
    causes: list[AnyCause]
    """Known causes, the most likely first."""
    parts: list[NodePart] = msgspec.field(default_factory=list)
    """The parts that ``--examine`` measured."""
    latency_seconds: Seconds | None = None
    """Idle latency of memory, of an examination."""

    @property
    def name(self) -> str:
        """What was checked: the host, with the device if it is one: ``n1 cuda:0``."""
        return self.last.unit

    @property
    def last(self) -> NodeLine:
        """The run that decides."""
        return self.runs[-1]

    def figure(self, kernel: str) -> NodeFigure | None:
        """The last run's figure for that kernel."""
        return figure_of(self.last, kernel)


def figure_of(line: NodeLine, kernel: str) -> NodeFigure | None:
    """A run's figure for that kernel; ``None`` if it was not measured."""
    return next((each for each in line.figures if each.kernel == kernel), None)
