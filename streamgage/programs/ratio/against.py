"""Judges a benchmark against another program, by pairs of runs in random order."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from streamgage.analysis.conclusion import Conclusion, fact, sound, undecided
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.analysis.statistics.intervals import median
from streamgage.analysis.statistics.paired_sequence import interval
from streamgage.programs.ratio.document import Against, Clock, Decision, RatioPair, TimeRatio
from streamgage.units import count, format_share

ALPHA = 0.05
"""The share of comparisons of equal programs that may find a difference."""
_OF_CLOCK = ALPHA / 2
_COMPUTES = 0.8
"""CPU time stands for a program's time only if an undisturbed run computes for that share of it."""
_MUCH = 0.05
"""The share of the CPUs that others must take to be named."""
_WORDS: dict[Clock, str] = {"time": "time", "cpu": "CPU time"}


@dataclass(frozen=True)
class OtherRuns:
    """Runs of the other program, each next to one of the benchmark."""

    name: str
    command: Sequence[str]
    margin: float
    together: bool
    """Whether both programs of a pair ran at the same time, each on half of the CPUs."""
    pairs: list[RatioPair]


def decision_of(other: OtherRuns) -> tuple[Decision, Clock | None]:
    """What the benchmark is against the other program, and the clock that decides it.

    The clock on the wall decides if it can. The CPU time does where other programs disturbed the
    time too much, and both programs compute nearly all the time.
    """
    clocks: list[Clock] = ["time"]
    if all(most >= _COMPUTES for most in _computing(other.pairs)):
        clocks.append("cpu")
    for clock in clocks:
        decision = _decision(interval(_logarithms(other.pairs, clock), _OF_CLOCK), other.margin)
        if decision != "undecided":
            return decision, clock
    return "undecided", None


def _computing(pairs: Sequence[RatioPair]) -> tuple[float, float]:
    """The share of its time for which each program computes in its least disturbed run."""
    return (
        max((each.cpu_seconds / each.seconds for each in pairs), default=0.0),
        max((each.other_cpu_seconds / each.other_seconds for each in pairs), default=0.0),
    )


def _logarithms(pairs: Sequence[RatioPair], clock: Clock) -> list[float]:
    """The logarithm of the ratio of each pair."""
    if clock == "time":
        return [math.log(each.seconds / each.other_seconds) for each in pairs]
    return [math.log(each.cpu_seconds / each.other_cpu_seconds) for each in pairs]


def _decision(bounds: tuple[float, float] | None, margin: float) -> Decision:
    if bounds is None:
        return "undecided"
    low, high = bounds
    if -math.log1p(margin) < low and high < math.log1p(margin):
        return "equal"
    if low > 0:
        return "slower"
    return "faster" if high < 0 else "undecided"


def against_of(other: OtherRuns) -> Against:
    """Make the part of the document on the comparison; there is a pair or more."""
    decision, clock = decision_of(other)
    return Against(
        name=other.name,
        command=list(other.command),
        together=other.together,
        pairs=other.pairs,
        seconds=median(sorted(each.other_seconds for each in other.pairs)),
        ratio=_ratio(other.pairs, "time"),
        cpu_ratio=_ratio(other.pairs, "cpu"),
        margin=other.margin,
        decision=decision,
        decided_by=clock,
    )


def _ratio(pairs: Sequence[RatioPair], clock: Clock) -> Estimate:
    found = _logarithms(pairs, clock)
    bounds = interval(found, _OF_CLOCK)
    low, high = (None, None) if bounds is None else map(math.exp, bounds)
    return Estimate(value=math.exp(median(sorted(found))), low=low, high=high)


def conclusions_of(found: TimeRatio, against: Against) -> Iterator[Conclusion]:
    """What follows for the two programs."""
    clock = against.decided_by
    pairs = count(len(against.pairs), "pair")
    if clock is None:
        yield undecided(
            f"It is not decided which is faster: {_reach(against.ratio)} the time of"
            f" {against.name}, after {pairs}. A longer --within decides more; a larger --margin"
            " decides sooner."
        )
    elif against.decision == "equal":
        ratio = against.ratio if clock == "time" else against.cpu_ratio
        yield sound(
            f"{found.name} and {against.name} differ by less than {format_share(against.margin)}:"
            f" {found.name} takes {_reach(ratio)} the {_WORDS[clock]}."
        )
    else:
        ratio = against.ratio if clock == "time" else against.cpu_ratio
        yield sound(
            f"{found.name} is {against.decision} than {against.name}: it takes {_change(ratio)}"
            f" {_WORDS[clock]}."
        )
    if clock == "cpu":
        yield fact(
            f"The time on the clock does not decide it: {_reach(against.ratio)} that of"
            f" {against.name}. Both programs compute nearly all of their time, so the CPU time"
            " does."
        )
    if found.taken is not None and found.taken >= _MUCH:
        yield fact(
            f"Other programs took up to {format_share(found.taken)} of the CPUs' time. Both"
            " programs met them in random order, so the comparison holds; the times are too long."
        )


def _reach(ratio: Estimate) -> str:
    if ratio.low is None or ratio.high is None:
        return f"about {ratio.value:.3f} times (too few pairs for bounds)"
    return f"{ratio.low:.3f} to {ratio.high:.3f} times"


def _change(ratio: Estimate) -> str:
    """Write a ratio whose bounds lie on one side of 1: ``3.1 % (0.4 to 5.9 %) more``."""
    more = ratio.value > 1
    assert ratio.low is not None and ratio.high is not None
    ends = sorted(abs(each - 1) for each in (ratio.low, ratio.high))
    bounds = " to ".join(format_share(each) for each in ends)
    return f"{format_share(abs(ratio.value - 1))} ({bounds}) {'more' if more else 'less'}"
