"""Builds the comparison from the sides: the differences, the ratios and the verdict."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

from streamgage.analysis.conclusion import Conclusion, no_firmer, supports
from streamgage.analysis.trust import Trust
from streamgage.comparison.compare.acceptance import accept
from streamgage.comparison.compare.differences import differences, unrecorded, unrecorded_by_all
from streamgage.comparison.compare.document import (
    ComparedFigure,
    ComparedSide,
    Comparison,
    Difference,
    SideFigure,
    UnpairedFigure,
)
from streamgage.comparison.compare.remarks import remarks
from streamgage.comparison.compare.side import Figures, Side, label
from streamgage.comparison.compare.verdicts import MARGIN, compared
from streamgage.comparison.compare.words import concluded
from streamgage.results.comparable import Conventions, Figure, Statistic, in_unit
from streamgage.results.result import Result


def comparison(
    groups: Sequence[Sequence[Result[Any]]],
    *,
    margin: float = MARGIN,
    kernels: Collection[str] | None = None,
    fail_below: float | None = None,
) -> Comparison:
    """Compare two or more sides of one kind: the first with each of the others.

    ``kernels``: only figures of these kernels. ``fail_below``: the smallest ratio that is accepted.
    """
    sides = [Side(label(number), results) for number, results in enumerate(groups)]
    conventions = conventions_of(each for side in sides for each in side.results)
    found = [_chosen(side.figures(conventions), kernels) for side in sides]
    rows = []
    for each, members in _by_statistic(sides, conventions):
        by_side = [
            _chosen(side.figures(each), kernels) if side in members else {} for side in sides
        ]
        rows += [
            _row(key, sides, by_side, margin, each.statistic)
            for key in by_side[0]
            if any(key in figures for figures in by_side[1:])
        ]
    unpaired = _unpaired(sides, found)
    differing = differences(sides)
    silent = unrecorded_by_all(sides)
    compared_sides = [side.compared_side() for side in sides]
    return Comparison(
        kind=sides[0].results[0].kind.name,
        sides=compared_sides,
        margin=margin,
        differences=differing,
        untold=unrecorded(sides),
        untold_by_all=silent,
        figures=rows,
        unpaired=unpaired,
        conclusions=_conclusions(sides, rows, margin, differing, silent),
        remarks=remarks(sides, rows),
        acceptance=(
            None
            if fail_below is None
            else accept(fail_below, compared_sides, rows, kernels, _vanished(compared_sides, found))
        ),
    )


def _conclusions(
    sides: Sequence[Side],
    rows: Sequence[ComparedFigure],
    margin: float,
    differing: Sequence[Difference],
    silent: Sequence[str],
) -> list[Conclusion]:
    """What the ratios of each side mean, no firmer than its results and those of A."""
    known = concluded([side.compared_side() for side in sides], rows, margin, differing, silent)
    return [
        each
        for side, conclusion in zip(sides[1:], known, strict=True)
        for each in no_firmer([conclusion], *_trusts(sides[0], side))
    ]


def _trusts(base: Side, side: Side) -> list[Trust]:
    """The trust that a comparison of the two rests on; a side is the same as itself in any case."""
    return [] if side.is_same_as(base) else [*base.trusts, *side.trusts]


def _by_statistic(
    sides: Sequence[Side], conventions: Conventions
) -> list[tuple[Conventions, list[Side]]]:
    """Groups the sides by the statistic that they share with A. A is the first side of each group.

    The statistic is the median if both sides have one. Another benchmark among the sides does not
    change the statistic of the other sides.
    """
    found: dict[Statistic, list[Side]] = {}
    for side in sides[1:]:
        pair = conventions_of((*sides[0].results, *side.results))
        found.setdefault(pair.statistic, [sides[0]]).append(side)
    return [
        (replace(conventions, statistic=statistic), members) for statistic, members in found.items()
    ]


def conventions_of(results: Iterable[Result[Any]]) -> Conventions:
    """The conventions under which results of one kind can be compared."""
    known = list(results)
    return known[0].kind.conventions([each.document for each in known])


def kernels_of(groups: Sequence[Sequence[Result[Any]]]) -> list[str]:
    """The kernel names by which figures can be chosen, in the order of the figures."""
    conventions = conventions_of(each for group in groups for each in group)
    figures = [
        figure for group in groups for figure in Side("A", group).figures(conventions).values()
    ]
    return list(dict.fromkeys(each.kernel for each in figures if each.kernel is not None))


def _chosen(figures: Figures, kernels: Collection[str] | None) -> Figures:
    if kernels is None:
        return figures
    return {key: each for key, each in figures.items() if each.kernel in kernels}


def _row(
    key: tuple[str, ...],
    sides: Sequence[Side],
    all_figures: Sequence[Figures],
    margin: float,
    statistic: Statistic,
) -> ComparedFigure:
    base = all_figures[0][key]
    return ComparedFigure(
        name=f"{base.name}, best" if statistic == "best" else base.name,
        kernel=base.kernel,
        unit=base.unit,
        lower_is_better=base.unit != "GB/s",
        statistic=statistic,
        figures=[_shown(figures.get(key)) for figures in all_figures],
        ratios=[
            compared(
                side.label,
                base,
                figures.get(key),
                margin,
                same_result=side.is_same_as(sides[0]),
                supported=supports(*_trusts(sides[0], side)),
            )
            for side, figures in zip(sides[1:], all_figures[1:], strict=True)
        ],
    )


def _shown(figure: Figure | None) -> SideFigure | None:
    if figure is None:
        return None
    bounds = figure.bounds()
    ends = sorted(
        in_unit(each, figure.unit) for each in ((bounds.low, bounds.high) if bounds else ())
    )
    return SideFigure(
        value=in_unit(figure.seconds, figure.unit),
        low=ends[0] if ends else None,
        high=ends[1] if ends else None,
        bounded_by=figure.bounded_by(),
        n=figure.n,
        of=figure.of,
        valid=figure.valid,
    )


def _unpaired(sides: Sequence[Side], all_figures: Sequence[Figures]) -> list[UnpairedFigure]:
    """The figures that only A has, and those that only other sides have."""
    keys = dict.fromkeys(key for figures in all_figures for key in figures)
    paired = {key for key in all_figures[0] if any(key in figures for figures in all_figures[1:])}
    missing = []
    for key in keys:
        if key not in paired:
            having = [
                (side.label, figures[key])
                for side, figures in zip(sides, all_figures, strict=True)
                if key in figures
            ]
            missing.append(
                UnpairedFigure(name=having[0][1].name, sides=[name for name, _ in having])
            )
    return missing


def _vanished(sides: Sequence[ComparedSide], all_figures: Sequence[Figures]) -> list[list[str]]:
    """For each side but A: the names of A's figures that it should have but lacks.

    Another benchmark lacks nothing: it has fewer loops and stores. A tuned figure is not missing
    if the standard one is there: a side has no tuned figure if no shape was faster.
    """
    missing = []
    for side, figures in zip(sides[1:], all_figures[1:], strict=True):
        alike = _tools(side) == _tools(sides[0])
        missing.append(
            [
                figure.name
                for key, figure in all_figures[0].items()
                if alike and key not in figures and _standard(key) not in figures
            ]
        )
    return missing


def _tools(side: ComparedSide) -> set[str | None]:
    """The tools of a side, without their versions; ``None`` stands for streamgage."""
    return {each.tool.partition(" ")[0] if each.tool else None for each in side.results}


def _standard(key: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for word in key if word != "tuned")
