"""What a check comes to in one line: its verdict, and the figures that it rests on."""

from __future__ import annotations

import re
from collections.abc import Sequence

from streamgage.records.node import NodeLine
from streamgage.records.verdict import (
    ALLOWANCE,
    FIGURE_AND_LIMIT,
    LEAST_ALLOWANCE,
    LONGEST_REASON,
    MEASURED_TWICE,
    NEAR_ITS_LIMIT,
    NO_TIME_LEFT,
    NOT_MEASURED,
    REASON_MARKS,
    WORDS_OF,
    WRONG_RESULTS,
    Verdict,
)
from streamgage.results.check.document import VERDICTS, Check, CheckLimit, figure_of
from streamgage.units import format_gbps, format_rate

_STRANGE = re.compile(rf"[^A-Za-z0-9{re.escape(REASON_MARKS)}]+")
_CHANCE = "below its limit, but by chance it may be as low as {}"
_NOTHING_KNOWN = (
    "there is nothing to compare it with, this run is stored as history: give --expect or"
    " --baseline"
)


def line_of(check: Check) -> str:
    """``slow: triad 380 GB/s, expected at least 399 (420 - 5 %); measured twice``.

    Less than 200 letters of ASCII, which can be the reason of a drain.
    """
    verdict, last = check.verdict, check.last
    limits = _worst_first(last, check.limits)
    said = []
    if verdict == "wrong":
        said.append(WRONG_RESULTS.format("processor" if last.device is None else "device"))
    if verdict == "cannot-tell" and last.disturbance is not None:
        said.append(last.disturbance)
    elif verdict == "cannot-tell" and not limits:
        said.append(_NOTHING_KNOWN)
    elif verdict == "cannot-tell" and all(figure_of(last, each.kernel) for each in limits):
        chance = next((each for each in limits if _by_chance(last, each)), None)
        if chance is not None:
            said.append(_CHANCE.format(format_gbps(chance.surely_slow)))
        else:
            said.append(NEAR_ITS_LIMIT if len(check.runs) > 1 else NO_TIME_LEFT)
    said += [_in_words(last, each) for each in limits]
    said += [
        f"{each.name} has {format_rate(each.gbps)} of {format_gbps(each.usual_gbps)}"
        for each in sorted(check.parts, key=lambda each: each.gbps / each.usual_gbps)
        if each.slow
    ][:2]
    if len(check.runs) > 1:
        said.append(MEASURED_TWICE)
    device = "" if last.device is None else f"{last.device.id} "
    return _as_reason(f"{WORDS_OF[verdict]}: {device}{'; '.join(said)}")


def line_of_all(checks: Sequence[Check]) -> str:
    """The line of the worst, and the verdicts on the others: ``...; ok: cuda:0, cuda:1``."""
    first, *others = sorted(checks, key=lambda each: VERDICTS.index(each.verdict))
    verdicts: dict[Verdict, list[str]] = {}
    for each in others:
        device = each.last.device
        verdicts.setdefault(each.verdict, []).append("processor" if device is None else device.id)
    said = [f"{WORDS_OF[verdict]}: {', '.join(names)}" for verdict, names in verdicts.items()]
    return _as_reason("; ".join([line_of(first), *said]))


def _as_reason(line: str) -> str:
    return _STRANGE.sub(" ", line)[: LONGEST_REASON - 1].strip()


def _worst_first(line: NodeLine, limits: Sequence[CheckLimit]) -> list[CheckLimit]:
    def share(each: CheckLimit) -> float:
        figure = figure_of(line, each.kernel)
        return 0.0 if figure is None or not each.limit_gbps else figure.gbps / each.limit_gbps

    return sorted((each for each in limits if each.decides), key=share)


def _by_chance(line: NodeLine, limit: CheckLimit) -> bool:
    """Return whether a figure is surely below its limit, and chance may explain that."""
    figure = figure_of(line, limit.kernel)
    high = None if figure is None else figure.high
    return high is not None and limit.surely_slow <= high < (limit.limit_gbps or 0.0)


def _in_words(line: NodeLine, limit: CheckLimit) -> str:
    figure = figure_of(line, limit.kernel)
    least = limit.limit_gbps or 0.0
    missing = 1 - least / limit.expected_gbps
    sentence = FIGURE_AND_LIMIT.format(
        limit.kernel,
        NOT_MEASURED if figure is None else format_gbps(figure.gbps),
        format_rate(least),
        ALLOWANCE.format(format_rate(limit.expected_gbps), 100 * missing)
        if missing > LEAST_ALLOWANCE
        else "",
    )
    source = "" if limit.source == "given" else f" by its {_CALLED[limit.source]}"
    return f"{sentence}{source}"


_CALLED = {"baseline": "class", "history": "own past", "expected": "published value"}
