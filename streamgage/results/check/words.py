"""What a check comes to in one line: its verdict, and the figures that it rests on."""

from __future__ import annotations

import re
from collections.abc import Sequence

from streamgage.records.node import NodeLine
from streamgage.results.check.document import VERDICTS, Check, CheckLimit, Verdict, figure_of
from streamgage.units import format_gbps, format_rate

MOST_LETTERS = 200
_STRANGE = re.compile(r"[^A-Za-z0-9 .,:;%+/()\[\]'-]+")
"""What a shell or Slurm might take for more than text."""
_WORDS: dict[Verdict, str] = {
    "fine": "ok",
    "slow": "slow",
    "wrong": "wrong",
    "cannot-tell": "cannot tell",
}
_NOTHING_KNOWN = (
    "there is nothing to compare it with, this run is stored as history: give --expect or"
    " --baseline"
)
_NO_TIME = "there was no time for a second run to decide"
_NEAR = "below the limit twice, but the 95 % interval reaches it"


def line_of(check: Check) -> str:
    """``slow: triad 380 GB/s, expected at least 399 (420 - 5 %); measured twice``.

    At most 200 letters of ASCII, which can be the reason of a drain.
    """
    verdict, last, limits = check.verdict, check.last, check.limits
    said = []
    if verdict == "wrong":
        part = "processor" if last.device is None else "device"
        said.append(f"results are wrong, test the memory and the {part}")
    if verdict == "cannot-tell":
        known = any(each.decides for each in limits)
        undecided = _NEAR if len(check.runs) > 1 else _NO_TIME
        said.append(last.disturbance or (undecided if known else _NOTHING_KNOWN))
    said += [_in_words(last, each) for each in _worst_first(last, limits)]
    said += [
        f"{each.name} has {format_rate(each.gbps)} of {format_gbps(each.usual_gbps)}"
        for each in sorted(check.parts, key=lambda each: each.gbps / each.usual_gbps)
        if each.slow
    ][:2]
    if len(check.runs) > 1:
        said.append("measured twice")
    device = "" if last.device is None else f"{last.device.id} "
    return _as_reason(f"{_WORDS[verdict]}: {device}{'; '.join(said)}")


def line_of_all(checks: Sequence[Check]) -> str:
    """The line of the worst, and the verdicts on the others: ``...; ok: cuda:0, cuda:1``."""
    first, *others = sorted(checks, key=lambda each: VERDICTS.index(each.verdict))
    verdicts: dict[Verdict, list[str]] = {}
    for each in others:
        device = each.last.device
        verdicts.setdefault(each.verdict, []).append("processor" if device is None else device.id)
    said = [f"{_WORDS[verdict]}: {', '.join(names)}" for verdict, names in verdicts.items()]
    return _as_reason("; ".join([line_of(first), *said]))


def _as_reason(line: str) -> str:
    return _STRANGE.sub(" ", line)[: MOST_LETTERS - 1].strip()


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
