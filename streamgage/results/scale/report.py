"""``scale``: a table a kernel, bandwidth, and speedup beside the ideal."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from streamgage.analysis.statistics.estimate import Bounded
from streamgage.results.scale.document import Curve, ScalePoint, Scaling
from streamgage.results.scale.names import best, counts_of, curves_of, foot, kinds, point_at
from streamgage.show.report.bounded import bounded_cell
from streamgage.show.report.drawing import axis, counts_axis, line
from streamgage.show.report.parts import Cell, Column, Drawing, Figure, Part, Table, Trace
from streamgage.show.symbols import UNICODE
from streamgage.units import format_rate, format_share


def tables(answer: Scaling) -> Iterator[Part]:
    """Bandwidth, speedup and efficiency of every kernel under every binding."""
    shown = kinds(answer)
    for kernel, store in shown:
        below = f" {foot(answer, UNICODE)}" if (kernel, store) == shown[-1] else ""
        yield _table(answer, f"{kernel} {store}", curves_of(answer, kernel, store), below)


def figures(answer: Scaling) -> Iterator[Figure]:
    """Two plots a kernel."""
    for kernel, store in kinds(answer):
        curves = curves_of(answer, kernel, store)
        yield _bandwidth(answer, f"{kernel} {store}", curves)
        if any(point.speedup for curve in curves for point in curve.points):
            yield _speedup(answer, f"{kernel} {store}", curves)


def _table(answer: Scaling, name: str, curves: list[Curve], below: str) -> Table:
    columns = [Column("n", about=answer.workers)]
    for curve in curves:
        titles = ("GB/s", "speedup", "efficiency")
        columns += [Column(f"{curve.binding}: {title}") for title in titles]
    rows = []
    for n in counts_of(answer, curves):
        row = [Cell(str(n), n)]
        for curve in curves:
            point = point_at(curve, n)
            if point is None:
                row += [Cell("–")] * 3
                continue
            row += [
                bounded_cell(point.gbps, format_rate, strong=n == curve.enough_n),
                _cell(point.speedup, _two_digits),
                _cell(point.efficiency, format_share),
            ]
        rows.append(row)
    told = "; ".join(f"{each.binding}: {best(each)}" for each in curves)
    return Table(name, columns, rows, f"{told}.{below}")


def _cell(figure: Bounded | None, write: Callable[[float], str]) -> Cell:
    """Without bounds: those of the speedup are beside its plot."""
    return Cell("–") if figure is None else Cell(write(figure.value), figure.value)


def _two_digits(value: float) -> str:
    return f"{value:.2f}"


def _bandwidth(answer: Scaling, name: str, curves: list[Curve]) -> Figure:
    traces: list[Trace] = []
    for curve in curves:
        look = _number(answer, curve)
        traces.append(
            _curve(answer, curve, {each.n: each.gbps for each in curve.points}, "GB/s", look)
        )
    rings = [(curve, point_at(curve, curve.enough_n)) for curve in curves]
    traces.append(_rings([(curve, point) for curve, point in rings if point is not None]))
    return Figure(
        title=f"{name}: bandwidth",
        about=f"Bandwidth of {name} in GB/s of nominal bytes over the number of {answer.workers},"
        " a curve a binding, with intervals. Rings: the fewest with 90 % of the best.",
        drawings=[Drawing("", traces, _layout(answer, curves, "GB/s of nominal bytes"))],
        table=_numbers(answer, curves, "GB/s of nominal bytes", lambda point: point.gbps),
    )


def _rings(points: list[tuple[Curve, ScalePoint]]) -> Trace:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "90 % of the best",
        "x": [point.n for _, point in points],
        "y": [point.gbps.value for _, point in points],
        "marker": {
            "symbol": "circle-open",
            "size": 17,
            "color": "text",
            "line": {"width": 1.6, "color": "text"},
        },
        "hoverinfo": "skip",
    }


def _speedup(answer: Scaling, name: str, curves: list[Curve]) -> Figure:
    most = max(point.n for curve in curves for point in curve.points if point.speedup)
    ideal: Trace = {
        "type": "scatter",
        "mode": "lines",
        "name": "ideal",
        "x": [1, most],
        "y": [1, most],
        "line": {"color": "grey", "dash": "dash", "width": 1.5},
        "hoverinfo": "skip",
    }
    traces = [ideal]
    for curve in curves:
        found = {each.n: each.speedup for each in curve.points if each.speedup}
        traces.append(_curve(answer, curve, found, "times one", _number(answer, curve)))
    return Figure(
        title=f"{name}: speedup",
        about=f"Bandwidth of {name} over that of one of the {answer.workers} with the same binding;"
        " the dashed line is the ideal.",
        drawings=[Drawing("", traces, _layout(answer, curves, "speedup"))],
        table=_numbers(answer, curves, "Speedup", lambda point: point.speedup),
    )


def _curve(
    answer: Scaling, curve: Curve, found: dict[int, Bounded], unit: str, number: int
) -> Trace:
    """A curve with its intervals; a gap breaks the line."""
    asked = {each.n for each in answer.runs if each.binding == curve.binding}
    xs = sorted({*asked, *found})
    texts = [f"{curve.binding}, n = {n}: {_value(found.get(n))} {unit}" for n in xs]
    return line(curve.binding, xs, [found.get(n) for n in xs], number, texts=texts)


def _value(figure: Bounded | None) -> str:
    return "none" if figure is None else format_rate(figure.value)


def _number(answer: Scaling, curve: Curve) -> int:
    return [each.name for each in answer.bindings].index(curve.binding)


def _layout(answer: Scaling, curves: list[Curve], y: str) -> Trace:
    counts = counts_of(answer, curves)
    return {"xaxis": counts_axis(answer.workers, counts), "yaxis": axis(y, rangemode="tozero")}


def _numbers(
    answer: Scaling,
    curves: list[Curve],
    caption: str,
    read: Callable[[ScalePoint], Bounded | None],
) -> Table:
    rows = []
    for n in counts_of(answer, curves):
        points = [point_at(curve, n) for curve in curves]
        cells = [
            Cell("–") if each is None else bounded_cell(read(each), format_rate) for each in points
        ]
        rows.append([Cell(str(n), n), *cells])
    return Table(caption, [Column("n"), *(Column(each.binding) for each in curves)], rows)
