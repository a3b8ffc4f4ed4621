"""``ladder``: the levels of each curve, and the curves with their plateaus."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.results.ladder.document import Ladder, LadderCurve, LadderPoint
from streamgage.results.ladder.rows import HEADS, LEFT, cells, foot, mode_of
from streamgage.show.report.bounded import bounded_cell
from streamgage.show.report.drawing import line, plateau, size_axis, upright, value_axis
from streamgage.show.report.parts import Cell, Column, Drawing, Figure, Layout, Part, Table, Trace
from streamgage.show.symbols import UNICODE
from streamgage.units import format_bytes, format_rate


def tables(answer: Ladder) -> Iterator[Part]:
    """A table a curve."""
    for curve in answer.curves:
        name = f"{curve.kernel} {curve.store}, {mode_of(curve)} ({curve.mode})"
        columns = [Column(head, left=head in LEFT) for head in HEADS]
        rows = []
        for step in curve.steps:
            orders = (
                step.low_bytes,
                step.gbps.value,
                step.gbps.low,
                step.bytes_per_cycle,
                step.low_bytes,
                step.effective_bytes,
                step.claimed_bytes,
            )
            texts = cells(step, UNICODE)
            rows.append([Cell(text, order) for text, order in zip(texts, orders, strict=True)])
        yield Table(name, columns, rows, foot(answer) if curve is answer.curves[-1] else "")


def figures(answer: Ladder) -> Iterator[Figure]:
    """A plot a mode."""
    for mode in dict.fromkeys(each.mode for each in answer.curves):
        curves = [each for each in answer.curves if each.mode == mode and each.points]
        if curves:
            yield _figure(answer, curves)


def _figure(answer: Ladder, curves: list[LadderCurve]) -> Figure:
    first = curves[0]
    traces: list[Trace] = []
    marks: list[Layout] = []
    for number, curve in enumerate(curves):
        for step in curve.steps:
            text = f"{step.level} {format_rate(step.gbps.value)}"
            bar, label = plateau(text, (step.low_bytes, step.high_bytes), step.gbps.value)
            traces.append(bar)
            marks.append(label)
        traces.append(_curve(curve, number))
    sizes = [point.bytes for each in curves for point in each.points]
    shapes = []
    for level in answer.levels:
        if level.mode == first.mode and min(sizes) <= level.bytes <= max(sizes):
            text = f"{level.name} claims {format_bytes(level.bytes)}"
            shape, label = upright(level.bytes, text, at_foot=True)
            shapes.append(shape)
            marks.append(label)
    own = " of each thread" if first.mode == "throughput" else ""
    rates = [value for each in curves for point in each.points for value in _extremes(point)]
    layout: Layout = {
        "xaxis": size_axis(f"working set{own}", sizes),
        "yaxis": value_axis("GB/s of nominal bytes", rates),
        "shapes": shapes,
        "annotations": marks,
    }
    return Figure(
        title=f"Bandwidth over the working set: {mode_of(first)}",
        about="Bandwidth over the size of the working set, both logarithmic, with intervals. Broad"
        " bars: the plateaus of the levels. Dashed lines: what the caches in use claim to hold.",
        drawings=[Drawing("", traces, layout)],
        table=_numbers(curves),
        wide=True,
        tall=True,
    )


def _extremes(point: LadderPoint) -> list[float]:
    figure = point.gbps
    return [value for value in (figure.low, figure.value, figure.high) if value]


def _curve(curve: LadderCurve, number: int) -> Trace:
    name = f"{curve.kernel} {curve.store}"
    texts = [
        f"{name}, {format_bytes(each.bytes)}: {format_rate(each.gbps.value)} GB/s"
        for each in curve.points
    ]
    xs = [each.bytes for each in curve.points]
    return line(name, xs, [each.gbps for each in curve.points], number, texts=texts)


def _numbers(curves: list[LadderCurve]) -> Table:
    at = [{point.bytes: point.gbps for point in each.points} for each in curves]
    sizes = sorted({size for each in at for size in each})
    rows = [
        [
            Cell(format_bytes(size), size),
            *(bounded_cell(each.get(size), format_rate) for each in at),
        ]
        for size in sizes
    ]
    names = (f"{each.kernel} {each.store}" for each in curves)
    columns = [Column("working set"), *(Column(name) for name in names)]
    return Table("GB/s of nominal bytes", columns, rows)
