"""The answer as one document: what ``--format json`` prints and what every presenter takes.

``schema/result.schema.json`` is generated from these types. Rates are GB/s (10^9 bytes a second)
by STREAM's nominal counting unless a name says ``hardware``. What is not known is null.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from streamgage.records import Machine

Severity = Literal["error", "warning", "note"]


class Alpha(msgspec.Struct, frozen=True, kw_only=True):
    """Lines read because of a store, per line stored that the kernel does not itself read."""

    verdict: Literal["full", "none", "partial", "at-most", "cannot-tell"] | None = None
    value: float | None = None
    low: float | None = None
    high: float | None = None
    evidence: Literal["measured", "inferred", "excluded"] | None = None
    reason: str | None = None


class KernelResult(msgspec.Struct, frozen=True, kw_only=True):
    """One variant; ``low_gbps`` and ``high_gbps`` bound the median with 95 % confidence."""

    kernel: str
    store: str
    tuned: bool
    threads: int
    type: str
    n: int
    best_gbps: float | None
    median_gbps: float | None
    low_gbps: float | None
    high_gbps: float | None
    hardware_gbps: float | None
    alpha: Alpha
    valid: bool | None
    """Null where the run ended before the check."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """Something to know about the result; ``code`` is stable."""

    code: str
    severity: Severity
    text: str


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """The whole answer of one run."""

    machine: Machine | None
    kernels: list[KernelResult]
    findings: list[Finding]
    quote: str | None
