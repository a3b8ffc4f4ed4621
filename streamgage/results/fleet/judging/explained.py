"""The fifth step: known causes of a slow or doubtful unit, the most precise first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import exp

from streamgage.analysis.statistics.intervals import median
from streamgage.records.node import NodeDomain, NodeLine
from streamgage.results.fleet.causes import (
    AnyCause,
    Disturbance,
    EngineWarnings,
    OddProperty,
    SlowPart,
)
from streamgage.results.fleet.judging.decisions import Case, Decision
from streamgage.results.fleet.judging.disturbances import KEPT_LOW
from streamgage.results.fleet.judging.quantity import PartKind, of_part

_LEAST_LOSS_OF_A_PART = 0.05
_PARTS: Sequence[tuple[PartKind, str, Callable[[NodeLine], Sequence[NodeDomain]]]] = (
    ("NUMA node", "NUMA domain", lambda line: line.domains),
    ("core", "core", lambda line: line.cores),
)


def explained(case: Case, decision: Decision) -> Decision:
    """The decision with the causes that the unit and its class show."""
    unit, group = case.unit, case.group
    odd = [
        OddProperty(oddity=each)
        for each in (*group.oddities, *group.unit_oddities.get(unit.name, ()))
    ]
    if decision.verdict == "fine":
        return replace(decision, causes=(*odd, *decision.causes))
    by = dict.fromkeys(each for each in unit.disturbed if each is not None)
    causes: list[AnyCause] = [
        *_slow_parts(case),
        *([] if unit.kept_low is None else [unit.kept_low]),
        *(Disturbance(by=each) for each in by),
        *odd,
        *decision.causes,
    ]
    warned = dict.fromkeys(code for line in unit.lines for code in line.warnings)
    warned.pop(KEPT_LOW, None)
    if warned and decision.verdict != "not-judged":
        causes.append(EngineWarnings(codes=list(warned)))
    return replace(decision, causes=tuple(causes))


def _slow_parts(case: Case) -> list[AnyCause]:
    """NUMA nodes and cores that are slow while others of the unit are not."""
    found: list[AnyCause] = []
    for kind, title, read in _PARTS:
        parts = next((of for line in reversed(case.unit.lines) if (of := read(line))), ())
        if not parts:
            continue
        usual = median(sorted(each.gbps for each in parts))
        below = []
        for each in parts:
            bulk = case.reference.bulks.get(of_part(kind, each.number))
            expected = exp(bulk.middle) if bulk is not None else usual
            if each.gbps < (1 - max(case.limit, _LEAST_LOSS_OF_A_PART)) * expected:
                below.append((each.gbps / expected, each.number, each.gbps, expected))
        if below and len(below) <= len(parts) / 2:
            _, number, gbps, expected = min(below)
            part = f"{title} {number}"
            found.append(SlowPart(part=part, more=len(below) - 1, gbps=gbps, usual_gbps=expected))
    return found
