"""The page of a comparison: the sides, what differs, the figures of each side, and remarks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from msgspec.structs import replace

from streamgage.comparison.compare.document import (
    ComparedFigure,
    ComparedSide,
    Comparison,
    Difference,
    SideFigure,
    SideRatio,
)
from streamgage.comparison.compare.words import ratio_text
from streamgage.results.comparable import Unit
from streamgage.results.kinds import command_of
from streamgage.show.page import (
    DASH,
    RATE,
    Cell,
    Column,
    Data,
    Datum,
    Page,
    Table,
    Tone,
    Value,
    Words,
    bounds_text,
)
from streamgage.units import capitalised, format_figure, format_rate, listed, some_of

NOT_TOLD = "not recorded"
_MOST_NAMES = 8
_TONES: dict[str | None, Tone] = {
    "faster": "good",
    "slower": "bad",
    "too noisy to say": "doubtful",
}


def page_of(answer: Comparison) -> Page:
    """The page, with a table of figures for each side except A."""
    others = range(1, len(answer.sides))
    body: list[Table[ComparedFigure] | Table[Difference] | Words] = [
        differences_table(answer)
        if answer.differences
        else Words([nothing_differs(answer), *unrecorded(answer)])
    ]
    body += [_figures(answer, number) for number in others if rows_of(answer, number)]
    if answer.unpaired:
        body.append(Words(left_out(answer)))
    body += [Words(answer.sentences, strong=True), Words(answer.remarks, mark="note")]
    if answer.acceptance is not None:
        mark: Literal["passed", "error"] = "passed" if answer.acceptance.passed else "error"
        body.append(Words([answer.acceptance.text], mark, strong=True))
    return Page(
        f"Figures of {' and '.join(each.label for each in answer.sides)}",
        None,
        terms=[(each.label, side_line(each)) for each in answer.sides],
        body=body,
        data=_data_of(answer),
    )


def differences_table(answer: Comparison) -> Table[Difference]:
    """What differs, with one column per side, and what is not recorded."""

    def value(number: int) -> Callable[[Difference], Cell]:
        return lambda each: Cell(each.values[number] or NOT_TOLD)

    return Table(
        [
            Column("what differs", lambda each: Cell(each.what), left=True, roomy=True, widest=26),
            *(
                Column(side.label, value(number), left=True, roomy=True)
                for number, side in enumerate(answer.sides)
            ),
            Column(
                "why it matters",
                lambda each: Cell(each.why, tone="quiet"),
                left=True,
                roomy=True,
                may_go=1,
            ),
        ],
        answer.differences,
        caption="Every recorded setting that differs, most important first",
        notes=[("", each) for each in unrecorded(answer)],
    )


def _figures(answer: Comparison, number: int) -> Table[ComparedFigure]:
    """The side with that number (A is 0) compared with A."""
    return Table(
        columns(answer, number),
        rows_of(answer, number),
        caption=f"{answer.sides[number].label} over A",
        foot=[foot(answer, number), *reasons(answer, number)],
    )


def columns(answer: Comparison, number: int) -> list[Column[ComparedFigure]]:
    """The columns that compare the side with that number (A is 0) with A."""
    side = answer.sides[number].label
    shown = [Column[ComparedFigure]("figure", lambda each: Cell(each.name), left=True)]
    if len({each.unit for each in answer.figures}) > 1:
        shown.append(Column("unit", lambda each: Cell(each.unit), left=True))
    for place, name in ((0, "A"), (number, side)):
        shown.append(Column(name, _value(place)))
        if any(_figure(each, place, "low") for each in answer.figures):
            shown.append(Column("±", _half(place), left=True, may_go=3, half=True))
        shown.append(Column("n", _n(place), may_go=4))
    bounded = any(each.ratios[number - 1].low is not None for each in answer.figures)
    shown.append(
        Column(
            f"{side} over A{' [95 %]' if bounded else ''}",
            lambda each: Cell(ratio_text(each.ratios[number - 1])),
            left=True,
        )
    )
    shown.append(Column("verdict", lambda each: _verdict(each.ratios[number - 1]), left=True))
    return shown


def rows_of(answer: Comparison, number: int) -> list[ComparedFigure]:
    """The figures that the side with that number has."""
    return [each for each in answer.figures if each.figures[number] is not None]


def foot(answer: Comparison, number: int) -> str:
    """The line below a table, which says what its figures are."""
    rows = rows_of(answer, number)
    units = {each.unit for each in rows}
    shown = [each for row in rows for each in (row.figures[0], row.figures[number]) if each]
    kinds = list(dict.fromkeys(each.of for each in shown))
    numbers = sorted({each.n for each in shown})
    n = str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
    statistic = rows[0].statistic
    what = {
        "median": f"median of n = {n} {listed(kinds)}",
        "best": "the best of a run",
        "as printed": "as the benchmark printed it",
    }[statistic]
    rate = "GB/s of nominal bytes, " if "GB/s" in units else ""
    unit = next(iter(units)) if len(units) == 1 and not rate else ""
    sentence = f"{rate}{f'{unit}, ' if unit else ''}{what}"
    bounds = {each.bounded_by for each in shown}
    if bounds >= {"interval", "range"}:
        sentence += (
            "; ± or a to b: its 95 % interval; with fewer than 6 allocations, runs or rounds, or"
            " if they drift, their range"
        )
    elif bounds & {"interval", "range"}:
        sentence += f"; ± or a to b: {'their range' if 'range' in bounds else 'its 95 % interval'}"
    over = f"{answer.sides[number].label} over A"
    ratio = "ratio of rates, above 1" if units == {"GB/s"} else "a ratio above 1"
    return f"{capitalised(sentence)}. {over}: {ratio} is better than A."


def reasons(answer: Comparison, number: int) -> list[str]:
    """Why figures have no ratio or no interval: each reason once, with its figures."""
    found: dict[str, list[str]] = {}
    for each in rows_of(answer, number):
        ratio = each.ratios[number - 1]
        if ratio.reason is not None:
            found.setdefault(ratio.reason, []).append(each.name)
    everything = len(rows_of(answer, number))
    return [
        f"{'All' if len(names) == everything else some_of(names, 3, 'figure')}: {why}."
        for why, names in found.items()
    ]


def left_out(answer: Comparison) -> list[str]:
    """Sentences on the figures that only some sides have."""
    alone: dict[str, list[str]] = {}
    for each in answer.unpaired:
        alone.setdefault(listed(each.sides), []).append(each.name)
    return [
        f"Only {sides} {'has' if ' and ' not in sides else 'have'}: {_some(names)}."
        for sides, names in alone.items()
    ]


def nothing_differs(answer: Comparison) -> str:
    """The sentence that replaces the differences if there are none."""
    sentence = "No recorded setting differs"
    if not answer.untold_by_all:
        return f"{sentence}."
    return f"{sentence}, but {_unrecorded_by_all(answer)}. These may differ."


def unrecorded(answer: Comparison) -> list[str]:
    """Sentences on the settings that cannot be compared because a side does not record them."""
    sentences = [
        f"{each.side} does not record: {_some(each.what)}. These may differ, too."
        for each in answer.untold
    ]
    if answer.untold_by_all and answer.differences:
        sentence = _unrecorded_by_all(answer)
        sentences.append(f"{capitalised(sentence)}. These may differ, too.")
    return sentences


def _unrecorded_by_all(answer: Comparison) -> str:
    none = "neither" if len(answer.sides) == 2 else "no"
    return f"{none} side records {listed(answer.untold_by_all)}"


def side_line(side: ComparedSide) -> str:
    """Describe a side in one line: ``run 12 · node7 · 2026-01-31 12:00 UTC``."""
    first = side.results[0]
    hosts = list(dict.fromkeys(each.host for each in side.results if each.host))
    dates = sorted(each.date for each in side.results if each.date)
    tools = list(dict.fromkeys(each.tool for each in side.results if each.tool))
    parts = [side.name if len(side.results) < 4 else f"{len(side.results)} results: {side.name}"]
    parts += [f"output of {listed(tools)}"] if tools else [f"streamgage {command_of(side.kind)}"]
    parts += [", ".join(hosts)] if hosts else []
    if dates:
        ends = list(dict.fromkeys(_minute(each) for each in (dates[0], dates[-1])))
        parts.append(" to ".join(ends) + " UTC")
    if len(side.results) == 1 and first.partial is not None:
        parts.append("not complete")
    return " · ".join(parts)


def _minute(date: str) -> str:
    return date[:16].replace("T", " ")


def _some(names: Sequence[str]) -> str:
    if len(names) <= _MOST_NAMES:
        return ", ".join(names)
    return f"{', '.join(names[: _MOST_NAMES - 1])} and {len(names) - _MOST_NAMES + 1} more"


def _figure(row: ComparedFigure, place: int, name: str) -> bool:
    figure = row.figures[place]
    return figure is not None and getattr(figure, name) is not None


def _value(place: int) -> Callable[[ComparedFigure], Cell]:
    def cell(row: ComparedFigure) -> Cell:
        figure = row.figures[place]
        if figure is None:
            return Cell(DASH)
        return Cell(format_value(figure.value, row.unit) + ("!" if figure.valid is False else ""))

    return cell


def _half(place: int) -> Callable[[ComparedFigure], Cell]:
    def cell(row: ComparedFigure) -> Cell:
        figure = row.figures[place]
        if figure is None or figure.low is None or figure.high is None:
            return Cell()
        unit = replace(RATE, write=lambda value: format_value(value, row.unit))
        bounds = bounds_text(figure.low, figure.high, figure.value, unit)
        return Cell(bounds if bounds.startswith("±") else f"({bounds})")

    return cell


def _n(place: int) -> Callable[[ComparedFigure], Cell]:
    def cell(row: ComparedFigure) -> Cell:
        figure = row.figures[place]
        return Cell(DASH if figure is None else str(figure.n))

    return cell


def _verdict(ratio: SideRatio) -> Cell:
    return Cell(ratio.verdict or "not compared", tone=_TONES.get(ratio.verdict, ""))


def format_value(value: float, unit: Unit) -> str:
    """The value in digits: a rate as rates are written, seconds and nanoseconds with three."""
    if unit == "GB/s":
        return format_rate(value)
    return f"{value:.3g}" if unit == "s" and value < 1 else format_figure(value)


_Row = tuple[ComparedFigure, ComparedSide, SideFigure, SideRatio | None]


def _data_of(comparison: Comparison) -> Data[_Row]:
    """The data with one row per figure and side. The ratio is that to A; A's own rows have none."""
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
            Datum("low_ratio", _ratio(lambda ratio: ratio.low)),
            Datum("high_ratio", _ratio(lambda ratio: ratio.high)),
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
