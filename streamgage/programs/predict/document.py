"""The answer of ``streamgage scale --predict`` as one document: what ``--format json`` prints.

``schema/predict.schema.json`` is generated from these types. Rates are in GB/s (10^9 bytes per
second) by STREAM's nominal counting. An unknown value is ``None`` (null in JSON).
"""

from __future__ import annotations

import msgspec

from streamgage.analysis.conclusion import Conclusion, texts
from streamgage.analysis.finding import Finding
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.analysis.trust import Trust
from streamgage.records import Machine
from streamgage.results.scale.document import Workers


class Prediction(msgspec.Struct, frozen=True, kw_only=True):
    """The predicted speedup of a memory-bound program with ``n`` workers."""

    machine: Machine | None
    """The machine on which the bandwidth was measured."""
    n: int
    workers: Workers
    placement: str
    kernel: str
    store: str
    gbps: Estimate
    """The bandwidth of all workers together."""
    speedup: Estimate
    """The speedup over one worker."""
    efficiency: Estimate
    """The speedup divided by ``n``."""
    between: list[int] | None
    """The measured numbers of workers between which bandwidth is assumed to be linear; ``None`` if
    ``n`` was measured."""
    measured: list[int]
    """The numbers of workers that were measured."""
    rounds: int
    """The rounds of the measurement; between two points, the smaller number of the two."""
    worth_n: int
    """The fewest workers that reach 90 % of the best bandwidth of that placement."""
    worth_speedup: float | None
    best_n: int
    best_gbps: float
    best_speedup: float | None
    saturated: bool | None
    """``True`` if bandwidth had stopped rising; ``None`` if the points do not show it."""
    trust: Trust
    """How far the scaling can be trusted, and with it the prediction."""
    taken: float | None
    """Share of the CPUs' time that other programs and the hypervisor took during the measurements
    behind the prediction, in the worst round; ``None`` if unknown."""
    open_because: str | None
    """Why it is not clear whether more workers would gain; ``None`` if it is."""
    conclusions: list[Conclusion]
    """What follows for a program, no firmer than the scaling."""
    findings: list[Finding]
    """The findings that spoil the scaling behind the prediction."""

    @property
    def sentences(self) -> list[str]:
        """The conclusions without their grades."""
        return texts(self.conclusions)
