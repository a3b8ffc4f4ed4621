"""What the results of several runs on one machine say against each other: pure functions.

A run that concludes nothing contradicts nothing. What loads do to a run is no contradiction either:
findings on the moment may come and go, and a figure without an interval has no bounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

from judging import SURE

Kind = Literal["stores", "limit", "finding", "bounds"]

_RANGES = {"full": (0.75, 1.25), "none": (-0.2, 0.25), "partial": (0.15, 0.85)}
"""What a verdict on stores without an interval means (see docs/method.md)."""
_LEAST, _MOST = -10.0, 10.0
_OF_THE_RUN = frozenset({"paused", "niced", "cpu-quota", "unfinished", "confined"})
"""Findings of ``SURE`` that a load may cause."""


@dataclass(frozen=True)
class Contradiction:
    """Two runs that cannot both be right."""

    kind: Kind
    what: str
    runs: tuple[str, str]
    said: tuple[str, str]
    apart: float = 0.0
    """How far bounds lie apart, as a share of the lower figure."""

    def __str__(self) -> str:
        gap = f", {self.apart:.1%} apart" if self.apart else ""
        one, other = self.runs
        return f"{self.kind}, {self.what}: {one}: {self.said[0]}; {other}: {self.said[1]}{gap}"


def contradictions(
    runs: Mapping[str, Mapping[str, Any]], drift: float = 0.0
) -> list[Contradiction]:
    """Every contradiction between two of the documents, by the name of the run.

    ``drift``: the share by which the speed of the machine itself may differ between two runs.
    """
    found: list[Contradiction] = []
    for (one, left), (other, right) in combinations(runs.items(), 2):
        names = (one, other)
        found += _stores(names, left, right)
        found += _limits(names, left, right)
        found += _findings(names, left, right)
        found += _bounds(names, left, right, drift)
    return found


def _kernels(document: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The variants by name."""
    return {
        " ".join(
            filter(
                None,
                (
                    *(each["kernel"], each["store"], each.get("isa") or ""),
                    "tuned" if each["tuned"] else "",
                    f"{each['threads']} threads",
                ),
            )
        ): each
        for each in document["kernels"]
    }


def _pairs(
    left: Mapping[str, Any], right: Mapping[str, Any]
) -> Iterator[tuple[str, Mapping[str, Any], Mapping[str, Any]]]:
    ours, theirs = _kernels(left), _kernels(right)
    for name in ours.keys() & theirs.keys():
        yield name, ours[name], theirs[name]


def _alpha(kernel: Mapping[str, Any]) -> tuple[float, float] | None:
    """The shares of lines that a verdict allows; ``None`` if there is no verdict."""
    alpha = kernel["alpha"]
    verdict = alpha.get("verdict")
    if verdict in (None, "cannot-tell"):
        return None
    low, high = alpha.get("low"), alpha.get("high")
    if verdict == "at-most":
        return (_LEAST, _MOST if high is None else high)
    if low is not None and high is not None:
        return (low, high)
    return _RANGES.get(verdict)


def _stores(
    runs: tuple[str, str], left: Mapping[str, Any], right: Mapping[str, Any]
) -> Iterator[Contradiction]:
    """Yield kernels whose stores were judged differently: in words, or by bounds."""
    for name, one, other in _pairs(left, right):
        ours, theirs = _alpha(one), _alpha(other)
        if ours is None or theirs is None:
            continue
        verdicts = {one["alpha"]["verdict"], other["alpha"]["verdict"]}
        apart = max(ours[0] - theirs[1], theirs[0] - ours[1])
        if apart > 0 or verdicts >= {"full", "none"}:
            yield Contradiction("stores", name, runs, (_said(one), _said(other)))


def _said(kernel: Mapping[str, Any]) -> str:
    alpha = kernel["alpha"]
    bounds = [alpha.get("low"), alpha.get("high")]
    shown = "" if None in bounds else f" ({bounds[0]:.2f} to {bounds[1]:.2f})"
    return f"{alpha['verdict']}, {alpha.get('evidence')}{shown}"


def _limits(
    runs: tuple[str, str], left: Mapping[str, Any], right: Mapping[str, Any]
) -> Iterator[Contradiction]:
    ours, theirs = (((each.get("saturation") or {}).get("limit")) for each in (left, right))
    if ours is not None and theirs is not None and ours != theirs:
        yield Contradiction("limit", "memory or cores", runs, (ours, theirs))


def _codes(document: Mapping[str, Any]) -> set[str]:
    return {each["code"] for each in document["findings"]}


def _findings(
    runs: tuple[str, str], left: Mapping[str, Any], right: Mapping[str, Any]
) -> Iterator[Contradiction]:
    """Yield findings on facts that only one of the two runs has."""
    ours, theirs = _codes(left), _codes(right)
    for code in sorted((ours ^ theirs) & (SURE - _OF_THE_RUN)):
        said = ("yes", "no") if code in ours else ("no", "yes")
        yield Contradiction("finding", code, runs, said)


def _bounds(
    runs: tuple[str, str], left: Mapping[str, Any], right: Mapping[str, Any], drift: float
) -> Iterator[Contradiction]:
    """Yield figures whose intervals have nothing in common; ranges claim nothing."""
    for name, one, other in _pairs(left, right):
        ours, theirs = _interval(one), _interval(other)
        if ours is None or theirs is None:
            continue
        below, above = sorted((ours, theirs))
        apart = above[0] / below[1] - 1
        if apart > drift:
            said = tuple(f"{low:.1f} to {high:.1f} GB/s" for low, high in (ours, theirs))
            yield Contradiction("bounds", name, runs, (said[0], said[1]), apart)


def _interval(kernel: Mapping[str, Any]) -> tuple[float, float] | None:
    low, high = kernel.get("low_gbps"), kernel.get("high_gbps")
    if not low or not high or kernel.get("bounded_by", "interval") != "interval":
        return None
    if kernel.get("disturbed") or kernel.get("states"):
        return None
    return low, high


def summary(found: Sequence[Contradiction]) -> str:
    """How many of each kind there are."""
    kinds: tuple[Kind, ...] = ("stores", "limit", "finding", "bounds")
    return ", ".join(f"{kind} {sum(each.kind == kind for each in found)}" for kind in kinds)
