"""The page of a ladder from another benchmark's output: its sizes, and what is known about them.

The benchmark states the working set of each thread, or the size of each array. Tables of kernels
have a common size of each array. Tests that divide one size among their arrays have a common
working set.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from streamgage.analysis.conclusion import Conclusion, sound
from streamgage.analysis.finding import Finding
from streamgage.analysis.traffic.refusals import least_bytes
from streamgage.interop.settings import size_classes
from streamgage.records.setting import OVER_CACHES
from streamgage.results.ladder.document import Ladder, LadderCurve, LadderPoint
from streamgage.show.page import DASH, RATE, Cell, Column, Datum, Mark, Table, Upright, figure, size
from streamgage.units import format_bytes, format_gbps, format_ratio, format_share, listed

Rule = Literal["in-cache", "below", "kept"]
"""What is known about a size by STREAM's 4x rule: it is kept, it is not kept, or all arrays of the
kernel fit into the caches."""
_SAME = 0.02
"""Two sizes give the same figure if their rates differ by at most this share."""
_FIRST = ("triad", "copy", "load", "dot")
"""The kernel that stands for all others: the first of these that was measured."""


@dataclass(frozen=True)
class CommonSize:
    """The size that all kernels have in common."""

    of_arrays: bool
    """``True`` if it is the size of each array; else it is the working set."""
    classes: Mapping[int, int]
    """For each size, the smallest size that is the same except for rounding."""

    def of(self, point: LadderPoint) -> int:
        """The common size of a point, in bytes."""
        size = _bytes_of(point, of_arrays=self.of_arrays)
        return self.classes.get(size, size)

    @property
    def what(self) -> str:
        """Its name in a table or below a plot."""
        return "size of each array" if self.of_arrays else "working set"

    def words(self, point: LadderPoint) -> str:
        """The size in words: ``arrays of 256 MiB``."""
        shown = format_bytes(self.of(point))
        return f"arrays of {shown}" if self.of_arrays else f"a working set of {shown}"


def common_size(ladder: Ladder) -> CommonSize:
    """The size of each array, or the working set: whichever has fewer values."""
    if not is_over_arrays(ladder):
        return CommonSize(False, {})
    points = [point for each in ladder.curves for point in each.points]
    arrays, sets = (
        CommonSize(of_arrays, size_classes(_bytes_of(e, of_arrays=of_arrays) for e in points))
        for of_arrays in (True, False)
    )
    return min((arrays, sets), key=lambda each: len(set(each.classes.values())))


def _bytes_of(point: LadderPoint, *, of_arrays: bool) -> int:
    return (point.array_bytes if of_arrays else None) or point.bytes


def is_over_arrays(ladder: Ladder) -> bool:
    """Return whether the ladder was made from tables with several sizes of arrays."""
    return any(point.array_bytes for each in ladder.curves for point in each.points)


def rule_of(ladder: Ladder, point: LadderPoint) -> Rule | None:
    """What is known about the size of a point; ``None`` if the caches are unknown."""
    caches = ladder.last_level_cache_bytes
    if point.array_bytes is None:
        return None
    if caches is not None and point.bytes <= caches:
        return "in-cache"
    if point.array_bytes < _least(ladder):
        return "below"
    return None if caches is None else "kept"


def _least(ladder: Ladder) -> int:
    """The smallest array that keeps the rule, as far as it is known."""
    element = None if ladder.reported is None else ladder.reported.element_type
    return max(OVER_CACHES * (ladder.last_level_cache_bytes or 0), least_bytes(element))


def note(ladder: Ladder) -> str:
    """Explain the figures and the sizes."""
    single = "a single figure each" if ladder.rounds == 1 else "the median of the runs of each size"
    text = f"GB/s of nominal bytes, all threads together; {single}."
    if not is_over_arrays(ladder):
        return (
            f"{text} Working sets are those of each thread, all arrays together. The output does"
            " not say whether the largest exceeds the caches."
        )
    caches = ladder.last_level_cache_bytes
    if caches is None:
        return f"{text} It is unknown which sizes fit into the caches (--llc)."
    return (
        f"{text} The column 4x rule says whether an array is {OVER_CACHES} times as large as all"
        f" last-level caches in use ({format_bytes(caches)}, --llc), or whether all arrays of a"
        " kernel fit into these caches."
    )


def conclusions(ladder: Ladder) -> Iterator[Conclusion]:
    """State the figures of the largest size, and whether smaller arrays would have been enough."""
    if not is_over_arrays(ladder):
        most = max(each.points[-1].bytes for each in ladder.curves)
        parts = [_last_of(each) for each in ladder.curves]
        yield sound(
            f"With the largest working sets, up to {format_bytes(most)} per thread:"
            f" {listed(parts)}."
        )
        return
    common = common_size(ladder)
    first = _first(ladder)
    *smaller, largest = first.points
    same = common.of(largest)
    parts = [_last_of(each) for each in ladder.curves if common.of(each.points[-1]) == same]
    yield sound(f"Quote the largest size, {common.words(largest)}: {listed(parts)}.")
    if not smaller or rule_of(ladder, largest) in {"in-cache", "below"}:
        return
    before = smaller[-1]
    apart = before.gbps.value / largest.gbps.value - 1
    shown = f"{name_of(first).capitalize()} with {common.words(before)}"
    if abs(apart) > _SAME:
        yield sound(
            f"{shown} is {format_share(abs(apart))} {'faster' if apart > 0 else 'slower'},"
            " because of caches or the overhead of short loops."
        )
        return
    unless = (
        "" if rule_of(ladder, before) == "kept" else ", unless the caches hold both sizes (--llc)"
    )
    if rule_of(ladder, before) in {"in-cache", "below"}:
        unless = ", although STREAM's 4x rule asks for more"
    yield sound(
        f"{shown} is within {format_share(max(abs(apart), 0.001))} of that: it was large enough"
        f"{unless}."
    )


def _first(ladder: Ladder) -> LadderCurve:
    """The curve that stands for all: one with several sizes, triad if it is there."""
    several = [each for each in ladder.curves if len(each.points) > 1] or ladder.curves
    return min(
        several,
        key=lambda each: _FIRST.index(each.kernel) if each.kernel in _FIRST else len(_FIRST),
    )


def _last_of(curve: LadderCurve) -> str:
    return f"{name_of(curve)} {format_gbps(curve.points[-1].gbps.value)}"


def name_of(curve: LadderCurve) -> str:
    """The name of a curve: ``triad streaming``, or the kernel alone if its stores are unknown."""
    return f"{curve.kernel} {curve.store}".strip()


def table(ladder: Ladder) -> Table[Any]:
    """The table with one row per size.

    It has the rate of each kernel, and what is known about the size.
    """
    common = common_size(ladder)
    rules: dict[int, set[Rule | None]] = {}
    for curve in ladder.curves:
        for point in curve.points:
            rules.setdefault(common.of(point), set()).add(rule_of(ladder, point))
    columns: list[Column[int]] = [
        Column("array" if common.of_arrays else "working set", size),
        *(_rates(each, common) for each in ladder.curves),
    ]
    if any(each != {None} for each in rules.values()):
        columns.append(Column("4x rule", lambda row: _rule(rules[row]), left=True))
    return Table(
        title=f"bandwidth over the {common.what}",
        about="GB/s of nominal bytes",
        columns=columns,
        rows=sorted(rules),
        gap=3,
        split="columns",
    )


def _rule(of_kernels: set[Rule | None]) -> Cell:
    if of_kernels == {"in-cache"}:
        return Cell("in cache", tone="doubtful")
    if of_kernels & {"in-cache", "below"}:
        return Cell("below", tone="doubtful")
    return Cell("kept") if "kept" in of_kernels else Cell(DASH)


def _rates(curve: LadderCurve, common: CommonSize) -> Column[int]:
    points = {common.of(each): each.gbps for each in curve.points}

    def cell(row: int) -> Cell:
        found = points.get(row)
        return Cell(DASH) if found is None else figure(found, RATE, bounds=False)

    return Column(name_of(curve), cell)


def about(ladder: Ladder) -> str:
    """Describe a plot."""
    text = f"Bandwidth over the {common_size(ladder).what}, both logarithmic."
    if ladder.last_level_cache_bytes is None:
        return text
    if common_size(ladder).of_arrays:
        return f"{text} Right of the dashed line, STREAM's {OVER_CACHES}x rule is kept (--llc)."
    return f"{text} Dashed line: the last-level caches (--llc)."


def data(ladder: Ladder) -> Iterator[Datum[tuple[LadderCurve, LadderPoint]]]:
    """Yield the columns of data that other ladders lack."""
    if is_over_arrays(ladder):
        yield Datum("array_bytes", lambda each: each[1].array_bytes)
        yield Datum("rule_of_4", lambda each: rule_of(ladder, each[1]))


def marks(ladder: Ladder, common: CommonSize) -> Iterator[Mark]:
    """Yield marks where the rule begins to be kept, or where the caches end."""
    caches = ladder.last_level_cache_bytes
    if caches is None:
        return
    shown = format_bytes(caches)
    if common.of_arrays:
        yield Upright(
            OVER_CACHES * caches,
            f"{OVER_CACHES} x {shown}",
            f"STREAM's rule: {OVER_CACHES} x {shown}",
            at_foot=True,
        )
    else:
        yield Upright(caches, f"caches {shown}", f"last-level caches {shown}", at_foot=True)


def below_rule(ladder: Ladder) -> Finding | None:
    """Find that even the largest arrays are too small by STREAM's rule to show memory."""
    points = [point for each in ladder.curves for point in each.points if point.array_bytes]
    if not points:
        return None
    largest = max(points, key=lambda each: each.array_bytes or 0)
    array, caches = largest.array_bytes or 0, ladder.last_level_cache_bytes
    if rule_of(ladder, largest) not in {"in-cache", "below"}:
        return None
    size = (
        f"{format_ratio(array / caches)} the last-level caches given with --llc"
        if caches
        else "below 10^6 elements"
    )
    tool = "the benchmark" if ladder.reported is None else ladder.reported.tool
    return Finding(
        code="below-4x-rule",
        severity="spoiled" if caches and array < caches else "warning",
        reason=f"the largest arrays are {size}, below STREAM's 4x rule",
        text=f"The largest arrays are {format_bytes(array)}, {size}; STREAM's rule asks for"
        f" {format_bytes(_least(ladder))}. Part of the data may come from the caches, and no figure"
        f" here may be the memory's. Run {tool} with larger arrays, too.",
    )
