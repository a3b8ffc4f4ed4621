"""The closed set of findings: what to know about a run, with the figures and what to do.

Codes are stable. ``CHECKS`` is in order of weight; inside one severity findings keep that order.
"""

from __future__ import annotations

from dataclasses import dataclass

from streamgage.analysis.findings import (
    limits,
    measurement,
    pages,
    placement,
    shapes,
    surroundings,
)
from streamgage.analysis.findings.outcome import Check, Passed
from streamgage.analysis.run import Run
from streamgage.result import Finding

__all__ = ["CHECKS", "Judgement", "Passed", "judge"]

CHECKS: tuple[tuple[str, Check], ...] = (
    ("invalid", measurement.invalid),
    ("unfinished", measurement.unfinished),
    ("not-bound", placement.not_bound),
    ("fewer-cpus", placement.fewer_cpus),
    ("cpu-quota", limits.cpu_quota),
    ("smt-sharing", placement.smt_sharing),
    ("moved", placement.moved),
    ("remote-pages", pages.remote_pages),
    ("uneven-numa", placement.uneven_numa),
    ("below-4x-rule", limits.below_rule),
    ("memory-cap", limits.memory_cap),
    ("coarse-clock", measurement.coarse_clock),
    ("two-modes", measurement.bimodal),
    ("steal", surroundings.steal),
    ("other-load", surroundings.other_load),
    ("not-converged", measurement.not_converged),
    ("no-huge-pages", pages.huge_pages),
    ("pages-unchecked", pages.pages_unchecked),
    ("confined", limits.confined),
    ("numa-balancing", pages.numa_balancing),
    ("slower-shape", shapes.slower_shape),
    ("absent", measurement.absent),
)

_SEVERITIES = ("error", "warning", "note")


@dataclass(frozen=True)
class Judgement:
    """Findings, weightiest first, and the checks that found nothing wrong."""

    findings: tuple[Finding, ...]
    passed: tuple[Passed, ...]


def judge(run: Run) -> Judgement:
    """Every check of ``CHECKS`` on a run."""
    outcomes = [check(run) for _, check in CHECKS]
    findings = [each for each in outcomes if isinstance(each, Finding)]
    findings.sort(key=lambda finding: _SEVERITIES.index(finding.severity))
    return Judgement(tuple(findings), tuple(each for each in outcomes if isinstance(each, Passed)))
