"""Whether a node is as fast as it should be: the rule, and the line that says it.

The engine alone has the same rule for given limits: ``engine/node/check.cpp``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec.structs import replace

from streamgage.records.node import NodeLine
from streamgage.results.check.document import SOURCES, CheckLimit, NodePart, Verdict, figure_of
from streamgage.units import format_gbps, format_rate

Found = Literal["fine", "slow", "wrong", "cannot-tell", "undecided"]
"""The verdict on one run. ``undecided``: below the limit, but not certainly."""
MOST_OF_A_REASON = 200
_STRANGE = re.compile(r"[^A-Za-z0-9 .,:;%+/()\[\]'-]+")
"""Characters that a shell or Slurm might not take as text."""
_WORDS: dict[Verdict, str] = {
    "fine": "ok",
    "slow": "slow",
    "wrong": "wrong",
    "cannot-tell": "cannot tell",
}
_LEAST_OF_A_PART = 0.95
"""A part below this share of the median of the parts is slow, as in fleets."""
NOTHING_KNOWN = (
    "there is nothing to compare it with, this run is stored as history: give --expect or"
    " --baseline"
)
NO_TIME = "there was no time for a second run to decide"


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


def judge_run(line: NodeLine, limits: Sequence[CheckLimit]) -> Found:
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
        surely = surely or (figure.high is not None and figure.high < each.limit_gbps)
    if not below:
        return "fine"
    if line.disturbance is not None:
        return "cannot-tell"
    return "slow" if surely else "undecided"


def needs_second(found: Found, limits: Sequence[CheckLimit]) -> bool:
    """Return whether a second run could decide something."""
    return found not in ("fine", "wrong") and any(each.decides for each in limits)


def settle(found: Found, runs: int) -> Verdict:
    """The verdict after all runs: that of the last. One that decides nothing drains nothing."""
    if found != "undecided":
        return found
    return "fine" if runs > 1 else "cannot-tell"


def reason_of(
    verdict: Verdict,
    runs: Sequence[NodeLine],
    limits: Sequence[CheckLimit],
    parts: Sequence[NodePart] = (),
) -> str:
    """``slow: triad 380 GB/s, expected at least 399 (420 - 5 %); measured twice``."""
    last = runs[-1]
    said = []
    if verdict == "wrong":
        said.append("results are wrong, test the memory and the processor")
    if verdict == "cannot-tell":
        known = any(each.decides for each in limits)
        said.append(last.disturbance or (NO_TIME if known else NOTHING_KNOWN))
    said += [_in_words(last, each) for each in _worst_first(last, limits)]
    said += [
        f"{each.name} has {format_rate(each.gbps)} of {format_gbps(each.usual_gbps)}"
        for each in sorted(parts, key=lambda each: each.gbps / each.usual_gbps)
        if each.slow
    ][:2]
    if len(runs) > 1:
        said.append("measured twice")
    line = f"{_WORDS[verdict]}: {'; '.join(said)}"
    return _STRANGE.sub(" ", line)[: MOST_OF_A_REASON - 1].strip()


def _worst_first(line: NodeLine, limits: Sequence[CheckLimit]) -> list[CheckLimit]:
    def share(each: CheckLimit) -> float:
        figure = figure_of(line, each.kernel)
        return 0.0 if figure is None or not each.limit_gbps else figure.gbps / each.limit_gbps

    return sorted((each for each in limits if each.decides), key=share)


def _in_words(line: NodeLine, limit: CheckLimit) -> str:
    figure = figure_of(line, limit.kernel)
    got = "was not measured" if figure is None else f"{format_gbps(figure.gbps)}"
    least = limit.limit_gbps or 0.0
    allowed = 1 - least / limit.expected_gbps
    of = f" ({format_rate(limit.expected_gbps)} - {100 * allowed:.3g} %)" if allowed > 1e-9 else ""
    source = "" if limit.source == "given" else f" by its {_CALLED[limit.source]}"
    return f"{limit.kernel} {got}, expected at least {format_rate(least)}{of}{source}"


_CALLED = {"baseline": "class", "history": "own past", "expected": "published value"}


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
