"""The answer of ``streamgage predict`` as one document: what ``--format json`` prints.

``schema/predict.schema.json`` is generated from these types. Rates are GB/s (10^9 bytes a
second) by STREAM's nominal counting. What is not known is null.
"""

from __future__ import annotations

import msgspec

from streamgage.analysis.statistics.estimate import Estimate
from streamgage.records import Machine
from streamgage.results.scale.document import Workers


class Prediction(msgspec.Struct, frozen=True, kw_only=True):
    """What a program that memory limits will gain with ``n`` workers."""

    machine: Machine | None
    """On which the bandwidth was measured."""
    n: int
    workers: Workers
    binding: str
    kernel: str
    store: str
    gbps: Estimate
    """Of all workers together."""
    speedup: Estimate
    """Over one worker."""
    efficiency: Estimate
    """Speedup over ``n``."""
    between: list[int] | None
    """The measured numbers of workers between which bandwidth was taken for a line; null where
    ``n`` was measured."""
    measured: list[int]
    """The numbers of workers that were measured."""
    rounds: int
    """Of the measurement; the fewer of the two where it lies between points."""
    worth_n: int
    """The fewest workers that have 90 % of the best bandwidth of that binding."""
    worth_speedup: float | None
    best_n: int
    best_gbps: float
    best_speedup: float | None
    saturated: bool | None
    """Whether bandwidth had stopped rising; null where the points do not tell."""
    verdict: list[str]
