"""Remarks on the compared figures, and on what their intervals include."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from streamgage.advice import advice
from streamgage.comparison.compare.differences import unlike_within
from streamgage.comparison.compare.document import ComparedFigure
from streamgage.comparison.compare.side import Side, why_incomplete
from streamgage.units import listed, some_of

_MANY_RATIOS = 10
_CHANCE = 0.05
_MOST = 3
_UNKNOWN_STORES = "unknown"


def remarks(sides: Sequence[Side], figures: Sequence[ComparedFigure]) -> list[str]:
    """All remarks on the comparison, most important first."""
    return [
        *_not_whole(sides),
        *_not_trusted(sides),
        *_shared(sides),
        *_wrong(sides, figures),
        *_replayed(sides),
        *_unlike(sides),
        *_conventions(sides, figures),
        *_inverted(figures),
        *_noise(sides, figures),
        *_chance(figures),
    ]


def _not_whole(sides: Sequence[Side]) -> Iterator[str]:
    for side in sides:
        for each in side.results:
            why = why_incomplete(each)
            if why is not None:
                yield f"{side.label} ({each.name}) is not complete: {why}"


def _not_trusted(sides: Sequence[Side]) -> Iterator[str]:
    """Yield a remark on each result that must not be quoted, or only with care."""
    for side in sides:
        for each in side.results:
            if each.trust_verdict in (None, "quotable"):
                continue
            name = f"{side.label} ({each.name})"
            care = each.trust_verdict == "with-care"
            lead = f"Take {name} with care" if care else f"{name} is not quotable"
            which = each.called.removeprefix("run ")
            yield f"{lead}: {advice('show', which)} says why."


def _shared(sides: Sequence[Side]) -> Iterator[str]:
    """Yield a remark on each result that is on more than one side."""
    where: dict[bytes, list[str]] = {}
    names: dict[bytes, str] = {}
    for side in sides:
        for content, name in side.contents.items():
            where.setdefault(content, []).append(side.label)
            names.setdefault(content, name)
    for content, labels in where.items():
        if len(labels) > 1:
            both = "both " if len(labels) == 2 else ""
            yield (
                f"{names[content]} is on {both}{listed(labels)}. The intervals assume separate"
                " measurements, so they do not hold here."
            )


def _wrong(sides: Sequence[Side], figures: Sequence[ComparedFigure]) -> Iterator[str]:
    for number, side in enumerate(sides):
        wrong = []
        for figure in figures:
            shown = figure.figures[number]
            if shown is not None and shown.valid is False:
                wrong.append(figure.name)
        if wrong:
            yield (
                f"{side.label} has wrong results ({some_of(wrong, _MOST, 'figure')}): these"
                " figures are not compared."
            )


def _replayed(sides: Sequence[Side]) -> Iterator[str]:
    for side in sides:
        if any(each.kind.replayed(each.document) for each in side.results):
            yield (
                f"The counters of {side.label} were played back from a recording. The rates"
                " compared here come from measured times."
            )


def _unlike(sides: Sequence[Side]) -> Iterator[str]:
    for side in sides:
        unlike = unlike_within(side) if len(side.results) > 1 else []
        if unlike:
            yield (
                f"The results of {side.label} differ from each other in {listed(unlike)}. Their"
                " bounds include the effect of that."
            )


def _conventions(sides: Sequence[Side], figures: Sequence[ComparedFigure]) -> Iterator[str]:
    """How another benchmark's figures are compared with streamgage's."""
    tools: dict[str | None, set[str]] = {}
    over_the_run: set[str | None] = set()
    for side in sides:
        for each in side.results:
            for tool, printed, store in each.kind.conventions([each.document]).sources:
                tools.setdefault(tool, set()).add(store)
                if printed == "whole-run":
                    over_the_run.add(tool)
    others = [tool for tool in tools if tool is not None]
    if not others or not figures:
        return
    best = [tool for tool in others if tool not in over_the_run]
    whole = [tool for tool in others if tool in over_the_run]
    prints = "prints" if len(whole) == 1 else "print"
    bests = [figure for figure in figures if figure.statistic == "best"]
    if bests:
        alone = any(
            ratio.value is not None and ratio.low is None
            for figure in bests
            for ratio in figure.ratios
        )
        single = (
            " A best rate has no interval: to get one, give several runs of each side, separated"
            " by commas."
            if alone
            else ""
        )
        yield (
            f"{listed(best)} {'prints' if len(best) == 1 else 'print'} the best of a run's"
            f" repetitions, so it is compared with the best of streamgage's samples.{single}"
        )
    elif whole and None in tools:
        yield (
            f"{listed(whole)} {prints} the rate over a whole run; it is compared with the median"
            " of streamgage's samples."
        )
    elif best and whole:
        yield (
            f"{listed(whole)} {prints} the rate over a whole run, {listed(best)} the best of the"
            " repetitions. The best is the higher of the two on the same machine."
        )
    unknown = [tool for tool in others if _UNKNOWN_STORES in tools[tool]]
    if unknown and any("plain" in stores for stores in tools.values()):
        yield (
            f"{listed(unknown)} {('does' if len(unknown) == 1 else 'do')} not say which stores the"
            " compiler chose. These loops are compared with streamgage's plain loops, which a"
            " compiler made as well. All rates count nominal bytes."
        )


def _inverted(figures: Sequence[ComparedFigure]) -> Iterator[str]:
    if any(figure.lower_is_better for figure in figures):
        yield (
            "Lower latencies and times are better, so their ratio is A's over the other's: above 1"
            " is better for every figure."
        )


def _noise(sides: Sequence[Side], figures: Sequence[ComparedFigure]) -> Iterator[str]:
    """What the intervals include, and what they do not."""
    shown = [each for figure in figures for each in figure.figures if each is not None]
    few = [each.n for each in shown if each.bounded_by == "range" and each.of != "points"]
    if few:
        yield (
            "If a figure comes from few runs, rounds or allocations, or from a machine that drifts,"
            " its bounds are a range, and Student's t widens the interval of its ratio."
        )
    if not any(ratio.low is not None for figure in figures for ratio in figure.ratios):
        return
    kinds = {each.of for each in shown if each.n > 1}
    single = [side.label for side in sides if len(side.results) == 1]
    if "samples" in kinds and single:
        yield (
            "The intervals include the noise within"
            f" {('each run' if len(single) == len(sides) else f'the run of {listed(single)}')},"
            " with its allocations of the arrays, but not the noise between runs. To include that"
            " too, give several runs of each side, separated by commas;"
            f" {advice('measure', '--runs', 10)} measures it."
        )
    elif kinds & {"rounds", "points"}:
        yield (
            "The intervals include the noise within each result, but not what changes from day to"
            " day. To include that too, give several results of each side, separated by commas."
        )


def _chance(figures: Sequence[ComparedFigure]) -> Iterator[str]:
    ratios = [each for figure in figures for each in figure.ratios if each.low is not None]
    differing = sum(each.verdict in ("faster", "slower") for each in ratios)
    expected = math.ceil(_CHANCE * len(ratios))
    if len(ratios) >= _MANY_RATIOS and 0 < differing <= expected:
        yield (
            f"Among {len(ratios)} ratios with 95 % intervals, {expected} may look different by"
            " chance alone."
        )
