"""The figures of a comparison as data: a row for each figure of each side."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from streamgage.show.page import Data, Datum, Value
from streamgage.tools.compare.document import (
    ComparedFigure,
    ComparedSide,
    Comparison,
    SideFigure,
    SideRatio,
)

_Row = tuple[ComparedFigure, ComparedSide, SideFigure, SideRatio | None]


def data_of(comparison: Comparison) -> Data[_Row]:
    """The ratio is that to A, whose own rows have none."""
    return Data(
        columns=[
            Datum("figure", lambda each: each[0].name),
            Datum("kernel", lambda each: each[0].kernel),
            Datum("unit", lambda each: each[0].unit),
            Datum("lower_is_better", lambda each: each[0].lower_is_better),
            Datum("statistic", lambda each: each[0].statistic),
            Datum("side", lambda each: each[1].label),
            Datum("name", lambda each: each[1].name),
            Datum("value", lambda each: each[2].value),
            Datum("low", lambda each: each[2].low),
            Datum("high", lambda each: each[2].high),
            Datum("n", lambda each: each[2].n),
            Datum("of", lambda each: each[2].of),
            Datum("valid", lambda each: each[2].valid),
            Datum("ratio", _ratio(lambda ratio: ratio.value)),
            Datum("ratio_low", _ratio(lambda ratio: ratio.low)),
            Datum("ratio_high", _ratio(lambda ratio: ratio.high)),
            Datum("verdict", _ratio(lambda ratio: ratio.verdict)),
            Datum("reason", _ratio(lambda ratio: ratio.reason)),
        ],
        rows=list(_rows(comparison)),
    )


def _rows(comparison: Comparison) -> Iterator[_Row]:
    for figure in comparison.figures:
        ratios = {each.side: each for each in figure.ratios}
        for side, own in zip(comparison.sides, figure.figures, strict=True):
            if own is not None:
                yield figure, side, own, ratios.get(side.label)


def _ratio(read: Callable[[SideRatio], Value]) -> Callable[[_Row], Value]:
    return lambda each: None if each[3] is None else read(each[3])
