"""Whether a node is as fast as it should be.

The engine alone has the same rule for given limits (``engine/node/check.cpp``). What both say is
declared once (``records/verdict.py``), and ``tests/integration/test_one_judge.py`` holds both
against each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from streamgage.records.node import NodeLine
from streamgage.records.verdict import RunVerdict, Verdict
from streamgage.results.check.document import SOURCES, CheckLimit, NodePart, figure_of

_LEAST_OF_A_PART = 0.95
"""A part below this share of the median of the parts is slow, as in fleets."""


def deciding(limits: Iterable[CheckLimit]) -> list[CheckLimit]:
    """The deciding limits in their order: for each kernel the first source with a limit decides."""
    ordered = sorted(limits, key=lambda each: SOURCES.index(each.source))
    decided: set[str] = set()
    found = []
    for each in ordered:
        first = each.limit_gbps is not None and each.kernel not in decided
        if first:
            decided.add(each.kernel)
        found.append(replace(each, decides=first))
    return found


def judge_run(line: NodeLine, limits: Sequence[CheckLimit]) -> RunVerdict:
    """Judge one run. It is only slow if the whole interval is below the limit."""
    if any(each.valid is False for each in line.figures):
        return "wrong"
    binding = [each for each in limits if each.decides]
    if not binding:
        return "cannot-tell"
    below = surely = False
    for each in binding:
        figure = figure_of(line, each.kernel)
        if figure is None or each.limit_gbps is None:
            return "cannot-tell"
        below = below or figure.gbps < each.limit_gbps
        surely = surely or (figure.high is not None and figure.high < each.surely_slow)
    if not below:
        return "fine"
    if line.disturbance is not None:
        return "cannot-tell"
    return "slow" if surely else "undecided"


def needs_second(found: RunVerdict, limits: Sequence[CheckLimit]) -> bool:
    """Return whether a second run could decide something."""
    return found not in ("fine", "wrong") and any(each.decides for each in limits)


def settle(found: RunVerdict) -> Verdict:
    """The verdict after all runs: that of the last.

    A figure below its limit whose interval reaches the limit, or that chance may explain, decides
    nothing, however often it is measured: the node may be slow, so it is not fine.
    """
    return "cannot-tell" if found == "undecided" else found


def slow_parts(parts: Sequence[tuple[str, float]]) -> list[NodePart]:
    """Whether each of some equal parts is slow: far below their median.

    If more than half of them are, the median cannot judge a part.
    """
    from streamgage.analysis.statistics.intervals import median

    if not parts:
        return []
    usual = median(sorted(gbps for _, gbps in parts))
    below = {name for name, gbps in parts if gbps < _LEAST_OF_A_PART * usual}
    alone = len(parts) > 1 and len(below) <= len(parts) / 2
    return [
        NodePart(name=name, gbps=gbps, usual_gbps=usual, slow=alone and name in below)
        for name, gbps in parts
    ]
