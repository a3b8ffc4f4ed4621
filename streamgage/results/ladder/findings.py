"""The findings of a ladder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import zip_longest

from streamgage.analysis.finding import Finding
from streamgage.analysis.hierarchy import MEMORY_SIDE, LevelInUse, unseen
from streamgage.analysis.outside import SPOILING
from streamgage.analysis.statistics.noise import differ
from streamgage.results.cache_edges import SMALLER
from streamgage.results.document import other_load
from streamgage.results.ladder.document import Ladder, LadderCurve, Step
from streamgage.results.ladder.of_output import below_rule
from streamgage.results.members import findings_of_members
from streamgage.results.memory_side import CODE, memory_behind
from streamgage.results.reported import OF_OUTPUT
from streamgage.results.run_findings import OF_RUNS
from streamgage.units import format_bytes, format_share

_FURTHER = "To measure further, give --to {}."


def smaller_cache(answer: Ladder) -> Finding | None:
    """Find a cache that ends long before it should be full."""
    found = [
        ((step.effective_bytes or 0) / (step.claimed_bytes or 1), curve, step)
        for curve in answer.curves
        for step, after in zip_longest(curve.steps, curve.steps[1:])
        if _apart(step, after) and _ends_early(curve, step)
    ]
    if (answer.taken or 0.0) > SPOILING or answer.device is not None:
        return None  # other programs used a part of the caches, or the reasons differ
    if not found:
        return None
    share, curve, step = min(found, key=lambda each: each[0])
    guest = answer.machine is not None and answer.machine.hypervisor is not None
    why = (
        "other guests use it too, or the hypervisor reports a cache that this guest does not have"
        if guest
        else "other cores or programs use it too, or a part of it is set aside (way masks, huge"
        " buffers, a prefetcher)"
    )
    return Finding(
        code="smaller-cache",
        grade="sound",
        severity="note",
        text=f"{step.level} claims {format_bytes(step.claimed_bytes or 0)} but by bandwidth acts"
        f" like {format_bytes(step.effective_bytes or 0)} ({format_share(share)},"
        f" {curve.kernel} {curve.store}, {curve.mode}): {why}. Block your loops for"
        f" {format_bytes(step.effective_bytes or 0)}.",
    )


def _apart(step: Step, after: Step | None) -> bool:
    """Return whether a level's end is certain: its plateau and the next one do not overlap."""
    if after is None or step.gbps.low is None or after.gbps.high is None:
        return True
    return step.gbps.low > after.gbps.high


def _ends_early(curve: LadderCurve, step: Step) -> bool:
    """Return whether a level ends early: it is slower from its end up to 60 % of its size.

    All working sets in between must be slower, beyond noise, than a usual point of the plateau: a
    few points that were low by chance do not make a cache smaller.
    """
    if step.effective_bytes is None or not step.claimed_bytes:
        return False
    most = SMALLER * step.claimed_bytes
    held = [each for each in curve.points if step.low_bytes <= each.bytes <= step.high_bytes]
    beyond = [each for each in curve.points if step.effective_bytes < each.bytes <= most]
    if not held or not beyond:
        return False
    usual = sorted(held, key=lambda each: each.gbps.value)[len(held) // 2]
    return all(
        each.gbps.value < usual.gbps.value
        and differ(usual.gbps, usual.rounds, each.gbps, each.rounds)
        for each in beyond
    )


def hidden_cache(answer: Ladder) -> Finding | None:
    """Find that the curve is as slow as memory where the last cache should reach."""
    found = [(curve, level) for curve in answer.curves for level in _unseen(answer, curve)[-1:]]
    if not found or (answer.taken or 0.0) > SPOILING or answer.device is not None:
        return None
    curve, level = found[0]
    return Finding(
        code="hidden-cache",
        grade="sound",
        severity="note",
        text=f"The curve shows no {level.name} ({curve.kernel} {curve.store}, {curve.mode}), which"
        f" claims {format_bytes(level.bytes)}: working sets that it should hold are as slow"
        " as memory. The hypervisor may report a cache that this guest does not have, or"
        f" others use all of it. Working sets from {format_bytes(curve.steps[-1].low_bytes)}"
        " on are in memory.",
    )


def _unseen(answer: Ladder, curve: LadderCurve) -> list[LevelInUse]:
    levels = [each for each in answer.levels if each.mode == curve.mode]
    sizes = [each.bytes for each in curve.points]
    return unseen(levels, [each.level for each in curve.steps], sizes)


def memory_side_cache(answer: Ladder) -> Finding | None:
    """Find curves that end within a cache in front of the memory, or soon after it."""
    for level in (each for each in answer.levels if each.name == MEMORY_SIDE):
        sizes = [p.bytes for each in answer.curves if each.mode == level.mode for p in each.points]
        if sizes and (found := memory_behind(level.bytes, max(sizes), "figures", _FURTHER)):
            return found
    return None


def of_members(answer: Ladder) -> Iterator[Finding]:
    """Yield what is wrong with single tables of another benchmark.

    The largest arrays count for the memory. What is wrong with smaller ones, which caches may hold,
    is a note; that they are small is what the series is for.
    """
    largest = max((each.array_bytes or 0 for each in answer.members), default=0)
    for each in findings_of_members(
        answer.members,
        lambda member: f"arrays of {format_bytes(member.array_bytes or 0)}",
        counts=lambda member: member.array_bytes == largest,
    ):
        if each.code != "below-4x-rule":
            yield each


CHECKS: tuple[tuple[str, Callable[[Ladder], Finding | Iterable[Finding] | None]], ...] = (
    *OF_RUNS,
    ("uneven-kernels", of_members),  # and any other of a table
    ("other-load", other_load),
    (CODE, memory_side_cache),
    ("below-4x-rule", below_rule),
    ("hidden-cache", hidden_cache),
    ("smaller-cache", smaller_cache),
    *OF_OUTPUT,
)
"""The checks in the order of display, most important first."""
